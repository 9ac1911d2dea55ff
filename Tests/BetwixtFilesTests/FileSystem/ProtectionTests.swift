import Betwixt
import Foundation
import TestSupport
import Testing

@testable import BetwixtFiles

/// Who may read a document, however often it is written anew.
struct ProtectionTests {
  private let scratch = ScratchDirectory()
  private let drive = PosixFileSystem()

  private func path(_ name: String) -> String { scratch.path + "/" + name }

  private func mode(_ name: String) throws -> Int? {
    try FileManager.default.attributesOfItem(atPath: path(name))[.posixPermissions] as? Int
  }

  private func settings() -> Document.Settings {
    let random = SharedRandom(seed: 3)
    return Document.Settings(
      stateDirectory: path("state"), clock: { 1_777_000_000_000 }, random: { random.next() })
  }

  /// A family's list that its owner has closed to others must not become readable by growing.
  @Test(arguments: [0o600, 0o640, 0o664]) func writingAnewKeepsTheRights(_ rights: Int) throws {
    let settings = settings()
    _ = try Document.create(at: path("d.trip"), settings: settings)
    try FileManager.default.setAttributes(
      [.posixPermissions: rights], ofItemAtPath: path("d.trip"))
    for number in 0..<40 {
      var document = try Document.open(at: path("d.trip"), settings: settings)
      try document.edit { (list, me) throws(EditFailure) in
        try list.append(["note": .string(String(repeating: "\(number) ", count: 3_000))], by: &me)
      }
    }
    let names = try FileManager.default.contentsOfDirectory(atPath: scratch.path)
    #expect(names.sorted() == ["d.trip", "d.trip.lock", "d.trip.previous", "state"])
    for name in names where name != "state" { #expect(try mode(name) == rights, "\(name)") }
    #expect(try mode("state") == 0o700)
  }

  /// What can be taken back holds what a document held, in a folder that may have been there before.
  @Test func stepsAreTheirOwnersAlone() throws {
    try FileManager.default.createDirectory(
      atPath: path("state"), withIntermediateDirectories: false,
      attributes: [.posixPermissions: 0o755])
    var document = try Document.create(at: path("d.trip"), settings: settings())
    try document.edit("Add") { (list, me) throws(EditFailure) in
      try list.append(["note": "conf-123"], by: &me)
    }
    let folder = try #require(
      try FileManager.default.contentsOfDirectory(atPath: path("state")).first)
    #expect(try mode("state/\(folder)/undo") == 0o600)
  }

  /// Nobody opens a file that is still empty and reads later what comes into it.
  @Test func aFileIsMadeForNobodyElse() throws {
    let file = try drive.open(path("a"), mode: .creatingPrivately)
    defer { drive.close(file) }
    #expect(try mode("a") == 0o600)
    let other = try drive.open(path("b"), mode: .creating)
    defer { drive.close(other) }
    try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: path("b"))
    drive.protect(file, like: other)
    #expect(try mode("a") == 0o640)
    // A file with a second name may be anybody's.
    try drive.link(path("a"), to: path("c"))
    try FileManager.default.setAttributes([.posixPermissions: 0o666], ofItemAtPath: path("b"))
    drive.protect(file, like: other)
    #expect(try mode("a") == 0o640)
  }

  /// Several accounts share a folder, each with rights of its own for new files.
  @Test(arguments: [(0o777, 0o644), (0o770, 0o640), (0o755, 0o644), (0o700, 0o600)])
  func aSharedFolderLetsInWhomItsRootLetsIn(_ root: Int, _ file: Int) throws {
    try FileManager.default.createDirectory(
      atPath: path("shared"), withIntermediateDirectories: false)
    try FileManager.default.setAttributes([.posixPermissions: root], ofItemAtPath: path("shared"))
    var document = try Document.create(at: path("d.trip"), settings: settings())
    try document.edit { (list, me) throws(EditFailure) in
      try list.append(["title": "Dinner"], by: &me)
    }
    try document.sync(folder: path("shared"))
    let found = try #require(FileManager.default.enumerator(atPath: path("shared")))
    let names = found.compactMap { $0 as? String }
    #expect(names.count == 4)
    for name in names {
      #expect(try mode("shared/\(name)") == (name.hasSuffix(".segment") ? file : root), "\(name)")
    }
  }

  @Test func whatIsRecoveredIsAsPrivate() throws {
    let settings = settings()
    _ = try Document.create(at: path("d.trip"), settings: settings)
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path("d.trip"))
    let examination = try DocumentExamination(of: path("d.trip"))
    try examination.salvage(to: path("r.trip"), settings: settings.file, like: path("d.trip"))
    #expect(try mode("r.trip") == 0o600)
    try examination.salvage(to: path("s.trip"), settings: settings.file, like: path("none"))
    #expect(try mode("s.trip") != 0o600)
  }

  @Test func aFileThatIsReplacedKeepsItsRights() throws {
    try drive.create(path("a"), holding: [1], like: nil)
    try FileManager.default.setAttributes([.posixPermissions: 0o604], ofItemAtPath: path("a"))
    try drive.replace(path("a"), with: [2], temporary: path("b"))
    #expect(try mode("a") == 0o604)
    #expect(try drive.contents(of: path("a"), limit: 1) == [2])
  }
}
