public import Betwixt

/// A set of entries with the ranges they cover, and what they are for: the one thing that snapshots,
/// deltas, exports and files of a shared folder are made of.
///
/// Its bytes are canonical: equal blocks have equal bytes, and of two byte strings for one content
/// one is refused. The article "Byte format" says every byte.
public struct Block: Sendable {
  /// What a block is for.
  public enum Kind: UInt8, CaseIterable, Sendable {
    /// All that a list holds.
    case snapshot = 1
    /// What another list lacks.
    case delta = 2
    /// All that a list holds, for people to hand on.
    case export = 3
    /// News in a shared folder.
    case segment = 4
    /// All that a list holds, in a shared folder.
    case folderSnapshot = 5

    var isFolder: Bool { self == .segment || self == .folderSnapshot }

    /// Whether it tells what it was made for; what holds everything was made for everyone.
    var saysWhatIsKnown: Bool { self == .delta || self == .segment }
  }

  /// What it is for.
  public let kind: Kind

  /// Which list it belongs to.
  public let list: ListID

  /// The entries and ranges.
  public internal(set) var delta: Delta

  /// Which files of a shared folder its writer had read; only for the two folder kinds.
  public let heads: FolderHeads?

  /// Makes a block of a kind without folder heads.
  ///
  /// - Parameters:
  ///   - kind: What it is for. Of kinds other than `delta` only ranges that start at 0 are written.
  ///   - list: Which list it belongs to.
  ///   - delta: The entries and ranges.
  /// - Precondition: The kind is none of the two folder kinds.
  public init(_ kind: Kind, of list: ListID, holding delta: Delta) {
    precondition(!kind.isFolder, "a block of a shared folder has heads")
    self.init(kind, of: list, holding: delta, heads: nil)
  }

  /// Makes a block of a shared folder.
  ///
  /// - Parameters:
  ///   - kind: `segment` or `folderSnapshot`.
  ///   - list: Which list it belongs to.
  ///   - delta: The entries and ranges.
  ///   - heads: Which files its writer had read.
  /// - Precondition: The kind is one of the two folder kinds.
  public init(_ kind: Kind, of list: ListID, holding delta: Delta, heads: FolderHeads) {
    precondition(kind.isFolder, "only blocks of a shared folder have heads")
    self.init(kind, of: list, holding: delta, heads: Optional(heads))
  }

  init(_ kind: Kind, of list: ListID, holding delta: Delta, heads: FolderHeads?) {
    self.kind = kind
    self.list = list
    self.delta = delta
    self.heads = heads
  }
}

extension Block {
  /// The version of the layout that this library writes, and the newest that it reads.
  public static let version: UInt8 = 1

  /// The bit of the flags that says that a floor follows.
  static let floorFlag: UInt16 = 0x0100

  /// The bytes of the block.
  ///
  /// - Returns: The bytes.
  /// - Throws: ``LimitExceeded`` beyond 2^31 - 1 bytes, the only limit that a writer knows.
  /// - Complexity: O(*k*) for *k* entries
  public func encoded() throws(LimitExceeded) -> [UInt8] {
    var output: [UInt8] = []
    try append(to: &output)
    return output
  }

  func append(to output: inout [UInt8]) throws(LimitExceeded) {
    let start = output.count
    BlockEncoder.write(self, to: &output)
    try Block.checkSize(of: &output, from: start)
  }

  /// Takes back what was written from a place on if it is more than a block may have.
  static func checkSize(of output: inout [UInt8], from start: Int) throws(LimitExceeded) {
    guard output.count - start <= FormatLimits.ceiling.byteCount else {
      let count = output.count - start
      output.removeSubrange(start...)
      throw LimitExceeded(.byteCount, count: count)
    }
  }

  /// Reads the bytes of a block.
  ///
  /// - Parameters:
  ///   - bytes: What ``encoded()`` made.
  ///   - limits: What it may hold.
  /// - Throws: Why the bytes are none, and where.
  /// - Complexity: O(*b*) for *b* bytes; the memory it takes is at most 16 × *b* + 1 MiB
  public init(
    decoding bytes: [UInt8], limits: FormatLimits = .ceiling
  ) throws(DecodeFailure) {
    var reader = Reader(bytes)
    self = try BlockDecoder(limits).block(&reader)
    try reader.finish()
  }
}
