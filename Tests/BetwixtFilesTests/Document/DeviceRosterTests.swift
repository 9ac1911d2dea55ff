import Betwixt
import BetwixtSync
import Foundation
import TestSupport
import Testing

@testable import BetwixtFiles

/// Who was met over a document, and how long forgetting waits for them.
@Suite struct DeviceRosterTests {
  private static let day: Int64 = 86_400_000
  private static let now: Int64 = 1_780_000_000_000
  private static let (ann, ben) = (ReplicaID(rawValue: 7), ReplicaID(rawValue: 3))

  /// What was read somewhere may be old, and counts as news only if it is more than before.
  @Test func aDeviceIsSeenWhenItTellsSomethingNew() {
    var roster = DeviceRoster()
    let (ann, ben) = (Self.ann, Self.ben)
    func note(
      _ replica: ReplicaID, _ version: VersionVector, at time: Int64, isRead: Bool = false
    ) -> Bool {
      roster.note(replica, holds: version, at: time, isRead: isRead)
    }
    #expect(note(ann, [ann: 4], at: 100, isRead: true))
    #expect(note(ben, [ann: 2], at: 100))
    #expect(roster.devices.map(\.replica) == [ben, ann] && roster.devices.map(\.seen) == [100, 0])
    #expect(!note(ann, [ann: 3], at: 200, isRead: true))
    #expect(roster.devices(seenSince: 1).map(\.replica) == [ben])
    #expect(note(ann, [ben: 1], at: 300, isRead: true))
    #expect(roster.devices(seenSince: 300).map(\.version) == [[ann: 4, ben: 1]])
    #expect(note(ben, [:], at: 400))
    #expect(roster.devices(seenSince: 301).map(\.seen) == [400])
  }

  /// Whatever is cut or flipped is no roster, and no trap.
  @Test func damagedBytesAreRefused() throws {
    var roster = DeviceRoster()
    roster.note(Self.ann, holds: [Self.ann: 4, Self.ben: 1 << 40], at: Self.now)
    roster.note(Self.ben, holds: [:], at: 5)
    let bytes = roster.bytes
    #expect(try DeviceRoster(bytes) == roster)
    for index in bytes.indices {
      #expect(throws: (any Error).self) { try DeviceRoster(Array(bytes[..<index])) }
      var flipped = bytes
      flipped[index] ^= 0x10
      #expect(throws: (any Error).self) { try DeviceRoster(flipped) }
    }
  }

  /// Those that were seen last are kept, so that a folder full of strangers fills nothing.
  @Test func aRosterHasAnEnd() throws {
    var roster = DeviceRoster()
    for number in 1...1_100 {
      roster.note(ReplicaID(rawValue: UInt64(number)), holds: [:], at: Int64(number))
    }
    let kept = try DeviceRoster(roster.bytes).devices
    #expect(kept.count == 1_024 && kept.first?.seen == 77 && kept.last?.seen == 1_100)
  }

  /// What devices hold may be long: what would not be read again is not written.
  @Test func aRosterFitsIntoItsFile() throws {
    var roster = DeviceRoster()
    var version = VersionVector()
    for number in 1...2_000 { version[ReplicaID(rawValue: UInt64(number))] = 1 << 40 }
    for number in 1...600 {
      roster.note(ReplicaID(rawValue: UInt64(number)), holds: version, at: Int64(number))
    }
    let bytes = roster.bytes
    let kept = try DeviceRoster(bytes).devices
    #expect(bytes.count <= DeviceRoster.sizeLimit && kept.last?.seen == 600)
    #expect((100..<600).contains(kept.count))
  }

  /// A clock that once stood in the year 2100 keeps nobody for ever who is gone.
  @Test func timesThatAreYetToComeSayNothing() throws {
    var clock = Self.now + 75 * 365 * Self.day
    var roster = DeviceRoster()
    roster.note(Self.ann, holds: [Self.ann: 1], at: clock)
    roster.note(Self.ben, holds: [Self.ben: 1], at: clock)
    clock = Self.now
    roster.note(Self.ben, holds: [Self.ben: 2], at: clock, isRead: true)
    // Ann's own clock is as wrong.
    var list = ReplicatedList(id: ListID(high: 1, low: 1))
    var me = Replica(id: Self.ann) { Self.now + 75 * 365 * Self.day }
    try list.append(["title": "Lunch"], by: &me)
    roster.note(writesIn: list, until: clock)
    #expect(roster.devices.map(\.seen) == [Self.now, 0])
  }

