import Betwixt
import Foundation
import TestSupport
import Testing

@testable import BetwixtFiles

/// What an operation has taken in before it failed is told by the next one, with all that lost.
@Suite struct UntoldChangesTests {
  /// Two documents on one drive, with a folder between them; both have renamed one item.
  private struct Desk {
    let disk = SimulatedDisk()
    let mine: Reader
    let theirs: Reader
    private let random = SharedRandom(seed: 3)

    init() throws {
      for directory in ["/mine", "/theirs", "/shared"] {
        try disk.makeDirectory(directory, for: .anybody)
      }
      mine = Reader(try Self.open("/mine", disk, random))
      let (item, changes) = try mine.document.edit { list, me in
        try list.append(["title": "Lunch"], by: &me)
      }
      mine.told(changes)
      theirs = Reader(try Self.open("/theirs", disk, random, startingWith: mine.document.list))
      for (reader, title) in [(mine, "Brunch"), (theirs, "Dinner")] {
        reader.told(
          try reader.document.edit { list, me in
            try list.set("title", of: item, to: .string(title), by: &me)
            try list.append(["title": .string(title)], by: &me)
          }.changes)
      }
    }

    private static func open(
      _ root: String, _ disk: SimulatedDisk, _ random: SharedRandom,
      startingWith list: ReplicatedList? = nil
    ) throws -> Document {
      var settings = Document.Settings(
        stateDirectory: "\(root)/state", clock: { 1_780_000_000_000 }, random: { random.next() })
      settings.file.fileSystem = disk
      return try Document.openOrCreate(
        at: "\(root)/rome.trip", settings: settings, startingWith: list)
    }
  }

  /// What was told to one of the two.
  private struct Told: Hashable {
    let isMine: Bool
    let item: ItemID
  }

  /// Does something on a drive of which one call after the other fails, then an edit, then the same
  /// again: what was told leads to what is there at each time, and what loses is told once.
  private func check(
    _ operation: (borrowing Desk) throws(Document.Failure) -> [(Reader, ListChanges)]
  ) throws {
    func run(failing call: Int?) throws -> (told: [Told], isOver: Bool) {
      let desk = try Desk()
      var told: [Told] = []
      func tell(_ reader: Reader, _ changes: ListChanges) {
        reader.told(changes)
        #expect(reader.isRight, "call \(call ?? 0)")
        told += changes.conflicts.map { Told(isMine: reader === desk.mine, item: $0.item) }
      }
      if let call { desk.disk.faults.failingCall = desk.disk.callCount + call }
      do throws(Document.Failure) {
        for (reader, changes) in try operation(desk) { tell(reader, changes) }
      } catch {
        #expect(desk.mine.isRight && desk.theirs.isRight, "call \(call ?? 0)")
      }
      let isOver = desk.disk.callCount < desk.disk.faults.failingCall ?? 0
      desk.disk.faults.failingCall = nil
      for reader in [desk.mine, desk.theirs] {
        // Where there is no step nothing is told.
        if try reader.document.undo() != nil { Issue.record("there is a step") }
        tell(
          reader,
          try reader.document.edit { list, me in
            try list.append(["title": "Walk"], by: &me)
          }.changes)
      }
      for (reader, changes) in try operation(desk) { tell(reader, changes) }
      return (told, isOver)
    }
    let whole = try run(failing: nil).told
    #expect(!whole.isEmpty)
    for call in 1...1_000 {
      let (told, isOver) = try run(failing: call)
      #expect(told.count == Set(told).count, "call \(call): told twice")
      // Who merges first is told, which may be the other one now.
      #expect(Set(told.map(\.item)) == Set(whole.map(\.item)), "call \(call)")
      if isOver { return }
    }
    Issue.record("the operation has no end")
  }

  @Test func ofTwoDocuments() throws {
    try check { (desk) throws(Document.Failure) in
      let exchange = try desk.mine.document.sync(with: &desk.theirs.document)
      return [(desk.mine, exchange.changes), (desk.theirs, exchange.changesThere)]
    }
  }

  @Test func ofAFolder() throws {
    try check { (desk) throws(Document.Failure) in
      var told: [(Reader, ListChanges)] = []
      for reader in [desk.theirs, desk.mine] {
        told.append((reader, try reader.document.sync(folder: "/shared").changes))
      }
      return told
    }
  }

  /// What another program has written is told also by forgetting.
  @Test func ofForgetting() throws {
    let machine = Machine(seed: 4)
    let (mine, beside) = (try machine.open("rome.trip"), try machine.open("rome.trip"))
    let lunch = try mine.document.edit { list, me in
      try list.append(["title": "Lunch"], by: &me)
    }
    mine.told(lunch.changes)
    mine.told(try mine.document.edit { list, me in try list.remove(lunch.value, by: &me) }.changes)
    try beside.document.edit { list, me in try list.append(["title": "Dinner"], by: &me) }
    let forgotten = try mine.document.forget(below: mine.document.list.version)
    mine.told(forgotten.changes)
    #expect(forgotten.registerCount > 0 && mine.isRight)
    #expect(mine.document.list.count == 1 && forgotten.changes.inserted.count == 1)
  }
}
