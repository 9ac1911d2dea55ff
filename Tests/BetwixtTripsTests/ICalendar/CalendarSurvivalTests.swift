import Betwixt
import BetwixtTrips
import Testing

/// A calendar that goes through a trip loses nothing.
@Suite struct CalendarSurvivalTests {
  private func export(_ list: ReplicatedList) -> [String] {
    Calendars.unfolded(CalendarExport(list).bytes)
  }

  private func list(_ events: [String]..., head: [String] = []) throws -> ReplicatedList {
    let bytes = Array(Calendars.text(events, head).utf8)
    return try TripImport(TripFile(decoding: bytes, name: "c.ics")).list
  }

  @Test func severalDaysStaySeveralDays() throws {
    let list = try list(
      ["UID:a", "DTSTART;VALUE=DATE:20260503", "DTEND;VALUE=DATE:20260507", "SUMMARY:Lisbon"])
    #expect(list[0][.duration] == 5_760)
    #expect(Trip(list).dayCount == 4)
    let lines = export(list)
    #expect(lines.contains("DTSTART;VALUE=DATE:20260503"))
    #expect(lines.contains("DTEND;VALUE=DATE:20260507"))
  }

  @Test(arguments: [
    ["DTSTART:20260503T220000Z", "DTEND:20260503T233000Z"],
    ["DTSTART:20260503T100000", "DTEND:20260503T113000"],
    ["DTSTART;TZID=Europe/Berlin:20260503T100000", "DTEND;TZID=Europe/Berlin:20260503T113000"],
    ["DTSTART;TZID=Europe/Berlin:20260503T130000", "DTEND;TZID=America/New_York:20260503T153000"],
    ["DTSTART;TZID=\"W. Europe, old\":20260503T100000", "DURATION:PT1H30M"],
    ["DTSTART:20260503T100015", "DTEND:20260503T100115"], ["DTSTART:20260503T100000"],
    ["DTSTART:20260503", "DTEND:20260506"], ["DTSTART;VALUE=DATE:20260503"],
    ["DTSTART;TZID=Nowhere:20260503T100000", "DTEND;TZID=Elsewhere:20260503T110000"],
    ["DTSTART:20260503T100000", "DTEND:20260503T100000"],
  ])
  func timesComeBackAsTheyCame(_ times: [String]) throws {
    let lines = export(try list(["UID:a", "SUMMARY:x"] + times))
    for time in times { #expect(lines.contains(time)) }
    #expect(lines.contains { $0.hasPrefix("DTEND") } == times.contains { $0.hasPrefix("DTEND") })
  }

  @Test func timesOfUTCAreShownInTheZoneOfTheCalendar() throws {
    let event = ["UID:a", "DTSTART:20260503T220000Z", "SUMMARY:x"]
    let list = try list(event, head: ["X-WR-TIMEZONE:Europe/Berlin"])
    #expect(list[0][.time] == "00:00")
    #expect(Trip(list).startDate == CivilDate("2026-05-04"))
    #expect(export(list).contains("DTSTART:20260503T220000Z"))
    let file = try Calendars.file(event)
    #expect(
      try TripImport(file).notes == [
        "c.ics:1: 1 × a time of UTC is shown as it stands: "
          + "--utc-offset ±HH:MM says which clock to show"
      ])
  }

  @Test(arguments: [
    ("Europe/Berlin:20260503T130000", "America/New_York:20260503T153000", 510),
    ("Asia/Tokyo:20260510T170000", "America/Los_Angeles:20260510T104500", 585),
    ("Europe/Berlin:20260329T010000", "Europe/Berlin:20260329T040000", 120),
    ("Australia/Sydney:20260103T100000", "Pacific/Auckland:20260103T150000", 180),
  ])
  func aFlightKnowsHowLongItTakes(_ start: String, _ end: String, _ minutes: Int64) throws {
    let list = try list(["UID:a", "DTSTART;TZID=\(start)", "DTEND;TZID=\(end)"])
    #expect(list[0][.duration] == .int64(minutes))
  }

