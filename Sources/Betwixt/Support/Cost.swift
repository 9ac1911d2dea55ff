/// What a list counts while a test asks for it, so that costs are asserted without a stopwatch.
///
/// In release builds there is nothing to count and nothing to pay.
package enum Cost {
  /// What can be counted.
  package enum Kind: Int, Sendable {
    /// Two places were compared.
    case comparison
    /// A node of the order was entered.
    case nodeVisit
    /// A page was looked through for a delta, or for what two lists differ in.
    case pageVisit
    /// An entry was hashed.
    case entryHash
    /// An entry of an item was read, or a field passed over on the way to another one.
    case entryVisit
    /// All items were passed over, removed ones too.
    case pass
    /// A component of a version was copied, or compared with another version.
    case component
  }

  #if DEBUG && !hasFeature(Embedded)
  /// The counts of one task.
  package final class Counter: Sendable {
    private nonisolated(unsafe) var counts = [0, 0, 0, 0, 0, 0, 0]

    package init() {}

    package subscript(kind: Kind) -> Int { unsafe counts[kind.rawValue] }

    fileprivate func add(_ count: Int, of kind: Kind) { unsafe counts[kind.rawValue] += count }
  }

  @TaskLocal private static var counter: Counter?

  /// The counts that `body` causes.
  package static func measure<Result>(
    _ body: () throws -> Result
  ) rethrows -> (Result, Counter) {
    let counter = Counter()
    let result = try $counter.withValue(counter, operation: body)
    return (result, counter)
  }

  static func count(_ kind: Kind, times count: Int = 1) { counter?.add(count, of: kind) }
  #else
  @inline(__always) static func count(_: Kind, times: Int = 1) {}
  #endif
}
