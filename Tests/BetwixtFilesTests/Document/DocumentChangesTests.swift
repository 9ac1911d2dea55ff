import Betwixt
import BetwixtFiles
import BetwixtSync
import Foundation
import Synchronization
import TestSupport
import Testing

/// Whatever changes a document says what changed: who only applies that always has what is there.
@Suite struct DocumentChangesTests {
  /// Two programs with one file, a third with a copy, and a second machine, which share a folder.
  @Test(arguments: runsLong ? 1...40 : 1...4) func whatIsToldLeadsToWhatIsThere(seed: UInt64) throws
  {
    var random = SplitMix64(seed: seed)
    let here = Machine(seed: seed)
    let there = Machine(seed: seed + 1_000)
    let folder = here.path("shared")
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let first = try here.open("rome.trip")
    let list = first.document.list
    func open(_ path: String, _ settings: Document.Settings) throws -> Reader {
      Reader(try Document.openOrCreate(at: path, settings: settings, startingWith: list))
    }
    let readers = [
      first, try here.open("rome.trip"), try open(here.path("copy.trip"), here.settings),
      try open(there.path("rome.trip"), there.settings),
    ]
    var counts = [0, 0, 0, 0, 0, 0]
    for step in 0..<60 {
      let reader = readers[random.next(below: readers.count)]
      let choice = random.next(below: counts.count)
      counts[choice] += 1
      switch choice {
      case 0: if let turn = try reader.document.undo() { reader.told(turn.changes) }
      case 1: reader.told(try reader.document.refresh())
      case 2: reader.told(try reader.document.sync(folder: folder).changes)
      case 3:
        let other = readers[2]
        guard reader.document.path != other.document.path else { continue }
        let exchange = try reader.document.sync(with: &other.document)
        reader.told(exchange.changes)
        other.told(exchange.changesThere)
        #expect(other.isRight && reader.document.list.digest == other.document.list.digest)
      default: try reader.edit(&random)
      }
      #expect(reader.isRight, "seed \(seed), step \(step), operation \(choice)")
    }
    // Each has told its own by the first turn, and read the others' by the second.
    for reader in readers + readers {
      reader.told(try reader.document.sync(folder: folder).changes)
      #expect(reader.isRight)
    }
    #expect(Set(readers.map { $0.document.list.digest }).count == 1)
    #expect(counts.allSatisfy { $0 > 0 })
  }

  /// The edit that loses is named to the app, whatever way the other one came.
  @Test func whatLosesIsTold() throws {
    let here = Machine(seed: 1)
    let there = Machine(seed: 2)
    let mine = try here.open("rome.trip")
    let lunch = try mine.document.edit { list, me in
      try list.append(["title": "Lunch"], by: &me)
    }.value
    let theirs = Reader(
      try Document.openOrCreate(
        at: there.path("rome.trip"), settings: there.settings, startingWith: mine.document.list))
    for (reader, title) in [(mine, "Brunch"), (theirs, "Dinner")] {
      try reader.document.edit { list, me in
        try list.set("title", of: lunch, to: .string(title), by: &me)
      }
    }
    let exchange = try mine.document.sync(with: &theirs.document)
    #expect(exchange.changes.conflicts.count == 1)
    #expect(exchange.changes.conflicts.first?.item == lunch)
  }

