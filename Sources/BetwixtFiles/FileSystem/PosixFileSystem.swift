/// The files of the operating system.
public struct PosixFileSystem: FileSystem {
  /// Makes the door to the operating system's files.
  public init() {}

  /// Opens a file with `open`, never through a symbolic link.
  public func open(_ path: String, mode: OpenMode) throws(FileSystemError) -> OpenFile {
    OpenFile(number: try PosixCall.open(path, mode: mode))
  }

  /// Closes a file with `close`, and gives back its lock if it has one.
  public func close(_ file: OpenFile) {
    unlock(file)
    PosixCall.closeDescriptor(file.number)
  }

  /// Reads with `pread`.
  public func read(
    _ file: OpenFile, at offset: Int, count: Int
  ) throws(FileSystemError) -> [UInt8] {
    try PosixCall.read(file.number, at: offset, count: count)
  }

  /// Resolves with `realpath`; of what is not there yet, the folder.
  public func realPath(of path: String) throws(FileSystemError) -> String {
    try PosixCall.resolved(path)
  }

  /// Appends with `write`.
  public func append(
    _ file: OpenFile, bytes: ArraySlice<UInt8>
  ) throws(FileSystemError) -> Int {
    try PosixCall.writeSome(file.number, bytes: bytes)
  }

  /// Cuts with `ftruncate`.
  public func truncate(_ file: OpenFile, to size: Int) throws(FileSystemError) {
    try PosixCall.truncate(file.number, to: size)
  }

  /// Waits with `fdatasync`; on Apple systems with `F_FULLFSYNC`.
  public func sync(_ file: OpenFile) throws(FileSystemError) {
    try PosixCall.sync(file.number)
  }

  /// Orders with `F_BARRIERFSYNC` on Apple systems; elsewhere it waits like ``sync(_:)``.
  public func barrier(_ file: OpenFile) throws(FileSystemError) {
    try PosixCall.barrier(file.number)
  }

  /// Looks with `fstat`.
  public func status(of file: OpenFile) throws(FileSystemError) -> FileStatus {
    try PosixCall.status(of: file.number)
  }

  /// Looks with `lstat`.
  public func status(at path: String) throws(FileSystemError) -> FileStatus? {
    try PosixCall.status(at: path)
  }

  /// Renames with `rename`.
  public func rename(_ path: String, to target: String) throws(FileSystemError) {
    try PosixCall.renameFile(path, to: target)
  }

  /// Links with `link`.
  public func link(_ path: String, to target: String) throws(FileSystemError) {
    try PosixCall.linkFile(path, to: target)
  }

  /// Takes a name away with `unlink`.
  public func unlink(_ path: String) throws(FileSystemError) {
    try PosixCall.unlinkFile(path)
  }

  /// Asks who owns the file and its folder, if that is sticky.
  public func checkMayReplace(_ path: String) throws(FileSystemError) {
    try PosixCall.checkMayReplace(path)
  }

  /// Makes a directory with `mkdir`, and gives it the mode of the one above with `chmod` if it is for its
  /// users.
  public func makeDirectory(
    _ path: String, for users: DirectoryUsers
  ) throws(FileSystemError) {
    try PosixCall.makeDirectory(path, mode: users == .anybody ? 0o777 : 0o700)
    if users == .usersOfParent { PosixCall.shareDirectory(path, like: Path.directory(of: path)) }
  }

  /// Removes with `rmdir`.
  public func removeDirectory(_ path: String) throws(FileSystemError) {
    try PosixCall.removeDirectory(path)
  }

  /// Waits with `fsync` of the directory.
  public func syncDirectory(_ path: String) throws(FileSystemError) {
    try PosixCall.syncDirectory(path)
  }

  /// Lists with `readdir`.
  public func list(_ path: String) throws(FileSystemError) -> [String] {
    try PosixCall.names(in: path)
  }

  /// Locks with `flock`, and refuses a second lock within the process.
  public func lock(_ path: String) throws(FileSystemError) -> OpenFile {
    let file = OpenFile(number: try PosixCall.lock(path))
    do throws(FileSystemError) {
      let status = try PosixCall.status(of: file.number)
      guard LockRegistry.shared.claim(file, status: status) else {
        throw FileSystemError("lock", because: .locked)
      }
    } catch {
      PosixCall.closeDescriptor(file.number)
      throw error
    }
    return file
  }

  /// Locks with `flock`, which holds for all names of the file.
  public func lock(_ file: OpenFile) throws(FileSystemError) {
    try PosixCall.lock(file.number)
    LockRegistry.shared.note(file)
  }

  /// Gives with `fchown` and `fchmod`.
  public func protect(_ file: OpenFile, like other: OpenFile) {
    PosixCall.protect(file.number, like: other.number)
  }

  /// Unlocks with `flock`, if the file is locked.
  ///
  /// Closing alone would leave the lock to a program that is just being started: until it is, it has
  /// a copy of the descriptor.
  public func unlock(_ file: OpenFile) {
    if LockRegistry.shared.release(file) { PosixCall.unlock(file.number) }
  }

  /// Waits with `poll`.
  public func pause(milliseconds: Int) { PosixCall.pause(milliseconds: milliseconds) }
}
