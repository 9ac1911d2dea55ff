import Betwixt
import TestSupport

/// Lists of what the format has and no program of ours writes.
enum StrangeList {
  private static let names: [FieldName] = [
    "kind", "title", "text", "note", "start", "time", "state", "type", "mode", "distanceKm",
    "durationMin", "latitude", "longitude", "scheduledDate", "priority", "tags", "startDate",
    "days", "icsUid", "icsSequence", "icsModified", "ics:DTSTART", "ics:DTEND", "ics:RRULE",
    "ics:DUE", "ics:ATTENDEE#0", "completedAt", "foreignId", "name",
  ]

  private static let texts: [FieldValue] = [
    "game", "travel", "custom", "tasks", "trip", "", "\u{1b}[2J\r\n", "9999-12-31", "0001-01-01",
    "2026-05-01T24:00", "2026-05-01", "23:59", "2026-05-01 18:00-04:00", ":20260501T000000Z",
    "99991231T235959Z", "- 9223372036854775807 ;X=1:P9999999999W", "open", "done", "999999999999",
  ]

  private static let numbers: [FieldValue] = [
    .double(.infinity), .double(-.infinity), .double(.nan), .double(1e308), .double(-0.0),
    .double(0x1p63), .int64(.min), .int64(.max), .int64(0), .int64(-1), .int64(2), .bool(true),
    .bytes([0xff]),
  ]

  private static func value(_ name: FieldName, _ random: inout SplitMix64) -> FieldValue? {
    switch random.next(below: 8) {
    case 0: nil
    case 1...3: numbers[random.next(below: numbers.count)]
    default: texts[random.next(below: texts.count)]
    }
  }

  private static func key(_ random: inout SplitMix64) -> SortKey? {
    let numbers: [Double] = [
      0, 1, -1, 0.5, 0x1p53, 0x1p63, -0x1p63, 1e300, .greatestFiniteMagnitude,
      -.greatestFiniteMagnitude, .leastNonzeroMagnitude,
    ]
    let low = ItemID(high: 7, low: 7)
    return try? SortKey(importing: numbers[random.next(below: numbers.count)], of: low)
  }

  /// A list of a few items, of which anything may be missing and anything extreme.
  static func list(
    _ random: inout SplitMix64, by replica: UInt64, isTasks: Bool
  ) throws -> ReplicatedList {
    var builder = Delta.Builder()
    var sequence: Int64 = 0
    let replica = ReplicaID(rawValue: replica)
    func add(_ item: ItemID, _ register: Register, _ value: RegisterValue, _ time: Timestamp) {
      sequence += 1
      let stamp = Stamp(time: time, replica: replica)
      // An entry that the format has not is none of these.
      try? builder.add(
        Entry(item: item, register: register, value: value, stamp: stamp, sequence: sequence))
    }
    func time(_ random: inout SplitMix64) -> Timestamp {
      let times: [Timestamp] = [.zero, Timestamp(milliseconds: 1_780_000_000_000), .max]
      return times[random.next(below: 5) % 3]
    }
    if isTasks { add(.root, .field("type"), .field("tasks"), .zero) }
    let lives: [UInt64] = [1, 1, 1, 2, 3, 1 << 63 - 1, 1 << 63 - 2]
    let sections: [Int64] = [0, 1, 2, -1, .min, .max, 20_000]
    for number in 0..<UInt64(4) {
      let item = number == 0 ? .root : ItemID(high: 0, low: number)
      if number > 0 {
        add(item, .life, .life(lives[random.next(below: lives.count)]), time(&random))
        if let key = key(&random) {
          let section = sections[random.next(below: sections.count)]
          add(item, .position, .position(section: section, key: key), time(&random))
        }
      }
      for _ in 0..<6 {
        let name = names[random.next(below: names.count)]
        guard !(number == 0 && name == "type") else { continue }
        add(item, .field(name), .field(value(name, &random)), time(&random))
      }
    }
    builder.cover(replica, after: 0, through: sequence)
    var list = ReplicatedList(id: ListID(high: 1, low: 2))
    list.merge(builder.build())
    return list
  }
}
