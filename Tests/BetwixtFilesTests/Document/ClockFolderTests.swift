import Betwixt
import BetwixtFiles
import Foundation
import Synchronization
import TestSupport
import Testing

/// A shared folder, and devices whose clocks were wrong for a while, either way: nothing that is ahead of
/// the own clock goes in, and nothing is lost.
@Suite struct ClockFolderTests {
  private static let year: Int64 = 365 * 86_400_000

  private let directory = ScratchDirectory()
  private let random = SharedRandom(seed: 7)
  private let time = SharedTime()
  private let folder: String

  init() throws {
    folder = "\(directory.path)/shared"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
  }

  /// A device whose clock is wrong by some time.
  private final class Device {
    let name: String
    let wrong = SharedTime(0)
    var reader: Reader

    init(_ name: String, _ reader: (SharedTime) throws -> Reader) rethrows {
      self.name = name
      self.reader = try reader(wrong)
    }

    var titles: [FieldValue?] { reader.document.list.map { $0["title"] } }

    func add(_ title: String) throws -> ItemID {
      try reader.document.edit { list, me in
        try list.append(["title": .string(title)], by: &me)
      }.value
    }

    func set(_ title: String, of item: ItemID) throws {
      try reader.document.edit { list, me in
        try list.set("title", of: item, to: .string(title), by: &me)
      }
    }
  }

  private func open(
    _ name: String, wrong: SharedTime, startingWith list: ReplicatedList? = nil
  ) throws -> Reader {
    let settings = Document.Settings(
      stateDirectory: "\(directory.path)/state-\(name)",
      clock: { [time] in time.now + wrong.now }, random: { [random] in random.next() })
    return Reader(
      try Document.openOrCreate(
        at: "\(directory.path)/\(name).trip", settings: settings, startingWith: list))
  }

  private func device(_ name: String, startingWith list: ReplicatedList? = nil) throws -> Device {
    try Device(name) { try open(name, wrong: $0, startingWith: list) }
  }

  /// Another program goes on with the document.
  private func reopen(_ device: Device) throws {
    device.reader = try open(device.name, wrong: device.wrong)
  }

  @discardableResult
  private func sync(_ device: Device) throws -> Document.FolderSync {
    time.now += 1_000
    return try device.reader.document.sync(folder: folder)
  }

  /// Two devices with an item each, which have met in the folder.
  private func pair() throws -> (here: Device, there: Device, lunch: ItemID) {
    let here = try device("here")
    let lunch = try here.add("Lunch")
    let there = try device("there", startingWith: here.reader.document.list)
    _ = try there.add("Walk")
    for device in [here, there, here] { try sync(device) }
    return (here, there, lunch)
  }

  /// Everybody ends with the same, and somebody new too.
  private func expectAgreement(_ devices: [Device], _ titles: [FieldValue?]) throws {
    for device in devices + devices { try sync(device) }
    let id = devices[0].reader.document.id
    let newcomer = try device("new", startingWith: ReplicatedList(id: id))
    let reading = try sync(newcomer).reading
    #expect(reading.withheld.isEmpty && reading.pending.isEmpty)
    for device in devices + [newcomer] {
      #expect(device.titles == titles, "\(device.name)")
      #expect(device.reader.document.list.digest == newcomer.reader.document.list.digest)
      #expect(device.reader.document.list.version == newcomer.reader.document.list.version)
    }
  }

  @Test(arguments: [false, true]) func whatIsAheadOfTheOwnClockStaysHere(isMended: Bool) throws {
    let (here, there, lunch) = try pair()
    here.wrong.now = Self.year
    try here.set("Brunch", of: lunch)
    here.wrong.now = 0
    _ = try here.add("Later")
    let first = try sync(here)
    #expect(first.heldBack.map(\.entry.item) == [lunch] && first.writtenCount == 1)
    // It makes no file each time, and nobody else meets it.
    for _ in 0..<2 { #expect(try sync(here).writtenCount == 0) }
    let other = try sync(there)
    #expect(other.reading.withheld.isEmpty && there.titles == ["Lunch", "Walk", "Later"])
    // What was not put in is claimed by nobody.
    #expect(!there.reader.document.list.version.covers(here.reader.document.list.version))
    if isMended {
      try here.reader.document.repairClock()
      try sync(here)
      try sync(there)
      try there.set("Soup", of: lunch)
    }
    time.now += 2 * Self.year
    try expectAgreement([here, there], [isMended ? "Soup" : "Brunch", "Walk", "Later"])
  }

  /// Everything is in the future then, and all of it was published before.
  @Test func aClockThatFellBackHoldsNewsBackAndTakesNothingOut() throws {
    let (here, there, lunch) = try pair()
    here.wrong.now = -3 * Self.year
    try reopen(here)
    try here.set("Brunch", of: lunch)
    _ = try here.add("Old")
    let behind = try sync(here)
    #expect(behind.heldBack.map(\.entry.item) == [lunch] && behind.reading.withheld.isEmpty)
    #expect(behind.removedCount == 0)
    #expect(throws: (any Error).self) { try here.reader.document.repairClock() }
    #expect(here.reader.document.writesAhead().doubt == .othersAreAhead)
    try sync(there)
    _ = try there.add("New")
    try sync(there)
    #expect(try sync(here).reading.withheld.count == 1)
    here.wrong.now = 0
    let right = try sync(here)
    #expect(right.reading.withheld.isEmpty && right.heldBack.isEmpty)
    for device in [there, here] { try sync(device) }
    let titles = Set(here.titles.map { $0 ?? "" })
    #expect(titles == ["Brunch", "Walk", "Old", "New"])
    try expectAgreement([here, there], here.titles)
  }

  @Test func aClockThatFellBackIsDoubted() throws {
    // Nothing was ever written when it shows.
    let alone = try device("alone")
    let item = try alone.add("Lunch")
    alone.wrong.now = -3 * Self.year
    #expect(alone.reader.document.writesAhead().doubt == .allIsAhead)
    #expect(throws: (any Error).self) { try alone.reader.document.repairClock() }
    #expect(alone.titles == ["Lunch"])
    _ = try alone.add("Old")
    #expect(alone.reader.document.writesAhead().doubt == nil)
    // Somebody else has said to hold what is ahead.
    alone.wrong.now = 0
    let other = try device("other", startingWith: alone.reader.document.list)
    try other.set("Brunch", of: item)
    for device in [alone, other, alone] { try sync(device) }
    try alone.set("Dinner", of: item)
    alone.wrong.now = -3 * Self.year
    #expect(alone.reader.document.writesAhead().doubt == .othersHaveThem)
    // Who knows better can say so.
    #expect(try !alone.reader.document.repairClock(force: true).writes.own.isEmpty)
    #expect(alone.reader.document.writesAhead().own.isEmpty)
  }
}

/// A time that is set.
private final class SharedTime: Sendable {
  private let value: Mutex<Int64>
  init(_ value: Int64 = 1_780_000_000_000) { self.value = Mutex(value) }
  var now: Int64 {
    get { value.withLock { $0 } }
    set { value.withLock { $0 = newValue } }
  }
}
