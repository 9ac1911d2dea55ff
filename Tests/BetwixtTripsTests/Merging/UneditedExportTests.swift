import Betwixt
import BetwixtTrips
import TestSupport
import Testing

@testable import struct BetwixtTrips.SamePlaces

/// A plain file that comes back as it went out is no news, and one that was edited is news of what
/// was edited.
@Suite struct UneditedExportTests {
  private static func list(seed: UInt64) throws -> ReplicatedList {
    var random = SplitMix64(seed: seed)
    var devices = Devices(2, try Plain.list(Plain.trip(Plain.item("a"), Plain.item("b"))))
    for _ in 0..<24 { devices.edit(random.next(below: 2), using: &random) }
    var list = devices.trips[0].list
    list.merge(devices.trips[1].list)
    return list
  }

  /// Items of one day, the last of which was moved to its begin.
  private static func row(_ titles: [FieldValue]) throws -> ReplicatedList {
    var me = Replica(id: ReplicaID(rawValue: 7)) { 1_780_000_000_000 }
    var list = try Plain.list(Plain.trip())
    for title in titles { try list.append(["title": title], toSection: 1, by: &me) }
    try list.move(list[titles.count - 1].id, toOffset: 0, inSection: 1, by: &me)
    return list
  }

  private static func plain(_ list: ReplicatedList, _ change: (String) -> String = { $0 }) throws
    -> TripFile
  {
    let text = change(String(decoding: PlainExport(list).bytes, as: UTF8.self))
    return try TripFile(decoding: Array(text.utf8), name: "back.json")
  }

  @Test(arguments: 1...60 as ClosedRange<UInt64>) func anImportChangesNothing(seed: UInt64) throws {
    let list = try Self.list(seed: seed)
    let result = try TripImport(try Self.plain(list), into: list)
    #expect(result.counts.added == 0 && result.counts.updated == 0 && result.counts.removed == 0)
    #expect(
      MergeReport(result.losses, in: result.list, here: "here", there: "there").lines == [])
    #expect(result.list.map(\.id) == list.map(\.id))
    // Once more, also after the order has changed.
    var changed = result.list
    var me = Replica(id: ReplicaID(rawValue: 9)) { 1_790_000_000_000 }
    if let last = changed.last { try changed.move(last.id, toOffset: 0, by: &me) }
    #expect(try TripImport(try Self.plain(list), into: changed).list == changed)
  }

  @Test func aMergeSaysNothing() throws {
    let list = try Self.row(["A", "B", "C", "D", "E"])
    let document = TripFile(list: list, name: "a.trip")
    let report = try TripMerge([document, try Self.plain(list)]).report
    #expect(report.lines == ["from a: nothing new", "from back: nothing new"])
  }

  @Test func whatWasMovedIsNamedAndNothingElse() throws {
    let list = try Self.row(["A", "B", "C", "D", "E"])
    // D, the last one, to between the first two.
    let numbers: [Double] = PlainView(list).items.map { $0.number }
    let number = (numbers[0] + numbers[1]) / 2
    let file = try Self.plain(list) { text in
      let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
      let edited = lines.map { line in
        guard line.contains(#""title":"D""#) else { return line }
        return line.replacing(
          /"modifiedAt":"2[^"]*"/, with: #""modifiedAt":"2026-07-01T08:00:00Z""#
        )
        .replacing(/"sortOrder":[^,]*/, with: "\"sortOrder\":\(number)")
      }
      return edited.joined(separator: "\n")
    }
    let result = try TripImport(file, into: list)
    #expect(result.list.map { $0["title"]?.string } == ["E", "D", "A", "B", "C"])
    #expect(result.counts.updated == 1 && result.counts.unchanged == 4)
    let document = TripFile(list: list, name: "a.trip")
    let merge: TripMerge = try TripMerge([document, file])
    let report = merge.report
    #expect(report.lostEdits.map { $0.label } == ["D"])
    #expect(report.sources.map { $0.moved } == [0, 1])
  }

  /// Against all subsets of short orders: who was not moved stays, and as many others as possible.
  @Test func asManyItemsAsPossibleStay() throws {
    var random = SplitMix64(seed: 5)
    for _ in 0..<300 {
      let count = 1 + random.next(below: 7)
      var me = Replica(id: ReplicaID(rawValue: 7)) { 1_780_000_000_000 }
      var left = ReplicatedList(id: ListID(high: 1, low: 1))
      for _ in 0..<count { try left.append([:], toSection: 0, by: &me) }
      var right = left
      for _ in 0..<random.next(below: 5) {
        let id = right[random.next(below: count)].id
        let section = Int64(random.next(below: 4) / 3)
        let offset = random.next(below: right.indices(inSection: section).count + 1)
        try right.move(id, toOffset: offset, inSection: section, by: &me)
      }
      let places = SamePlaces(left, right)
      let kept = left.filter { places.contains($0.id) }.map(\.id)
      #expect(kept == right.map(\.id).filter { places.contains($0) })
      #expect(kept.allSatisfy { left[id: $0]?.section == right[id: $0]?.section })
      let still = Set(left.map(\.id).filter { left[id: $0]?.key == right[id: $0]?.key })
      #expect(still.isSubset(of: kept))
      let longest = (0..<1 << count).filter { subset in
        let chosen = left.enumerated().filter { subset >> $0.offset & 1 == 1 }.map(\.element.id)
        return still.isSubset(of: chosen)
          && chosen == right.map(\.id).filter { chosen.contains($0) }
          && chosen.allSatisfy { left[id: $0]?.section == right[id: $0]?.section }
      }.map { $0.nonzeroBitCount }.max()
      #expect(kept.count == longest)
    }
  }
}
