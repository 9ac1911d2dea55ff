import Betwixt
import BetwixtTrips
import TestSupport
import Testing

@Suite struct TripComparisonTests {
  @Test func everyEditOfACopyIsListed() throws {
    let base = try Copies.file("follow-mexico", "base")
    let laptop = try Copies.file("follow-mexico", "laptop").list(base: base.list())
    // The edits are those that Resources/copies/README.md lists.
    #expect(
      TripComparison(from: base.list(), to: laptop).lines == [
        "~ the trip: name “Follow Mexico” → “Follow Mexico, all the way”",
        "~ “Fan march”: note “Meet at 10:00” → “Meet at 09:30”",
        "~ “Fan march”: title “Fan march to the stadium” → “Fan march”",
        "+ “Lucha libre”: day 2 before “Lunch”",
        "> “Museo Nacional de Antropología”: day 2 before “Lunch” → day 2 after “Lunch”",
        "~ “Mexico City → Monterrey (Guadalupe)”: duration 3 h 30 min → 11 h 30 min",
        "~ “Mexico City → Monterrey (Guadalupe)”: means of travel “flight” → “bus”",
        "~ “Museo de Historia Mexicana”: note nothing → “Closed on Mondays: go before 18:00”",
        "- “Buy presents”: day 24 after “Lunch”",
      ])
  }

  @Test func statesThatShowTheSameDoNotDiffer() throws {
    let list = try TripMerge(
      Copies.devices(of: "east-coast-june"), base: Copies.file("east-coast-june", "base")
    ).list
    let plain = try PlainTrip(PlainExport(list).bytes, file: "plain").list()
    #expect(TripJSON.encode(plain) != TripJSON.encode(list))
    #expect(TripComparison(from: list, to: plain).isEmpty)
    #expect(TripComparison(from: plain, to: list).lines.isEmpty)
  }

  @Test func whenACalendarWasWrittenIsNoDifference() throws {
    let old = try Plain.list(Plain.trip(Plain.item("a", #""title":"A""#)))
    let calendar = #""title":"A","icsModified":"20260501T100000Z","icsSequence":6"#
    let dated = try Plain.list(Plain.trip(Plain.item("a", calendar)))
    #expect(TripComparison(from: old, to: dated).isEmpty)
    #expect(TripComparison(from: dated, to: old).isEmpty)
    let other = try Plain.list(Plain.trip(Plain.item("b", calendar)))
    #expect(!TripComparison(from: old, to: other).jsonLines.contains { $0.contains("icsM") })
  }

  @Test func jsonLinesHoldBothValues() throws {
    let old = try Plain.list(Plain.trip(Plain.item("a", #""title":"A","n":1"#)))
    let new = try Plain.file(
      Plain.trip(Plain.item("a", #""title":"B","day":2,"n":null"#))
    ).list(base: old)
    let id = Plain.itemA.uuid
    #expect(
      TripComparison(from: old, to: new).jsonLines == [
        #"{"fields":{"n":{"old":1},"title":{"new":"B","old":"A"}},"#
          + #""from":{"section":1,"sortOrder":1.0},"item":"\#(id)","label":"B","moved":true,"#
          + #""to":{"section":2,"sortOrder":1.0}}"#
      ])
  }

  @Test func orderAmongEqualNumbersCounts() throws {
    let me = ReplicaID(rawValue: 5)
    let ids = (1...4).map { ItemID(high: 0xaaaa, low: $0) }
    func list(_ order: [Int]) throws -> ReplicatedList {
      var builder = Delta.Builder()
      var last: SortKey?
      var sequence: Int64 = 0
      for index in order {
        let stamp = Stamp(time: .zero, replica: me)
        sequence += 2
        let key: SortKey
        if let last {
          let end = try SortKey(importing: 1, of: ItemID(high: .max, low: 0))
          key = try SortKey.between(last, end, replica: me, counter: sequence)
        } else {
          key = try SortKey.between(
            try SortKey(importing: 1, of: ItemID(high: 0, low: 1)),
            try SortKey(importing: 1, of: ItemID(high: .max, low: 0)), replica: me,
            counter: sequence)
        }
        last = key
        #expect(key.approximateSortOrder == 1)
        for (register, value) in [
          (Register.life, RegisterValue.life(1)), (.position, .position(section: 1, key: key)),
        ] {
          try builder.add(
            Entry(
              item: ids[index], register: register, value: value, stamp: stamp,
              sequence: register == .life ? sequence - 1 : sequence))
        }
      }
      var list = ReplicatedList(id: ListID(high: 1, low: 1))
      list.merge(builder.build())
      return list
    }
    let straight = try list([0, 1, 2, 3])
    let oneMoved = try list([1, 2, 0, 3])
    let comparison = TripComparison(from: straight, to: oneMoved)
    #expect(comparison.changes.map(\.item) == [ids[0]])
    #expect(comparison.changes.map(\.isMoved) == [true])
    #expect(TripComparison(from: straight, to: straight).isEmpty)
  }

  /// A number is how a file says an order.
  @Test func otherNumbersOfOneOrderAreNoDifference() throws {
    var list = try Plain.list(Plain.trip())
    var me = Replica(test: 61)
    for title in ["A", "B", "C"] as [FieldValue] {
      try list.append(["kind": "custom", "title": title], toSection: 1, by: &me)
    }
    for format in [DocumentFormat.json, .csv] {
      let file = try TripFile(decoding: list.encoded(as: format).bytes, name: "f")
      // A table has no place for what the trip says of itself.
      let comparison = TripComparison(from: list, to: file.list())
      #expect(comparison.changes.filter { $0.item != .root } == [])
    }
    let moved = try Plain.file(Plain.numbered(list, "B", "A", "C")).list()
    #expect(TripComparison(from: list, to: moved).changes.map(\.isMoved) == [true])
  }

  @Test func longestRises() {
    var random = SplitMix64(seed: 8)
    for _ in 0..<300 {
      let values = (0..<random.next(below: 8)).map { _ in random.next(below: 9) }
      let rise = Rise.longest(values)
      #expect(rise == rise.sorted())
      #expect(zip(rise, rise.dropFirst()).allSatisfy { values[$0] < values[$1] })
      // Every subset, the longest of those that rise.
      var best = 0
      for subset in 0..<(1 << values.count) {
        let chosen = values.indices.filter { subset >> $0 & 1 == 1 }.map { values[$0] }
        if zip(chosen, chosen.dropFirst()).allSatisfy({ $0 < $1 }) {
          best = max(best, chosen.count)
        }
      }
      #expect(rise.count == best)
    }
  }
}
