import Betwixt
import BetwixtTrips
import TestSupport

/// Trips with everything that a format could stumble over.
enum RandomTrip {
  private static let words = [
    "", "Dinner", "a,b;c\\d", "line\nbreak", "cr\r\nlf", "tab\there", "é e\u{301} 漢字 🏟️🏟️🏟️",
    "<&>\"'", "=1+1", "- x", "1. x", "\u{7f}\u{1}\u{fffe}", "json:", "  ", "\\n",
    String(repeating: "ü", count: 90), "Ελλάδα, \"πόλη\"",
  ]

  static func word(_ random: inout SplitMix64) -> String {
    words[random.next(below: words.count)]
  }

  static func list(seed: UInt64) throws -> ReplicatedList {
    var random = SplitMix64(seed: seed)
    var list = ReplicatedList(id: ListID(high: seed, low: 7))
    let time = 1_780_000_000_000 + Int64(seed) * 777
    var phone = Replica(id: ReplicaID(rawValue: 1)) { time }
    var tablet = Replica(id: ReplicaID(rawValue: 2)) { time + 1 }
    try list.set(.startDate, of: .root, to: "2026-06-11", by: &phone)
    try list.set(.days, of: .root, to: 5, by: &phone)
    try list.set(.name, of: .root, to: .string(word(&random)), by: &phone)
    for _ in 0..<random.next(below: 14) {
      if random.next(below: 2) == 0 {
        try edit(&list, &random, by: &phone)
      } else {
        try edit(&list, &random, by: &tablet)
      }
    }
    return list
  }

  /// Adds, removes, moves and edits some items.
  static func change(_ list: inout ReplicatedList, _ random: inout SplitMix64) throws {
    var me = Replica(id: ReplicaID(rawValue: 3)) { 1_900_000_000_000 }
    for _ in 0..<1 + random.next(below: 4) {
      try edit(&list, &random, by: &me)
      guard let id = list.randomElement(using: &random)?.id else { continue }
      switch random.next(below: 4) {
      case 0: try list.remove(id, by: &me)
      case 1: try list.move(id, toOffset: 0, inSection: 2, by: &me)
      default: try list.set(.note, of: id, to: .string(word(&random)), by: &me)
      }
    }
  }

  private static func edit(
    _ list: inout ReplicatedList, _ random: inout SplitMix64, by replica: inout Replica
  ) throws {
    let day = Int64(random.next(below: 8)) - 1
    let offset = random.next(below: list.indices(inSection: day).count + 1)
    try list.insert(fields(&random), at: offset, inSection: day, by: &replica)
    if let id = list.randomElement(using: &random)?.id, random.next(below: 4) == 0 {
      try list.clear(.title, of: id, by: &replica)
    }
    if let id = list.randomElement(using: &random)?.id, random.next(below: 8) == 0 {
      try list.remove(id, by: &replica)
    }
  }

  private static func fields(_ random: inout SplitMix64) -> Fields {
    var fields: Fields = [:]
    let kinds = ["game", "travel", "custom", "picnic"]
    if random.next(below: 8) > 0 {
      fields[.kind] = .string(kinds[random.next(below: kinds.count)])
    }
    let texts: [FieldName] = [
      .title, .note, .address, .home, .away, .venue, .city, .from, .to, "extra,;é",
    ]
    for name in texts where random.next(below: 3) == 0 { fields[name] = .string(word(&random)) }
    let starts = [
      "2026-06-12", "2026-06-12T13:05", "2026-06-13T23:30-06:00", "2026-06-11T00:10Z", "soon",
    ]
    if random.next(below: 2) == 0 {
      fields[.start] = .string(starts[random.next(below: starts.count)])
    }
    if random.next(below: 2) == 0 {
      fields[.time] = .string(["08:05", "25:00"][random.next(below: 2)])
    }
    if random.next(below: 2) == 0 {
      fields[.duration] = .int64([90, 0, -5, .max][random.next(below: 4)])
    }
    if random.next(below: 2) == 0 {
      fields[.latitude] = .double([19.5, -90, 1e-7, 91][random.next(below: 4)])
      fields[.longitude] = .double([-99.15, 180, -0.0][random.next(below: 3)])
    }
    if random.next(below: 6) == 0 { fields["blob"] = .bytes([1, 2]) }
    return fields
  }
}
