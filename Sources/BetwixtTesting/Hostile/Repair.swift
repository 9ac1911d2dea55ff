import Betwixt
import BetwixtSync

/// Makes checksums right, so that bytes reach what lies behind them.
enum Repair {
  /// A sealed block around the bytes of a block.
  static func sealed(_ block: [UInt8]) -> [UInt8] {
    let bytes: [UInt8] = [0x89, 0x42, 0x54, 0x42, 0x0d, 0x0a, 0x1a, 0x0a] + block
    var sealed = bytes
    sealed.appendBigEndian(XXH64.hash(bytes[...]))
    return sealed
  }

  /// Parts of bytes, each of them behind three bytes: a number, and a length.
  static func parts(_ bytes: [UInt8]) -> [(number: UInt8, bytes: [UInt8])] {
    var parts: [(number: UInt8, bytes: [UInt8])] = []
    var rest = bytes[...]
    while let number = rest.popFirst() {
      let high = rest.popFirst() ?? 0
      let low = rest.popFirst() ?? 0
      let size = Int(high) << 8 | Int(low)
      parts.append((number, Array(rest.prefix(size))))
      rest = rest.dropFirst(size)
    }
    return parts
  }

  /// The inverse of ``parts(_:)``; parts that are too long are cut.
  static func joined(_ parts: [(number: UInt8, bytes: [UInt8])]) -> [UInt8] {
    parts.flatMap { part in
      let bytes = part.bytes.prefix(0xffff)
      return [part.number, UInt8(bytes.count >> 8), UInt8(bytes.count & 0xff)] + bytes
    }
  }

  /// A stream of frames: a part's number is the type, and its two high bits are the flags.
  static func stream(_ bytes: [UInt8]) -> [UInt8] {
    var chain = FrameChain()
    var stream = Frame.preamble
    for part in parts(bytes) {
      let type = FrameType(rawValue: part.number & 0x3f)
      let frame = Frame(
        type, payload: part.bytes, isCritical: part.number & 0x80 != 0,
        isLast: part.number & 0x40 != 0)
      chain.append(frame, to: &stream)
    }
    return stream
  }

  /// The parts that ``stream(_:)`` makes such a stream of.
  static func parts(ofStream bytes: [UInt8]) -> [UInt8] {
    var stream = FrameStream()
    stream.append(bytes)
    var parts: [(number: UInt8, bytes: [UInt8])] = []
    while let frame = try? stream.next() {
      let flags: UInt8 = (frame.isCritical ? 0x80 : 0) | (frame.isLast ? 0x40 : 0)
      parts.append((frame.type.rawValue & 0x3f | flags, frame.payload))
    }
    return joined(parts)
  }

  /// A document file with a commit for each part.
  ///
  /// A part's number is added to its ordinal; that of ordinal 0, the snapshot, is sealed.
  static func document(_ bytes: [UInt8]) -> [UInt8] {
    let log = LogID(rawValue: 0x6c6c_6c6c_6c6c_6c6c)
    var file = DocumentHeader(document: World.listID, log: log, generation: 1).bytes
    for (place, part) in parts(bytes).enumerated() {
      let ordinal = UInt32(place) &+ UInt32(part.number)
      let payload = ordinal == 0 ? sealed(part.bytes) : part.bytes
      file += CommitFrame.encode(payload, ordinal: ordinal, in: log)
    }
    return file
  }
}
