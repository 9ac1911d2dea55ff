import Betwixt
import Testing

@testable import BetwixtTrips

/// Rows that are new in a file, and have the text of something else.
@Suite struct NewRowTests {
  private static func file(_ text: String, as format: DocumentFormat) throws -> TripFile {
    var options = ReadingOptions()
    options.format = format
    return try TripFile(decoding: Array(text.utf8), name: "f", options: options)
  }

  private static func out(_ list: ReplicatedList, as format: DocumentFormat) throws -> String {
    text(try list.encoded(as: format).bytes)
  }

  private static func titles(_ list: ReplicatedList) -> [String] {
    list.map { ($0["text"] ?? $0["title"])?.string ?? "" }
  }

  // MARK: - Beside one that has an id

  /// A table that went out has the ids of its rows, which were made of their titles.
  @Test func aRowWithTheTitleOfAnother() throws {
    let sent = try Self.file("Date,Title\n2026-05-01,Lunch\n2026-05-02,Museum\n", as: .csv)
    let list = try TripImport(sent).list
    let base = try Self.out(list, as: .csv)
    let next = try Self.file(base + "2,2026-05-02,,,,Lunch\r\n", as: .csv)
    for base in [nil, try Self.file(base, as: .csv)] {
      let result = try TripImport(next, into: list, base: base)
      #expect(Self.titles(result.list) == ["Lunch", "Museum", "Lunch"])
      #expect(result.counts == .init(added: 1, unchanged: 2))
      let again = try TripImport(next, into: result.list, base: base)
      #expect(again.list == result.list && again.counts == .init(unchanged: 3))
    }
    #expect(Self.titles(next.list()).sorted() == ["Lunch", "Lunch", "Museum"])
  }

  @Test func twoRowsOfOneIDAreRefused() throws {
    let list = try TripImport(Self.file("Date,Title\n2026-05-01,Lunch\n", as: .csv)).list
    let base = try Self.out(list, as: .csv)
    let line = try #require(base.split(separator: "\r\n").last)
    let failure = Plain.failure(base + line + "\r\n")
    #expect(failure?.reason == .duplicateID)
  }

  private static func task(_ words: String, _ id: String) -> String {
    "* \(words)\n  :PROPERTIES:\n  :ID: \(id)\n  :END:\n"
  }

  /// The one that is called so is it, wherever it stands; the other one is new, with what is in it.
  @Test(arguments: [true, false]) func aTaskWithTheTextOfAnother(isAbove: Bool) throws {
    var list = try TripImport(Self.file("* TODO Milk\n", as: .org)).list
    let id = try #require(list.first?.id)
    let base = try Self.file(Self.out(list, as: .org), as: .org)
    var me = Replica(test: 1)
    try list.set("note", of: id, to: "organic", by: &me)
    let old = Self.task("DONE Milk", id.uuid) + "** TODO oat\n"
    let new = "* TODO Milk\n** TODO goat\n- [ ] cow\n"
    let file = try Self.file(isAbove ? new + old : old + new, as: .org)
    for base in [nil, base] {
      let result = try TripImport(file, into: list, base: base).list
      #expect(result[id: id]?["state"] == "completed" && result[id: id]?["note"] == "organic")
      let other = try #require(result.first { $0["text"] == "Milk" && $0.id != id })
      #expect(other["state"] == "notStarted" && other["note"] == nil)
      func parent(_ text: FieldValue) -> FieldValue? {
        result.first { $0["text"] == text }?["parent"]
      }
      #expect(parent("oat") == .string(id.uuid))
      #expect(parent("goat") == .string(other.id.uuid))
      #expect(parent("cow") == result.first { $0["text"] == "goat" }.map { .string($0.id.uuid) })
      let again = try TripImport(file, into: result, base: base)
      #expect(again.list == result && again.counts == .init(unchanged: 5))
    }
  }

  /// Renamed here and there, it is another one than the new task of its old text.
  @Test func aTaskThatIsCalledAsOneWas() throws {
    let list = try TripImport(Self.file("* TODO Milk\n", as: .org)).list
    let id = try #require(list.first?.id)
    let file = try Self.file(Self.task("TODO Oat milk", id.uuid) + "* TODO Milk\n", as: .org)
    let result = try TripImport(file, into: list)
    #expect(result.counts == .init(added: 1, updated: 1))
    #expect(result.list[id: id]?["text"] == "Oat milk")
  }

  // MARK: - With the text of one that was removed

  private static let formats: [DocumentFormat] = [.todoTxt, .taskPaper, .markdown, .org, .csv]

