import Betwixt
import BetwixtTrips
import Testing

/// A base is there to be compared with: what it says comes into no document.
@Suite struct KnownBaseTests {
  private static func event(
    _ uid: String, _ start: String, title: String? = nil, modified: String = "20260301",
    _ more: String...
  ) -> [String] {
    [
      "UID:\(uid)", "DTSTAMP:\(modified)T000000Z", "LAST-MODIFIED:\(modified)T000000Z",
      "DTSTART:\(start)", "SUMMARY:\(title ?? uid)",
    ] + more
  }

  /// A calendar's first and last event say how long the trip is, which only counts for a new one.
  @Test func aBaseSaysNothingOfTheTripItself() throws {
    let first = Self.event("a", "20260505T100000")
    let zone = ["BEGIN:VTIMEZONE", "TZID:Club", "COMMENT:", "END:VTIMEZONE"]
    let old = try Calendars.file(
      first, Self.event("b", "20260511T100000"), head: ["NAME:A", "X-WR-TIMEZONE:Europe/Berlin"])
    let new = try Calendars.file(
      first, Self.event("b", "20260506T100000"),
      head: ["NAME:B", "X-WR-TIMEZONE:Europe/Rome"] + zone)
    let list = try TripImport(new, into: TripImport(old).list, base: old).list
    #expect(list.metadata[.days] == 7)
    let again = try TripImport(new, into: list, base: new).list
    #expect(TripJSON.encode(again) == TripJSON.encode(list))
    let merge = try TripMerge([TripFile(list: list, name: "here"), new], base: new)
    #expect(TripJSON.encode(merge.list) == TripJSON.encode(list))
  }

