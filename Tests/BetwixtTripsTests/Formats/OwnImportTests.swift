import Betwixt
import Testing

@testable import BetwixtTrips

@Suite struct OwnImportTests {
  private func shown(_ list: ReplicatedList) -> [String] {
    list.map { item in
      let fields = item.fields.map { "\($0.name)=\($0.value)" }.joined(separator: ",")
      return "\(item.id) \(item.section ?? 0) \(item.key?.approximateSortOrder ?? 0) \(fields)"
    }
  }

  @Test func theSameValuesUnderOneOwnReplica() throws {
    let base = try Copies.file("follow-mexico", "base")
    let document = base.list()
    for (name, base) in [("phone", base), ("laptop", base), ("tablet", nil)] {
      let file = try Copies.file("follow-mexico", name)
      let result = try TripImport(file, into: document, base: base)
      var me = Replica(test: 77)
      let edited = try result.edits(of: document, by: &me)
      #expect(shown(edited) == shown(result.list))
      #expect(edited.metadata == result.list.metadata)
      let known = Set(document.allItems().flatMap(\.entries))
      let new = edited.allItems().flatMap(\.entries).filter { !known.contains($0) }
      #expect(!new.isEmpty)
      #expect(new.allSatisfy { $0.stamp.replica == me.id })
      // Importing again finds nothing to write.
      let sequence = me.sequence
      let again = try TripImport(file, into: edited, base: base)
      _ = try again.edits(of: edited, by: &me)
      #expect(me.sequence == sequence)
    }
  }

  /// Items that were added one by one share a number, so only their keys say where one stands.
  @Test func aPlaceBetweenKeysIsThatPlace() throws {
    var me = Replica(test: 79)
    var document = try Plain.list(Plain.trip())
    for title in ["A", "B", "C"] as [FieldValue] {
      try document.append(["title": title], toSection: 1, by: &me)
    }
    let sent = Plain.numbered(document, "A", "B", "C")
    let returned = Plain.moving("C", to: 1.5, in: sent)
    let result = try TripImport(Plain.file(returned), into: document, base: Plain.file(sent))
    let edited = try result.edits(of: document, by: &me)
    #expect(edited.map { $0["title"] } == ["A", "C", "B"])
    let values = { (list: ReplicatedList) in list.map { $0.entries.map(\.value) } }
    #expect(values(edited) == values(result.list))
  }

  /// Somebody else may have edited it meanwhile, and what the base says of it is nobody's edit.
  @Test func whatTheFileTookOutAndTheDocumentNeverHadIsRemovedAndNotWritten() throws {
    let sent = Plain.trip(Plain.item("a", "\"note\":\"x\""))
    let empty = ReplicatedList(id: try Plain.file(sent).listID)
    var me = Replica(test: 80)
    let result = try TripImport(Plain.file(Plain.trip()), into: empty, base: Plain.file(sent))
    let edited = try result.edits(of: empty, by: &me)
    let item = try #require(edited[id: Plain.itemA])
    #expect(item.entries.map(\.value) == [.life(2)])
    _ = try TripImport(Plain.file(Plain.trip()), into: edited, base: Plain.file(sent))
      .edits(of: edited, by: &me)
    #expect(edited[id: Plain.itemA]?.entries.count == 1)
  }

  /// What is refused halfway costs no numbers: they are those of the next edits.
  @Test func aRefusalLeavesTheNumbersOfTheWriter() throws {
    let sent = Plain.trip(Plain.item("b", #""title":"B""#), members: #""name":"A""#)
    var document = try Plain.list(sent)
    // Somebody has titled the second one at the end of all times.
    var builder = Delta.Builder()
    try builder.add(
      Entry(
        item: Plain.itemB, register: .field(.title), value: .field("C"),
        stamp: Stamp(time: .max, replica: ReplicaID(rawValue: 1)), sequence: 1))
    document.merge(builder.build())
    var changed = try Plain.list(sent.replacing(#""name":"A""#, with: #""name":"X""#))
    builder = Delta.Builder()
    try builder.add(
      Entry(
        item: Plain.itemB, register: .field(.title), value: .field("D"),
        stamp: Stamp(time: .max, replica: ReplicaID(rawValue: .max)), sequence: 1))
    changed.merge(builder.build())
    let result = try TripImport(TripFile(list: changed, name: "f"), into: document)
    var me = Replica(test: 76)
    let before = me.sequence
    #expect(throws: TripFailure.self) { try result.edits(of: document, by: &me) }
    #expect(me.sequence == before && me.limits == EditLimits())
  }

  @Test func largeValuesAndNewDocuments() throws {
    let note = String(repeating: "n", count: 100_000)
    let file = try Plain.file(Plain.trip(Plain.item("a", "\"note\":\"\(note)\",\"x\":null")))
    let empty = ReplicatedList(id: file.listID)
    var me = Replica(test: 78)
    let edited = try TripImport(file, into: empty).edits(of: empty, by: &me)
    #expect(edited[id: Plain.itemA]?["note"] == .string(note))
    #expect(edited.metadata["days"] == 3)
    #expect(me.limits == EditLimits())
  }
}
