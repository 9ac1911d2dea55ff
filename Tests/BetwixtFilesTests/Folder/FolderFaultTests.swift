import Betwixt
import TestSupport
import Testing

@testable import BetwixtFiles
@testable import BetwixtSync

/// Shared folders on drives that fail, fill up and crash, and files that come in any state.
struct FolderFaultTests {
  private static let root = "/shared"

  private static func folder(
    _ disk: SimulatedDisk, _ replica: UInt64, _ head: FolderHeads.Head? = nil,
    segmentByteCount: Int = 1 << 20
  ) -> SharedFolder {
    let random = SharedRandom(seed: replica)
    var settings = SharedFolder.Settings(random: { random.next() })
    settings.fileSystem = disk
    settings.segmentByteCount = segmentByteCount
    return SharedFolder(
      root, list: DocumentWork.listID, replica: ReplicaID(rawValue: replica), ownHead: head,
      settings: settings)
  }

  private static func list(
    by replica: UInt64, items: Int, text: Int = 10, after list: ReplicatedList? = nil
  ) throws -> ReplicatedList {
    var me = Replica(
      id: ReplicaID(rawValue: replica),
      sequence: list?.version[ReplicaID(rawValue: replica)] ?? 0
    ) { 1_777_000_000_000 }
    var list = list ?? ReplicatedList(id: DocumentWork.listID)
    for number in 0..<items {
      let text = String(repeating: "s", count: text) + "\(number)"
      try list.append(["title": .string(text)], by: &me)
    }
    return list
  }

  /// Writes, reads another's news, writes again, compacts; as far as it gets.
  private static func work(_ disk: SimulatedDisk, _ folder: inout SharedFolder) throws
    -> ReplicatedList
  {
    var list = try list(by: 1, items: 3)
    try folder.write(list)
    try folder.read(into: &list, now: 0)
    list = try Self.list(by: 1, items: 2, after: list)
    try folder.write(list)
    try folder.writeSnapshot(list)
    try folder.removeReplaced(evenUnread: true)
    return list
  }

  /// A drive on which another device has left its files.
  private static func prepared() throws -> SimulatedDisk {
    let disk = SimulatedDisk()
    var other = folder(disk, 2)
    try other.write(try list(by: 2, items: 2))
    return SimulatedDisk(disk.drive.crashed { .whole })
  }

  /// Goes on after a fault as a program does: the kept head, or a new id if that is doubtful.
  private static func check(
    _ disk: SimulatedDisk, _ head: FolderHeads.Head?, _ comment: Comment
  ) throws {
    var mine = try list(by: 1, items: 3)
    mine = try list(by: 1, items: 2, after: mine)
    var again = folder(disk, 1, head)
    let reading = try again.read(into: &mine, now: 0)
    if reading.evidence != nil {
      #expect(reading.evidence == .foreignFile, comment)
      again = folder(disk, 3)
      try again.read(into: &mine, now: 0)
    }
    try again.write(mine)
    var reader = folder(disk, 4)
    var copy = ReplicatedList(id: DocumentWork.listID)
    let last = try reader.read(into: &copy, now: 0)
    #expect(copy == mine, comment)
    #expect(copy.version == mine.version, comment)
    #expect(last.pending.allSatisfy { $0.contains("betwixt-tmp-") }, comment)
  }

  @Test(arguments: SimulatedDisk.Failure.allCases)
  func everyCallMayFail(failure: SimulatedDisk.Failure) throws {
    var call = 1
    while true {
      let disk = try Self.prepared()
      disk.faults.failingCall = call
      disk.faults.failure = failure
      disk.faults.shortWrite = 400
      var folder = Self.folder(disk, 1)
      let isDone = (try? Self.work(disk, &folder)) != nil
      let untouched = disk.callCount < call
      disk.faults.failingCall = nil
      try Self.check(disk, folder.ownHead, "call \(call), \(failure)")
      if untouched {
        #expect(isDone)
        break
      }
      call += 1
    }
    #expect(call > 60)
    print("shared folder, \(failure): \(call - 1) calls failed, one after another")
  }

  @Test func everyCrashLeavesWholeFilesOrNone() throws {
    var choices = SplitMix64(seed: 61)
    var (call, count) = (1, 0)
    while true {
      let disk = try Self.prepared()
      disk.faults.crashingCall = call
      var folder = Self.folder(disk, 1)
      let isDone = (try? Self.work(disk, &folder)) != nil
      let drive = disk.drive
      for fates in Fates.all(of: drive.unsyncedCount, samples: runsLong ? 30 : 2, &choices) {
        let after = SimulatedDisk(drive.crashed(fates))
        try Self.check(after, folder.ownHead, "call \(call), \(fates.list)")
        count += 1
      }
      if isDone { break }
      call += 1
    }
    #expect(count > 60)
    print("crash states of a shared folder: \(count)")
  }

