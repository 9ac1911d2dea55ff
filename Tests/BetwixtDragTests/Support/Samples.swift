import Betwixt
import BetwixtDrag
import BetwixtTrips

extension Replica {
  /// A writer whose clock stands still.
  init(test id: UInt64) {
    self.init(id: ReplicaID(rawValue: id)) { 1_780_000_000_000 }
  }
}

/// A short trip with one item of each kind, and an empty day.
///
///     Day 1: museum, game in Alpha, lunch, leg from Alpha to Beta
///     Day 2: game in Beta, dinner
///     Day 3:
struct SampleTrip {
  var trip: Trip
  let museum: ItemID
  let alpha: ItemID
  let lunch: ItemID
  let leg: ItemID
  let beta: ItemID
  let dinner: ItemID

  init() throws {
    var me = Replica(test: 1)
    var list = ReplicatedList(id: ListID(high: 1, low: 1))
    try list.set("startDate", of: .root, to: "2026-06-11", by: &me)
    try list.set("days", of: .root, to: 3, by: &me)
    trip = Trip(list)
    alpha = try trip.addGame(
      ["gameId": "a", "start": "2026-06-11T13:00", "city": "Alpha", "title": "Alpha game"], by: &me)
    beta = try trip.addGame(
      ["gameId": "b", "start": "2026-06-12T19:00", "city": "Beta", "title": "Beta game"], by: &me)
    museum = try trip.add(
      ["kind": "custom", "title": "Museum"], into: Gap(day: 1, above: nil, below: alpha), by: &me)
    lunch = try trip.append(["kind": "custom", "title": "Lunch"], toDay: 1, by: &me)
    leg = try trip.append(
      ["kind": "travel", "title": "Bus", "from": "Alpha", "to": "Beta"], toDay: 1, by: &me)
    dinner = try trip.append(["kind": "custom", "title": "Dinner"], toDay: 2, by: &me)
  }
}

/// Tasks in every tab; today is 2026-06-11.
///
///     Inbox: ideas
///     Today: pack, call, done (completed)
///     Tomorrow: bank, shop
///     2026-06-20: party
struct SampleTasks {
  static let today = CivilDate(dayNumber: 20_615) ?? .min

  var tasks: TaskList
  let ideas: ItemID
  let pack: ItemID
  let call: ItemID
  let done: ItemID
  let bank: ItemID
  let shop: ItemID
  let party: ItemID

  init() throws {
    var me = Replica(test: 1)
    tasks = try TaskList(id: ListID(high: 1, low: 2), by: &me)
    ideas = try tasks.add("Ideas", by: &me)
    pack = try tasks.add("Pack", on: SampleTasks.today, by: &me)
    call = try tasks.add("Call", on: SampleTasks.today, by: &me)
    done = try tasks.add("Done", fields: ["state": "completed"], on: SampleTasks.today, by: &me)
    bank = try tasks.add("Bank", on: SampleTasks.today + 1, by: &me)
    shop = try tasks.add("Shop", on: SampleTasks.today + 1, by: &me)
    party = try tasks.add("Party", on: SampleTasks.today + 9, by: &me)
  }
}
