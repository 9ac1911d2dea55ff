import Betwixt
import BetwixtTrips
import Testing

/// Lists whose last task was taken out, as programs and people leave them.
@Suite struct EmptiedListTests {
  private static func file(
    _ text: String, as likely: DocumentFormat? = nil
  ) throws(DocumentFailure) -> TripFile {
    var options = ReadingOptions()
    options.likelyFormat = likely
    return try TripFile(decoding: Array(text.utf8), name: "f", options: options)
  }

  @Test(
    arguments: [
      ("# Tasks\n\n- [ ] Milk\n", "# Tasks\n", nil),
      ("# Tasks\n\n## Inbox\n\n- [ ] Milk\n", "# Tasks\n\n## Inbox\n\n\n", nil),
      ("- [ ] Milk\n", "\n", .markdown),
      (#"[{"uuid":"a","description":"Milk","status":"pending"}]"#, "[\n\n]\n", nil),
      ("Milk\n", "", .todoTxt), ("- Milk\n", "", .taskPaper), ("* TODO Milk\n", "", .org),
    ] as [(String, String, DocumentFormat?)])
  func whatIsGoneIsRemoved(_ full: String, _ emptied: String, _ likely: DocumentFormat?) throws {
    let base = try Self.file(full, as: likely)
    let other = try Self.file(emptied, as: likely)
    #expect(other.format == base.format)
    #expect(try TripImport(other, into: base.list(), base: base).list.isEmpty)
    #expect(try TripMerge([base, other], base: base).list.isEmpty)
    #expect(try TripImport(base, into: other.list(), base: other).list.count == 1)
  }

  @Test(arguments: [
    "# Notes\n\nSome words.\n", "# Rome\n\n## Day 1, Fri 2026-05-01\n\n## Day 2\n",
    "# Notes\n\n- a point\n", "Some words.\n",
  ])
  func whatWasNoListIsNone(_ text: String) {
    #expect(throws: DocumentFailure.self) { try Self.file(text) }
  }

  /// Of prose nothing is a task: as an empty list it would remove all tasks.
  @Test(arguments: [DocumentFormat.markdown, .org, .taskPaper])
  func proseIsNoEmptiedList(_ format: DocumentFormat) {
    for text in ["Some words.\n", "\nWords\n\nand more.\n", "Dear all:\nwe go\n"] {
      #expect(throws: DocumentFailure.self, "\(text)") { try Self.file(text, as: format) }
    }
  }

  @Test func marksOfAConflictAreNoTasks() {
    let text = "Milk\n<<<<<<< ours\nBread\n=======\nRolls\n>>>>>>> theirs\n"
    #expect(throws: DocumentFailure.self) { try Self.file(text, as: .todoTxt) }
    #expect(throws: DocumentFailure.self) { try Self.file("- [ ] a\n" + text) }
  }

  @Test func anEmptyArrayIsNoDocument() {
    #expect(throws: DocumentFailure.self) { try Self.file("[]", as: .tripJSON) }
  }

  /// The ending of a name says more than a guess, and less than what only one format has.
  @Test(arguments: [
    ("milk,eggs,bread\nflour,salt,yeast\n", DocumentFormat.todoTxt, DocumentFormat.todoTxt),
    ("# shop\nMilk\n", .todoTxt, .todoTxt), ("Call @ann now\n- [x] a\n", .markdown, .markdown),
    ("Ask @ann.\n", .csv, .todoTxt), ("name,@who\nLunch,@ann\n", .csv, .csv),
    ("(A) Call\nx 2026-01-01 done\n", .markdown, .todoTxt),
    ("(A) Call\nx 2026-01-01 done\n", .csv, .todoTxt),
    ("(A) Call\nx 2026-01-01 done\n", .org, .todoTxt),
    ("(A) Call\nx 2026-01-01 done\n", .taskPaper, .todoTxt),
    ("* Shop\n- [ ] Milk\n", .org, .org), ("Shop:\n- Milk\n", .markdown, .taskPaper),
    ("- [ ] Milk\n", .todoTxt, .markdown),
    ("title,date\nLunch,2026-05-01\n", .todoTxt, .csv), ("{}", .todoTxt, .json),
    ("BEGIN:VCALENDAR\nEND:VCALENDAR\n", .markdown, .iCalendar),
  ])
  func theNameBeatsAGuess(
    _ text: String, _ likely: DocumentFormat, _ format: DocumentFormat
  ) {
    do {
      #expect(try Self.file(text, as: likely).format == format)
    } catch {
      // A table without titles and an object without an id are refused for that.
      #expect(format == .csv || format == .json, "\(error)")
    }
  }

  @Test(arguments: [
    ("# a\n\n- [ ] b\n  note\n", DocumentFormat.markdown, 0),
    ("# a\n\nwords\n\n- [ ] b\n", .markdown, 1),
    ("* [x] Á_b `c`\n  1. [ ] d (due 2026-05-01)\n\n## P\n\n- [ ] e\n", .markdown, 0),
    ("# a\n\n## b\n\n## c\n\n- [ ] d\n", .markdown, 1), ("b\n\n- [ ] b\n", .markdown, 1),
    ("## a\n\n### b\n\n- [ ] c\n", .markdown, 1), ("\n", .markdown, 0), ("", .org, 0),
    ("# a\n## b\n## c\n", .markdown, 2), ("* TODO a\n  note\n** DONE b\n", .org, 0),
    ("#+TITLE: t\n* p\n** TODO a :x:\n", .org, 0), ("words\n* TODO a\n", .org, 1),
    ("* p\n* TODO a\n", .org, 1), ("#+STARTUP: x\n* TODO a\n", .org, 1),
    ("P:\n\t- a @done(2026-05-01)\n\t\tnote\n", .taskPaper, 0), ("P:\nQ:\n- a\n", .taskPaper, 1),
    ("words\n- a\n", .taskPaper, 1), ("(A) a +p @c\nx 2026-05-01 b\n\nc\nc\n", .todoTxt, 0),
  ])
  func whatAListDoesNotKeepIsCounted(_ text: String, _ format: DocumentFormat, _ count: Int) throws
  {
    let text = try #require(TaskText(Array(text.utf8), otherwise: format))
    #expect(text.format == format && text.hasList && text.lostLineCount == count, "\(text)")
    #expect(text.isWhole == (count == 0))
  }

  @Test func whatIsNoTextIsNotLookedAt() {
    func text(_ text: String) -> TaskText? { TaskText(Array(text.utf8), otherwise: .markdown) }
    #expect(text("{}") == nil && text("BEGIN:VCALENDAR\nEND:VCALENDAR\n") == nil)
    for words in ["# a\n\nwords\n", "words\n", "<p>\n\n- [ ] a\n", "[![a](b)]\n- [ ] a\n"] {
      #expect(text(words)?.hasList == false, "\(words)")
    }
  }
}
