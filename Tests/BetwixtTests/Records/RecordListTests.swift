import Betwixt
import Testing

private struct Stop: ListRecord {
  var title = ""
  var minutes: Int64 = 0

  init(title: String) { self.title = title }

  init(fields: Fields) {
    title = fields["title"]?.string ?? ""
    minutes = fields["durationMin"]?.int64 ?? 0
  }

  var fields: Fields { ["title": .string(title), "durationMin": .int64(minutes)] }
}

@Suite struct RecordListTests {
  private func replica(_ number: UInt64) -> Replica {
    Replica(id: ReplicaID(rawValue: number)) { 1_000 }
  }

  @Test func onlyChangedFieldsAreWritten() throws {
    var me = replica(1)
    var stops = RecordList<Stop>(ReplicatedList(id: ListID(high: 0, low: 1)))
    let lunch = try stops.append(Stop(title: "Lunch"), by: &me)
    let before = me.sequence
    try stops.update(lunch, by: &me) { $0.title = "Lunch at El Moro" }
    #expect(me.sequence == before + 1)
    try stops.update(lunch, by: &me) { $0.title = "Lunch at El Moro" }
    #expect(me.sequence == before + 1)
    #expect(stops.map(\.title) == ["Lunch at El Moro"])
  }

  @Test func fieldsOfNewerVersionsSurvive() throws {
    var me = replica(1)
    var stops = RecordList<Stop>(ReplicatedList(id: ListID(high: 0, low: 1)))
    let lunch = try stops.append(Stop(title: "Lunch"), by: &me)
    try stops.list.set("rating", of: lunch, to: 5, by: &me)
    try stops.update(lunch, by: &me) { $0.minutes = 90 }
    #expect(stops.list[id: lunch]?["rating"]?.int64 == 5)
    #expect(stops[id: lunch]?.minutes == 90)
  }

  @Test("a field that the record leaves out is cleared, and an insertion stands where it was put")
  func clearedFields() throws {
    struct Note: ListRecord {
      var text: String?
      init(_ text: String?) { self.text = text }
      init(fields: Fields) { text = fields["text"]?.string }
      var fields: Fields { text.map { ["text": .string($0)] } ?? [:] }
    }
    var me = replica(1)
    var notes = RecordList<Note>(ReplicatedList(id: ListID(high: 0, low: 1)))
    try notes.append(Note("b"), by: &me)
    let first = try notes.insert(Note("a"), at: 0, by: &me)
    try notes.append(Note("c"), toSection: 1, by: &me)
    #expect(notes.map(\.text) == ["a", "b", "c"] && notes[0].text == "a")
    try notes.update(first, by: &me) { $0.text = nil }
    #expect(notes[id: first]?.text == nil && notes.list[id: first]?.fields.isEmpty == true)
    #expect(notes[id: ItemID(high: 9, low: 9)]?.text == nil && notes.endIndex == 3)
    #expect(throws: EditFailure.self) {
      try notes.update(ItemID(high: 9, low: 9), by: &me) { $0.text = "d" }
    }
    try notes.list.update(.root, as: Note.self, by: &me) { $0.text = "title" }
    #expect(notes.list.metadata == ["text": "title"])
  }

  @Test func defaultsOfMissingFieldsAreNotWritten() throws {
    var me = replica(1)
    var list = ReplicatedList(id: ListID(high: 0, low: 1))
    let lunch = try list.append(["title": "Lunch"], by: &me)
    try list.update(lunch, as: Stop.self, by: &me) { $0.title = "Late lunch" }
    #expect(list[id: lunch]?["durationMin"] == nil)
  }
}
