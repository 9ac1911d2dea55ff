import Betwixt
import BetwixtTrips

/// A trip of a year, 366 days and 10,000 items: what a front end and the command do with it.
struct LargeTrip {
  private static let dayCount = 366
  private static let itemCount = 10_000
  private static let cities = 16

  private let list: ReplicatedList
  private var random = SplitMix64(seed: 366)

  /// A game on every second day, a leg to its city on the day before, and customs all over.
  private init() throws {
    var me = Replica(id: ReplicaID(rawValue: 1)) { 1_777_000_000_000 }
    var trip = Trip(ReplicatedList(id: ReplicatedList.benchmarkID))
    try trip.list.set("startDate", of: .root, to: "2028-01-01", by: &me)
    try trip.list.set("days", of: .root, to: .int64(Int64(Self.dayCount)), by: &me)
    for day in 1...Int64(Self.dayCount) {
      let city = Self.city(day / 2)
      if day % 2 == 0 {
        guard let date = trip.date(ofDay: day) else { continue }
        try trip.addGame(
          [
            "gameId": .string("game \(day)"), "start": .string("\(date)T15:00"),
            "city": .string(city), "home": "A", "away": "B", "latitude": 19.3, "longitude": -99.15,
          ], by: &me)
      } else {
        try trip.addLeg(
          ["from": .string(city), "to": .string(Self.city(day / 2 + 1)), "mode": "train"],
          onDay: day, by: &me)
      }
    }
    var number = 0
    while trip.list.count < Self.itemCount {
      number += 1
      try trip.append(
        ["kind": "custom", "title": .string("Stop \(number)"), "time": "10:30"],
        toDay: Int64(1 + random.below(Self.dayCount)), by: &me)
    }
    list = trip.list
  }

  private static func city(_ number: Int64) -> String { "City \(number % Int64(cities))" }

  static func run() throws -> [ResultLine] {
    var trip = try LargeTrip()
    return try [
      trip.flattening(), trip.checking(), trip.gaps(), trip.drops(), trip.drags(), trip.merging(),
    ] + trip.files()
  }

  /// Every day with its items.
  private func flattening() -> ResultLine {
    let trip = Trip(list)
    let (rows, timing) = Stopwatch.time { trip.rows }
    return ResultLine(
      "trip.flatten", timing, ops: 1,
      check: .holds(rows.count == list.count + Self.dayCount, "rows are missing"))
  }

  /// The constraints of the whole trip, and all that is out of order.
  private func checking() -> ResultLine {
    let trip = Trip(list)
    let (violations, timing) = Stopwatch.time { Constraints(trip).violations() }
    let rest = violations.count { if case .travelOutOfPlace = $0 { false } else { true } }
    return ResultLine(
      "trip.check", timing, ops: 1, check: .holds(rest == 0, "\(violations.count) violations"))
  }

  /// The gaps for an item that may stand anywhere, then those of every leg.
  private func gaps() -> ResultLine {
    let constraints = Constraints(Trip(list))
    let legs = list.filter { $0["kind"]?.string == "travel" }.map(\.id)
    let custom = list.last { $0["kind"]?.string == "custom" }?.id ?? list[0].id
    let (all, free) = Stopwatch.time { constraints.validGaps(custom) }
    let (some, bound) = Stopwatch.time {
      legs.reduce(0) { $0 + constraints.validGaps($1).count }
    }
    var line = ResultLine(
      "trip.gaps", free, ops: 1,
      check: .holds(
        all.count == list.count - 1 + Self.dayCount && some > 0, "\(all.count) gaps and \(some)"))
    line.add("legs", .int(legs.count))
    line.add("legs_s", JSON(bound.seconds))
    line.add("leg_gaps", .int(some))
    return line
  }

  /// Customs dropped into random gaps.
  private mutating func drops() throws -> ResultLine {
    var trip = Trip(list)
    var me = Replica(id: ReplicaID(rawValue: 2)) { 1_777_000_001_000 }
    let customs = list.filter { $0["kind"]?.string == "custom" }.map(\.id)
    let gaps = Constraints(trip).validGaps(customs[0])
    let work = (0..<5_000).map { _ in
      (customs[random.below(customs.count)], gaps[random.below(gaps.count)])
    }
    let (moved, timing) = try Stopwatch.time {
      var moved = 0
      for (id, gap) in work where try trip.drop(id, into: gap, by: &me) { moved += 1 }
      return moved
    }
    let isRight = moved > 4_900 && me.sequence >= moved && trip.list.count == list.count
    var line = ResultLine(
      "trip.drop", timing, ops: work.count, check: .holds(isRight, "\(moved) were moved"))
    line.add("us_per_drop", JSON(timing.seconds * 1e6 / Double(work.count), decimals: 2))
    return line
  }

