import BetwixtTool
import Foundation
import TestSupport
import Testing

@Suite struct OutputFileTests {
  private func failure(_ body: () throws -> Void) -> FileFailure? {
    do {
      try body()
      return nil
    } catch {
      return error as? FileFailure
    }
  }

  private func permissions(_ path: String) throws -> Int? {
    try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
  }

  @Test func createsAndReplaces() throws {
    let folder = try ScratchFolder()
    let path = folder.path("a.json")
    try OutputFile(path).write(Array("one".utf8))
    #expect(try folder.text("a.json") == "one")
    try OutputFile(path).write(Array("two".utf8))
    #expect(try folder.text("a.json") == "two")
    #expect(try folder.names == ["a.json"], "no temporary file stays")
  }

  @Test func createsWhereNothingStands() throws {
    let folder = try ScratchFolder()
    let output = OutputFile(folder.path("a.json"))
    #expect(try output.writeNew(Array("one".utf8)))
    #expect(try !output.writeNew(Array("two".utf8)))
    #expect(try folder.text("a.json") == "one")
    #expect(try folder.names == ["a.json"], "no temporary file stays")
    // A link that leads to nothing yet stays, and one that leads to something has the name.
    try FileManager.default.createSymbolicLink(
      atPath: folder.path("link.json"), withDestinationPath: "b.json")
    let link = OutputFile(folder.path("link.json"))
    #expect(try link.writeNew(Array("one".utf8)))
    #expect(try !link.writeNew(Array("two".utf8)))
    #expect(try folder.text("b.json") == "one")
    #expect(try folder.names == ["a.json", "b.json", "link.json"])
  }

  @Test func keepsThePermissionsOfTheOldFile() throws {
    let folder = try ScratchFolder()
    let path = try folder.write("old", to: "a.json")
    try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: path)
    try OutputFile(path).write(Array("new".utf8))
    #expect(try permissions(path) == 0o640)
  }

  @Test func writesToWhereASymbolicLinkLeads() throws {
    let folder = try ScratchFolder()
    try folder.write("old", to: "real.json")
    try FileManager.default.createSymbolicLink(
      atPath: folder.path("link.json"), withDestinationPath: "real.json")
    try OutputFile(folder.path("link.json")).write(Array("new".utf8))
    #expect(try folder.text("real.json") == "new")
    #expect(
      try FileManager.default.destinationOfSymbolicLink(atPath: folder.path("link.json"))
        == "real.json")
  }

  @Test(arguments: ["real.json", "below/real.json"])
  func writesToWhereALinkLeadsThoughNothingIsThere(target: String) throws {
    let folder = try ScratchFolder()
    let files = FileManager.default
    try files.createDirectory(
      atPath: folder.path("below"), withIntermediateDirectories: true)
    try files.createSymbolicLink(atPath: folder.path("one.json"), withDestinationPath: "two.json")
    try files.createSymbolicLink(atPath: folder.path("two.json"), withDestinationPath: target)
    try OutputFile(folder.path("one.json")).write(Array("new".utf8))
    #expect(try folder.text(target) == "new")
    #expect(
      try files.destinationOfSymbolicLink(atPath: folder.path("two.json")) == target)
  }

  @Test func linksThatLeadNowhereStay() throws {
    let folder = try ScratchFolder()
    let files = FileManager.default
    for (name, target) in [("a", "b"), ("b", "a"), ("lost", "none/x")] {
      try files.createSymbolicLink(atPath: folder.path(name), withDestinationPath: target)
      if name == "a" { continue }
      #expect(failure { try OutputFile(folder.path(name)).write([1]) }?.kind == .cannotCreate)
    }
    #expect(try folder.names.count == 3)
  }

  @Test func aPipeThatNobodyReadsIsSaidAtOnce() throws {
    let folder = try ScratchFolder()
    let path = folder.path("pipe")
    try #require(unsafe mkfifo(path, 0o600) == 0)
    let found = whatMustReturn("writing a pipe") {
      failure { try OutputFile(path).write([1]) }
    }
    #expect(found?.kind == .cannotCreate)
    #expect(found?.reason == "it is a pipe that nobody reads from")
  }

  @Test func aFolderIsNoOutput() throws {
    let folder = try ScratchFolder()
    let failure = failure { try OutputFile(folder.path).write([1]) }
    #expect(failure?.kind == .cannotCreate)
    #expect(failure?.reason == "Is a directory")
  }

  @Test func aMissingFolderIsSaid() throws {
    let folder = try ScratchFolder()
    let failure = failure { try OutputFile(folder.path("none/a.json")).write([1]) }
    #expect(failure?.kind == .cannotCreate)
    #expect(failure?.path == folder.path("none/a.json"))
    #expect(try folder.names.isEmpty)
  }

  @Test func aNameTooLongIsSaid() throws {
    let folder = try ScratchFolder()
    let name = String(repeating: "n", count: 300)
    #expect(failure { try OutputFile(folder.path(name)).write([1]) }?.kind == .cannotCreate)
    #expect(try folder.names.isEmpty)
  }

  #if os(Linux)
  @Test func aFullDeviceIsAnErrorAndStaysADevice() {
    let failure = failure { try OutputFile("/dev/full").write([1]) }
    #expect(failure?.kind == .brokenWrite)
    #expect(failure?.reason == "No space left on device")
    #expect(FileManager.default.fileExists(atPath: "/dev/full"))
  }
  #endif

  /// A mark behind the slash belongs to the slash as a character, and to the name as a file.
  @Test func aNameMayBeginWithAMark() throws {
    let folder = try ScratchFolder()
    let path = folder.path("\u{301}x.csv")
    try OutputFile(path).write([1, 2, 3])
    #expect(try InputFile.read(path) { _ in 10 } == [1, 2, 3])
    #expect(try folder.names(in: "").count == 1)
  }
}
