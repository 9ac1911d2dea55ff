import Betwixt
import Synchronization
import TestSupport
import Testing

@testable import BetwixtFiles
@testable import BetwixtSync

/// One document of a folder that cannot be opened or written keeps no other one from anything.
extension ServerFolderTests {
  /// One that is nearly empty, and what documents lack.
  private static func hasEmptiedJournals(_ disk: SimulatedDisk) throws -> Bool {
    let names = try disk.list("/srv").filter { ServerFolder.journalNames.contains($0) }
    let sizes = names.map { disk.bytes("/srv/\($0)")?.count ?? 0 }
    return names.count == 2 && names[1] == ServerFolder.restName
      && sizes[0] == JournalHeader.size && sizes[1] > JournalHeader.size
  }

  private static func desks(of folder: ServerFolder) async throws -> [Desk] {
    var desks: [Desk] = []
    for id in lists {
      var desk = Desk(folder: folder, list: try await folder.open(id, for: "ann").list)
      try await desk.store()
      desks.append(desk)
    }
    return desks
  }

  @Test func whatOneDocumentLacksStaysInTheJournal() async throws {
    let disk = SimulatedDisk()
    var settings = Self.settings(disk)
    settings.openFiles = 0
    let folder = try ServerFolder.open(at: "/srv", settings: settings)
    var desks = try await Self.desks(of: folder)
    // A command has it open.
    let path = ServerFolder.path(of: Self.lists[0], in: "/srv")
    let command = try disk.lock(DocumentFile.lockPath(of: path))
    for _ in 0..<3 {
      for index in desks.indices { try await desks[index].store() }
      await #expect(throws: DocumentFileFailure.self) { try await folder.save() }
      for desk in desks[1...] {
        let file = ServerFolder.path(of: desk.list.id, in: "/srv")
        #expect(try DocumentExamination(of: file, in: disk).list == desk.list)
      }
      #expect(try DocumentExamination(of: path, in: disk).list.isEmpty)
      #expect(try Self.hasEmptiedJournals(disk))
      // Whoever is killed now has lost nothing.
      let killed = SimulatedDisk(disk.drive)
      let again = try ServerFolder.open(at: "/srv", settings: Self.settings(killed, seed: 3))
      for desk in desks { #expect(try await again.open(desk.list.id, for: "x").list == desk.list) }
    }
    // Another one can be removed meanwhile.
    try await folder.remove(Self.lists[2])
    #expect(try !disk.list("/srv").contains { $0.contains("\(Self.lists[2])") })
    disk.close(command)
    try await folder.save()
    #expect(try DocumentExamination(of: path, in: disk).list == desks[0].list)
    let owners = try OwnersFile(beside: path, in: disk).owners()
    #expect(owners.count == 4 && owners[ReplicaID(rawValue: 4)] == "user 4")
  }

  /// After a restart as well.
  @Test func aDocumentThatCannotBeOpenedKeepsWhatTheJournalHasOfIt() async throws {
    let disk = SimulatedDisk()
    let first = try ServerFolder.open(at: "/srv", settings: Self.settings(disk))
    var desks = try await Self.desks(of: first)
    try await first.save()
    for index in desks.indices { try await desks[index].store() }
    let killed = SimulatedDisk(disk.drive)
    let owners = ServerFolder.path(of: Self.lists[0], in: "/srv") + ".owners"
    let whole = try #require(killed.bytes(owners))
    Self.flip(killed, owners, 20)
    let told = Mutex<[DocumentFileFailure]>([])
    // However often it is opened and saved.
    for seed in 3...5 as ClosedRange<UInt64> {
      var settings = Self.settings(killed, seed: seed)
      settings.failed = { failure in told.withLock { $0.append(failure) } }
      let folder = try await Self.openAgain(settings)
      #expect(told.withLock { $0.count } == Int(seed) - 2)
      for index in 1...2 {
        let desk = Desk(
          folder: folder, list: try await folder.open(Self.lists[index], for: "ann").list)
        #expect(desk.list == desks[index].list)
      }
      await #expect(throws: DocumentFileFailure.self) {
        try await folder.open(Self.lists[0], for: "ann")
      }
      await #expect(throws: DocumentFileFailure.self) { try await folder.save() }
      #expect(try Self.hasEmptiedJournals(killed))
    }
    // Of thousands of documents it is said which file it is.
    #expect(told.withLock { $0.allSatisfy { "\($0)".hasPrefix("\(owners): unreadable") } })
    killed.overwrite(owners, whole)
    let folder = try await Self.openAgain(Self.settings(killed, seed: 6))
    let found = try await folder.open(Self.lists[0], for: "ann")
    #expect(found.list == desks[0].list && found.owners.count == 2)
    try await folder.save()
  }

