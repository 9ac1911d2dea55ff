/// A set of writes that one list hands to another, with the ranges of numbers it covers.
///
///     let news = mine.delta(since: theirVersion)
///     let changes = theirs.merge(news)
///
/// Merging is safe whatever the delta was made for: its entries join. The receiver's version
/// advances only if it knows all that the delta takes for known, and only by ranges that continue
/// what it knows.
public struct Delta: Sendable {
  /// One entry, its register, replica and value as places in the delta's tables.
  package struct Row: Sendable {
    package var item: ItemID
    package var time: UInt64
    package var sequence: Int64
    package var replica: UInt32
    package var register: RegisterCode
    // Where the value stands: 40 bits of its start, 24 of its length. A reader makes a row of a few
    // bytes, so the size of rows decides how much more memory than input decoding takes.
    private let packedExtent: UInt64

    package var start: Int { Int(truncatingIfNeeded: packedExtent >> 24) }

    package var count: Int { Int(truncatingIfNeeded: packedExtent & 0xff_ffff) }

    /// Where the value stands among the delta's bytes.
    package var extent: Range<Int> { start..<start + count }

    package init(
      item: ItemID, time: UInt64, sequence: Int64, replica: UInt32, register: RegisterCode,
      start: Int, count: Int
    ) {
      self.item = item
      self.time = time
      self.sequence = sequence
      self.replica = replica
      self.register = register
      packedExtent = UInt64(truncatingIfNeeded: start) << 24 | UInt64(truncatingIfNeeded: count)
    }
  }

  /// A register in a row: `life`, `position`, or an index into the table.
  package struct RegisterCode: Equatable, Sendable {
    package var rawValue: UInt32

    package static let life = RegisterCode(rawValue: 0)
    package static let position = RegisterCode(rawValue: 1)

    package init(rawValue: UInt32) { self.rawValue = rawValue }

    init(index: UInt32) { rawValue = index + 2 }

    /// The index into the table of registers; meaningless for `life` and `position`.
    package var index: UInt32 { rawValue &- 2 }
  }

  // Rising by item, then register; at most one row per register.
  package internal(set) var rows: [Row] = []
  package internal(set) var bytes: [UInt8] = []
  var registers = RegisterTable()
  var replicas = ReplicaTable()

  /// What merging this delta lets a receiver claim.
  public internal(set) var ranges: [CoveredRange] = []

  /// What a receiver must know before it may claim the ranges: a write they cover may have been
  /// replaced by one that was left out because this vector claims it.
  public internal(set) var premise = VersionVector()

  /// Up to where the sender has forgotten what removed items held; empty if the receiver knows that
  /// by other means, or nothing was forgotten.
  ///
  /// Merging joins it before the entries: see ``ReplicatedList/forget(below:)``.
  public internal(set) var floor = VersionVector()

  /// All that the sender knew: tells concurrent writes from answers to them.
  public internal(set) var context = VersionVector()

  init() {}

  /// Whether there are neither entries nor ranges nor a floor.
  public var isEmpty: Bool { rows.isEmpty && ranges.isEmpty && floor.isEmpty }

  /// The number of entries.
  public var count: Int { rows.count }

  /// The entries, rising by item, then by register.
  ///
  /// - Complexity: O(*k*) for *k* entries
  public var entries: [Entry] { rows.map { entry($0) } }

  func register(_ code: RegisterCode) -> Register {
    switch code {
    case .life: .life
    case .position: .position
    default: registers[code.index]
    }
  }

  func value(_ row: Row) -> ArraySlice<UInt8> { bytes[row.extent] }

  func raw(_ row: Row) -> RawEntry {
    RawEntry(
      item: row.item, register: register(row.register), time: Timestamp(unchecked: row.time),
      replica: replicas[row.replica], sequence: row.sequence, value: value(row))
  }

  package func entry(_ row: Row) -> Entry { raw(row).entry }

  func dot(_ row: Row) -> Dot { Dot(replica: replicas[row.replica], sequence: row.sequence) }

  /// Whether an item, by its first row, was removed at or below a floor.
  func isForgotten(_ first: Int, below floor: VersionVector) -> Bool {
    let row = rows[first]
    return row.register == .life && row.item != .root && (value(row).last ?? 1) & 1 == 0
      && floor.covers(dot(row))
  }
}

extension Delta {
  /// Brings the rows into order; of several for one register the greatest stays.
  mutating func sort() {
    // All names are put in order only where there are more rows to be compared than names.
    let ranks = rows.count > registers.registers.count ? registers.ranks : []
    func isBefore(_ left: Row, _ right: Row) -> Bool {
      guard left.item == right.item else { return left.item < right.item }
      let (left, right) = (left.register, right.register)
      guard left.rawValue >= 2, right.rawValue >= 2 else { return left.rawValue < right.rawValue }
      return ranks.isEmpty
        ? registers.precedes(left.index, right.index)
        : ranks[Int(left.index)] < ranks[Int(right.index)]
    }
    guard !isStrictlyRising(isBefore) else { return }
    rows = rows.sorted { left, right in
      let isSameRegister = left.item == right.item && left.register == right.register
      return isSameRegister ? isLess(left, right) : isBefore(left, right)
    }
    var last = 0
    for next in rows.indices.dropFirst() {
      if isBefore(rows[last], rows[next]) { last += 1 }
      rows[last] = rows[next]
    }
    rows.removeSubrange((last + 1)...)
  }

  private func isStrictlyRising(_ isBefore: (Row, Row) -> Bool) -> Bool {
    for index in rows.indices.dropFirst() where !isBefore(rows[index - 1], rows[index]) {
      return false
    }
    return true
  }

  /// The order of two writes of one register.
  private func isLess(_ left: Row, _ right: Row) -> Bool {
    writeOrder(
      (left.time, replicas[left.replica], left.sequence),
      (right.time, replicas[right.replica], right.sequence), isLife: left.register == .life
    ) {
      compareBytes(value(left), value(right))
    } < 0
  }
}

extension Delta: CustomStringConvertible {
  /// How many entries and ranges there are.
  public var description: String { "\(rows.count) entries, \(ranges.count) ranges" }
}
