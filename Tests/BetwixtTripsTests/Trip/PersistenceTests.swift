import Betwixt
import BetwixtFiles
import BetwixtSync
import BetwixtTrips
import Foundation
import TestSupport
import Testing

@Suite struct PersistenceTests {
  /// The merged trip of two devices that edited at random.
  private func randomTrip(_ random: inout SplitMix64) throws -> ReplicatedList {
    var devices = Devices(2, try Plain.list(Plain.trip(Plain.item("a"))))
    for _ in 0..<14 { devices.edit(random.next(below: 2), using: &random) }
    return devices.trips[0].list.merging(devices.trips[1].list)
  }

  private func expectSame(_ again: ReplicatedList, _ list: ReplicatedList, _ store: Comment) {
    #expect(again.digest == list.digest, store)
    #expect(again.version == list.version, store)
    #expect(Trip(again).rows == Trip(list).rows, store)
  }

  @Test("PERS-01: the binary and the text form keep every place")
  func reloadKeepsRows() throws {
    var random = SplitMix64(seed: 73)
    for round in 0..<1_000 {
      let list = try randomTrip(&random)
      let sealed = try SealedBlock.encode(list)
      let again = try SealedBlock.decode(sealed)
      expectSame(again, list, "binary, round \(round)")
      #expect(try SealedBlock.encode(again) == sealed)
      expectSame(try list.throughTripJSON(), list, "text, round \(round)")
      // The plain form has no history; it keeps the order, and comes back to itself.
      guard round % 5 == 0 else { continue }
      let plain = PlainExport(list).bytes
      let imported = try PlainTrip(plain, file: "plain").list()
      #expect(imported.map(\.id) == list.map(\.id))
      #expect(PlainExport(imported).bytes == plain)
    }
  }

  @Test("PERS-01: document files and shared folders keep every place")
  func filesAndFoldersKeepRows() throws {
    var random = SplitMix64(seed: 74)
    let scratch = ScratchStore()
    for round in 0..<60 {
      let list = try randomTrip(&random)
      let half = Trip(try Plain.list(Plain.trip(Plain.item("a")))).list
      let path = scratch.path("\(round).trip")
      var file = try DocumentFile.create(at: path, holding: half, settings: scratch.documents)
      try file.commit(list)
      file.close()
      let reopened = try DocumentFile.open(at: path, settings: scratch.documents)
      expectSame(reopened.list, half.merging(list), "document, round \(round)")
      reopened.close()

      let root = scratch.path("\(round)")
      try FileManager.default.createDirectory(atPath: root, withIntermediateDirectories: true)
      var mine = SharedFolder(
        root, list: list.id, replica: .init(rawValue: 1), settings: scratch.folders)
      try mine.write(half)
      try mine.write(list)
      var theirs = SharedFolder(
        root, list: list.id, replica: .init(rawValue: 9), settings: scratch.folders)
      var read = ReplicatedList(id: list.id)
      try theirs.read(into: &read, now: 0)
      expectSame(read, half.merging(list), "folder, round \(round)")
    }
  }

  @Test("PERS-01: two devices that synced show the same rows, and those of a merge")
  func sessionsKeepRows() throws {
    var random = SplitMix64(seed: 75)
    for round in 0..<200 {
      var devices = Devices(2, try Plain.list(Plain.trip(Plain.item("a"))))
      for _ in 0..<14 { devices.edit(random.next(below: 2), using: &random) }
      let (left, right) = (devices.trips[0].list, devices.trips[1].list)
      var conversation = Conversation(left, right)
      conversation.run()
      let merged = left.merging(right)
      expectSame(conversation.left.list, merged, "round \(round)")
      expectSame(conversation.right.list, merged, "round \(round)")
    }
  }

  @Test("PERS-02: looking at a trip and cancelling a drag store nothing")
  func noRowIndexIsStored() throws {
    let start = try Sketch.list("cAc c")
    var trip = Trip(start)
    let item = try Sketch.id(start, 0)
    // A drag that is looked at from all sides and then cancelled.
    for gap in Constraints(trip).validGaps(item) {
      _ = trip.resolve(gap, moving: item)
      _ = trip.rows
    }
    #expect(trip.list.digest == start.digest)
    // Two histories that end in the same registers and vectors.
    var me = Replica(test: 1)
    try trip.drop(item, into: Gap(day: 2, above: nil, below: nil), by: &me)
    let one = start.merging(trip.list)
    let other = trip.list.merging(start).merging(trip.list)
    #expect(TripJSON.encode(one) == TripJSON.encode(other))
    #expect(try SealedBlock.encode(one) == SealedBlock.encode(other))
  }
}
