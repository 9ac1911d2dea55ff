/// A sum of SHA-256 digests modulo 2^256, and how many there are.
///
/// A sum needs no order and is updated in O(1) per entry.
package struct EntrySum: Equatable, Sendable {
  // Least significant word first.
  private var w0: UInt64 = 0
  private var w1: UInt64 = 0
  private var w2: UInt64 = 0
  private var w3: UInt64 = 0
  package private(set) var count: UInt64 = 0

  package init(count: UInt64 = 0) { self.count = count }

  /// Adds one entry's digest.
  mutating func add(_ digest: SHA256.State) {
    var one = EntrySum(count: 1)
    one.w3 = UInt64(digest.a) << 32 | UInt64(digest.b)
    one.w2 = UInt64(digest.c) << 32 | UInt64(digest.d)
    one.w1 = UInt64(digest.e) << 32 | UInt64(digest.f)
    one.w0 = UInt64(digest.g) << 32 | UInt64(digest.h)
    add(one)
  }

  /// Adds one entry's digest, as bytes.
  package mutating func add(digest: [UInt8]) {
    var one = EntrySum(count: 1)
    one.w3 = UInt64(bigEndianBytes: digest[0..<8])
    one.w2 = UInt64(bigEndianBytes: digest[8..<16])
    one.w1 = UInt64(bigEndianBytes: digest[16..<24])
    one.w0 = UInt64(bigEndianBytes: digest[24..<32])
    add(one)
  }

  package mutating func add(_ other: EntrySum) {
    var carry = false
    (w0, carry) = EntrySum.plus(w0, other.w0, carry)
    (w1, carry) = EntrySum.plus(w1, other.w1, carry)
    (w2, carry) = EntrySum.plus(w2, other.w2, carry)
    w3 = w3 &+ other.w3 &+ (carry ? 1 : 0)
    count &+= other.count
  }

  package mutating func subtract(_ other: EntrySum) {
    var borrow = false
    (w0, borrow) = EntrySum.minus(w0, other.w0, borrow)
    (w1, borrow) = EntrySum.minus(w1, other.w1, borrow)
    (w2, borrow) = EntrySum.minus(w2, other.w2, borrow)
    w3 = w3 &- other.w3 &- (borrow ? 1 : 0)
    count &-= other.count
  }

  /// Count and sum, big endian, as the list digest hashes them.
  package var bytes: [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(40)
    for word in [count, w3, w2, w1, w0] { bytes.appendBigEndian(word) }
    return bytes
  }

  private static func plus(_ left: UInt64, _ right: UInt64, _ carry: Bool) -> (UInt64, Bool) {
    let (sum, first) = left.addingReportingOverflow(right)
    let (result, second) = sum.addingReportingOverflow(carry ? 1 : 0)
    return (result, first || second)
  }

  private static func minus(_ left: UInt64, _ right: UInt64, _ borrow: Bool) -> (UInt64, Bool) {
    let (difference, first) = left.subtractingReportingOverflow(right)
    let (result, second) = difference.subtractingReportingOverflow(borrow ? 1 : 0)
    return (result, first || second)
  }
}
