import Betwixt
import Synchronization
import TestSupport
import Testing

@testable import BetwixtFiles
@testable import BetwixtSync

/// A folder of many documents.
extension ServerFolderTests {
  /// Several threads write them.
  @Test func ofManyDocumentsThoseThatCouldNotBeWrittenAreTriedAgain() async throws {
    let disk = SimulatedDisk()
    let folder = try ServerFolder.open(at: "/srv", settings: Self.settings(disk))
    var desks: [Desk] = []
    for number in 1...60 as ClosedRange<UInt64> {
      let id = ListID(high: 8, low: number)
      desks.append(Desk(folder: folder, list: try await folder.open(id, for: "ann").list))
      try await desks[desks.count - 1].store()
    }
    // Which call is which the threads decide; one document cannot be written in any order.
    disk.faults.fullPath = "\(desks[29].list.id)"
    await #expect(throws: DocumentFileFailure.self) { try await folder.save() }
    disk.faults.fullPath = nil
    // Nothing is lost meanwhile.
    let killed = SimulatedDisk(disk.drive)
    let other = try ServerFolder.open(at: "/srv", settings: Self.settings(killed, seed: 3))
    for desk in desks { #expect(try await other.open(desk.list.id, for: "ann").list == desk.list) }
    try await folder.save()
    for desk in desks {
      let path = ServerFolder.path(of: desk.list.id, in: "/srv")
      #expect(try DocumentExamination(of: path, in: disk).list == desk.list)
      #expect(disk.bytes(path + ".owners") != nil)
    }
  }

  /// A folder of many documents is looked through once, and what a killed process left of them is brought
  /// in one document after another.
  @Test func manyDocumentsCostNoMoreEach() async throws {
    let disk = SimulatedDisk()
    let folder = try ServerFolder.open(at: "/srv", settings: Self.settings(disk))
    var desks: [Desk] = []
    for number in 1...60 as ClosedRange<UInt64> {
      let id = ListID(high: 8, low: number)
      desks.append(Desk(folder: folder, list: try await folder.open(id, for: "ann").list))
      try await desks[desks.count - 1].store()
    }
    let killed = SimulatedDisk(disk.drive)
    let leftover = ServerFolder.path(of: desks[7].list.id, in: "/srv") + ".tmp-00000000000000aa"
    let there = try #require(killed.bytes(ServerFolder.path(of: desks[7].list.id, in: "/srv")))
    let file = try killed.open(leftover, mode: .creating)
    _ = try killed.append(file, bytes: there[...])
    killed.close(file)
    let other = try ServerFolder.open(at: "/srv", settings: Self.settings(killed, seed: 3))
    #expect(killed.mostOpen < 12)
    let listings = killed.counts["list"] ?? 0
    #expect(listings < 6)
    for desk in desks { #expect(try await other.open(desk.list.id, for: "ann").list == desk.list) }
    // Only the document beside which something lay is looked at more closely.
    #expect((killed.counts["list"] ?? 0) <= listings + 1)
    #expect(killed.bytes(leftover) == nil)
  }

  /// However many documents are in use, the files of a few are open.
  @Test func documentsDoNotTakeAllFilesThatAProcessMayOpen() async throws {
    let disk = SimulatedDisk()
    var settings = Self.settings(disk)
    settings.openFiles = 4
    let folder = try ServerFolder.open(at: "/srv", settings: settings)
    var desks: [Desk] = []
    for number in 1...100 as ClosedRange<UInt64> {
      let id = ListID(high: 8, low: number)
      desks.append(Desk(folder: folder, list: try await folder.open(id, for: "ann").list))
    }
    #expect(disk.mostOpen < 30)
    for round in 0..<3 {
      for index in desks.indices { try await desks[index].store() }
      // Those that failed are opened and written like the others.
      if round == 1 {
        disk.faults.fullPath = "\(desks[50].list.id)"
        await #expect(throws: DocumentFileFailure.self) { try await folder.save() }
        disk.faults.fullPath = nil
      }
      try await folder.save()
      for desk in desks {
        let path = ServerFolder.path(of: desk.list.id, in: "/srv")
        #expect(try DocumentExamination(of: path, in: disk).list == desk.list)
      }
    }
    // As many threads write as there are, and each has one open.
    #expect(disk.mostOpen < 60)
  }

  /// Who goes makes room for another one's files.
  @Test func filesStayOpenWhereThereIsRoom() async throws {
    let disk = SimulatedDisk()
    var settings = Self.settings(disk)
    settings.openFiles = 1
    let folder = try ServerFolder.open(at: "/srv", settings: settings)
    let (first, second) = (ListID(high: 8, low: 1), ListID(high: 8, low: 2))
    _ = try await folder.open(first, for: "ann")
    var desk = Desk(folder: folder, list: try await folder.open(second, for: "ann").list)
    func isOpen(_ id: ListID) -> Bool {
      do {
        var file = DocumentFile.Settings(random: settings.random)
        file.fileSystem = disk
        _ = try DocumentFile.open(at: ServerFolder.path(of: id, in: "/srv"), settings: file)
        return false
      } catch {
        return error == .locked
      }
    }
    #expect(isOpen(first) && !isOpen(second))
    try await desk.store()
    try await folder.save()
    #expect(isOpen(first) && !isOpen(second))
    await folder.close(first)
    #expect(!isOpen(first))
    try await desk.store()
    try await folder.save()
    #expect(isOpen(second))
  }

  /// Nobody waits for what is written beside, so its failure is told to the host, with where it was.
  @Test func theHostIsToldWhyDocumentsStayUnwritten() async throws {
    let disk = SimulatedDisk()
    let told = Told()
    var settings = Self.settings(disk, limit: 200)
    settings.failed = { failure in told.failures.withLock { $0.append(failure) } }
    let folder = try ServerFolder.open(at: "/srv", settings: settings)
    let id = ListID(high: 8, low: 1)
    let path = ServerFolder.path(of: id, in: "/srv")
    var desk = Desk(folder: folder, list: try await folder.open(id, for: "ann").list)
    disk.faults.fullPath = path
    while told.count == 0 {
      try await desk.store()
      await folder.finishWriting()
    }
    let count = told.count
    await folder.close(id)
    #expect(told.count == count + 1)
    var full = FileSystemError("open", because: .noSpace, number: 28)
    full.path = path
    #expect(told.failures.withLock { $0 }.allSatisfy { $0 == .fileSystem(full) })
    disk.faults.fullPath = nil
    try await folder.save()
  }

  /// A document that could not be written when it was closed goes when it is.
  @Test func whatIsWrittenLateIsLetGo() async throws {
    let disk = SimulatedDisk()
    let folder = try ServerFolder.open(at: "/srv", settings: Self.settings(disk))
    let id = ListID(high: 8, low: 1)
    let path = ServerFolder.path(of: id, in: "/srv")
    var desk = Desk(folder: folder, list: try await folder.open(id, for: "ann").list)
    try await desk.store()
    disk.faults.fullPath = path
    await folder.close(id)
    await #expect(throws: DocumentFileFailure.self) { try await folder.save() }
    try await desk.store()
    disk.faults.fullPath = nil
    try await folder.save()
    await #expect(throws: SyncFailure(.unavailable, "the document")) { try await desk.store() }
    #expect(try DocumentExamination(of: path, in: disk).list.count == 2)
  }

  /// Whoever makes a document that takes long holds up those who ask for others, and nobody's store.
  @Test func storesGoOnWhileADocumentIsOpened() async throws {
    let gate = Gate(seed: 1)
    let folder = try ServerFolder.open(
      at: "/srv",
      settings: ServerFolder.Settings(fileSystem: SimulatedDisk(), random: gate.next))
    let (first, id) = (Self.lists[0], Self.lists[1])
    var desk = Desk(folder: folder, list: try await folder.open(first, for: "ann").list)
    gate.shut(letting: 0)
    let opening = (0..<2).map { _ in Task { try await folder.open(id, for: "bob").list } }
    try await gate.untilSomebodyWaits()
    let closing = Task { await folder.close(id) }
    try await desk.store()
    #expect(try await folder.open(first, for: "bob").list == desk.list)
    #expect(gate.isWaiting && !gate.hasGivenUp)
    gate.open()
    for task in opening { #expect(try await task.value == ReplicatedList(id: id)) }
    await closing.value
    // What was closed behind it can be removed.
    try await folder.remove(id)
  }

  private final class Told: Sendable {
    let failures = Mutex<[DocumentFileFailure]>([])
    var count: Int { failures.withLock { $0.count } }
  }
}
