import BetwixtFiles

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Android)
import Android
#else
#error("The command needs a libc with POSIX files.")
#endif

/// The calls of the operating system that the tool makes, with errors that are thrown.
///
/// What terminals and processes need of the C library stands with them.
enum SystemCall {
  static let fileExists = EEXIST
  static let invalidArgument = EINVAL
  static let isDirectory = EISDIR
  static let notDirectory = ENOTDIR
  static let nameTooLong = ENAMETOOLONG
  static let nothingYet = EAGAIN
  static let nobodyReads = ENXIO
  static let inputOutputError = EIO
  static let standardInput = STDIN_FILENO
  static let standardOutput = STDOUT_FILENO
  static let standardError = STDERR_FILENO

  static func reason(of number: Int32) -> String {
    guard let text = unsafe strerror(number) else { return "error \(number)" }
    return unsafe String(cString: text)
  }

  /// Calls until a signal does not interrupt; a negative result is an error.
  private static func repeating(_ call: () -> Int) throws(SystemError) -> Int {
    while true {
      let result = call()
      if result >= 0 { return result }
      let number = errno
      if number != EINTR { throw SystemError(number: number) }
    }
  }
}

// MARK: - Descriptors

extension SystemCall {
  /// The ways to open a file.
  enum Purpose {
    case reading
    case writing
    case creating
  }

  /// Opens a file, and a pipe without waiting for its other end; ``wait(for:)`` makes its calls wait.
  static func openFile(_ path: String, for purpose: Purpose) throws(SystemError) -> Int32 {
    let flags =
      switch purpose {
      case .reading: O_RDONLY | O_NONBLOCK
      case .writing: O_WRONLY | O_NONBLOCK
      case .creating: O_WRONLY | O_CREAT | O_EXCL
      }
    let descriptor = try repeating {
      unsafe Int(open(PathText.name(path), flags | O_CLOEXEC, 0o666))
    }
    return Int32(truncatingIfNeeded: descriptor)
  }

  /// Makes reading and writing wait until there is something to read, or room.
  static func wait(for descriptor: Int32) throws(SystemError) {
    let flags = try repeating { Int(fcntl(descriptor, F_GETFL)) }
    _ = try repeating {
      Int(fcntl(descriptor, F_SETFL, Int32(truncatingIfNeeded: flags) & ~O_NONBLOCK))
    }
  }

  /// Whether an open file is a pipe, with a name or without.
  static func isPipe(_ descriptor: Int32) -> Bool {
    var information = stat()
    return unsafe fstat(descriptor, &information) == 0 && information.st_mode & S_IFMT == S_IFIFO
  }

  static func closeFile(_ descriptor: Int32) throws(SystemError) {
    // Not repeated after an interruption: the descriptor is gone by then.
    if close(descriptor) != 0, errno != EINTR { throw SystemError(number: errno) }
  }

  /// Reads what is there, at most the size of the buffer; 0 at the end.
  static func readSome(_ descriptor: Int32, into buffer: inout [UInt8]) throws(SystemError) -> Int {
    try repeating {
      unsafe buffer.withUnsafeMutableBytes { space in
        unsafe read(descriptor, space.baseAddress, space.count)
      }
    }
  }

  /// Writes some of the bytes and says how many.
  static func writeSome(_ descriptor: Int32, bytes: ArraySlice<UInt8>) throws(SystemError) -> Int {
    try repeating {
      unsafe bytes.withUnsafeBytes { space in
        unsafe write(descriptor, space.baseAddress, space.count)
      }
    }
  }

  /// Waits until there is something to read, or the end.
  static func waitToRead(_ descriptor: Int32) throws(SystemError) {
    try wait(for: Int16(POLLIN), on: descriptor)
  }

  /// Waits until there is room to write.
  static func waitToWrite(_ descriptor: Int32) throws(SystemError) {
    try wait(for: Int16(POLLOUT), on: descriptor)
  }

  private static func wait(for events: Int16, on descriptor: Int32) throws(SystemError) {
    var request = pollfd(fd: descriptor, events: events, revents: 0)
    _ = try repeating { unsafe Int(poll(&request, 1, -1)) }
  }

  /// Sends all that was written to the disk itself.
  static func synchronize(_ descriptor: Int32) throws(SystemError) {
    #if canImport(Darwin)
    // fsync leaves the bytes in the drive's own cache there.
    if fcntl(descriptor, F_FULLFSYNC) != -1 { return }
    #endif
    _ = try repeating { Int(fsync(descriptor)) }
  }

  static func isTerminal(_ descriptor: Int32) -> Bool { isatty(descriptor) == 1 }

  /// How many columns a terminal has; `nil` for what is none, or does not say.
  static func terminalWidth(_ descriptor: Int32) -> Int? {
    var window = winsize()
    guard unsafe ioctl(descriptor, UInt(TIOCGWINSZ), &window) == 0, window.ws_col > 0 else {
      return nil
    }
    return Int(window.ws_col)
  }
}

// MARK: - Paths

extension SystemCall {
  /// What a path leads to.
  struct Status {
    /// The kinds of files that the tool tells apart.
    enum Kind {
      case regular
      case directory
      case other
    }

