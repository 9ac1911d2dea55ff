import Betwixt
import Testing

@testable import BetwixtTrips

/// Calendars that come again with the version they were made from.
@Suite struct CalendarBaseTests {
  private static func event(
    _ uid: String, _ start: String, modified: String = "20260501", sequence: Int = 0,
    _ more: String...
  ) -> [String] {
    [
      "UID:\(uid)", "DTSTAMP:20260501T000000Z", "LAST-MODIFIED:\(modified)T000000Z",
      "SEQUENCE:\(sequence)", "DTSTART:\(start)", "SUMMARY:\(uid)",
    ] + more
  }

  /// A trip of 14 days.
  private static func trip(_ start: String, by me: inout Replica) throws -> ReplicatedList {
    var list = ReplicatedList(id: ListID(high: 1, low: 2))
    try list.set(
      [("name", "S"), ("startDate", .string(start)), ("days", 14)], of: .root, by: &me)
    return list
  }

  private static func replica(_ time: Int64 = 1_780_000_000_123) -> Replica {
    Replica(id: ReplicaID(rawValue: 3)) { time }
  }

  private static func exported(_ list: ReplicatedList) throws -> TripFile {
    try TripFile(decoding: CalendarExport(list).bytes, name: "sent.ics")
  }

  /// An export with other texts in it.
  private static func exported(
    _ list: ReplicatedList, replacing texts: KeyValuePairs<String, String>
  ) throws -> TripFile {
    var text = String(decoding: CalendarExport(list).bytes, as: UTF8.self)
    for (old, new) in texts {
      #expect(text.contains(old))
      text = text.replacing(old, with: new)
    }
    return try TripFile(decoding: Array(text.utf8), name: "back.ics")
  }

  private static func lines(_ result: TripImport) -> [String] {
    MergeReport(result.losses, in: result.list, here: "here", there: "there").lossLines
  }

  /// Days of the calendar alone are counted from its first event, those of the trip are not.
  @Test func aMoveIsTakenWhateverDayTheTripBeginsOn() throws {
    let id = ForeignIdentity.event("game")
    for first in 9...13 {
      var me = Self.replica()
      let list = try Self.trip("2026-06-\(first < 10 ? "0" : "")\(first)", by: &me)
      let old = try Calendars.file(
        Self.event("first", "20260613T120000"), Self.event("game", "20260615T180000"))
      let before = try TripImport(old, into: list).list
      for day in 14...19 where day != 15 {
        let new = try Calendars.file(
          Self.event("first", "20260613T120000"),
          Self.event("game", "202606\(day)T180000", modified: "20260605"))
        let result = try TripImport(new, into: before, base: old)
        #expect(result.counts == .init(updated: 1, unchanged: 1, skipped: 0))
        #expect(result.list[id: id]?.section == Int64(day - first + 1), "from \(first) to \(day)")
      }
    }
  }

  /// The base is shown as the document shows it, whoever says by which clock.
  @Test(arguments: [nil, -420]) func timesOfUTCStayWhereTheyWere(_ offset: Int?) throws {
    func file(_ start: String, _ offset: Int?) throws -> TripFile {
      var options = ReadingOptions()
      options.utcOffset = offset
      let text = Calendars.text([Self.event("game", start)])
      return try TripFile(decoding: Array(text.utf8), name: "c.ics", options: options)
    }
    var me = Self.replica()
    let list = try Self.trip("2026-06-12", by: &me)
    let start = "20260613T020000Z"
    let before = try TripImport(file(start, -420), into: list).list
    let again = try TripImport(file(start, offset), into: before, base: file(start, nil))
    #expect(TripJSON.encode(again.list) == TripJSON.encode(before))
    let moved = try TripImport(
      file("20260615T030000Z", offset), into: before, base: file(start, nil))
    let item = try #require(moved.list[id: ForeignIdentity.event("game")])
    #expect(item["time"] == "20:00")
    #expect(item.section == 3)
    let export = Calendars.unfolded(CalendarExport(moved.list).bytes)
    #expect(export.contains("DTSTART:20260615T030000Z"))
  }

