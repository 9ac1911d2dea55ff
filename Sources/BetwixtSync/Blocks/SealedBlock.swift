public import Betwixt

/// A block that stands for itself, as a file or a message: with a magic number in front, and behind
/// it a checksum of all its bytes.
///
///     let bytes = try SealedBlock.encode(list)
///     let copy = try SealedBlock.decode(bytes)  // copy == list, copy.version == list.version
///
/// This is what a `.trip` file holds.
public enum SealedBlock {
  /// The first eight bytes: they show damage by programs that take them for text.
  static let magic: [UInt8] = [0x89, 0x42, 0x54, 0x42, 0x0d, 0x0a, 0x1a, 0x0a]

  static let checksumByteCount = 8

  // MARK: Lists

  /// The bytes of a whole list.
  ///
  /// Equal lists with equal versions have equal bytes.
  ///
  /// - Parameters:
  ///   - list: The list.
  ///   - kind: `export` or `snapshot`.
  /// - Returns: The bytes.
  /// - Throws: ``LimitExceeded`` beyond 2^31 - 1 bytes, the only limit that a writer knows.
  /// - Complexity: O(*n*) for *n* entries
  /// - Precondition: The kind is `export` or `snapshot`.
  public static func encode(
    _ list: ReplicatedList, as kind: Block.Kind = .export
  ) throws(LimitExceeded) -> [UInt8] {
    precondition(kind == .export || kind == .snapshot, "a list is an export or a snapshot")
    var output = magic
    #if hasFeature(Embedded)
    // An encoder of rows is in the page anyway.
    let block = Block(kind, of: list.id, holding: list.delta(since: VersionVector()))
    BlockEncoder.write(block, to: &output)
    #else
    BlockEncoder.write(list, as: kind, to: &output)
    #endif
    try Block.checkSize(of: &output, from: magic.count)
    seal(&output)
    return output
  }

  /// Reads the bytes of a whole list.
  ///
  /// Its digest is not settled: who is about to sync it pays for that at the first round.
  ///
  /// - Parameters:
  ///   - bytes: What ``encode(_:as:)`` made.
  ///   - limits: What it may hold.
  /// - Returns: The list.
  /// - Throws: Why the bytes are none, and where.
  /// - Complexity: O(*b* + *n* log *n*) for *b* bytes and *n* items
  public static func decode(
    _ bytes: [UInt8], limits: FormatLimits = .ceiling
  ) throws(DecodeFailure) -> ReplicatedList {
    var reader = try content(of: bytes, in: bytes.indices, limits: limits)
    let list = try BlockDecoder.list(&reader, kinds: [.export, .snapshot], limits: limits)
    try reader.finish()
    return list
  }

  /// Reads a snapshot that is a part of some bytes.
  package static func decodeSnapshot(
    _ bytes: [UInt8], in range: Range<Int>
  ) throws(DecodeFailure) -> ReplicatedList {
    var reader = try content(of: bytes, in: range, limits: .ceiling)
    let list = try BlockDecoder.list(&reader, kinds: [.snapshot], limits: .ceiling)
    try reader.finish()
    return list
  }

  // MARK: Blocks

  /// The bytes of a block.
  ///
  /// - Parameter block: Any block. A delta needs a seal where nothing else guards it, as in a row of a
  ///   database.
  /// - Returns: The bytes.
  /// - Throws: ``LimitExceeded`` beyond 2^31 - 1 bytes, the only limit that a writer knows.
  /// - Complexity: O(*k*) for *k* entries
  public static func encode(
    block: Block
  ) throws(LimitExceeded) -> [UInt8] {
    var output = magic
    try block.append(to: &output)
    seal(&output)
    return output
  }

  private static func seal(_ output: inout [UInt8]) {
    let checksum = XXH64.hash(output[...])
    output.appendBigEndian(checksum)
  }

  /// Reads the bytes of any sealed block.
  ///
  /// - Parameters:
  ///   - bytes: What was encoded.
  ///   - limits: What it may hold.
  /// - Returns: The block.
  /// - Throws: Why the bytes are none, and where.
  /// - Complexity: O(*b*) for *b* bytes
  public static func decodeBlock(
    _ bytes: [UInt8], limits: FormatLimits = .ceiling
  ) throws(DecodeFailure) -> Block {
    var reader = try content(of: bytes, in: bytes.indices, limits: limits)
    let block = try BlockDecoder(limits).block(&reader)
    try reader.finish()
    return block
  }

  /// A reader of the block, once the seal around it was compared.
  private static func content(
    of bytes: [UInt8], in range: Range<Int>, limits: FormatLimits
  ) throws(DecodeFailure) -> Reader {
    var head = Reader(bytes, in: range)
    try head.expect(magic, because: .badMagic)
    let start = head.offset
    // A newer layout may have another trailer, so its version is believed before the checksum.
    guard try head.byte() <= Block.version else { throw head.failure(.newerVersion, at: start) }
    let end = range.upperBound - checksumByteCount
    guard end > start else { throw DecodeFailure(.truncated, at: range.upperBound) }
    guard end - start <= limits.byteCount else { throw DecodeFailure(.tooManyBytes, at: start) }
    let checksum = UInt64(bigEndianBytes: bytes[end..<range.upperBound])
    guard XXH64.hash(bytes[range.lowerBound..<end]) == checksum else {
      throw DecodeFailure(.badChecksum, at: end)
    }
    return Reader(bytes, in: start..<end)
  }

  /// Whether bytes begin as a sealed block does.
  public static func isSealedBlock(_ bytes: some Collection<UInt8>) -> Bool {
    bytes.starts(with: magic)
  }
}
