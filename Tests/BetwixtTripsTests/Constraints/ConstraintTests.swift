import Betwixt
import BetwixtTrips
import TestSupport
import Testing

/// Trips of games and legs in short: items of a day in a row, days apart by spaces.
///
/// `A`, `B` and `O` are games in the cities A, B and elsewhere; `l` is a leg from A to B, `k` one
/// from B to A, `c` a custom item. Items are named by their letters and place, such as `l2`.
enum Sketch {
  static func list(_ text: String) throws -> ReplicatedList {
    var items: [String] = []
    let days = text.split(separator: " ", omittingEmptySubsequences: false)
    for (day, letters) in days.enumerated() {
      for letter in letters {
        let number = items.count
        var members = "\"day\":\(day + 1),\"sortOrder\":\(number)"
        switch letter {
        case "l": members += #","kind":"travel","from":"A","to":"B""#
        case "k": members += #","kind":"travel","from":"B","to":"A""#
        case "c": members += #","kind":"custom""#
        default: members += ",\"kind\":\"game\",\"city\":\"\(letter)\""
        }
        items.append(Plain.item("\(letter)\(number)", members))
      }
    }
    return try Plain.list(
      "{\"id\":\"t\",\"startDate\":\"2026-06-11\",\"days\":\(days.count),\"items\":["
        + items.joined(separator: ",") + "]}")
  }

  /// The item that stands at a place of the sketch.
  static func id(_ list: ReplicatedList, _ place: Int) throws -> ItemID {
    try #require(list.first { $0.key?.approximateSortOrder == Double(place) }).id
  }

  /// A gap as `day:above-below`.
  static func word(_ gap: Gap, _ list: ReplicatedList) -> String {
    func name(_ id: ItemID?) -> String { id.flatMap { list[id: $0]?["foreignId"]?.string } ?? "" }
    return "\(gap.day):\(name(gap.above))-\(name(gap.below))"
  }
}

@Suite struct ConstraintTests {
  @Test("CONS-01: games cannot be moved")
  func gamesNeverMove() throws {
    let list = try Sketch.list("Ac B")
    let constraints = Constraints(Trip(list))
    for game in [0, 2] {
      let id = try Sketch.id(list, game)
      #expect(constraints.validGaps(id).isEmpty)
      #expect(!constraints.allows(id, in: Gap(day: 1, above: nil, below: nil)))
      // Not even to where it stands.
      var trip = Trip(list)
      var me = Replica(test: 1)
      let gaps =
        constraints.validGaps(try Sketch.id(list, 1)) + [trip.gap(of: id)].compactMap { $0 }
      for gap in gaps {
        let failure = #expect(throws: TripFailure.self) { try trip.drop(id, into: gap, by: &me) }
        #expect(failure?.code == .notMovable)
      }
      #expect(trip.list.digest == list.digest)
      #expect(me.sequence == 0)
    }
  }

  // A trip with one leg, and the gaps where it may stand.
  @Test(
    "CONS-02: a leg stands between the games of its cities",
    arguments: [
      ("l", ["1:-"]), ("Al B", ["1:A0-", "2:-B2"]), ("Al  B", ["1:A0-", "2:-", "3:-B2"]),
      ("cAlc cBc", ["1:A1-c3", "1:c3-", "2:-c4", "2:c4-B5"]), ("AlB", ["1:A0-B2"]),
      ("AAlBB", ["1:A1-B3"]), ("lA B", ["1:A1-", "2:-B2"]), ("A B l", ["1:A0-", "2:-B1"]),
      ("Al c", ["1:A0-", "2:-c2", "2:c2-"]), ("c lB", ["1:-c0", "1:c0-", "2:-B2"]),
      ("OlO", ["1:-O0", "1:O0-O2", "1:O2-"]), ("Al B A B", ["1:A0-", "2:-B2", "3:A3-", "4:-B4"]),
      ("BlA", ["1:-B0", "1:A2-"]), ("AOlB", ["1:A0-O1", "1:O1-B3"]),
    ])
  func dayRange(_ sketch: String, _ expected: [String]) throws {
    let list = try Sketch.list(sketch)
    let place = try #require(sketch.filter { $0 != " " }.firstIndex(of: "l"))
    let index = sketch.filter { $0 != " " }.distance(
      from: sketch.filter { $0 != " " }.startIndex, to: place)
    let leg = try Sketch.id(list, index)
    let gaps = Constraints(Trip(list)).validGaps(leg)
    #expect(gaps.map { Sketch.word($0, list) } == expected)
  }

  @Test("CONS-03: on one day a leg stands below the game it leaves and above the one it reaches")
  func sameDay() throws {
    let list = try Sketch.list("cAAcBBcl")
    let leg = try Sketch.id(list, 7)
    let gaps = Constraints(Trip(list)).validGaps(leg)
    #expect(gaps.map { Sketch.word($0, list) } == ["1:A2-c3", "1:c3-B4"])
  }

