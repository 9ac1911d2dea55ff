package import Betwixt

/// What a side says at the start of a round.
struct Open: Hashable {
  var round: UInt32
  var digest: Digest
  var entryCount: Int64
  /// Left out if it does not fit.
  var version: VersionVector?
  /// Whether it follows in frames of its own, as it does not fit.
  var versionFollows = false
  var asksToReconcile: Bool
  var replica: ReplicaID?
  /// Up to where this side has forgotten; empty in a list that never forgot.
  var floor = VersionVector()
  /// Whether it follows in frames of its own, behind the version.
  var floorFollows = false

  static let maximumByteCount = 64 << 10
  static let maximumVersionByteCount = 60 << 10

  private enum Tag {
    static let round: UInt8 = 1
    static let digest: UInt8 = 2
    static let entryCount: UInt8 = 3
    static let version: UInt8 = 4
    static let ask: UInt8 = 5
    static let replica: UInt8 = 6
    static let versionFollows: UInt8 = 7
    static let floor: UInt8 = 8
    static let floorFollows: UInt8 = 9
  }
}

extension Open {
  var payload: [UInt8] {
    var output: [UInt8] = []
    TagList.append(Tag.round, to: &output) { $0.appendVarint(UInt64(round)) }
    TagList.append(Tag.digest, to: &output) { $0 += digest.bytes }
    TagList.append(Tag.entryCount, to: &output) { $0.appendVarint(UInt64(bitPattern: entryCount)) }
    if let version, !versionFollows {
      TagList.append(Tag.version, to: &output) { $0 += VersionVector.encoded(version[...]) }
    }
    if asksToReconcile { TagList.append(Tag.ask, to: &output) { $0.append(1) } }
    if let replica {
      TagList.append(Tag.replica, to: &output) { $0.appendBigEndian(replica.rawValue) }
    }
    if versionFollows { TagList.append(Tag.versionFollows, to: &output) { $0.append(1) } }
    if !floor.isEmpty, !floorFollows {
      TagList.append(Tag.floor, to: &output) { $0 += VersionVector.encoded(floor[...]) }
    }
    if floorFollows { TagList.append(Tag.floorFollows, to: &output) { $0.append(1) } }
    return output
  }

  init(decoding payload: [UInt8]) throws(DecodeFailure) {
    guard payload.count <= Open.maximumByteCount else {
      throw DecodeFailure(.tooManyBytes, at: 0)
    }
    let tags = try TagList(payload, known: Tag.round...Tag.floorFollows)
    round = try tags.require(Tag.round) { reader throws(DecodeFailure) in
      guard let round = UInt32(exactly: try reader.varint()) else {
        throw reader.failure(.badNumber, at: 0)
      }
      return round
    }
    digest = try tags.require(Tag.digest) { reader throws(DecodeFailure) in try Digest(&reader) }
    entryCount = try tags.require(Tag.entryCount) { reader throws(DecodeFailure) in
      try reader.positive()
    }
    version = try tags.read(Tag.version) { reader throws(DecodeFailure) in
      try VersionVector(&reader)
    }
    asksToReconcile = try tags.read(Tag.ask, Open.yes) ?? false
    versionFollows = try tags.read(Tag.versionFollows, Open.yes) ?? false
    guard version == nil || !versionFollows else { throw DecodeFailure(.badOrder, at: 0) }
    let floor = try tags.read(Tag.floor) { reader throws(DecodeFailure) in
      try VersionVector(&reader)
    }
    floorFollows = try tags.read(Tag.floorFollows, Open.yes) ?? false
    guard floor == nil || !floorFollows, floor?.isEmpty != true else {
      throw DecodeFailure(.badOrder, at: 0)
    }
    self.floor = floor ?? VersionVector()
    replica = try tags.read(Tag.replica) { reader throws(DecodeFailure) in
      ReplicaID(rawValue: try reader.uint64())
    }
  }
}

extension Open {
  private static func yes(_ reader: inout Reader) throws(DecodeFailure) -> Bool {
    guard try reader.byte() == 1 else { throw reader.failure(.badNumber, at: 0) }
    return true
  }

  /// Whether a version has to follow in frames of its own.
  static func isTooGreat(_ version: VersionVector) -> Bool {
    version.count > maximumVersionByteCount / 18
      && VersionVector.encoded(version[...]).count > maximumVersionByteCount
  }

  /// The bytes of a floor that has room beside the greatest version.
  static let maximumFloorByteCount = 2 << 10

