import Betwixt
import TestSupport
import Testing

@testable import BetwixtFiles
@testable import BetwixtSync

/// Five devices and a tool that copies files between them late, half, twice and under other names.
struct SharedFolderTests {
  private static let root = "/shared"

  /// One device: its own drive with its own copy of the folder.
  private final class Device {
    let disk = SimulatedDisk()
    var list = ReplicatedList(id: DocumentWork.listID)
    var folder: SharedFolder
    let id: ReplicaID
    var sequence: Int64 = 0
    let random: SharedRandom

    init(_ number: UInt64) {
      id = ReplicaID(rawValue: 0x100 + number)
      let random = SharedRandom(seed: number)
      self.random = random
      folder = Device.open(disk, id, nil, random)
    }

    private static func open(
      _ disk: SimulatedDisk, _ id: ReplicaID, _ head: FolderHeads.Head?, _ random: SharedRandom
    ) -> SharedFolder {
      var settings = SharedFolder.Settings(random: { random.next() })
      settings.fileSystem = disk
      return SharedFolder(
        root, list: DocumentWork.listID, replica: id, ownHead: head, settings: settings)
    }

    func reopen() { folder = Device.open(disk, id, folder.ownHead, random) }

    func edit(_ choices: inout SplitMix64) throws {
      var me = Replica(id: id, sequence: sequence) { 1_777_000_000_000 }
      try Sample.edit(&list, by: &me, &choices)
      sequence = me.sequence
    }

    func read(now: Int64 = 0) throws -> SharedFolder.Reading {
      try folder.read(into: &list, now: now)
    }

    /// The whole files of the folder: what a tool takes for the newest state of a path.
    var wholeFiles: [String: [UInt8]] {
      files.filter { (try? SealedBlock.decodeBlock($0.value)) != nil }
    }

    /// All files of the folder, by path.
    var files: [String: [UInt8]] {
      let paths = (try? folder.files().map(\.path)) ?? []
      return Dictionary(uniqueKeysWithValues: paths.map { ($0, disk.bytes($0) ?? []) })
    }

    func put(_ path: String, _ bytes: [UInt8]) throws {
      try disk.makeDirectories(Path.directory(of: path))
      try disk.unlinkIfPresent(path)
      try disk.create(path, holding: bytes)
    }
  }

  /// Copies some files from one device to another: whole, half, or under another name.
  private func copySome(
    _ from: Device, _ to: Device, _ choices: inout SplitMix64
  ) throws {
    let there = to.files
    for (path, bytes) in from.wholeFiles.sorted(by: { $0.key < $1.key }) where there[path] != bytes
    {
      switch choices.next(below: 6) {
      case 0: break
      case 1: try to.put(path, Array(bytes.prefix(choices.next(below: bytes.count))))
      case 2: try to.put(path + ".sync-conflict-\(choices.next(below: 9))", bytes)
      case 3: try to.put(Path.directory(of: path) + " (copy)/" + Path.name(of: path), bytes)
      default: try to.put(path, bytes)
      }
    }
  }

  private func copyAll(_ from: Device, _ to: Device) throws {
    let there = to.files
    for (path, bytes) in from.wholeFiles where there[path] != bytes { try to.put(path, bytes) }
  }

  /// One reader of three is not all of them.
  @Test func whatASnapshotReplacesStaysUntilEveryoneHasReadIt() throws {
    let devices = (1...4).map { Device(UInt64($0)) }
    func exchange(_ device: Device) throws {
      for other in devices { try copyAll(other, device) }
      _ = try device.read()
      var me = Replica(id: device.id, sequence: device.sequence) { 1_777_000_000_000 }
      try device.list.append(["title": "new"], by: &me)
      device.sequence = me.sequence
      #expect(try device.folder.write(device.list) != nil)
    }
    for device in devices + devices { try exchange(device) }
    let first = devices[0]
    _ = try first.read()
    try first.folder.writeSnapshot(first.list)
    for reader in devices[1...] {
      #expect(try first.folder.removeReplaced() == 0)
      try exchange(reader)
      try copyAll(reader, first)
      _ = try first.read()
    }
    #expect(try first.folder.removeReplaced() >= 2)
  }