  @Test(
    "CONS-02: the local rule is the literal one wherever that allows anything, for all games up to seven"
  )
  func localEqualsLiteral() throws {
    var sequences = [""]
    var all = [""]
    for _ in 0..<7 {
      sequences = sequences.flatMap { sequence in "ABO".map { sequence + String($0) } }
      all += sequences
    }
    #expect(all.count == 3_280)
    for sequence in all {
      var games = CityIndex()
      for (place, letter) in sequence.enumerated() {
        games.add(City(id: nil, name: .string(String(letter))), at: place)
      }
      let route = Route(
        from: City(id: nil, name: "a"), to: City(id: nil, name: " b "), games: games)
      let boundaries = 0...sequence.count
      let nearest = boundaries.filter { route.isValid(at: $0) }
      let literal = boundaries.filter { route.isLiterallyValid(at: $0) }
      #expect(!nearest.isEmpty)
      #expect(literal.isEmpty || literal == nearest)
      // Both rules once more, word for word.
      let letters = Array(sequence)
      #expect(
        literal
          == boundaries.filter { !letters[..<$0].contains("B") && !letters[$0...].contains("A") })
      #expect(
        nearest
          == boundaries.filter {
            letters[..<$0].last { $0 != "O" } != "B" && letters[$0...].first { $0 != "O" } != "A"
          })
      // The intervals say the same as the boundaries one by one.
      let fromIntervals = route.intervals().filter(\.isValid).flatMap { interval in
        boundaries.filter {
          $0 > interval.left ?? -1 && $0 <= interval.right ?? sequence.count
        }
      }
      #expect(fromIntervals == nearest)
    }
  }

  @Test("CONS-02: the gaps of a trip follow the rules, for all games up to four")
  func gapsFollowTheRules() throws {
    var sequences = [""]
    var all = [""]
    for _ in 0..<4 {
      sequences = sequences.flatMap { sequence in "ABO".map { sequence + String($0) } }
      all += sequences
    }
    for sequence in all {
      let list = try Sketch.list(sequence + "l")
      let constraints = Constraints(Trip(list))
      let leg = try Sketch.id(list, sequence.count)
      let letters = Array(sequence)
      let gaps = try (0...letters.count).map { place in
        Gap(
          day: 1, above: place > 0 ? try Sketch.id(list, place - 1) : nil,
          below: place < letters.count ? try Sketch.id(list, place) : nil)
      }
      let literal = gaps.filter { constraints.allows(leg, in: $0, rule: .literal) }
      let valid = gaps.filter { constraints.allows(leg, in: $0) }
      #expect(constraints.validGaps(leg) == valid)
      #expect(!valid.isEmpty)
      #expect(literal.isEmpty || literal == valid)
      let allowed = gaps.indices.filter {
        !letters[..<$0].contains("B") && !letters[$0...].contains("A")
      }
      #expect(literal == allowed.map { gaps[$0] })
    }
  }

  @Test("CONS-04: a custom item may stand in every gap")
  func customIsValidEverywhere() throws {
    var random = SplitMix64(seed: 31)
    for _ in 0..<1_000 {
      let sketch = (0..<random.next(below: 8)).map { _ in Array("ABOlkc  ")[random.next(below: 8)] }
      let list = try Sketch.list(String(sketch) + "c")
      let custom = try Sketch.id(list, list.count - 1)
      let trip = Trip(list)
      let constraints = Constraints(trip)
      let gaps = constraints.validGaps(custom)
      #expect(gaps.count == Int(trip.dayCount) + list.count - 1)
      #expect(Set(gaps).count == gaps.count)
      #expect(gaps.allSatisfy { constraints.allows(custom, in: $0) })
      // Legs: exactly the gaps of all items that are valid one by one.
      for (index, item) in list.enumerated() where ItemKind(item["kind"]) == .travel {
        let all = constraints.gaps(0...list.count, without: index)
        #expect(
          constraints.validGaps(item.id)
            == all.filter { constraints.allows(item.id, in: $0) })
      }
    }
  }

  @Test func itemsBeyondTheTripCountAsBarriers() throws {
    let list = try Plain.list(
      #"{"id":"t","startDate":"2026-06-11","days":2,"items":["#
        + [
          Plain.item("A", #""kind":"game","city":"A","day":0"#),
          Plain.item("x", #""day":1"#), Plain.item("l", #""kind":"travel","from":"A","to":"B""#),
          Plain.item("B", #""kind":"game","city":"B","day":3"#),
        ].joined(separator: ",") + "]}")
    let constraints = Constraints(Trip(list))
    let leg = ForeignIdentity.item("l")
    #expect(
      constraints.validGaps(leg).map { Sketch.word($0, list) } == ["1:-x", "1:x-", "2:-"])
    #expect(constraints.validDayRange(leg) == 1...2)
    #expect(constraints.barrierGames(leg).count == 2)
    let custom = ForeignIdentity.item("x")
    #expect(constraints.validGaps(custom).count == 3)
    #expect(!constraints.allows(custom, in: Gap(day: 0, above: nil, below: nil)))
    #expect(!constraints.allows(custom, in: Gap(day: 3, above: nil, below: nil)))
    #expect(
      !constraints.allows(
        ItemID(high: 1, low: 1), in: Gap(day: 1, above: nil, below: nil)))
  }

  @Test(arguments: [
    ("Al  B", 1, [1...3]), ("l", 0, [1...1]), ("c  l", 1, [1...3]),
    ("Al B A B", 1, [1...2, 3...4]),
    ("A  Bl", 2, [1...3]),
  ])
  func dayRanges(_ sketch: String, _ place: Int, _ ranges: [ClosedRange<Int64>]) throws {
    let list = try Sketch.list(sketch)
    let leg = try Sketch.id(list, place)
    let constraints = Constraints(Trip(list))
    #expect(constraints.validDayRanges(leg) == ranges)
    #expect(constraints.validDayRange(leg) == ranges[0])
  }

  // The leg in question is the last `l` or `k`; the games are those around its home.
  @Test(arguments: [
    ("Al B", [0, 2]), ("A Bl", [0, 1]), ("A B A lB", [2, 4]), ("A Bl A B", [0, 1]),
    // The earlier home is taken by another leg of the route.
    ("AlB lAB", [4, 5]), ("AB l ", [0, 1]),
    // One below is bounded on both sides, the one above is open.
    ("B l ABA", [2, 3]),
  ])
  func homes(_ sketch: String, _ games: [Int]) throws {
    let letters = sketch.filter { $0 != " " }
    let list = try Sketch.list(sketch)
    let place = try #require(Array(letters).lastIndex(of: "l"))
    let leg = try Sketch.id(list, place)
    let expected = try games.map { try Sketch.id(list, $0) }
    #expect(Constraints(Trip(list)).barrierGames(leg) == expected)
  }

  @Test func resolvedGaps() throws {
    let list = try Sketch.list("cccc c ")
    let trip = Trip(list)
    let ids = try (0..<5).map { try Sketch.id(list, $0) }
    func resolved(_ day: Int64, _ above: Int?, _ below: Int?, moving: Int? = nil) -> String? {
      trip.resolve(
        Gap(day: day, above: above.map { ids[$0] }, below: below.map { ids[$0] }),
        moving: moving.map { ids[$0] }
      ).map { Sketch.word($0, list) }
    }
    #expect(resolved(1, 0, 1) == "1:c0-c1")
    #expect(resolved(1, 0, 2) == "1:c0-c1")
    #expect(resolved(1, 0, nil) == "1:c0-c1")
    #expect(resolved(1, nil, 2) == "1:c1-c2")
    #expect(resolved(1, 4, 2) == "1:c1-c2")
    #expect(resolved(1, 4, 4) == "1:-c0")
    #expect(resolved(1, nil, nil) == "1:-c0")
    #expect(resolved(3, nil, nil) == "3:-")
    #expect(resolved(3, 0, 1) == "3:-")
    #expect(resolved(4, nil, nil) == nil)
    #expect(resolved(0, nil, nil) == nil)
    #expect(resolved(1, 0, 2, moving: 1) == "1:c0-c2")
    #expect(resolved(1, 1, 2, moving: 1) == "1:c0-c2")
    #expect(resolved(2, nil, nil, moving: 4) == "2:-")
  }
}

@Suite struct CityTests {
  @Test(arguments: [
    ("Boston", "boston", true), (" New\u{a0} York ", "new york", true), ("A", "B", false),
    ("é", "e\u{301}", true), ("ISTANBUL", "istanbul", true), ("", "", false), (" ", " ", false),
    ("a b", "ab", false),
  ])
  func names(_ left: String, _ right: String, _ isSame: Bool) {
    let left = City(id: nil, name: .string(left))
    let right = City(id: nil, name: .string(right))
    #expect(left.matches(right) == isSame)
    #expect(right.matches(left) == isSame)
  }

  @Test func idsDecideOnlyIfBothHaveOne() {
    let one = City(id: "1", name: "Boston")
    #expect(one.matches(City(id: "1", name: "Elsewhere")))
    #expect(!one.matches(City(id: "2", name: "Boston")))
    #expect(one.matches(City(id: nil, name: "boston")))
    #expect(one.matches(City(id: "", name: "boston")))
    #expect(!City(id: "é", name: nil).matches(City(id: "e\u{301}", name: nil)))
    #expect(!City(id: nil, name: nil).matches(City(id: nil, name: nil)))
    #expect(!City(id: 7, name: 7).matches(City(id: 7, name: 7)))
  }
}
