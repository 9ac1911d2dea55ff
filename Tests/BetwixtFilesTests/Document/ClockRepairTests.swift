import Betwixt
import BetwixtFiles
import Foundation
import Synchronization
import TestSupport
import Testing

/// A device whose clock was a year ahead for a while: its user is told, others get what they can, and
/// one call mends the rest.
@Suite struct ClockRepairTests {
  private static let today: Int64 = 1_780_000_000_000
  private static let year: Int64 = 365 * 86_400_000

  private let directory = ScratchDirectory()
  private let random = SharedRandom(seed: 5)
  private let clock = Clock(ClockRepairTests.today)

  private func open(_ name: String, startingWith list: ReplicatedList? = nil) throws -> Reader {
    let settings = Document.Settings(
      stateDirectory: "\(directory.path)/state-\(name)", clock: { [clock] in clock.now },
      random: { [random] in random.next() })
    return Reader(
      try Document.openOrCreate(
        at: "\(directory.path)/\(name).trip", settings: settings, startingWith: list))
  }

  private func set(_ title: String, of item: ItemID, in reader: Reader) throws {
    try reader.document.edit { list, me in
      try list.set("title", of: item, to: .string(title), by: &me)
    }
  }

  /// A shared item with a title of next year, another item that was written since, and the two copies.
  private func spoil() throws -> (here: Reader, there: Reader, lunch: ItemID) {
    let here = try open("here")
    let lunch = try here.document.edit { list, me in
      try list.append(["title": "Lunch"], by: &me)
    }.value
    let there = try open("there", startingWith: here.document.list)
    clock.now = Self.today + Self.year
    try set("Brunch", of: lunch, in: here)
    clock.now = Self.today
    try here.document.edit { list, me in
      try list.append(["title": "Later"], by: &me)
    }
    return (here, there, lunch)
  }

  @Test(arguments: [true, false]) func aClockThatWasAheadIsMended(byFolder: Bool) throws {
    let folder = "\(directory.path)/shared"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let (here, there, lunch) = try spoil()
    func exchange() throws {
      guard byFolder else {
        try here.document.sync(with: &there.document)
        return
      }
      try here.document.sync(folder: folder)
      try there.document.sync(folder: folder)
      try here.document.sync(folder: folder)
    }
    func titles(_ reader: Reader) -> [FieldValue?] { reader.document.list.map { $0["title"] } }
    try exchange()
    // What is not ahead arrives, and who was ahead is told, once.
    #expect(titles(there) == ["Lunch", "Later"] && titles(here) == ["Brunch", "Later"])
    #expect(here.document.takeNotices() == [.writesAhead(1)])
    try exchange()
    #expect(here.document.takeNotices().isEmpty && there.document.takeNotices().isEmpty)
    // Writing it again with a right clock does not help by itself: it follows one of next year.
    try set("Brunch!", of: lunch, in: here)
    try exchange()
    #expect(titles(there) == ["Lunch", "Later"])
    #expect(here.document.writesAhead().own.map(\.entry.item) == [lunch])
    // Not in the very millisecond of what was there before: then the ids decide.
    clock.now += 1
    let (writes, changes) = try here.document.repairClock()
    #expect(writes.own.count == 1 && writes.others.isEmpty && changes.isEmpty)
    #expect(here.document.writesAhead().isEmpty)
    let isKept = here.document.takeNotices().contains { notice in
      guard case .kept(let path) = notice else { return false }
      return path.hasSuffix("/here.trip.replaced-1")
    }
    #expect(isKept)
    try exchange()
    try exchange()
    #expect(titles(there) == ["Brunch!", "Later"] && titles(here) == ["Brunch!", "Later"])
    #expect(here.document.list.digest == there.document.list.digest)
    try set("Soup", of: lunch, in: there)
    try exchange()
    #expect(titles(here) == ["Soup", "Later"])
    // There is nothing to mend any more.
    #expect(try here.document.repairClock().writes.isEmpty)
  }

  /// What was written here before an older copy was put back was written here all the same.
  @Test func whatWasWrittenBeforeTheFileWentBackIsMended() throws {
    let (path, files) = ("\(directory.path)/here.trip", FileManager.default)
    clock.now = Self.today + Self.year
    let here = try open("here")
    func add(_ title: FieldValue) throws {
      try here.document.edit { list, me in try list.append(["title": title], by: &me) }
    }
    try add("Lunch")
    let older = try #require(files.contents(atPath: path))
    try add("Dinner")
    try older.write(to: URL(fileURLWithPath: path))
    try here.document.refresh()
    clock.now = Self.today
    try add("Later")
    let notices = here.document.takeNotices()
    #expect(notices.contains { if case .newWriter = $0 { true } else { false } })
    let writes = here.document.writesAhead()
    #expect(!writes.own.isEmpty && writes.others.isEmpty)
    // All that was there before is ahead: it may be the clock that is wrong.
    #expect(writes.doubt == .allIsAhead)
    #expect(try here.document.repairClock(force: true).writes.others.isEmpty)
    #expect(here.document.writesAhead().isEmpty)
    #expect(here.document.list.map { $0["title"] } == ["Lunch", "Later"])
  }

  /// A write that was mended is still the one that its step made.
  @Test func whatWasMendedCanBeTakenBack() throws {
    let here = try open("here")
    let lunch = try here.document.edit { list, me in
      try list.append(["title": "Lunch"], by: &me)
    }.value
    clock.now = Self.today + Self.year
    try here.document.edit("rename") { list, me in
      try list.set("title", of: lunch, to: "Brunch", by: &me)
    }
    try here.document.edit("remove") { list, me in try list.remove(lunch, by: &me) }
    clock.now = Self.today
    try #expect(!here.document.repairClock().writes.own.isEmpty)
    for title in ["Brunch", "Lunch"] as [FieldValue] {
      let result = try here.document.undo()?.result
      #expect(result?.isWhole == true)
      #expect(here.document.list[id: lunch]?["title"] == title)
      #expect(here.document.list.count == 1 && here.document.writesAhead().isEmpty)
    }
    try here.document.redo()
    #expect(here.document.list[id: lunch]?["title"] == "Brunch")
  }

  /// What others have written ahead of time is named, and left alone.
  @Test func writesOfOthersAreLeftAlone() throws {
    let (here, there, lunch) = try spoil()
    try there.document.merge(here.document.list)
    let found = there.document.writesAhead()
    #expect(found.own.isEmpty && found.others.map(\.entry.item) == [lunch])
    let list = there.document.list
    #expect(try there.document.repairClock().writes == found)
    #expect(there.document.list == list && there.document.list[id: lunch]?["title"] == "Brunch")
  }
}

/// A clock that is set.
private final class Clock: Sendable {
  private let time: Mutex<Int64>
  init(_ time: Int64) { self.time = Mutex(time) }
  var now: Int64 {
    get { time.withLock { $0 } }
    set { time.withLock { $0 = newValue } }
  }
}
