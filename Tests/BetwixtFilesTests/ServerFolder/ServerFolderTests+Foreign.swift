import Betwixt
import BetwixtSync
import Synchronization
import TestSupport
import Testing

@testable import BetwixtFiles

/// Others change the folder behind its back: nothing is acknowledged that the next opening lacks.
extension ServerFolderTests {
  /// What happens to a journal.
  enum Change: CaseIterable {
    case removed, replaced, overwritten, cut
  }

  private static func change(_ path: String, on disk: SimulatedDisk, _ change: Change) throws {
    let bytes = disk.bytes(path) ?? []
    switch change {
    case .removed: try disk.unlink(path)
    case .replaced:
      try disk.unlink(path)
      try disk.create(path, holding: bytes)
    case .overwritten: disk.overwrite(path, bytes + bytes)
    case .cut: disk.overwrite(path, bytes.dropLast(20))
    }
  }

  /// As a copy of the folder that is put back does.
  @Test(arguments: Change.allCases) func aJournalThatLostItsNameAcknowledgesNothing(
    _ change: Change
  ) async throws {
    let disk = SimulatedDisk()
    let id = Self.lists[0]
    let folder = try ServerFolder.open(at: "/srv", settings: Self.settings(disk))
    var desk = Desk(folder: folder, list: try await folder.open(id, for: "ann").list)
    try await desk.store()
    try await desk.store()
    let acknowledged = desk.list
    try Self.change("/srv/journal", on: disk, change)
    await #expect(throws: DocumentFileFailure.surprise) { try await desk.store() }
    await #expect(throws: DocumentFileFailure.ended) { try await desk.store() }
    // What it held before may be nowhere else, so it is in the document.
    await folder.finishWriting()
    let held = try DocumentExamination(of: Self.path(of: id), in: disk).list
    #expect(held == acknowledged)
  }

  /// Whoever takes the lock away lets nobody in.
  @Test func aJournalIsLockedBesideTheFolder() async throws {
    let disk = SimulatedDisk()
    let id = Self.lists[0]
    let folder = try ServerFolder.open(at: "/srv", settings: Self.settings(disk))
    var desk = Desk(folder: folder, list: try await folder.open(id, for: "ann").list)
    for _ in 0..<2 {
      try disk.unlink("/srv/journal.lock")
      #expect(throws: DocumentFileFailure.locked) {
        try ServerFolder.open(at: "/srv", settings: Self.settings(disk, seed: 2))
      }
      try await desk.store()
      // The other journal is, too.
      try await folder.save()
      try await desk.store()
    }
    let killed = SimulatedDisk(disk.drive)
    let again = try ServerFolder.open(at: "/srv", settings: Self.settings(killed, seed: 3))
    #expect(try await again.open(id, for: "ann").list == desk.list)
  }

  /// Where there are no locks another process may store until its journal loses its name.
  @Test func whatIsStoredWhileAnotherProcessOpensTheFolder() async throws {
    let disk = SimulatedDisk()
    disk.faults.hasLocks = false
    let id = Self.lists[0]
    let first = try ServerFolder.open(at: "/srv", settings: Self.settings(disk))
    var desk = Desk(folder: first, list: try await first.open(id, for: "ann").list)
    try await desk.store()
    let before = try #require(disk.bytes("/srv/journal"))
    try await desk.store()
    let after = try #require(disk.bytes("/srv/journal"))
    disk.overwrite("/srv/journal", before)
    // The next one has read the journal when it asks for random bits.
    let random = SharedRandom(seed: 2)
    let settings = ServerFolder.Settings(fileSystem: disk) {
      if disk.bytes("/srv/journal") == before { disk.overwrite("/srv/journal", after) }
      return random.next()
    }
    #expect(throws: DocumentFileFailure.surprise) {
      try ServerFolder.open(at: "/srv", settings: settings)
    }
    await #expect(throws: DocumentFileFailure.surprise) {
      var other = desk
      try await other.store()
    }
    let again = try ServerFolder.open(at: "/srv", settings: Self.settings(disk, seed: 3))
    let found = try await again.open(id, for: "ann")
    #expect(found.list == desk.list && found.owners.count == 2)
  }
}
