import Betwixt
import BetwixtTrips
import Testing

/// Versions of events that come one behind the other, and edits here between them.
@Suite struct CalendarVersionTests {
  private static func replica(_ time: Int64 = 1_790_000_000_000) -> Replica {
    Replica(id: ReplicaID(rawValue: 9)) { time }
  }

  private static func version(
    _ sequence: Int, _ title: String, modified: String? = nil, _ more: String...
  ) throws -> TripFile {
    let stamp = modified.map { ["LAST-MODIFIED:\($0)T000000Z"] } ?? []
    return try Calendars.file(
      [
        "UID:a", "DTSTART:20260611T100000", "SEQUENCE:\(sequence)", "SUMMARY:\(title)",
        "DESCRIPTION:old",
      ] + stamp + more)
  }

  private let event = ForeignIdentity.event("a")

  /// A sequence that rises without a later time is no reason to take what the calendar did not change.
  @Test(arguments: [nil, "20260101"]) func anEditHereOutlivesVersions(_ modified: String?) throws {
    var me = Self.replica()
    var list = try TripImport(
      Self.version(0, "A", modified: modified), into: CalendarExportTests.sample()
    ).list
    try list.set("note", of: event, to: "mine", by: &me)
    for (sequence, title) in [(1, "B"), (2, "C"), (3, "D")] {
      let file = try Self.version(sequence, title, modified: modified)
      list = try TripImport(file, into: list).list
      #expect(list[id: event]?["title"] == .string(title))
      #expect(list[id: event]?["note"] == "mine")
      #expect(list[id: event]?["icsSequence"] == .int64(Int64(sequence)))
      #expect(try TripImport(file, into: list).list == list)
      // The edit here makes the event another version than the calendar's.
      let lines = Calendars.unfolded(CalendarExport(list).bytes)
      #expect(lines.contains("SEQUENCE:\(sequence + 1)"))
    }
  }

  @Test func aLaterTimeBehindAGreaterSequenceCounts() throws {
    var me = Self.replica()
    var list = try TripImport(
      Self.version(0, "A", modified: "20260101"), into: CalendarExportTests.sample()
    ).list
    try list.set("note", of: event, to: "mine", by: &me)
    list = try TripImport(Self.version(1, "B", modified: "20260101"), into: list).list
    let result = try TripImport(Self.version(2, "C", modified: "20260201"), into: list)
    #expect(result.counts == .init(updated: 1, skipped: 0))
    #expect(result.list[id: event]?["title"] == "C")
    #expect(result.list[id: event]?["icsSequence"] == 2)
    #expect(result.list[id: event]?["note"] == "mine")
  }

  /// What an event of ours says as it was exported is nobody's edit.
  @Test func onlyWhatTheCalendarChangedIsTaken() throws {
    var me = Self.replica(1_780_000_000_000)
    let document = try CalendarExportTests.sample()
    let hotel = ForeignIdentity.item("h")
    let text = String(decoding: CalendarExport(document).bytes, as: UTF8.self)
      .replacing("DTSTART:20260611T150000", with: "DTSTART:20260612T150000")
      .replacing("DTEND:20260611T153000", with: "DTEND:20260612T153000")
      .replacing("19700101T000000Z", with: "20260701T000000Z")
    var list = document
    try list.set([("time", "14:00"), ("durationMin", 90)], of: hotel, by: &me)
    let file = try TripFile(decoding: Array(text.utf8), name: "c.ics")
    for base in [nil, TripFile(list: document, name: "b")] {
      let item = try TripImport(file, into: list, base: base).list[id: hotel]
      #expect(item?.section == 3)
      #expect(item?["time"] == "14:00")
      #expect(item?["durationMin"] == 90)
    }
  }