  /// Whether a floor has to follow in frames of its own.
  static func isTooGreat(floor: VersionVector) -> Bool {
    floor.count > maximumFloorByteCount / 18
      && VersionVector.encoded(floor[...]).count > maximumFloorByteCount
  }
}

/// What a side says when it holds, durably, all that the other side sent.
struct Ack: Hashable {
  var digest: Digest
  var refusedFrameCount: UInt64

  /// The count of who has not said all that it refuses: more than were sent, so that it does not count.
  static let incomparable = UInt64.max
}

extension Ack {
  var payload: [UInt8] {
    var output = digest.bytes
    output.appendVarint(refusedFrameCount)
    return output
  }

  init(decoding payload: [UInt8]) throws(DecodeFailure) {
    var reader = Reader(payload)
    digest = try Digest(&reader)
    refusedFrameCount = try reader.varint()
    try reader.finish()
  }
}

extension Digest {
  init(_ reader: inout Reader) throws(DecodeFailure) {
    guard let digest = Digest(bytes: try reader.take(32)) else { throw reader.failure(.truncated) }
    self = digest
  }
}

extension VersionVector {
  /// A count, then replica and number, rising.
  package static func encoded(_ rows: Slice<VersionVector>) -> [UInt8] {
    var output: [UInt8] = []
    output.appendVarint(rows.count)
    for component in rows {
      output.appendBigEndian(component.replica.rawValue)
      output.appendVarint(UInt64(bitPattern: component.sequence))
    }
    return output
  }

  package init(_ reader: inout Reader) throws(DecodeFailure) {
    self.init(try VersionVector.components(&reader, after: nil))
  }

  /// Reads rows that rise from a replica on.
  static func components(
    _ reader: inout Reader, after first: ReplicaID?
  ) throws(DecodeFailure) -> [Component] {
    var components: [Component] = []
    var last = first
    for _ in 0..<(try reader.count(ofAtLeast: 9)) {
      let origin = reader.offset
      let replica = ReplicaID(rawValue: try reader.uint64())
      let sequence = try reader.positive()
      guard sequence > 0 else { throw reader.failure(.badNumber, at: origin) }
      if let last, replica <= last { throw reader.failure(.badOrder, at: origin) }
      last = replica
      components.append(Component(replica: replica, sequence: sequence))
    }
    return components
  }
}

extension Refusal {
  /// The bytes: `deferred 1 · reason length 1 · reason · refused block length 4 · refused block ·
  /// held block`.
  ///
  /// What is held is left out where it makes the frame too great.
  func payload(of list: ListID, atMost limit: Int) throws(LimitExceeded) -> [UInt8] {
    var output: [UInt8] = [isDeferred ? 1 : 0]
    let text = textBytes(reason, atMost: 255)
    output.append(UInt8(truncatingIfNeeded: text.count))
    output += text
    let refused = try Block(.delta, of: list, holding: Delta(checked: entries)).encoded()
    output.appendBigEndian(UInt32(truncatingIfNeeded: refused.count))
    output += refused
    let own = try Block(.delta, of: list, holding: Delta(checked: held)).encoded()
    output +=
      output.count + own.count <= limit
      ? own : try Block(.delta, of: list, holding: Delta(checked: [])).encoded()
    guard output.count <= limit else { throw LimitExceeded(.byteCount, count: output.count) }
    return output
  }

  init(
    decoding payload: [UInt8], of list: ListID, limits: FormatLimits
  ) throws(DecodeFailure) {
    var reader = Reader(payload)
    let flag = try reader.byte()
    guard flag <= 1 else { throw reader.failure(.reserved, at: 0) }
    isDeferred = flag == 1
    let text = try reader.take(Int(try reader.byte()))
    guard isUTF8(text) else { throw reader.failure(.badText, at: 1) }
    reason = String(decoding: text, as: UTF8.self)
    let count = Int(clamping: try reader.uint32())
    guard count <= reader.remaining else { throw reader.failure(.truncated) }
    let start = reader.offset
    var first = Reader(payload, in: start..<start + count)
    let refused = try BlockDecoder(limits).block(&first)
    try first.finish()
    var second = Reader(payload, in: start + count..<payload.count)
    let held = try BlockDecoder(limits).block(&second)
    try second.finish()
    guard refused.list == list, held.list == list, refused.kind == .delta, held.kind == .delta
    else { throw DecodeFailure(.otherList, at: start) }
    entries = refused.delta.entries
    self.held = held.delta.entries
  }
}

extension Delta {
  /// A delta of entries that came out of one, and so pass every check.
  init(checked entries: [Entry]) {
    var builder = Delta.Builder()
    for entry in entries { try? builder.add(entry) }
    self = builder.build()
  }
}
