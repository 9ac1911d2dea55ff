import Betwixt
import TestSupport
import Testing

@testable import BetwixtFiles
@testable import BetwixtSync

/// A document is removed, or it stays as it was.
extension ServerFolderTests {
  /// A drive as a killed process has left it: of the first document the journal holds more than its file
  /// does, and of another one as well.
  private static func left() async throws -> (drive: SimulatedDrive, list: ReplicatedList) {
    let disk = SimulatedDisk()
    let folder = try ServerFolder.open(at: "/srv", settings: settings(disk))
    var desk = Desk(folder: folder, list: try await folder.open(lists[0], for: "ann").list)
    try await desk.store()
    try await folder.save()
    try await desk.store()
    return (SimulatedDisk(disk.drive).drive, desk.list)
  }

  /// A folder of which that document could not be opened when the folder was, and can be now.
  private static func stranding(
    _ disk: SimulatedDisk, random: @escaping @Sendable () -> UInt64, openFiles: Int = 64
  ) async throws -> ServerFolder {
    let command = try disk.lock(DocumentFile.lockPath(of: path(of: lists[0])))
    let folder = try ServerFolder.open(
      at: "/srv",
      settings: ServerFolder.Settings(fileSystem: disk, openFiles: openFiles, random: random))
    disk.close(command)
    var other = Desk(folder: folder, list: try await folder.open(lists[1], for: "ann").list)
    try await other.store()
    return folder
  }

