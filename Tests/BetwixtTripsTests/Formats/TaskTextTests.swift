import Betwixt
import Testing

@testable import BetwixtTrips

/// Texts that look like a part of a format stay texts.
@Suite struct TaskTextTests {
  private static func task(_ text: String, _ more: String = "") throws -> ReplicatedList {
    let words = JSONValue.text(text).canonicalText
    return try Plain.list(
      #"{"format":"betwixt-tasks","id":"t","tasks":[{"id":"a","text":\#(words)\#(more)}]}"#)
  }

  private static func returned(
    _ list: ReplicatedList, as format: DocumentFormat
  ) throws -> ReplicatedList {
    var options = ReadingOptions()
    options.format = format
    let bytes = try list.encoded(as: format).bytes
    return try TripFile(decoding: bytes, name: "t", options: options).list()
  }

  @Test(
    arguments: [DocumentFormat.org, .taskPaper],
    [
      "- [ ] milk", "1. [x] milk", "SCHEDULED: <2026-05-01 Fri>", "CLOSED: x", ":PROPERTIES:",
      ":END:", "- milk", "milk:", "# milk", "\u{200b}", "\u{200b}- milk\u{200b}", "milk @done",
    ])
  func aLineOfANote(format: DocumentFormat, line: String) throws {
    let note = JSONValue.text("before\n\(line)\nafter").canonicalText
    let list = try Self.task("Buy @done", #","project":"P","note":\#(note)"#)
    let again = try Self.returned(list, as: format)
    #expect(again.map { $0[.note] } == list.map { $0[.note] })
    #expect(again.map { $0[.taskText] } == ["Buy @done"])
  }

  @Test(arguments: [
    "Pay @done @due(2026-01-01)", "[ ] milk", "\u{200b}@done", "@done(2026-01-01)", "milk:",
  ])
  func titlesOfTaskPaper(title: String) throws {
    let list = try Self.task(title, #","project":"- P""#)
    let again = try Self.returned(list, as: .taskPaper)
    #expect(again.map { $0[.taskText] } == [.string(title)])
    #expect(again.map { $0[.project] } == ["- P"])
    #expect(again.map { $0[.state] } == ["notStarted"] && again[0].section == TaskList.inbox)
  }

  /// What has no date in its brackets is no tag that is read.
  @Test(arguments: ["Call @due(tomorrow) or so", "@due() x", "@due"])
  func aTagWithoutADateStaysATag(title: String) throws {
    let list = try Self.task(title, #","scheduledDate":"2026-05-01""#)
    let written = try list.encoded(as: .taskPaper)
    #expect(text(written.bytes).contains("- \(title) @due(2026-05-01)"))
    #expect(written.omissions == [])
    let again = try Self.returned(list, as: .taskPaper)
    #expect(again.map { $0[.taskText] } == [.string(title)])
    #expect(again.map { $0.section } == list.map { $0.section })
  }

  /// Markdown begins no line with a blank of any kind.
  @Test(arguments: ["\u{3000}", "\u{a0}", "\u{2003}", " "])
  func aBlankThatALineLosesIsCounted(blank: String) throws {
    let note = JSONValue.text("before\n\(blank)after").canonicalText
    let list = try Self.task("Buy", #","note":\#(note)"#)
    #expect(MarkdownExport(list).omissions.map { $0.field } == [.note])
  }

  /// A bracket that is open in a title must not reach to the one of a tag behind it.
  @Test(arguments: ["Pay @done(", "Pay @done(now", "@due(", "@due(2026-01-01"])
  func openBracketsOfTaskPaper(title: String) throws {
    for state in ["notStarted", "completed"] {
      let list = try Self.task(
        title,
        #","scheduledDate":"2026-05-01","state":"\#(state)","completedAt":"2026-05-02""#)
      let again = try Self.returned(list, as: .taskPaper)
      #expect(again.map { $0[.taskText] } == [.string(title)])
      #expect(again.map { $0[.state] } == [.string(state)])
      #expect(again.map { $0.section } == list.map { $0.section })
    }
  }

  @Test func theLastPairOfTodoTxtCounts() throws {
    let list = try Self.task(
      "due:2026-01-01 pri:A x",
      #","scheduledDate":"2026-05-01","state":"completed","priority":"B""#)
    let again = try Self.returned(list, as: .todoTxt)
    #expect(again[0][.taskText] == "due:2026-01-01 pri:A x")
    #expect(again[0].section == CivilDate("2026-05-01")?.dayNumber)
    #expect(again[0][.priority] == "B")
    #expect(try list.encoded(as: .todoTxt).omissions == [])
    let open = try Self.task("due:2026-01-01 x")
    #expect(try open.encoded(as: .todoTxt).omissions.map { $0.reason } == [.simplified])
  }

  @Test(arguments: ["'-5 is cold", "''=1", "'a", "-5", "'"])
  func cellsThatLookGuarded(title: String) throws {
    let list = try Self.task(title)
    for isSafe in [false, true] {
      var options = WritingOptions()
      options.isSpreadsheetSafe = isSafe
      let bytes = try list.encoded(as: .csv, options: options).bytes
      let again = try TripFile(decoding: bytes, name: "t.csv").list()
      #expect(again.map { $0[.taskText] } == [.string(title)])
    }
  }

  /// Texts that only look alike are two: each keeps its own task.
  @Test func textsAreToldApartByTheirBytes() throws {
    let (one, other) = ("Caf\u{e9}", "Cafe\u{301}")
    let list = try Plain.list(
      #"{"format":"betwixt-tasks","id":"t","tasks":[{"id":"a","text":"\#(one)"},"#
        + #"{"id":"b","text":"\#(other)"}]}"#)
    let file = try TripFile(decoding: Array("- [ ] \(other)\n- [ ] \(one)\n".utf8), name: "t.md")
    let result = try TripImport(file, into: list)
    for item in list {
      let words = result.list[id: item.id]?[.taskText]?.string
      #expect(item[.taskText]?.string.map { words?.hasSameBytes(as: $0) ?? false } ?? false)
    }
    let second = #"{"id":"b","text":"b","project":"\#(other)""#
    let projects = try Self.task("a", #","project":"\#(one)"},\#(second)"#)
    #expect(TaskOutline(projects).projects.count == 2)
    var options = ReadingOptions()
    options.columns = [("title", other)]
    #expect(throws: DocumentFailure.self) {
      try TripFile(decoding: Array("\(one),date\na,2026-05-01\n".utf8), name: "f", options: options)
    }
  }

  @Test func aTaskWithADateIsTaskPaper() throws {
    let list = try Self.task("Buy", #","scheduledDate":"2026-05-01""#)
    let bytes = try list.encoded(as: .taskPaper).bytes
    #expect(try TripFile(decoding: bytes, name: "f").format == .taskPaper)
    let failure = #expect(throws: DocumentFailure.self) {
      try TripFile(decoding: Array("- Buy\n".utf8), name: "f")
    }
    #expect(failure?.text.contains("--input FORMAT") ?? false)
  }

  @Test func aClockHasNoSign() throws {
    let file = try TripFile(
      decoding: Array("title,date,time\na,2026-05-01,-5:30 PM\n".utf8), name: "f")
    #expect(file.list()[0][.time] == "-5:30 PM")
  }

  @Test func nothingComesAfterTheLastDay() throws {
    var me = Replica(test: 81)
    var tasks = TaskList(try Self.task("a", #","scheduledDate":"2026-05-01""#))
    let before = tasks.list
    try tasks.dropOnUpcoming(before[0].id, at: nil, today: .max, by: &me)
    #expect(tasks.list == before)
  }
}
