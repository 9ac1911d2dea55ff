import Betwixt
import Testing

@testable import BetwixtTrips

/// What somebody wrote into an item, and no file of the format shows, when the file takes that item out.
@Suite struct UnseenEditTests {
  /// A file with two items, and which of its lines are those of the second one.
  struct Shape: Sendable, CustomTestStringConvertible {
    let format: DocumentFormat
    let lines: [String]
    let second: Range<Int>

    var testDescription: String { format.rawValue }

    var whole: String { lines.joined(separator: "\n") + "\n" }

    var without: String {
      var lines = lines
      lines.removeSubrange(second)
      return lines.joined(separator: "\n") + "\n"
    }

    func file(_ text: String) throws -> TripFile {
      var options = ReadingOptions()
      options.format = format
      return try TripFile(decoding: Array(text.utf8), name: "f", options: options)
    }
  }

  private static func flight(_ number: Int) -> String {
    #"{"@type":"FlightReservation","reservationFor":{"flightNumber":"\#(number)","#
      + #""departureTime":"2026-05-01T10:00:00"}},"#
  }

  static let shapes = [
    Shape(format: .todoTxt, lines: ["Bread", "(A) Rent due:2026-05-01"], second: 1..<2),
    Shape(format: .taskPaper, lines: ["- Bread", "- Rent"], second: 1..<2),
    Shape(format: .markdown, lines: ["- [ ] Bread", "- [ ] Rent"], second: 1..<2),
    Shape(format: .org, lines: ["* TODO Bread", "* TODO Rent"], second: 1..<2),
    Shape(
      format: .csv, lines: ["Date,Title", "2026-05-01,Walk", "2026-05-02,Rent"], second: 2..<3),
    Shape(
      format: .gpx,
      lines: [
        "<gpx><rte><name>Day 1, 2026-05-01</name>",
        #"<rtept lat="1" lon="2"><name>Walk</name></rtept>"#,
        #"<rtept lat="3" lon="4"><name>Rent</name></rtept>"#, "</rte></gpx>",
      ], second: 2..<3),
    Shape(
      format: .reservations, lines: ["[", flight(1), flight(2), flight(3).dropped, "]"],
      second: 2..<3),
    Shape(
      format: .trek,
      lines: [
        #"{"trip":{"id":1,"title":"R","start_date":"2026-05-01"},"days":[{"day_number":1,"#,
        #""assignments":["#, #"{"id":1,"place":{"id":3,"name":"Walk"}}"#,
        #",{"id":2,"place":{"id":4,"name":"Rent"}}"#, "]}]}",
      ], second: 3..<4),
  ]

  private static func gone(_ shape: Shape, from list: ReplicatedList) throws -> ListItem {
    let left = Set(try TripImport(shape.file(shape.without), into: list).list.map { $0.id })
    let rest = try shape.file(shape.without).list().map { $0.id }
    return try #require(list.first { left.contains($0.id) && !rest.contains($0.id) })
  }

  /// The field is one that none of the files has room for.
  @Test(arguments: shapes) func itIsNamed(_ shape: Shape) throws {
    var list = try TripImport(shape.file(shape.whole)).list
    let id = try Self.gone(shape, from: list).id
    var me = Replica(test: 1)
    try list.set("iban", of: id, to: "DE12", by: &me)
    let (file, base) = (try shape.file(shape.without), try shape.file(shape.whole))
    let result = try TripImport(file, into: list, base: base)
    #expect(result.counts.removed == 1 && !result.list.contains(id: id))
    let report = MergeReport(result.losses, in: result.list, here: "here", there: "there")
    #expect(report.removedEdits.map { $0.registers } == [[.field("iban")]])
    let merge = try TripMerge([TripFile(list: list, name: "here"), file], base: base)
    #expect(merge.report.removedEdits.map { $0.registers } == [[.field("iban")]])
    // Said once.
    let again = try TripImport(file, into: result.list, base: base)
    #expect(again.losses.isEmpty && again.list == result.list)
  }

  /// What came with the items, or was written before the last one, nobody wrote since.
  @Test(arguments: shapes) func whatWasThereIsNoEdit(_ shape: Shape) throws {
    let (file, base) = (try shape.file(shape.without), try shape.file(shape.whole))
    let list = try TripImport(base).list
    let result = try TripImport(file, into: list, base: base)
    #expect(result.counts.removed == 1 && result.losses.isEmpty)
    let merge = try TripMerge([TripFile(list: list, name: "here"), file], base: base)
    #expect(!merge.report.hasConflicts)
  }

  @Test func whatWasWrittenBeforeTheLastItemIsNoEdit() throws {
    var now: Int64 = 1_780_000_000_000
    var me = Replica(id: ReplicaID(rawValue: 1)) { [now] in now }
    var tasks = try TaskList(id: ListID(high: 1, low: 1), by: &me)
    let rent = try tasks.list.append(["text": "Rent"], toSection: TaskList.inbox, by: &me)
    for (note, count) in [("early", 0), ("late", 1)] as [(FieldValue, Int)] {
      now += 1_000
      me = Replica(id: me.id, sequence: me.sequence) { [now] in now }
      try tasks.list.set("note", of: rent, to: note, by: &me)
      if count == 0 {
        now += 1_000
        me = Replica(id: me.id, sequence: me.sequence) { [now] in now }
        try tasks.list.append(["text": "Bread"], toSection: TaskList.inbox, by: &me)
      }
      let shape = Shape(format: .todoTxt, lines: ["Rent", "Bread"], second: 0..<1)
      let result = try TripImport(
        shape.file(shape.without), into: tasks.list, base: shape.file(shape.whole))
      #expect(result.counts.removed == 1)
      #expect(result.losses.removalConflicts.count == count)
    }
  }

  /// A document as base has its history, and is believed.
  @Test func aDocumentKnowsWhatItHad() throws {
    let shape = Self.shapes[0]
    var list = try TripImport(shape.file(shape.whole)).list
    let id = try Self.gone(shape, from: list).id
    var me = Replica(test: 1)
    try list.set("iban", of: id, to: "DE12", by: &me)
    let base = TripFile(list: list, name: "base")
    let same = try TripImport(shape.file(shape.without), into: list, base: base)
    #expect(same.counts.removed == 1 && same.losses.isEmpty)
    try list.set("iban", of: id, to: "DE13", by: &me)
    let other = try TripImport(shape.file(shape.without), into: list, base: base)
    #expect(other.losses.removalConflicts.map { $0.edits.count } == [1])
  }

  /// The value that a later file brings does not replace what was written here, as nobody knows which
  /// is later.
  @Test func whatAFileBringsAnewReplacesNoEdit() throws {
    func trek(_ note: String) throws -> TripFile {
      let text =
        #"{"trip":{"id":1,"title":"R","start_date":"2026-05-01"},"days":[{"day_number":1,"#
        + #""assignments":[{"id":1,\#(note)"place":{"id":3,"name":"Walk"}}]}]}"#
      return try Plain.file(text)
    }
    let base = try trek("")
    var list = try TripImport(base).list
    var me = Replica(test: 1)
    let id = try #require(list.first?.id)
    try list.set("note", of: id, to: "mine", by: &me)
    let result = try TripImport(trek(#""notes":"theirs","#), into: list, base: base)
    #expect(result.list[id: id]?["note"] == "mine")
    let report = MergeReport(result.losses, in: result.list, here: "here", there: "there")
    #expect(report.lostEdits.map { $0.lost.value } == [.field("theirs")])
  }
}

extension String {
  /// Without the comma at its end.
  fileprivate var dropped: String { String(dropLast()) }
}
