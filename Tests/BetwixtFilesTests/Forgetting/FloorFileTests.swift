import Betwixt
import TestSupport
import Testing

@testable import BetwixtFiles
@testable import BetwixtSync

/// Documents and shared folders carry the floor.
@Suite struct FloorFileTests {
  private static func list(_ me: inout Replica) throws -> ReplicatedList {
    var list = ReplicatedList(id: DocumentWork.listID)
    for number in 0..<6 {
      try list.append(["n": .int64(Int64(number)), "title": "a title"], by: &me)
    }
    for item in list.prefix(4).map({ $0.id }) { try list.remove(item, by: &me) }
    return list
  }

  private static func removed(_ list: ReplicatedList) throws -> ItemID {
    let entries = list.delta(since: VersionVector()).entries
    return try #require(entries.first { list[id: $0.item]?.isRemoved == true }?.item)
  }

  // MARK: Documents

  @Test func aDocumentKeepsTheFloor() throws {
    let scratch = ScratchDirectory()
    let path = scratch.path + "/trip.trip"
    var settings = DocumentWork.settings(PosixFileSystem())
    settings.access = .shared
    var me = Replica(id: ReplicaID(rawValue: 5)) { 1_777_000_000_000 }
    var list = try Self.list(&me)
    var file = try DocumentFile.create(at: path, holding: list, settings: settings)
    var other = try DocumentFile.open(at: path, settings: settings)
    list.forget(below: list.version)
    try file.commit(list)
    #expect(file.list.floor == list.floor && file.list == list)
    // Another program follows, and takes the file for no older copy.
    #expect(try other.refresh())
    #expect(other.list == list && other.list.floor == list.floor && other.goneBackCount == 0)
    // What is known is not written again.
    let size = file.size
    try file.commit(list)
    #expect(file.size == size)
    try list.restore(try Self.removed(list), by: &me)
    try file.commit(list)
    try file.compact()
    file.close()
    other.close()
    let again = try DocumentFile.open(at: path, settings: settings)
    #expect(again.list == list && again.list.floor == list.floor && again.report.findings.isEmpty)
    again.close()
  }

  // MARK: Folders

  private final class Device {
    var list: ReplicatedList
    var folder: SharedFolder
    var me: Replica

    init(_ number: UInt64, _ list: ReplicatedList, _ disk: SimulatedDisk) {
      let random = SharedRandom(seed: number)
      var settings = SharedFolder.Settings(random: { random.next() })
      settings.fileSystem = disk
      let id = ReplicaID(rawValue: 0x100 + number)
      self.list = list
      me = Replica(id: id) { 1_777_000_000_000 + Int64(number) }
      folder = SharedFolder(
        "/shared", list: list.id, replica: id, ownHead: nil, settings: settings)
    }

    func sync() throws {
      _ = try folder.read(into: &list, now: 0)
      try folder.write(list)
    }
  }

  /// Three devices with the same list and a folder.
  private func devices() throws -> [Device] {
    let disk = SimulatedDisk()
    var me = Replica(id: ReplicaID(rawValue: 5)) { 1_777_000_000_000 }
    let list = try Self.list(&me)
    let devices = (1...3).map { Device($0, list, disk) }
    for device in devices { try device.sync() }
    return devices
  }

  private func settle(_ devices: [Device]) throws {
    for _ in 0..<3 { for device in devices { try device.sync() } }
    for device in devices {
      #expect(device.list == devices[0].list && device.list.floor == devices[0].list.floor)
      #expect(device.list.digest == devices[0].list.digest)
    }
  }

  @Test func aFolderBringsTheFloor() throws {
    let devices = try devices()
    let floor = devices[0].list.version
    devices[0].list.forget(below: floor)
    try settle(devices)
    #expect(devices[2].list.floor == floor)
    #expect(try devices[0].folder.write(devices[0].list) == nil)
  }

  /// What nobody can have dropped is in the folder, and is not put in again.
  @Test func onlyWhatWasRestoredCountsAsMissing() throws {
    let devices = try devices()
    let item = try Self.removed(devices[0].list)
    devices[0].list.forget(below: devices[0].list.version)
    try devices[0].folder.write(devices[0].list)
    try devices[1].list.restore(item, by: &devices[1].me)
    try devices[1].folder.write(devices[1].list)
    _ = try devices[1].folder.read(into: &devices[1].list, now: 0)
    let covered = devices[1].folder.index.covered
    #expect(covered[id: item]?.fields.isEmpty ?? true)
    for other in devices[1].list where other.id != item {
      #expect(covered[id: other.id]?.entries == other.entries)
    }
  }

  @Test(arguments: [false, true])
  func whatOneRestoresWhileAnotherForgetsIsWholeForAll(isSnapshot: Bool) throws {
    let devices = try devices()
    let item = try Self.removed(devices[0].list)
    let whole = try #require(devices[1].list[id: item]?.fields)
    // One forgets, one restores, neither knows of the other, and the third has heard of both.
    devices[0].list.forget(below: devices[0].list.version)
    try devices[1].list.restore(item, by: &devices[1].me)
    try devices[1].folder.write(devices[1].list)
    if isSnapshot {
      try devices[0].folder.writeSnapshot(devices[0].list)
    } else {
      try devices[0].folder.write(devices[0].list)
    }
    try settle([devices[2], devices[0], devices[1]])
    #expect(devices[0].list[id: item]?.fields == whole)
    #expect(devices[0].list[id: item]?.isVisible == true)
  }
}
