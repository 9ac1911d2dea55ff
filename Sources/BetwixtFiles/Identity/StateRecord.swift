import Betwixt
import BetwixtSync

/// A small file of this installation: `mark 8 · version 2 · content · CRC-32C 4`.
struct StateRecord {
  /// What the file begins with.
  let mark: [UInt8]

  /// The only version that is read.
  let version: UInt16

  /// The bytes of a file around its content.
  func bytes(_ append: (inout [UInt8]) -> Void) -> [UInt8] {
    var bytes = mark
    bytes.appendBigEndian(version)
    append(&bytes)
    bytes.appendBigEndian(CRC32C.checksum(bytes[...]))
    return bytes
  }

  /// What reads the content of a file that is whole.
  func reader(of bytes: [UInt8]) throws(DecodeFailure) -> Reader {
    let end = max(0, bytes.count - 4)
    var trailer = Reader(bytes, in: end..<bytes.count)
    var reader = Reader(bytes, in: 0..<end)
    try reader.expect(mark, because: .badMagic)
    guard try trailer.uint32() == CRC32C.checksum(bytes[..<end]) else {
      throw DecodeFailure(.badChecksum, at: end)
    }
    guard try reader.uint16() == version else {
      throw DecodeFailure(.newerVersion, at: mark.count)
    }
    return reader
  }
}
