import Foundation
import TestSupport
import Testing

/// The driver of real processes, `Tests/Scripts/torment.py`, for a few rounds.
@Suite(.enabled(if: Python.isThere, "there is no python3 on this machine"))
struct TormentTests {
  @Test func nothingAcknowledgedIsLost() throws {
    let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().appendingPathComponent("Scripts/torment.py").path
    let scratch = try ScratchFolder()
    try scratch.write("", to: "answer")
    let process = Process()
    process.executableURL = URL(fileURLWithPath: Python.launcher)
    process.arguments = [
      "python3", script, SpawnedTool.path, "--rounds", runsLong ? "1000" : "6", "--seed", "5",
    ]
    process.standardOutput = FileHandle(forWritingAtPath: scratch.path("answer"))
    try process.run()
    process.waitUntilExit()
    let answer = try scratch.text("answer")
    #expect(process.terminationStatus == 0, "\(answer)")
    print("torment:", answer)
  }
}

private enum Python {
  static let launcher = "/usr/bin/env"

  static let isThere: Bool =
    (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":").contains {
      FileManager.default.isExecutableFile(atPath: "\($0)/python3")
    }
}