  /// While the folder is open, too: what waits is taken in when the document can be opened.
  @Test func whatWaitsIsTakenInWhenItCanBe() async throws {
    let disk = SimulatedDisk()
    let first = try ServerFolder.open(at: "/srv", settings: Self.settings(disk))
    let desks = try await Self.desks(of: first)
    let killed = SimulatedDisk(disk.drive)
    let path = ServerFolder.path(of: Self.lists[0], in: "/srv")
    let command = try killed.lock(DocumentFile.lockPath(of: path))
    let folder = try ServerFolder.open(at: "/srv", settings: Self.settings(killed, seed: 3))
    await #expect(throws: DocumentFileFailure.self) {
      try await folder.open(Self.lists[0], for: "ann")
    }
    killed.close(command)
    let found = try await folder.open(Self.lists[0], for: "ann")
    #expect(found.list == desks[0].list && found.owners.count == 1)
    try await folder.save()
    #expect(try DocumentExamination(of: path, in: killed).list == desks[0].list)
    #expect(killed.bytes("/srv/\(ServerFolder.restName)") == nil)
  }

  /// Where the generation before is all that is left, no empty document takes its place.
  @Test func noDocumentIsMadeBesideItsGenerationBefore() async throws {
    let disk = SimulatedDisk()
    let path = ServerFolder.path(of: Self.lists[0], in: "/srv")
    try await {
      let folder = try ServerFolder.open(at: "/srv", settings: Self.settings(disk))
      _ = try await folder.open(Self.lists[0], for: "ann")
      await folder.close(Self.lists[0])
    }()
    try disk.rename(path, to: path + ".previous")
    let folder = try await Self.openAgain(Self.settings(disk, seed: 2))
    await #expect(throws: DocumentFileFailure.inFile(path, .onlyEarlierGeneration)) {
      try await folder.open(Self.lists[0], for: "ann")
    }
    #expect(disk.bytes(path) == nil)
  }

  /// A drive as a killed process has left it: one document of which the journal holds something is locked
  /// by a command, and the last record is damaged.
  private static func damaged() async throws -> (drive: SimulatedDrive, list: ReplicatedList) {
    let disk = SimulatedDisk()
    let folder = try ServerFolder.open(at: "/srv", settings: settings(disk))
    let desks = try await desks(of: folder)
    let killed = SimulatedDisk(disk.drive)
    flip(killed, "/srv/journal", (killed.bytes("/srv/journal")?.count ?? 0) - 9)
    return (killed.drive, desks[0].list)
  }

  private static func lock(_ list: ListID, on disk: SimulatedDisk) throws -> OpenFile {
    try disk.lock(DocumentFile.lockPath(of: ServerFolder.path(of: list, in: "/srv")))
  }

  /// A damaged journal is what has a write until that is somewhere else.
  @Test(arguments: [true, false]) func aKillWhileADamagedJournalIsKeptLosesNothing(
    hasLinks: Bool
  ) async throws {
    let (drive, list) = try await Self.damaged()
    var call = 1
    while true {
      let disk = SimulatedDisk(drive)
      disk.faults.hasLinks = hasLinks
      _ = try Self.lock(list.id, on: disk)
      disk.faults.crashingCall = disk.callCount + call
      let settings = Self.settings(disk, seed: 2)
      let isOpen = (try? ServerFolder.open(at: "/srv", settings: settings)) != nil
      for left in [disk.drive, disk.drive.crashed { .lost }] {
        let comment = Comment("call \(call)")
        let after = SimulatedDisk(left)
        after.faults.hasLinks = hasLinks
        let folder = try ServerFolder.open(at: "/srv", settings: Self.settings(after, seed: 3))
        #expect(try await folder.open(list.id, for: "ann").list == list, comment)
        let kept = try after.list("/srv").filter { $0.hasPrefix("journal.damaged-") }
        #expect(kept == ["journal.damaged-1"], comment)
      }
      if isOpen { break }
      call += 1
    }
    #expect(call > 20)
  }

  /// However often opening fails, it is kept once.
  @Test(arguments: [true, false]) func aDamagedJournalIsKeptOnce(hasLinks: Bool) async throws {
    let (drive, list) = try await Self.damaged()
    let disk = SimulatedDisk(drive)
    disk.faults.hasLinks = hasLinks
    let command = try Self.lock(list.id, on: disk)
    disk.faults.fullPath = ServerFolder.restName
    for seed in 2...4 as ClosedRange<UInt64> {
      #expect(throws: DocumentFileFailure.self) {
        try ServerFolder.open(at: "/srv", settings: Self.settings(disk, seed: seed))
      }
    }
    disk.faults.fullPath = nil
    disk.close(command)
    let folder = try ServerFolder.open(at: "/srv", settings: Self.settings(disk, seed: 5))
    #expect(folder.damagedJournals == ["/srv/journal.damaged-1"])
    #expect(try !disk.list("/srv").contains("journal.damaged-2"))
    #expect(try await folder.open(list.id, for: "ann").list == list)
  }

  /// Where no second name can be had, nor room for a copy, the journal itself gets it.
  @Test func aDamagedJournalIsKeptOnAFullDrive() throws {
    let disk = SimulatedDisk()
    _ = try ServerFolder.open(at: "/srv", settings: Self.settings(disk))
    let killed = SimulatedDisk(disk.drive)
    let bytes = [UInt8](repeating: 7, count: 10_000)
    killed.overwrite("/srv/journal", bytes)
    killed.faults.hasLinks = false
    killed.faults.space = 2_000
    let folder = try ServerFolder.open(at: "/srv", settings: Self.settings(killed, seed: 2))
    #expect(folder.damagedJournals == ["/srv/journal.damaged-1"])
    #expect(killed.bytes("/srv/journal.damaged-1") == bytes)
    #expect(killed.bytes("/srv/journal")?.count == JournalHeader.size)
  }

  /// One of which nothing is left hides nothing of the others.
  @Test func anEmptiedJournalIsKeptBesideTheRest() async throws {
    let (drive, list) = try await Self.damaged()
    let disk = SimulatedDisk(drive)
    let command = try Self.lock(list.id, on: disk)
    _ = try ServerFolder.open(at: "/srv", settings: Self.settings(disk, seed: 2))
    disk.close(command)
    disk.overwrite("/srv/journal", [])
    let folder = try await Self.openAgain(Self.settings(disk, seed: 3))
    #expect(folder.damagedJournals == ["/srv/journal.damaged-2"])
    #expect(disk.bytes("/srv/journal.damaged-2") == [])
    #expect(try await folder.open(list.id, for: "ann").list == list)
  }

  /// A document is not removed while the next opening would make it again.
  @Test func whatIsRemovedDoesNotComeBackFromTheRest() async throws {
    let (drive, list) = try await Self.damaged()
    let disk = SimulatedDisk(drive)
    let path = ServerFolder.path(of: list.id, in: "/srv")
    let command = try Self.lock(list.id, on: disk)
    let folder = try ServerFolder.open(at: "/srv", settings: Self.settings(disk, seed: 2))
    disk.close(command)
    disk.faults.keptPath = ServerFolder.restName
    await #expect(throws: DocumentFileFailure.self) { try await folder.remove(list.id) }
    #expect(disk.bytes(path) != nil)
    disk.faults.keptPath = nil
    try await folder.remove(list.id)
    let killed = SimulatedDisk(disk.drive)
    let again = try ServerFolder.open(at: "/srv", settings: Self.settings(killed, seed: 3))
    #expect(killed.bytes(path) == nil)
    withExtendedLifetime(again) {}
  }
}