  /// Also if another program wrote it into the document since this one has looked.
  @Test func whatLosesToAFolderIsTold() throws {
    let here = Machine(seed: 1)
    let there = Machine(seed: 2)
    let folder = here.path("shared")
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let mine = try here.open("rome.trip")
    let lunch = try mine.document.edit { list, me in
      try list.append(["title": "Lunch"], by: &me)
    }.value
    let beside = try here.open("rome.trip")
    let theirs = Reader(
      try Document.openOrCreate(
        at: there.path("rome.trip"), settings: there.settings, startingWith: mine.document.list))
    for (reader, title) in [(beside, "Brunch"), (theirs, "Dinner")] {
      try reader.document.edit { list, me in
        try list.set("title", of: lunch, to: .string(title), by: &me)
      }
    }
    try theirs.document.sync(folder: folder)
    let changes = try mine.document.sync(folder: folder).changes
    #expect(changes.conflicts.count == 1 && changes.conflicts.first?.item == lunch)
    // It is told once.
    #expect(try mine.document.sync(folder: folder).changes.conflicts.isEmpty)
    // What another copy in the folder brings loses, or makes something lose, as well.
    let more: [(Reader, String)] = [(mine, "Breakfast"), (theirs, "Supper")]
    for (reader, title) in more {
      try reader.document.edit { list, me in
        try list.set("title", of: lunch, to: .string(title), by: &me)
      }
    }
    try theirs.document.sync(folder: folder)
    #expect(try mine.document.sync(folder: folder).changes.conflicts.count == 1)
  }

  /// Two programs talk over pipes; what each tells leads to what it has.
  @Test func aSessionTellsWhatItChanged() throws {
    let here = Machine(seed: 11)
    let there = Machine(seed: 12)
    var random = SplitMix64(seed: 5)
    let mine = try here.open("rome.trip")
    let path = there.path("rome.trip")
    let theirs = Reader(
      try Document.openOrCreate(
        at: path, settings: there.settings, startingWith: mine.document.list))
    for _ in 0..<12 {
      try mine.edit(&random)
      try theirs.edit(&random)
    }
    let talk = try Self.talk(mine, with: path, there.settings)
    #expect(talk.ending.end == .finished)
    mine.told(talk.changes)
    #expect(mine.isRight && !talk.changes.isEmpty)
    theirs.told(try theirs.document.refresh())
    #expect(theirs.isRight && theirs.document.list.digest == mine.document.list.digest)
  }

  /// Also what loses to a write behind one that waits: no version claims it yet.
  @Test func aSessionTellsWhatLosesBehindAGap() throws {
    let here = Machine(seed: 21)
    let there = Machine(seed: 22)
    let mine = try here.open("rome.trip")
    let lunch = try mine.document.edit { list, me in
      try list.append(["title": "Lunch"], by: &me)
    }.value
    let ahead = Mutex<Int64>(400 * 86_400_000)
    var settings = there.settings
    settings.clock = { 1_780_000_000_001 + ahead.withLock { $0 } }
    let theirs = Reader(
      try Document.openOrCreate(
        at: there.path("rome.trip"), settings: settings, startingWith: mine.document.list))
    try theirs.document.edit { list, me in try list.append(["title": "Next year"], by: &me) }
    ahead.withLock { $0 = 0 }
    for (reader, title) in [(mine, "Brunch"), (theirs, "Dinner")] {
      try reader.document.edit { list, me in
        try list.set("title", of: lunch, to: .string(title), by: &me)
      }
    }
    let changes = try Self.talk(mine, with: there.path("rome.trip"), settings).changes
    #expect(mine.document.list.map { $0["title"]?.string } == ["Dinner"])
    #expect(changes.conflicts.map(\.item) == [lunch])
    #expect(!mine.document.list.version.covers(try #require(changes.conflicts.first).winner.dot))
  }

  /// Syncs with another program, which has a document of its own and ends with the session.
  private static func talk(
    _ mine: Reader, with path: String, _ settings: Document.Settings
  ) throws -> Document.Conversation {
    let (toMe, toThem) = (Pipe(), Pipe())
    let thread = Thread {
      do {
        var document = try Document.open(at: path, settings: settings)
        try document.sync(
          reading: toThem.fileHandleForReading.fileDescriptor,
          writing: toMe.fileHandleForWriting.fileDescriptor, as: "theirs")
      } catch {
        Issue.record(error)
      }
    }
    thread.start()
    defer { while !thread.isFinished { usleep(1_000) } }
    return try mine.document.sync(
      reading: toMe.fileHandleForReading.fileDescriptor,
      writing: toThem.fileHandleForWriting.fileDescriptor, as: "mine")
  }
}
