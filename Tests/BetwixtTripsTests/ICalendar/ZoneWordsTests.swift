import Betwixt
import BetwixtTrips
import Testing

/// Zones that other programs write in other words, leave out, or call as the world calls others.
@Suite struct ZoneWordsTests {
  private static func fixed(_ name: String, _ offset: String, from year: Int = 1_601) -> [String] {
    [
      "BEGIN:VTIMEZONE", "TZID:\(name)", "BEGIN:STANDARD", "DTSTART:\(year)0101T000000",
      "TZOFFSETFROM:\(offset)", "TZOFFSETTO:\(offset)", "END:STANDARD", "END:VTIMEZONE",
    ]
  }

  /// A zone with the summer time of today, from a year on and until one.
  private static func european(
    _ name: String, from year: Int = 1_981, until last: Int? = nil, before: [String] = []
  ) -> [String] {
    let end = last.map { ";UNTIL=\($0)0101T000000Z" } ?? ""
    return ["BEGIN:VTIMEZONE", "TZID:\(name)"] + before
      + [
        "BEGIN:DAYLIGHT", "DTSTART:\(year)0329T020000", "TZOFFSETFROM:+0100", "TZOFFSETTO:+0200",
        "RRULE:FREQ=YEARLY\(end);BYMONTH=3;BYDAY=-1SU", "END:DAYLIGHT",
        "BEGIN:STANDARD", "DTSTART:\(year)1027T030000", "TZOFFSETFROM:+0200", "TZOFFSETTO:+0100",
        "RRULE:FREQ=YEARLY\(end);BYMONTH=10;BYDAY=-1SU", "END:STANDARD", "END:VTIMEZONE",
      ]
  }

  private static func event(
    _ uid: String, _ zone: String = "Rome", on day: String = "20260515", _ more: String...
  ) -> [String] {
    [
      "UID:\(uid)", "DTSTAMP:20260101T000000Z", "DTSTART;TZID=\(zone):\(day)T100000",
      "SUMMARY:\(uid)",
    ]
      + more
  }

  private static func trip() throws -> ReplicatedList {
    let first = ["UID:first", "DTSTART;VALUE=DATE:20260501", "SUMMARY:first"]
    return try TripImport(Calendars.file(first, head: ["NAME:T"])).list
  }

  private static func lines(_ list: ReplicatedList) -> [String] {
    Calendars.unfolded(CalendarExport(list).bytes)
  }

  private static func names(_ list: ReplicatedList) -> [String] {
    lines(list).filter { $0.hasPrefix("TZID:") }
  }

  /// The zones that the list keeps.
  private static func zoneCount(_ list: ReplicatedList) -> Int {
    (list[id: .root]?.entries ?? []).count { entry in
      guard case .field(let name) = entry.register else { return false }
      return name.text.hasPrefix("ics:VTIMEZONE#")
    }
  }

  private static func taking(_ files: [TripFile]) throws -> ReplicatedList {
    var list = try trip()
    for file in files { list = try TripImport(file, into: list).list }
    return list
  }

  private static func file(_ lines: [String]) throws -> TripFile {
    let text = lines.joined(separator: "\r\n") + "\r\n"
    return try TripFile(decoding: Array(text.utf8), name: "e.ics")
  }

  /// Names do not grow where a program writes both clocks in other words, again and again.
  @Test func namesStayAsTheyAre() throws {
    let list = try Self.taking([
      Calendars.file(Self.event("a"), head: Self.fixed("Rome", "+0100")),
      Calendars.file(Self.event("b"), head: Self.fixed("Rome", "+0900")),
    ])
    let sent = Self.lines(list)
    #expect(Self.names(list).count == 2)
    let base = try Self.file(sent)
    for year in 1_602..<1_605 {
      let words = sent.map { $0.replacing("DTSTART:1601", with: "DTSTART:\(year)") }
      let edited = words.map { $0.hasPrefix("SEQUENCE") ? "SEQUENCE:9" : $0 }
      for base in [nil, base] {
        let result = try TripImport(Self.file(words), into: list, base: base)
        #expect(result.list == list && result.counts.updated == 0)
        #expect(!result.notes.contains { $0.contains("edited") || $0.contains("its zone") })
        let newer = try TripImport(Self.file(edited), into: list, base: base).list
        #expect(Self.names(newer) == Self.names(list))
        #expect(Self.zoneCount(newer) == Self.zoneCount(list))
      }
    }
  }

  /// What comes later by a name that nobody defines means the one clock of that name.
  @Test func aNameWithoutADefinitionIsThatOfTheOneClock() throws {
    let club = Self.fixed("Club", "+0900")
    let first = try Calendars.file(Self.event("x", "Club"), head: club)
    let later = try Calendars.file(Self.event("y", "Club"))
    for files in [[first, later], [later, first]] {
      let list = try Self.taking(files)
      let lines = Self.lines(list)
      #expect(Self.names(list) == ["TZID:Club"])
      #expect(lines.count { $0.hasPrefix("DTSTART;TZID=Club:20260515T100000") } == 2)
      let result = try TripImport(Self.file(lines), into: list)
      #expect(result.counts.updated == 0 && result.list.digest == list.digest)
    }
    // Of two clocks nobody knows which.
    let other = try Calendars.file(Self.event("z", "Club"), head: Self.fixed("Club", "+0100"))
    let three = try Self.taking([first, other, later])
    #expect(Self.names(three).count == 2 && !Self.names(three).contains("TZID:Club"))
  }

