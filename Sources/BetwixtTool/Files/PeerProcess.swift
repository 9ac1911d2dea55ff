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
#error("The command needs a libc with processes.")
#endif

/// Another program, run by the shell, whose standard input and output this one holds.
struct PeerProcess {
  /// Where its standard output is read.
  let output: Int32

  /// Where its standard input is written.
  let input: Int32

  private let identifier: pid_t

  /// Starts a line of the shell; its messages go where ours do.
  init(_ line: String) throws(SystemError) {
    let there = try PeerProcess.makePipe()
    let back = try PeerProcess.makePipe()
    defer {
      close(there.reading)
      close(back.writing)
    }
    identifier = try PeerProcess.spawn(line, reading: there.reading, writing: back.writing)
    input = there.writing
    output = back.reading
  }

  /// A pipe whose ends no other program inherits.
  private static func makePipe() throws(SystemError) -> (reading: Int32, writing: Int32) {
    var ends: [Int32] = [-1, -1]
    guard unsafe pipe(&ends) == 0 else { throw SystemError(number: errno) }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    return (ends[0], ends[1])
  }

  private static func spawn(
    _ line: String, reading: Int32, writing: Int32
  ) throws(SystemError) -> pid_t {
    #if canImport(Darwin)
    var actions: posix_spawn_file_actions_t?
    #else
    var actions = unsafe posix_spawn_file_actions_t()
    #endif
    unsafe posix_spawn_file_actions_init(&actions)
    defer { unsafe posix_spawn_file_actions_destroy(&actions) }
    unsafe posix_spawn_file_actions_adddup2(&actions, reading, STDIN_FILENO)
    unsafe posix_spawn_file_actions_adddup2(&actions, writing, STDOUT_FILENO)
    let arguments: [String] = ["sh", "-c", line]
    var words = unsafe arguments.map { unsafe strdup(PathText.name($0)) }
    unsafe words.append(nil)
    defer {
      for index in unsafe words.indices { unsafe free(words[index]) }
    }
    var identifier: pid_t = 0
    var attributes = try PeerProcess.attributes()
    defer { unsafe posix_spawnattr_destroy(&attributes) }
    let code = unsafe posix_spawn(&identifier, "/bin/sh", &actions, &attributes, words, environ)
    guard code == 0 else { throw SystemError(number: code) }
    return identifier
  }

  #if canImport(Darwin)
  private typealias Attributes = posix_spawnattr_t?
  #else
  private typealias Attributes = posix_spawnattr_t
  #endif

  /// What this program ignores ends another one, as it expects: one whose reader has gone would
  /// otherwise go on writing for nobody.
  private static func attributes() throws(SystemError) -> Attributes {
    #if canImport(Darwin)
    var attributes: posix_spawnattr_t?
    #else
    var attributes = posix_spawnattr_t()
    #endif
    let code = unsafe posix_spawnattr_init(&attributes)
    guard code == 0 else { throw SystemError(number: code) }
    var signals = sigset_t()
    unsafe sigemptyset(&signals)
    for number in [SIGPIPE, SIGXFSZ] { unsafe sigaddset(&signals, number) }
    unsafe posix_spawnattr_setsigdefault(&attributes, &signals)
    unsafe posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF))
    return attributes
  }

  /// Closes what this side holds and waits for the program's end, but not for ever.
  ///
  /// - Returns: Its exit code; `nil` if a signal ended it, or if it did not end.
  func finish() -> Int32? {
    close(input)
    close(output)
    if let status = wait(milliseconds: PeerProcess.patience) { return PeerProcess.code(status) }
    // It neither reads nor writes any more: it waits for something else.
    kill(identifier, SIGTERM)
    guard wait(milliseconds: PeerProcess.patience) == nil else { return nil }
    // It may block that signal: a thread that starts a program passes on what it blocks itself.
    kill(identifier, SIGKILL)
    _ = wait(milliseconds: PeerProcess.patience)
    return nil
  }

  private static let patience = 3_000
  private static let pause = 5

  private func wait(milliseconds: Int) -> Int32? {
    var status: Int32 = 0
    for _ in 0...(milliseconds / PeerProcess.pause) {
      let result = unsafe waitpid(identifier, &status, WNOHANG)
      if result == identifier { return status }
      if result < 0, errno != EINTR { return nil }
      _ = poll(nil, 0, Int32(PeerProcess.pause))
    }
    return nil
  }

  private static func code(_ status: Int32) -> Int32? {
    status & 0x7f == 0 ? status >> 8 & 0xff : nil
  }

  /// Lets writing to a program that has ended fail, in place of ending this one.
  static func ignoreBrokenPipes() { signal(SIGPIPE, SIG_IGN) }
}
