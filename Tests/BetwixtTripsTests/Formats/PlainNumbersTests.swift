import Betwixt
import BetwixtTrips
import TestSupport
import Testing

@Suite struct PlainNumbersTests {
  private let me = ReplicaID(rawValue: 0x00c0_ffee_00c0_ffee)

  /// A day of items, each a number and an id, in the order given.
  private func numbers(_ items: [(Double, UInt64)], distinct: Bool = false) -> [Double] {
    let day = items.map { PlainNumbers.Place(number: $0.0, id: ItemID(high: 7, low: $0.1)) }
    return PlainNumbers.assign(day, distinct: distinct)
  }

  @Test func numbersThatRiseAreLeftAlone() {
    #expect(numbers([]) == [])
    #expect(numbers([(-3, 9), (0, 2), (1.5, 1), (1_180, 4)]) == [-3, 0, 1.5, 1_180])
    #expect(numbers([(2, 1), (2, 2), (2, 9), (3, 1)]) == [2, 2, 2, 3])
  }

  @Test func aRunWhoseIDsDoNotRiseIsSpread() {
    #expect(numbers([(2, 2), (2, 1)]) == [2, 2.5])
    #expect(numbers([(2, 2), (2, 1), (2.5, 1)]) == [2, 2.25, 2.5])
    #expect(numbers([(2, 3), (2, 1), (2, 2), (2, 4), (9, 1)]) == [2, 2.25, 2.5, 2.75, 9])
    #expect(numbers([(-0.5, 2), (-0.5, 1)]) == [-0.5, -0.25])
    #expect(numbers([(-3, 2), (-3, 1), (5, 1)]) == [-3, -2.5, 5])
    #expect(numbers([(1_180, 2), (1_180, 1), (1_200, 3)]) == [1_180, 1_180.5, 1_200])
  }

  @Test func distinctSpreadsEveryRun() {
    #expect(numbers([(2, 1), (2, 2), (3, 1)], distinct: true) == [2, 2.5, 3])
    #expect(numbers([(2, 1), (3, 1)], distinct: true) == [2, 3])
  }

  @Test func idsCountAsKeysDo() {
    // The lower half of an id is a signed number in a key.
    #expect(numbers([(2, .max), (2, 1)]) == [2, 2])
    #expect(numbers([(2, 1), (2, .max)]) == [2, 2.5])
  }

  @Test func whereNoNumberIsLeftNeighboursGiveWay() {
    let big = 1e17
    #expect(numbers([(big, 2), (big, 1), (big, 0)]) == [big, big.nextUp, big.nextUp.nextUp])
    let next = 2.0.nextUp
    #expect(numbers([(2, 2), (2, 1), (next, 5)]) == [2, next, next])
    #expect(numbers([(2, 2), (2, 1), (next, 0)]) == [2, next, next.nextUp])
    let top = Double.greatestFiniteMagnitude
    #expect(numbers([(1, 1), (top, 2), (top, 1)]) == [1, top.nextDown, top])
    #expect(
      numbers([(top.nextDown, 1), (top, 2), (top, 1)], distinct: true)
        == [top.nextDown.nextDown, top.nextDown, top])
  }

  @Test func anyDayComesBackInItsOrder() throws {
    var random = SplitMix64(seed: 21)
    for round in 0..<400 {
      let pool: [Double] = [-2, -0.5, 0, 1, 1, 1.0.nextUp, 2, 1e17, .greatestFiniteMagnitude]
      var keys: [(key: SortKey, id: ItemID)] = []
      for index in 0..<(1 + random.next(below: 12)) {
        let id = ItemID(high: UInt64(random.next(below: 2)), low: random.next())
        // Some keys are imported and some were made between others, with their numbers.
        let key: SortKey
        if keys.isEmpty || random.next(below: 2) == 0 {
          key = try SortKey(importing: pool[random.next(below: pool.count)], of: id)
        } else {
          let place = random.next(below: keys.count + 1)
          key = try SortKey.between(
            place > 0 ? keys[place - 1].key : nil, place < keys.count ? keys[place].key : nil,
            replica: me, counter: Int64(round * 100 + index + 1))
        }
        guard !keys.contains(where: { $0.key == key || $0.id == id }) else { continue }
        keys.append((key, id))
        keys.sort { $0.key < $1.key }
      }
      for distinct in [false, true] {
        let places = keys.map { PlainNumbers.Place(number: $0.key.approximateSortOrder, id: $0.id) }
        let numbers = PlainNumbers.assign(places, distinct: distinct)
        let imported = try zip(numbers, keys).map { try SortKey(importing: $0, of: $1.id) }
        #expect(zip(imported, imported.dropFirst()).allSatisfy { $0 < $1 })
        if distinct { #expect(zip(numbers, numbers.dropFirst()).allSatisfy { $0 < $1 }) }
      }
    }
  }
}
