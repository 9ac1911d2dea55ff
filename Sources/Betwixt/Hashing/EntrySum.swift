/// A sum of the SHA-256 of entries modulo 2^256, and how many there are: what a ``Digest`` is made of.
///
/// A sum needs no order and is updated in O(1) per entry, so a storage that keeps entries can keep it
/// beside them and be compared with a list:
///
///     var sum = EntrySum()
///     for entry in list.delta(since: [:]).entries { sum.add(entry) }
///     Digest(sum) == list.digest  // true
public struct EntrySum: Hashable, Sendable {
  // Least significant word first.
  private var w0: UInt64 = 0
  private var w1: UInt64 = 0
  private var w2: UInt64 = 0
  private var w3: UInt64 = 0

  /// How many entries there are.
  public private(set) var count: UInt64 = 0

  /// Makes the sum of no entries.
  public init() {}

  package init(count: UInt64) { self.count = count }

  /// Takes the sums of eight lanes, as a database keeps them that adds no numbers of 256 bits.
  ///
  /// - Parameters:
  ///   - count: How many entries there are.
  ///   - lanes: For each four bytes of the digests, the most significant first, the sum of the
  ///     numbers that they are; `nil` comes of any other number of lanes.
  public init?(count: UInt64, lanes: [Int64]) {
    guard lanes.count == 8 else { return nil }
    self.count = count
    for (place, lane) in lanes.reversed().enumerated() {
      var words: [UInt64] = [0, 0, 0, 0, 0]
      let bits = lane.magnitude
      let shift = UInt64(place % 2) * 32
      words[place / 2] = bits << shift
      words[place / 2 + 1] = shift == 0 ? 0 : bits >> 32
      var one = EntrySum()
      (one.w0, one.w1, one.w2, one.w3) = (words[0], words[1], words[2], words[3])
      if lane < 0 { subtract(one) } else { add(one) }
    }
  }

  /// Adds an entry.
  public mutating func add(_ entry: Entry) { add(digest: SHA256.hash(entry.canonicalBytes)) }

  /// Takes an entry away that was added.
  public mutating func subtract(_ entry: Entry) {
    var one = EntrySum()
    one.add(entry)
    subtract(one)
  }

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
