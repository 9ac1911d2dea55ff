#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Android)
import Android
#else
#error("The transports need a libc with POSIX files.")
#endif

/// The calls of the C library that the transports make, with errors that are thrown.
///
/// Every name of the C library, and all that is unsafe in this module, stands in this file, in that of
/// ``BirthTime`` and in `PosixSocketCall.swift`.
enum PosixCall {
  /// Calls until no signal interrupts; a negative result is an error.
  static func repeating(
    _ operation: String, _ call: () -> Int
  ) throws(FileSystemError) -> Int {
    while true {
      let result = call()
      if result >= 0 { return result }
      let number = errno
      if number != EINTR { throw failure(operation, number: number) }
    }
  }

  static func failure(_ operation: String, number: Int32) -> FileSystemError {
    let reason: FileSystemError.Reason =
      switch number {
      case ENOENT, ENOTDIR: .notFound
      case EEXIST, ENOTEMPTY, EADDRINUSE: .exists
      case EWOULDBLOCK, EAGAIN: .locked
      case ENOSPC, EDQUOT, EFBIG: .noSpace
      case EMFILE, ENFILE: .tooManyOpen
      case EACCES, EPERM: .notPermitted
      case EROFS: .readOnlyDrive
      case ENOTSUP, EOPNOTSUPP, ENOSYS, ENOLCK, EMLINK, EXDEV: .unsupported
      case ELOOP, EISDIR: .wrongKind
      case EPIPE, ECONNRESET, ECONNREFUSED, ENOTCONN: .closed
      default: .failed
      }
    return FileSystemError(operation, because: reason, number: number)
  }
}

// MARK: - Open files

extension PosixCall {
  static func open(_ path: String, mode: OpenMode) throws(FileSystemError) -> Int32 {
    let flags =
      switch mode {
      case .reading: O_RDONLY | O_NONBLOCK
      case .appending: O_RDWR | O_APPEND | O_NONBLOCK
      case .creating, .creatingPrivately: O_RDWR | O_APPEND | O_CREAT | O_EXCL
      }
    // Like the mode of a file made by any program: what the process's mask leaves.
    return try open(
      path, flags: flags | O_NOFOLLOW, rights: mode == .creatingPrivately ? 0o600 : 0o666,
      operation: "open")
  }

  private static func open(
    _ path: String, flags: Int32, rights: mode_t = 0o666, operation: String
  ) throws(FileSystemError) -> Int32 {
    let name = PathText.name(path)
    let result = try repeating(operation) {
      Int(openCall(name, flags: flags | O_CLOEXEC, rights: rights))
    }
    return Int32(truncatingIfNeeded: result)
  }

  private static func openCall(_ name: [CChar], flags: Int32, rights: mode_t) -> Int32 {
    #if canImport(Darwin)
    unsafe Darwin.open(name, flags, rights)
    #elseif canImport(Glibc)
    unsafe Glibc.open(name, flags, rights)
    #elseif canImport(Musl)
    unsafe Musl.open(name, flags, rights)
    #else
    unsafe Android.open(name, flags, rights)
    #endif
  }

  static func closeDescriptor(_ descriptor: Int32) {
    // Never repeated after an interruption: the descriptor is gone by then.
    _ = close(descriptor)
  }

  static func read(
    _ descriptor: Int32, at offset: Int, count: Int
  ) throws(FileSystemError) -> [UInt8] {
    var failure: FileSystemError?
    let bytes = unsafe [UInt8](unsafeUninitializedCapacity: max(0, count)) { space, length in
      do throws(FileSystemError) {
        length = try repeating("read") {
          unsafe pread(descriptor, space.baseAddress, space.count, off_t(offset))
        }
      } catch {
        failure = error
      }
    }
    if let failure { throw failure }
    return bytes
  }

  static func writeSome(
    _ descriptor: Int32, bytes: ArraySlice<UInt8>
  ) throws(FileSystemError) -> Int {
    try repeating("append") {
      unsafe bytes.withUnsafeBytes { space in
        unsafe write(descriptor, space.baseAddress, space.count)
      }
    }
  }

