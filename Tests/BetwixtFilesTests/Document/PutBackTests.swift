import Betwixt
import BetwixtFiles
import Foundation
import TestSupport
import Testing

/// An older copy is put in the place of a document that is open, and stays as it is.
@Suite("Copies that are put back") final class PutBackTests {
  private let machine = Machine(seed: 31)
  private let files = FileManager.default

  private var folder: String { machine.path("shared") }
  private var path: String { machine.path("rome.trip") }

  private func add(_ title: FieldValue, to reader: Reader) throws {
    reader.told(
      try reader.document.edit("Add") { list, me in
        try list.append(["title": title], by: &me)
      }.changes)
  }

  /// The document with a first item, and its bytes then; a second item is added since.
  private func document() throws -> (Reader, Data) {
    try files.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let here = try machine.open("rome.trip")
    try add("First", to: here)
    let older = try #require(files.contents(atPath: path))
    try add("Second", to: here)
    return (here, older)
  }

  private func titles(_ list: ReplicatedList) -> [FieldValue?] { list.map { $0["title"] } }

  private func expectFirstOnly(_ here: Reader) throws {
    #expect(here.isRight && titles(here.document.list) == ["First"])
    #expect(titles(try DocumentExamination(of: path).list) == ["First"])
  }

  @Test func aSyncWithAFolderBringsNothingBack() throws {
    let (here, older) = try document()
    try older.write(to: URL(fileURLWithPath: path))
    here.told(try here.document.sync(folder: folder).changes)
    try expectFirstOnly(here)
  }

  /// A slow folder: the copy comes while it is read.
  @Test func whatWasReadForANewerStateIsReadAnew() throws {
    let (here, older) = try document()
    let there = try Document.create(
      at: machine.path("there.trip"), settings: machine.settings,
      startingWith: here.document.list)
    var other = there
    try other.edit { list, me in try list.append(["title": "Third"], by: &me) }
    try other.sync(folder: folder)
    var exchange = try here.document.folderExchange(in: folder)
    var list = here.document.heldList
    let reading = try exchange.read(into: &list, admission: here.document.defaultAdmission)
    try older.write(to: URL(fileURLWithPath: path))
    let changes = try here.document.take(list, reading: reading, of: exchange.goneBackCount)
    #expect(changes == nil)
    here.told(try here.document.refresh())
    try expectFirstOnly(here)
    // What the folder holds comes all the same.
    here.told(try here.document.sync(folder: folder).changes)
    #expect(here.isRight && titles(here.document.list) == ["First", "Second", "Third"])
  }

  /// What another copy brings is taken in, and nothing else.
  @Test func aSyncWithAnotherCopyBringsWhatThatHolds() throws {
    let (here, older) = try document()
    try older.write(to: URL(fileURLWithPath: machine.path("older.trip")))
    var other = try Document.open(at: machine.path("older.trip"), settings: machine.settings)
    try other.edit { list, me in try list.append(["title": "Third"], by: &me) }
    try older.write(to: URL(fileURLWithPath: path))
    here.told(try here.document.sync(with: &other).changes)
    #expect(here.isRight && titles(here.document.list) == ["First", "Third"])
  }

  /// Whoever goes to and fro between branches writes as one and as the other, also into a folder.
  @Test func twoBranchesInAFolderHaveTwoWriters() throws {
    let (here, older) = try document()
    here.told(try here.document.sync(folder: folder).changes)
    var branches = [older, try #require(files.contents(atPath: path))]
    var writers: Set<ReplicaID> = []
    for round in 0..<8 {
      try branches[round % 2].write(to: URL(fileURLWithPath: path))
      here.told(try here.document.refresh())
      try add(.int64(Int64(round)), to: here)
      here.told(try here.document.sync(folder: folder).changes)
      let writer = here.document.writer
      writers.insert(try #require(writer))
      branches[round % 2] = try #require(files.contents(atPath: path))
    }
    let former = here.document.record?.former
    #expect(writers.count == 2 && former == [])
    #expect(here.isRight && here.document.list.count == 10)
    let directories = try files.contentsOfDirectory(
      atPath: "\(folder)/betwixt-1/\(here.document.id)")
    #expect(directories.count == 2)
  }
}
