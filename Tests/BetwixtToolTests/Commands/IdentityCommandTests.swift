import Betwixt
import BetwixtTool
import Foundation
import Testing

/// Who writes: made once for each file, given up on evidence, and noted before writes leave.
@Suite struct IdentityCommandTests {
  private let device: TestDevice
  private let trip: String

  init() throws {
    device = try TestDevice()
    trip = device.path()
    try #require(device.run("new", "--name", "Rome", "--days", "3", trip).code == .done)
  }

  private func add(_ title: String, to path: String? = nil) -> ToolRun {
    device.run("add", path ?? trip, "--day", "1", "--title", title)
  }

  /// The value of a member of `identity --json`.
  private func member(_ name: String, of path: String? = nil) throws -> String {
    let line = device.run("identity", "--json", path ?? trip).output
    let start = try #require(line.range(of: "\"\(name)\":")).upperBound
    return String(line[start...].prefix { $0 != "," && $0 != "}" })
  }

  @Test func oneWriterForEachFile() throws {
    #expect(add("A").code == .done)
    let replica = try member("replica")
    #expect(add("B").code == .done)
    #expect(try member("replica") == replica)
    try device.folder.write(try device.folder.bytes("trip.trip"), to: "copy.trip")
    #expect(add("C", to: device.path("copy.trip")).code == .done)
    #expect(try member("replica", of: device.path("copy.trip")) != replica)
    let all = device.run("identity").output.split(separator: "\n")
    #expect(all.count == 2)
    #expect(all[0].contains("/copy.trip: writes as "))
    #expect(all[1].hasSuffix(": writes as \(replica.dropFirst().dropLast())"))
  }

  @Test func whatIsRefusedNamesNobody() throws {
    #expect(device.run("identity", "--name", "Laptop").code == .done)
    #expect(device.run("identity", "--rotate", "--name", "Phone").code == .usage)
    let marks = "e" + String(repeating: "\u{301}", count: 3_000)
    #expect(device.run("identity", "--name", marks).code == .usage)
    #expect(device.run("identity").messages.contains("called “Laptop”"))
    // Nor does an edit that is refused write who would have made it.
    let before = try device.folder.bytes("trip.trip")
    #expect(device.run("remove", trip, "Nothing").code == .negative)
    #expect(try device.folder.bytes("trip.trip") == before)
    #expect(add("A").code == .done)
    #expect(device.run("log", trip).output.contains("  Laptop  added “A”"))
    #expect(device.run("undo", trip).code == .done)
    #expect(try device.titles() == [])
  }

  @Test func copiesBesideEachOtherMergeWithoutADoubt() throws {
    try device.folder.write(try device.folder.bytes("trip.trip"), to: "copy.trip")
    #expect(add("here").code == .done)
    #expect(add("there", to: device.path("copy.trip")).code == .done)
    let run = device.run("sync", "--with", device.path("copy.trip"), trip)
    let lines = run.messages.split(separator: "\n")
    #expect(lines.count == 2)
    #expect(lines[0].hasPrefix("from ") && lines[0].hasSuffix(": added “there”"))
    #expect(try Set(device.titles()) == ["here", "there"])
    #expect(try device.list() == device.list("copy.trip"))
  }

  @Test func aFileThatWentBackGetsANewWriterAndTheOldOneWhenItReturns() throws {
    #expect(add("A").code == .done)
    let old = try device.folder.bytes("trip.trip")
    #expect(add("lost").code == .done)
    let new = try device.folder.bytes("trip.trip")
    let replica = try member("replica")
    try device.folder.write(old, to: "trip.trip")
    let run = add("new")
    #expect(run.code == .done)
    #expect(run.messages.contains("the file is not as it was left here"))
    #expect(try member("replica") != replica)
    #expect(try member("earlier") == "1")
    #expect(try member("former") == "0")
    #expect(device.run("identity", trip).output.hasSuffix(", 1 for other states of the file\n"))
    try device.folder.write(new, to: "trip.trip")
    #expect(add("more").messages == "")
    #expect(try member("replica") == replica)
    #expect(try device.titles() == ["A", "lost", "more"])
  }

  @Test func writesUnderTheOwnIDFromElsewhereAreNoticed() throws {
    // The file goes back with its state, as with a snapshot of the drive, after a copy was made: two
    // writers under one id.
    let twin = try TestDevice()
    #expect(add("A").code == .done)
    let old = try device.folder.bytes("trip.trip")
    let restoreRecords = try device.keepRecords()
    #expect(add("here").code == .done)
    try twin.folder.write(try device.folder.bytes("trip.trip"), to: "trip.trip")
    try device.folder.write(old, to: "trip.trip")
    try restoreRecords()
    #expect(add("other").code == .done)
    let run = device.run("sync", "--with", twin.path(), trip)
    #expect(run.code == .done)
    #expect(run.messages.contains("writes under the old one came from elsewhere"))
    #expect(try device.list() == twin.list())
    let again = device.run("sync", "--with", twin.path(), trip)
    #expect(!again.messages.contains("no longer by"))
  }

  @Test func twoSidesUnderOneIDTakeNewOnes() throws {
    // The disk of a machine was cloned: the record of one file is that of the other, in place.
    let copy = device.path("copy.trip")
    #expect(add("A").code == .done)
    let own = try device.folder.names(in: "state")
    let bytes = try device.folder.bytes("trip.trip")
    try device.folder.write(bytes, to: "copy.trip")
    #expect(add("there", to: copy).code == .done)
    try device.folder.write(bytes, to: "copy.trip")
    let folders = try device.folder.names(in: "state")
    let (first, second) = (try #require(own.first), try #require(folders.first { $0 != own[0] }))
    let record = "\(try device.list().id).identity"
    try FileManager.default.removeItem(atPath: device.path("state/\(second)/\(record)"))
    try FileManager.default.linkItem(
      atPath: device.path("state/\(first)/\(record)"),
      toPath: device.path("state/\(second)/\(record)"))
    #expect(add("here").code == .done)
    #expect(add("here too", to: copy).code == .done)
    let peer = device.line("sync", "--stdio", copy)
    let refused = device.run("sync", "--exec", peer, trip)
    #expect(refused.code == .tryAgain, "\(refused.messages)")
    #expect(refused.messages.contains("another copy writes under the old one too"))
    let run = device.run("sync", "--exec", peer, trip)
    #expect(run.code == .done, "\(run.messages)")
    #expect(try device.list() == device.list("copy.trip"))
    let isNew = try member("replica") != member("replica", of: copy)
    #expect(isNew)
  }

  @Test func rotatesWhenAsked() throws {
    let replica = try member("replica")
    let run = device.run("identity", "--rotate", trip)
    #expect(run.messages.contains("as asked for"))
    #expect(try member("replica") != replica)
    #expect(device.run("identity", "--rotate").code == .usage)
  }

  @Test func withoutAPlaceForItNothingIsWritten() throws {
    let before = try device.folder.bytes("trip.trip")
    let run = ToolRun("add", trip, "--day", "1", "--title", "A")
    #expect(run.code == .cannotCreate)
    #expect(run.messages.contains("set BETWIXT_STATE to a folder"))
    try device.folder.write("", to: "blocked")
    var environment = Environment()
    environment.stateDirectory = device.path("blocked")
    let blocked = ToolRun(
      "add", trip, "--day", "1", "--title", "A", environment: environment)
    #expect(blocked.code == .cannotCreate)
    #expect(try device.folder.bytes("trip.trip") == before)
  }
}
