import Betwixt
import BetwixtTrips
import TestSupport
import Testing

/// Rows as short words: `1:` for a header, `a` for an item that stands under its own day, `a@5`
/// for one that is stored with day 5.
func words(_ rows: [Row], in list: ReplicatedList) -> [String] {
  rows.map { row in
    switch row {
    case .header(let day, _): return "\(day):"
    case .item(let id, let day, let under):
      let name = list[id: id]?["foreignId"]?.string ?? "\(id)"
      return day == under ? name : "\(name)@\(day)"
    }
  }
}

@Suite struct FlattenTests {
  @Test("FLAT-01: rows follow the keys, no kind comes first")
  func orderIsKeyOrder() throws {
    let list = try Plain.list(
      Plain.trip(
        Plain.item("a", #""sortOrder":900,"time":"01:00""#),
        Plain.item("g", #""kind":"game","start":"2026-06-11T13:00","sortOrder":880"#),
        Plain.item("t", #""kind":"travel","sortOrder":-1"#),
        Plain.item("b", #""sortOrder":50,"kind":"other""#),
        Plain.item("c", #""day":3,"sortOrder":2"#), Plain.item("d", #""day":3,"sortOrder":1.5"#)))
    let rows = Trip(list).rows
    #expect(words(rows, in: list) == ["1:", "t", "b", "g", "a", "2:", "3:", "d", "c"])
    #expect(rows.first == .header(day: 1, date: CivilDate("2026-06-11")))
    #expect(rows.contains(.header(day: 3, date: CivilDate("2026-06-13"))))
  }

  @Test(
    "FLAT-02: writes in any order, in parts and twice, give the same rows, and so does a reload")
  func shuffleInvariance() throws {
    var random = SplitMix64(seed: 61)
    for round in 0..<1_000 {
      var devices = Devices(3, try Plain.list(Plain.trip(Plain.item("a"))))
      for _ in 0..<12 { devices.edit(random.next(below: 3), using: &random) }
      let lists = devices.trips.map(\.list)
      let merged = lists[0].merging(lists[1]).merging(lists[2])
      let rows = Trip(merged).rows
      #expect(Trip(lists[2].merging(lists[0]).merging(lists[1])).rows == rows, "round \(round)")
      #expect(Trip(lists[1].merging(lists[2].merging(lists[0]))).rows == rows, "round \(round)")
      #expect(Trip(try merged.throughTripJSON()).rows == rows, "round \(round)")
      var pieces = ReplicatedList(id: merged.id)
      for delta in try parts(of: merged, using: &random) { pieces.merge(delta) }
      #expect(Trip(pieces).rows == rows, "round \(round)")
    }
  }

  @Test("FLAT-02: every order of merging the copies gives the same rows")
  func rowsAreAFunctionOfTheRegisters() throws {
    let files = try ["base", "phone", "tablet", "laptop"]
      .map { try Copies.file("follow-mexico", $0).list() }
    var rows: [[Row]] = []
    for order in permutations(files) {
      var list = ReplicatedList(id: order[0].id)
      for file in order + order { list.merge(file) }
      rows.append(Trip(list).rows)
      rows.append(Trip(try list.throughTripJSON()).rows)
    }
    #expect(Set(rows).count == 1)
    #expect(
      rows[0].count == files.reduce(into: Set<ItemID>()) { $0.formUnion($1.map(\.id)) }.count + 25)
  }
}

@Suite struct ClampTests {
  private let items = [
    Plain.item("a", #""day":-7"#), Plain.item("b", #""day":0"#), Plain.item("c"),
    Plain.item("d", #""day":3"#), Plain.item("e", #""day":4"#),
    Plain.item("f", #""day":9223372036854775807"#),
    Plain.item("g", #""day":-9223372036854775808"#),
  ].joined(separator: ",")

  @Test func outOfRangeDays() throws {
    let list = try Plain.list(Plain.trip(items))
    #expect(
      words(Trip(list).rows, in: list) == [
        "1:", "g@-9223372036854775808", "a@-7", "b@0", "c", "2:", "3:", "d", "e@4",
        "f@9223372036854775807",
      ])
  }

  @Test(arguments: [
    ("7", 7), ("3660", 3_660), ("3661", 4), ("0", 4), ("-1", 4), ("null", 4),
    ("9223372036854775807", 4),
  ])
  func daysOutOfRangeCountTheItems(_ days: String, _ count: Int64) throws {
    let text = #"{"id":"t","startDate":"9999-12-30","days":\#(days),"items":[\#(items)]}"#
    let trip = Trip(try Plain.list(text))
    #expect(trip.dayCount == count)
    // Days beyond the calendar have no date.
    #expect(trip.rows.contains(.header(day: 2, date: .max)))
    #expect(trip.rows.contains(.header(day: 3, date: nil)))
    #expect(trip.rows.count == Int(count) + 7)
  }

  @Test func shortenedTripLosesNothing() throws {
    var shortened = Trip(try Plain.list(Plain.trip(Plain.item("a"), Plain.item("b", #""day":3"#))))
    var edited = shortened
    var me = Replica(test: 1)
    var you = Replica(test: 2)
    try shortened.list.set(.days, of: .root, to: 1, by: &me)
    let new = try edited.append(["foreignId": "n"], toDay: 3, by: &you)
    for list in [shortened.list.merging(edited.list), edited.list.merging(shortened.list)] {
      var trip = Trip(list)
      #expect(words(trip.rows, in: list) == ["1:", "a", "b@3", "n@3"])
      #expect(
        Constraints(trip).violations() == [
          .dayOutOfRange(Plain.itemB, day: 3), .dayOutOfRange(new, day: 3),
        ])
      // Nothing was rewritten: the longer trip shows them where they were.
      try trip.list.set(.days, of: .root, to: 3, by: &me)
      #expect(words(trip.rows, in: trip.list) == ["1:", "a", "2:", "3:", "b", "n"])
    }
  }

  @Test func aTripWithoutItemsHasOneDay() throws {
    let trip = Trip(try Plain.list(#"{"id":"t","startDate":"2026-06-11","items":[]}"#))
    #expect(trip.dayCount == 1)
    #expect(trip.rows == [.header(day: 1, date: CivilDate("2026-06-11"))])
    #expect(Trip(ReplicatedList(id: ListID(high: 1, low: 1))).rows == [.header(day: 1, date: nil)])
  }

  @Test func daysAndDates() throws {
    let trip = Trip(try Plain.list(Plain.trip(members: #""name":"T""#)))
    #expect(trip.name == "T")
    #expect(trip.date(ofDay: 1) == CivilDate("2026-06-11"))
    #expect(trip.date(ofDay: .min) == nil)
    #expect(CivilDate("2026-06-13").flatMap { trip.day(of: $0) } == 3)
  }
}