  /// A removal that a device in the folder has not acknowledged stays whole until it has, or until
  /// that device was not heard of for 90 days.
  @Test func forgettingWaitsForWhoWritesIntoTheFolder() throws {
    let here = Machine(seed: 21)
    let there = Machine(seed: 22)
    let folder = here.path("shared")
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let mine = try here.open("rome.trip")
    let (lunch, _) = try mine.document.edit { list, me in
      try list.append(["title": "Lunch"], by: &me)
    }
    let (original, copy) = (here.path("rome.trip"), there.path("rome.trip"))
    try FileManager.default.copyItem(atPath: original, toPath: copy)
    let other = try there.open("rome.trip")
    try other.document.edit { list, me in try list.append(["title": "Walk"], by: &me) }
    try other.document.sync(folder: folder)
    try mine.document.sync(folder: folder)
    try mine.document.edit { list, me in try list.remove(lunch, by: &me) }
    let all = mine.document.list.version
    let soon = Timestamp(milliseconds: Self.now + 60_000)
    func polite(since days: Int64) -> Document.PoliteFloor {
      mine.document.politeFloor(olderThan: soon, seenSince: Self.now - days * Self.day)
    }
    let waiting = polite(since: 90)
    #expect(waiting.waitsFor.map(\.replica) == [other.document.writer])
    #expect(waiting.floor != all && all.covers(waiting.floor))
    var list = mine.document.list
    #expect(list.forget(below: waiting.floor) == 0)
    // Nobody who was seen so lately.
    let alone = mine.document.politeFloor(olderThan: soon, seenSince: Self.now + 1)
    #expect(alone.floor == all && alone.waitsFor.isEmpty)
    // The other device reads it, and says so with the next thing that it writes.
    try mine.document.sync(folder: folder)
    try other.document.sync(folder: folder)
    try other.document.edit { list, me in try list.append(["title": "Tea"], by: &me) }
    try other.document.sync(folder: folder)
    try mine.document.sync(folder: folder)
    let done = polite(since: 90)
    #expect(done.waitsFor.isEmpty && done.floor == mine.document.list.version)
    let forgotten = try mine.document.forget(below: done.floor)
    #expect(forgotten.registerCount == 2)
  }

  /// Whoever said that a device is gone does not wait for it; it is met again if it comes back.
  @Test func aDeviceWhoseFilesAreAbsorbedIsNotWaitedFor() throws {
    let here = Machine(seed: 24)
    let there = Machine(seed: 25)
    let folder = here.path("shared")
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let mine = try here.open("rome.trip")
    try mine.document.edit { list, me in try list.append(["title": "Lunch"], by: &me) }
    try FileManager.default.copyItem(
      atPath: here.path("rome.trip"), toPath: there.path("rome.trip"))
    let other = try there.open("rome.trip")
    try other.document.edit { list, me in try list.append(["title": "Walk"], by: &me) }
    try other.document.sync(folder: folder)
    try mine.document.sync(folder: folder)
    try mine.document.edit { list, me in try list.append(["title": "Tea"], by: &me) }
    func waitsFor() -> [ReplicaID] {
      mine.document.politeFloor(
        olderThan: Timestamp(milliseconds: Self.now + 60_000), seenSince: 0
      ).waitsFor.map(\.replica)
    }
    let writer = other.document.writer
    let gone = try #require(writer)
    #expect(waitsFor() == [gone])
    let sync = try mine.document.sync(folder: folder, absorbing: [gone])
    #expect(sync.absorbedCount == 1 && waitsFor().isEmpty)
    #expect(try mine.document.sync(folder: folder, absorbing: [gone]).absorbedCount == 0)
    try other.document.edit { list, me in try list.append(["title": "Home"], by: &me) }
    try other.document.sync(folder: folder)
    try mine.document.edit { list, me in try list.append(["title": "Late"], by: &me) }
    try mine.document.sync(folder: folder)
    #expect(mine.document.list.count == 5 && waitsFor() == [gone])
  }

  /// Somebody with whom a session has ended equal has acknowledged all of it.
  @Test func aSessionTellsWhatThePeerHolds() throws {
    let machine = Machine(seed: 23)
    let mine = try machine.open("rome.trip")
    try mine.document.edit { list, me in try list.append(["title": "Lunch"], by: &me) }
    let version = mine.document.list.version
    mine.document.noteDevices(in: [.met(Self.ann, holding: version)])
    let soon = Timestamp(milliseconds: Self.now + 60_000)
    #expect(mine.document.politeFloor(olderThan: soon, seenSince: 0).waitsFor.isEmpty)
    try mine.document.edit { list, me in try list.append(["title": "Tea"], by: &me) }
    let later = mine.document.politeFloor(olderThan: soon, seenSince: Self.now)
    #expect(later.waitsFor.map(\.replica) == [Self.ann] && later.floor == version)
    // It is kept for the next run.
    let again = try machine.open("rome.trip")
    #expect(again.document.politeFloor(olderThan: soon, seenSince: Self.now) == later)
  }
}
