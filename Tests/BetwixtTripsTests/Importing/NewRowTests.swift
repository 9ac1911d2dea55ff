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
}
