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

  /// A document file with a commit for each part; a part's number is added to its ordinal.
  static func document(_ bytes: [UInt8]) -> [UInt8] {
    let log = [UInt8](repeating: 0x6c, count: 16)
    var file: [UInt8] = [0x89, 0x42, 0x54, 0x44, 0x0d, 0x0a, 0x1a, 0x0a, 0, 1, 0, 0]
    file += World.listID.bytes + log + [0, 0, 0, 0, 0, 0, 0, 1] + [UInt8](repeating: 0, count: 8)
    file.appendBigEndian(CRC32C.checksum(file[...]))
    for (place, part) in parts(bytes).enumerated() {
      let ordinal = UInt32(place) &+ UInt32(part.number)
      var seed = log
      seed.appendBigEndian(ordinal)
      var chain = FrameChain(seed: CRC32C.checksum(seed[...]), number: ordinal)
      file += log.prefix(8)
      chain.append(Frame(.delta, payload: part.bytes, isLast: true), to: &file)
    }
    return file
  }
}
