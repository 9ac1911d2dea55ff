public import Betwixt
public import BetwixtTrips

extension ChoiceSource {
  /// A trip of some days with games, legs and stops, good ones and odd ones.
  ///
  /// - Parameter itemCount: How many items.
  /// - Returns: The trip, as one replica made it.
  /// - Complexity: O(*n* log *n*) for *n* items
  public mutating func trip(itemCount: Int) -> Trip {
    let time = 1_780_000_000_000 + Int64(next(below: 1000))
    var me = Replica(id: ReplicaID(rawValue: UInt64(1 + next(below: 4)))) { time }
    var list = ReplicatedList(id: ListID(high: 7, low: UInt64(next(below: 16))))
    let dayCount = 1 + next(below: 9)
    try? list.set("name", of: .root, to: .string(text()), by: &me)
    try? list.set("startDate", of: .root, to: "2026-06-11", by: &me)
    try? list.set("days", of: .root, to: .int64(Int64(dayCount)), by: &me)
    let games = schedule(gameCount: itemCount / 3, dayCount: dayCount)
    for number in 0..<itemCount {
      let fields = number < games.count ? games[number] : tripItem()
      let day = Int64(1 + next(below: dayCount))
      let offset = next(below: list.indices(inSection: day).count + 1)
      _ = try? list.insert(fields, at: offset, inSection: day, by: &me)
    }
    return Trip(list)
  }

  /// The fields of some games, one after the other in time, as a schedule lists them.
  ///
  /// - Parameters:
  ///   - gameCount: How many games.
  ///   - dayCount: On how many days, from 2026-06-11.
  /// - Returns: The fields of each game.
  /// - Complexity: O(*n* log *n*) for *n* games
  public mutating func schedule(gameCount: Int, dayCount: Int) -> [Fields] {
    let teams = ["MEX", "RSA", "KOR", "CAN", "QAT", "SUI"]
    let days = (0..<gameCount).map { _ in 11 + next(below: min(max(dayCount, 1), 18)) }.sorted()
    return days.map { day in
      let home = next(below: teams.count)
      let away = (home + 1 + next(below: teams.count - 1)) % teams.count
      let hour = 12 + next(below: 10)
      return [
        "kind": "game", "home": .string(teams[home]), "away": .string(teams[away]),
        "venue": .string("Stadium \(next(below: 4))"),
        "start": .string("2026-06-\(day)T\(hour):00-06:00"),
      ]
    }
  }

  private mutating func tripItem() -> Fields {
    var fields: Fields = ["kind": .string(pick(["custom", "travel", "picnic"]))]
    for name in ["title", "note", "from", "to", "extra"] as [FieldName] where chance(1, in: 3) {
      fields[name] = .string(text())
    }
    if chance(1, in: 3) { fields["time"] = .string(pick(["08:05", "23:59", "25:00", ""])) }
    if chance(1, in: 3) { fields["duration"] = .int64(pick([90, 0, -5, .max])) }
    if chance(1, in: 4) { fields["lat"] = fieldValue() }
    return fields
  }
}