  static func truncate(_ descriptor: Int32, to size: Int) throws(FileSystemError) {
    _ = try repeating("truncate") { Int(ftruncate(descriptor, off_t(size))) }
  }

  static func sync(_ descriptor: Int32) throws(FileSystemError) {
    #if canImport(Darwin)
    // fsync leaves the bytes in the drive's own cache there.
    if fcntl(descriptor, F_FULLFSYNC) != -1 { return }
    _ = try repeating("sync") { Int(fsync(descriptor)) }
    #else
    _ = try repeating("sync") { Int(fdatasync(descriptor)) }
    #endif
  }

  static func barrier(_ descriptor: Int32) throws(FileSystemError) {
    #if canImport(Darwin)
    if fcntl(descriptor, F_BARRIERFSYNC) != -1 { return }
    #endif
    // Linux has no call that orders without waiting.
    try sync(descriptor)
  }

  static func status(of descriptor: Int32) throws(FileSystemError) -> FileStatus {
    var information = stat()
    _ = try repeating("status") { unsafe Int(fstat(descriptor, &information)) }
    return FileStatus(
      information, birthTime: BirthTime.of(descriptor, path: "", information: information))
  }
}

// MARK: - Paths

extension PosixCall {
  /// The path without symbolic links of a file that may not exist yet.
  static func resolved(_ path: String) throws(FileSystemError) -> String {
    do {
      return try realPath(path)
    } catch {
      guard error.number == ENOENT else { throw error }
    }
    return Path.joining(try realPath(Path.directory(of: path)), Path.name(of: path))
  }

  /// The text of a name that ends with a zero.
  private static func text(of name: UnsafePointer<CChar>) -> String {
    PathText.text(
      unsafe UnsafeBufferPointer(start: name, count: strlen(name)).map { UInt8(bitPattern: $0) })
  }

  private static func realPath(_ path: String) throws(FileSystemError) -> String {
    guard let text = unsafe realpath(PathText.name(path), nil) else {
      throw failure("resolve", number: errno)
    }
    defer { unsafe free(text) }
    return unsafe Self.text(of: text)
  }

  static func status(at path: String) throws(FileSystemError) -> FileStatus? {
    var information = stat()
    do {
      _ = try repeating("status") { unsafe Int(lstat(PathText.name(path), &information)) }
    } catch {
      if error.reason == .notFound { return nil }
      throw error
    }
    return FileStatus(
      information,
      birthTime: BirthTime.of(BirthTime.workingDirectory, path: path, information: information))
  }

  static func renameFile(_ path: String, to target: String) throws(FileSystemError) {
    _ = try repeating("rename") { unsafe Int(rename(PathText.name(path), PathText.name(target))) }
  }

  static func linkFile(_ path: String, to target: String) throws(FileSystemError) {
    do {
      _ = try repeating("link") { unsafe Int(link(PathText.name(path), PathText.name(target))) }
    } catch {
      // Linux says "not permitted" where a file system has no links.
      guard error.number == EPERM else { throw error }
      throw FileSystemError("link", because: .unsupported, number: error.number)
    }
  }

  static func unlinkFile(_ path: String) throws(FileSystemError) {
    _ = try repeating("unlink") { unsafe Int(unlink(PathText.name(path))) }
  }

  static func checkMayReplace(_ path: String) throws(FileSystemError) {
    var (file, folder) = (stat(), stat())
    guard unsafe lstat(PathText.name(path), &file) == 0,
      unsafe stat(PathText.name(Path.directory(of: path)), &folder) == 0,
      folder.st_mode & stickyMode != 0
    else { return }
    let me = geteuid()
    guard me != 0, me != file.st_uid, me != folder.st_uid else { return }
    throw FileSystemError("rename", because: .notOwner, number: EPERM)
  }

  /// S_ISVTX, which not every C library's header gives as a number.
  private static var stickyMode: mode_t { 0o1000 }

  static func makeDirectory(_ path: String, mode: mode_t) throws(FileSystemError) {
    _ = try repeating("makeDirectory") { unsafe Int(mkdir(PathText.name(path), mode)) }
  }

