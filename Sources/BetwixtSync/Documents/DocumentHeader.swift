package import Betwixt

/// The first 64 bytes of a document file.
///
/// ```
/// magic 8 · version 2 · flags 2 · document 16 · log 8 · generation 8 · zero 16 · CRC32C 4
/// ```
///
/// The log id is random for each generation of the file, so that no commit of one generation can
/// pass for one of another. It stands again in front of every commit, and the document in each
/// block: a damaged header can be made anew from what follows it.
package struct DocumentHeader: Hashable, Sendable {
  package static let size = 64
  package static let magic: [UInt8] = [0x89, 0x42, 0x54, 0x44, 0x0d, 0x0a, 0x1a, 0x0a]
  private static let version: UInt16 = 1

  package var document: ListID
  package var log: LogID
  package var generation: UInt64

  package init(document: ListID, log: LogID, generation: UInt64) {
    self.document = document
    self.log = log
    self.generation = generation
  }

  package init(_ bytes: [UInt8]) throws(DecodeFailure) {
    var reader = Reader(bytes, in: 0..<min(bytes.count, DocumentHeader.size))
    try reader.expect(DocumentHeader.magic, because: .badMagic)
    let version = try reader.uint16()
    let flags = try reader.uint16()
    document = ListID(high: try reader.uint64(), low: try reader.uint64())
    log = LogID(rawValue: try reader.uint64())
    generation = try reader.uint64()
    let (first, second) = (try reader.uint64(), try reader.uint64())
    let checksum = try reader.uint32()
    // The checksum keeps its place in every version: without it a flipped bit would pass for one.
    guard checksum == CRC32C.checksum(bytes[..<(DocumentHeader.size - 4)]) else {
      throw reader.failure(.badChecksum, at: DocumentHeader.size - 4)
    }
    guard version <= DocumentHeader.version else { throw reader.failure(.newerVersion, at: 8) }
    guard version > 0 else { throw reader.failure(.reserved, at: 8) }
    guard flags >> 8 == 0 else { throw reader.failure(.criticalContent, at: 10) }
    guard flags == 0, first == 0, second == 0 else { throw reader.failure(.reserved, at: 10) }
  }

  package var bytes: [UInt8] {
    var bytes = DocumentHeader.magic
    bytes.reserveCapacity(DocumentHeader.size)
    bytes.appendBigEndian(DocumentHeader.version)
    bytes.appendBigEndian(UInt16(0))
    bytes += document.bytes
    bytes += log.bytes
    bytes.appendBigEndian(generation)
    bytes += [UInt8](repeating: 0, count: 16)
    bytes.appendBigEndian(CRC32C.checksum(bytes[...]))
    return bytes
  }
}

/// The name of one generation of a document file, which every commit starts with.
package struct LogID: Hashable, Sendable {
  package static let size = 8

  package let rawValue: UInt64

  package init(rawValue: UInt64) { self.rawValue = rawValue }

  package var bytes: [UInt8] {
    var bytes: [UInt8] = []
    bytes.appendBigEndian(rawValue)
    return bytes
  }

  /// What the checksums of a commit start from: its log and its place in it.
  package func seed(of ordinal: UInt32) -> UInt32 {
    var bytes = bytes
    bytes.appendBigEndian(ordinal)
    return CRC32C.checksum(bytes[...])
  }
}
