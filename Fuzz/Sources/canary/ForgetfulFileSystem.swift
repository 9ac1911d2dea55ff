import BetwixtFiles
import BetwixtSync
import BetwixtTesting

/// A file system that leaves out some of the syncs it is asked for.
struct ForgetfulFileSystem: FileSystem {
  enum Kind {
    /// Files that were just made, which will be renamed.
    case newFiles

    /// Files that existed before they were opened.
    case appendedFiles
  }

  let disk: SimulatedDisk
  let forgets: Kind
  private let created = CreatedFiles()

  init(disk: SimulatedDisk, forgets: Kind) {
    self.disk = disk
    self.forgets = forgets
  }

  func open(_ path: String, mode: OpenMode) throws(FileSystemError) -> OpenFile {
    let file = try disk.open(path, mode: mode)
    if mode.isCreating { created.insert(file) }
    return file
  }

  func sync(_ file: OpenFile) throws(FileSystemError) {
    if created.contains(file) == (forgets == .newFiles) { return }
    try disk.sync(file)
  }

  func close(_ file: OpenFile) {
    created.remove(file)
    disk.close(file)
  }

  func read(_ file: OpenFile, at offset: Int, count: Int) throws(FileSystemError) -> [UInt8] {
    try disk.read(file, at: offset, count: count)
  }

  func append(_ file: OpenFile, bytes: ArraySlice<UInt8>) throws(FileSystemError) -> Int {
    try disk.append(file, bytes: bytes)
  }

  func truncate(_ file: OpenFile, to size: Int) throws(FileSystemError) {
    try disk.truncate(file, to: size)
  }

  func barrier(_ file: OpenFile) throws(FileSystemError) { try disk.barrier(file) }

  func status(of file: OpenFile) throws(FileSystemError) -> FileStatus {
    try disk.status(of: file)
  }

  func status(at path: String) throws(FileSystemError) -> FileStatus? {
    try disk.status(at: path)
  }

  func rename(_ path: String, to target: String) throws(FileSystemError) {
    try disk.rename(path, to: target)
  }

  func link(_ path: String, to target: String) throws(FileSystemError) {
    try disk.link(path, to: target)
  }

  func unlink(_ path: String) throws(FileSystemError) { try disk.unlink(path) }

  func makeDirectory(_ path: String, for users: DirectoryUsers) throws(FileSystemError) {
    try disk.makeDirectory(path, for: users)
  }

  func syncDirectory(_ path: String) throws(FileSystemError) { try disk.syncDirectory(path) }

  func list(_ path: String) throws(FileSystemError) -> [String] { try disk.list(path) }

  func protect(_ file: OpenFile, like other: OpenFile) { disk.protect(file, like: other) }

  func lock(_ path: String) throws(FileSystemError) -> OpenFile { try disk.lock(path) }

  func lock(_ file: OpenFile) throws(FileSystemError) { try disk.lock(file) }

  func unlock(_ file: OpenFile) { disk.unlock(file) }

  func pause(milliseconds: Int) {}
}
