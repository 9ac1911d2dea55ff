import Betwixt

/// The first message of each side.
struct Hello: Hashable {
  var protocols: ClosedRange<UInt8> = 1...1
  var formats: ClosedRange<UInt8> = 1...1
  var required: UInt64 = 0
  var offered: UInt64 = 0
  var maximumFrame: Int
  var window: Int
  var nonce: SessionNonce
  var list: ListID
  var implementation = ""
  var wallClock: Int64?

  static let maximumByteCount = 4 << 10

  private enum Tag {
    static let protocols: UInt8 = 1
    static let formats: UInt8 = 2
    static let required: UInt8 = 3
    static let offered: UInt8 = 4
    static let maximumFrame: UInt8 = 5
    static let window: UInt8 = 6
    static let nonce: UInt8 = 7
    static let list: UInt8 = 8
    static let implementation: UInt8 = 9
    static let wallClock: UInt8 = 10
  }
}

extension Hello {
  var payload: [UInt8] {
    var output: [UInt8] = []
    TagList.append(Tag.protocols, to: &output) {
      $0 += [protocols.lowerBound, protocols.upperBound]
    }
    TagList.append(Tag.formats, to: &output) { $0 += [formats.lowerBound, formats.upperBound] }
    if required != 0 { TagList.append(Tag.required, to: &output) { $0.appendBigEndian(required) } }
    if offered != 0 { TagList.append(Tag.offered, to: &output) { $0.appendBigEndian(offered) } }
    TagList.append(Tag.maximumFrame, to: &output) { $0.appendVarint(maximumFrame) }
    TagList.append(Tag.window, to: &output) { $0.appendVarint(window) }
    TagList.append(Tag.nonce, to: &output) {
      $0.appendBigEndian(nonce.high)
      $0.appendBigEndian(nonce.low)
    }
    TagList.append(Tag.list, to: &output) {
      $0.appendBigEndian(list.high)
      $0.appendBigEndian(list.low)
    }
    let name = textBytes(implementation, atMost: 64)
    if !name.isEmpty {
      TagList.append(Tag.implementation, to: &output) { $0 += name }
    }
    if let wallClock { TagList.append(Tag.wallClock, to: &output) { $0.appendZigzag(wallClock) } }
    return output
  }

  init(decoding payload: [UInt8]) throws(DecodeFailure) {
    guard payload.count <= Hello.maximumByteCount else {
      throw DecodeFailure(.tooManyBytes, at: 0)
    }
    let tags = try TagList(payload, known: Tag.protocols...Tag.wallClock)
    protocols = try tags.require(Tag.protocols, Hello.range)
    formats = try tags.require(Tag.formats, Hello.range)
    required =
      try tags.read(Tag.required) { reader throws(DecodeFailure) in try reader.uint64() }
      ?? 0
    offered =
      try tags.read(Tag.offered) { reader throws(DecodeFailure) in try reader.uint64() } ?? 0
    maximumFrame = try tags.require(Tag.maximumFrame) { reader throws(DecodeFailure) in
      try Hello.size(&reader, in: SyncSetup.plainFrame...Frame.maximumPayload)
    }
    window = try tags.require(Tag.window) { reader throws(DecodeFailure) in
      try Hello.size(&reader, in: SyncSetup.leastWindow...(64 << 20))
    }
    nonce = try tags.require(Tag.nonce) { reader throws(DecodeFailure) in
      SessionNonce(high: try reader.uint64(), low: try reader.uint64())
    }
    list = try tags.require(Tag.list) { reader throws(DecodeFailure) in
      ListID(high: try reader.uint64(), low: try reader.uint64())
    }
    implementation =
      try tags.read(Tag.implementation) { reader throws(DecodeFailure) in
        guard reader.remaining <= 64 else { throw reader.failure(.tooLong) }
        let text = try reader.take(reader.remaining)
        guard isUTF8(text) else { throw reader.failure(.badText, at: 0) }
        return String(decoding: text, as: UTF8.self)
      } ?? ""
    wallClock = try tags.read(Tag.wallClock) { reader throws(DecodeFailure) in
      try reader.zigzag()
    }
  }

  private static func range(_ reader: inout Reader) throws(DecodeFailure) -> ClosedRange<UInt8> {
    let low = try reader.byte()
    let high = try reader.byte()
    guard low <= high else { throw reader.failure(.badNumber, at: 0) }
    return low...high
  }

  private static func size(
    _ reader: inout Reader, in range: ClosedRange<Int>
  ) throws(DecodeFailure) -> Int {
    guard let size = Int(exactly: try reader.varint()), range.contains(size) else {
      throw reader.failure(.badNumber, at: 0)
    }
    return size
  }

  /// Why the two sides cannot talk; the same answer on both.
  func conflict(with peer: Hello) -> SyncFailure? {
    guard protocols.overlaps(peer.protocols), formats.overlaps(peer.formats) else {
      return SyncFailure(.versionRange, "no version is known to both sides")
    }
    let missing = required & ~peer.offered | peer.required & ~offered
    guard missing == 0 else {
      return SyncFailure(.unsupported, "feature \(missing.trailingZeroBitCount) is missing")
    }
    guard nonce != peer.nonce else { return SyncFailure(.malformed, "both nonces are equal") }
    guard list == peer.list else { return SyncFailure(.documentUnknown, peer.list.description) }
    return nil
  }
}
