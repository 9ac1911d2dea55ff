import Betwixt
import BetwixtTrips
import Testing

@Suite struct ForeignCalendarTests {
  private let talk = [
    "UID:talk@example.org", "DTSTAMP:20260501T000000Z", "SEQUENCE:1",
    "DTSTART;TZID=\"America/Mexico_City\":20260612T093000", "DURATION:PT1H30M", "SUMMARY:Talk",
    "LOCATION:Hall 1", "DESCRIPTION:n", #"GEO:19.5\;-99"#, "BEGIN:VALARM", "SUMMARY:no",
    "END:VALARM",
  ]
  private let rest = [
    "UID:1C9E2C55-7C89-5C07-A5BB-54B0C9D2F3E4", "DTSTAMP:20260501T000000Z",
    "DTSTART;VALUE=DATE:20260611", "DTEND;VALUE=DATE:20260612", "SUMMARY:Rest",
  ]

  @Test func eventsBecomeCustomItems() throws {
    let list = try CalendarExportTests.sample()
    let file = try Calendars.file(talk, rest)
    let result = try TripImport(file, into: list)
    #expect(result.counts == .init(added: 2, skipped: 0))
    let id = ForeignIdentity.event("talk@example.org")
    #expect(ForeignIdentity.hashed(in: "ics", "talk@example.org") == id)
    let item = try #require(result.list[id: id])
    #expect(
      item.fields == [
        "kind": "custom", "title": "Talk", "note": "n", "address": "Hall 1", "time": "09:30",
        "durationMin": 90, "latitude": 19.5, "longitude": -99.0, "icsUid": "talk@example.org",
        "icsSequence": 1, "icsModified": "20260501T000000Z",
        "ics:DTSTART": "2026-06-12T09:30 ;TZID=\"America/Mexico_City\":20260612T093000",
        "ics:DURATION": "2026-06-12T09:30/90 :PT1H30M",
        "ics:VALARM#6512a7fe": "BEGIN:VALARM\nSUMMARY:no\nEND:VALARM",
      ])
    #expect(item.section == 3)
    #expect(item.key?.approximateSortOrder == 670)
    #expect(item.newestTime == Timestamp(milliseconds: 1_777_593_600_000))
    let day = try #require(ItemID(uuid: "1c9e2c55-7c89-5c07-a5bb-54b0c9d2f3e4"))
    #expect(result.list[id: day]?.key?.approximateSortOrder == -1)
    #expect(result.list[id: day]?["durationMin"] == nil)
    #expect(result.list[id: day]?["icsUid"] == "1C9E2C55-7C89-5C07-A5BB-54B0C9D2F3E4")

