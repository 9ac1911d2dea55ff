import Betwixt
import BetwixtTrips
import TestSupport
import Testing

/// Rows of one text in files without ids: which item each of them means.
@Suite struct SameTextTests {
  private static func file(_ rows: [String], head: String = "Date,Title,Notes") throws -> TripFile {
    try Plain.file("\(head)\n" + rows.map { $0 + "\n" }.joined(), "r.csv")
  }

  /// A document that took rows in, and the items by their notes.
  private static func document(
    _ rows: [String]
  ) throws -> (list: ReplicatedList, ids: [String: ItemID]) {
    let list = try TripImport(file(rows), into: Plain.list(Plain.trip())).list
    var ids: [String: ItemID] = [:]
    for item in list { ids[item["note"]?.string ?? ""] = item.id }
    return (list, ids)
  }

  private static func entries(_ list: ReplicatedList) -> [[Entry]] {
    list.allItems().map { $0.entries }
  }

  private static func rows(_ list: ReplicatedList) -> [String] {
    list.map { "\($0.section ?? 0) \($0["note"]?.string ?? "")" }
  }

  private static let week = ["2026-06-11,Tea,a", "2026-06-12,Tea,b", "2026-06-13,Tea,c"]

  @Test func anOrderOfOneDayIsNoConfusion() throws {
    var me = Replica(test: 1)
    let rows = ["2026-06-11,Tea,a", "2026-06-11,Tea,b"]
    var (list, ids) = try Self.document(rows)
    try list.move(#require(ids["b"]), toOffset: 0, inSection: 1, by: &me)
    let result = try TripImport(Self.file(rows), into: list)
    #expect(Self.entries(result.list) == Self.entries(list))
    #expect(result.counts == .init(unchanged: 2))
    // With one more as well.
    let more = try TripImport(Self.file(rows + ["2026-06-12,Tea,c"]), into: list)
    #expect(Self.rows(more.list) == ["1 b", "1 a", "2 c"])
  }

  @Test func whatWasRemovedTakesNoOtherOne() throws {
    var me = Replica(test: 2)
    var (list, ids) = try Self.document(Self.week)
    try list.remove(#require(ids["a"]), by: &me)
    try list.move(#require(ids["c"]), toOffset: 0, inSection: 4, by: &me)
    let result = try TripImport(Self.file(Self.week), into: list)
    #expect(Self.entries(result.list) == Self.entries(list))
    #expect(result.counts.added == 0 && result.counts.keptRemoved == 1)
    // Nor does a text that was edited since.
    try list.set("note", of: #require(ids["b"]), to: "B", by: &me)
    let again = try TripImport(Self.file(Self.week), into: list)
    #expect(Self.entries(again.list) == Self.entries(list))
  }

  @Test func twoThatChangedTheirDays() throws {
    var me = Replica(test: 3)
    var (list, ids) = try Self.document(Self.week)
    try list.move(#require(ids["a"]), toOffset: 0, inSection: 2, by: &me)
    try list.move(#require(ids["b"]), toOffset: 0, inSection: 1, by: &me)
    let result = try TripImport(Self.file(Self.week), into: list)
    #expect(Self.entries(result.list) == Self.entries(list))
  }

  /// A row above shifts the identities of those below it, and so does one that is gone.
  @Test func rowsThatCameAndWent() throws {
    var me = Replica(test: 4)
    let days = ["2026-06-12,Tea,", "2026-06-13,Tea,"]
    var list = try TripImport(Self.file(days), into: Plain.list(Plain.trip())).list
    let ids = list.map { $0.id }
    let above = try TripImport(Self.file(["2026-06-11,Tea,"] + days), into: list)
    #expect(above.list.map { $0.section } == [1, 2, 3])
    #expect(above.counts == .init(added: 1, unchanged: 2))
    #expect(above.list.dropFirst().map { $0.id } == ids)
    // Also of those that were dragged within their day.
    let other = try list.insert(["title": "x"], at: 0, inSection: 2, by: &me)
    #expect(list.map { $0.id } == [other, ids[0], ids[1]])
    try list.move(ids[0], toOffset: 0, inSection: 2, by: &me)
    #expect(list.map { $0.id } == [ids[0], other, ids[1]])
    let again = try TripImport(Self.file(["2026-06-11,Tea,"] + days), into: list)
    #expect(again.list.map { $0.section } == [1, 2, 2, 3])
    // The first day is over.
    let next = try TripImport(Self.file([days[1]]), into: list)
    #expect(Self.entries(next.list) == Self.entries(list))
    #expect(next.counts == .init(unchanged: 1))
  }

  /// A file that was written from the list has its rows in the order of the list.
  @Test func writtenAfterADrag() throws {
    var me = Replica(test: 5)
    let points = [1, 2].map { #"<rtept lat="\#($0)" lon="5"><name>Tea</name></rtept>"# }
    let text = "<gpx><rte>" + points.joined() + "</rte></gpx>"
    var options = ReadingOptions()
    options.startDate = CivilDate("2026-06-11")
    let file = try TripFile(decoding: Array(text.utf8), name: "r.gpx", options: options)
    var list = try TripImport(file).list
    let ids = list.map { $0.id }
    try list.move(ids[1], toOffset: 0, inSection: 1, by: &me)
    let document = TripFile(list: list, name: "d")
    let out = BetwixtTripsTests.text(GPXExport(list).bytes)
    let edited = out.replacing(/lat="2\D[^>]*>\s*<name>Tea<\/name>/) { match in
      String(match.output) + "<desc>two</desc>"
    }
    #expect(edited != out)
    let back = try Plain.file(edited, "r.gpx")
    for base in [nil, document] {
      let result = try TripImport(back, into: list, base: base)
      #expect(result.list[id: ids[1]]?["note"] == "two")
      #expect(result.list[id: ids[0]]?["note"] == nil)
    }
  }

  /// The same file again, whatever became of its items: nothing is written, and nothing comes back.
  @Test func theSameFileIsNoNews() throws {
    for seed in 0..<300 as Range<UInt64> {
      var random = SplitMix64(seed: seed)
      var me = Replica(test: 6)
      let rows = (0..<(1 + random.next(below: 7))).map { _ in
        let title = random.next(below: 3) == 0 ? "Tea" : "Tour"
        let note = ["", "a", "b"][random.next(below: 3)]
        return "2026-06-1\(1 + random.next(below: 3)),\(title),\(note)"
      }
      let file = try Self.file(rows)
      var list = try TripImport(file, into: Plain.list(Plain.trip())).list
      for _ in 0..<random.next(below: 8) where !list.isEmpty {
        let id = list[random.next(below: list.count)].id
        switch random.next(below: 5) {
        case 0: try list.remove(id, by: &me)
        case 1: try list.set("note", of: id, to: .string("n\(random.next(below: 3))"), by: &me)
        case 2: try list.set("title", of: id, to: ["Tea", "New"][random.next(below: 2)], by: &me)
        default:
          let section = Int64(1 + random.next(below: 4))
          let count = list.indices(inSection: section).count
          try list.move(id, toOffset: random.next(below: count + 1), inSection: section, by: &me)
        }
      }
      let result = try TripImport(file, into: list)
      #expect(Self.entries(result.list) == Self.entries(list), "seed \(seed)")
      #expect(result.counts.added == 0 && result.counts.updated == 0, "seed \(seed)")
    }
  }

  /// What was written from a list has its rows in the order of that, wherever they were dragged from.
  @Test(arguments: [DocumentFormat.markdown, .taskPaper])
  func aDraggedTwinIsTheOneItIs(format: DocumentFormat) throws {
    var me = Replica(test: 7)
    var tasks = try TaskList(id: ListID(high: 1, low: 7), by: &me)
    for note in ["n2", "n1"] as [FieldValue] {
      try tasks.list.append(
        ["text": "Call", "note": note, "state": "active"], toSection: TaskList.inbox, by: &me)
    }
    var later = Replica(id: ReplicaID(rawValue: 8)) { 1_790_000_000_000 }
    try tasks.list.move(tasks.list[1].id, toOffset: 0, inSection: TaskList.inbox, by: &later)
    let sent = BetwixtTripsTests.text(try tasks.list.encoded(as: format).bytes)
    var lines = sent.split(separator: "\n", omittingEmptySubsequences: false)
    let second = try #require(lines.lastIndex { $0.contains("Call") })
    lines.removeSubrange(second...second + 1)
    var options = ReadingOptions()
    options.format = format
    let file = try TripFile(
      decoding: Array(lines.joined(separator: "\n").utf8), name: "back", options: options)
    let result = try TripImport(
      file, into: tasks.list, base: TripFile(list: tasks.list, name: "base"))
    #expect(result.list.map { $0["note"] } == ["n1"])
  }

  /// A file without times that is taken in once more says what it said, be it the one before the last.
  @Test func theFileBeforeTheLastOne() throws {
    let texts = ["A", "B"].map { Plain.trip(Plain.item("a", #""title":"\#($0)""#)) }
    var list = try Plain.list(texts[0])
    for text in [texts[1], texts[0], texts[1]] {
      list = try TripImport(Plain.file(text), into: list).list
      #expect(list[0]["title"] == (text == texts[0] ? "A" : "B"))
    }
    var me = Replica(test: 9)
    try list.set("title", of: list[0].id, to: "mine", by: &me)
    list = try TripImport(Plain.file(texts[0]), into: list).list
    #expect(list[0]["title"] == "mine")
  }

  /// It was moved by another file, and then removed: the first file does not bring it back.
  @Test func whatAnotherFileMovedStaysRemoved() throws {
    var me = Replica(test: 10)
    var (list, ids) = try Self.document(["2026-06-11,Tea,a"])
    list = try TripImport(Self.file(["2026-06-12,Tea,a"]), into: list).list
    #expect(Self.rows(list) == ["2 a"])
    try list.remove(#require(ids["a"]), by: &me)
    let result = try TripImport(Self.file(["2026-06-11,Tea,a"]), into: list)
    #expect(result.list.isEmpty && result.counts.keptRemoved == 1)
  }

  /// The base is what it was: what was restored since it came back stays.
  @Test func aReturnThatComesTwiceRemovesNothingAgain() throws {
    var me = Replica(test: 11)
    let base = Plain.trip(Plain.item("a", #""title":"A""#), Plain.item("b", #""title":"B""#))
    let back = Plain.trip(Plain.item("a", #""title":"A""#))
    var list = try Plain.list(base)
    let gone = list[1].id
    list = try TripImport(Plain.file(back), into: list, base: Plain.file(base)).list
    try list.restore(gone, by: &me)
    list = try TripImport(
      Plain.file(Plain.trip(Plain.item("a", #""title":"A2""#))), into: list
    ).list
    list = try TripImport(Plain.file(back), into: list, base: Plain.file(base)).list
    #expect(list.map { $0["title"] } == ["A2", "B"])
  }

  /// Merged once more, files without times say nothing more.
  @Test func aMergeOfFilesWithoutTimesIsRepeated() throws {
    let texts = ["A", "B"].map { Plain.trip(Plain.item("a", #""title":"\#($0)""#)) }
    var list = try Plain.list(texts[0])
    list = try TripImport(Plain.file(texts[1]), into: list).list
    let files = try texts.map { try Plain.file($0) }
    let once = try TripMerge([TripFile(list: list, name: "here")] + files).list
    let twice = try TripMerge([TripFile(list: once, name: "here")] + files).list
    #expect(once[0]["title"] == "B" && twice.digest == once.digest)
  }

  /// One says a note and one an address: as many values, and not the same ones.
  @Test func asManyValuesAreNotTheSame() throws {
    let head = "Date,Title,Notes,Address"
    func rows(_ rows: [String]) throws -> TripFile {
      try Self.file(rows.map { "2026-06-11,Tea,\($0)" }, head: head)
    }
    let list = try TripImport(rows([",b", "n,"]), into: Plain.list(Plain.trip())).list
    let result = try TripImport(rows(["n,", ",b", "x,y"]), into: list)
    #expect(result.counts == .init(added: 1, unchanged: 2))
    func said(_ item: ListItem) -> String {
      "\(item["note"]?.string ?? "")-\(item["address"]?.string ?? "")"
    }
    #expect(result.list.map(said).sorted() == ["-b", "n-", "x-y"])
  }
}
