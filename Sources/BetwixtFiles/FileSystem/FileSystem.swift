/// The one door through which everything here reaches files.
///
/// There is a POSIX implementation, ``PosixFileSystem``; tests use a simulated disk that loses,
/// tears and refuses on purpose. Each operation does one thing of the operating system and may
/// fail; none is repeated or repaired behind the caller's back, except after an interruption.
public protocol FileSystem: Sendable {
  /// Opens a file; whoever opens it closes it.
  func open(_ path: String, mode: OpenMode) throws(FileSystemError) -> OpenFile

  /// Ends the use of a file; its lock, if it holds one, is free then.
  func close(_ file: OpenFile)

  /// Reads at most `count` bytes from a place; fewer at the end, none behind it.
  func read(_ file: OpenFile, at offset: Int, count: Int) throws(FileSystemError) -> [UInt8]

  /// Writes some of the bytes, at least one, behind the end of the file, and says how many.
  func append(_ file: OpenFile, bytes: ArraySlice<UInt8>) throws(FileSystemError) -> Int

  /// Cuts the file to a size.
  func truncate(_ file: OpenFile, to size: Int) throws(FileSystemError)

  /// Returns when the file's bytes are on the drive itself.
  func sync(_ file: OpenFile) throws(FileSystemError)

  /// Keeps the drive from writing what comes later before what came earlier.
  func barrier(_ file: OpenFile) throws(FileSystemError)

  /// What an open file is.
  func status(of file: OpenFile) throws(FileSystemError) -> FileStatus

  /// What stands at a path, without following a symbolic link; `nil` if there is nothing.
  func status(at path: String) throws(FileSystemError) -> FileStatus?

  /// The path without symbolic links of what stands there, or may come to stand there.
  func realPath(of path: String) throws(FileSystemError) -> String

  /// Gives a file another name, in place of what had that name.
  func rename(_ path: String, to target: String) throws(FileSystemError)

  /// Gives a file a second name, which nothing may have yet.
  func link(_ path: String, to target: String) throws(FileSystemError)

  /// Takes a name away.
  func unlink(_ path: String) throws(FileSystemError)

  /// Fails with `notOwner` if what stands at a path may be replaced and taken away by its owner, and by
  /// that of its folder, and this user is neither.
  ///
  /// Who could rename nothing could not take back a second name, either: one asks first.
  func checkMayReplace(_ path: String) throws(FileSystemError)

  /// Makes a directory, if there is nothing at the path.
  func makeDirectory(_ path: String, for users: DirectoryUsers) throws(FileSystemError)

  /// Takes a directory away in which nothing is.
  func removeDirectory(_ path: String) throws(FileSystemError)

  /// Returns when the names in a directory are on the drive itself.
  func syncDirectory(_ path: String) throws(FileSystemError)

  /// The names in a directory, rising by bytes.
  func list(_ path: String) throws(FileSystemError) -> [String]

  /// Opens a file for its lock, made if it is missing; fails with `locked` if another has that.
  func lock(_ path: String) throws(FileSystemError) -> OpenFile

  /// Locks a file that is open, under whatever names it is known; does nothing if this handle has
  /// the lock already. Fails with `locked` if another handle holds it, with `unsupported` where there
  /// are no such locks.
  func lock(_ file: OpenFile) throws(FileSystemError)

  /// Gives a file the owner, the group and the rights of another one, as far as this user can; where
  /// the other is a directory, its group and the rights to read.
  func protect(_ file: OpenFile, like other: OpenFile)

  /// Frees the lock of an open file.
  func unlock(_ file: OpenFile)

  /// Waits, for a lock that another holds.
  func pause(milliseconds: Int)
}

extension FileSystem {
  /// A file system without such locks: other writers are then noticed by what they wrote.
  public func lock(_ file: OpenFile) throws(FileSystemError) {
    throw FileSystemError("lock", because: .unsupported)
  }

  /// Does nothing, as in a file system without users; one that stands before another passes it on.
  public func protect(_ file: OpenFile, like other: OpenFile) {}

  /// Does nothing, as in a file system without users; one that stands before another passes it on.
  public func checkMayReplace(_ path: String) throws(FileSystemError) {}

  /// A file system that keeps its directories.
  public func removeDirectory(_ path: String) throws(FileSystemError) {
    throw FileSystemError("removeDirectory", because: .unsupported)
  }

  /// The path itself: there are no symbolic links.
  public func realPath(of path: String) throws(FileSystemError) -> String { path }

  /// Does nothing: there are no such locks.
  public func unlock(_ file: OpenFile) {}
}

/// The ways to open a file; no way follows a symbolic link in the last part of the path.
public enum OpenMode: Sendable {
  /// For reading what exists.
  case reading

  /// For reading and appending to what exists.
  case appending

  /// For reading and appending to what must not exist yet.
  case creating

  /// The same, of a file that no other user may open, until ``FileSystem/protect(_:like:)`` lets some.
  case creatingPrivately

  /// Whether the file is made.
  public var isCreating: Bool { self == .creating || self == .creatingPrivately }
}

/// Whom a new directory is for.
public enum DirectoryUsers: Sendable {
  /// Whoever the process's settings let in.
  case anybody

  /// Its owner alone.
  case owner

  /// Those whom the directory above lets in, as it does.
  case usersOfParent
}

/// An open file of a ``FileSystem``.
public struct OpenFile: Hashable, Sendable {
  /// The file system's number for it.
  public let number: Int32

  /// Makes a handle from a file system's number.
  public init(number: Int32) { self.number = number }
}

/// What a file system knows about a file.
public struct FileStatus: Hashable, Sendable {
  /// The kinds of files that are told apart.
  public enum Kind: Hashable, Sendable {
    /// A file with bytes.
    case regular

    /// A directory.
    case directory

    /// A place where a program listens, or listened.
    case socket

    /// Anything else.
    case other
  }

  /// What kind of file it is.
  public var kind: Kind

  /// The number of bytes.
  public var size: Int

  /// Which drive it lies on.
  public var device: UInt64

  /// Which file of that drive it is.
  public var inode: UInt64

  /// When it was made, in nanoseconds since 1970; 0 where the system does not tell.
  ///
  /// A number of a file may be used again once the file is gone; its time of birth is not.
  public var birthTime: Int64

  /// When anything about it was changed last, its bytes or its names, in nanoseconds since 1970; 0
  /// where that is not known.
  public var changeTime: Int64

  /// Makes a status.
  public init(
    kind: Kind, size: Int, device: UInt64, inode: UInt64, birthTime: Int64 = 0,
    changeTime: Int64 = 0
  ) {
    self.changeTime = changeTime
    self.kind = kind
    self.size = size
    self.device = device
    self.inode = inode
    self.birthTime = birthTime
  }

  /// Whether both are the same file, under whatever names.
  func isSameFile(as other: FileStatus) -> Bool {
    device == other.device && inode == other.inode
  }
}