  @Test func muchNewsGoesIntoSeveralSegments() throws {
    let disk = SimulatedDisk()
    var folder = Self.folder(disk, 1, segmentByteCount: 64 << 10)
    let list = try Self.list(by: 1, items: 200, text: 2_000)
    let head = try #require(try folder.write(list))
    let files = try folder.files()
    #expect(head.ordinal == Int64(files.count) && files.count > 6)
    for (path, status) in files {
      #expect(status.size <= (64 << 10) + 1_000)
      let block = try SealedBlock.decodeBlock(try #require(disk.bytes(path)))
      // Only the last one claims.
      #expect(block.delta.ranges.isEmpty == (block.heads?.ordinal != head.ordinal))
    }
    // They may come in any order; until all are there nothing is claimed.
    var choices = SplitMix64(seed: 62)
    for _ in 0..<(runsLong ? 20 : 1) {
      let copy = SimulatedDisk()
      var reader = Self.folder(copy, 2)
      var read = ReplicatedList(id: list.id)
      var rest = files.map(\.path)
      while !rest.isEmpty {
        let path = rest.remove(at: choices.next(below: rest.count))
        try copy.makeDirectories(Path.directory(of: path))
        try copy.create(path, holding: try #require(disk.bytes(path)))
        try reader.read(into: &read, now: 0)
        #expect(read.version.isEmpty == !rest.isEmpty)
      }
      #expect(read == list)
      #expect(read.version == list.version)
    }
    #expect(try folder.write(list) == nil)
  }

  @Test func oneGreatValueGetsASegmentOfItsOwn() throws {
    let disk = SimulatedDisk()
    var folder = Self.folder(disk, 1, segmentByteCount: 0)
    var me = Replica(id: ReplicaID(rawValue: 1)) { 1_777_000_000_000 }
    me.limits.valueByteCount = 400_000
    var list = ReplicatedList(id: DocumentWork.listID)
    for _ in 0..<3 {
      try list.append(["photo": .bytes([UInt8](repeating: 9, count: 300_000))], by: &me)
    }
    try folder.write(list)
    #expect(try folder.files().count >= 3)
    var read = ReplicatedList(id: list.id)
    var reader = Self.folder(disk, 2)
    try reader.read(into: &read, now: 0)
    #expect(read == list)
  }

  @Test func aSnapshotClaimsOnlyWhatItsWriterKnew() throws {
    // The file of b stands on one of a that c has not got.
    let (diskA, diskC) = (SimulatedDisk(), SimulatedDisk())
    var a = Self.folder(diskA, 1)
    var listA = try Self.list(by: 1, items: 3)
    try a.write(listA)
    var b = Self.folder(diskA, 2)
    var listB = ReplicatedList(id: DocumentWork.listID)
    try b.read(into: &listB, now: 0)
    // One of a's writes is replaced, so that nobody has it any more.
    var you = Replica(id: ReplicaID(rawValue: 2)) { 1_777_000_900_000 }
    try listB.set("title", of: listB[0].id, to: "Theirs", by: &you)
    try b.write(listB)
    for (path, _) in try b.files() where path.contains(b.replica.description) {
      try diskC.makeDirectories(Path.directory(of: path))
      try diskC.create(path, holding: try #require(diskA.bytes(path)))
    }
    var c = Self.folder(diskC, 3)
    var listC = ReplicatedList(id: DocumentWork.listID)
    try c.read(into: &listC, now: 0)
    try c.writeSnapshot(listC)
    var d = Self.folder(diskC, 4)
    var listD = ReplicatedList(id: DocumentWork.listID)
    try d.read(into: &listD, now: 0)
    #expect(listC.version.isEmpty && listD.version.isEmpty)
    try a.read(into: &listA, now: 0)
    #expect(listA.version == listB.version)
  }

  @Test func afterThirtyDaysNobodyIsWaitedFor() throws {
    let disk = try Self.prepared()
    var folder = Self.folder(disk, 1)
    var list = try Self.list(by: 1, items: 3)
    try folder.read(into: &list, now: 0)
    try folder.write(list)
    try folder.writeSnapshot(list)
    let born: Int64 = 1_777
    let month: Int64 = 30 * 86_400_000
    #expect(try folder.removeReplaced() == 0)
    // A clock that shows anything at all is only wrong.
    for clock in [Int64.min, -1, 0] { #expect(try folder.removeReplaced(now: clock) == 0) }
    #expect(try folder.removeReplaced(now: born + month - 1) == 0)
    #expect(try folder.removeReplaced(now: born + month) == 1)
    var reader = Self.folder(disk, 4)
    var copy = ReplicatedList(id: DocumentWork.listID)
    try reader.read(into: &copy, now: 0)
    #expect(copy == list)
    #expect(copy.version == list.version)
  }

  @Test func leftoversOfACrashAreNoEvidence() throws {
    let disk = SimulatedDisk()
    var folder = Self.folder(disk, 1)
    let list = try Self.list(by: 1, items: 3)
    try folder.write(list)
    let path = try #require(try folder.files().first?.path)
    // A whole file that never got its name, of the number that comes next.
    var ahead = folder
    try ahead.write(try Self.list(by: 1, items: 1, after: list))
    let written = try #require(try ahead.files().map(\.path).first { $0 != path })
    let directory = Path.directory(of: path)
    let leftover = Path.joining(directory, "betwixt-tmp-\(folder.replica)-00ff")
    try disk.rename(written, to: leftover)
    var again = Self.folder(disk, 1, folder.ownHead)
    var copy = list
    #expect(try again.read(into: &copy, now: 0).evidence == nil)
    #expect(copy == list)
    try again.write(try Self.list(by: 1, items: 2, after: list))
    #expect(disk.bytes(leftover) == nil)
  }

  @Test func whatDoesNotGrowIsNotReadEachTime() throws {
    let disk = SimulatedDisk()
    let path = Self.root + "/betwixt-1/\(DocumentWork.listID)/0000000000000009/half.segment"
    try disk.makeDirectories(Path.directory(of: path))
    try disk.create(path, holding: [UInt8](repeating: 7, count: 200_000))
    var folder = Self.folder(disk, 1)
    var list = ReplicatedList(id: DocumentWork.listID)
    var calls: [Int] = []
    for now in stride(from: Int64(0), through: 600_000, by: 500) {
      let before = disk.callCount
      let reading = try folder.read(into: &list, now: now)
      #expect(reading.pending == [path])
      #expect(reading.stalled == (now >= 600_000 ? [path] : []))
      calls.append(disk.callCount - before)
    }
    // Looking at names takes some calls, reading the file more.
    let looking = try #require(calls.min())
    let reads = calls.count { $0 > looking }
    // 1,200 looks: at first after a second, then later and later, at last once a minute.
    #expect(reads >= 10 && reads <= 20)
  }

  /// It says nothing of any writer, and keeps nobody from the folder.
  @Test func aFileOfHeadsThatIsFarTooLargeCountsAsNone() throws {
    let disk = SimulatedDisk()
    let list = DocumentWork.listID
    let heads = FolderHeadFile(in: "/state", of: list, fileSystem: disk, random: { 7 })
    let head = FolderHeads.Head(
      directory: ReplicaID(rawValue: 1), ordinal: 2, hash: [UInt8](repeating: 3, count: 32))
    try heads.keep(head)
    let bytes = try #require(disk.bytes("/state/\(list).head"))
    disk.overwrite("/state/\(list).head", bytes + [UInt8](repeating: 10, count: 5_000))
    #expect(try heads.head(of: head.directory) == nil)
    try heads.keep(head)
    #expect(try heads.head(of: head.directory) == head)
  }

  /// The lock lies where this installation keeps what it knows: only one that is taken says that somebody
  /// is at work.
  @Test(arguments: [true, false]) func aLockThatCannotBeMadeIsNoOtherProgram(isTaken: Bool) throws {
    let disk = SimulatedDisk()
    let random = SharedRandom(seed: 5)
    var settings = Document.Settings(
      stateDirectory: "/state", clock: { 1_777_000_000_000 }, random: { random.next() })
    settings.file.fileSystem = disk
    try disk.makeDirectories(Self.root)
    var trip = try Document.create(at: DocumentWork.path, settings: settings)
    try trip.edit { (list, me) throws(EditFailure) in
      try list.append(["title": "Lunch"], by: &me)
    }
    let folder = try #require(try disk.list("/state").first)
    let lock = "/state/\(folder)/\(trip.id).head.lock"
    if isTaken { _ = try disk.lock(lock) } else { disk.faults.fullPath = ".head.lock" }
    let failure: Document.Failure?
    do throws(Document.Failure) {
      try trip.sync(folder: Self.root)
      failure = nil
    } catch {
      failure = error
    }
    switch failure?.cause {
    case .busyFolder(let error): #expect(isTaken && error.reason == .locked)
    case .folderState(let error): #expect(!isTaken && error.reason == .noSpace)
    default: Issue.record("\(String(describing: failure))")
    }
  }

  /// A file names few replicas of which nothing is known, whatever it claims of how many.
  @Test func aFileNamesFewWhoAreMadeUp() throws {
    let disk = SimulatedDisk()
    let (liar, reader) = (FolderDevice(1, on: disk), FolderDevice(2, on: disk))
    try liar.add("Museum")
    let invented = (1_001...6_000).map {
      VersionVector.Component(replica: ReplicaID(rawValue: $0), sequence: 1)
    }
    var builder = Delta.Builder()
    for row in invented { builder.cover(row.replica, after: 0, through: 1) }
    builder.forget(below: VersionVector(invented))
    liar.list.merge(builder.build())
    try liar.sync()
    #expect(try reader.read().withheld.isEmpty)
    #expect(reader.list.version.count == 1 + 4_096 && reader.list.floor.count == 4_096)
    #expect(reader.list.count == 1 && reader.folder.index.claimed.count == 1 + 4_096)
    #expect(try reader.folder.write(reader.list) == nil)
    // Who knows them believes all of it, also when files are read once more.
    let friend = FolderDevice(3, on: disk)
    friend.list = liar.list
    _ = try friend.read()
    let (again, _) = try friend.folder.reread(of: { _ in true }, holding: friend.list)
    #expect(friend.folder.index.claimed == liar.list.version)
    #expect(again.index.claimed == liar.list.version)
  }
}