  /// Only what a device has written itself makes a snapshot of it due, and only what is newer than
  /// its last one.
  @Test func aSnapshotIsDueOnceTheOwnSegmentsWeighMore() throws {
    let (writer, reader) = (Device(1), Device(2))
    func write(_ device: Device, byteCount: Int) throws {
      var me = Replica(id: device.id, sequence: device.sequence) { 1_777_000_000_000 }
      for _ in 0..<(byteCount / 10_000) {
        let text = String(repeating: "z", count: 9_900)
        try device.list.append(["title": .string(text)], by: &me)
      }
      device.sequence = me.sequence
      try device.folder.write(device.list)
    }
    try write(writer, byteCount: 40_000)
    #expect(!writer.folder.isSnapshotDue)
    try write(writer, byteCount: 40_000)
    #expect(writer.folder.isSnapshotDue)
    try write(reader, byteCount: 10_000)
    try copyAll(writer, reader)
    _ = try reader.read()
    #expect(!reader.folder.isSnapshotDue)
    try writer.folder.writeSnapshot(writer.list)
    #expect(!writer.folder.isSnapshotDue)
    // A snapshot of 80,000 bytes is not worth another one for less.
    try write(writer, byteCount: 70_000)
    #expect(!writer.folder.isSnapshotDue)
    try write(writer, byteCount: 30_000)
    #expect(writer.folder.isSnapshotDue)
  }

  /// A document that was put back under a clock that is behind reads none of its newer files: a
  /// snapshot would stand for them and lack what they hold.
  @Test func noSnapshotIsDueWhileAnOwnFileWaits() throws {
    let device = Device(1)
    func write(_ time: Int64, byteCount: Int) throws {
      var me = Replica(id: device.id, sequence: device.sequence) { time }
      for _ in 0..<(byteCount / 10_000) {
        let text = String(repeating: "z", count: 9_900)
        try device.list.append(["title": .string(text)], by: &me)
      }
      device.sequence = me.sequence
      try device.folder.write(device.list)
    }
    let (early, late) = (1_600_000_000_000, 1_777_000_000_000) as (Int64, Int64)
    try write(late, byteCount: 10_000)
    let numberThen = device.sequence
    device.list = ReplicatedList(id: device.list.id)
    device.reopen()
    let reading = try device.folder.read(
      into: &device.list, now: 0, admission: AdmissionPolicy(now: early))
    #expect(reading.withheld.count == 1 && device.list.isEmpty)
    device.sequence = numberThen
    try write(early, byteCount: 80_000)
    #expect(!device.folder.isSnapshotDue)
    _ = try device.folder.read(
      into: &device.list, now: 0, admission: AdmissionPolicy(now: late))
    #expect(device.list.count == 9 && device.folder.isSnapshotDue)
  }

  /// A tool puts another file in the place of one that was read, or takes it away, while the folder is
  /// in use: what it held is put in again.
  @Test(arguments: [true, false]) func aFileThatIsGoneIsPutInAgain(isReplaced: Bool) throws {
    var choices = SplitMix64(seed: 4)
    let (device, reader) = (Device(1), Device(2))
    for _ in 0..<3 {
      for _ in 0..<3 { try? device.edit(&choices) }
      _ = try device.read()
      try device.folder.write(device.list)
    }
    let path = try #require(device.wholeFiles.keys.sorted().dropFirst().first)
    let bytes = try #require(device.disk.bytes(path))
    if isReplaced {
      try device.put(path, Array(bytes.dropLast()))
    } else {
      try device.disk.unlink(path)
    }
    #expect(try device.read().evidence == nil)
    #expect(try device.folder.write(device.list) != nil)
    #expect(try device.folder.write(device.list) == nil)
    try copyAll(device, reader)
    _ = try reader.read()
    #expect(reader.list == device.list && reader.list.version == device.list.version)
  }

  @Test(arguments: 1...(runsLong ? 12 : 2))
  func fiveDevicesConverge(seed: Int) throws {
    var choices = SplitMix64(seed: UInt64(seed))
    let devices = (1...5).map { Device(UInt64($0)) }
    for _ in 0..<(runsLong ? 120 : 40) {
      let device = devices[choices.next(below: 5)]
      switch choices.next(below: 6) {
      case 0, 1: for _ in 0..<3 { try? device.edit(&choices) }
      case 2: #expect(try device.read().evidence == nil)
      case 3:
        _ = try device.read()
        try device.folder.write(device.list)
      case 4: try copySome(device, devices[choices.next(below: 5)], &choices)
      default:
        if choices.next(below: 3) == 0 { device.reopen() }
        if choices.next(below: 4) == 0 {
          _ = try device.read()
          try device.folder.writeSnapshot(device.list)
          try device.folder.removeReplaced()
        }
      }
      try checkVersions(devices)
    }
    try settle(devices)
  }

  /// P21: what a version claims is held, or what replaced it.
  private func checkVersions(_ devices: [Device]) throws {
    for device in devices {
      for other in devices {
        #expect(device.list.claimsTruly(about: other.list), "a version is false")
      }
    }
  }

