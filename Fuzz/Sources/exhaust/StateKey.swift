import BetwixtTesting

/// A hash of 128 bits of a set of things.
struct StateKey: Hashable {
  private var first: UInt64 = 0
  private var second: UInt64 = 0

  /// Adds a thing; in which order things are added does not matter.
  mutating func add(_ bytes: [UInt8]) {
    var left = TraceHash()
    var right = TraceHash()
    right.combine(1)
    left.combine(bytes: bytes)
    right.combine(bytes: bytes)
    first &+= left.value
    second &+= right.value
  }
}
