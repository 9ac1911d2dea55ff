import Betwixt
import BetwixtTool
import Foundation
import TestSupport
import Testing

/// Files beside a document, other names of it, and paths that lead to no file.
@Suite struct NeighbourFileTests {
  private let device: TestDevice
  private let trip: String

  init() throws {
    device = try TestDevice()
    trip = device.path()
    let run = device.run("new", "--name", "Rome", "--start", "2026-05-01", "--days", "3", trip)
    try #require(run.code == .done, "\(run.messages)")
  }

  @discardableResult
  private func add(_ title: String, to path: String? = nil) -> ToolRun {
    device.run("add", "-q", path ?? trip, "--day", "1", "--title", title)
  }

  /// Makes a generation before.
  private func compact() throws {
    try #require(add("Long").code == .done)
    try grow("Long")
    try #require(try device.folder.names.contains("trip.trip.previous"))
  }

  @Test func aDocumentThatWasMovedIsNotThereAnyMore() throws {
    try compact()
    try FileManager.default.moveItem(atPath: trip, toPath: device.path("moved.trip"))
    for arguments in [
      ["add", trip, "--day", "1", "--title", "A"],
      ["sync", "--with", device.path("moved.trip"), trip],
      ["doctor", trip], ["identity", trip], ["add", "-n", trip, "--day", "1", "--title", "A"],
    ] {
      let run = ToolRun(arguments, environment: device.environment)
      #expect(run.code == .noInput)
      #expect(run.messages.contains("doctor -o"), "\(arguments): \(run.messages)")
    }
    #expect(try !device.folder.names.contains("trip.trip"))
    let rescued = device.path("rescued.trip")
    #expect(device.run("doctor", "-o", rescued, trip + ".previous").code == .done)
    #expect(try device.titles("rescued.trip") == ["Long"])
  }

  @Test func aNewDocumentUnderAnOldNameHasNothingOfTheOldOne() throws {
    try compact()
    try FileManager.default.removeItem(atPath: trip)
    let old = try device.folder.bytes("trip.trip.previous")
    try #require(device.run("new", "--name", "Milan", "--days", "2", trip).code == .done)
    try #require(add("Duomo").code == .done)
    // The snapshot of the new one is damaged.
    var bytes = try device.folder.bytes("trip.trip")
    bytes[100] ^= 1
    try device.folder.write(bytes, to: "trip.trip")
    #expect(add("Opera").code == .badData)
    #expect(try device.titles() == ["Duomo"])
    #expect(try device.folder.bytes("trip.trip.previous") == old)
    try grow("Duomo")
    #expect(try device.folder.bytes("trip.trip.previous") == old)
  }

  /// Writes so much that the document is compacted.
  private func grow(_ title: String) throws {
    for letter in ["x", "y"] {
      let text = String(repeating: letter, count: 40_000)
      let run = device.run("set", trip, title, "note=\(text)")
      try #require(run.code == .done, "\(run.messages)")
    }
  }

  @Test func aFileOfTheUsersStays() throws {
    let names = [
      "trip.trip.tmp-notes", "trip.trip.previous", "trip.trip.lock",
      "trip.trip.tmp-0011223344556677",
    ]
    for name in names { try device.folder.write("my own \(name)", to: name) }
    for number in 0..<3 { #expect(add("Stop \(number)").code == .done) }
    try #require(add("Duomo").code == .done)
    try grow("Duomo")
    for name in names { #expect(try device.folder.text(name) == "my own \(name)") }
    #expect(device.run("doctor", trip).code == .done)
  }

  @Test func namesOfOneFileMakeOneHistory() throws {
    let second = device.path("second.trip")
    try FileManager.default.linkItem(atPath: trip, toPath: second)
    let running = try (0..<12).map { number in
      try RunningTool(
        ["add", number % 2 == 0 ? trip : second, "--day", "1", "--title", "Stop \(number)"],
        environment: device.variables)
    }
    for tool in running { #expect(tool.wait() == 0, "\(tool.messages)") }
    for path in [trip, second] { #expect(device.run("doctor", path).code == .done) }
    #expect(try Set(device.titles("second.trip")) == Set((0..<12).map { "Stop \($0)" }))
    #expect(try device.list() == device.list("second.trip"))
  }

  @Test func whatIsNoFileIsRefusedAtOnce() throws {
    let pipe = device.path("pipe")
    try #require(unsafe mkfifo(pipe, 0o600) == 0)
    for path in [pipe, "/dev/null", device.folder.path] {
      for arguments in [
        ["add", path, "--day", "1", "--title", "A"], ["doctor", path], ["identity", path],
        ["sync", "--with", path, trip], ["sync", "--with", trip, path],
        ["import", "--into", path, trip], ["add", "-n", path, "--day", "1", "--title", "A"],
        ["edit", path], ["repair", path],
      ] {
        let run = whatMustReturn("\(arguments)") {
          ToolRun(arguments, environment: device.environment)
        }
        #expect(run.code == .noInput || run.code == .usage, "\(arguments): \(run.messages)")
        #expect(!run.messages.isEmpty)
      }
    }
  }

  @Test func doctorFollowsSymbolicLinks() throws {
    try FileManager.default.createSymbolicLink(
      atPath: device.path("link.trip"), withDestinationPath: "trip.trip")
    #expect(device.run("doctor", device.path("link.trip")).code == .done)
    #expect(add("A", to: device.path("link.trip")).code == .done)
    #expect(try device.titles() == ["A"])
  }
}
