import Betwixt
import BetwixtTrips
import TestSupport
import Testing

/// Many rows of one text, of which some come and go: logs, rounds, calls to the same firm.
@Suite struct ManyTwinsTests {
  private static func file(_ rows: [String], head: String = "Date,Title,Notes") throws -> TripFile {
    try Plain.file("\(head)\n" + rows.map { $0 + "\n" }.joined(), "r.csv")
  }

  private static func rows(_ numbers: some Sequence<Int>, day: Int = 11) -> [String] {
    numbers.map { "2026-06-\(day),Tea,n\($0)" }
  }

  private static func notes(_ list: ReplicatedList) -> [String] {
    list.map { $0["note"]?.string ?? "" }
  }

  /// A document that took so many rows in.
  private static func list(of numbers: Range<Int>) throws -> ReplicatedList {
    try TripImport(file(rows(numbers)), into: Plain.list(Plain.trip())).list
  }

  private static func entries(_ list: ReplicatedList) -> [[Entry]] {
    list.allItems().map { $0.entries }
  }

  /// The last of many, alone, are the last ones, however many stand before them.
  @Test(arguments: [5, 20, 100, 400])
  func aFileOfTheLastOnes(count: Int) throws {
    let list = try Self.list(of: 0..<count)
    let result = try TripImport(Self.file(Self.rows(count - 3..<count)), into: list)
    #expect(Self.entries(result.list) == Self.entries(list))
    #expect(result.counts == .init(unchanged: 3))
  }

  /// A log loses its oldest rows and gets new ones; what was written here stays where it was.
  @Test(arguments: [0, 1, 7, 30])
  func aLog(step: Int) throws {
    var me = Replica(test: 1)
    var list = try Self.list(of: 0..<40)
    for index in stride(from: 3, to: 40, by: 9) {
      try list.set("address", of: list[index].id, to: .string("a\(index)"), by: &me)
    }
    var start = 0
    for _ in 0..<(step == 0 ? 1 : 3) {
      start += step
      let result = try TripImport(Self.file(Self.rows(start..<start + 40)), into: list)
      #expect(result.counts == .init(added: step, unchanged: 40 - step), "from \(start)")
      list = result.list
    }
    #expect(Self.notes(list).sorted() == (0..<start + 40).map { "n\($0)" }.sorted())
    for item in list {
      guard let address = item["address"]?.string else { continue }
      #expect(item["note"]?.string == "n" + address.dropFirst())
    }
  }

  /// Rows taken from the middle, in another order.
  @Test func anySelectionIsNoNews() throws {
    for seed in 0..<40 as Range<UInt64> {
      var random = SplitMix64(seed: seed)
      let count = 30 + random.next(below: 60)
      let list = try Self.list(of: 0..<count)
      var numbers = (0..<count).filter { _ in random.next(below: 3) == 0 }
      for index in numbers.indices.reversed() {
        numbers.swapAt(index, random.next(below: index + 1))
      }
      let result = try TripImport(Self.file(Self.rows(numbers)), into: list)
      #expect(Self.entries(result.list) == Self.entries(list), "seed \(seed)")
    }
  }

  /// A column more: each row is still the item that it was, whatever was written there since.
  @Test func aColumnMore() throws {
    var me = Replica(test: 2)
    for above in [false, true] {
      var list = try Self.list(of: 0..<6)
      let ids = list.map { $0.id }
      try list.set("phone", of: ids[4], to: "4711", by: &me)
      try list.set("note", of: ids[1], to: "mine", by: &me)
      try list.move(ids[2], toOffset: 0, inSection: 2, by: &me)
      var rows = (0..<6).map { "2026-06-11,Tea,n\($0),street \($0)" }
      if above { rows.insert("2026-06-11,Tea,new,street new", at: 0) }
      let result = try TripImport(Self.file(rows, head: "Date,Title,Notes,Address"), into: list)
      for (index, id) in ids.enumerated() {
        let item = try #require(result.list[id: id])
        #expect(item["address"]?.string == "street \(index)", "\(above)")
        #expect(item["note"]?.string == (index == 1 ? "mine" : "n\(index)"))
        #expect(item["phone"] == (index == 4 ? "4711" : nil))
        #expect(item.section == (index == 2 ? 2 : 1))
      }
      #expect(result.counts.added == (above ? 1 : 0))
    }
  }

  /// However many stand in another order with a column more.
  @Test(arguments: [20, 100, 500]) func aColumnMoreInAnotherOrder(count: Int) throws {
    var me = Replica(test: 4)
    var list = try Self.list(of: 0..<count)
    let ids = list.map { $0.id }
    try list.set("phone", of: ids[3], to: "4711", by: &me)
    let rows = (0..<count).reversed().map { "2026-06-11,Tea,n\($0),street \($0)" }
    let result = try TripImport(Self.file(rows, head: "Date,Title,Notes,Address"), into: list)
    #expect(result.counts == .init(updated: count))
    for (index, id) in ids.enumerated() {
      let item = try #require(result.list[id: id])
      #expect(item["note"]?.string == "n\(index)" && item["address"]?.string == "street \(index)")
    }
  }

  /// What somebody wrote by hand is not the row of the same text that came from a file.
  @Test func aHandMadeTwinIsLeftAlone() throws {
    var me = Replica(test: 3)
    for isFirst in [false, true] {
      var list = try TripImport(
        Self.file(["2026-06-11,Tea,a"]), into: Plain.list(Plain.trip())
      ).list
      let imported = list[0].id
      let own = try list.insert(["title": "Tea"], at: isFirst ? 0 : 1, inSection: 1, by: &me)
      let result = try TripImport(Self.file(["2026-06-11,Tea,b"]), into: list)
      #expect(result.list[id: imported]?["note"] == "b")
      #expect(result.list[id: own]?["note"] == nil)
      #expect(result.counts == .init(updated: 1))
    }
  }

  /// One that stands below another is changed by the file, and rows came in above.
  @Test func oneOfManyIsChangedByTheFile() throws {
    for seed in 0..<40 as Range<UInt64> {
      var random = SplitMix64(seed: seed)
      let count = 2 + random.next(below: 50)
      let list = try Self.list(of: 0..<count)
      var rows = Self.rows(0..<count)
      let place = 1 + random.next(below: count - 1)
      rows[place] = "2026-06-11,Tea,other"
      if random.next(below: 2) == 0 { rows.insert(contentsOf: Self.rows([900, 901]), at: 0) }
      let result = try TripImport(Self.file(rows), into: list)
      #expect(result.counts.updated == 1, "seed \(seed)")
      #expect(result.list[id: list[place].id]?["note"] == "other", "seed \(seed)")
      let again = try TripImport(Self.file(rows), into: result.list)
      #expect(again.list.digest == result.list.digest, "seed \(seed)")
    }
  }
}
