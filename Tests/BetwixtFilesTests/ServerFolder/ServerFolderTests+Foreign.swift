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

  // MARK: Documents that have gone

  /// All that it held is in memory.
  @Test(arguments: [0, 64]) func aDocumentThatVanishesIsWrittenAnew(openFiles: Int) async throws {
    let disk = SimulatedDisk()
    let id = Self.lists[0]
    var settings = Self.settings(disk)
    settings.openFiles = openFiles
    let folder = try ServerFolder.open(at: "/srv", settings: settings)
    var desk = Desk(folder: folder, list: try await folder.open(id, for: "ann").list)
    try await desk.store()
    for _ in 0..<2 {
      try await folder.save()
      try disk.unlink(Self.path(of: id))
      try await desk.store()
    }
    try await folder.save()
    #expect(try DocumentExamination(of: Self.path(of: id), in: disk).list == desk.list)
  }

  /// What a journal holds of one that has gone is a part of it, and is not served as the whole.
  @Test func noDocumentIsMadeOfWhatAJournalHolds() async throws {
    let disk = SimulatedDisk()
    let (id, path) = (Self.lists[0], Self.path(of: Self.lists[0]))
    let first = try ServerFolder.open(at: "/srv", settings: Self.settings(disk))
    var desk = Desk(folder: first, list: try await first.open(id, for: "ann").list)
    try await desk.store()
    try await first.save()
    let file = try #require(disk.bytes(path))
    try await desk.store()
    let killed = SimulatedDisk(disk.drive)
    try killed.unlink(path)
    let told = Mutex(0)
    for seed in 2...3 as ClosedRange<UInt64> {
      var settings = Self.settings(killed, seed: seed)
      settings.failed = { _ in told.withLock { $0 += 1 } }
      let folder = try await Self.openAgain(settings)
      #expect(told.withLock { $0 } == Int(seed) - 1)
      // It is not unknown: whoever is told so never comes back.
      await #expect(throws: DocumentFileFailure.inFile(path, .notFound)) {
        try await folder.open(id, for: "ann")
      }
      #expect(killed.bytes(path) == nil)
    }
    // It goes for good, or it comes back.
    let other = SimulatedDisk(killed.drive)
    let without = try ServerFolder.open(at: "/srv", settings: Self.settings(other, seed: 4))
    try await without.remove(id)
    #expect(try !Self.comesBack(other))
    #expect(try await without.open(id, for: "ann").list.isEmpty)
    try killed.create(path, holding: file)
    let folder = try await Self.openAgain(Self.settings(killed, seed: 5))
    let found = try await folder.open(id, for: "ann")
    #expect(found.list == desk.list && found.owners.count == 2)
  }
}
