/// A hash over all that happened in a run, equal in every process and build.
///
/// It is for comparing runs: 64 bits, quick, and no protection against anybody.
public struct TraceHash: Hashable, Sendable, CustomStringConvertible {
  /// The hash so far.
  public private(set) var value: UInt64 = 0x6265_7477_6978_7431

  /// The hash of a run in which nothing happened.
  public init() {}

  /// Takes a number in.
  public mutating func combine(_ number: UInt64) {
    value = TraceHash.mix(value ^ number &+ 0x9e37_79b9_7f4a_7c15)
  }

  /// Takes a number in.
  public mutating func combine(_ number: Int) { combine(UInt64(truncatingIfNeeded: number)) }

  /// Takes bytes in, and how many.
  ///
  /// - Complexity: O(*n*)
  public mutating func combine(bytes: some Collection<UInt8>) {
    combine(bytes.count)
    for byte in bytes { combine(UInt64(byte)) }
  }

  /// Sixteen hexadecimal digits.
  public var description: String {
    let digits = String(value, radix: 16)
    return String(repeating: "0", count: 16 - digits.utf8.count) + digits
  }

  /// The output function of SplitMix64.
  static func mix(_ state: UInt64) -> UInt64 {
    var mixed = state
    mixed = (mixed ^ mixed >> 30) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ mixed >> 27) &* 0x94d0_49bb_1331_11eb
    return mixed ^ mixed >> 31
  }
}