  /// Legs dragged: constraints, gaps, the games that bound them, and a drop.
  private mutating func drags() throws -> ResultLine {
    var trip = Trip(list)
    var me = Replica(id: ReplicaID(rawValue: 3)) { 1_777_000_002_000 }
    let legs = list.filter { $0["kind"]?.string == "travel" }.map(\.id)
    let work = (0..<50).map { _ in (legs[random.below(legs.count)], random.below(1 << 20)) }
    let (count, timing) = try Stopwatch.time {
      var count = 0
      for (id, choice) in work {
        let constraints = Constraints(trip)
        let gaps = constraints.validGaps(id)
        _ = constraints.barrierGames(id)
        guard !gaps.isEmpty else { continue }
        try trip.drop(id, into: gaps[choice % gaps.count], allowedBy: constraints, by: &me)
        count += 1
      }
      return count
    }
    var line = ResultLine(
      "trip.drag", timing, ops: work.count, check: .holds(count == work.count, "no gaps"))
    line.add("ms_per_drag", JSON(timing.seconds * 1e3 / Double(work.count), decimals: 3))
    return line
  }

  /// Two plain copies with edits of their own, merged with their base.
  private func merging() throws -> ResultLine {
    let base = PlainExport(list).bytes
    let copies = try (2...3 as ClosedRange<UInt64>).map { number in
      var trip = Trip(list)
      var me = Replica(id: ReplicaID(rawValue: number)) { 1_777_000_003_000 + Int64(number) }
      // Some items get a note from both.
      for index in stride(from: 0, to: list.count, by: number == 2 ? 97 : 89) {
        try trip.list.set("note", of: list[index].id, to: .string("by \(number)"), by: &me)
      }
      return PlainExport(trip.list).bytes
    }
    let (merge, timing) = try Stopwatch.time {
      try TripMerge(
        copies.enumerated().map { try TripFile(decoding: $1, name: "\($0).json") },
        base: TripFile(decoding: base, name: "base.json"))
    }
    var line = ResultLine(
      "trip.merge3", timing, ops: 1,
      check: .holds(
        merge.list.count == list.count && merge.report.hasConflicts, "the merge is wrong"))
    line.bytes = base.count
    line.add("report_lines", .int(merge.report.lines.count))
    return line
  }

  /// Into every format, and back where it can be read.
  private func files() throws -> [ResultLine] {
    let plain = PlainExport(list).bytes
    let calendar = CalendarExport(list).bytes
    return try [
      writing("json") { PlainExport(list).bytes },
      writing("ics") { CalendarExport(list).bytes },
      writing("md") { MarkdownExport(list).bytes },
      writing("csv") { CSVExport(list).bytes },
      writing("gpx") { GPXExport(list).bytes },
      reading("json", plain) { try TripImport(TripFile(decoding: plain, name: "p")).list },
      reading("ics", calendar) { try TripImport(TripFile(decoding: calendar, name: "c")).list },
    ]
  }

  private func writing(_ format: String, _ write: () -> [UInt8]) -> ResultLine {
    let (bytes, timing) = Stopwatch.time(write)
    var line = ResultLine(
      "trip.export[\(format)]", timing, ops: 1, check: .holds(!bytes.isEmpty, "nothing"))
    line.bytes = bytes.count
    return line
  }

  private func reading(
    _ format: String, _ bytes: [UInt8], _ read: () throws -> ReplicatedList
  ) throws -> ResultLine {
    let (again, timing) = try Stopwatch.time(read)
    var line = ResultLine(
      "trip.import[\(format)]", timing, ops: 1,
      check: .holds(again.map(\.id) == list.map(\.id), "another order came back"))
    line.bytes = bytes.count
    return line
  }
}

extension Workload {
  static let largeTrips = [
    Workload(
      name: "trip", summary: "a trip of 366 days and 10,000 items: rows, gaps, drops, files",
      lines: ["trip.flatten", "trip.check", "trip.gaps", "trip.drop", "trip.drag", "trip.merge3"]
        + ["json", "ics", "md", "csv", "gpx"].map { "trip.export[\($0)]" }
        + ["trip.import[json]", "trip.import[ics]"]
    ) { _ in try LargeTrip.run() }
  ]
}
