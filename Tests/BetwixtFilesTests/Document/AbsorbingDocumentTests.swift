import Betwixt
import BetwixtSync
import Foundation
import TestSupport
import Testing

@testable import BetwixtFiles

/// A document that takes the files of a device out of a folder, whatever happens meanwhile.
@Suite struct AbsorbingDocumentTests {
  /// Two devices with a folder between them, on one drive; both have synced.
  private struct Desk {
    static let now: Int64 = 1_780_000_000_000
    let disk = SimulatedDisk()
    let mine: Reader
    let gone: ReplicaID
    var theirFiles: [String] = []

    init(goneBy clock: Int64 = Desk.now) throws {
      for directory in ["/mine", "/theirs", "/shared"] {
        try disk.makeDirectory(directory, for: .anybody)
      }
      mine = Reader(try Desk.open("/mine", disk, clock: Desk.now))
      try mine.document.edit { list, me in try list.append(["title": "Lunch"], by: &me) }
      try mine.document.sync(folder: "/shared")
      let theirs = Reader(
        try Desk.open("/theirs", disk, clock: clock, startingWith: mine.document.list))
      try theirs.document.edit { list, me in try list.append(["title": "Walk"], by: &me) }
      try theirs.document.sync(folder: "/shared")
      let writer = theirs.document.writer
      gone = try #require(writer)
      theirFiles = try files(of: gone)
    }

    static func open(
      _ root: String, _ disk: SimulatedDisk, clock: Int64,
      startingWith list: ReplicatedList? = nil
    ) throws -> Document {
      let random = SharedRandom(seed: root == "/mine" ? 3 : 4)
      var settings = Document.Settings(
        stateDirectory: "\(root)/state", clock: { clock }, random: { random.next() })
      settings.file.fileSystem = disk
      return try Document.openOrCreate(
        at: "\(root)/rome.trip", settings: settings, startingWith: list)
    }

    func files(of writer: ReplicaID) throws -> [String] {
      let directory = "/shared/betwixt-1/\(mine.document.id)/\(writer)"
      return (try? disk.list(directory))?.map { "\(directory)/\($0)" } ?? []
    }

    var waitsFor: [ReplicaID] {
      mine.document.politeFloor(
        olderThan: Timestamp(milliseconds: Desk.now + 60_000), seenSince: 0
      ).waitsFor.map(\.replica)
    }
  }

  /// A process is killed at any call: once a file of the other has gone, the own ones are known to be
  /// own ones.
  @Test func whoIsKilledWhileFilesGoKeepsItsId() throws {
    var (call, cut) = (0, 0)
    while true {
      call += 1
      let desk = try Desk()
      let writer = desk.mine.document.writer
      let last = desk.disk.callCount + call
      desk.disk.faults.crashingCall = last
      _ = try? desk.mine.document.sync(folder: "/shared", absorbing: [desk.gone])
      let after = SimulatedDisk(desk.disk.drive.crashed { .whole })
      if desk.theirFiles.contains(where: { after.bytes($0) == nil }) {
        cut += 1
        let again = Reader(try Desk.open("/mine", after, clock: Desk.now))
        let sync = try again.document.sync(folder: "/shared")
        #expect(sync.reading.evidence == nil, "call \(call)")
        #expect(again.document.writer == writer && again.document.list.count == 2, "call \(call)")
      }
      if desk.disk.callCount < last { break }
    }
    #expect(cut > 0 && call > 40)
  }

  /// Whoever tries it each night, where it cannot be done, fills no drive.
  @Test func whereNothingMayGoNothingIsPutIn() throws {
    let desk = try Desk()
    let writer = desk.mine.document.writer
    let me = try #require(writer)
    _ = try desk.mine.document.sync(folder: "/shared")
    let before = try desk.files(of: me)
    for night in 1...3 {
      desk.disk.faults.keptPath = "/\(desk.gone)/"
      #expect(throws: Document.Failure.self) {
        try desk.mine.document.sync(folder: "/shared", absorbing: [desk.gone])
      }
      #expect(try desk.files(of: me) == before, "night \(night)")
    }
    desk.disk.faults.keptPath = nil
    let sync = try desk.mine.document.sync(folder: "/shared", absorbing: [desk.gone])
    #expect(sync.absorbedCount == 1 && sync.unabsorbedCount == 0 && sync.changes.isEmpty)
    #expect(try desk.files(of: me).count == before.count + 1)
    #expect(desk.mine.document.writer == writer)
  }

  /// What was let in by the clock that the other had is absorbed as well.
  @Test func whatACallerLetsInIsAbsorbed() throws {
    let desk = try Desk(goneBy: Desk.now + 30 * 86_400_000)
    let strict = try desk.mine.document.sync(folder: "/shared", absorbing: [desk.gone])
    #expect(strict.reading.withheld.count == 1 && strict.absorbedCount == 0)
    #expect(strict.unabsorbedCount == 1)
    let policy = AdmissionPolicy(now: nil)
    let sync = try desk.mine.document.sync(
      folder: "/shared", admission: policy, absorbing: [desk.gone])
    #expect(sync.absorbedCount == 1 && sync.unabsorbedCount == 0)
    #expect(try desk.files(of: desk.gone).isEmpty && desk.mine.document.list.count == 2)
  }

  /// A file that cannot be read stays, and its device is waited for.
  @Test func aDeviceWithDamagedFilesIsNotForgotten() throws {
    let desk = try Desk()
    _ = try desk.mine.document.sync(folder: "/shared")
    #expect(desk.waitsFor.isEmpty)
    try desk.mine.document.edit { list, me in try list.append(["title": "Tea"], by: &me) }
    #expect(desk.waitsFor == [desk.gone])
    let path = try #require(desk.theirFiles.first)
    let bytes = try #require(desk.disk.bytes(path))
    try desk.disk.unlink(path)
    try desk.disk.create(path, holding: Array(bytes.dropLast()))
    let sync = try desk.mine.document.sync(folder: "/shared", absorbing: [desk.gone])
    #expect(sync.absorbedCount == 0 && sync.unabsorbedCount == 1)
    #expect(desk.waitsFor == [desk.gone])
    try desk.disk.unlink(path)
    let later = try desk.mine.document.sync(folder: "/shared", absorbing: [desk.gone])
    #expect(later.absorbedCount == 0 && later.unabsorbedCount == 0 && desk.waitsFor.isEmpty)
  }
}
