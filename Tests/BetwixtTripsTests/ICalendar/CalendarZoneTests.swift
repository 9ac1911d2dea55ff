import Betwixt
import BetwixtTrips
import Testing

/// Clocks that calendars bring along.
@Suite struct CalendarZoneTests {
  private static func zone(_ name: String, _ observances: [String]...) -> [String] {
    ["BEGIN:VTIMEZONE", "TZID:\(name)"] + observances.flatMap { $0 } + ["END:VTIMEZONE"]
  }

  private static func clock(
    _ name: String, _ from: String, _ to: String, _ start: String, _ more: String...
  ) -> [String] {
    [
      "BEGIN:\(name)", "DTSTART:\(start)", "TZOFFSETFROM:\(from)", "TZOFFSETTO:\(to)",
    ] + more + ["END:\(name)"]
  }

  private static func jerusalem(_ name: String, _ summer: String, _ winter: String) -> [String] {
    zone(
      name, clock("DAYLIGHT", "+0200", "+0300", "20130329T020000", summer),
      clock("STANDARD", "+0300", "+0200", "20131027T020000", winter))
  }

  private static func minutes(_ zone: [String], from start: String, to end: String) throws
    -> FieldValue?
  {
    let file = try Calendars.file(
      ["UID:a", "DTSTART:\(start)", "DTEND;TZID=\(end)"], head: zone)
    return try TripImport(file).list[0]["durationMin"]
  }

  @Test("a weekday on or after a day of a month")
  func weekdaysOnOrAfter() throws {
    let zone = Self.jerusalem(
      "Z", "RRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=FR;BYMONTHDAY=23,24,25,26,27,28,29",
      "RRULE:FREQ=YEARLY;BYMONTH=10;BYDAY=-1SU")
    // In 2026 the clock goes forward on March 27 at 2.
    for (start, end, length) in [
      ("20260326T220000Z", "20260327T013000", 90), ("20260327T000000Z", "20260327T033000", 30),
      ("20260630T220000Z", "20260701T030000", 120), ("20261025T220000Z", "20261026T030000", 180),
    ] as [(String, String, Int64)] {
      #expect(try Self.minutes(zone, from: start, to: "Z:\(end)") == .int64(length), "\(end)")
    }
  }

  /// In a year whose April has no Sunday from the 25th on, the clock does not go forward.
  @Test func aWeekdayBehindTheEndOfAMonth() throws {
    let zone = Self.zone(
      "Z",
      Self.clock(
        "DAYLIGHT", "+0100", "+0200", "20200425T020000",
        "RRULE:FREQ=YEARLY;BYMONTH=4;BYDAY=SU;BYMONTHDAY=25,26,27,28,29,30,31"),
      Self.clock(
        "STANDARD", "+0200", "+0100", "20201025T030000", "RRULE:FREQ=YEARLY;BYMONTH=10;BYDAY=-1SU"))
    // April 24 and May 1 of 2022 are Sundays; so it is winter still in the summer of that year.
    for (year, length) in [("2021", 0), ("2022", 60), ("2023", 0)] as [(String, Int64)] {
      let minutes = try Self.minutes(
        zone, from: "\(year)0601T100000Z", to: "Z:\(year)0601T123000")
      #expect(minutes == .int64(30 + length), "\(year)")
    }
  }

  /// Half of a zone would show wrong times: the database knows the name, or nobody does.
  @Test(arguments: [
    "RRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=FR;BYMONTHDAY=23,25", "RRULE:FREQ=DAILY",
    "RRULE:FREQ=YEARLY;BYYEARDAY=80", "RRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=-1FR;COUNT=2",
    "RDATE;VALUE=PERIOD:20260327T020000/PT1H",
  ])
  func whatIsNotUnderstoodIsNoClock(_ rule: String) throws {
    let winter = "RRULE:FREQ=YEARLY;BYMONTH=10;BYDAY=-1SU"
    // From 10:00 in Rome to 15:00 in Jerusalem.
    let (start, end) = ("20260701T080000Z", "20260701T150000")
    let known = Self.jerusalem("Asia/Jerusalem", rule, winter)
    #expect(try Self.minutes(known, from: start, to: "Asia/Jerusalem:\(end)") == 240)
    let unknown = Self.jerusalem("Somewhere", rule, winter)
    #expect(try Self.minutes(unknown, from: start, to: "Somewhere:\(end)") == nil)
  }