  @Test(arguments: [0, 1]) func editsHereDoNotKeepACancelledEvent(_ sequence: Int) throws {
    var me = Self.replica()
    var list = try TripImport(
      Self.version(0, "A", modified: "20260101"), into: CalendarExportTests.sample()
    ).list
    for note in ["1", "2"] as [FieldValue] {
      try list.set([("note", note), ("icon", note), ("city", note)], of: event, by: &me)
    }
    let file = try Self.version(sequence, "A", modified: "20260101", "STATUS:CANCELLED")
    let result = try TripImport(file, into: list)
    #expect(result.counts == .init(removed: 1, skipped: 0))
    #expect(result.list[id: event]?.isRemoved == true)
    #expect(result.losses.isEmpty == false)
    // What was brought back here since is not called off again, but by a later one.
    list = result.list
    try list.restore(event, by: &me)
    let again = try TripImport(file, into: list)
    #expect(again.list == list)
    #expect(again.notes == ["c.ics:2: skipped: it is cancelled, but newer here"])
    let later = try Self.version(2, "A", modified: "20270101", "STATUS:CANCELLED")
    #expect(try TripImport(later, into: list).list[id: event]?.isRemoved == true)
  }

  @Test func noSequenceIsGreaterThanACalendarCanSay() throws {
    var list = try TripImport(
      Self.version(9_999_999_999, "A"), into: CalendarExportTests.sample()
    ).list
    #expect(list[id: event]?["icsSequence"] == 2_147_483_647)
    var me = Self.replica()
    for value in [Int64.max, 2_147_483_647] {
      try list.set([("icsSequence", .int64(value)), ("title", "B")], of: event, by: &me)
      try list.set("title", of: event, to: "C", by: &me)
      let lines = Calendars.unfolded(CalendarExport(list).bytes)
      #expect(lines.contains("SEQUENCE:2147483647"))
    }
  }

  /// What is not taken is named, also where nothing else is.
  @Test func whatIsNotTakenIsNamed() throws {
    let list = try CalendarExportTests.sample()
    let sent = CalendarExport(list).bytes
    let text = String(decoding: sent, as: UTF8.self)
      .replacing("LOCATION:A\r\n", with: "LOCATION:Elsewhere\r\n")
      .replacing("GEO:19.30306;-99.15056", with: "GEO:abc")
    let file = try TripFile(decoding: Array(text.utf8), name: "c.ics")
    for base in [nil, try TripFile(decoding: sent, name: "b.ics")] {
      let notes = try TripImport(file, into: list, base: base).notes
      #expect(notes.contains { $0.hasSuffix("where a leg starts is not changed by a calendar") })
      #expect(notes.count { $0.contains(" is no place") } == 1)
    }
  }

  /// A calendar writes a moment by a zone of its own; of one that nobody knows the start is not taken.
  @Test(arguments: [
    (";TZID=Europe/Berlin:20260611T2", 1, "2026-06-11T13:00-06:00", 2),
    (";TZID=Europe/Berlin:20260612T0", 8, "2026-06-12T00:00-06:00", 3),
    (";TZID=Nowhere:20260612T0", 8, "2026-06-11T13:00-06:00", 2),
    (":20260611T1", 4, "2026-06-11T14:00-06:00", 2),
  ])
  func aGameIsMovedByItsMoment(
    _ time: String, _ hour: Int, _ start: String, _ day: Int64
  ) throws {
    let list = try CalendarExportTests.sample()
    let sent = CalendarExport(list).bytes
    let text = String(decoding: sent, as: UTF8.self)
      .replacing("DTSTART:20260611T190000Z", with: "DTSTART\(time)\(hour)0000")
      .replacing("DTEND:20260611T210000Z", with: "DTEND\(time)\(hour + 1)0000")
    let file = try TripFile(decoding: Array(text.utf8), name: "c.ics")
    let result = try TripImport(file, into: list, base: TripFile(decoding: sent, name: "b.ics"))
    let game = try #require(result.list[id: ForeignIdentity.game("g")])
    #expect(game["start"] == .string(start))
    #expect(game["durationMin"] == 60)
    #expect(game.section == day)
    #expect(result.notes.isEmpty == !time.contains("Nowhere"))
  }
}
