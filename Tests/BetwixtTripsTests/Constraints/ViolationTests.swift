import Betwixt
import BetwixtTrips
import Testing

@Suite struct ViolationTests {
  /// The violations in words, items by the id they have in the file.
  private func words(_ list: ReplicatedList) -> [String] {
    func name(_ id: ItemID) -> String {
      id == .root ? "root" : list[id: id]?["foreignId"]?.string ?? "\(id)"
    }
    return Constraints(Trip(list)).violations().map { violation in
      let rest =
        switch violation {
        case .gameOffSchedule(_, let slot): " \(slot.day ?? -1) \(slot.sortOrder)"
        case .dayOutOfRange(_, let day): " \(day)"
        case .badField(_, let field), .badTrip(let field): " \(field)"
        case .clockOrder(_, let below): " \(name(below))"
        case .travelOutOfPlace: ""
        }
      return "\(violation.name) \(name(violation.item))\(rest)"
    }
  }

  @Test(arguments: Copies.trips)
  func copiesHaveNone(_ trip: String) throws {
    for name in ["base"] + Copies.devices {
      #expect(words(try Copies.file(trip, name).list()) == [])
    }
  }

  @Test func legsOutOfPlace() throws {
    #expect(words(try Sketch.list("Al B")) == [])
    #expect(words(try Sketch.list("lA B")) == ["travelOutOfPlace l0"])
    #expect(words(try Sketch.list("lB A")) == [])
    #expect(words(try Sketch.list("A kB")) == ["travelOutOfPlace k1"])
    #expect(words(try Sketch.list("lAlB Bl")) == ["travelOutOfPlace l0", "travelOutOfPlace l5"])
    #expect(words(try Sketch.list("Bl B")) == ["travelOutOfPlace l1"])
  }

  @Test func gamesOffSchedule() throws {
    func game(_ id: String, _ start: String, _ day: Int, _ number: Double) -> String {
      Plain.item(
        id, #""kind":"game","start":"\#(start)","day":\#(day),"sortOrder":\#(number)"#)
    }
    let list = try Plain.list(
      Plain.trip(
        game("a", "2026-06-11T13:00", 1, 880), game("b", "2026-06-11T13:00", 1, 880.9),
        game("c", "2026-06-11T13:00", 1, 881), game("d", "2026-06-11T13:00", 1, 879.9),
        game("e", "2026-06-12T00:00", 1, 100), game("f", "2026-06-11", 1, 1_540),
        game("g", "2026-06-11", 1, 1_539)))
    #expect(
      words(list) == [
        "gameOffSchedule e 2 100.0", "gameOffSchedule d 1 880.0", "gameOffSchedule c 1 880.0",
        "gameOffSchedule g 1 1540.0",
      ])
  }

  @Test func daysOutOfRange() throws {
    let list = try Plain.list(
      Plain.trip(
        Plain.item("a", #""day":0"#), Plain.item("b"), Plain.item("c", #""day":4"#)))
    #expect(words(list) == ["dayOutOfRange a 0", "dayOutOfRange c 4"])
  }

  @Test func fieldsAndTripsGoneBad() throws {
    var builder = Delta.Builder()
    let me = Stamp(time: .zero, replica: ReplicaID(rawValue: 1))
    var sequence: Int64 = 0
    func add(_ item: ItemID, _ register: Register, _ value: RegisterValue) throws {
      sequence += 1
      try builder.add(
        Entry(item: item, register: register, value: value, stamp: me, sequence: sequence))
    }
    let a = Plain.itemA
    try add(a, .life, .life(1))
    try add(a, .position, .position(section: 1, key: SortKey(importing: 1, of: a)))
    for (name, value) in [
      ("title", 7), ("note", nil), ("latitude", 91.0), ("longitude", 7), ("time", "soon"),
      ("durationMin", 1.5), ("distanceKm", "far"), ("start", "never"), ("x", 1),
    ] as [(FieldName, FieldValue?)] {
      try add(a, .field(name), .field(value))
    }
    try add(.root, .field("name"), .field(1))
    try add(.root, .field("startDate"), .field("June"))
    var list = ReplicatedList(id: ForeignIdentity.list("t"))
    list.merge(builder.build())
    #expect(
      words(list) == [
        "badTrip root days", "badTrip root startDate", "badField root name",
      ] + ["durationMin", "latitude", "longitude", "time", "title"].map { "badField \(a) \($0)" })
    #expect(Trip(list).name == nil)
    #expect(Trip(list).startDate == nil)
  }

  @Test func laterGamesThatStartEarlier() throws {
    func game(_ id: String, _ start: String) -> String {
      #"{"id":"\#(id)","kind":"game","start":"\#(start)"}"#
    }
    let list = try Plain.list(
      Plain.trip(
        game("a", "2026-06-11T13:00-07:00"), game("b", "2026-06-11T14:00-04:00"),
        game("c", "2026-06-11T15:00"), game("d", "2026-06-11T15:30+14:00"),
        game("e", "2026-06-12T01:00+14:00")))
    #expect(words(list) == ["clockOrder a b"])
    // Each of the two is told of it.
    let all = Constraints(Trip(list)).violations()
    for name in ["a", "b"] {
      #expect(Constraints.violations(of: [ForeignIdentity.game(name)], in: Trip(list)) == all)
    }
    #expect(Constraints.violations(of: [ForeignIdentity.game("c")], in: Trip(list)) == [])
  }
}
