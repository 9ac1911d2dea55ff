/// A file system in which one file makes room: where a drive is full, it is removed, and what failed is
/// done again.
///
/// The image of a document may be twice as large as the document, and nobody loses anything with it. An
/// edit that fails for want of that room would be lost.
struct YieldingFileSystem: FileSystem {
  private let base: any FileSystem
  private let spare: String

  /// Stands before another file system.
  ///
  /// - Parameters:
  ///   - base: The other one.
  ///   - spare: The path of the file that may go.
  init(_ base: any FileSystem, sparing spare: String) {
    self.base = base
    self.spare = spare
  }

  private func makingRoom<Result>(
    _ body: () throws(FileSystemError) -> Result
  ) throws(FileSystemError) -> Result {
    do throws(FileSystemError) {
      return try body()
    } catch {
      guard error.reason == .noSpace, (try? base.unlink(spare)) != nil else { throw error }
      return try body()
    }
  }

  // MARK: What takes room

  func open(_ path: String, mode: OpenMode) throws(FileSystemError) -> OpenFile {
    try makingRoom { () throws(FileSystemError) in try base.open(path, mode: mode) }
  }

  func append(_ file: OpenFile, bytes: ArraySlice<UInt8>) throws(FileSystemError) -> Int {
    try makingRoom { () throws(FileSystemError) in try base.append(file, bytes: bytes) }
  }

  func rename(_ path: String, to target: String) throws(FileSystemError) {
    try makingRoom { () throws(FileSystemError) in try base.rename(path, to: target) }
  }

  func link(_ path: String, to target: String) throws(FileSystemError) {
    try makingRoom { () throws(FileSystemError) in try base.link(path, to: target) }
  }

  func makeDirectory(_ path: String, for users: DirectoryUsers) throws(FileSystemError) {
    try makingRoom { () throws(FileSystemError) in try base.makeDirectory(path, for: users) }
  }

  func lock(_ path: String) throws(FileSystemError) -> OpenFile {
    try makingRoom { () throws(FileSystemError) in try base.lock(path) }
  }

  // MARK: What takes none

  // Nor is a sync repeated: after one that failed nobody knows what is on the drive.

  func close(_ file: OpenFile) { base.close(file) }

  func read(_ file: OpenFile, at offset: Int, count: Int) throws(FileSystemError) -> [UInt8] {
    try base.read(file, at: offset, count: count)
  }

  func truncate(_ file: OpenFile, to size: Int) throws(FileSystemError) {
    try base.truncate(file, to: size)
  }

  func sync(_ file: OpenFile) throws(FileSystemError) { try base.sync(file) }

  func barrier(_ file: OpenFile) throws(FileSystemError) { try base.barrier(file) }

  func status(of file: OpenFile) throws(FileSystemError) -> FileStatus {
    try base.status(of: file)
  }

  func status(at path: String) throws(FileSystemError) -> FileStatus? {
    try base.status(at: path)
  }

  func realPath(of path: String) throws(FileSystemError) -> String { try base.realPath(of: path) }

  func checkMayReplace(_ path: String) throws(FileSystemError) { try base.checkMayReplace(path) }

  func unlink(_ path: String) throws(FileSystemError) { try base.unlink(path) }

  func removeDirectory(_ path: String) throws(FileSystemError) { try base.removeDirectory(path) }

  func syncDirectory(_ path: String) throws(FileSystemError) { try base.syncDirectory(path) }

  func list(_ path: String) throws(FileSystemError) -> [String] { try base.list(path) }

  func lock(_ file: OpenFile) throws(FileSystemError) { try base.lock(file) }

  func unlock(_ file: OpenFile) { base.unlock(file) }

  func protect(_ file: OpenFile, like other: OpenFile) { base.protect(file, like: other) }

  func pause(milliseconds: Int) { base.pause(milliseconds: milliseconds) }
}
