import Betwixt
import Synchronization
import TestSupport
import Testing

@testable import BetwixtFiles
@testable import BetwixtSync

/// A folder of documents with one journal: nothing that was stored is lost, whatever fails, and when.
@Suite struct ServerFolderTests {
  static let lists = (1...3).map { ListID(high: 7, low: $0) }

  static func settings(
    _ disk: SimulatedDisk, seed: UInt64 = 1, limit: Int = 1 << 20
  ) -> ServerFolder.Settings {
    ServerFolder.Settings(
      fileSystem: disk, journalLimit: limit, random: SharedRandom(seed: seed).next)
  }

  /// What a life of a folder has acknowledged, and what it was about to.
  struct Life: Sendable {
    var acknowledged: [ListID: ReplicatedList] = [:]
    var tried: [ListID: ReplicatedList] = [:]
    var owners: [ListID: [ReplicaID: String]] = [:]
    var isWhole = false
  }

  /// Opens, stores in groups over several documents, closes some, saves: until something fails.
  static func live(_ disk: SimulatedDisk, seed: UInt64, limit: Int = 700) async -> Life {
    var life = Life()
    var random = SplitMix64(seed: seed)
    do {
      let folder = try ServerFolder.open(at: "/srv", settings: settings(disk, limit: limit))
      var opened: Set<ListID> = []
      for step in 0..<9 {
        var writes: [StoredWrite] = []
        var after = life.acknowledged
        var owners = life.owners
        for _ in 0..<(1 + random.next(below: 3)) {
          let id = lists[random.next(below: lists.count)]
          if opened.insert(id).inserted {
            let found = try await folder.open(id, for: "ann")
            #expect(found.list == life.acknowledged[id] ?? ReplicatedList(id: id))
            #expect(found.owners == life.owners[id] ?? [:])
          }
          var list = after[id] ?? ReplicatedList(id: id)
          let replica = ReplicaID(rawValue: UInt64(1 + random.next(below: 2)))
          var me = Replica(id: replica, sequence: list.known(of: replica)) { 1_777_000_000_000 }
          let before = list.version
          try list.append(["n": .int64(Int64(step))], by: &me)
          if let first = list.first?.id { try list.set("n", of: first, to: -1, by: &me) }
          let isNew = owners[id]?[replica] == nil
          let owner = StoredWrite.Owner(replica: replica, principal: "user \(replica)\n")
          owners[id, default: [:]][replica] = owner.principal
          writes.append(
            StoredWrite(
              list: id, delta: list.delta(since: before).forStorage, owner: isNew ? owner : nil))
          after[id] = list
        }
        life.tried = after
        try await folder.store(writes)
        // What is written beside goes call by call, too, so that a run can be repeated.
        await folder.finishWriting()
        (life.acknowledged, life.owners) = (after, owners)
        switch random.next(below: 5) {
        case 0:
          let id = lists[random.next(below: lists.count)]
          await folder.close(id)
          opened.remove(id)
        case 1: try await folder.save()
        default: break
        }
      }
      life.isWhole = true
    } catch {
      // The drive failed, as it was told to.
    }
    return life
  }

  /// Opens a folder that somebody has just let go: its last task may have it for a moment.
  static func openAgain(_ settings: ServerFolder.Settings) async throws -> ServerFolder {
    for _ in 0..<1_000 {
      do throws(DocumentFileFailure) {
        return try ServerFolder.open(at: "/srv", settings: settings)
      } catch {
        guard error == .locked else { throw error }
        try await Task.sleep(for: .milliseconds(1))
      }
    }
    return try ServerFolder.open(at: "/srv", settings: settings)
  }