  /// After the tool has copied everything, all are equal, entries and versions.
  private func settle(_ devices: [Device]) throws {
    for _ in 0..<3 {
      for device in devices {
        _ = try device.read()
        try device.folder.write(device.list)
      }
      for from in devices {
        for to in devices where to !== from { try copyAll(from, to) }
      }
    }
    for device in devices { _ = try device.read() }
    for device in devices {
      #expect(device.list == devices[0].list)
      #expect(device.list.version == devices[0].list.version)
      #expect(try device.folder.write(device.list) == nil)
    }
  }

  @Test func aVersionWaitsForTheFilesItStandsOn() throws {
    var choices = SplitMix64(seed: 3)
    let (a, b, c) = (Device(1), Device(2), Device(3))
    for _ in 0..<4 { try a.edit(&choices) }
    try a.folder.write(a.list)
    try copyAll(a, b)
    _ = try b.read()
    for _ in 0..<4 { try b.edit(&choices) }
    try b.folder.write(b.list)
    // Only the file of b arrives: its entries join, its claim waits for the file of a.
    for (path, bytes) in b.files where path.contains(b.id.description) { try c.put(path, bytes) }
    _ = try c.read()
    #expect(c.list.version.isEmpty)
    #expect(c.list.entryCount > 0)
    try copyAll(a, c)
    _ = try c.read()
    #expect(c.list == b.list)
    #expect(c.list.version == b.list.version)
  }

  @Test func partialFilesAreReportedWhenTheyStall() throws {
    var choices = SplitMix64(seed: 4)
    let (a, b) = (Device(1), Device(2))
    try a.edit(&choices)
    try a.folder.write(a.list)
    let (path, bytes) = try #require(a.files.first)
    try b.put(path, Array(bytes.dropLast()))
    #expect(try b.read(now: 0).pending == [path])
    #expect(try b.read(now: 599_999).stalled == [])
    #expect(try b.read(now: 600_000).stalled == [path])
    try b.put(path, bytes)
    #expect(try b.read(now: 700_000) == SharedFolder.Reading(newFiles: 1))
    #expect(b.list == a.list)
  }

  @Test func anotherWriterUnderMyIdIsEvidence() throws {
    var choices = SplitMix64(seed: 5)
    let (a, clone) = (Device(1), Device(1))
    for device in [a, clone] {
      try device.edit(&choices)
      try device.folder.write(device.list)
    }
    try copyAll(clone, a)
    #expect(try a.read().evidence == .foreignFile)
    #expect(throws: SharedFolderFailure.identity(.foreignFile)) { try a.folder.write(a.list) }
    // Without the kept head, a file of mine is one that I never wrote.
    let forgetful = Device(1)
    try copyAll(a, forgetful)
    #expect(try forgetful.read().evidence == .foreignFile)
  }

  @Test func compactionWaitsForAllOthers() throws {
    var choices = SplitMix64(seed: 6)
    let (a, b) = (Device(1), Device(2))
    for _ in 0..<5 {
      try a.edit(&choices)
      try a.folder.write(a.list)
    }
    try copyAll(a, b)
    _ = try b.read()
    try b.edit(&choices)
    try b.folder.write(b.list)
    try copyAll(b, a)
    _ = try a.read()
    let snapshot = try a.folder.writeSnapshot(a.list)
    #expect(try a.folder.removeReplaced() == 0)
    try copyAll(a, b)
    _ = try b.read()
    try b.edit(&choices)
    try b.folder.write(b.list)
    try copyAll(b, a)
    _ = try a.read()
    let removed = try a.folder.removeReplaced()
    #expect(removed == Int(snapshot.ordinal) - 1)
    // Who had read them counts what is there.
    let count = b.folder.writers.first { $0.replica == a.id }?.fileCount
    for file in b.folder.known.values where file.heads.directory == a.id && !file.isSnapshot {
      try b.disk.unlink(file.path)
    }
    #expect(count == removed + 1)
    #expect(b.folder.writers.first { $0.replica == a.id }?.fileCount == 1)
    // A newcomer reads the snapshot and what came later.
    let c = Device(3)
    try copyAll(a, c)
    _ = try c.read()
    #expect(c.list == a.list)
    #expect(c.list.version == a.list.version)
    #expect(try a.folder.removeReplaced(evenUnread: true) == 0)
  }

  @Test func foreignAndHostileFilesAreIgnored() throws {
    let a = Device(1)
    let base = SharedFolderTests.root + "/betwixt-1/\(DocumentWork.listID)"
    try a.put(base + "/notes.txt", Array("hello".utf8))
    let other = try SealedBlock.encode(Sample.list(seed: 1, edits: 10))
    try a.put(base + "/0000000000000001/00000001-aaaa.segment", other)
    let reading = try a.read()
    #expect(reading.newFiles == 0)
    #expect(reading.pending == [base + "/notes.txt"])
    #expect(a.list.entryCount == 0)
  }
}