    var kind: Kind
    var permissions: UInt32
  }

  /// What a path leads to, through symbolic links, or `nil` if there is nothing.
  static func status(of path: String) throws(SystemError) -> Status? {
    var information = stat()
    do {
      _ = try repeating { unsafe Int(stat(PathText.name(path), &information)) }
    } catch {
      if error.number == ENOENT { return nil }
      throw error
    }
    let kind: Status.Kind =
      switch information.st_mode & S_IFMT {
      case S_IFREG: .regular
      case S_IFDIR: .directory
      default: .other
      }
    return Status(kind: kind, permissions: UInt32(information.st_mode & 0o7777))
  }

  /// Whether a path leads to anything.
  static func isThere(_ path: String) -> Bool { (try? status(of: path)) ?? nil != nil }

  /// Whether a path leads to a folder.
  static func isFolder(_ path: String) -> Bool { (try? status(of: path))?.kind == .directory }

  /// The path without symbolic links.
  static func resolved(_ path: String) throws(SystemError) -> String {
    guard let text = unsafe realpath(PathText.name(path), nil) else {
      throw SystemError(number: errno)
    }
    defer { unsafe free(text) }
    return unsafe SystemCall.text(of: text)
  }

  /// Where a symbolic link leads, as it says itself; `nil` for what is none.
  static func target(ofLink path: String) -> String? {
    var buffer = [CChar](repeating: 0, count: Int(PATH_MAX) + 1)
    let count = unsafe readlink(PathText.name(path), &buffer, buffer.count - 1)
    guard count > 0 else { return nil }
    return PathText.text(buffer.prefix(count).map { UInt8(bitPattern: $0) })
  }

  static func checkWritable(_ path: String) throws(SystemError) {
    _ = try repeating { unsafe Int(access(PathText.name(path), W_OK)) }
  }

  static func setPermissions(_ permissions: UInt32, of descriptor: Int32) throws(SystemError) {
    _ = try repeating { Int(fchmod(descriptor, mode_t(truncatingIfNeeded: permissions))) }
  }

  /// Gives a file the name of another one, which is gone then.
  static func moveFile(_ path: String, to target: String) throws(SystemError) {
    _ = try repeating { unsafe Int(rename(PathText.name(path), PathText.name(target))) }
  }

  /// Gives a file another name, unless something has that.
  ///
  /// - Returns: Whether it has it; otherwise nothing was done.
  /// - Throws: `SystemError`
  static func moveFile(_ path: String, toFree target: String) throws(SystemError) -> Bool {
    do {
      _ = try repeating { unsafe Int(link(PathText.name(path), PathText.name(target))) }
    } catch {
      guard error.number != EEXIST, !isThere(target) else { return false }
      // Drives of cameras and sticks have no second names.
      try moveFile(path, to: target)
      return true
    }
    // The file has its name; the old one is harmless.
    try? removeFile(path)
    return true
  }

  static func removeFile(_ path: String) throws(SystemError) {
    _ = try repeating { unsafe Int(unlink(PathText.name(path))) }
  }

  /// Lets writing beyond the limit of `ulimit -f` fail, in place of ending the program.
  static func ignoreSizeSignal() { signal(SIGXFSZ, SIG_IGN) }

  /// Makes a folder.
  static func makeFolder(_ path: String, permissions: UInt32 = 0o777) throws(SystemError) {
    let mode = mode_t(truncatingIfNeeded: permissions)
    _ = try repeating { unsafe Int(mkdir(PathText.name(path), mode)) }
  }

  /// Removes a folder that is empty.
  static func removeFolder(_ path: String) throws(SystemError) {
    _ = try repeating { unsafe Int(rmdir(PathText.name(path))) }
  }
}

// MARK: - Process

extension SystemCall {
  static var processNumber: Int32 { getpid() }

  /// Milliseconds since 1970-01-01T00:00:00Z by the system's clock.
  static var wallClockMilliseconds: Int64 {
    var now = timespec()
    guard unsafe clock_gettime(CLOCK_REALTIME, &now) == 0 else { return 0 }
    return Int64(now.tv_sec) &* 1_000 &+ Int64(now.tv_nsec) / 1_000_000
  }

  /// Random bits of the operating system.
  static func randomBits() -> UInt64 { UInt64.random(in: .min ... .max) }

  static func environmentVariable(_ name: String) -> String? {
    guard let text = unsafe getenv(name) else { return nil }
    return unsafe String(cString: text)
  }

  /// The arguments of this process without the name of the program; one that is no UTF-8 is a text
  /// as ``PathText`` makes it.
  static var arguments: [String] {
    (1..<max(1, Int(CommandLine.argc))).compactMap { index in
      unsafe CommandLine.unsafeArgv[index].map { unsafe text(of: $0) }
    }
  }

  private static func text(of name: UnsafePointer<CChar>) -> String {
    let bytes = unsafe UnsafeBufferPointer(start: name, count: strlen(name))
    return PathText.text(unsafe bytes.map { UInt8(bitPattern: $0) })
  }

  static func exitProcess(_ code: Int32) -> Never { exit(code) }
}