  private static func check(
    _ disk: SimulatedDisk, _ life: Life, _ comment: Comment
  ) async throws {
    let folder = try await openAgain(settings(disk, seed: 2))
    #expect(folder.damagedJournals.isEmpty, comment)
    for id in lists {
      // Recovering has brought all of it into the document itself.
      let path = ServerFolder.path(of: id, in: "/srv")
      let held =
        disk.bytes(path) == nil
        ? ReplicatedList(id: id) : try DocumentExamination(of: path, in: disk).list
      let empty = ReplicatedList(id: id)
      let allowed = [life.acknowledged[id] ?? empty, life.tried[id] ?? empty]
      #expect(allowed.contains { $0 == held && $0.version == held.version }, comment)
      guard life.acknowledged[id] != nil else { continue }
      let document = try await folder.open(id, for: "ann")
      #expect(document.list == held, comment)
      for (replica, owner) in life.owners[id] ?? [:] {
        #expect(document.owners[replica] == owner, comment)
      }
    }
    // And it goes on.
    let id = lists[0]
    var list = try await folder.open(id, for: "ann").list
    var me = Replica(id: ReplicaID(rawValue: 9), sequence: 0) { 1_777_000_900_000 }
    let before = list.version
    try list.append(["after": 1], by: &me)
    let delta = list.delta(since: before).forStorage
    try await folder.store([StoredWrite(list: id, delta: delta, owner: nil)])
    try await folder.save()
    #expect(
      try DocumentExamination(of: ServerFolder.path(of: id, in: "/srv"), in: disk).list == list,
      comment)
  }

  @Test func aCrashAtAnyCallLosesNothingStored() async throws {
    var random = SplitMix64(seed: 5)
    var count = 0
    for seed in 0..<(runsLong ? 20 : 2) as Range<UInt64> {
      var call = 1
      while true {
        let disk = SimulatedDisk()
        disk.faults.crashingCall = call
        let life = await Self.live(disk, seed: seed)
        for fates in Fates.all(of: disk.drive.unsyncedCount, samples: 2, &random) {
          let comment = Comment("seed \(seed), call \(call), \(fates.list)")
          let drive = disk.drive.crashed(fates)
          // The recovery crashes as well, and is done again.
          let again = SimulatedDisk(drive)
          again.faults.crashingCall = 1 + random.next(below: 40)
          _ = try? ServerFolder.open(at: "/srv", settings: Self.settings(again, seed: 3))
          for fate in Fates.all(of: again.drive.unsyncedCount, samples: 1, &random).suffix(1) {
            try await Self.check(SimulatedDisk(again.drive.crashed(fate)), life, comment)
          }
          try await Self.check(SimulatedDisk(drive), life, comment)
          count += 1
        }
        if life.isWhole { break }
        call += 1
      }
    }
    #expect(count > 200)
    print("crash states of a folder of documents: \(count)")
  }

  @Test func anyCallMayFail() async throws {
    for failure in SimulatedDisk.Failure.allCases {
      var call = 1
      while true {
        let disk = SimulatedDisk()
        disk.faults.failingCall = call
        disk.faults.failure = failure
        disk.faults.shortWrite = 90
        let life = await Self.live(disk, seed: 4)
        let isUntouched = disk.callCount < call
        disk.faults.failingCall = nil
        do {
          try await Self.check(disk, life, "call \(call), \(failure)")
        } catch {
          Issue.record("call \(call), \(failure): \(error)")
        }
        if isUntouched { break }
        call += 1
      }
      #expect(call > 100)
    }
  }

  @Test func oneSyncServesManyDocuments() async throws {
    let disk = SimulatedDisk()
    let folder = try ServerFolder.open(at: "/srv", settings: Self.settings(disk))
    let ids = (1...100).map { ListID(high: 8, low: $0) }
    var writes: [StoredWrite] = []
    for id in ids {
      var list = try await folder.open(id, for: "ann").list
      var me = Replica(id: ReplicaID(rawValue: 1)) { 1_777_000_000_000 }
      try list.append(["title": "x"], by: &me)
      writes.append(
        StoredWrite(list: id, delta: list.delta(since: [:]).forStorage, owner: nil))
    }
    let before = disk.callCount
    let syncs = disk.counts["sync"] ?? 0
    try await folder.store(writes)
    // And a look at where it went, which asks no drive.
    #expect(disk.callCount - before == 4 && disk.counts["sync"] == syncs + 1)
  }

  /// Random bits of which some come late: the one who asks for them waits.
  final class Gate: Sendable {
    private let random: SharedRandom
    private let isOpen = Atomic(true)
    private let passing = Atomic(0)
    private let waits = Atomic(false)
    private let gaveUp = Atomic(false)

    init(seed: UInt64) { random = SharedRandom(seed: seed) }

    var isWaiting: Bool { waits.load(ordering: .sequentiallyConsistent) }
    var hasGivenUp: Bool { gaveUp.load(ordering: .sequentiallyConsistent) }

    /// Other tests run beside this one, on as few threads as the machine has cores: it sleeps, and
    /// the gate has patience for as long as all of them may take.
    func untilSomebodyWaits() async throws {
      while !isWaiting, !hasGivenUp { try await Task.sleep(for: .milliseconds(1)) }
    }

    func shut(letting count: Int) {
      passing.store(count, ordering: .sequentiallyConsistent)
      isOpen.store(false, ordering: .sequentiallyConsistent)
    }

    func open() { isOpen.store(true, ordering: .sequentiallyConsistent) }

    func next() -> UInt64 {
      let left = passing.subtract(1, ordering: .sequentiallyConsistent).newValue
      var naps = 0
      while left < 0, !isOpen.load(ordering: .sequentiallyConsistent) {
        waits.store(true, ordering: .sequentiallyConsistent)
        naps += 1
        guard naps < 600_000 else {
          gaveUp.store(true, ordering: .sequentiallyConsistent)
          break
        }
        PosixFileSystem().pause(milliseconds: 1)
      }
      waits.store(false, ordering: .sequentiallyConsistent)
      return random.next()
    }
  }

  /// A folder with one document and a way to write to it.
  struct Desk {
    let folder: ServerFolder
    var list: ReplicatedList
    var count: Int64 = 0

    /// Appends an item by a replica of its own, whose owner is to be stored, too.
    mutating func store() async throws {
      count += 1
      let replica = ReplicaID(rawValue: UInt64(count))
      var me = Replica(id: replica) { 1_777_000_000_000 }
      let before = list.version
      try list.append(["n": .int64(count)], by: &me)
      try await folder.store([
        StoredWrite(
          list: list.id, delta: list.delta(since: before).forStorage,
          owner: StoredWrite.Owner(replica: replica, principal: "user \(count)"))
      ])
    }
  }

  @Test func storesGoOnWhileDocumentsAreWritten() async throws {
    let disk = SimulatedDisk()
    let gate = Gate(seed: 1)
    let id = Self.lists[0]
    let path = ServerFolder.path(of: id, in: "/srv")
    let folder = try ServerFolder.open(
      at: "/srv", settings: ServerFolder.Settings(fileSystem: disk, random: gate.next))
    var desk = Desk(folder: folder, list: try await folder.open(id, for: "ann").list)
    try await desk.store()
    let first = desk.list
    // The other journal needs two numbers; the next one is for the file of the owners.
    gate.shut(letting: 2)
    let saving = Task { try await folder.save() }
    try await gate.untilSomebodyWaits()
    let closing = Task { await folder.close(id) }
    try await desk.store()
    try await desk.store()
    #expect(gate.isWaiting)
    #expect(!gate.hasGivenUp)
    #expect(disk.bytes("/srv/journal") != nil && disk.bytes("/srv/journal-2") != nil)
    // The power goes now: both journals are needed.
    let drive = disk.drive.crashed { .lost }
    let after = try ServerFolder.open(
      at: "/srv", settings: Self.settings(SimulatedDisk(drive), seed: 2))
    let found = try await after.open(id, for: "ann")
    #expect(found.list == desk.list && found.list.version == desk.list.version)
    #expect(found.owners.count == 3)
    gate.open()
    try await saving.value
    #expect(disk.bytes("/srv/journal") == nil)
    await closing.value
    // Closing came later, and brought what was stored meanwhile.
    let held = try DocumentExamination(of: path, in: disk).list
    #expect(held == desk.list && held != first)
    #expect(try await folder.open(id, for: "ann").owners.count == 3)
    try await folder.save()
    #expect(disk.bytes("/srv/journal-2") == nil && disk.bytes("/srv/journal") != nil)
  }

  /// A journal that has grown to its limit once more is no reason to wait for documents yet.
  @Test func storesGoOnUntilTheNextJournalIsFarTooLarge() async throws {
    let disk = SimulatedDisk()
    let gate = Gate(seed: 1)
    let id = Self.lists[0]
    let folder = try ServerFolder.open(
      at: "/srv",
      settings: ServerFolder.Settings(fileSystem: disk, journalLimit: 200, random: gate.next))
    var desk = Desk(folder: folder, list: try await folder.open(id, for: "ann").list)
    gate.shut(letting: 2)
    while disk.bytes("/srv/journal-2") == nil { try await desk.store() }
    try await gate.untilSomebodyWaits()
    while let size = disk.bytes("/srv/journal-2")?.count, size < 700 { try await desk.store() }
    #expect(gate.isWaiting && !gate.hasGivenUp)
    gate.open()
    for _ in 0..<8 { try await desk.store() }
    try await folder.save()
    #expect(
      try DocumentExamination(of: ServerFolder.path(of: id, in: "/srv"), in: disk).list == desk.list
    )
  }

  /// Who opens a document while it is about to be closed has it open.
  @Test func openingHoldsUpClosing() async throws {
    let disk = SimulatedDisk()
    let gate = Gate(seed: 1)
    let id = Self.lists[0]
    let folder = try ServerFolder.open(
      at: "/srv", settings: ServerFolder.Settings(fileSystem: disk, random: gate.next))
    var desk = Desk(folder: folder, list: try await folder.open(id, for: "ann").list)
    try await desk.store()
    gate.shut(letting: 0)
    let closing = Task { await folder.close(id) }
    try await gate.untilSomebodyWaits()
    #expect(try await folder.open(id, for: "bob").list == desk.list)
    gate.open()
    await closing.value
    try await desk.store()
  }

  /// What a list has forgotten goes through the journal as well.
  @Test func aFloorIsStored() async throws {
    let disk = SimulatedDisk()
    var list = ReplicatedList(id: Self.lists[0])
    do {
      let folder = try ServerFolder.open(at: "/srv", settings: Self.settings(disk))
      _ = try await folder.open(list.id, for: "ann")
      var me = Replica(id: ReplicaID(rawValue: 1)) { 1_777_000_000_000 }
      let item = try list.append(["title": "x", "note": "y"], by: &me)
      try list.remove(item, by: &me)
      let whole = list.delta(since: [:]).forStorage
      try await folder.store([StoredWrite(list: list.id, delta: whole, owner: nil)])
      let (version, floor) = (list.version, list.floor)
      list.forget(below: version)
      let delta = list.delta(since: version, floor: floor).forStorage
      #expect(!delta.isEmpty)
      try await folder.store([StoredWrite(list: list.id, delta: delta, owner: nil)])
    }
    // Killed: only the journal has it.
    let folder = try await Self.openAgain(Self.settings(disk, seed: 2))
    let found = try await folder.open(list.id, for: "ann").list
    #expect(found == list && found.floor == list.floor && !found.floor.isEmpty)
  }

  @Test func aDamagedJournalIsKeptAndTheRestOfItTaken() async throws {
    let disk = SimulatedDisk()
    var list = ReplicatedList(id: Self.lists[0])
    do {
      let folder = try ServerFolder.open(at: "/srv", settings: Self.settings(disk))
      _ = try await folder.open(list.id, for: "ann")
      var me = Replica(id: ReplicaID(rawValue: 1)) { 1_777_000_000_000 }
      for _ in 0..<5 {
        let before = list.version
        try list.append(["title": "x"], by: &me)
        let delta = list.delta(since: before).forStorage
        try await folder.store([StoredWrite(list: list.id, delta: delta, owner: nil)])
      }
    }
    let size = try #require(disk.bytes("/srv/journal")?.count)
    Self.flip(disk, "/srv/journal", size / 2)
    let folder = try await Self.openAgain(Self.settings(disk, seed: 2))
    #expect(folder.damagedJournals == ["/srv/journal.damaged-1"])
    #expect(disk.bytes("/srv/journal.damaged-1")?.count == size)
    let found = try await folder.open(list.id, for: "ann").list
    #expect(found.count == 4)
    // What is missing is not claimed, so whoever has it sends it again.
    #expect(found.version[ReplicaID(rawValue: 1)] < list.version[ReplicaID(rawValue: 1)])
    #expect(found.merging(list) == list)
  }

  static func flip(_ disk: SimulatedDisk, _ path: String, _ place: Int) {
    guard var bytes = disk.bytes(path) else { return }
    bytes[place] ^= 1
    disk.overwrite(path, bytes)
  }

  @Test func twoProcessesDoNotShareAFolder() throws {
    let disk = SimulatedDisk()
    let first = try ServerFolder.open(at: "/srv", settings: Self.settings(disk))
    #expect(throws: DocumentFileFailure.locked) {
      try ServerFolder.open(at: "/srv", settings: Self.settings(disk, seed: 2))
    }
    withExtendedLifetime(first) {}
  }

  @Test func aDriveWithoutLocksServesAsWell() async throws {
    let disk = SimulatedDisk()
    disk.faults.hasLocks = false
    let id = Self.lists[0]
    let folder = try ServerFolder.open(at: "/srv", settings: Self.settings(disk))
    var desk = Desk(folder: folder, list: try await folder.open(id, for: "ann").list)
    try await desk.store()
    try await folder.save()
    #expect(
      try DocumentExamination(of: ServerFolder.path(of: id, in: "/srv"), in: disk).list == desk.list
    )
  }

  /// A record may have an owner, and nothing else that is not known yet.
  @Test func whatIsReservedInARecordIsRefused() throws {
    let id = Self.lists[0]
    let write = StoredWrite(list: id, delta: ReplicatedList(id: id).delta(since: [:]), owner: nil)
    var bytes = try JournalRecord.bytes(of: [write])
    #expect(try JournalRecord(bytes).writes.map(\.list) == [id])
    let flags = 1 + id.bytes.count
    #expect(bytes[flags] == 0)
    bytes[flags] = 2
    #expect(throws: DecodeFailure(.reserved, at: flags + 1)) { try JournalRecord(bytes) }
  }

  /// Nobody knows what is on the drive then: not even saving makes another journal to go on with.
  @Test func aFailedSyncEndsTheFolder() async throws {
    let disk = SimulatedDisk()
    let id = Self.lists[0]
    let folder = try ServerFolder.open(at: "/srv", settings: Self.settings(disk))
    var desk = Desk(folder: folder, list: try await folder.open(id, for: "ann").list)
    try await desk.store()
    disk.faults.failingCall = disk.callCount + 2
    await #expect(throws: DocumentFileFailure.self) { try await desk.store() }
    disk.faults.failingCall = nil
    await #expect(throws: DocumentFileFailure.ended) { try await desk.store() }
    await #expect(throws: DocumentFileFailure.ended) { try await folder.save() }
    await #expect(throws: DocumentFileFailure.ended) { try await desk.store() }
  }

  @Test func whatNobodyHasMadeCanStayUnknown() async throws {
    let disk = SimulatedDisk()
    var settings = Self.settings(disk)
    settings.makesDocuments = false
    let folder = try ServerFolder.open(at: "/srv", settings: settings)
    await #expect(throws: SyncFailure(.documentUnknown)) {
      try await folder.open(Self.lists[0], for: "ann")
    }
    let write = StoredWrite(
      list: Self.lists[0], delta: ReplicatedList(id: Self.lists[0]).delta(since: [:]), owner: nil)
    await #expect(throws: SyncFailure(.unavailable, "the document")) {
      try await folder.store([write])
    }
  }

  @Test func whatIsRemovedDoesNotComeBackFromTheJournal() async throws {
    let disk = SimulatedDisk()
    let (id, other) = (Self.lists[0], Self.lists[1])
    let folder = try ServerFolder.open(at: "/srv", settings: Self.settings(disk))
    var desk = Desk(folder: folder, list: try await folder.open(id, for: "ann").list)
    var second = Desk(folder: folder, list: try await folder.open(other, for: "ann").list)
    try await desk.store()
    try await folder.save()
    let file = ServerFolder.path(of: id, in: "/srv")
    #expect(disk.bytes(file) != nil)
    try await desk.store()
    try await second.store()
    try await folder.remove(id)
    #expect(try !disk.list("/srv").contains { $0.contains("\(id)") })
    // One that is not there is none to remove.
    try await folder.remove(id)
    let later = SimulatedDisk(disk.drive)
    let again = try ServerFolder.open(at: "/srv", settings: Self.settings(later, seed: 2))
    #expect(later.bytes(file) == nil)
    #expect(try await again.open(other, for: "ann").list == second.list)
    #expect(try await again.open(id, for: "ann").list.isEmpty)
  }

  @Test func aFullDriveIsNamedWithWhatHelps() throws {
    let disk = SimulatedDisk()
    disk.faults.space = 10
    var text = ""
    do {
      _ = try ServerFolder.open(at: "/srv", settings: Self.settings(disk))
    } catch {
      text = "\(error)"
    }
    #expect(
      text == "file-system: /srv: append: noSpace (28); "
        + "make room on that drive, or let this user have more of it")
  }

  @Test func damagedOwnersAreNotForgotten() async throws {
    let disk = SimulatedDisk()
    let life = await Self.live(disk, seed: 1)
    #expect(life.isWhole)
    let folder = try await Self.openAgain(Self.settings(disk, seed: 2))
    let list = try #require(life.owners.keys.min())
    Self.flip(disk, ServerFolder.path(of: list, in: "/srv") + ".owners", 20)
    await #expect(throws: DocumentFileFailure.self) { try await folder.open(list, for: "ann") }
  }

  /// Owners in a form that is not known yet are no owners that are missing.
  @Test func ownersOfANewerFormAreRefused() throws {
    let disk = SimulatedDisk()
    let owners = OwnersFile(beside: "/a.trip", in: disk)
    try owners.keep([ReplicaID(rawValue: 1): "ann"], random: 1)
    #expect(try owners.owners() == [ReplicaID(rawValue: 1): "ann"])
    var text = Array(try #require(disk.bytes("/a.trip.owners")).dropLast(17))
    let number = try #require(text.firstIndex(of: UInt8(ascii: "1")))
    text[number] = UInt8(ascii: "2")
    let checksum = Hex.encode(UInt64(CRC32C.checksum(text[...])))
    disk.overwrite("/a.trip.owners", text + Array("\(checksum)\n".utf8))
    let failure = DocumentFileFailure.unreadable(DecodeFailure(.badMagic, at: 0))
    #expect(throws: DocumentFileFailure.inFile("/a.trip.owners", failure)) {
      try owners.owners()
    }
  }
}
