import Betwixt
import Testing

@testable import BetwixtTrips

/// Tables that people keep in a spreadsheet, and ours that come back from one.
@Suite struct TableTests {
  private static func file(_ text: String, utcOffset: Int? = nil) throws -> TripFile {
    var options = ReadingOptions()
    options.utcOffset = utcOffset
    return try TripFile(decoding: Array(text.utf8), name: "t.csv", options: options)
  }

  private static func trip(days: Int64 = 14) throws -> ReplicatedList {
    var list = ReplicatedList(id: ListID(high: 1, low: 2))
    var me = replica()
    try list.set(
      [("name", "S"), ("startDate", "2026-06-12"), ("days", .int64(days))], of: .root, by: &me)
    return list
  }

  private static func replica(_ time: Int64 = 1_780_000_000_123) -> Replica {
    Replica(id: ReplicaID(rawValue: 3)) { time }
  }

  private static func rows(_ list: ReplicatedList) -> [String] {
    list.map { item in
      let words = [item["time"]?.string, item["title"]?.string, item["note"]?.string]
      return "\(item.section ?? 0) " + words.compactMap { $0 }.joined(separator: " ")
    }
  }

  private static func lines(_ result: TripImport) -> [String] {
    MergeReport(result.losses, in: result.list, here: "here", there: "there").lossLines
  }

  @Test(
    arguments: [
      ("2026-06-13 18:00", "18:00"), ("2026-06-13T18:00", "18:00"),
      ("2026-06-13T18:00:30", "18:00"),
      ("20260613T180000", "18:00"), ("13.06.2026 18:00", "18:00"), ("2026/06/13 6:00 PM", "18:00"),
      ("13.06.2026 9pm", "21:00"), ("2026-06-13T18:00+02:00", "18:00"),
      ("2026-06-13 00:00:00", nil), ("Sat 13.06.2026", nil), ("2026-06-13", nil),
    ] as [(String, String?)])
  func aTimeBehindTheDateIsTheTime(cell: String, time: String?) throws {
    let result = try TripImport(Self.file("date,title\n\(cell),Game\n"))
    #expect(result.list[0]["time"] == time.map { .string($0) })
    #expect(Trip(result.list).startDate == CivilDate("2026-06-13"))
    #expect(result.notes == [])
  }

