import Betwixt
import BetwixtTrips
import TestSupport
import Testing

/// Zones of one name on several devices: whatever was taken in first, each event has the moment that its
/// calendar gives it.
@Suite struct ZoneConvergenceTests {
  /// A calendar of events, each an hour later than the one before.
  private struct Source {
    let zone: String
    let offset: Int
    let words: Int
    let prefix: String

    private var offsetText: String {
      let hours = abs(offset) / 60
      return (offset < 0 ? "-" : "+") + (hours < 10 ? "0" : "") + "\(hours)00"
    }

    var head: [String] {
      // In other words: another first time, and a comment.
      ["BEGIN:VTIMEZONE", "TZID:\(zone)"] + (words == 2 ? ["COMMENT:\(prefix)"] : [])
        + [
          "BEGIN:STANDARD", "DTSTART:\(words == 1 ? 1_970 : 1_601)0101T000000",
          "TZOFFSETFROM:\(offsetText)", "TZOFFSETTO:\(offsetText)", "END:STANDARD", "END:VTIMEZONE",
        ]
    }

    // A series stays where it is, as the days that differ say when that was.
    private static func hour(_ index: Int, version: Int) -> Int {
      10 + 2 * index + (index % 2 == 0 ? 0 : version)
    }

    private func event(_ index: Int, version: Int) -> [[String]] {
      let (uid, zone) = ("\(prefix)\(index)", "TZID=\(zone)")
      let stamp = "DTSTAMP:2026010\(version + 1)T000000Z"
      let hour = Source.hour(index, version: version)
      let first = [
        "UID:\(uid)", stamp, "DTSTART;\(zone):20260502T\(hour)0000",
        "DTEND;\(zone):20260502T\(hour)3000", "SUMMARY:\(uid)",
      ]
      guard index % 2 == 0 else { return [first] }
      let rule = ["RRULE:FREQ=DAILY;COUNT=9", "EXDATE;\(zone):20260504T\(hour)0000"]
      let other = [
        "UID:\(uid)", stamp, "RECURRENCE-ID;\(zone):20260503T\(hour)0000",
        "DTSTART;\(zone):20260503T\(hour + 1)0000", "SUMMARY:\(uid) later",
      ]
      return [first + rule, other]
    }

    func file(version: Int) throws -> TripFile {
      let events = (0..<3).flatMap { event($0, version: version) }
      return try TripFile(decoding: Array(Calendars.text(events, head).utf8), name: "c.ics")
    }

    /// What the events of a version say, as moments.
    func moments(version: Int) -> Set<String> {
      var moments: Set<String> = []
      for index in 0..<3 {
        let (name, hour) = ("\(prefix)\(index)", Source.hour(index, version: version))
        func add(_ title: String, _ property: String, day: Int, _ minutes: Int) {
          moments.insert("\(title) \(property) \(day * 1_440 + minutes - offset)")
        }
        add(name, "DTSTART", day: 2, hour * 60)
        add(name, "DTEND", day: 2, hour * 60 + 30)
        guard index % 2 == 0 else { continue }
        add(name, "EXDATE", day: 4, hour * 60)
        add(name + " later", "DTSTART", day: 3, hour * 60 + 60)
        add(name + " later", "RECURRENCE-ID", day: 3, hour * 60)
      }
      return moments
    }
  }

  /// What the events of an export say, by the zones that it defines.
  private static func moments(_ list: ReplicatedList) throws -> Set<String> {
    var offsets: [String: Int] = [:]
    var (zone, title) = ("", "")
    var moments: Set<String> = []
    var times: [(property: String, zone: String, value: Substring)] = []
    for line in Calendars.unfolded(CalendarExport(list).bytes) {
      let parts = line.split(separator: ":", maxSplits: 1)
      guard parts.count == 2 else { continue }
      if parts[0] == "TZID" {
        zone = String(parts[1])
        #expect(offsets[zone] == nil, "\(zone) is defined once")
      }
      if parts[0] == "TZOFFSETTO" {
        let hours = try #require(Int(parts[1].dropLast(2)))
        offsets[zone] = hours * 60
      }
      if parts[0] == "SUMMARY" { title = String(parts[1]) }
      if let name = parts[0].split(separator: ";TZID=").dropFirst().first {
        times.append((String(parts[0].prefix { $0 != ";" }), String(name), parts[1]))
      }
      guard line == "END:VEVENT" else { continue }
      for (property, zone, value) in times {
        let offset = try #require(offsets[zone], "\(zone) is defined")
        let digits = value.compactMap { $0.wholeNumberValue }
        func number(_ place: Int) -> Int { digits[place] * 10 + digits[place + 1] }
        let minutes = number(6) * 1_440 + number(8) * 60 + number(10) - offset
        moments.insert("\(title) \(property) \(minutes)")
      }
      times = []
    }
    return moments
  }