  @Test func aZoneOfTheFileComesFirst() throws {
    let zone = [
      "BEGIN:VTIMEZONE", "TZID:Hub", "BEGIN:STANDARD", "DTSTART:19700101T000000",
      "TZOFFSETFROM:+0500", "TZOFFSETTO:+0500", "END:STANDARD", "END:VTIMEZONE",
    ]
    let list = try list(
      ["UID:a", "DTSTART;TZID=Hub:20260503T130000", "DTEND:20260503T090000Z"], head: zone)
    #expect(list[0][.duration] == 60)
    let lines = export(list)
    for line in zone { #expect(lines.contains(line)) }
  }

  @Test func whatBetwixtHasNoFieldForComesBack() throws {
    let kept = [
      "URL;VALUE=URI:https://example.org/?a=1;b=2", "CATEGORIES:Family,Trip", "CATEGORIES:More",
      "ATTENDEE;CN=\"Ben, junior\";PARTSTAT=ACCEPTED:mailto:ben@example.org",
      "ATTENDEE;CN=Ann:mailto:ann@example.org", "ORGANIZER;CN=Ann:mailto:ann@example.org",
      "STATUS:TENTATIVE", "PRIORITY:5", "CLASS:PRIVATE",
      "ATTACH;FMTTYPE=application/pdf:https://example.org/a.pdf", "COMMENT:one", "COMMENT:two",
      "CONTACT:Jim\\, desk", "RESOURCES:car", "X-APPLE-TRAVEL:1", "SUMMARY;LANGUAGE=de:Ruhe",
      "BEGIN:VALARM", "TRIGGER:-PT15M", "ACTION:DISPLAY", "END:VALARM", "SEQUENCE:7",
      "UID:a@example.org", "LAST-MODIFIED:20260301T000000Z",
    ]
    let head = ["X-WR-CALDESC:All", "CALSCALE:GREGORIAN", "METHOD:PUBLISH"]
    let list = try list(kept + ["DTSTART;VALUE=DATE:20260503"], head: head)
    let lines = export(list)
    for line in kept + head { #expect(lines.contains(line), "\(line)") }
    #expect(CalendarExport(list).omissions == [])
    // And once more, from the file that was written.
    let again = try TripFile(decoding: CalendarExport(list).bytes, name: "again.ics").list()
    #expect(export(again) == lines)
  }

  @Test func theSequenceRisesByOneForEachChange() throws {
    var list = try list(
      ["UID:a", "SEQUENCE:3", "LAST-MODIFIED:20260301T000000Z", "DTSTART:20260503T100000"])
    var me = Replica(id: ReplicaID(rawValue: 9)) { 1_790_000_000_000 }
    #expect(export(list).contains("SEQUENCE:3"))
    try list.set(.title, of: list[0].id, to: "New", by: &me)
    #expect(export(list).contains("SEQUENCE:4"))
    #expect(export(list).contains("LAST-MODIFIED:20260921T141320Z"))
    try list.set(.note, of: list[0].id, to: "New", by: &me)
    #expect(export(list).contains("SEQUENCE:5"))
    #expect(export(list).contains("UID:a"))
  }

  @Test func aMovedEventKeepsItsZone() throws {
    var list = try list(
      ["UID:a", "DTSTART;TZID=Europe/Berlin:20260503T100000", "DTEND:20260503T090000Z"],
      ["UID:b", "DTSTART;VALUE=DATE:20260505"])
    var me = Replica(id: ReplicaID(rawValue: 9)) { 1_790_000_000_000 }
    let id = ForeignIdentity.event("a")
    try list.set(.time, of: id, to: "11:30", by: &me)
    try list.move(id, toOffset: 0, inSection: 2, by: &me)
    let lines = export(list)
    #expect(lines.contains("DTSTART;TZID=Europe/Berlin:20260504T113000"))
    #expect(lines.contains("DTEND:20260504T103000Z"))
  }

  @Test func aReturnedCalendarBringsDeletions() throws {
    let list = try CalendarExportTests.sample()
    let sent = CalendarExport(list).bytes
    var lines = Calendars.unfolded(sent)
    let first = try #require(lines.firstIndex(of: "BEGIN:VEVENT"))
    let last = try #require(lines.firstIndex(of: "END:VEVENT"))
    lines.removeSubrange(first...last)
    let returned = try TripFile(
      decoding: Array(lines.joined(separator: "\r\n").utf8), name: "r.ics")
    for base in [TripFile(list: list, name: "b"), try TripFile(decoding: sent, name: "b.ics")] {
      let result = try TripImport(returned, into: list, base: base)
      #expect(result.counts == .init(unchanged: 2, removed: 1, skipped: 0))
      #expect(result.list.count == 2)
    }
    #expect(try TripImport(returned, into: list).list.count == 3)
    let merged = try TripMerge([returned], base: TripFile(decoding: sent, name: "b.ics"))
    #expect(merged.list.count == 2)
  }

  @Test func itemsWithoutADateAreNotRemovedByACalendar() throws {
    let list = try Plain.list(#"{"id":"t","items":[{"id":"a","day":1,"title":"x"}]}"#)
    let file = try TripFile(decoding: CalendarExport(list).bytes, name: "c.ics")
    let result = try TripImport(file, into: list, base: TripFile(list: list, name: "b"))
    #expect(result.list.count == 1)
    #expect(
      Omission.summary(CalendarExport(list).omissions) == "not written: 1 item without a date")
  }

  @Test func zonesAreNoSkippedComponents() throws {
    let file = try Calendars.file(
      ["UID:a", "DTSTART;VALUE=DATE:20260503"],
      head: ["BEGIN:VTIMEZONE", "TZID:X", "END:VTIMEZONE", "BEGIN:VJOURNAL", "END:VJOURNAL"])
    #expect(
      try TripImport(file).notes == [
        "c.ics:1: not taken: 1 VJOURNAL (a trip takes events; a file of VTODO alone becomes a "
          + "list of tasks)"
      ])
  }

  @Test func aFileOfTasksBecomesAList() throws {
    let bytes = try Resources.bytes("formats/vtodo/plain.ics")
    let list = try TripImport(TripFile(decoding: bytes, name: "t.ics")).list
    let tasks = TaskList(list)
    #expect(list.map { $0[.taskText] } == ["Buy bread", "Pay rent"])
    #expect(tasks.isCompleted(list[1].id))
    #expect(tasks.date(of: list[1].id) == CivilDate("2026-05-01"))
    let json = try list.encoded(as: .json)
    #expect(try TripFile(decoding: json.bytes, name: "t.json").format == .tasks)
  }

  @Test func strangersCannotWriteLinesOfTheirOwn() throws {
    var list = try list(["UID:a", "DTSTART;VALUE=DATE:20260503"])
    var me = Replica(id: ReplicaID(rawValue: 9)) { 1_790_000_000_000 }
    let bad: [(FieldName, FieldValue)] = [
      ("ics:URL", ":x\r\nEND:VEVENT"), ("ics:UID", ":other"), ("ics:END", ":VEVENT"),
      ("ics:lower", ":x"), ("ics:CLASS", "x"), ("ics:VALARM#1", "BEGIN:VALARM\nEND:VEVENT\nx"),
      ("ics:X-BETWIXT-DAY", ":9"), ("ics:STATUS", .int64(4)), ("ics:X-A", "BEGIN:X-A\nEND:B"),
      ("ics:X-B", "BEGIN:X-B\nbegin:r\nEND:X-B"), ("ics:X-C", "BEGIN:X-C\n:x\nEND:X-C"),
      ("ics:X-D", "BEGIN:X-D\nBEGIN:VCALENDAR\nEND:VCALENDAR\nEND:X-D"),
      ("ics:X-E", "BEGIN:X-E\nBEGIN;X=1:A\nEND:X-E"), ("ics:X-F", "BEGIN:X-E\nEND:X-E"),
      ("ics:X-G", "BEGIN:X-G\nEND:X-G\nX:1"), ("ics:X-H", ":1\nBEGIN:X-H\nEND:X-H"),
      ("ics:X-I", "BEGIN:X-I\n x\nEND:X-I"),
      ("ics:X-J", "BEGIN:X-J\n\u{feff}BEGIN:A\nEND:A\nEND:X-J"),
      ("ics:X-K", "BEGIN:X-K\nX;Y=\":\nEND:X-K"), ("ics:X-L", "BEGIN:X-L"),
    ]
    for (name, value) in bad { try list.set(name, of: list[0].id, to: value, by: &me) }
    let zone = "BEGIN:VTIMEZONE\nTZID:x\nEND:VTIMEZONE"
    let roots: [(FieldName, FieldValue)] = [
      ("ics:VTIMEZONE#x", .string(zone + "\nBEGIN:VEVENT\nDTSTART:20260503\nEND:VEVENT")),
      ("ics:VTIMEZONE#y", .string(zone + "\n" + zone)),
      ("ics:X-ROOT", ":x\nBEGIN:VEVENT\nDTSTART:20260503\nEND:VEVENT"),
    ]
    try list.set(roots, of: .root, by: &me)
    let export = CalendarExport(list)
    #expect(try TripFile(decoding: export.bytes, name: "c.ics").list().count == 1)
    #expect(export.omissions.count == bad.count + roots.count)
  }

  /// What is no line of a time is none that an event starts or ends by.
  @Test(arguments: [
    " ;X=\"\r\nfoo\":20260610T100000", " FOO:20260610T100000", " ;X=\u{1}:20260610T100000",
    " :20260610T100000\nX:1",
  ])
  func strangersCannotWriteTimesOfTheirOwn(_ line: String) throws {
    var list = try list(["UID:a", "DTSTART:20260503T080000", "DTEND:20260503T090000"])
    var me = Replica(id: ReplicaID(rawValue: 9)) { 1_790_000_000_000 }
    try list.set(
      [
        ("ics:DTSTART", .string("2026-05-03T08:00" + line)),
        ("ics:DTEND", .string("2026-05-03T08:00/60" + line)),
        ("ics:DURATION", .string("2026-05-03T08:00/60" + line)),
      ], of: list[0].id, by: &me)
    let lines = export(list)
    #expect(lines.contains("DTSTART:20260503T080000"))
    #expect(lines.contains("DTEND:20260503T090000"))
    #expect(try TripFile(decoding: CalendarExport(list).bytes, name: "c.ics").list().count == 1)
    var tasks = try Plain.list(
      #"{"format":"betwixt-tasks","id":"t","tasks":[{"id":"a","text":"A"}]}"#)
    try tasks.move(tasks[0].id, toOffset: 0, inSection: 20_000, by: &me)
    try tasks.set("ics:DUE", of: tasks[0].id, to: .string("2024-10-04" + line), by: &me)
    #expect(export(tasks).contains("DUE;VALUE=DATE:20241004"))
  }

  @Test func componentsComeBackWhateverTheirCase() throws {
    let list = try list(
      ["UID:a", "DTSTART:20260503", "begin:valarm", "Trigger:-PT15M", "end:Valarm"])
    let lines = export(list)
    for line in ["BEGIN:VALARM", "Trigger:-PT15M", "END:VALARM"] { #expect(lines.contains(line)) }
    #expect(CalendarExport(list).omissions == [])
  }

  @Test func aHundredThousandItemsComeBack() throws {
    var text = #"{"id":"t","startDate":"2026-05-01","items":["#
    for index in 0..<1_000 {
      text +=
        (index > 0 ? "," : "")
        + #"{"id":"i\#(index)","day":\#(index % 30 + 1),"title":"A stop of a long trip","note":"n"}"#
    }
    let list = try Plain.list(text + "]}")
    // A thousand stand for a hundred thousand: the file grows in proportion.
    for format in [DocumentFormat.iCalendar, .tripJSON, .json, .csv] {
      let bytes = try list.encoded(as: format).bytes.count
      #expect(bytes * 100 < JSONScanner.maximumByteCount, "\(format)")
    }
  }
}