  /// The first of them that is not empty says whether they are dates.
  @Test func datesThatAreThoseOfStarts() throws {
    let games = "kind,title,start\ngame,A,2026-06-13T18:00-06:00\ngame,B,2026-06-13\n"
    let list = try TripImport(Self.file(games)).list
    #expect(list.map { $0["start"] } == ["2026-06-13T18:00-06:00", nil])
    #expect(list.map { $0.section } == [1, 1])
    let later = "title,start,time\nA,2026-06-13,19:00\nB,2026-06-14 18:00,\n"
    #expect(try Self.rows(TripImport(Self.file(later)).list) == ["1 19:00 A", "2 18:00 B"])
    for starts in ["10:00,B", ",B\nA,10:00,B", ",B"] {
      let failure = #expect(throws: DocumentFailure.self) {
        try Self.file("title,start,city\nA,\(starts)\n")
      }
      #expect(failure?.text.contains("(--columns date=HEADING)") ?? false)
    }
  }

  @Test func aTimeOfUTCIsShownByTheClockThatIsWanted() throws {
    let text = "date,title\n2026-06-13T02:00:00Z,Game\n"
    let there = try TripImport(Self.file(text, utcOffset: -420))
    #expect(Self.rows(there.list) == ["1 19:00 Game"])
    #expect(Trip(there.list).startDate == CivilDate("2026-06-12"))
    #expect(there.notes == [])
    let unknown = try TripImport(Self.file(text))
    #expect(Self.rows(unknown.list) == ["1 02:00 Game"])
    #expect(unknown.notes.count == 1 && unknown.notes[0].contains("--utc-offset"))
  }

  @Test func startsAndCountsThatAreNoneAreNamed() throws {
    let head = "kind,date,start,title,day,order\n"
    let result = try TripImport(
      Self.file(
        head + "game,2026-06-13,2026-06-13T13:00:30+02:00,A,2,1\n"
          + "game,2026-06-13,tomorrow,B,Sunday,2nd\n"))
    let starts = result.list.map { [$0["title"], $0["start"]] }
    #expect(Set(starts) == [["A", "2026-06-13T13:00+02:00"], ["B", "tomorrow"]])
    #expect(
      result.notes == [
        "t.csv:3: its day “Sunday” is no whole number: it is not taken",
        "t.csv:3: its order “2nd” is no number: it is not taken",
        "t.csv:3: “tomorrow” is not a start like 2026-06-11T13:00-06:00 for “start”: it is kept as "
          + "text",
      ])
  }

  /// What an item is called that has no title is no title of it.
  @Test func titlesThatAreNoneStayNone() throws {
    let items = [
      Plain.item("g", #""kind":"game","home":"Roma""#), Plain.item("l", #""kind":"travel""#),
      Plain.item("m", #""kind":"travel","to":"Rome","sortOrder":2"#),
      Plain.item("n", #""kind":"game","home":"Roma","away":"Lazio","sortOrder":3"#),
    ]
    let list = try Plain.list(Plain.trip(items.joined(separator: ",")))
    let file = try Self.file(text(list.encoded(as: .csv).bytes))
    #expect(file.list().map { $0["title"] } == [nil, nil, nil, nil])
    #expect(Set(file.list().map { $0.summary }) == Set(list.map { $0.summary }))
  }

  @Test func whatStandsBehindADateIsTakenOrNamed() throws {
    let both = try TripImport(Self.file("date,time,title\n2026-06-13 18:00,19:00,Game\n"))
    #expect(both.list[0]["time"] == "19:00")
    #expect(
      both.notes == ["t.csv:2: its date says 18:00: the time “19:00” of its own column counts"])
    let failure = #expect(throws: DocumentFailure.self) {
      try Self.file("date,title\n13.06.2026 18 Uhr 30,Game\n")
    }
    #expect(failure?.reason == .badValue)
  }

  /// Ours say the day twice.
  @Test func theDayOrTheDateThatWasChangedCounts() throws {
    var list = try Self.trip()
    var me = Self.replica()
    for title in ["A", "B"] {
      try list.append(["kind": "custom", "title": .string(title)], toSection: 4, by: &me)
    }
    let sent = text(try list.encoded(as: .csv).bytes)
    let base = try Self.file(sent)
    let edits = [
      ("4,2026-06-15,1", "4,2026-06-18,1"), ("4,2026-06-15,1", "7,2026-06-15,1"),
      ("4,2026-06-15,1", "7,2026-06-18,1"),
    ]
    for (old, new) in edits {
      let result = try TripImport(
        Self.file(sent.replacing(old, with: new)), into: list, base: base)
      #expect(Self.rows(result.list) == ["4 B", "7 A"], "\(new)")
      #expect(result.counts.updated == 1)
    }
    // One row alone does not tell which day is the first.
    let one = sent.split(separator: "\r\n").dropLast().joined(separator: "\n") + "\n"
    let alone = try TripImport(
      Self.file(one.replacing("2026-06-15", with: "2026-06-18")), into: list, base: Self.file(one))
    #expect(Self.rows(alone.list) == ["4 B", "7 A"])
  }

  /// A trip that begins on another date by now: its days are what they were.
  @Test func anotherFirstDayIsNoEditOfTheTable() throws {
    var list = try Self.trip()
    var me = Self.replica()
    try list.append(["kind": "custom", "title": "A"], toSection: 4, by: &me)
    let sent = try Self.file(text(try list.encoded(as: .csv).bytes))
    try list.set("startDate", of: .root, to: "2026-06-10", by: &me)
    for base in [sent, nil] {
      #expect(try Self.rows(TripImport(sent, into: list, base: base).list) == ["4 A"])
    }
  }

  /// Without a base and without times all of a row is taken, but for what somebody edited here, which
  /// is named.
  @Test func aRowThatMovedIsTakenOrNamedAsAWhole() throws {
    let first = try Self.file("Date,Time,Title\n2026-06-15,18:00,C-D\n")
    let second = try Self.file("Date,Time,Title\n2026-06-17,20:00,C-D\n")
    let before = try TripImport(first, into: Self.trip()).list
    let result = try TripImport(second, into: before)
    #expect(Self.rows(result.list) == ["6 20:00 C-D"])
    #expect(Self.lines(result).isEmpty && result.counts.updated == 1)
    // What was done here later stays.
    var me = Self.replica()
    var moved = before
    try moved.move(moved[0].id, toOffset: 0, inSection: 9, by: &me)
    let kept = try TripImport(second, into: moved)
    #expect(kept.list[0].section == 9)
    #expect(Self.lines(kept).contains { $0.contains("there had moved it to day 6") })
  }

  /// A home series has one title; the rows of one date are the same games.
  @Test func ofRowsOfOneTitleThatOfTheSameDayIsMeant() throws {
    let old = try Self.file(
      "Date,Time,Title\n2026-06-12,19:05,G\n2026-06-13,13:05,G\n2026-06-14,13:05,G\n")
    let new = try Self.file(
      "Date,Time,Title\n2026-06-12,19:05,G\n2026-06-14,13:05,G\n2026-06-15,18:05,G\n")
    var list = try TripImport(old, into: Self.trip()).list
    var me = Self.replica()
    try list.set("note", of: list[1].id, to: "row 7", by: &me)
    let result = try TripImport(new, into: list, base: old)
    #expect(Self.rows(result.list) == ["1 19:05 G", "3 13:05 G", "4 18:05 G row 7"])
    let alone = Self.rows(try TripImport(new, into: list).list)
    #expect(alone.contains("3 13:05 G") && alone.count == 3, "\(alone)")
  }

  @Test func numbersMayHaveDecimalCommas() throws {
    let result = try TripImport(
      Self.file("date;title;latitude;longitude;distanceKm\n2026-06-12;L;41,9;12,5;1,5\n"))
    #expect(result.list[0]["latitude"] == 41.9)
    #expect(result.list[0]["longitude"] == 12.5)
    #expect(result.list[0]["distanceKm"] == 1.5)
    #expect(result.notes == [])
    let english = try TripImport(
      Self.file("date,title,distanceKm\n2026-06-12,L,1.5\n"))
    #expect(english.list[0]["distanceKm"] == 1.5)
  }

  @Test func whatIsNoNumberOrTimeIsNamed() throws {
    let result = try TripImport(
      Self.file("date,title,time,latitude\n2026-06-12,L,later,north\n2026-06-12,M,9pm,1\n"))
    #expect(result.list[0]["time"] == "later")
    #expect(result.list[1]["time"] == "21:00")
    #expect(
      result.notes == [
        "t.csv:2: “north” is not a number from -90 to 90 for “latitude”: it is kept as text",
        "t.csv:2: “later” is not a time like 13:00 for “time”: it is kept as text",
      ])
  }

  @Test func datesOutsideOfTheTripAreNamed() throws {
    let list = try Self.trip(days: 3)
    let table = try Self.file("date,title\n2026-08-01,Late\n2026-06-12,In\n2026-05-01,Early\n")
    let first = try TripImport(table, into: list)
    #expect(first.notes.count == 1)
    #expect(
      first.notes[0].hasPrefix("t.csv:1: 2 × a date outside of the days 1 to 3 of the trip: "))
    #expect(try TripImport(table, into: first.list).notes == [])
    let calendar = try Calendars.file(
      ["UID:a", "DTSTART:20100612T120000"], ["UID:b", "DTSTART:20260615T180000"])
    let result = try TripImport(calendar)
    #expect(Trip(result.list).dayCount == Trip.maximumDayCount)
    #expect(result.list.metadata[.days] == .int64(Trip.maximumDayCount))
    #expect(result.notes.last?.contains("no trip has more") ?? false)
  }

  // MARK: - Tables that are not read at once

  private static func problem(_ bytes: [UInt8]) -> String {
    do throws(DocumentFailure) {
      _ = try TripFile(decoding: bytes, name: "f")
      return ""
    } catch {
      return error.text
    }
  }

  @Test(
    arguments: [
      (
        "2026-06-13,18:00,Spiel\r\n",
        "the table has no line of headings: add one above the first, such as date,time,title"
      ),
      (
        "Datum;Heim\r\n13.06.2026;Koeln\r\n",
        "which columns hold the title and the date cannot be told: say it "
          + "(--columns title=HEADING,date=HEADING); the columns are “Datum”, “Heim”"
      ),
      (
        "id,date,title\nx,2026-06-13,A\ny,2026-06-13,B\nx,2026-06-14,A\n",
        "the item of line 2 has this identity too; empty the id of one that was copied"
      ),
      // The point is that of the time.
      (
        "date,title\n03/05/2026 09.30,A\n",
        "“03/05/2026 09.30” can be two dates: write them like 2026-05-03"
      ),
    ])
  func whatIsWrongIsSaidWithItsCure(text: String, cure: String) {
    #expect(Self.problem(Array(text.utf8)) == cure)
  }

  @Test func anotherEncodingIsSaidWithItsCure() {
    let bytes = Array("Date;Title\n13.06.2026;K".utf8) + [0xf6] + Array("ln\n".utf8)
    #expect(Self.problem(bytes).hasSuffix("save the file as UTF-8 (of a spreadsheet “CSV UTF-8”)"))
    #expect(Self.problem(Array("Milk, eggs\nBread, butter\n".utf8)).contains("--input FORMAT"))
  }

  @Test(arguments: ["", "\u{feff}"])
  func aLineThatNamesTheSeparatorIsNoHeading(mark: String) throws {
    let result = try TripImport(
      Self.file("\(mark)sep=;\r\nDate;Title;Time\r\n13.06.2026;Game, A;later\r\n"))
    #expect(result.list[0]["title"] == "Game, A")
    #expect(result.notes.first?.hasPrefix("t.csv:3: ") ?? false)
  }
}
