import Foundation

/// One run of the built binary in a process of its own.
struct SpawnedTool {
  let code: Int32
  let output: String
  let messages: String

  /// The binary that was built beside these tests.
  private static let binary: URL = {
    let tests = URL(fileURLWithPath: CommandLine.arguments[0]).resolvingSymlinksInPath()
    let name = "betwixt"
    var folder = tests.deletingLastPathComponent()
    // On macOS the tests lie some folders deeper, in a bundle.
    while folder.path != "/" {
      let candidate = folder.appendingPathComponent(name)
      let attributes = try? FileManager.default.attributesOfItem(atPath: candidate.path)
      if attributes?[.type] as? FileAttributeType == .typeRegular { return candidate }
      folder.deleteLastPathComponent()
    }
    return tests
  }()

  /// The path of the binary.
  static var path: String { binary.path }

  /// Runs the binary to its end.
  init(
    _ arguments: [String], input: String = "", in folder: ScratchFolder? = nil,
    environment: [String: String] = [:]
  ) throws {
    let scratch = try ScratchFolder()
    let process = Process()
    process.executableURL = SpawnedTool.binary
    process.arguments = arguments
    process.environment = environment
    process.currentDirectoryURL = URL(fileURLWithPath: (folder ?? scratch).path)
    // Files, not pipes: a pipe that nobody empties would stop a long answer.
    process.standardInput = FileHandle(
      forReadingAtPath: try scratch.write(input, to: "standard-input"))
    for name in ["standard-output", "standard-error"] { try scratch.write("", to: name) }
    process.standardOutput = FileHandle(forWritingAtPath: scratch.path("standard-output"))
    process.standardError = FileHandle(forWritingAtPath: scratch.path("standard-error"))
    try process.run()
    process.waitUntilExit()
    code = process.terminationStatus
    output = try scratch.text("standard-output")
    messages = try scratch.text("standard-error")
  }
}
