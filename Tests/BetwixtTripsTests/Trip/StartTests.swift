import Betwixt
import BetwixtTrips
import Testing

/// How an app begins a trip or a list of tasks, and what its rows say.
@Suite struct StartTests {
  private func writer() -> Replica { Replica(id: ReplicaID(rawValue: 1)) { 1_777_000_000_000 } }

  @Test func aTripHasATitleAndDays() throws {
    var list = ReplicatedList(id: ListID(high: 1, low: 2))
    var me = writer()
    try Trip.start(&list, name: "Rome", on: CivilDate("2026-05-01"), days: 5, by: &me)
    var trip = Trip(list)
    #expect(trip.name == "Rome" && trip.dayCount == 5)
    #expect(trip.date(ofDay: 5) == CivilDate("2026-05-05"))
    let lunch = try trip.list.append(["title": "Lunch"], toSection: 1, by: &me)
    let leg = try trip.list.append(
      ["kind": "travel", "from": "Rome", "to": "Ostia"], toSection: 1, by: &me)
    #expect(trip.title(of: lunch) == "Lunch" && trip.title(of: leg) == "Rome → Ostia")
    #expect(trip.title(of: ItemID(high: 7, low: 7)) == nil)
  }

  @Test func aTripMayHaveATitleOnly() throws {
    var list = ReplicatedList(id: ListID(high: 1, low: 2))
    var me = writer()
    try Trip.start(&list, name: "Rome", by: &me)
    #expect(list.metadata.map(\.name) == ["name"])
    #expect(Trip(list).startDate == nil && Trip(list).dayCount == 1)
  }

  @Test func aListOfTasksSaysSo() throws {
    var list = ReplicatedList(id: ListID(high: 1, low: 2))
    var me = writer()
    try TaskList.start(&list, by: &me)
    var twin = writer()
    #expect(try list == TaskList(id: list.id, by: &twin).list)
    var tasks = TaskList(list)
    let pack = try tasks.add("Pack", by: &me)
    #expect(tasks.text(of: pack) == "Pack" && tasks.text(of: .root) == nil)
  }
}