    let twice = try TripImport(file, into: result.list)
    #expect(TripJSON.encode(twice.list) == TripJSON.encode(result.list))
    #expect(twice.counts == .init(unchanged: 2, skipped: 0))
    let lines = Calendars.unfolded(CalendarExport(result.list).bytes)
    #expect(lines.contains("UID:talk@example.org"))
    #expect(lines.contains("UID:1C9E2C55-7C89-5C07-A5BB-54B0C9D2F3E4"))
  }

  @Test func aNewVersionUpdatesAndAnOldOneDoesNot() throws {
    var list = try TripImport(Calendars.file(talk, rest), into: CalendarExportTests.sample()).list
    let id = ForeignIdentity.event("talk@example.org")
    var newer = talk
    newer[1] = "DTSTAMP:20260502T000000Z"
    newer[2] = "SEQUENCE:2"
    newer[3] = "DTSTART:20260610T093000"
    newer[5] = "SUMMARY:Talk 2"
    let result = try TripImport(Calendars.file(newer), into: list)
    #expect(result.counts == .init(updated: 1, skipped: 0))
    #expect(result.list[id: id]?["title"] == "Talk 2")
    #expect(result.list[id: id]?["icsSequence"] == 2)
    #expect(result.list[id: id]?.section == 1)
    #expect(try TripImport(Calendars.file(newer), into: result.list).list == result.list)

    let old = try TripImport(Calendars.file(talk), into: result.list)
    #expect(old.list == result.list)
    #expect(old.counts == .init(skipped: 1))
    #expect(old.notes.contains("c.ics:2: skipped: it is newer here"))

    // What was edited here later than the calendar's new version stays.
    var me = Replica(id: ReplicaID(rawValue: 9)) { 1_790_000_000_000 }
    try list.set("title", of: id, to: "Mine", by: &me)
    let joined = try TripImport(Calendars.file(newer), into: list).list
    #expect(joined[id: id]?["title"] == "Mine")
    #expect(joined[id: id]?.section == 1)
  }

  @Test("another first day moves imported events, and their versions say so")
  func theFirstDayMovesEvents() throws {
    let document = try TripImport(
      Calendars.file(talk, rest), into: CalendarExportTests.sample()
    ).list
    var list = document
    var me = Replica(id: ReplicaID(rawValue: 9)) { 1_790_000_000_000 }
    try list.set("startDate", of: .root, to: "2026-06-08", by: &me)
    let sent = CalendarExport(list).bytes
    let lines = Calendars.unfolded(sent)
    let start = try #require(lines.firstIndex { $0.hasPrefix("UID:talk@example.org") })
    let event = lines[start...].prefix { $0 != "END:VEVENT" }
    #expect(event.contains("DTSTART;TZID=\"America/Mexico_City\":20260610T093000"))
    #expect(event.contains("SEQUENCE:2"))
    #expect(event.contains("LAST-MODIFIED:20260921T141320Z"))
    // What comes back as it went out changes nothing.
    let file = try TripFile(decoding: sent, name: "c.ics")
    #expect(try TripImport(file, into: list).list == list)
    #expect(try TripImport(file, into: list, base: file).list == list)
    // Nor does the calendar that came once; a later version of it counts, and so does a cancellation.
    #expect(try TripImport(Calendars.file(talk, rest), into: list).list == list)
    var newer = talk
    newer[1] = "DTSTAMP:20260502T000000Z"
    newer[2] = "SEQUENCE:2"
    newer[5] = "SUMMARY:Talk 2"
    let id = ForeignIdentity.event("talk@example.org")
    #expect(try TripImport(Calendars.file(newer), into: list).list[id: id]?["title"] == "Talk 2")
    let cancelled = try TripImport(Calendars.file(newer + ["STATUS:CANCELLED"]), into: list)
    #expect(cancelled.list[id: id]?.isRemoved == true)
  }

  @Test func ofOneUIDTheGreatestVersionCounts() throws {
    var newer = talk
    newer[2] = "SEQUENCE:2"
    newer[5] = "SUMMARY:Talk 2"
    for order in [[talk, newer], [newer, talk]] {
      let result = try TripImport(
        Calendars.file(order[0], order[1]), into: CalendarExportTests.sample())
      #expect(result.counts == .init(added: 1, skipped: 1))
      #expect(result.list[id: ForeignIdentity.event("talk@example.org")]?["title"] == "Talk 2")
    }
  }

  /// Whoever makes a list of a file is told what that leaves out, as who imports it is.
  @Test func aFileSaysWhatItsListLeavesOut() throws {
    let kept = ["UID:1", "SUMMARY:A", "DTSTART:20260611T100000"]
    let cancelled = ["UID:2", "SUMMARY:B", "DTSTART:20260612T100000", "STATUS:CANCELLED"]
    let file = try Calendars.file(kept, cancelled)
    let notes = ["c.ics:7: skipped: it is cancelled and not known here"]
    #expect(file.notes == notes)
    #expect(try TripImport(file).notes == notes)
    #expect(try TripMerge([file]).notes == notes)
    #expect(try Plain.file(Plain.trip(Plain.item("a"))).notes == [])
    let table = try Plain.file("title,date\nA,1926-01-01\nB,1990-05-05\n", "t.csv")
    #expect(table.notes.count == 1)
    #expect(try TripImport(table).notes == table.notes)
    #expect(try TripMerge([table]).notes == table.notes)
  }

  @Test func anEventWithoutUIDIsKnownByItsContent() throws {
    let event = ["SUMMARY:A", "DTSTART:20260611T100000", "DTSTAMP:20260101T000000Z"]
    let list = try TripImport(Calendars.file(event), into: CalendarExportTests.sample())
    #expect(list.counts == .init(added: 1, skipped: 0))
    #expect(list.notes == ["c.ics:2: it has no UID, so an edit makes another item"])
    let id: ItemID = ForeignIdentity.hashed(in: "ics", "DTSTART:20260611T100000\nSUMMARY:A")
    #expect(list.list.contains(id: id))
    let again = ["DTSTART:20260611T100000", "SUMMARY:A", "DTSTAMP:20260201T000000Z"]
    let twice = try TripImport(Calendars.file(again), into: list.list)
    #expect(twice.counts.added == 0)
    #expect(twice.list.map(\.id) == list.list.map(\.id))
  }

  @Test func aCalendarAloneBecomesATrip() throws {
    let file = try Calendars.file(talk, rest, head: ["X-WR-CALNAME:Both"])
    let list = try TripImport(file).list
    let trip = Trip(list)
    #expect(trip.name == "Both")
    #expect(trip.startDate == CivilDate("2026-06-11"))
    #expect(trip.dayCount == 2)
    #expect(list.map { $0["title"] } == ["Rest", "Talk"])
    #expect(TripJSON.encode(try TripImport(file, into: list).list) == TripJSON.encode(list))
    let merge = try TripMerge([
      file, TripFile(list: try CalendarExportTests.sample(), name: "t", format: .tripJSON),
    ])
    #expect(merge.list.id == (try CalendarExportTests.sample().id))
    #expect(merge.list.count == 5)
  }

  @Test func anotherTripsCalendarIsRefused() throws {
    let file = try Calendars.file(rest, head: ["X-BETWIXT-TRIP:other"])
    #expect(throws: DocumentFailure.self) {
      try TripImport(file, into: CalendarExportTests.sample())
    }
  }

  @Test(arguments: [
    (["UID:a", "SUMMARY:x"], "it has no DTSTART"),
    (["UID:a", "DTSTART:2026061"], "DTSTART in line 4 is no date"),
    (["UID:a", "DTSTART:20260231"], "DTSTART in line 4 is no date"),
    (["UID:a", "DTSTART:20260611T250000"], "DTSTART in line 4 is no date"),
    (["UID:a", "DTSTART:20260611", "DTEND:x"], "DTEND in line 5 is no date"),
    (
      ["UID:a", "DTSTART:20260611", "DTEND:20260611T100000"],
      "DTEND in line 5 is of another kind than DTSTART"
    ),
    (["UID:a", "DTSTART:20260611", "DURATION:1H"], "DURATION in line 5 is no duration"),
    (["UID:a", "DTSTART:20260611", "DTSTAMP:now"], "DTSTAMP in line 5 is no time"),
    (
      ["UID:a", "DTSTART:20260611", "LAST-MODIFIED:19600101T000000Z"],
      "LAST-MODIFIED in line 5 is no time"
    ),
    (["UID:00000000-0000-0000-0000-000000000000", "DTSTART:20260611"], "its UID is reserved"),
    (["UID:a", "DTSTART:20260611", "STATUS:CANCELLED"], "it is cancelled and not known here"),
  ])
  func eventsAreSkippedSingly(_ lines: [String], _ text: String) throws {
    let list = try CalendarExportTests.sample()
    let result = try TripImport(Calendars.file(lines, rest), into: list)
    #expect(result.counts == .init(added: 1, skipped: 1))
    #expect(result.notes == ["c.ics:2: skipped: \(text)"])
  }

  @Test func aSeriesIsKeptAndItsFirstTimeShown() throws {
    let series = ["UID:a", "DTSTART:20260611T100000", "RRULE:FREQ=DAILY;COUNT=3"]
    let other = ["UID:a", "RECURRENCE-ID:20260612T100000", "DTSTART:20260612T110000"]
    let result = try TripImport(
      Calendars.file(series, other), into: CalendarExportTests.sample())
    #expect(result.counts == .init(added: 2, skipped: 0))
    #expect(
      result.notes == ["c.ics:2: it repeats: the trip shows its first time, and its rule is kept"])
    let lines = Calendars.unfolded(CalendarExport(result.list).bytes)
    for line in series + other { #expect(lines.contains(line)) }
    #expect(lines.count { $0 == "UID:a" } == 2)
  }

  @Test(
    arguments: [
      ("DTEND:20260611T113000", 90), ("DURATION:P1W", 10_080), ("DURATION:P1DT2H3M59S", 1_563),
      ("DURATION:PT0S", nil), ("DURATION:-PT1H", nil), ("DTEND:20260611T090000", nil),
      ("DTEND;TZID=Europe/Berlin:20260611T200000", nil),
    ] as [(String, Int64?)])
  func durations(_ line: String, _ minutes: Int64?) throws {
    let file = try Calendars.file(["UID:a", "DTSTART:20260611T100000", line])
    let list = try TripImport(file, into: CalendarExportTests.sample()).list
    #expect(list[id: ForeignIdentity.event("a")]?["durationMin"] == minutes.map { .int64($0) })
  }

  @Test(arguments: [
    "PT", "P", "1H", "PT1", "PT1D", "P1DT", "PT1M1H", "PT99999999999999999999S",
    "P9223372036854775807W",
  ])
  func badDurations(_ text: String) throws {
    let file = try Calendars.file(["UID:a", "DTSTART:20260611T100000", "DURATION:\(text)"])
    #expect(try TripImport(file, into: CalendarExportTests.sample()).counts == .init(skipped: 1))
  }
}
