import Betwixt
import BetwixtSync
import TestSupport
import Testing

@testable import BetwixtFiles

/// A served folder with which people meddle: they take documents away, put them back, put an older copy
/// of the journal back, and kill the process.
///
/// What was acknowledged is found again, or whoever asks is told that it waits for the document.
@Suite struct MeddledFolderTests {
  private struct World {
    var disk = SimulatedDisk()
    var random: SplitMix64
    var folder: ServerFolder
    var open: Set<ListID> = []
    var acknowledged: [ListID: ReplicatedList] = [:]
    /// What people took away, as it was then.
    var taken: [ListID: [UInt8]] = [:]
    /// What they took away at any time: an older journal may bring something of it back.
    var everTaken: Set<ListID> = []
    var journals: [[UInt8]] = []
    var trail: [String] = []
    var waitCount = 0
    private var serial: Int64 = 0
    private let limit: Int

    init(seed: UInt64) throws {
      random = SplitMix64(seed: seed)
      limit = seed.isMultiple(of: 2) ? 300 : 1 << 20
      folder = try ServerFolder.open(
        at: "/srv", settings: ServerFolderTests.settings(disk, limit: limit))
    }

    mutating func anyList() -> ListID {
      ServerFolderTests.lists[random.next(below: ServerFolderTests.lists.count)]
    }

    // MARK: The server

    /// Opens a document, and looks whether it holds what it must.
    mutating func ask(_ id: ListID) async throws {
      guard !open.contains(id) else { return }
      let path = ServerFolderTests.path(of: id)
      let isThere = disk.bytes(path) != nil
      trail.append("ask \(id)\(isThere ? "" : ", which is not there")")
      let said = Comment(rawValue: trail.joined(separator: "\n"))
      var found: ReplicatedList
      do {
        found = try await folder.open(id, for: "ann").list
      } catch DocumentFileFailure.inFile(_, .notFound) {
        waitCount += 1
        let copy = try #require(taken[id], said)
        #expect(!isThere, said)
        trail.append("put \(id) back")
        try disk.create(path, holding: copy)
        found = try await folder.open(id, for: "ann").list
      }
      if !isThere, disk.bytes(path) != taken[id], found.isEmpty { acknowledged[id] = nil }
      let expected = acknowledged[id] ?? ReplicatedList(id: id)
      #expect(found.merging(expected) == found, said)
      if !everTaken.contains(id) { #expect(found == expected, said) }
      acknowledged[id] = found
      taken[id] = nil
      open.insert(id)
    }

    mutating func store() async throws {
      let id = anyList()
      try await ask(id)
      serial += 1
      trail.append("store \(serial) in \(id)")
      var list = acknowledged[id] ?? ReplicatedList(id: id)
      let replica = ReplicaID(rawValue: 1)
      var me = Replica(id: replica, sequence: list.known(of: replica)) { 1_777_000_000_000 }
      let before = list.version
      try list.append(["n": .int64(serial)], by: &me)
      try await folder.store([
        StoredWrite(list: id, delta: list.delta(since: before).forStorage, owner: nil)
      ])
      acknowledged[id] = list
      await folder.finishWriting()
    }

    mutating func save() async throws {
      trail.append("save")
      do {
        try await folder.save()
      } catch DocumentFileFailure.inFile(_, .notFound) {
        // What waits for its document is told each time.
        #expect(!taken.isEmpty, Comment(rawValue: trail.joined(separator: "\n")))
      }
    }

    mutating func kill(seed: UInt64) throws {
      trail.append("kill")
      disk = SimulatedDisk(disk.drive)
      folder = try ServerFolder.open(
        at: "/srv", settings: ServerFolderTests.settings(disk, seed: seed, limit: limit))
      open = []
    }

    // MARK: People

    mutating func takeAway() throws {
      let id = anyList()
      let path = ServerFolderTests.path(of: id)
      guard let bytes = disk.bytes(path) else { return }
      trail.append("take \(id) away")
      try disk.unlink(path)
      taken[id] = bytes
      everTaken.insert(id)
    }

    /// The next write is not acknowledged then; what was before is in the documents, or in the journal
    /// that is there.
    mutating func putOldJournalBack(seed: UInt64) async throws {
      guard !journals.isEmpty, let id = open.sorted().first else { return }
      trail.append("put an older journal back")
      let copy = journals[random.next(below: journals.count)]
      for path in ["/srv/journal", "/srv/journal-2"] where disk.bytes(path) != nil {
        try disk.unlink(path)
        try disk.create(path, holding: copy)
      }
      let said = Comment(rawValue: trail.joined(separator: "\n"))
      var list = ReplicatedList(id: id)
      var me = Replica(id: ReplicaID(rawValue: 2)) { 1_777_000_000_000 }
      try list.append(["n": 0], by: &me)
      let write = StoredWrite(list: id, delta: list.delta(since: [:]).forStorage, owner: nil)
      let folder = folder
      await #expect(throws: DocumentFileFailure.surprise, said) {
        try await folder.store([write])
      }
      await folder.finishWriting()
      try kill(seed: seed)
    }
  }

  @Test func whateverPeopleDoNothingAcknowledgedIsGoneUnseen() async throws {
    var waitCount = 0
    for seed in 0..<(runsLong ? 2_000 : 60) as Range<UInt64> {
      var world = try World(seed: seed)
      for step in 0..<24 as Range<UInt64> {
        switch world.random.next(below: 12) {
        case 0: try await world.save()
        case 1:
          let id = world.anyList()
          await world.folder.close(id)
          world.open.remove(id)
        case 2: if let bytes = world.disk.bytes("/srv/journal") { world.journals.append(bytes) }
        case 3, 4: try world.takeAway()
        case 5: try await world.putOldJournalBack(seed: step + 2)
        case 6: try world.kill(seed: step + 2)
        default: try await world.store()
        }
      }
      try world.kill(seed: 99)
      for id in ServerFolderTests.lists { try await world.ask(id) }
      waitCount += world.waitCount
    }
    #expect(waitCount > 0)
  }
}
