import Betwixt

/// One message of a stream, or one commit of a file.
///
///     0 length 4 · 4 type 1 · 5 flags 1 · 6 channel 2 · 8 number 4 · 12 header checksum 4
///     16 payload · payload checksum 4
///
/// Each checksum goes on from the one before, so that loss, repetition, reordering and splicing
/// show as damage does, and the length is checked before it is believed.
public struct Frame: Hashable, Sendable {
  /// What it carries.
  public var type: FrameType

  /// Whether a reader that does not know the type must stop.
  public var isCritical: Bool

  /// Whether it ends its sender's part of something.
  public var isLast: Bool

  /// What it carries.
  public var payload: [UInt8]

  /// Makes a frame.
  public init(
    _ type: FrameType, payload: [UInt8] = [], isCritical: Bool = false, isLast: Bool = false
  ) {
    self.type = type
    self.payload = payload
    self.isCritical = isCritical
    self.isLast = isLast
  }

  /// The bytes that a frame adds to its payload.
  public static let overhead = headerByteCount + 4

  /// The most bytes that a payload may have.
  public static let maximumPayload = 1 << 20

  /// The eight bytes that begin a stream.
  public static let preamble: [UInt8] = [0x89, 0x42, 0x54, 0x53, 0x0d, 0x0a, 0x1a, 0x0a]

  package static let headerByteCount = 16

  private enum Flag {
    static let critical: UInt8 = 1
    static let last: UInt8 = 2
  }

  package var flags: UInt8 { (isCritical ? Flag.critical : 0) | (isLast ? Flag.last : 0) }
}

/// The checked first 16 bytes of a frame.
package struct FrameHeader {
  package let length: Int
  package let type: FrameType
  package let flags: UInt8
  package let checksum: UInt32

  /// Reads a header that goes on from a checksum and has a certain number.
  package init(
    _ reader: inout Reader, seed: UInt32, number: UInt32, maximumPayload: Int
  ) throws(DecodeFailure) {
    let start = reader.offset
    let fields = try reader.take(12)
    checksum = CRC32C.checksum(fields, seed: seed)
    guard try reader.uint32() == checksum else { throw reader.failure(.badChecksum, at: start) }
    var inner = Reader(Array(fields))
    length = Int(clamping: try inner.uint32())
    type = FrameType(rawValue: try inner.byte())
    flags = try inner.byte()
    guard flags & ~3 == 0, try inner.uint16() == 0 else {
      throw reader.failure(.reserved, at: start + 5)
    }
    guard try inner.uint32() == number else { throw reader.failure(.badOrder, at: start + 8) }
    guard length <= maximumPayload else { throw reader.failure(.tooManyBytes, at: start) }
  }
}

/// What frames continue from: the checksum and the number of the next one.
public struct FrameChain: Hashable, Sendable {
  /// What the next header's checksum goes on from.
  public private(set) var seed: UInt32

  /// The number of the next frame; after 2^32 - 1 comes 0.
  public private(set) var number: UInt32

  /// The start of a stream, behind its preamble.
  public init() {
    self.init(seed: CRC32C.checksum(Frame.preamble[...]), number: 0)
  }

  /// A place somewhere else: the files of documents have seeds of their own.
  public init(seed: UInt32, number: UInt32) {
    self.seed = seed
    self.number = number
  }

  /// Appends the bytes of a frame and goes on behind it.
  ///
  /// - Complexity: O(the bytes of the payload)
  /// - Precondition: The payload has at most ``Frame/maximumPayload`` bytes.
  public mutating func append(_ frame: Frame, to output: inout [UInt8]) {
    precondition(frame.payload.count <= Frame.maximumPayload, "a frame carries at most 1 MiB")
    append(frame, to: &output, maximumPayload: Frame.maximumPayload)
  }

  package mutating func append(_ frame: Frame, to output: inout [UInt8], maximumPayload: Int) {
    assert(frame.payload.count <= maximumPayload)
    let start = output.count
    output.reserveCapacity(start + Frame.overhead + frame.payload.count)
    output.appendBigEndian(UInt32(truncatingIfNeeded: frame.payload.count))
    output.append(frame.type.rawValue)
    output.append(frame.flags)
    output.appendBigEndian(UInt16(0))
    output.appendBigEndian(number)
    let header = CRC32C.checksum(output[start...], seed: seed)
    output.appendBigEndian(header)
    output.append(contentsOf: frame.payload)
    seed = CRC32C.checksum(frame.payload[...], seed: header)
    output.appendBigEndian(seed)
    number &+= 1
  }

  /// Reads the frame that begins at an offset, and goes on behind it.
  ///
  /// - Parameters:
  ///   - bytes: The input.
  ///   - offset: Where the frame begins; afterwards, where it ends. It stays if reading fails.
  ///   - maximumPayload: The most bytes that the payload may have.
  /// - Returns: The frame.
  /// - Throws: `truncated` if there is only the start of a frame that is right so far, and
  ///   otherwise why there is none.
  /// - Complexity: O(the bytes of the frame)
  public mutating func read(
    _ bytes: [UInt8], at offset: inout Int, maximumPayload: Int = Frame.maximumPayload
  ) throws(DecodeFailure) -> Frame {
    let (header, payload) = try check(bytes, at: &offset, maximumPayload: maximumPayload)
    return Frame(
      header.type, payload: Array(bytes[payload]), isCritical: header.flags & 1 != 0,
      isLast: header.flags & 2 != 0)
  }

  /// Checks the frame that begins at an offset, without a copy of what it carries, and goes on behind
  /// it.
  ///
  /// - Returns: Its header, and where its payload is.
  package mutating func check(
    _ bytes: [UInt8], at offset: inout Int, maximumPayload: Int
  ) throws(DecodeFailure) -> (header: FrameHeader, payload: Range<Int>) {
    guard offset >= 0, offset <= bytes.count else {
      throw DecodeFailure(.truncated, at: bytes.count)
    }
    var reader = Reader(bytes, in: offset..<bytes.count)
    let header = try FrameHeader(
      &reader, seed: seed, number: number, maximumPayload: maximumPayload)
    guard reader.remaining >= header.length + 4 else {
      throw reader.failure(.truncated, at: bytes.count)
    }
    let payload = try reader.take(header.length)
    let origin = reader.offset
    let checksum = CRC32C.checksum(payload, seed: header.checksum)
    guard try reader.uint32() == checksum else { throw reader.failure(.badChecksum, at: origin) }
    offset = reader.offset
    seed = checksum
    number &+= 1
    return (header, payload.indices)
  }
}
