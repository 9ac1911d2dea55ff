import Betwixt
import BetwixtTrips
import Testing

/// Zones of one name that are not one: programs call a zone that was made by hand the same everywhere.
@Suite struct ZoneNameTests {
  private static func zone(_ offset: String, _ name: String, _ more: [String]) -> [String] {
    ["BEGIN:VTIMEZONE", "TZID:\(name)"] + more
      + [
        "BEGIN:STANDARD", "DTSTART:16010101T000000", "TZOFFSETFROM:\(offset)",
        "TZOFFSETTO:\(offset)", "END:STANDARD", "END:VTIMEZONE",
      ]
  }

  private static func calendar(
    _ uid: String, _ offset: String, name: String = "Club", _ more: String...
  ) throws -> TripFile {
    let event = [
      "UID:\(uid)", "DTSTAMP:20260301T000000Z", "DTSTART;TZID=\"\(name)\":20260505T100000",
      "DTEND;TZID=\(name):20260505T110000", "RRULE:FREQ=DAILY;COUNT=3",
      "EXDATE;TZID=\(name):20260506T100000", "SUMMARY:\(uid)",
    ]
    return try Calendars.file(event, head: zone(offset, name, more))
  }

  // The names that the clocks of one hour and of nine make.
  private static let (first, second) = ("Club 3c8d66eac8e30d11", "Club bfbdcb89f8ad47b3")

  /// The lines of an export that speak of zones.
  private static func lines(_ list: ReplicatedList) -> [String] {
    Calendars.unfolded(CalendarExport(list).bytes).filter { line in
      line.hasPrefix("TZ") || line.contains("TZID=") && !line.hasPrefix("X-")
    }
  }

