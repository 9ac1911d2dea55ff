import Betwixt
import Testing

@testable import BetwixtTrips

/// Lists of tasks in the formats of other programs: what their files say, and what comes back of ours.
@Suite struct TaskFileTests {
  private static func list(_ tasks: [String]) throws -> ReplicatedList {
    let items = tasks.enumerated().map { index, members in
      #"{"id":"\#(index)","sortOrder":\#(index),\#(members)}"#
    }
    return try Plain.list(
      #"{"format":"betwixt-tasks","id":"t","tasks":[\#(items.joined(separator: ","))]}"#)
  }

  private static func member(_ name: String, _ text: String) -> String {
    "\"\(name)\":\(JSONValue.text(text).canonicalText)"
  }

  private static func file(
    _ text: String, as format: DocumentFormat? = nil, utcOffset: Int? = nil
  ) throws -> TripFile {
    var options = ReadingOptions()
    options.format = format
    options.utcOffset = utcOffset
    return try TripFile(decoding: Array(text.utf8), name: "f", options: options)
  }

  private static func returned(
    _ list: ReplicatedList, as format: DocumentFormat
  ) throws -> ReplicatedList {
    try file(text(list.encoded(as: format).bytes), as: format).list()
  }

  // MARK: - What a file is

  /// A line of a cell, or one task, looks like another format.
  @Test(arguments: ["- [ ] milk\n- [ ] eggs", "line\n#+TODO x", "Plan\n# Morning", "* TODO call"])
  func aTableIsOneWhateverItsCellsSay(note: String) throws {
    let list = try Self.list([
      #""text":"Shop","# + Self.member("note", note), #""text":"Call""#,
    ])
    let file = try Self.file(text(list.encoded(as: .csv).bytes))
    #expect(file.format == .csv)
    let base = TripFile(list: list, name: "base")
    for base in [nil, base] {
      let result = try TripImport(file, into: list, base: base)
      #expect(result.counts == .init(unchanged: 2))
      #expect(result.list == list)
    }
  }

  @Test(arguments: [
    "** important thing", "# 5 bus", "* TODO call", "#+TITLE", "- [ ] a", "1. [x] a", "- call",
    "[ ] milk", "title, date", "{a", "<b>", "\u{200b}x", "x y", "(A) b", "2026-01-01 c",
  ])
  func aListOfTodoTxtIsOneWhateverItsTasksSay(words: String) throws {
    let list = try Self.list([
      Self.member("text", words), #""text":"Shopping:""#,
      #""text":"Buy","scheduledDate":"2026-05-01""#,
    ])
    let written = try list.encoded(as: .todoTxt)
    #expect(written.omissions.map { $0.reason } == [.simplified])
    let file = try TripFile(decoding: written.bytes, name: "f")
    #expect(file.format == .todoTxt)
    #expect(Set(file.list().map { $0[.taskText] }) == Set(list.map { $0[.taskText] }))
    let result = try TripImport(file, into: list, base: TripFile(list: list, name: "base"))
    #expect(result.counts == .init(unchanged: 3))
  }

  /// The first line says what a file is, also behind a priority and above a line of as many cells.
  @Test(
    arguments: ["Title, date, notes", "Title;date;notes", "BEGIN:x", "sep=;", "%PDF-1", "[a"],
    ["", #","priority":"A""#])
  func theFirstTaskOfTodoTxtIsNoHeading(words: String, priority: String) throws {
    let list = try Self.list([
      Self.member("text", words) + priority, #""text":"a, b, c""#, #""text":"a;b;c""#,
      #""text":"Buy","scheduledDate":"2026-05-01""#,
    ])
    let file = try Self.file(text(list.encoded(as: .todoTxt).bytes))
    #expect(file.format == .todoTxt)
    #expect(file.list().map { $0[.taskText] } == list.map { $0[.taskText] })
  }

  @Test(arguments: ["Title, date, notes", "{a", "BEGIN:x", "Begin", "sep=;", "** Home"])
  func theFirstProjectOfTaskPaperIsNoHeading(name: String) throws {
    let list = try Self.list([
      #""text":"a, b, c","scheduledDate":"2026-05-01","# + Self.member("project", name),
      #""text":"b","scheduledDate":"2026-05-02","project":"Title, date, notes""#,
    ])
    let written = try list.encoded(as: .taskPaper)
    let file = try Self.file(text(written.bytes))
    #expect(file.format == .taskPaper)
    #expect(Set(file.list().map { $0[.project] }) == Set(list.map { $0[.project] }))
    // The colon behind it makes that line another one.
    #expect(written.omissions.contains { $0.field == .project } == (name != "sep=;"))
  }

  /// Words with commas are no headings where the next line has no such cells.
  @Test(arguments: [
    ("Title, date, notes:\n\t- a, b, c @due(2026-05-01)\n", DocumentFormat.taskPaper),
    ("Title, date, notes\n- Buy @due(2026-05-01)\n", .taskPaper),
    ("Title, date, notes\n\n- [ ] Buy\n", .markdown), ("Title, date, notes\n* TODO Buy\n", .org),
    ("Title, date, notes\n(A) Buy\n", .todoTxt),
    ("Title, date, notes\n- [ ] Buy milk, eggs\n", .markdown),
    ("Title, date, notes\n(A) Buy milk, eggs\n", .todoTxt),
    ("Title, date, notes\nx Buy bread, milk\n", .todoTxt),
    ("Title, date, notes\n2026-05-01 Buy bread, milk\n", .todoTxt),
    ("Title, date, notes\n1. [ ] Buy bread, milk\n", .markdown),
    ("Title, date, notes\n- [ ] a, b, c\n", .markdown),
    ("title,date,note\n- [ ] a,2026-05-01,c\n", .csv), ("title,date,note\n- a,b,c\n", .csv),
    ("date,title,note\n2026-05-01 Fri,Lunch\n", .csv),
    ("date,title,note\n2026-05-01 13:00,Lunch\n", .csv),
    ("#\tTitle\tDate\tNotes\n1\tMuseum\t2026-05-01\tTel +39061\n", .csv),
    ("title,date,note\nLunch,2026-05-01\n", .csv), ("title,date,note\n", .csv),
    ("title,date,note\n\"a\n- [ ] b\",2026-05-01,\n", .csv),
    ("title,date,note\nLunch,2026-05-01\n- [ ] milk,2026-05-02,\n", .csv),
    ("title,date,note\n\"a\" b,2026-05-01,\n- [ ] milk,2026-05-02,\n", .csv),
    ("#,Date,Title\n1,2026-05-01,Lunch\n", .csv), ("##,Date,Title\n", .csv),
    ("-,Date,Title\n1,2026-05-01,Lunch\n", .csv), ("# Title, date, notes\n", .markdown),
  ])
  func headingsOfATable(source: String, format: DocumentFormat) throws {
    #expect(DocumentFormat.recognize(Array(source.utf8)) == format)
    guard source.hasPrefix("#,") else { return }
    let list = try Self.file(source).list()
    #expect(list.map { $0[.title] } == ["Lunch"] && list.map { $0["#"] } == ["1"])
  }

  /// Headings may be of any language; tasks with commas are told from rows.
  @Test(arguments: [
    ("Datum,Ort,Notiz\n2026-05-01,Museum,Tel +39061\n", DocumentFormat.csv),
    ("Datum,Ort\n\n2026-05-01 13:00,Museum @Rom\n3.5.2026,\"Platz, Tel +39\"\n", .csv),
    ("2026-05-01,Museum,Tel +39061\n", .csv), ("Titel;Ort;Notiz\nMuseum;Rom;Tel +39\n", .csv),
    ("Titel\tNotiz\nMuseum\tTel +39\n", .csv),
    ("Milk,bread\nTea,rum @shop\n", .todoTxt), ("Milk,bread +food\nTea,rum\n", .todoTxt),
    ("Milk,bread,tea +food\nPens,ink,paper\n", .todoTxt),
    ("Milk,bread,tea\n(A) Pens,ink,paper\n", .todoTxt),
    ("Milk,bread,tea\nx Pens,ink,paper\n", .todoTxt),
    ("Milk,bread,tea\n2026-05-01 Pens,ink,paper\n", .todoTxt),
    ("Milk,bread,tea\nPens,ink,paper due:2026-05-01\n", .todoTxt),
    ("Milk,bread,tea\nPens, ink, paper @shop\n", .todoTxt),
    ("Milk,bread,tea\nPens,ink @shop\n", .todoTxt), ("Milk,bread,tea @shop\n", .todoTxt),
  ])
  func headingsThatNobodyKnows(source: String, format: DocumentFormat) throws {
    #expect(DocumentFormat.recognize(Array(source.utf8)) == format)
  }

  /// Such a list says that it is none.
  @Test(arguments: [["a,2026-05-01 @b"], ["a,b,c", "d,e,f @g"], ["a,2026-05-01", "b,c +d"]])
  func tasksThatLookLikeRows(tasks: [String]) throws {
    let list = try Self.list(tasks.map { Self.member("text", $0) })
    let written = try list.encoded(as: .todoTxt)
    let file = try Self.file(text(written.bytes))
    #expect(file.format == .todoTxt)
    #expect(file.list().map { $0[.taskText] } == tasks.map { .string($0) })
    let isGuarded = text(written.bytes).contains(OrgWords.guardMark)
    #expect(written.omissions.map { $0.reason } == (isGuarded ? [.simplified] : []))
    #expect(isGuarded == (tasks.count == 2))
  }

  /// A task without words is called by some, which is said; a table has its id.
  @Test(arguments: [
    DocumentFormat.csv, .todoTxt, .taskPaper, .org, .markdown, .taskwarrior,
  ])
  func tasksWithoutWords(format: DocumentFormat) throws {
    var list = try Self.list([#""text":"a","note":"n""#, #""text":"b""#])
    var me = Replica(test: 84)
    try list.clear(.taskText, of: list[0].id, by: &me)
    try list.set("name", of: .root, to: "Home", by: &me)
    let written = try list.encoded(as: format)
    let isSaid = written.omissions.contains { $0.field == .taskText && $0.reason == .simplified }
    #expect(isSaid == (format != .csv))
    #expect(
      written.omissions.contains { $0.item == .root && $0.field == .name }
        == ![.org, .markdown].contains(format))
    let again = try Self.file(text(written.bytes), as: format).list()
    #expect(again.count == 2)
    if format == .csv {
      #expect(again.map { $0.words(.taskText) } == [nil, "b"] && again[0][.note] == "n")
      let file = try Self.file(text(written.bytes))
      let result = try TripImport(file, into: list, base: file)
      #expect(result.counts == .init(unchanged: 2))
    }
  }

  @Test func aProjectOfTaskPaperIsNoHeadingOfOrg() throws {
    let list = try Self.list([#""text":"a","project":"** Home""#, #""text":"b","project":"P""#])
    let file = try Self.file(text(list.encoded(as: .taskPaper).bytes))
    #expect(file.format == .taskPaper)
    #expect(file.list().map { $0[.project] } == ["** Home", "P"])
  }

  @Test(arguments: [DocumentFormat.todoTxt, .taskPaper, .org, .markdown])
  func bytesThatAreNoTextSayWhatHelps(format: DocumentFormat) {
    var options = ReadingOptions()
    options.format = format
    let failure = #expect(throws: DocumentFailure.self) {
      try TripFile(decoding: Array("- [ ] Caf".utf8) + [0xe9], name: "f", options: options)
    }
    #expect(failure?.reason == .invalidUTF8 && failure?.text.contains("save the file") ?? false)
  }

  // MARK: - Dates and states

  /// The list is shown by the clock that the file was read with.
  @Test(arguments: [nil, -300, 720] as [Int?])
  func aClockIsNoEditOfAFile(utcOffset: Int?) throws {
    let list = try Self.list([#""text":"Bread","scheduledDate":"2026-05-01""#])
    let sent = text(try list.encoded(as: .taskwarrior).bytes)
    let file = try Self.file(sent, utcOffset: utcOffset)
    for base in [nil, TripFile(list: list, name: "base")] {
      let result = try TripImport(file, into: list, base: base)
      #expect(result.list.map { $0.section } == list.map { $0.section })
      #expect(result.counts == .init(unchanged: 1))
    }
  }

  @Test(arguments: [
    "SCHEDULED: <2026-05-01 Fri>", "DEADLINE: <2026-05-01 Fri>",
    "DEADLINE: <2026-05-03 Sun> SCHEDULED: <2026-05-01 Fri>",
  ])
  func aTaskInTheInboxHasNoStamp(stamps: String) throws {
    var me = Replica(test: 82)
    var tasks = TaskList(try Self.file("* TODO Buy bread\n  \(stamps)\n").list())
    let before = try #require(tasks.list.first)
    #expect(try Self.returned(tasks.list, as: .org)[0].section == before.section)
    try tasks.schedule(before.id, on: nil, by: &me)
    let written = try tasks.list.encoded(as: .org)
    #expect(!text(written.bytes).contains("2026-05"))
    #expect(written.omissions.contains { $0.field == "org:DEADLINE" } == stamps.contains("Sun"))
    #expect(try Self.returned(tasks.list, as: .org)[0].section == TaskList.inbox)
  }

  @Test(arguments: [
    ("WAITING", "active"), ("STARTED", "notStarted"), ("NEXT", "notStarted"),
    ("CANCELLED", "notStarted"), ("NEXT", "completed"),
  ])
  func aKeywordIsWrittenWhereItSaysTheState(word: String, state: String) throws {
    var me = Replica(test: 83)
    var list = try Self.file("* \(word) Call\n").list()
    #expect(text(try list.encoded(as: .org).bytes).hasPrefix("* \(word) Call\n"))
    try list.set(.state, of: list[0].id, to: .string(state), by: &me)
    #expect(try Self.returned(list, as: .org)[0][.state] == .string(state))
  }

  @Test func furtherKeywordsComeBack() throws {
    let list = try Self.file("#+TODO: TODO REVIEW | FIXED\n* FIXED Bug\n* REVIEW Text\n").list()
    #expect(list.map { $0[.state] } == ["completed", "notStarted"])
    let written = try list.encoded(as: .org)
    #expect(text(written.bytes).hasPrefix("#+TODO: TODO REVIEW | DONE FIXED\n"))
    #expect(written.omissions == [])
    let again = try Self.returned(list, as: .org)
    for name in [FieldName.state, "org:keyword"] {
      #expect(again.map { $0[name] } == list.map { $0[name] })
    }
    // One word that says two things.
    let both = try Self.list([
      ##""text":"a","state":"completed","org:keyword":"| HALF""##,
      ##""text":"b","state":"notStarted","org:keyword":"HALF""##,
    ])
    #expect(try both.encoded(as: .org).omissions.map { $0.field } == ["org:keyword"])
    #expect(try Self.returned(both, as: .org).map { $0[.state] } == ["completed", "notStarted"])
  }

  @Test func whatOrgCannotSayIsCounted() throws {
    let list = try Self.list([
      #""text":"a","completedAt":"2026-05-01","tags":"home phone""#,
      #""text":"b  c","state":"completed","completedAt":"2026-05-01T10:00:30Z""#,
      #""text":"d","state":"paused""#,
    ])
    let omissions = try list.encoded(as: .org).omissions.map { "\($0.field?.text ?? "")" }
    #expect(omissions == ["tags", "completedAt", "completedAt", "state"])
    #expect(try Self.returned(list, as: .org)[1][.taskText] == "b  c")
  }

  @Test func tagsOfTaskPaperReachToTheirBracket() throws {
    let source = "- Wash @done(2026-05-01 10:00)\n- Buy @due(2026-05-01 18:00) milk\n"
    let file = try Self.file(source)
    let list = file.list()
    let (wash, buy) = (
      try #require(list.first { $0[.taskText] == "Wash" }),
      try #require(list.first { $0[.taskText] == "Buy milk" })
    )
    #expect(wash[.state] == "completed" && wash[.completedAt] == "2026-05-01 10:00")
    #expect(buy.section == CivilDate("2026-05-01")?.dayNumber)
    #expect(file.notes == ["f:2: the time 18:00 of its date is not taken: tasks have a day"])
    let written = try list.encoded(as: .taskPaper)
    #expect(text(written.bytes).contains("- Wash @done(2026-05-01 10:00)\n"))
    #expect(written.omissions == [])
    let odd = try Self.list([#""text":"a","state":"completed","completedAt":"at noon (12) or so""#])
    #expect(try odd.encoded(as: .taskPaper).omissions.map { $0.field } == [.completedAt])
  }

  // MARK: - Texts and notes

  @Test(arguments: [DocumentFormat.org, .taskPaper, .markdown])
  func blankLinesOfANoteComeBack(format: DocumentFormat) throws {
    let list = try Self.list([
      #""text":"a","project":"P","note":"one\n\n\ntwo""#, #""text":"b","project":"P""#,
      #""text":"c","project":"P","note":"three""#,
    ])
    #expect(try list.encoded(as: format).omissions == [])
    #expect(try Self.returned(list, as: format).map { $0[.note] } == list.map { $0[.note] })
    let cut = try Self.list([#""text":"a","note":"\none\n""#])
    #expect(try cut.encoded(as: format).omissions.map { $0.reason } == [.simplified])
    #expect(try Self.returned(cut, as: format)[0][.note] == "one")
  }

  /// What does not come back is told.
  @Test(arguments: [" one", "one ", "one\n two", "one\ttwo", "one\n \ntwo"])
  func blanksOfANoteAreCounted(note: String) throws {
    let list = try Self.list([#""text":"a","# + Self.member("note", note)])
    for format in [DocumentFormat.markdown, .org, .taskPaper] {
      #expect(try Self.returned(list, as: format)[0][.note] != .string(note))
      #expect(try list.encoded(as: format).omissions.contains { $0.field == .note })
    }
  }

  @Test(arguments: ["Pay (due 2026-05-01)", "Pay (due 2026-05-01\\)", "Pay (due 2026-05-01))"])
  func aTextOfMarkdownKeepsItsEnd(words: String) throws {
    for more in ["", #","scheduledDate":"2026-05-07""#, #","project":"P""#] {
      let list = try Self.list([Self.member("text", words) + more])
      let again = try Self.returned(list, as: .markdown)
      #expect(again.map { $0[.taskText] } == [.string(words)])
      #expect(again.map { $0.section } == list.map { $0.section })
    }
  }

  /// The first heading names the list, unless it is the date of the tasks right below it.
  @Test func aDiaryOfMarkdownBeginsWithADate() throws {
    let diary = try Self.file(
      "# 2026-06-11\n\n- [ ] Pack\n- [ ] Go\n\n# 2026-06-12\n\n- [ ] Sleep\n")
    let tasks = TaskList(diary.list())
    #expect(tasks.list.metadata["name"] == nil)
    #expect(
      tasks.list.map { tasks.date(of: $0.id)?.description }
        == ["2026-06-11", "2026-06-11", "2026-06-12"])
    let named = TaskList(try Self.file("# 2026-06-11\n\n## Inbox\n\n- [ ] Pack\n").list())
    #expect(named.list.metadata["name"] == "2026-06-11")
    #expect(named.list.map { named.date(of: $0.id) } == [nil])
  }

  @Test(arguments: [
    ("```\n~~~\n- [ ] inside\n```\n- [ ] out\n", ["out"], 4),
    ("~~~~ text\n~~~\n- [ ] inside\n~~~~~ \n- [ ] out\n", ["out"], 4),
    ("- [ ] a\n  before\n  ```\n  code\n  ```\n", ["a"], 3),
    ("- [ ] a\n```swift\n- [ ] inside\n", ["a"], 2),
    ("- [ ] a\n```b``` c\n- [ ] d\n", ["a", "d"], 1),
  ])
  func codeInMarkdownIsNoTask(source: String, tasks: [String], lost: Int) throws {
    let file = try Self.file(source, as: .markdown)
    #expect(file.list().map { $0[.taskText] } == tasks.map { .string($0) })
    #expect(file.notes == ["f:1: not taken: \(lost) × line that is no task"])
    #expect(file.list()[0][.note] == (source.contains("before") ? "before" : nil))
  }

  @Test(arguments: ["* TODO Next\n", ""])
  func aDrawerWithoutAnEndIsNone(rest: String) throws {
    let file = try Self.file("* TODO a\n:PROPERTIES:\n:ID: x\n\n- [ ] part\n" + rest)
    let list = file.list()
    #expect(Set(list.map { $0[.taskText] }).isSuperset(of: ["a", "part"]))
    #expect(list.first { $0[.taskText] == "a" }?[.note] == ":PROPERTIES:\n:ID: x")
    #expect(list.count == (rest.isEmpty ? 2 : 3))
  }

  @Test func theLinesOfADrawerWithoutAnEndAreANote() throws {
    let list = try Self.file("* TODO a\nnote\n\n:PROPERTIES:\n\n:ID: x\n").list()
    #expect(list.map { $0[.note] } == ["note\n\n:PROPERTIES:\n\n:ID: x"])
  }

  @Test func theFirstIDOfATaskCounts() throws {
    let list = try Self.file(
      """
      * TODO a
      :PROPERTIES:
      :ID: x
      :END:
      - [ ] part
      :PROPERTIES:
      :ID: y
      :END:

      """
    ).list()
    let task = try #require(list.first { $0[.taskText] == "a" })
    #expect(task["org:ID"] == "x")
    #expect(list.first { $0[.taskText] == "part" }?[.parent] == .string(task.id.uuid))
  }
}