  /// The lines that other programs read; of clocks that were written as one a new list keeps only one.
  private static func lines(_ bytes: [UInt8]) -> [String] {
    Calendars.unfolded(bytes).filter { !$0.hasPrefix("X-BETWIXT-FIELDS") }
  }

  private static func trip() throws -> ReplicatedList {
    let first = ["UID:first", "DTSTART;VALUE=DATE:20260501", "SUMMARY:first"]
    return try TripImport(Calendars.file(first, head: ["NAME:T"])).list
  }

  /// Two devices that take the same calendars in, each in its own order, and meet in between.
  @Test func eachEventHasTheMomentOfItsCalendar() throws {
    for seed in 0..<60 as Range<UInt64> {
      var random = SplitMix64(seed: seed)
      let offsets = [-120, 60, 120, 300, 540]
      let sources = ["x", "y", "z"].prefix(Int.random(in: 2...3, using: &random)).map { prefix in
        Source(
          zone: ["Rome", "Rome", "Rome", "Europe/Rome"].randomElement(using: &random) ?? "Rome",
          offset: offsets.randomElement(using: &random) ?? 0,
          words: Int.random(in: 0...2, using: &random), prefix: prefix)
      }
      // The first version of each, and of some a second one.
      let files = try sources.flatMap { source in
        try (0...Int.random(in: 0...1, using: &random)).map { try source.file(version: $0) }
      }
      var expected: Set<String> = []
      for source in sources {
        let second = try source.file(version: 1).list()
        let newest = files.contains { $0.list() == second } ? 1 : 0
        expected.formUnion(source.moments(version: newest))
      }
      let start = try Self.trip()
      var devices = [start, start]
      for place in devices.indices {
        for (step, file) in files.shuffled(using: &random).enumerated() {
          devices[place] = try TripImport(file, into: devices[place]).list
          if place == 1, step == 0, Bool.random(using: &random) { devices[1].merge(devices[0]) }
        }
      }
      let alone = try devices.map { try Self.moments($0) }
      devices[0].merge(devices[1])
      devices[1].merge(devices[0])
      #expect(devices[0] == devices[1], "seed \(seed)")
      for moments in try alone + [Self.moments(devices[0])] {
        #expect(moments == expected, "seed \(seed)")
      }
      let bytes = CalendarExport(devices[0]).bytes
      #expect(bytes == CalendarExport(devices[1]).bytes)
      // What was written says the same, to the same list and to another one.
      let back = try TripFile(decoding: bytes, name: "b.ics")
      for base in [nil, back] {
        let again = try TripImport(back, into: devices[0], base: base).list
        #expect(again == devices[0], "seed \(seed)")
      }
      #expect(try Self.moments(back.list()) == expected, "seed \(seed)")
      #expect(Self.lines(CalendarExport(back.list()).bytes) == Self.lines(bytes), "seed \(seed)")
      let merges = try [files, files.reversed()].map { try TripMerge($0).list }
      #expect(merges[0] == merges[1], "seed \(seed)")
      #expect(try Self.moments(merges[0]) == expected, "seed \(seed)")
    }
  }

  private static func zone(_ name: String, _ offset: String, from year: Int = 1_601) -> [String] {
    [
      "BEGIN:VTIMEZONE", "TZID:\(name)", "BEGIN:STANDARD", "DTSTART:\(year)0101T000000",
      "TZOFFSETFROM:\(offset)", "TZOFFSETTO:\(offset)", "END:STANDARD", "END:VTIMEZONE",
    ]
  }

  private static func calendar(
    _ uid: String, _ head: [String], _ more: String...
  ) throws -> TripFile {
    try Calendars.file(
      ["UID:\(uid)", "DTSTAMP:20260101T000000Z", "DTSTART;TZID=Rome:20260502T100000"] + more,
      head: head)
  }

  /// The smallest case: both devices took in one calendar, each another one.
  @Test func eachDeviceHasOneCalendar() throws {
    let files = try [("a", "+0100"), ("b", "+0500")].map { uid, offset in
      try Self.calendar(uid, Self.zone("Rome", offset))
    }
    let start = try Self.trip()
    let lists = try files.map { try TripImport($0, into: start).list }
    for list in lists {
      #expect(Calendars.unfolded(CalendarExport(list).bytes).contains("TZID:Rome"))
    }
    var joined = lists[0]
    let changes = joined.merge(lists[1])
    #expect(changes.conflicts.isEmpty)
    var other = lists[1]
    other.merge(lists[0])
    #expect(joined == other)
    let lines = Calendars.unfolded(CalendarExport(joined).bytes)
    #expect(lines.count { $0.hasPrefix("TZID:Rome ") } == 2 && !lines.contains("TZID:Rome"))
    // Where one of them is gone, the other has its name again.
    var me = Replica(test: 8)
    try joined.remove(ForeignIdentity.event("b"), by: &me)
    let rest = Calendars.unfolded(CalendarExport(joined).bytes)
    #expect(rest.filter { $0.hasPrefix("TZID:") } == ["TZID:Rome"])
    #expect(rest.contains("DTSTART;TZID=Rome:20260502T100000"))
    #expect(rest.contains("TZOFFSETTO:+0100") && !rest.contains("TZOFFSETTO:+0500"))
  }

