import Betwixt
import BetwixtTrips
import Testing

/// One day of a series that differs from the others is one item, whatever an edit changes around it.
@Suite struct OccurrenceTests {
  private static func zone(_ offset: String, _ name: String = "Club") -> [String] {
    [
      "BEGIN:VTIMEZONE", "TZID:\(name)", "BEGIN:STANDARD", "DTSTART:16010101T000000",
      "TZOFFSETFROM:\(offset)", "TZOFFSETTO:\(offset)", "END:STANDARD", "END:VTIMEZONE",
    ]
  }

  private static let first = [
    "UID:s", "DTSTART;TZID=Club:20260501T100000", "RRULE:FREQ=WEEKLY", "SUMMARY:Yoga",
  ]

  private static func day(
    _ recurrence: String, _ start: String = ";TZID=Club:20260508T150000", version: Int = 0
  ) -> [String] {
    [
      "UID:s", "SEQUENCE:\(version)", "RECURRENCE-ID\(recurrence)", "DTSTART\(start)",
      "SUMMARY:Late \(version)",
    ]
  }

  private static let spellings = [
    ":20260508T050000Z", ";TZID=Club:20260508T100000", ":20260508T100000",
    ";VALUE=DATE-TIME;TZID=\"Club\":20260508T100000",
  ]

  private static func check(_ new: TripFile, after old: TripFile) throws {
    let list = try TripImport(old).list
    for base in [nil, old] {
      let result = try TripImport(new, into: list, base: base)
      #expect(result.counts.added == 0 && result.counts.removed == 0)
      #expect(Set(result.list.map { $0.id }) == Set(list.map { $0.id }))
    }
  }

  /// The zone may be left out, stand behind the events, or be another one by now.
  @Test(arguments: spellings) func aDayOfAnotherZone(_ recurrence: String) throws {
    let events = [Self.first, Self.day(recurrence)]
    let old = try Calendars.file(events[0], events[1], head: Self.zone("+0500"))
    #expect(try TripImport(old).list.count == 2)
    try Self.check(Calendars.file(events[0], events[1]), after: old)
    try Self.check(Calendars.file(events[0], events[1], head: Self.zone("+0300")), after: old)
    let behind = Calendars.text(events).replacing(
      "END:VCALENDAR", with: (Self.zone("+0500") + ["END:VCALENDAR"]).joined(separator: "\r\n"))
    try Self.check(TripFile(decoding: Array(behind.utf8), name: "b.ics"), after: old)
  }

  /// The day may start by another clock by now, also as an export says it.
  @Test(arguments: spellings) func aDayThatStartsElsewhere(_ recurrence: String) throws {
    let zone = Self.zone("+0500")
    let old = try Calendars.file(Self.first, Self.day(recurrence), head: zone)
    let list = try TripImport(old).list
    let sent = String(decoding: CalendarExport(list).bytes, as: UTF8.self)
    #expect(sent.contains("RECURRENCE-ID\(recurrence)\r\n") && !sent.contains("X-BETWIXT-ID"))
    let start = ";TZID=Club:20260508T150000"
    for other in [
      ";TZID=America/New_York:20260508T150000", ";VALUE=DATE:20260508", ":20260508T150000",
      ":20260508T100000Z",
    ] {
      let day = Self.day(recurrence, other, version: 1)
      try Self.check(Calendars.file(Self.first, day, head: zone), after: old)
      let text = sent.replacing("DTSTART\(start)", with: "DTSTART\(other)")
      let edited = try TripFile(decoding: Array(text.utf8), name: "e.ics")
      let base = try TripFile(decoding: Array(sent.utf8), name: "b.ics")
      let result = try TripImport(edited, into: list, base: base)
      #expect(result.counts.updated == 1 && result.list.count == 2)
      #expect(Set(result.list.map { $0.id }) == Set(list.map { $0.id }))
    }
  }

