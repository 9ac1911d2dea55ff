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

  @Test func defaultsOfMissingFieldsAreNotWritten() throws {
    var me = replica(1)
    var list = ReplicatedList(id: ListID(high: 0, low: 1))
    let lunch = try list.append(["title": "Lunch"], by: &me)
    try list.update(lunch, as: Stop.self, by: &me) { $0.title = "Late lunch" }
    #expect(list[id: lunch]?["durationMin"] == nil)
  }
}