  /// A clock in other words is one, and so is a zone of the world.
  @Test(arguments: ["Rome", "Europe/Rome"]) func otherWordsAreOneName(_ name: String) throws {
    let start = try Self.trip()
    // The world's clock is two hours ahead in May, as both are.
    let files = try [1_601, 1_970].map { year in
      try Calendars.file(
        ["UID:\(year)", "DTSTART;TZID=\(name):20260502T100000"],
        head: Self.zone(name, "+0200", from: year))
    }
    let plain = try Calendars.file(["UID:c", "DTSTART;TZID=Europe/Rome:20260502T100000"])
    var list = start
    for file in files + [plain] {
      let result = try TripImport(file, into: list)
      #expect(!result.notes.contains { $0.contains("its zone") })
      list = result.list
    }
    let lines = Calendars.unfolded(CalendarExport(list).bytes)
    #expect(lines.count { $0.hasPrefix("DTSTART;TZID=\(name):") } == (name == "Rome" ? 2 : 3))
    // By a zone of the world that no calendar defines there is nothing to define.
    #expect(lines.count { $0.hasPrefix("TZID:") } == (name == "Rome" ? 1 : 0))
  }

  /// A program that writes a zone in other words, or leaves it out, edits nothing.
  @Test func aZoneInOtherWordsIsNoEdit() throws {
    let old = try Self.calendar("a", Self.zone("Rome", "+0200"))
    let list = try TripImport(old, into: Self.trip()).list
    for head in [Self.zone("Rome", "+0200", from: 2_020), []] {
      let new = try Self.calendar("a", head)
      for base in [nil, old] {
        let result = try TripImport(new, into: list, base: base)
        #expect(result.counts.updated == 0)
        // The item of the trip itself is not in the calendar.
        #expect(base != nil || result.list == list)
      }
      let edited = try Self.calendar(
        "a", head, "LAST-MODIFIED:20260201T000000Z", "SUMMARY:Edited")
      let lines = Calendars.unfolded(
        CalendarExport(try TripImport(edited, into: list).list).bytes)
      #expect(lines.contains("SUMMARY:Edited"))
      #expect(lines.filter { $0.hasPrefix("TZID:") } == ["TZID:Rome"])
      #expect(lines.contains("DTSTART:19700101T000000") == false)
      #expect(lines.contains("DTSTART:16010101T000000"))
      #expect(lines.contains("DTSTART;TZID=Rome:20260502T100000"))
    }
    // Another clock is an edit.
    let other = try Self.calendar(
      "a", Self.zone("Rome", "+0500"), "LAST-MODIFIED:20260201T000000Z")
    let lines = Calendars.unfolded(
      CalendarExport(try TripImport(other, into: list).list).bytes)
    #expect(lines.filter { $0.hasPrefix("TZOFFSETTO") } == ["TZOFFSETTO:+0500"])
  }

  /// What nobody defines has the clock of the one calendar that defines one of its name.
  @Test(arguments: [false, true]) func aZoneThatNobodyDefines(isFirst: Bool) throws {
    let files = try [Self.calendar("a", []), Self.calendar("b", Self.zone("Rome", "+0100"))]
    var list = try Self.trip()
    for file in isFirst ? files : files.reversed() { list = try TripImport(file, into: list).list }
    let lines = Calendars.unfolded(CalendarExport(list).bytes)
    #expect(lines.count { $0.hasPrefix("DTSTART;TZID=Rome:20260502T100000") } == 2)
    #expect(lines.filter { $0.hasPrefix("TZID:") } == ["TZID:Rome"])
  }

  /// The zone that a calendar is shown in comes back as it came, and shows its times here.
  @Test(arguments: ["Rome", "(UTC+01:00) Bern\\, Wien"]) func theZoneThatACalendarIsShownIn(
    _ name: String
  ) throws {
    let plain = name.replacing("\\", with: "")
    let head = ["X-WR-TIMEZONE:\(name)"] + Self.zone(plain, "+0500")
    let file = try Calendars.file(
      ["UID:a", "DTSTART:20260502T100000Z"],
      ["UID:b", "DTSTART;TZID=\"\(plain)\":20260502T100000"], head: head)
    let list = try TripImport(file).list
    #expect(list[id: ForeignIdentity.event("a")]?["time"] == "15:00")
    let lines = Calendars.unfolded(CalendarExport(list).bytes)
    for line in head { #expect(lines.contains(line)) }
    #expect(lines.contains("DTSTART;TZID=\"\(plain)\":20260502T100000"))
    #expect(try TripImport(file, into: list, base: file).list == list)
  }
}
