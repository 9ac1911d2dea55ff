import Betwixt
import BetwixtSync
import Synchronization
import TestSupport
import Testing

@testable import BetwixtFiles

/// What a journal keeps, and how far.
extension ServerFolderTests {
  /// What was acknowledged last is damaged like anything else, and no write that was cut.
  @Test(arguments: [1, 3]) func aDamagedLastRecordIsKept(_ count: Int) async throws {
    let disk = SimulatedDisk()
    let id = Self.lists[0]
    do {
      let folder = try ServerFolder.open(at: "/srv", settings: Self.settings(disk))
      var desk = Desk(folder: folder, list: try await folder.open(id, for: "ann").list)
      for _ in 0..<count { try await desk.store() }
    }
    let size = try #require(disk.bytes("/srv/journal")?.count)
    Self.flip(disk, "/srv/journal", size - 9)
    let bytes = disk.bytes("/srv/journal")
    let folder = try await Self.openAgain(Self.settings(disk, seed: 2))
    #expect(folder.damagedJournals == ["/srv/journal.damaged-1"])
    #expect(disk.bytes("/srv/journal.damaged-1") == bytes)
    #expect(try await folder.open(id, for: "ann").list.count == count - 1)
  }

  /// The beginning of a record is what a write leaves that was cut, and nothing to keep.
  @Test func aCutRecordIsNoDamage() async throws {
    let disk = SimulatedDisk()
    let id = Self.lists[0]
    do {
      let folder = try ServerFolder.open(at: "/srv", settings: Self.settings(disk))
      var desk = Desk(folder: folder, list: try await folder.open(id, for: "ann").list)
      for _ in 0..<2 { try await desk.store() }
    }
    disk.overwrite("/srv/journal", (disk.bytes("/srv/journal") ?? []).dropLast(5))
    let folder = try await Self.openAgain(Self.settings(disk, seed: 2))
    #expect(folder.damagedJournals.isEmpty)
    #expect(try await folder.open(id, for: "ann").list.count == 1)
  }

  /// After a save that failed there are two journals; the next one empties both.
  @Test func whatIsRemovedAfterASaveThatFailedDoesNotComeBack() async throws {
    let disk = SimulatedDisk()
    let (id, other) = (Self.lists[0], Self.lists[1])
    let folder = try ServerFolder.open(at: "/srv", settings: Self.settings(disk, limit: .max))
    var desk = Desk(folder: folder, list: try await folder.open(id, for: "ann").list)
    var second = Desk(folder: folder, list: try await folder.open(other, for: "ann").list)
    try await second.store()
    disk.faults.fullPath = "\(other).trip.owners"
    await #expect(throws: DocumentFileFailure.self) { try await folder.save() }
    try await desk.store()
    disk.faults.fullPath = nil
    try await folder.remove(id)
    let later = SimulatedDisk(disk.drive)
    let again = try ServerFolder.open(at: "/srv", settings: Self.settings(later, seed: 2))
    #expect(later.bytes(ServerFolder.path(of: id, in: "/srv")) == nil)
    #expect(try await again.open(other, for: "ann").list == second.list)
  }

  /// A folder that is open, on a drive of its own, with one document of which the journal holds a write.
  private static func serving(
    _ disk: SimulatedDisk
  ) async throws -> (folder: ServerFolder, desk: Desk) {
    let folder = try ServerFolder.open(at: "/srv", settings: settings(disk, limit: .max))
    var desk = Desk(folder: folder, list: try await folder.open(lists[0], for: "ann").list)
    try await desk.store()
    return (folder, desk)
  }

  /// Whether a process that was killed now leaves anything of the document, in a file or a journal.
  static func comesBack(_ disk: SimulatedDisk) throws -> Bool {
    let killed = SimulatedDisk(disk.drive)
    let isLeft = Mutex(false)
    var settings = settings(killed, seed: 9)
    settings.failed = { _ in isLeft.withLock { $0 = true } }
    let again = try ServerFolder.open(at: "/srv", settings: settings)
    return withExtendedLifetime(again) {
      killed.bytes(path(of: lists[0])) != nil || isLeft.withLock { $0 }
    }
  }

  static func path(of list: ListID) -> String { ServerFolder.path(of: list, in: "/srv") }