  @Test func anUneditedCalendarIsNoEditAtAll() throws {
    var me = Self.replica()
    var list = try Self.trip("2026-06-12", by: &me)
    let id = try list.append(["kind": "custom", "title": "L"], toSection: 3, by: &me)
    try list.set("note", of: id, to: "hi", by: &me)
    try list.move(id, toOffset: 0, inSection: 5, by: &me)
    let league = try Calendars.file(Self.event("game", "20260613T120000"))
    list = try TripImport(league, into: list).list
    let game = ForeignIdentity.event("game")
    try list.set("note", of: game, to: "ours", by: &me)
    let sent = try Self.exported(list)
    let result = try TripImport(sent, into: list, base: sent)
    #expect(TripJSON.encode(result.list) == TripJSON.encode(list))
    #expect(CalendarExport(result.list).bytes == CalendarExport(list).bytes)
  }

  /// What the file had nothing of was not there when it went out.
  @Test func whatWasWrittenSinceIsNoPartOfTheBase() throws {
    var me = Self.replica()
    var list = try Self.trip("2026-06-12", by: &me)
    let id = try list.append(["kind": "custom", "title": "A"], toSection: 2, by: &me)
    let sent = try Self.exported(list)
    let edited = try Self.exported(list, replacing: ["SUMMARY:A": "SUMMARY:B"])
    try list.set([("time", "05:05"), ("note", "n")], of: id, by: &me)
    #expect(try TripImport(sent, into: list, base: sent).list == list)
    let result = try TripImport(edited, into: list, base: sent)
    #expect(result.list[id: id]?["title"] == "B")
    #expect(result.list[id: id]?["time"] == "05:05")
    #expect(result.list[id: id]?["note"] == "n")
  }

  @Test(arguments: [DocumentFormat.iCalendar, .csv]) func anEditThatARemovalHidesIsNamed(
    _ format: DocumentFormat
  ) throws {
    var me = Self.replica()
    var list = try Self.trip("2026-06-12", by: &me)
    let id = try list.append(["kind": "custom", "title": "G"], toSection: 1, by: &me)
    _ = try list.append(["kind": "custom", "title": "H"], toSection: 1, by: &me)
    func file(_ list: ReplicatedList) throws -> TripFile {
      try TripFile(decoding: list.encoded(as: format).bytes, name: "f")
    }
    let sent = try file(list)
    var fewer = list
    try fewer.remove(id, by: &me)
    try list.set("note", of: id, to: "row 7", by: &me)
    let result = try TripImport(file(fewer), into: list, base: sent)
    #expect(result.counts.removed == 1)
    let lines = Self.lines(result)
    #expect(lines.count == 1)
    #expect(lines.first?.contains("here had set its note to “row 7”") ?? false, "\(lines)")
  }

  @Test func aMoveThatLosesIsNamed() throws {
    var me = Self.replica()
    var list = try Self.trip("2026-06-12", by: &me)
    let id = try list.append(
      ["kind": "custom", "title": "T", "time": "09:00"], toSection: 4, by: &me)
    let sent = try Self.exported(list)
    let edited = try Self.exported(list, replacing: ["20260615": "20260618"])
    var later = Self.replica(1_780_000_005_000)
    try list.move(id, toOffset: 0, inSection: 11, by: &later)
    let result = try TripImport(edited, into: list, base: sent)
    #expect(result.list[id: id]?.section == 11)
    let lines = Self.lines(result)
    #expect(lines.count == 1)
    #expect(lines.first?.contains("there had moved it to day 7") ?? false, "\(lines)")
  }

