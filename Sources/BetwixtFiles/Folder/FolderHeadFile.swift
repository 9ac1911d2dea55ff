package import Betwixt
import BetwixtSync

/// Keeps which file each writer of this installation last put into any shared folder, beside their
/// identity record.
///
/// Beside it, in a file of its own, is which own writes were made again: what the folders have of them is
/// to come out.
///
/// Whoever goes to and fro between branches writes as one and as the other, and has files of both there.
///
/// A file in a folder that is newer than the one that is kept here is not from here: then
/// somebody else writes under the same id.
package struct FolderHeadFile: Sendable {
  private let folder: String
  private let path: String
  private let mendedPath: String
  private let fileSystem: any FileSystem
  private let random: @Sendable () -> UInt64

  private static let word = "betwixt-head-1"
  private static let sizeLimit = 1 << 12

  /// Of so many writers: those that the record remembers, and the one that comes next.
  private static let writerCount = IdentityRecord.writerCount + 1

  /// Names the file for a document: one for all folders, because a folder may be mounted under
  /// another path the next time.
  package init(
    in folder: String, of document: ListID, fileSystem: any FileSystem,
    random: @escaping @Sendable () -> UInt64
  ) {
    self.folder = folder
    self.fileSystem = fileSystem
    self.random = random
    path = Path.joining(folder, "\(document).head")
    mendedPath = Path.joining(folder, FolderHeadFile.mendedName(document))
  }

  /// The newest file of a replica; `nil` if none is known.
  ///
  /// - Throws: `FileSystemError` if that cannot be told now: taken for none, it would cost the id.
  func head(of replica: ReplicaID) throws(FileSystemError) -> FolderHeads.Head? {
    try heads().first { $0.directory == replica }
  }

  /// Those that are kept, newest first; a line that is none does not count, nor does a file that is larger
  /// than any that is kept here.
  private func heads() throws(FileSystemError) -> [FolderHeads.Head] {
    try contents(of: path, limit: FolderHeadFile.sizeLimit)
      .split(separator: UInt8(ascii: "\n")).compactMap(FolderHeadFile.head)
  }

  /// What a file holds; nothing if there is none, or it is larger than any that is kept here.
  private func contents(of path: String, limit: Int) throws(FileSystemError) -> [UInt8] {
    do {
      let file = try fileSystem.open(path, mode: .reading)
      defer { fileSystem.close(file) }
      guard try fileSystem.status(of: file).size <= limit else { return [] }
      return try fileSystem.contents(of: file, limit: limit)
    } catch {
      guard error.reason == .notFound else { throw error.at(path) }
      return []
    }
  }

  private static func head(_ line: ArraySlice<UInt8>) -> FolderHeads.Head? {
    let words = line.split(separator: UInt8(ascii: " ")).map { String(decoding: $0, as: UTF8.self) }
    guard words.count == 4, words[0].hasSameBytes(as: FolderHeadFile.word),
      let replica = ReplicaID(words[1]), let ordinal = Int64(words[2]), ordinal > 0,
      let hash = Hex.decode(words[3].utf8), hash.count == 32
    else { return nil }
    return FolderHeads.Head(directory: replica, ordinal: ordinal, hash: hash)
  }

  /// Keeps a head, beside those of other writers; it is on the drive when this returns.
  func keep(_ head: FolderHeads.Head) throws(FileSystemError) {
    let others = try heads().filter { $0.directory != head.directory }
    let lines = ([head] + others).prefix(FolderHeadFile.writerCount).map { head in
      "\(FolderHeadFile.word) \(head.directory) \(head.ordinal) \(Hex.encode(head.hash))\n"
    }
    try replace(path, by: Array(lines.joined().utf8))
  }

  private func replace(_ path: String, by bytes: [UInt8]) throws(FileSystemError) {
    try fileSystem.makeDirectories(folder, for: .owner)
    try fileSystem.replace(
      path, with: bytes, temporary: "\(path).tmp-\(Hex.encode(random()))")
  }

  /// Where it is kept which own writes of a document were made again.
  static func mendedName(_ document: ListID) -> String { "\(document).mended" }

  /// Which own writes were made again.
  ///
  /// - Throws: `FileSystemError` if that cannot be told now.
  func mended() throws(FileSystemError) -> MendedWrites {
    MendedWrites(try contents(of: mendedPath, limit: MendedWrites.sizeLimit))
  }

  /// Keeps which own writes were made again; it is on the drive when this returns.
  func keep(_ mended: MendedWrites) throws(FileSystemError) {
    try replace(mendedPath, by: mended.bytes)
  }

  /// Keeps other programs from writing into a folder under the same id: two of them would both
  /// make the same next file.
  ///
  /// - Parameter patience: How long to wait for another's lock, in milliseconds.
  /// - Returns: The lock, which is free once it is closed; `nil` where there are none. Two programs
  ///   then find a file under their id that is not theirs, and one of them takes another.
  /// - Throws: `FileSystemError`, with `locked` if another program has it for longer.
  package func lock(patience: Int) throws(FileSystemError) -> OpenFile? {
    try fileSystem.makeDirectories(folder, for: .owner)
    var rest = patience
    while true {
      do {
        return try fileSystem.lockIfPossible(path + ".lock")
      } catch {
        guard error.reason == .locked, rest > 0 else { throw error }
      }
      fileSystem.pause(milliseconds: FolderHeadFile.pause)
      rest -= FolderHeadFile.pause
    }
  }

  private static let pause = 20
}