  /// Lets those into a new directory whom another one lets in, as far as this user can.
  static func shareDirectory(_ path: String, like other: String) {
    let (name, model) = (PathText.name(path), PathText.name(other))
    var (mine, theirs) = (stat(), stat())
    guard unsafe stat(model, &theirs) == 0, unsafe lstat(name, &mine) == 0,
      mine.st_mode & S_IFMT == S_IFDIR
    else { return }
    var mode = theirs.st_mode & 0o7777
    if mine.st_gid != theirs.st_gid, unsafe lchown(name, uid_t.max, theirs.st_gid) != 0 {
      mode = mode & ~0o2070 | (mode & 0o007) << 3
    }
    _ = unsafe chmod(name, mode)
  }

  static func protect(_ descriptor: Int32, like other: Int32) {
    var (mine, theirs) = (stat(), stat())
    guard unsafe fstat(descriptor, &mine) == 0, unsafe fstat(other, &theirs) == 0,
      // One that has another name may be somebody's own file, which a link was laid to.
      mine.st_mode & S_IFMT == S_IFREG, mine.st_nlink == 1
    else { return }
    let isDirectory = theirs.st_mode & S_IFMT == S_IFDIR
    var mode = isDirectory ? theirs.st_mode & 0o044 | 0o600 : theirs.st_mode & 0o777
    // Only the system's administrator gives files to others.
    if mine.st_uid != theirs.st_uid, !isDirectory {
      _ = fchown(descriptor, theirs.st_uid, gid_t.max)
    }
    if mine.st_gid != theirs.st_gid, fchown(descriptor, uid_t.max, theirs.st_gid) != 0 {
      mode = mode & ~0o070 | (mode & 0o007) << 3
    }
    if mine.st_mode & 0o777 != mode { _ = fchmod(descriptor, mode) }
  }

  /// How the system says that a name is too long.
  static var nameTooLong: Int32 { ENAMETOOLONG }

  static func removeDirectory(_ path: String) throws(FileSystemError) {
    _ = try repeating("removeDirectory") { unsafe Int(rmdir(PathText.name(path))) }
  }

  static func syncDirectory(_ path: String) throws(FileSystemError) {
    let descriptor = try open(path, flags: O_RDONLY | O_DIRECTORY, operation: "syncDirectory")
    defer { closeDescriptor(descriptor) }
    _ = try repeating("syncDirectory") { Int(fsync(descriptor)) }
  }

  static func names(in path: String) throws(FileSystemError) -> [String] {
    guard let directory = unsafe opendir(PathText.name(path)) else {
      throw failure("list", number: errno)
    }
    defer { unsafe _ = closedir(directory) }
    return try unsafe names { unsafe readdir(directory) }
  }

  /// The names that entries have, until there are no more.
  ///
  /// - Throws: `FileSystemError` if only a part of them could be read: the last call has failed then,
  ///   which nothing but the number of the error tells from the end.
  static func names(
    _ next: () -> UnsafeMutablePointer<dirent>?
  ) throws(FileSystemError) -> [String] {
    var names: [String] = []
    errno = 0
    while let entry = unsafe next() {
      let name = unsafe withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
        unsafe PathText.text(bytes.prefix { $0 != 0 })
      }
      if name != ".", name != ".." { names.append(name) }
      errno = 0
    }
    guard errno == 0 else { throw failure("list", number: errno) }
    return names.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
  }

  static func lock(_ path: String) throws(FileSystemError) -> Int32 {
    let descriptor: Int32
    do {
      descriptor = try open(path, flags: O_RDWR | O_CREAT | O_NOFOLLOW, operation: "lock")
    } catch {
      // Whoever may read the file may lock it: it may be another user's.
      guard [.notPermitted, .readOnlyDrive].contains(error.reason),
        let opened = try? open(path, flags: O_RDONLY | O_NONBLOCK | O_NOFOLLOW, operation: "lock")
      else { throw error }
      descriptor = opened
    }
    do {
      try lock(descriptor)
    } catch {
      closeDescriptor(descriptor)
      throw error
    }
    return descriptor
  }

  static func lock(_ descriptor: Int32) throws(FileSystemError) {
    _ = try repeating("lock") { Int(flock(descriptor, LOCK_EX | LOCK_NB)) }
  }

  static func unlock(_ descriptor: Int32) { _ = flock(descriptor, LOCK_UN) }
}