  @Test func clocksThatStartOnDates() throws {
    let zone = Self.zone(
      "Z",
      Self.clock("STANDARD", "+0100", "+0000", "20250223T030000", "RDATE:20260215T030000"),
      Self.clock(
        "DAYLIGHT", "+0000", "+0100", "20250406T020000", "RDATE:20260322T020000,20270314T020000"))
    for (day, length) in [("0210", 60), ("0301", 120), ("0401", 60)] as [(String, Int64)] {
      let result = try Self.minutes(
        zone, from: "2026\(day)T100000Z", to: "Z:2026\(day)T120000")
      #expect(result == .int64(length), "\(day)")
    }
  }

  /// In the hour after the clock went back there are two moments for a time.
  @Test(arguments: [
    ("20261025T003000Z", "02:30"), ("20261025T013000Z", "02:30"), ("20261025T023000Z", "03:30"),
    ("20260329T003000Z", "01:30"), ("20260329T010000Z", "03:00"),
  ])
  func timesOfUTC(_ start: String, _ shown: String) throws {
    let zone = Self.zone(
      "Europe/Berlin",
      Self.clock(
        "DAYLIGHT", "+0100", "+0200", "19810329T020000", "RRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=-1SU"),
      Self.clock(
        "STANDARD", "+0200", "+0100", "19961027T030000", "RRULE:FREQ=YEARLY;BYMONTH=10;BYDAY=-1SU"))
    for head in [zone, []] {
      let file = try Calendars.file(
        ["UID:a", "DTSTART:\(start)"], head: ["X-WR-TIMEZONE:Europe/Berlin"] + head)
      #expect(try TripImport(file).list[0]["time"] == .string(shown))
    }
  }

  /// Over a change of summer time the moment moves by another hour, here and there.
  @Test(arguments: [[], ["DTEND:20261020T090015Z"]])
  func anEventOfUTCKeepsItsWallTime(_ end: [String]) throws {
    let head = ["X-WR-TIMEZONE:Europe/Berlin"]
    func file(_ start: String, _ version: Int, _ end: [String]) throws -> TripFile {
      let first = ["UID:f", "DTSTART;VALUE=DATE:20261019"]
      return try Calendars.file(
        first, ["UID:a", "SEQUENCE:\(version)", "DTSTART:\(start)"] + end, head: head)
    }
    let sent = try file("20261020T080000Z", 0, end)
    let list = try TripImport(sent).list
    let id = ForeignIdentity.event("a")
    #expect(list[id: id]?["time"] == "10:00")
    let moved = try file(
      "20261027T090000Z", 1, end.map { $0.replacing("1020T09", with: "1027T10") })
    for base in [nil, sent] {
      let item = try TripImport(moved, into: list, base: base).list[id: id]
      #expect(item?["time"] == "10:00")
      #expect(item?.section == 9)
    }
    var here = list
    var me = Replica(test: 8)
    try here.move(id, toOffset: 0, inSection: 9, by: &me)
    let bytes = CalendarExport(here).bytes
    let lines = Calendars.unfolded(bytes)
    #expect(lines.contains("DTSTART:20261027T090000Z"))
    if !end.isEmpty { #expect(lines.contains("DTEND:20261027T100015Z")) }
    let back = try TripFile(decoding: bytes, name: "b.ics")
    for base in [nil, back] { #expect(try TripImport(back, into: here, base: base).list == here) }
  }
  /// Of the two moments of a time that the clock shows twice, that which the event had.
  @Test(arguments: ["20261025T003000Z", "20261025T013000Z"])
  func anEventThatIsNotMovedKeepsItsMoment(_ start: String) throws {
    let file = try Calendars.file(
      ["UID:f", "DTSTART;VALUE=DATE:20261024"], ["UID:a", "DTSTART:\(start)"],
      head: ["X-WR-TIMEZONE:Europe/Berlin"])
    var list = try TripImport(file).list
    let id = ForeignIdentity.event("a")
    #expect(list[id: id]?["time"] == "02:30")
    #expect(Calendars.unfolded(CalendarExport(list).bytes).contains("DTSTART:\(start)"))
    for base in [nil, file] {
      let again = try TripImport(file, into: list, base: base)
      #expect(again.list == list && again.counts.updated == 0)
    }
    // Within the hour the same clock counts.
    var me = Replica(test: 8)
    try list.set("time", of: id, to: "02:45", by: &me)
    let moved = start.replacing("3000Z", with: "4500Z")
    #expect(Calendars.unfolded(CalendarExport(list).bytes).contains("DTSTART:\(moved)"))
  }
}
