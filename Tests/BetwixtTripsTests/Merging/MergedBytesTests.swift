import Betwixt
import BetwixtTrips
import TestSupport
import Testing

@Suite("Merging is a join, as the bytes of files show it")
struct MergedBytesTests {
  /// A copy of a trip with some edits of its own.
  private func copy(
    of base: ReplicatedList, by id: UInt64, _ random: inout SplitMix64
  ) throws -> ReplicatedList {
    var list = base
    var me = Replica(test: id)
    for _ in 0..<random.next(below: 12) {
      guard let item = list.allItems().randomElement(using: &random)?.id else { break }
      let day = Int64(random.next(below: 4))
      let offset = random.next(below: list.indices(inSection: day).count + 1)
      let word = FieldValue.string(RandomTrip.word(&random))
      switch random.next(below: 5) {
      case 0: try list.insert([.title: word], at: offset, inSection: day, by: &me)
      case 1 where item != .root: try list.move(item, toOffset: offset, inSection: day, by: &me)
      case 2 where item != .root: try list.remove(item, by: &me)
      case 3 where item != .root: try list.restore(item, by: &me)
      default: try list.set(.note, of: item, to: word, by: &me)
      }
    }
    return list
  }

  private func read(_ bytes: [UInt8]) throws -> ReplicatedList {
    try TripJSON.decode(bytes, file: "merged.trip.json")
  }

  @Test func calendarsOfNoTripAreJoinedInAnyOrder() throws {
    let files = try ["B", "A", "C"].enumerated().map { index, name in
      try Calendars.file(
        ["UID:\(name)", "DTSTAMP:20260301T000000Z", "DTSTART:2026050\(index + 1)T100000"],
        head: ["NAME:\(name)"])
    }
    let merged = try TripMerge(files)
    #expect(merged.list.count == 3)
    for order in [[1, 0, 2], [2, 1, 0], [1, 2, 0]] {
      let other = try TripMerge(order.map { files[$0] })
      #expect(TripJSON.encode(other.list) == TripJSON.encode(merged.list))
    }
  }

  @Test("every order and grouping of three copies gives one file")
  func oneFile() throws {
    for seed in 1...60 as ClosedRange<UInt64> {
      var random = SplitMix64(seed: seed)
      let base = try RandomTrip.list(seed: seed)
      let copies = try [3, 4, 5].map { try copy(of: base, by: $0, &random) }
      let (a, b, c) = (copies[0], copies[1], copies[2])
      let file = TripJSON.encode(a.merging(b).merging(c))
      let others = [
        a.merging(b.merging(c)), c.merging(b).merging(a), b.merging(a).merging(c).merging(b),
        c.merging(a).merging(a.merging(b)),
      ]
      for other in others { #expect(TripJSON.encode(other) == file, "seed \(seed)") }
      var parts = a
      for list in [b, c] { parts.merge(list.delta(since: parts.version)) }
      #expect(TripJSON.encode(parts) == file, "seed \(seed)")
    }
  }

  @Test("merging files is merging lists, and a file read is written again as it was")
  func filesAreLists() throws {
    for seed in 1...60 as ClosedRange<UInt64> {
      var random = SplitMix64(seed: seed)
      let base = try RandomTrip.list(seed: seed)
      let left = try copy(of: base, by: 3, &random)
      let right = try copy(of: base, by: 4, &random)
      let merged = left.merging(right)
      let files = [left, right, merged].map { TripJSON.encode($0) }
      let lists = try files.map(read)
      #expect(lists[0] == left && lists[1] == right && lists[2] == merged, "seed \(seed)")
      #expect(lists.map { TripJSON.encode($0) } == files, "seed \(seed)")
      #expect(lists[0].merging(lists[1]).digest == merged.digest, "seed \(seed)")
      #expect(TripJSON.encode(lists[1].merging(lists[0])) == files[2], "seed \(seed)")
    }
  }
}