// MARK: - Streams

extension PosixCall {
  /// Which of two descriptors can do something.
  struct Readiness {
    var canRead: Bool
    var canWrite: Bool
  }

  /// Waits until one of two descriptors is ready or the time is over; `nil` leaves one out.
  static func wait(
    reading: Int32?, writing: Int32?, milliseconds: Int32
  ) throws(FileSystemError) -> Readiness {
    // poll leaves out negative descriptors.
    var requests = [
      pollfd(fd: reading ?? -1, events: Int16(POLLIN), revents: 0),
      pollfd(fd: writing ?? -1, events: Int16(POLLOUT), revents: 0),
    ]
    // An interruption ends the wait like the time does: the caller looks and waits again.
    let result = unsafe poll(&requests, nfds_t(requests.count), milliseconds)
    if result < 0, errno != EINTR { throw failure("wait", number: errno) }
    guard result > 0 else { return Readiness(canRead: false, canWrite: false) }
    return Readiness(
      canRead: reading != nil && requests[0].revents != 0,
      canWrite: writing != nil && requests[1].revents != 0)
  }

  /// Reads what is there; empty at the end, `nil` if there is nothing now.
  static func readSome(_ descriptor: Int32, limit: Int) throws(FileSystemError) -> [UInt8]? {
    var buffer = [UInt8](repeating: 0, count: limit)
    do {
      let length = try repeating("read") {
        unsafe buffer.withUnsafeMutableBytes { space in
          unsafe Self.readCall(descriptor, space: space)
        }
      }
      return Array(buffer.prefix(length))
    } catch {
      // A terminal or socket that was reset has ended as much as one that was closed.
      if error.reason == .locked { return nil }
      if error.reason == .closed { return [] }
      throw error
    }
  }

  private static func readCall(_ descriptor: Int32, space: UnsafeMutableRawBufferPointer) -> Int {
    #if canImport(Darwin)
    unsafe Darwin.read(descriptor, space.baseAddress, space.count)
    #elseif canImport(Glibc)
    unsafe Glibc.read(descriptor, space.baseAddress, space.count)
    #elseif canImport(Musl)
    unsafe Musl.read(descriptor, space.baseAddress, space.count)
    #else
    unsafe Android.read(descriptor, space.baseAddress, space.count)
    #endif
  }

  /// Makes reads and writes return at once, and says how it was before.
  static func setNonblocking(_ descriptor: Int32, isOn: Bool) throws(FileSystemError) -> Bool {
    let flags = Int32(
      truncatingIfNeeded: try repeating("wait") { Int(fcntl(descriptor, F_GETFL)) })
    let wanted = isOn ? flags | O_NONBLOCK : flags & ~O_NONBLOCK
    _ = try repeating("wait") { Int(fcntl(descriptor, F_SETFL, wanted)) }
    return flags & O_NONBLOCK != 0
  }
}

// MARK: - Process

extension PosixCall {
  static func pause(milliseconds: Int) {
    _ = poll(nil, 0, Int32(clamping: milliseconds))
  }

  static func environmentVariable(_ name: String) -> String? {
    guard let text = unsafe getenv(name) else { return nil }
    return unsafe Self.text(of: text)
  }

  /// Milliseconds that only ever rise, from some time on.
  static var monotonicMilliseconds: Int64 {
    var now = timespec()
    guard unsafe clock_gettime(CLOCK_MONOTONIC, &now) == 0 else { return 0 }
    return Int64(now.tv_sec) &* 1_000 &+ Int64(now.tv_nsec) / 1_000_000
  }
}

extension FileStatus {
  fileprivate init(_ information: stat, birthTime: Int64) {
    let kind: Kind =
      switch information.st_mode & S_IFMT {
      case S_IFREG: .regular
      case S_IFDIR: .directory
      case S_IFSOCK: .socket
      default: .other
      }
    self.init(
      kind: kind, size: Int(clamping: information.st_size),
      device: UInt64(truncatingIfNeeded: information.st_dev),
      inode: UInt64(truncatingIfNeeded: information.st_ino), birthTime: birthTime,
      changeTime: BirthTime.ofChange(information))
  }
}