  /// Whichever call fails while it is removed, as when there are no more files to be opened.
  @Test func whatWasRemovedDoesNotComeBack() async throws {
    var (call, refused) = (1, 0)
    while true {
      let disk = SimulatedDisk()
      let (folder, _) = try await Self.serving(disk)
      let failing = disk.callCount + call
      disk.faults.failingCall = failing
      let isRemoved = (try? await folder.remove(Self.lists[0])) != nil
      let isDone = disk.callCount < failing
      disk.faults.failingCall = nil
      if !isRemoved {
        refused += 1
        try await folder.remove(Self.lists[0])
      }
      #expect(try !Self.comesBack(disk), "call \(call)")
      if isDone { break }
      call += 1
    }
    #expect(refused > 5)
  }

  /// Nothing leaves a journal any more of which a sync has failed, and it may hold what was refused.
  @Test(arguments: [true, false]) func afterASyncThatFailedNothingIsRemoved(
    isSaved: Bool
  ) async throws {
    let disk = SimulatedDisk()
    let (folder, first) = try await Self.serving(disk)
    var desk = first
    if isSaved { try await folder.save() }
    disk.faults.failingCall = disk.callCount + 2
    await #expect(throws: DocumentFileFailure.self) { try await desk.store() }
    for _ in 0..<2 {
      await #expect(throws: DocumentFileFailure.ended) { try await folder.remove(Self.lists[0]) }
    }
    #expect(disk.bytes(Self.path(of: Self.lists[0])) != nil)
    let later = SimulatedDisk(disk.drive)
    let again = try ServerFolder.open(at: "/srv", settings: Self.settings(later, seed: 2))
    try await again.remove(Self.lists[0])
    #expect(try !Self.comesBack(later))
  }

  /// What is saved is saved, though the journal stays that held it.
  @Test(arguments: 1...3) func aJournalThatStaysKeepsADocumentFromBeingRemoved(
    _ count: Int
  ) async throws {
    let disk = SimulatedDisk()
    let (folder, first) = try await Self.serving(disk)
    var desk = first
    disk.faults.keptPath = "/srv/journal"
    for _ in 0..<count {
      try await desk.store()
      try await folder.save()
    }
    for _ in 0..<2 {
      await #expect(throws: DocumentFileFailure.self) { try await folder.remove(Self.lists[0]) }
    }
    #expect(disk.bytes(Self.path(of: Self.lists[0])) != nil)
    disk.faults.keptPath = nil
    try await folder.remove(Self.lists[0])
    #expect(try !Self.comesBack(disk))
  }

  /// Who opens the folder must be able to read it.
  @Test func aJournalGrowsNoLargerThanIsRead() throws {
    let disk = SimulatedDisk()
    var journal = try Journal(at: "/journal", in: disk, limit: JournalHeader.size + 100) { 1 }
    try journal.append([UInt8](repeating: 1, count: 20))
    let room = journal.limit - journal.size - CommitFrame.overhead
    #expect(throws: DocumentFileFailure.tooLarge) {
      try journal.append([UInt8](repeating: 2, count: room + 1))
    }
    try journal.append([UInt8](repeating: 3, count: room))
    #expect(journal.size == journal.limit && disk.bytes("/journal")?.count == journal.limit)
    #expect(throws: DocumentFileFailure.tooLarge) { try journal.append([]) }
    #expect(try Journal.content(of: "/journal", in: disk)?.records.count == 2)
    journal.close()
  }

  /// What a killed process was about to rename has no use, and nothing else that has such a name goes.
  @Test func unfinishedFilesAreTakenAway() async throws {
    let disk = SimulatedDisk()
    _ = try ServerFolder.open(at: "/srv", settings: Self.settings(disk))
    let id = Self.lists[0]
    let gone = [
      "journal.tmp-0011223344556677", "journal-2.tmp-0011223344556677",
      "\(id).trip.owners.tmp-0011223344556677",
    ]
    let stays = [
      "journal.tmp-notes", "notes.tmp-0011223344556677", "notes.trip.owners.tmp-0011223344556677",
      "\(id).trip.lock.tmp-0011223344556677",
    ]
    for name in gone + stays { try disk.create("/srv/" + name, holding: [1]) }
    let folder = try await Self.openAgain(Self.settings(disk, seed: 2))
    let names = try disk.list("/srv")
    #expect(gone.allSatisfy { !names.contains($0) } && stays.allSatisfy { names.contains($0) })
    withExtendedLifetime(folder) {}
  }
}
