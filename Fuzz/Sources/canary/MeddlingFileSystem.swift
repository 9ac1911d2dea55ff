import BetwixtFiles
import BetwixtTesting
internal import Synchronization

/// A file system that does one thing wrong.
struct MeddlingFileSystem: FileSystem {
  enum Habit {
    /// What was opened is read from memory, whatever becomes of the file.
    case servingFromCache

    /// A file that takes the place of a document loses its last byte.
    case cuttingWhatReplaces

    /// To append, all is cut away and written again.
    case rewritingToAppend

    /// Names are not brought to the drive.
    case forgettingNames

    /// Every file is made and left as any program makes one, whoever may read it then.
    case ignoringRights

    /// What a program keeps of the files that it has put into a folder is not there for the next one.
    case losingHeads

    /// What a program puts into a folder is not there.
    case losingSegments

    /// What others have put into a folder is not seen.
    case hidingFolders
  }

  /// What an open file was, and what was appended to it since.
  private struct Cached {
    let path: String
    var status: FileStatus
    var bytes: [UInt8]
  }

  /// Several copies of a file system are one.
  private final class Cache: Sendable {
    let files = Mutex<[OpenFile: Cached]>([:])
  }

  let disk: SimulatedDisk
  private let habit: Habit
  private let cache = Cache()

  init(disk: SimulatedDisk, by habit: Habit) {
    self.disk = disk
    self.habit = habit
  }

  private static func isDocument(_ path: String) -> Bool { path.hasSuffix(".trip") }

  private static func isInFolder(_ path: String) -> Bool { path.hasPrefix("/shared/") }

  func open(_ path: String, mode: OpenMode) throws(FileSystemError) -> OpenFile {
    let isOpen = habit == .ignoringRights && mode == .creatingPrivately
    let file = try disk.open(path, mode: isOpen ? .creating : mode)
    if habit == .servingFromCache, MeddlingFileSystem.isDocument(path), mode == .appending,
      let bytes = disk.bytes(path)
    {
      let cached = Cached(path: path, status: try disk.status(of: file), bytes: bytes)
      cache.files.withLock { $0[file] = cached }
    }
    return file
  }

  func close(_ file: OpenFile) {
    _ = cache.files.withLock { $0.removeValue(forKey: file) }
    disk.close(file)
  }

  func read(_ file: OpenFile, at offset: Int, count: Int) throws(FileSystemError) -> [UInt8] {
    if let cached = cache.files.withLock({ $0[file] }) {
      return Array(cached.bytes.dropFirst(offset).prefix(count))
    }
    return try disk.read(file, at: offset, count: count)
  }

  func append(_ file: OpenFile, bytes: ArraySlice<UInt8>) throws(FileSystemError) -> Int {
    guard habit == .rewritingToAppend else {
      let count = try disk.append(file, bytes: bytes)
      cache.files.withLock { files in
        files[file]?.bytes += bytes.prefix(count)
        files[file]?.status.size += count
      }
      return count
    }
    let before = try disk.read(file, at: 0, count: 1 << 24)
    guard !before.isEmpty else { return try disk.append(file, bytes: bytes) }
    try disk.truncate(file, to: 0)
    _ = try disk.append(file, bytes: (before + bytes)[...])
    return bytes.count
  }

  func truncate(_ file: OpenFile, to size: Int) throws(FileSystemError) {
    try disk.truncate(file, to: size)
  }

  func sync(_ file: OpenFile) throws(FileSystemError) { try disk.sync(file) }

  func barrier(_ file: OpenFile) throws(FileSystemError) { try disk.barrier(file) }

  func status(of file: OpenFile) throws(FileSystemError) -> FileStatus {
    if let cached = cache.files.withLock({ $0[file] }) { return cached.status }
    return try disk.status(of: file)
  }

  func status(at path: String) throws(FileSystemError) -> FileStatus? {
    let cached = cache.files.withLock { files in files.values.first { $0.path == path } }
    if let cached { return cached.status }
    return try disk.status(at: path)
  }

  func rename(_ path: String, to target: String) throws(FileSystemError) {
    let isReplaced = try disk.status(at: target) != nil
    try disk.rename(path, to: target)
    let isLost =
      habit == .losingHeads && target.hasSuffix(".head")
      || habit == .losingSegments && MeddlingFileSystem.isInFolder(target)
    if isLost { try disk.unlink(target) }
    if habit == .cuttingWhatReplaces, isReplaced, MeddlingFileSystem.isDocument(target),
      let bytes = disk.bytes(target)
    {
      disk.overwrite(target, with: bytes.dropLast())
    }
  }

  func link(_ path: String, to target: String) throws(FileSystemError) {
    try disk.link(path, to: target)
  }

  func unlink(_ path: String) throws(FileSystemError) { try disk.unlink(path) }

  func makeDirectory(_ path: String, for users: DirectoryUsers) throws(FileSystemError) {
    try disk.makeDirectory(path, for: users)
  }

  func syncDirectory(_ path: String) throws(FileSystemError) {
    if habit != .forgettingNames { try disk.syncDirectory(path) }
  }

  func list(_ path: String) throws(FileSystemError) -> [String] {
    let names = try disk.list(path)
    return habit == .hidingFolders && MeddlingFileSystem.isInFolder(path) ? [] : names
  }

  func lock(_ path: String) throws(FileSystemError) -> OpenFile { try disk.lock(path) }

  func lock(_ file: OpenFile) throws(FileSystemError) { try disk.lock(file) }

  func protect(_ file: OpenFile, like other: OpenFile) {
    if habit != .ignoringRights { disk.protect(file, like: other) }
  }

  func unlock(_ file: OpenFile) { disk.unlock(file) }

  func pause(milliseconds: Int) {}
}
