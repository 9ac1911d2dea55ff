import Betwixt
import BetwixtFiles
import Foundation
import Synchronization
import TestSupport
import Testing

/// A shared folder, and devices whose clocks were wrong for a while, either way.
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

  @discardableResult
  private func sync(_ device: Device) throws -> Document.FolderSync {
    time.now += 1_000
    return try device.reader.document.sync(folder: folder)
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
