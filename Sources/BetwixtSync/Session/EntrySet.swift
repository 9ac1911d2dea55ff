import Betwixt

/// A place between entries that are ordered by replica, sequence number and digest: 32 bytes, of
/// which trailing zeros are not sent.
struct EntryBound: Hashable, Comparable {
  let replica: UInt64
  let sequence: UInt64
  let digest: EntryName

  static func < (left: EntryBound, right: EntryBound) -> Bool {
    if left.replica != right.replica { return left.replica < right.replica }
    if left.sequence != right.sequence { return left.sequence < right.sequence }
    return left.digest < right.digest
  }

  private var words: [UInt64] { [replica, sequence, digest.high, digest.low] }

  private init(words: [UInt64]) {
    (replica, sequence) = (words[0], words[1])
    digest = EntryName(high: words[2], low: words[3])
  }

  init(replica: UInt64, sequence: UInt64, digest: EntryName) {
    self.replica = replica
    self.sequence = sequence
    self.digest = digest
  }

  /// The shortest prefix of `right` that is above `left`.
  init(between left: EntryBound, and right: EntryBound) {
    var words = right.words
    var isCut = false
    for (index, word) in left.words.enumerated() {
      if isCut {
        words[index] = 0
      } else if word != words[index] {
        let same = (word ^ words[index]).leadingZeroBitCount / 8
        words[index] &= ~(UInt64.max >> UInt64(8 * (same + 1)))
        isCut = true
      }
    }
    self.init(words: words)
  }

  /// How many bytes there are without trailing zeros.
  var byteCount: Int {
    var count = 32
    for word in words.reversed() {
      if word != 0 { return count - word.trailingZeroBitCount / 8 }
      count -= 8
    }
    return count
  }

  /// Appends length 1 and the bytes without trailing zeros; length 0 stands for no bound.
  func append(to output: inout [UInt8]) {
    var bytes: [UInt8] = []
    for word in words { bytes.appendBigEndian(word) }
    while bytes.last == 0 { bytes.removeLast() }
    output.append(UInt8(truncatingIfNeeded: bytes.count))
    output += bytes
  }

  /// Reads a bound; `nil` for none.
  static func read(_ reader: inout Reader) throws(DecodeFailure) -> EntryBound? {
    let start = reader.offset
    let count = Int(try reader.byte())
    guard count > 0 else { return nil }
    guard count <= 32 else { throw reader.failure(.badNumber, at: start) }
    let bytes = try reader.take(count)
    guard bytes.last != 0 else { throw reader.failure(.longNumber, at: start) }
    var words: [UInt64] = [0, 0, 0, 0]
    for (index, byte) in bytes.enumerated() {
      words[index / 8] |= UInt64(byte) << UInt64(56 - index % 8 * 8)
    }
    return EntryBound(words: words)
  }
}

/// The first 16 bytes of an entry's digest.
struct EntryName: Hashable, Comparable {
  let high: UInt64
  let low: UInt64

  init(high: UInt64, low: UInt64) {
    self.high = high
    self.low = low
  }

  init(_ digest: [UInt8]) {
    high = UInt64(bigEndianBytes: digest.prefix(8))
    low = UInt64(bigEndianBytes: digest.dropFirst(8).prefix(8))
  }

  init(_ reader: inout Reader) throws(DecodeFailure) {
    high = try reader.uint64()
    low = try reader.uint64()
  }

  static func < (left: EntryName, right: EntryName) -> Bool {
    left.high != right.high ? left.high < right.high : left.low < right.low
  }

  func append(to output: inout [UInt8]) {
    output.appendBigEndian(high)
    output.appendBigEndian(low)
  }
}

/// All entries of a list in the order of their dots, with the sums that fingerprints are made of.
struct EntrySet {
  private struct Element {
    let bound: EntryBound
    let row: Int
  }

  let delta: Delta
  private var elements: [Element] = []
  // Index k holds the sum of the first k elements.
  private var sums: [EntrySum] = [EntrySum()]

  /// Takes the entries of a list.
  ///
  /// - Complexity: O(*n* log *n*), and it hashes each entry
  init(_ list: ReplicatedList, leavingOut refused: Set<RegisterAddress>) {
    delta = list.delta(since: VersionVector())
    let replicas = delta.replicaTable
    // Those of all rows behind each other: an array of each would take twice the room.
    var digests: [UInt8] = []
    digests.reserveCapacity(delta.rows.count * 32)
    elements.reserveCapacity(delta.rows.count)
    for (index, row) in delta.rows.enumerated() {
      let digest = delta.entryDigest(row)
      digests += digest
      if !refused.isEmpty,
        refused.contains(RegisterAddress(row.item, register: delta.register(of: row)))
      {
        continue
      }
      let bound = EntryBound(
        replica: replicas[Int(row.replica)].rawValue,
        sequence: UInt64(bitPattern: row.sequence), digest: EntryName(digest))
      elements.append(Element(bound: bound, row: index))
    }
    elements.sort { $0.bound < $1.bound }
    sums.reserveCapacity(elements.count + 1)
    var sum = EntrySum()
    for element in elements {
      sum.add(digest: Array(digests[(element.row * 32)..<(element.row * 32 + 32)]))
      sums.append(sum)
    }
  }

  var count: Int { elements.count }

  /// The place of the first element that is not below a bound; the end for no bound.
  func index(of bound: EntryBound?) -> Int {
    guard let bound else { return elements.count }
    var low = 0
    var high = elements.count
    while low < high {
      let middle = (low + high) / 2
      if elements[middle].bound < bound { low = middle + 1 } else { high = middle }
    }
    return low
  }

  /// The shortest bound that separates an element from the one before it.
  func bound(before index: Int) -> EntryBound {
    EntryBound(between: elements[index - 1].bound, and: elements[index].bound)
  }

  /// Count and sum of a range, hashed.
  func fingerprint(_ range: Range<Int>) -> EntryName {
    var sum = sums[range.upperBound]
    sum.subtract(sums[range.lowerBound])
    return EntryName(SHA256.hash(sum.bytes))
  }

  func name(_ index: Int) -> EntryName { elements[index].bound.digest }

  func row(_ index: Int) -> Int { elements[index].row }
}