  /// A name with several marks has the stem before all of them.
  @Test func aNameWithTwoMarks() throws {
    let mark = "3c8d66eac8e30d11"
    let name = "Rome \(mark) \(mark)"
    let file = try Calendars.file(Self.event("a", name), head: Self.fixed(name, "+0100"))
    let other = try Calendars.file(Self.event("b", name), head: Self.fixed(name, "+0900"))
    let list = try Self.taking([file])
    #expect(Self.names(list) == ["TZID:Rome"])
    let both = try Self.taking([file, other])
    #expect(Self.names(both) == ["TZID:Rome \(mark)", "TZID:Rome bfbdcb89f8ad47b3"])
    let back = try Self.file(Self.lines(both))
    for base in [nil, back] {
      let result = try TripImport(back, into: both, base: base)
      #expect(result.list == both && !result.notes.contains { $0.contains("edited") })
    }
  }

  /// What a zone of the world shows in other years than those that are known its calendar alone says.
  @Test func aZoneOfTheWorldInOtherYears() throws {
    let name = "Europe/Rome"
    let old = [
      "BEGIN:STANDARD", "DTSTART:18931101T000000", "TZOFFSETFROM:+0049", "TZOFFSETTO:+0100",
      "END:STANDARD",
    ]
    func calendar(_ uid: String, _ head: [String]) throws -> TripFile {
      let days = ["19760715", "20260515", "21200715"]
      return try Calendars.file(
        Self.event("\(uid)0", name, on: days[0]), Self.event("\(uid)1", name, on: days[1]),
        Self.event("\(uid)2", name, on: days[2]), head: head)
    }
    let files = [
      try calendar("a", Self.european(name, from: 1_970)),
      try calendar("b", Self.european(name, before: old)),
      try calendar("c", Self.european(name, from: 1_970, until: 2_101)),
    ]
    let lists = try [Self.taking(files), Self.taking(files.reversed())]
    for list in lists {
      var zones: [String: String] = [:]
      for line in Self.lines(list).split(separator: "BEGIN:VEVENT") {
        let title = line.first { $0.hasPrefix("SUMMARY") }?.dropFirst(8)
        zones[title.map { String($0) } ?? ""] = line.first { $0.hasPrefix("DTSTART") }
      }
      let starts = ["a", "b", "c"].map { uid in
        zones["\(uid)0"].map { String($0.prefix { $0 != ":" }) } ?? ""
      }
      #expect(Set(starts).count == 3, "\(starts)")
      let back = try Self.file(Self.lines(list))
      for base in [nil, back] {
        #expect(try TripImport(back, into: list, base: base).list == list)
      }
    }
    var joined = lists[0]
    joined.merge(lists[1])
    #expect(Self.names(joined) == Self.names(lists[0]))
    // In the years that are known it is one of the world.
    let plain = try Calendars.file(Self.event("d", name), head: Self.european(name))
    let list = try Self.taking([plain])
    #expect(list.metadata["ics:VTIMEZONE#Europe/Rome"] != nil)
  }

  /// A program that leaves out a zone with a name that the world has moves nothing.
  @Test(arguments: [false, true]) func aDefinitionThatIsLeftOut(isTask: Bool) throws {
    let name = "Europe/Rome"
    let kind = isTask ? "VTODO" : "VEVENT"
    let lines =
      ["BEGIN:VCALENDAR"] + Self.fixed(name, "+0900") + ["BEGIN:\(kind)"]
      + Self.event("a", name) + ["END:\(kind)", "END:VCALENDAR"]
    let list = try TripImport(Self.file(lines)).list
    let sent = Self.lines(list)
    let base = try Self.file(sent)
    let start = try #require(sent.firstIndex(of: "BEGIN:VTIMEZONE"))
    let end = try #require(sent.firstIndex(of: "END:VTIMEZONE"))
    var without = sent
    without.removeSubrange(start...end)
    for base in [nil, base] {
      let result = try TripImport(Self.file(without), into: list, base: base)
      #expect(result.list == list && result.counts.updated == 0)
      #expect(!result.notes.contains { $0.contains("edited") })
    }
  }

