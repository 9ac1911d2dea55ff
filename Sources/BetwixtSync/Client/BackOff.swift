/// How long a client waits before it connects again: twice as long after each attempt that failed.
public struct BackOff: Hashable, Sendable {
  /// The first wait, in milliseconds; at least 1.
  public var first: Int64 {
    didSet { (first, longest) = BackOff.clamped(first: first, longest: longest) }
  }

  /// The longest wait, in milliseconds; at least the first one.
  public var longest: Int64 {
    didSet { longest = max(first, longest) }
  }

  /// Makes times.
  ///
  /// - Parameters:
  ///   - first: The first wait, in milliseconds; at least 1.
  ///   - longest: The longest wait.
  public init(first: Int64 = 500, longest: Int64 = 60_000) {
    (self.first, self.longest) = BackOff.clamped(first: first, longest: longest)
  }

  private static func clamped(first: Int64, longest: Int64) -> (first: Int64, longest: Int64) {
    (max(1, first), max(1, first, longest))
  }

  /// The wait after so many attempts that failed, between a half of its time and the whole, so that
  /// clients that lost their connections together do not come back together.
  ///
  /// - Parameters:
  ///   - attempts: How many failed in a row; less than 1 counts as 1.
  ///   - spread: Random bits of this client.
  /// - Returns: Milliseconds.
  public func wait(after attempts: Int, spread: UInt64) -> Int64 {
    var wait = first
    let attempts = max(1, attempts)
    for _ in 1..<min(attempts, 64) where wait < longest {
      wait = wait > longest / 2 ? longest : wait * 2
    }
    let half = wait / 2
    // Other bits each time, and always all of them.
    let shift = UInt64(attempts % 8 * 8)
    let bits = spread >> shift | spread << (64 - shift)
    return wait - half + Int64(bits % UInt64(half + 1))
  }
}
