import Testing

@testable import Betwixt
@testable import BetwixtTrips

/// Where one item was moved past another, either can be called the one that moved: it is the one
/// whose position was written.
@Suite struct MovedItemTests {
  private static func document() throws -> ReplicatedList {
    var me = Replica(id: ReplicaID(rawValue: 7)) { 1_780_000_000_000 }
    var list = try Plain.list(Plain.trip())
    for title in ["A", "B", "C"] as [FieldValue] {
      try list.append(["title": title], toSection: 1, by: &me)
    }
    return list
  }

  private static func move(_ list: inout ReplicatedList, _ title: FieldValue, to offset: Int) throws
  {
    var me = Replica(id: ReplicaID(rawValue: 8)) { 1_790_000_000_000 }
    let item = try #require(list.first { $0["title"] == title })
    try list.move(item.id, toOffset: offset, inSection: 1, by: &me)
  }

  /// The last item of the document was moved there, and in a file that went out before.
  @Test(arguments: [(1, 0.5), (0, 1.5)] as [(Int, Double)])
  func theLaterMoveOfADocumentStays(offset: Int, number: Double) throws {
    var list = try Self.document()
    let sent = Plain.numbered(list, "A", "B", "C")
    let returned = Plain.moving("C", to: number, in: sent)
    #expect(returned != sent)
    try Self.move(&list, "C", to: offset)
    let before = list.map { $0["title"] }
    let result = try TripImport(Plain.file(returned), into: list, base: Plain.file(sent))
    #expect(result.list.map { $0["title"] } == before)
    #expect(result.counts == .init(unchanged: 3))
    let report = MergeReport(result.losses, in: result.list, here: "here", there: "there")
    #expect(report.lostEdits.map { $0.label } == ["C"])
  }

  /// A tool that drops the numbers and adds an item moves nothing else.
  @Test func whatLostItsNumberWasNotMoved() throws {
    func bare(_ id: String) -> String { #"{"id":"\#(id)","day":1}"# }
    let base = try Plain.file(
      Plain.trip(Plain.item("a", #""sortOrder":5"#), Plain.item("b", #""sortOrder":7"#)), "base")
    let tablet = try Plain.file(
      Plain.trip(Plain.item("a", #""day":2"#), Plain.item("b", #""sortOrder":7"#)), "tablet")
    for (order, names) in [
      (["a", "b", "c"], ["b", "c"]), (["a", "c", "b"], ["c", "b"]), (["c", "a", "b"], ["c", "b"]),
    ] {
      let phone = try Plain.file(Plain.trip(order.map(bare).joined(separator: ",")), "phone")
      let merge = try TripMerge([phone, tablet], base: base)
      #expect(Trip(merge.list).names(ofDay: 1) == names)
      #expect(Trip(merge.list).names(ofDay: 2) == ["a"])
      #expect(merge.report.sources.map { $0.moved } == [0, 1])
      let alone = try TripMerge([phone], base: base)
      #expect(Trip(alone.list).names(ofDay: 1) == order)
    }
  }

  @Test(arguments: [(1.5, 0.5), (0.5, 1.5)] as [(Double, Double)])
  func twoMovesOfPlainFilesAreAConflict(ours: Double, theirs: Double) throws {
    func file(_ name: String, _ number: Double, month: Int) throws -> TripFile {
      let time = #""modifiedAt":"2026-0\#(month)-01T00:00:00Z""#
      let old = #""modifiedAt":"2026-01-01T00:00:00Z""#
      return try Plain.file(
        Plain.trip(
          Plain.item("a", #""sortOrder":1.0,\#(old)"#),
          Plain.item("b", #""sortOrder":2.0,\#(old)"#),
          Plain.item("c", #""sortOrder":\#(number),\#(time)"#)), name)
    }
    let merge = try TripMerge(
      [file("ours", ours, month: 2), file("theirs", theirs, month: 3)],
      base: file("base", 3, month: 1))
    #expect(merge.report.lostEdits.map { $0.item } == [Plain.itemC])
    #expect(merge.report.sources.map { $0.moved } == [0, 1])
  }
}