  /// A list without Milk, which it had, and the line that says it.
  private static func document(
    _ format: DocumentFormat, by me: inout Replica
  ) throws -> (list: ReplicatedList, line: String) {
    let before = ["Bread", "Milk", "Tea"].map { $0 + "\n" }
    let (head, mark) =
      switch format {
      case .taskPaper: ("", "- ")
      case .markdown: ("", "- [ ] ")
      case .org: ("", "* TODO ")
      case .csv: ("Date,Title\n", "2026-05-01,")
      default: ("", "")
      }
    let text = head + before.map { mark + $0 }.joined()
    var list = try TripImport(file(text, as: format)).list
    try list.remove(#require(list.first(where: isMilk)?.id), by: &me)
    return (list, format == .csv ? "1,2026-05-01,,,,Milk\r\n" : mark + "Milk\n")
  }

  private static func isMilk(_ item: ListItem) -> Bool {
    (item["text"] ?? item["title"]) == "Milk"
  }

  /// Milk was bought, and is to be bought again: the file had no line of it, and has one now.
  @Test(arguments: formats) func itIsAnotherOne(_ format: DocumentFormat) throws {
    var me = Replica(test: 1)
    var (list, line) = try Self.document(format, by: &me)
    let base = try Self.out(list, as: format)
    let (sent, next) = (try Self.file(base, as: format), try Self.file(base + line, as: format))
    var result = try TripImport(next, into: list, base: sent)
    #expect(Self.titles(result.list).sorted() == ["Bread", "Milk", "Tea"])
    #expect(result.counts == .init(added: 1, unchanged: 2))
    #expect(result.losses.isEmpty && result.notes.isEmpty)
    let merge = try TripMerge([TripFile(list: list, name: "here"), next], base: sent)
    #expect(merge.list == result.list && !merge.report.hasConflicts)
    // The same again says nothing new, with its base and without.
    for base in [sent, nil] {
      let again = try TripImport(next, into: result.list, base: base)
      #expect(again.list == result.list && again.losses.isEmpty)
      #expect(again.counts == .init(unchanged: 3))
    }
    // Nor does it bring back what was removed since, whatever else was edited and edited back.
    let id = try #require(result.list.first(where: Self.isMilk)?.id)
    list = result.list
    try list.remove(id, by: &me)
    let bread = try #require(list.first)
    let field: FieldName = format == .csv ? "title" : "text"
    try list.set(field, of: bread.id, to: "Rye", by: &me)
    try list.set([(field, bread[field])], of: bread.id, by: &me)
    result = try TripImport(next, into: list, base: sent)
    #expect(result.list == list && result.losses.isEmpty)
    #expect(result.counts == .init(unchanged: 2, keptRemoved: 1))
    #expect(
      result.notes.map { $0.drop { $0 != "s" } } == [
        "skipped: “Milk” was removed here; 'betwixt restore' brings it back"
      ])
    // And what is new in a file that was made since is new, each time.
    try list.append([field: "Salt"], toSection: bread.section ?? 1, by: &me)
    let later = try Self.out(list, as: format)
    result = try TripImport(
      Self.file(later + line, as: format), into: list, base: Self.file(later, as: format))
    #expect(result.list.count(where: Self.isMilk) == 1 && result.losses.isEmpty)
  }

  /// Two devices that take it in have one, also where one of them never knew what was removed.
  @Test(arguments: formats) func twoDevicesHaveOne(_ format: DocumentFormat) throws {
    var me = Replica(test: 1)
    let (list, line) = try Self.document(format, by: &me)
    let base = try Self.out(list, as: format)
    let (sent, next) = (try Self.file(base, as: format), try Self.file(base + line, as: format))
    let here = try TripImport(next, into: list, base: sent).list
    let there = try TripImport(next, into: list, base: sent).list
    #expect(here == there && here.merging(there) == here)
    let other = try TripImport(next, into: ReplicatedList(id: list.id), base: sent).list
    let joined = here.merging(other)
    #expect(joined.count(where: Self.isMilk) == 1)
    let again = try TripImport(next, into: joined, base: sent)
    #expect(again.list.count(where: Self.isMilk) == 1)
  }

  /// A document as base says what it knew.
  @Test(arguments: formats) func aDocumentKnowsWhatWasRemoved(_ format: DocumentFormat) throws {
    var me = Replica(test: 1)
    var (list, line) = try Self.document(format, by: &me)
    for _ in 0..<3 {
      let base = TripFile(list: list, name: "base")
      let next = try Self.file(Self.out(list, as: format) + line, as: format)
      list = try TripImport(next, into: list, base: base).list
      let id = try #require(list.first(where: Self.isMilk)?.id)
      try list.remove(id, by: &me)
      #expect(try TripImport(next, into: list, base: base).counts.keptRemoved == 1)
    }
  }
}
