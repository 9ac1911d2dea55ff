import Betwixt
import BetwixtTrips
import Testing

/// Files of other programs: told by their content, read, and written.
@Suite struct ForeignFormatTests {
  private func file(_ path: String) throws -> TripFile {
    try TripFile(decoding: Resources.bytes("formats/\(path)"), name: path)
  }

  @Test(arguments: [
    ("google/utc.ics", DocumentFormat.iCalendar), ("todotxt/plain.txt", .todoTxt),
    ("taskwarrior/done.json", .taskwarrior), ("taskpaper/inbox.taskpaper", .taskPaper),
    ("org/boxes.org", .org), ("markdown/list.md", .markdown), ("csv-ours/tasks.csv", .csv),
    ("csv-foreign/semicolons.csv", .csv), ("gpx-foreign/track.gpx", .gpx),
    ("itinerary/mixed.json", .reservations), ("trek/plain.json", .trek),
    ("adventurelog/notes.json", .adventureLog), ("plain/trip.json", .json),
  ])
  func contentDecides(_ path: String, _ format: DocumentFormat) throws {
    #expect(try file(path).format == format)
    #expect(DocumentFormat.recognize(try Resources.bytes("formats/\(path)")) == format)
  }

  @Test(
    arguments: [
      ([0x50, 0x4b, 0x03, 0x04], "ZIP"), (Array("%PDF-1.7".utf8), "PDF"),
      (Array("<?xml version=\"1.0\"?><kml/>".utf8), "KML"),
      (Array("<!DOCTYPE html><html>".utf8), "HTML"),
      (Array("SQLite format 3\u{0}".utf8), "SQLite"), (Array("BEGIN:VCARD\n".utf8), "vCard"),
      ([0x1f, 0x8b, 0x08], "gzip"), (Array("# Trip\n\n## Day 1\n\n1. Lunch\n".utf8), "Markdown"),
      (Array("some words".utf8), "--input FORMAT"),
    ] as [([UInt8], String)])
  func whatIsNotReadIsCalledByItsName(_ bytes: [UInt8], _ name: String) {
    let failure = #expect(throws: DocumentFailure.self) {
      try TripFile(decoding: bytes, name: "f")
    }
    #expect(failure?.text.contains(name) ?? false, "\(failure?.description ?? "")")
  }

  @Test func aFlightOfKDEItinerary() throws {
    let list = try TripImport(file("itinerary/flight.json")).list
    let item = list[0]
    #expect(item[.kind] == "travel")
    #expect(item[.title] == "EX 400 Frankfurt → New York")
    #expect(item[.time] == "13:00")
    #expect(item[.duration] == 510)
    #expect(item[.mode] == "flight")
    #expect(item[.latitude] == 50.03)
    #expect(item["reservationNumber"] == "XYZ789")
    #expect(item["json:reservation"]?.string?.contains("\"airplaneSeat\":\"12A\"") ?? false)
    #expect(Trip(list).startDate == CivilDate("2026-05-03"))
    let mixed = try TripImport(file("itinerary/mixed.json"))
    #expect(mixed.list.count == 3)
    #expect(mixed.notes.count == 1)
  }

  @Test func tripsOfOtherPlanners() throws {
    let trek = try TripImport(file("trek/trip.json"))
    #expect(Trip(trek.list).name == "Japan")
    #expect(trek.list.map { $0[.title] } == ["Market", "Buy passes", "Shinkansen"])
    #expect(trek.list[2][.duration] == 135)
    #expect(
      trek.notes == ["trek/trip.json:1: not taken: 1 × place without a day, 1 × thing to pack"])
    let log = try TripImport(file("adventurelog/data.json"))
    #expect(log.list.count == 3)
    #expect(log.list.last?[.time] == "10:00")
    #expect(log.notes.count == 1)
  }

  @Test func visitsOfTREKAreToldApart() throws {
    let day = { (number: Int, entries: String) in
      #"{"day_number":\#(number),"date":"2026-05-0\#(number)","places":[\#(entries)]}"#
    }
    let (market, other) = (#"{"id":7,"name":"Market"}"#, #"{"name":"Park"},{"name":"Pier"}"#)
    let text = """
      {"trip":{"title":"J"},"days":[\(day(1, market + "," + other)),\(day(2, market))]}
      """
    var options = ReadingOptions()
    options.format = .trek
    let file = try TripFile(decoding: Array(text.utf8), name: "f", options: options)
    let list = file.list()
    #expect(list.map { $0[.title] } == ["Market", "Park", "Pier", "Market"])
    #expect(list.map { $0.section } == [1, 1, 1, 2])
    #expect(try TripImport(file, into: list).counts == .init(unchanged: 4))
    // Without the first visit of a place the other one is who it was.
    let fewer = #"{"trip":{"title":"J"},"days":[\#(day(1, other)),\#(day(2, market))]}"#
    let left = try TripFile(decoding: Array(fewer.utf8), name: "f", options: options).list()
    #expect(left.last?.id == list.last?.id && left.last?[.title] == "Market")
  }

  /// A trip is the one of its number, whatever it is called; one of another server is another.
  @Test func aTripOfTREKMayBeRenamed() throws {
    func file(_ title: String, _ created: String = "2026-01-01 10:00:00") throws -> TripFile {
      let trip =
        #"{"id":7,"title":"\#(title)","start_date":"2026-05-01","created_at":"\#(created)"}"#
      let places = #"{"id":11,"place":{"id":101,"name":"A"}}"#
      return try Plain.file(
        #"{"trip":\#(trip),"days":[{"id":1,"day_number":1,"assignments":[\#(places)]}]}"#)
    }
    let list = try TripImport(file("Rome")).list
    for base in [nil, try file("Rome")] {
      let result = try TripImport(file("Roma"), into: list, base: base)
      #expect(result.counts == .init(unchanged: 1))
    }
    #expect(try TripMerge([file("Rome"), file("Roma")]).list.count == 1)
    #expect(try TripMerge([file("Rome", ""), file("Roma", "")]).list.count == 1)
    let other = try TripImport(file("Rome", "2026-01-02 11:00:00"), into: list)
    #expect(other.counts == .init(added: 1))
  }

  /// What has no id may be any, and that is said where it keeps something.
  @Test func aReservationOfTREKWithoutAnIDMayBeAny() throws {
    func file(_ reservations: String) throws -> TripFile {
      let trip = #""trip":{"title":"J","start_date":"2026-05-01"}"#
      let text = #"{\#(trip),"reservations":[\#(reservations)]}"#
      var options = ReadingOptions()
      options.format = .trek
      return try TripFile(decoding: Array(text.utf8), name: "f", options: options)
    }
    let time = #""reservation_time":"2026-05-01T10:00""#
    let sent = try file(#"{"id":1,"title":"A",\#(time)},{"id":2,"title":"B",\#(time)}"#)
    let list = try TripImport(sent).list
    let back = try file(#"{"id":1,"title":"A",\#(time)},{"title":"B"}"#)
    let result = try TripImport(back, into: list, base: sent)
    #expect(result.list == list)
    #expect(result.notes.last == "f:1: 1 × missing item stays: what could not be read has no id")
  }

  @Test func aTableWithoutHeadingsThatAreKnown() throws {
    let bytes = Array("A,B,C\nLunch,2026-05-03,x\n".utf8)
    #expect(throws: DocumentFailure.self) { try TripFile(decoding: bytes, name: "f") }
    var options = ReadingOptions()
    options.format = .csv
    options.columns = [("title", "A"), ("date", "B")]
    let list = try TripFile(decoding: bytes, name: "f", options: options).list()
    #expect(list[0][.title] == "Lunch")
    #expect(list[0]["C"] == "x")
    options.columns = [("title", "Z")]
    let failure = #expect(throws: DocumentFailure.self) {
      try TripFile(decoding: bytes, name: "f", options: options)
    }
    #expect(failure?.text.contains("“A”, “B”, “C”") ?? false)
  }

  @Test func aDateThatCanBeTwoIsRefused() {
    let failure = #expect(throws: DocumentFailure.self) {
      try TripFile(decoding: Array("title,date\nx,03/05/2026\n".utf8), name: "f")
    }
    #expect(failure?.reason == .badValue)
  }

  @Test func pointsWithoutADateNeedOne() throws {
    let bytes = Array("<gpx><wpt lat=\"1\" lon=\"2\"><name>A</name></wpt></gpx>".utf8)
    let failure = #expect(throws: DocumentFailure.self) { try TripFile(decoding: bytes, name: "f") }
    #expect(failure?.reason == .missing)
    var options = ReadingOptions()
    options.startDate = CivilDate("2026-05-01")
    let list = try TripFile(decoding: bytes, name: "f", options: options).list()
    #expect(list[0][.title] == "A")
    #expect(list[0].section == 1)
  }

  @Test func tasksOfTodoTxt() throws {
    let list = try file("todotxt/plain.txt").list()
    #expect(list.count == 3)
    let call = try #require(list.first { $0[.taskText] == "Call Mom @phone +Family" })
    #expect(call[.priority] == "A")
    let rent = try #require(list.first { $0[.taskText] == "Pay rent +Home" })
    #expect(rent[.completedAt] == "2026-02-12")
    let written = text(try list.encoded(as: .todoTxt).bytes)
    #expect(
      written == """
        (A) Call Mom @phone +Family
        x 2026-02-12 2026-02-01 Pay rent +Home
        2026-02-10 Buy tickets due:2026-02-13

        """)
  }

  @Test func aTextThatLooksLikeAMarkStaysAText() throws {
    let list = try Plain.list(
      #"{"format":"betwixt-tasks","id":"t","tasks":[{"id":"a","text":"x marks the spot"}]}"#)
    let file = try list.encoded(as: .todoTxt)
    #expect(file.omissions.map { $0.reason } == [.simplified])
    var options = ReadingOptions()
    options.format = .todoTxt
    let again = try TripFile(decoding: file.bytes, name: "t", options: options).list()
    #expect(!TaskList(again).isCompleted(again[0].id))
  }

  /// Words that mean something in a heading of Org: keywords, priorities, tags, the escape itself.
  @Test(arguments: ["TODO list", "DONE", "SOMEDAY", "[#A] Milk", "Milk :home:", "\u{200b}x", "a"])
  func headingsOfOrgSayWhatTheyAre(_ words: String) throws {
    let list = try Plain.list(
      #"{"format":"betwixt-tasks","id":"t","tasks":[{"id":"a","text":"\#(words)","#
        + #""project":"\#(words)"}]}"#)
    let again = try TripFile(decoding: list.encoded(as: .org).bytes, name: "t.org").list()
    #expect(again.map { $0[.taskText] } == [.string(words)])
    #expect(again.map { $0[.project] } == [.string(words)])
    #expect(again[0][.priority] == nil && again[0][.tags] == nil)
  }

  @Test func anOutlineStaysAnOutline() throws {
    for path in ["taskpaper/projects.taskpaper", "org/projects.org", "markdown/list.md"] {
      let source = try file(path)
      let list = source.list()
      let again = try TripFile(
        decoding: list.encoded(as: source.format).bytes, name: path
      ).list()
      let parents = { (list: ReplicatedList) in
        list.map { item in
          [item[.taskText]?.string, item[.project]?.string]
            + [
              item[.parent]?.string.flatMap { ItemID(uuid: $0) }.flatMap { list[id: $0] }?[
                .taskText]?.string
            ]
        }
      }
      #expect(parents(again) == parents(list), "\(path)")
      #expect(list.contains { $0[.parent] != nil }, "\(path)")
    }
  }

  @Test func aReturnedListWithoutIdsBringsDeletionsAndTicks() throws {
    let list = try Plain.list(
      """
      {"format":"betwixt-tasks","id":"t","tasks":[{"id":"a","text":"Ask","sortOrder":0},
      {"id":"b","text":"Buy","sortOrder":1},{"id":"c","text":"Call","sortOrder":2}]}
      """)
    for format in [DocumentFormat.todoTxt, .taskPaper, .markdown] {
      let sent = try list.encoded(as: format)
      let lines = text(sent.bytes).split(separator: "\n").filter { !$0.contains("Buy") }
        .map { line -> String in
          guard line.contains("Ask") else { return String(line) }
          switch format {
          case .todoTxt: return "x \(line)"
          case .markdown: return String(line.replacing("[ ]", with: "[x]"))
          default: return "\(line) @done"
          }
        }
      var options = ReadingOptions()
      options.format = format
      let returned = try TripFile(
        decoding: Array((lines.joined(separator: "\n") + "\n").utf8), name: "r", options: options)
      let result = try TripImport(returned, into: list, base: TripFile(list: list, name: "b"))
      #expect(result.counts.removed == 1, "\(format)")
      #expect(result.list.map { $0.id } == [list[0].id, list[2].id], "\(format)")
      #expect(TaskList(result.list).isCompleted(list[0].id), "\(format)")
    }
  }

  @Test func formatsHaveTheirPlace() throws {
    let trip = try file("plain/trip.json").list()
    let tasks = try file("plain/tasks.json").list()
    for format in DocumentFormat.allCases {
      for (list, fits) in [(trip, format.holdsTrips), (tasks, format.holdsTasks)] {
        let isWritten = (try? list.encoded(as: format)) != nil
        #expect(isWritten == (fits && format.isWritten), "\(format)")
      }
    }
  }

  @Test func listingsCountWhatTheyLose() throws {
    let list = try Plain.list(
      Plain.trip(
        Plain.item("a", #""title":"A","address":"Main St","zip":"1""#),
        Plain.item("l", #""kind":"travel","title":"L","from":"A","to":"B","mode":"car""#),
        Plain.item(
          "g", #""kind":"game","title":"G","home":"H","away":"W","start":"2026-06-11T13:00""#)))
    #expect(try list.encoded(as: .csv).summary == "not written: 1 × “days”, 1 × “zip”")
    #expect(
      try list.encoded(as: .markdown).summary
        == "not written: 1 × “address”, 1 × “away”, 1 × “from”, 1 × “home”, 1 × “mode”, "
        + "1 × “to”, 1 × “zip”")
    #expect(
      try list.encoded(as: .gpx).summary == "not written: 3 items without a place on the map")
  }

  @Test func markdownIsSafeOnATerminal() throws {
    let list = try Plain.list(Plain.trip(Plain.item("a", #""title":"a\u001b[31mb\u0000c""#)))
    let file = try list.encoded(as: .markdown)
    #expect(!file.bytes.contains(0x1b) && !file.bytes.contains(0))
    #expect(file.summary == "not written: 1 × “title” (simplified)")
  }

  @Test func hostileFilesAreErrors() {
    let texts = [
      String(repeating: "<a>", count: 100), "<gpx><wpt lat=\"1\"/></gpx>", "<gpx><!DOCTYPE x>",
      "<gpx>&lol;</gpx>", "<gpx></wpt>", "title,date\n\"x", "title,date\na,b,c",
      "[{\"uuid\":\"x\",\"description\":\"y\",\"status\":1}]", "* \n", "- [x]", "#+", "(A) ",
      "{\"days\":[{}],\"title\":\"x\"}", "[{\"@type\":[]}]",
      "{\"locations\":[],\"collections\":[]}",
    ]
    for text in texts {
      // Reads or refuses; it never traps.
      let list = (try? TripFile(decoding: Array(text.utf8), name: "f"))?.list()
      #expect(list?.count ?? 0 <= 1)
    }
  }

  /// What a list says of itself and a file has no place for is counted as what an item says is.
  @Test func fieldsOfTheListAreCounted() throws {
    let trip = try Plain.list(
      Plain.trip(
        Plain.item("a", #""title":"A","latitude":1,"longitude":2"#),
        members: #""name":"N","currency":"EUR""#))
    let tasks = try Plain.list(
      #"{"format":"betwixt-tasks","id":"t","name":"N","currency":"EUR","tasks":[]}"#)
    for format in DocumentFormat.allCases where format.isWritten {
      let isWhole = [.trip, .tripJSON, .json, .tasks].contains(format)
      let isNamed = ![.csv, .todoTxt, .taskPaper, .taskwarrior].contains(format)
      for list in [trip, tasks] {
        guard let file = try? list.encoded(as: format) else { continue }
        var lost: Set<FieldName> = isWhole ? [] : ["currency"]
        if !isNamed { lost.insert(.name) }
        // Nothing stands on the last two days.
        if format == .csv, list == trip { lost.insert(.days) }
        let omissions = file.omissions.filter { $0.item == .root }
        let expected = lost.sorted().map { Omission(item: .root, field: $0, reason: .noRoom) }
        #expect(Set(omissions) == Set(expected) && omissions.count == lost.count, "\(format)")
      }
    }
  }
}