  /// Called off, or left out, and put on again for another day.
  @Test(arguments: [true, false]) func anEventComesBack(isCancelled: Bool) throws {
    var me = Self.replica()
    let list = try Self.trip("2026-06-12", by: &me)
    let other = Self.event("a", "20260612T120000")
    let first = try Calendars.file(other, Self.event("b", "20260615T180000"))
    let cancelled = Self.event(
      "b", "20260615T180000", modified: "20260601", sequence: 1, "STATUS:CANCELLED")
    let without = isCancelled ? try Calendars.file(other, cancelled) : try Calendars.file(other)
    let back = try Calendars.file(
      other, Self.event("b", "20260616T180000", modified: "20260602", sequence: 2))
    let id = ForeignIdentity.event("b")
    var here = try TripImport(first, into: list).list
    here = try TripImport(without, into: here, base: first).list
    #expect(here[id: id]?.isRemoved == true)
    let result = try TripImport(back, into: here, base: without)
    #expect(result.counts == .init(added: 1, unchanged: 1, skipped: 0))
    #expect(result.list.contains(id: id))
    #expect(result.list[id: id]?.section == 5)
    #expect(!Self.lines(result).contains { $0.contains("ics") })
    // Nobody knows without the version before.
    let alone = try TripImport(back, into: here)
    #expect(
      alone.notes == [
        "c.ics:10: skipped: “b” was removed here; 'betwixt restore' brings it back"
      ])
  }

  /// What a person removed later than the calendar's edit stays removed.
  @Test func whatWasRemovedLaterStaysRemoved() throws {
    var me = Self.replica()
    let list = try Self.trip("2026-06-12", by: &me)
    let other = Self.event("a", "20260612T120000")
    let game = try Calendars.file(other, Self.event("b", "20260615T180000"))
    var here = try TripImport(game, into: list).list
    try here.remove(ForeignIdentity.event("b"), by: &me)
    let result = try TripImport(game, into: here, base: Calendars.file(other))
    #expect(result.list == here)
    #expect(result.counts.skipped == 1)
  }

  @Test func anEditOfWhatWasRemovedIsNamed() throws {
    var me = Self.replica()
    var list = try Self.trip("2026-06-12", by: &me)
    let id = try list.append(
      ["kind": "custom", "title": "Lunch", "note": "n0"], toSection: 1, by: &me)
    let sent = try Self.exported(list)
    let edited = try Self.exported(list, replacing: ["DESCRIPTION:n0": "DESCRIPTION:row 7"])
    try list.remove(id, by: &me)
    let result = try TripImport(edited, into: list, base: sent)
    #expect(!result.list.contains(id: id))
    #expect(result.counts == .init(skipped: 1))
    let lines = Self.lines(result)
    #expect(lines.first?.contains("there had set its note to “row 7”") ?? false, "\(lines)")
    let unedited = try TripImport(sent, into: list, base: sent)
    #expect(unedited.counts == .init(unchanged: 1, skipped: 0))
  }

  /// Nobody knows whether a person took a line out or a program dropped it.
  @Test func aLineThatIsMissingChangesNothingAndIsNamed() throws {
    var me = Self.replica()
    let list = try Self.trip("2026-06-12", by: &me)
    let more = ["DESCRIPTION:n", "GEO:1.5;2.5", "ATTENDEE:mailto:a@b.example", "URL:https://c"]
    func file(_ lines: ArraySlice<String>) throws -> TripFile {
      try Calendars.file(
        Self.event("a", "20260613T120000") + lines, Self.event("b", "20260614T120000") + lines)
    }
    let whole = try file(more[...])
    let here = try TripImport(whole, into: list).list
    #expect(try TripImport(whole, into: here, base: whole).notes.isEmpty)
    let result = try TripImport(file(more[2...2]), into: here, base: whole)
    #expect(result.list == here)
    #expect(
      result.notes == [
        "c.ics:2: 2 × an event lacks DESCRIPTION, which stays as it is: an empty DESCRIPTION clears it",
        "c.ics:2: 2 × an event lacks GEO, which stays as it is",
        "c.ics:2: 2 × an event lacks URL, which stays as it is",
      ])
    let cleared = try TripImport(file(["DESCRIPTION:"] + more[1...]), into: here, base: whole)
    #expect(cleared.list[id: ForeignIdentity.event("a")]?["note"] == nil)
    #expect(cleared.notes.isEmpty)
    // A base is not needed where the calendar says what was exported.
    var own = try Self.trip("2026-06-12", by: &me)
    try own.append(["kind": "custom", "title": "L", "note": "hi"], toSection: 1, by: &me)
    let sent = try Self.exported(own, replacing: ["DESCRIPTION:hi\r\n": ""])
    #expect(try TripImport(sent, into: own).notes.count == 1)
  }
}