  /// A table shows a kind for every item, also where none was written.
  @Test func whatOnlyAFormatSaysIsNoEdit() throws {
    let list = try Plain.list(Plain.trip(Plain.item("a", #""title":"A","note":"n""#)))
    let sent = try TripFile(decoding: CSVExport(list).bytes, name: "sent.csv")
    let result = try TripImport(sent, into: list, base: sent)
    #expect(TripJSON.encode(result.list) == TripJSON.encode(list))
    #expect(result.counts == .init(unchanged: 1))
    let merge = try TripMerge([TripFile(list: list, name: "here"), sent], base: sent)
    #expect(TripJSON.encode(merge.list) == TripJSON.encode(list))
  }

  /// What the document never knew comes in whole, with what the file did to it.
  @Test func whatTheDocumentNeverKnewComesWithTheBase() throws {
    let old = Plain.trip(Plain.item("a", #""title":"A","note":"n""#))
    let new = Plain.trip(Plain.item("a", #""title":"B","note":"n""#))
    let list = try Plain.list(Plain.trip(Plain.item("b", #""title":"C""#)))
    let result = try TripImport(Plain.file(new), into: list, base: Plain.file(old)).list
    #expect(result[id: Plain.itemA]?["title"] == "B")
    #expect(result[id: Plain.itemA]?["note"] == "n")
    #expect(result[id: Plain.itemB]?["title"] == "C")
  }

  /// Taken in again with the same base, a file has nothing to say any more.
  @Test(arguments: ["20260301", "20260401"]) func theSameCalendarIsTakenOnce(
    _ modified: String
  ) throws {
    let start = "20260505T100000"
    let old = try Calendars.file(
      Self.event("a", start), Self.event("b", start), Self.event("c", start))
    let new = try Calendars.file(
      Self.event("a", start, title: "Dinner", modified: modified),
      Self.event("b", "20260506T100000", modified: modified))
    let once = try TripImport(new, into: TripImport(old).list, base: old)
    #expect(once.counts == .init(updated: 2, removed: 1, skipped: 0))
    let twice = try TripImport(new, into: once.list, base: old)
    #expect(twice.counts == .init(unchanged: 2, skipped: 0))
    #expect(twice.list == once.list)
    #expect(twice.list.version == once.list.version)
  }

  /// What was edited here since stays, however often the file comes.
  @Test func anEditAfterTheImportStays() throws {
    let id = ForeignIdentity.event("a")
    let old = try Calendars.file(Self.event("a", "20260505T100000"))
    let new = try Calendars.file(Self.event("a", "20260505T100000", title: "Dinner"))
    var list = try TripImport(new, into: TripImport(old).list, base: old).list
    // The clock here is far behind that of the calendar.
    var me = Replica(id: ReplicaID(rawValue: 1)) { 1_000 }
    try list.set("title", of: id, to: "Supper", by: &me)
    let once = try TripImport(new, into: list, base: old).list
    #expect(once[id: id]?["title"] == "Supper")
    let twice = try TripImport(new, into: once, base: old).list
    #expect(twice[id: id]?["title"] == "Supper")
    #expect(twice.version == once.version)
  }

  @Test func theSamePlainFileIsTakenOnce() throws {
    let rows = [Plain.item("b", #""day":2,"title":"B""#), Plain.item("c", #""day":3"#)]
    let old = try Plain.file(
      Plain.trip(Plain.item("a", #""title":"A""#), rows[0], rows[1], Plain.item("d")))
    let new = try Plain.file(
      Plain.trip(Plain.item("a", #""title":"Z","day":3"#), rows[0], rows[1]))
    var me = Replica(id: ReplicaID(rawValue: 1)) { 1_780_000_000_000 }
    var list = old.list()
    // A key that no number made.
    try list.move(Plain.itemC, toOffset: 0, inSection: 3, by: &me)
    let once = try TripImport(new, into: list, base: old)
    #expect(once.list[id: Plain.itemA]?.section == 3)
    let twice = try TripImport(new, into: once.list, base: old)
    #expect(twice.list == once.list)
    #expect(twice.list.version == once.list.version)
    #expect(twice.counts == .init(unchanged: 3))
  }

  /// A cell that the base had filled and the file has not is cleared; a column that is missing says
  /// nothing.
  @Test func anEmptiedCellClears() throws {
    let list = try Plain.list(
      Plain.trip(Plain.item("a", #""title":"A","note":"n","address":"x""#)))
    let text = String(decoding: CSVExport(list).bytes, as: UTF8.self)
    func file(_ text: String) throws -> TripFile {
      try TripFile(decoding: Array(text.utf8), name: "t.csv")
    }
    let emptied = try file(text.replacing(",n,", with: ",,"))
    let result = try TripImport(emptied, into: list, base: file(text)).list
    #expect(result[id: Plain.itemA]?["note"] == nil)
    #expect(result[id: Plain.itemA]?["address"] == "x")
    #expect(try TripImport(emptied, into: list).list == list)
    let narrow = try file("day,date,order,id,kind,title\r\n1,2026-06-11,1,a,custom,A\r\n")
    let same = try TripImport(narrow, into: list, base: file(text)).list
    #expect(same[id: Plain.itemA]?["note"] == "n")
  }

  @Test func anEditOfWhatIsCancelledIsNamedWithoutABase() throws {
    let start = "20260505T100000"
    var list = try TripImport(Calendars.file(Self.event("a", start), Self.event("b", start))).list
    var me = Replica(id: ReplicaID(rawValue: 1)) { 1_780_000_000_000 }
    try list.set("note", of: ForeignIdentity.event("a"), to: "mine", by: &me)
    let file = try Calendars.file(
      Self.event("a", start, modified: "20260601", "SEQUENCE:5", "STATUS:CANCELLED"),
      Self.event("b", start, modified: "20260601", "SEQUENCE:5", "STATUS:CANCELLED"))
    let result = try TripImport(file, into: list)
    #expect(result.counts.removed == 2)
    let lines = MergeReport(result.losses, in: result.list, here: "here", there: "there").lossLines
    #expect(lines.count == 1)
    #expect(lines.first?.contains("here had set its note to “mine”") ?? false, "\(lines)")
  }

  /// RFC 5546: a message that calls events off names them, and need not give their status.
  @Test func aMessageCallsItsEventsOff() throws {
    let start = "20260505T100000"
    let list = try TripImport(Calendars.file(Self.event("a", start), Self.event("b", start))).list
    let message = try Calendars.file(
      Self.event("a", start, "SEQUENCE:1"), head: ["METHOD:CANCEL"])
    let result = try TripImport(message, into: list)
    #expect(result.counts == .init(removed: 1, skipped: 0))
    #expect(!result.list.contains(id: ForeignIdentity.event("a")))
    #expect(try !text(CalendarExport(TripImport(message).list).bytes).contains("METHOD"))
  }

  /// RFC 5545 counts bytes where it folds.
  @Test func aFoldMayStandWithinACharacter() throws {
    let text = Calendars.text([Self.event("a", "20260505T100000", title: "Café")], [])
    let bytes = Array(text.utf8)
    let place = try #require(bytes.firstIndex(of: 0xa9))
    let folded = bytes[..<place] + Array("\r\n ".utf8) + bytes[place...]
    let list = try TripFile(decoding: Array(folded), name: "c.ics").list()
    #expect(list.first?["title"] == "Café")
    let broken = Calendars.failure(Array(bytes[..<place] + bytes[(place + 1)...]))
    #expect(broken?.reason == .invalidUTF8)
    #expect(broken?.text.hasSuffix(": save the file as UTF-8") ?? false)
  }
}