  /// A zone whose name has no room for a mark is not kept, and said to be so.
  @Test(arguments: [200, 225, 240, 300]) func aLongName(_ count: Int) throws {
    let name = String(repeating: "L", count: count)
    let files = try ["+0100", "+0900"].map { offset in
      try Calendars.file(Self.event(offset, name), head: Self.fixed(name, offset))
    }
    var list = try Self.trip()
    for file in files {
      let result = try TripImport(file, into: list)
      #expect(result.notes.contains { $0.contains("is not kept") } == (count > 200))
      list = result.list
    }
    #expect(Self.names(list).count == (count > 200 ? 0 : 2))
    for file in files { #expect(try TripImport(file, into: list).list == list) }
  }

  /// Two clocks that differ at last are two for a series, and for dates that are added.
  @Test(arguments: ["RRULE:FREQ=WEEKLY", "RDATE;TZID=Rome:20380615T100000", "X-A:1"])
  func clocksThatDifferLater(_ line: String) throws {
    let list = try Self.taking([
      Calendars.file(
        Self.event("a", "Rome", on: "20260515", line), head: Self.european("Rome")),
      Calendars.file(
        Self.event("b", "Rome", on: "20260515", line), head: Self.european("Rome", until: 2_037)),
    ])
    #expect(Self.names(list).count == (line == "X-A:1" ? 1 : 2))
  }

  /// Clocks that differ before a series only are one.
  @Test func clocksThatDifferedBefore() throws {
    let list = try Self.taking([
      Calendars.file(Self.event("a"), head: Self.european("Rome")),
      Calendars.file(
        Self.event(
          "b", "Rome", on: "20260515", "RRULE:FREQ=WEEKLY", "EXDATE;TZID=Rome:20260522T100000"),
        head: Self.european("Rome", from: 2_007)),
    ])
    #expect(Self.names(list) == ["TZID:Rome"])
  }

  /// A law that changes is told by a series, however long ago that began.
  @Test func aLawThatChanged() throws {
    let old = try Calendars.file(
      Self.event("a", "Rome", on: "20100601", "RRULE:FREQ=WEEKLY"), head: Self.european("Rome"))
    let new = try Calendars.file(
      Self.event("a", "Rome", on: "20100601", "RRULE:FREQ=WEEKLY", "SEQUENCE:1"),
      head: Self.european("Rome", until: 2_022))
    let list = try Self.taking([old])
    for base in [nil, old] {
      let result = try TripImport(new, into: list, base: base)
      #expect(result.counts.updated == 1)
      #expect(Self.lines(result.list).contains { $0.contains("UNTIL=2022") })
    }
  }

  /// The zone that a calendar is shown in has its name where nothing shows that it is another one.
  @Test func theShownZone() throws {
    let name = "America/Sao_Paulo"
    let head = ["NAME:V", "X-WR-TIMEZONE:\(name)"] + Self.fixed(name, "-0300", from: 1_970)
    for (day, isPlain) in [("20260515", true), ("20181215", false)] {
      let utc = ["UID:u", "DTSTART:\(day)T100000Z", "SUMMARY:u"]
      var list = try TripImport(Calendars.file(utc, head: head)).list
      #expect(Self.lines(list).contains("X-WR-TIMEZONE:\(name)"))
      let other = try Calendars.file(Self.event("o", name, on: day))
      list = try TripImport(other, into: list).list
      #expect(Self.lines(list).contains("X-WR-TIMEZONE:\(name)") == isPlain)
      let back = try Self.file(Self.lines(list))
      for base in [nil, back] {
        #expect(try TripImport(back, into: list, base: base).list == list)
      }
    }
  }

  /// Other words of a zone that nothing names are not gathered, nor spoken of.
  @Test func wordsThatNothingNames() throws {
    let plain = ["UID:u", "DTSTART:20260515T100000", "SUMMARY:u"]
    var list = try Self.trip()
    for year in 1_970..<1_975 {
      let file = try Calendars.file(plain, head: Self.fixed("Rome", "+0100", from: year))
      list = try TripImport(file, into: list).list
    }
    #expect(Self.zoneCount(list) == 1)
    list = try Self.taking([
      Calendars.file(Self.event("a"), head: Self.fixed("Rome", "+0100")),
      Calendars.file(Self.event("b"), head: Self.fixed("Rome", "+0900")),
    ])
    let words = try Calendars.file(Self.event("a"), head: Self.fixed("Rome", "+0100", from: 1_602))
    let result = try TripImport(words, into: list)
    #expect(result.list == list && !result.notes.contains { $0.contains("its zone") })
  }

  /// Dates of one property with a zone and without, in either order.
  @Test(arguments: [false, true]) func datesWithAZoneAndWithout(isReversed: Bool) throws {
    let dates = ["EXDATE:20260517T100000", "EXDATE;TZID=Rome:20260517T100000"]
    let lines = isReversed ? Array(dates.reversed()) : dates
    let list = try Self.taking([
      Calendars.file(
        Self.event("a") + ["RRULE:FREQ=DAILY"] + lines, head: Self.fixed("Rome", "+0100")),
      Calendars.file(Self.event("b"), head: Self.fixed("Rome", "+0900")),
    ])
    let written = Self.lines(list)
    #expect(written.contains("EXDATE;TZID=Rome 3c8d66eac8e30d11:20260517T100000"))
    #expect(written.contains(dates[0]))
    let back = try Self.file(written)
    for base in [nil, back] {
      #expect(try TripImport(back, into: list, base: base).list == list)
    }
  }
}
