import Foundation

/// A process of the built command that runs beside the test.
final class RunningTool {
  private let process = Process()
  private let scratch: ScratchFolder

  /// Starts the command; without pipes it reads nothing, and its output goes to a file.
  init(
    _ arguments: [String], environment: [String: String], input: Any? = nil, output: Any? = nil
  ) throws {
    scratch = try ScratchFolder()
    for name in ["standard-output", "standard-error"] { try scratch.write("", to: name) }
    process.executableURL = URL(fileURLWithPath: SpawnedTool.path)
    process.arguments = arguments
    process.environment = environment
    process.currentDirectoryURL = URL(fileURLWithPath: scratch.path)
    process.standardInput = input ?? FileHandle.nullDevice
    process.standardOutput =
      output ?? FileHandle(forWritingAtPath: scratch.path("standard-output"))
    process.standardError = FileHandle(forWritingAtPath: scratch.path("standard-error"))
    try process.run()
  }

  /// Ends it as no program can prevent.
  func kill() { Foundation.kill(process.processIdentifier, SIGKILL) }

  /// Waits for its end; `nil` if a signal ended it.
  func wait() -> Int32? {
    process.waitUntilExit()
    return process.terminationReason == .exit ? process.terminationStatus : nil
  }

  /// What it wrote to standard error.
  var messages: String { (try? scratch.text("standard-error")) ?? "" }
}

/// Two commands, each of which reads what the other one writes.
struct CrossedTools {
  let codes: [Int32?]
  let messages: [String]

  /// Runs two command lines to their ends, with pipes of a size where the system has such.
  init(
    _ first: (arguments: [String], environment: [String: String]),
    _ second: (arguments: [String], environment: [String: String]), pipeSize: Int32? = nil
  ) throws {
    let (there, back) = (Pipe(), Pipe())
    #if os(Linux)
    // F_SETPIPE_SZ, which the C library's header keeps to itself.
    for pipe in [there, back] {
      if let pipeSize { _ = fcntl(pipe.fileHandleForWriting.fileDescriptor, 1031, pipeSize) }
    }
    #endif
    let tools = [
      try RunningTool(
        first.arguments, environment: first.environment, input: back, output: there),
      try RunningTool(
        second.arguments, environment: second.environment, input: there, output: back),
    ]
    // The ends that this process holds would keep both waiting for each other.
    for pipe in [there, back] {
      try? pipe.fileHandleForReading.close()
      try? pipe.fileHandleForWriting.close()
    }
    codes = tools.map { $0.wait() }
    messages = tools.map(\.messages)
  }
}
