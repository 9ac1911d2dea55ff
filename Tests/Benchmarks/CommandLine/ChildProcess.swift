#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// This program once more, so that no workload sees another's memory.
enum ChildProcess {
  struct Failure: Error, CustomStringConvertible {
    let description: String
  }

  /// Runs this program with other arguments and returns what it wrote; its errors go where ours
  /// do.
  static func output(of arguments: [String]) throws -> String {
    let program = CommandLine.arguments[0]
    var ends: [Int32] = [-1, -1]
    guard unsafe pipe(&ends) == 0 else { throw Failure(description: "no pipe: \(errno)") }
    let identifier: pid_t
    do {
      defer { close(ends[1]) }
      identifier = try spawn([program] + arguments, output: ends)
    }
    defer { close(ends[0]) }
    let bytes = try InputFile.readAll(ends[0], name: program)
    var status: Int32 = 0
    while unsafe waitpid(identifier, &status, 0) < 0, errno == EINTR {}
    // A wrong result exits with 1 and is told in its line; anything else is a failure of the run.
    guard status == 0 || status == 1 << 8 else {
      throw Failure(description: "'\(arguments.joined(separator: " "))' ended with \(status)")
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  private static func spawn(_ arguments: [String], output ends: [Int32]) throws -> pid_t {
    var actions = unsafe posix_spawn_file_actions_t()
    unsafe posix_spawn_file_actions_init(&actions)
    defer { unsafe posix_spawn_file_actions_destroy(&actions) }
    unsafe posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO)
    unsafe posix_spawn_file_actions_addclose(&actions, ends[0])
    unsafe posix_spawn_file_actions_addclose(&actions, ends[1])
    var words = unsafe arguments.map { unsafe strdup($0) }
    unsafe words.append(nil)
    defer {
      for index in unsafe words.indices { unsafe free(words[index]) }
    }
    var identifier: pid_t = 0
    let code = unsafe posix_spawnp(&identifier, arguments[0], &actions, nil, words, environ)
    guard code == 0 else { throw Failure(description: "cannot start itself: \(code)") }
    return identifier
  }
}