  /// Which day is called off its text says.
  @Test(arguments: spellings) func aDayThatIsCalledOff(_ recurrence: String) throws {
    let list = try TripImport(
      Calendars.file(Self.first, Self.day(recurrence), head: Self.zone("+0500"))
    ).list
    let message = try Calendars.file(
      Self.day(recurrence, ":20260508T100000Z", version: 1), head: ["METHOD:CANCEL"])
    #expect(try TripImport(message, into: list).counts.removed == 1)
  }

  /// Two days are two, wherever they take place.
  @Test func daysInDifferentZones() throws {
    let file = try Calendars.file(
      Self.first, Self.day(":20260503T080000Z", ";TZID=Europe/Rome:20260503T120000"),
      Self.day(":20260503T140000Z", ";TZID=America/New_York:20260503T120000"))
    let result = try TripImport(file)
    #expect(result.counts.added == 3 && result.counts.skipped == 0)
    #expect(try TripImport(file, into: result.list, base: file).list == result.list)
  }

  /// A day that cannot be read is not gone.
  @Test(arguments: spellings) func aDayThatCannotBeRead(_ recurrence: String) throws {
    let zone = Self.zone("+0500")
    let old = try Calendars.file(Self.first, Self.day(recurrence), head: zone)
    let new = try Calendars.file(
      Self.first, Self.day(recurrence, ";TZID=Club:never"), head: zone)
    let result = try TripImport(new, into: TripImport(old).list, base: old)
    #expect(result.counts.skipped == 1 && result.counts.removed == 0 && result.list.count == 2)
  }

  /// The zone of the day goes with that of its series, and the identity stays.
  @Test(arguments: ["Club", "\"Club, of 9\"", "Club, of 9"]) func aDayIsNamedByTheZoneOfItsSeries(
    _ written: String
  ) throws {
    let name = written.replacing("\"", with: "")
    let quoted = name == "Club" ? name : "\"\(name)\""
    func file(_ uid: String, _ offset: String) throws -> TripFile {
      let zone = ";TZID=\(written):"
      return try Calendars.file(
        ["UID:\(uid)", "DTSTART\(zone)20260501T100000", "RRULE:FREQ=WEEKLY", "SUMMARY:\(uid)"],
        [
          "UID:\(uid)", "DTSTART\(zone)20260508T150000", "RECURRENCE-ID\(zone)20260508T100000",
          "SUMMARY:\(uid) late",
        ], head: Self.zone(offset, name))
    }
    let files = try [file("a", "+0100"), file("b", "+0500")]
    var list = ReplicatedList(id: files[0].listID)
    for file in files { list = try TripImport(file, into: list).list }
    let alone = try files.map { try TripImport($0).list }
    #expect(Set(list.map { $0.id }) == Set(alone.flatMap { $0.map { $0.id } }))
    let bytes = CalendarExport(list).bytes
    let lines = Calendars.unfolded(bytes)
    let days = lines.filter { $0.hasPrefix("RECURRENCE-ID") }
    #expect(Set(days).count == 2)
    for day in days {
      let zone = day.dropFirst("RECURRENCE-ID".count).prefix { $0 != ":" }
      #expect(zone.hasPrefix(";TZID=" + quoted.prefix { $0 != "9" }))
      #expect(lines.contains("DTSTART\(zone):20260508T150000"))
    }
    #expect(lines.count { $0 == "UID:a" } == 2 && lines.count { $0 == "UID:b" } == 2)
    let back = try TripFile(decoding: bytes, name: "b.ics")
    #expect(Set(back.list().map { $0.id }) == Set(list.map { $0.id }))
    for file in [back] + files {
      for base in [nil, file] {
        #expect(try TripImport(file, into: list, base: base).list == list)
      }
    }
    // Alone it has its own name again.
    for (file, list) in zip(files, alone) {
      let lines = Calendars.unfolded(CalendarExport(list).bytes)
      #expect(lines.contains("RECURRENCE-ID;TZID=\(quoted):20260508T100000"))
      #expect(try TripImport(file, into: list, base: file).list == list)
    }
  }
}
