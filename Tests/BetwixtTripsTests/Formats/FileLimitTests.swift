import Betwixt
import Testing

@testable import BetwixtTrips

/// What is too large for a list, or for a file, is refused or named, and never dropped.
@Suite struct FileLimitTests {
  private static func file(_ text: String) throws -> TripFile {
    try TripFile(decoding: Array(text.utf8), name: "f")
  }

  private static func reason(_ text: String) -> DocumentFailure.Reason? {
    #expect(throws: DocumentFailure.self) { try file(text) }?.reason
  }

  @Test func textsOfOtherPrograms() {
    let long = String(repeating: "x", count: FieldValue.maximumByteCount)
    let lines = String(repeating: "  \(long.prefix(99_999))\n", count: 6)
    let trip = #"{"title":"T","description":"\#(long)"}"#
    let place = #"{"trip":\#(trip),"days":[{"id":1,"assignments":[]}]}"#
    for text in [
      "- [ ] \(long)\n", "- [ ] a\n\(lines)", "* TODO a\n\(lines)",
      "title,date\n\(long),2026-05-01\n",
      "<gpx><wpt lat=\"1\" lon=\"1\"><time>2026-05-01</time><desc>\(long)</desc></wpt></gpx>",
      place,
    ] {
      #expect(Self.reason(text) == .tooLarge, "\(text.prefix(40))")
    }
  }

  @Test func columns() throws {
    let wide = (0..<1_025).map { "c\($0)" }.joined(separator: ",")
    #expect(Self.reason("title,date,\(wide)\na,2026-05-01\n") == .tooLarge)
  }

  /// Of two columns for one thing the first counts; the other one never takes its place.
  @Test func columnsOfOneName() throws {
    let text = "Name,title,date,x,x,\nA,B,2026-05-01,1,2,3\nC,,2026-05-01,,,\n"
    let result = try TripImport(Self.file(text))
    #expect(result.list.map { $0[.title] } == ["A", "C"])
    #expect(result.list[0]["x"] == "1")
    #expect(
      result.notes == [
        "f:1: not taken: 1 × a cell of column 2, whose name another one has",
        "f:1: not taken: 1 × a cell of column 5, whose name another one has",
        "f:1: not taken: 1 × a cell of column 6, which has no name of at most 255 bytes",
      ])
  }

  @Test(arguments: [DocumentFormat.json, .tripJSON])
  func aFileThatNobodyReadsIsNotWritten(format: DocumentFormat) throws {
    var me = Replica(test: 80)
    var list = try Plain.list(Plain.trip(Plain.item("a")))
    #expect(throws: Never.self) { try list.encoded(as: format) }
    for index in 0..<1_024 {
      let name = try #require(FieldName("f\(index)"))
      try list.set(name, of: Plain.itemA, to: 1, by: &me)
    }
    let failure = #expect(throws: EncodingFailure.self) { try list.encoded(as: format) }
    #expect(failure?.reason == .tooLarge)
    #expect(throws: Never.self) { try list.encoded(as: .trip) }
  }

  @Test func aSummaryIsOneLine() {
    let omissions = (0..<2_000).map { index in
      Omission(item: .root, field: FieldName("f\(index)"), reason: .noRoom)
    }
    let summary = Omission.summary(omissions) ?? ""
    #expect(summary.hasSuffix("”, and 1936 other fields"))
  }

  @Test func zonesOfACalendar() {
    let zone = ["BEGIN:VTIMEZONE", "TZID:Z", "END:VTIMEZONE"]
    let head = Array(repeating: zone, count: 1_001).flatMap { $0 }
    #expect(Calendars.failure(Calendars.text([], head))?.reason == .tooLarge)
  }

  /// Each time that is looked up asks all of a zone, so one of too many parts has no clock.
  @Test(arguments: [500, 501]) func partsOfAZone(count: Int) throws {
    let part = [
      "BEGIN:STANDARD", "DTSTART:20200101T000000", "TZOFFSETFROM:+0200", "TZOFFSETTO:+0200",
      "END:STANDARD",
    ]
    let zone =
      ["BEGIN:VTIMEZONE", "TZID:Z"] + Array(repeating: part, count: count).flatMap { $0 }
      + ["END:VTIMEZONE"]
    let file = try Calendars.file(
      ["UID:a", "DTSTART:20260501T100000Z"], head: ["X-WR-TIMEZONE:Z"] + zone)
    let item = try TripImport(file).list[0]
    #expect(item["time"] == (count == 500 ? "12:00" : "10:00"))
    #expect(item["durationMin"] == nil)
  }

  /// A line of a time is kept whole, with its parameters.
  @Test(arguments: ["DTSTART", "DTEND"]) func linesOfTimes(name: String) {
    let long = String(repeating: "x", count: FieldValue.maximumByteCount)
    let lines = ["DTSTART:20260501T100000", "\(name);X-A=\(long):20260501T100000"]
    #expect(Calendars.failure(Calendars.text([["UID:a"] + lines]))?.reason == .tooLarge)
  }

  @Test func propertiesOfTheCalendarItself() throws {
    let long = String(repeating: "x", count: FieldValue.maximumByteCount)
    let file = try Calendars.file(
      ["UID:a", "DTSTART:20260501T100000"], head: ["X-A;P=\(long):1"])
    #expect(try TripImport(file).notes == ["c.ics:1: its property X-A is not kept"])
  }

  @Test func theNewestVersionOfATask() throws {
    let todos = [("New", 2), ("Newest", 3), ("Old", 1)].flatMap { text, sequence in
      [
        "BEGIN:VTODO", "UID:a", "SEQUENCE:\(sequence)", "DTSTAMP:20260501T000000Z",
        "SUMMARY:\(text)", "END:VTODO",
      ]
    }
    let result = try TripImport(Self.file(Calendars.text([], todos)))
    #expect(result.list.map { $0[.taskText] } == ["Newest"])
    #expect(result.notes.count == 2)
  }

  /// An item at the end of its lives is not removed, and nothing is claimed that was not written.
  @Test func aLifeThatIsExhausted() throws {
    let life = Int64.max
    let file = try Calendars.file(["UID:a", "DTSTART:20260501T100000"])
    let text = BetwixtTripsTests.text(TripJSON.encode(file.list()))
      .replacing("\"length\":1", with: "\"length\":\(life)")
    let list = try TripJSON.decode(Array(text.utf8), file: "f")
    let base = TripFile(list: list, name: "base")
    let result = try TripImport(Calendars.file(), into: list, base: base)
    #expect(result.list == list && result.list.version == list.version)
  }

  @Test func visitsKeepTheirPlaceOnce() throws {
    let visits = (1...300).map { #"{"export_id":\#($0),"start_date":"2026-05-01"}"# }
    let place = #"{"name":"A","visits":[\#(visits.joined(separator: ","))]}"#
    let text = #"{"locations":[\#(place)],"collections":[]}"#
    let list = try Self.file(text).list()
    #expect(list.count == 300)
    #expect(list.allSatisfy { ($0["json:adventurelog"]?.string?.utf8.count ?? 0) < 200 })
  }

  @Test func aTimeThatNoEventHas() throws {
    let list = try Plain.list(
      Plain.trip(
        Plain.item("a", #""icsUid":"a","icsSequence":1,"icsModified":"99991231T235959Z""#)))
    let result = try TripImport(
      TripFile(decoding: list.encoded(as: .iCalendar).bytes, name: "c.ics"), into: list)
    #expect(result.counts.skipped == 0)
  }
}