  /// Whoever comes while it is removed is not served what is about to go.
  @Test func aDocumentThatIsRemovedIsNotOpenedMeanwhile() async throws {
    let (drive, _) = try await Self.left()
    let disk = SimulatedDisk(drive)
    let gate = Gate(seed: 2)
    let folder = try await Self.stranding(disk, random: gate.next)
    // The other journal needs two numbers; the next one is for the owners of the other document.
    gate.shut(letting: 2)
    let removing = Task { try await folder.remove(Self.lists[0]) }
    try await gate.untilSomebodyWaits()
    let path = ServerFolder.path(of: Self.lists[0], in: "/srv")
    await #expect(throws: DocumentFileFailure.inFile(path, .locked)) {
      try await folder.open(Self.lists[0], for: "ann")
    }
    await #expect(throws: DocumentFileFailure.locked) { try await folder.remove(Self.lists[0]) }
    #expect(gate.isWaiting && !gate.hasGivenUp)
    gate.open()
    try await removing.value
    #expect(try !Self.comesBack(disk))
    #expect(try await folder.open(Self.lists[0], for: "ann").list.isEmpty)
  }

  /// Whichever call fails while it is removed, nothing that was stored is lost as long as it is there.
  @Test(arguments: SimulatedDisk.Failure.allCases) func aRemovalThatFailsLosesNothing(
    failure: SimulatedDisk.Failure
  ) async throws {
    let (drive, list) = try await Self.left()
    var (call, refused) = (1, 0)
    while true {
      let comment = Comment("call \(call), \(failure)")
      let disk = SimulatedDisk(drive)
      let folder = try await Self.stranding(disk, random: SharedRandom(seed: 2).next)
      let failing = disk.callCount + call
      (disk.faults.failingCall, disk.faults.failure) = (failing, failure)
      let isRemoved = (try? await folder.remove(list.id)) != nil
      let isDone = disk.callCount < failing
      disk.faults.failingCall = nil
      if !isRemoved {
        if disk.bytes(Self.path(of: list.id)) != nil {
          refused += 1
          let killed = SimulatedDisk(disk.drive)
          let again = try ServerFolder.open(at: "/srv", settings: Self.settings(killed, seed: 3))
          #expect(try await again.open(list.id, for: "ann").list == list, comment)
          #expect(try await folder.open(list.id, for: "ann").list == list, comment)
        }
        try await folder.remove(list.id)
      }
      #expect(try !Self.comesBack(disk), comment)
      if isDone { break }
      call += 1
    }
    #expect(refused > 5)
  }

  /// What is to go need not be written before.
  @Test func aDocumentThatCannotBeWrittenIsRemoved() async throws {
    let disk = SimulatedDisk()
    let (id, other) = (Self.lists[0], Self.lists[1])
    let folder = try ServerFolder.open(at: "/srv", settings: Self.settings(disk))
    var desk = Desk(folder: folder, list: try await folder.open(id, for: "ann").list)
    var second = Desk(folder: folder, list: try await folder.open(other, for: "ann").list)
    try await desk.store()
    try await folder.save()
    disk.overwrite(Self.path(of: id), [1, 2, 3])
    try await desk.store()
    try await second.store()
    await #expect(throws: DocumentFileFailure.self) { try await folder.save() }
    try await folder.remove(id)
    #expect(try !disk.list("/srv").contains { $0.contains("\(id)") })
    #expect(try !Self.comesBack(disk))
    #expect(try await folder.open(id, for: "ann").list.isEmpty)
    try await folder.save()
    #expect(try DocumentExamination(of: Self.path(of: other), in: disk).list == second.list)
  }

  /// Whichever call fails then, it has all that was stored as long as it is there.
  @Test func aRemovalThatFailsLosesNothingOfOneThatCannotBeWritten() async throws {
    var (call, refused) = (1, 0)
    while true {
      let disk = SimulatedDisk()
      var settings = Self.settings(disk)
      settings.openFiles = 0
      let folder = try ServerFolder.open(at: "/srv", settings: settings)
      let list = try await folder.open(Self.lists[0], for: "ann").list
      var desk = Desk(folder: folder, list: list)
      try await desk.store()
      try await folder.save()
      try await desk.store()
      let command = try disk.lock(DocumentFile.lockPath(of: Self.path(of: list.id)))
      let failing = disk.callCount + call
      disk.faults.failingCall = failing
      let isRemoved = (try? await folder.remove(list.id)) != nil
      let isDone = disk.callCount < failing
      disk.faults.failingCall = nil
      disk.close(command)
      if !isRemoved {
        if disk.bytes(Self.path(of: list.id)) != nil {
          refused += 1
          let killed = SimulatedDisk(disk.drive)
          let again = try ServerFolder.open(at: "/srv", settings: Self.settings(killed, seed: 3))
          #expect(try await again.open(list.id, for: "ann").list == desk.list, "call \(call)")
          #expect(try await folder.open(list.id, for: "ann").list == desk.list, "call \(call)")
        }
        try await folder.remove(list.id)
      }
      #expect(try !Self.comesBack(disk), "call \(call)")
      if isDone { break }
      call += 1
    }
    #expect(refused > 5)
  }

  /// What another document lacks that cannot be written stays where it was.
  @Test func whatOthersLackOutlivesARemoval() async throws {
    let (drive, _) = try await Self.left()
    let disk = SimulatedDisk(drive)
    let folder = try await Self.stranding(
      disk, random: SharedRandom(seed: 2).next, openFiles: 0)
    let other = try await folder.open(Self.lists[1], for: "ann").list
    let command = try disk.lock(DocumentFile.lockPath(of: Self.path(of: other.id)))
    try await folder.remove(Self.lists[0])
    disk.close(command)
    let killed = SimulatedDisk(disk.drive)
    let again = try ServerFolder.open(at: "/srv", settings: Self.settings(killed, seed: 3))
    #expect(killed.bytes(Self.path(of: Self.lists[0])) == nil)
    #expect(!other.isEmpty)
    #expect(try await again.open(other.id, for: "ann").list == other)
  }

  /// What a crash has left of it goes, and nothing else that has such a name.
  @Test func whatACrashLeftOfADocumentIsRemovedWithIt() async throws {
    let (drive, list) = try await Self.left()
    let disk = SimulatedDisk(drive)
    let path = Self.path(of: list.id)
    let digits = "0011223344556677"
    let folder = try ServerFolder.open(at: "/srv", settings: Self.settings(disk, seed: 2))
    _ = try await folder.open(Self.lists[1], for: "ann")
    let bytes = try #require(disk.bytes(path))
    let others = try #require(disk.bytes(Self.path(of: Self.lists[1])))
    let gone = ["\(path).tmp-\(digits)", "\(path).owners.tmp-\(digits)"]
    for name in gone { try disk.create(name, holding: bytes) }
    let stays = ["\(path).tmp-notes", "\(path).tmp-\(digits)8", "\(path).branch-1"]
    for name in stays { try disk.create(name, holding: bytes) }
    let foreign = "\(path).tmp-8899aabbccddeeff"
    try disk.create(foreign, holding: others)
    try await folder.remove(list.id)
    #expect(disk.bytes(path) == nil && gone.allSatisfy { disk.bytes($0) == nil })
    #expect((stays + [foreign]).allSatisfy { disk.bytes($0) != nil })
  }

  /// However often the folder is opened in vain, what a document lacks is kept once.
  @Test func aRestDoesNotGrowWithOpeningsThatFail() async throws {
    let (drive, list) = try await Self.left()
    let disk = SimulatedDisk(drive)
    let command = try disk.lock(DocumentFile.lockPath(of: Self.path(of: list.id)))
    disk.faults.fullPath = "/srv/journal.tmp-"
    var sizes: Set<Int> = []
    for seed in 2...5 as ClosedRange<UInt64> {
      #expect(throws: DocumentFileFailure.self) {
        try ServerFolder.open(at: "/srv", settings: Self.settings(disk, seed: seed))
      }
      sizes.insert(try #require(disk.bytes("/srv/\(ServerFolder.restName)")?.count))
    }
    #expect(sizes.count == 1)
    disk.faults.fullPath = nil
    disk.close(command)
    let folder = try ServerFolder.open(at: "/srv", settings: Self.settings(disk, seed: 6))
    #expect(try await folder.open(list.id, for: "ann").list == list)
  }
}