  @Test func eachEventKeepsItsClock() throws {
    let (a, b) = try (Self.calendar("a", "+0100"), Self.calendar("b", "+0900"))
    let first = try TripImport(a).list
    let result = try TripImport(b, into: first)
    // Alone it has the name that its calendar gives it.
    #expect(
      Self.lines(first) == [
        "TZID:Club", "TZOFFSETFROM:+0100", "TZOFFSETTO:+0100",
        "DTSTART;TZID=\"Club\":20260505T100000", "DTEND;TZID=Club:20260505T110000",
        "EXDATE;TZID=Club:20260506T100000",
      ])
    let (other, name) = (Self.first, Self.second)
    let expected = [
      "TZID:\(other)", "TZOFFSETFROM:+0100", "TZOFFSETTO:+0100",
      "TZID:\(name)", "TZOFFSETFROM:+0900", "TZOFFSETTO:+0900",
      "DTSTART;TZID=\"\(other)\":20260505T100000", "DTEND;TZID=\(other):20260505T110000",
      "EXDATE;TZID=\(other):20260506T100000",
      "DTSTART;TZID=\"\(name)\":20260505T100000", "DTEND;TZID=\(name):20260505T110000",
      "EXDATE;TZID=\(name):20260506T100000",
    ]
    #expect(Self.lines(result.list) == expected)
    #expect(
      result.notes.first
        == "c.ics:1: its zone “Club” is another one here: it is kept as “\(name)”")
    for base in [nil, b] {
      let again = try TripImport(b, into: result.list, base: base)
      #expect(again.list == result.list)
      #expect(!again.notes.contains { $0.contains("its zone") })
    }
    // In a merge no calendar is the first one.
    let merges = try [[a, b], [b, a]].map { try TripMerge($0).list }
    #expect(merges[0] == merges[1])
    #expect(Self.lines(merges[0]).sorted() == expected.sorted())
  }

  @Test func aZoneThatChangedMovesItsEvents() throws {
    let (old, new) = try (Self.calendar("a", "+0100"), Self.calendar("a", "+0200"))
    let list = try TripImport(new, into: TripImport(old).list, base: old).list
    let lines = Self.lines(list)
    #expect(lines.filter { $0.hasPrefix("TZOFFSETTO") } == ["TZOFFSETTO:+0200"])
    #expect(lines.filter { $0.hasPrefix("DTSTART") } == ["DTSTART;TZID=\"Club\":20260505T100000"])
    #expect(try TripImport(new, into: list, base: new).list == list)
  }

  /// The same clock in other words is the same zone.
  @Test func otherWordsAreNoOtherZone() throws {
    let list = try TripImport(Self.calendar("a", "+0100")).list
    let result = try TripImport(Self.calendar("b", "+0100", "COMMENT:same"), into: list)
    #expect(result.notes.allSatisfy { !$0.contains("its zone") })
    #expect(Self.lines(result.list).filter { $0.hasPrefix("TZID") } == ["TZID:Club"])
  }

  private static func tasks(
    _ uid: String, _ offset: String, name: String = "Club", _ more: String...
  ) throws -> TripFile {
    let lines =
      ["BEGIN:VCALENDAR"] + zone(offset, name, more)
      + ["BEGIN:VTODO", "UID:\(uid)", "DUE;TZID=\(name):20260505T100000", "END:VTODO"]
      + ["END:VCALENDAR", ""]
    return try TripFile(decoding: Array(lines.joined(separator: "\r\n").utf8), name: "t.ics")
  }

  /// In a merge no list of tasks is the first one.
  @Test func zonesOfTasksThatAreMerged() throws {
    let (a, b) = try (Self.tasks("a", "+0100"), Self.tasks("b", "+0900"))
    let merges = try [[a, b], [b, a]].map { try TripMerge($0) }
    #expect(merges[0].list == merges[1].list)
    let lines = Self.lines(merges[0].list)
    #expect(
      Set(lines.filter { $0.hasPrefix("DUE") }) == [
        "DUE;TZID=\(Self.first):20260505T100000", "DUE;TZID=\(Self.second):20260505T100000",
      ])
    let offsets = lines.filter { $0.hasPrefix("TZOFFSETTO") }
    #expect(offsets == ["TZOFFSETTO:+0100", "TZOFFSETTO:+0900"])
    for merge in merges {
      #expect(
        merge.notes == [
          "t.ics:1: its zone “Club” is another one here: it is kept as “\(Self.second)”"
        ])
    }
  }

  /// Of one zone in two words a merge takes one, and nothing is lost.
  @Test func otherWordsAreNoOtherZoneOfTasks() throws {
    for (one, other) in [("a", "b"), ("b", "a"), ("c", "d"), ("d", "c")] {
      let a = try Self.tasks(one, "+0100")
      let b = try Self.tasks(other, "+0100", name: "Club", "COMMENT:same")
      let merges = try [[a, b], [b, a]].map { try TripMerge($0) }
      #expect(merges[0].list == merges[1].list)
      for merge in merges {
        let zone = try #require(FieldName("ics:VTIMEZONE#" + Self.first))
        #expect(merge.list.metadata[zone] == a.list().metadata[zone])
        #expect(merge.report.lossLines == [])
      }
    }
  }

  /// A zone that stands twice in one file, in other words or too large to be kept, is kept once.
  @Test(arguments: [false, true]) func aZoneThatStandsTwice(isLarge: Bool) throws {
    let second = Array(repeating: "COMMENT:less", count: isLarge ? 50_000 : 1)
    let event = ["UID:a", "DTSTART;TZID=Club:20260505T100000", "SUMMARY:a"]
    let first = Self.zone("+0100", "Club", ["COMMENT:more"])
    let other = Self.zone("+0100", "Club", second)
    let file = try Calendars.file(event, head: isLarge ? other + first : first + other)
    let plain = try Calendars.file(["UID:b", "DTSTART:20260506T100000", "SUMMARY:b"])
    for files in [[file, plain], [plain, file], [file, file]] {
      let list = try TripMerge(files).list
      let zone = try #require(FieldName("ics:VTIMEZONE#" + Self.first))
      #expect(list.metadata[zone] == file.list().metadata[zone] && list.metadata[zone] != nil)
    }
  }

  /// What looks like a mark of ours is one, whatever clock made it: a program may have changed the clock.
  @Test(arguments: [false, true]) func aNameThatLooksLikeOurs(isTask: Bool) throws {
    func list(_ files: (uid: String, offset: String, name: String)...) throws -> ReplicatedList {
      var list = ReplicatedList(id: ListID(high: 1, low: 2))
      for (uid, offset, name) in files {
        let file =
          try isTask ? Self.tasks(uid, offset, name: name) : Self.calendar(uid, offset, name: name)
        list = try TripImport(file, into: list).list
      }
      return list
    }
    let all = [
      ("a", "+0900", Self.second), ("b", "+0200", Self.second), ("c", "+0900", "Club"),
      ("d", "+0100", "Club"),
    ]
    // Alone it has the name of its calendar again.
    for one in all { #expect(Self.lines(try list(one)).contains("TZID:Club")) }
    let lines = [
      Self.lines(try list(all[0], all[1], all[2], all[3])),
      Self.lines(try list(all[3], all[2], all[1], all[0])),
    ]
    #expect(lines[0].sorted() == lines[1].sorted())
    let names = Set(lines[0].filter { $0.hasPrefix("TZID:") })
    #expect(names.count == 3 && names.contains("TZID:\(Self.first)"))
    #expect(names.contains("TZID:\(Self.second)"))
    #expect(names.allSatisfy { $0.hasPrefix("TZID:Club ") && $0.utf8.count == 26 })
  }

  /// Tasks as events: each keeps its clock.
  @Test func zonesOfTasks() throws {
    let (a, b) = try (Self.tasks("a", "+0100"), Self.tasks("b", "+0900"))
    let first = try TripImport(a).list
    let result = try TripImport(b, into: first)
    #expect(
      Self.lines(result.list) == [
        "TZID:\(Self.first)", "TZOFFSETFROM:+0100", "TZOFFSETTO:+0100",
        "TZID:\(Self.second)", "TZOFFSETFROM:+0900", "TZOFFSETTO:+0900",
        "DUE;TZID=\(Self.first):20260505T100000", "DUE;TZID=\(Self.second):20260505T100000",
      ])
    #expect(
      result.notes == [
        "t.ics:1: its zone “Club” is another one here: it is kept as “\(Self.second)”"
      ])
    for base in [nil, b] {
      let again = try TripImport(b, into: result.list, base: base)
      #expect(again.list == result.list)
      #expect(again.notes == [])
    }
    #expect(try TripImport(a, into: result.list).list == result.list)
  }
}
