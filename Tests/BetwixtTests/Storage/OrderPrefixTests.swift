import Testing

@testable import Betwixt

@Suite("The prefix of a place")
struct OrderPrefixTests {
  /// Places as comparing them by hand tells them apart.
  private struct Place: Equatable {
    var section: Int64
    var key: SortKey

    static func < (left: Place, right: Place) -> Bool {
      left.section != right.section
        ? left.section < right.section
        : left.key.bytes.lexicographicallyPrecedes(right.key.bytes)
    }
  }

  private static func authors(_ names: [UInt64]) -> OrderAuthors {
    OrderAuthors(names.map { ReplicaID(rawValue: $0) })
  }

  /// Keys as they come: between others, by authors that are close to each other, of numbers that
  /// were imported, and at great depth.
  private static func places(_ choices: inout ChoiceSource) throws -> [Place] {
    let names = [1, 2, 0xff, 0x100, UInt64.max, UInt64(choices.next(below: 1 << 40))]
    let sections = [0, 0, 0, 1, -1, 32_767, 32_768, -32_768, -32_769, .max, .min] as [Int64]
    var places: [Place] = []
    var keys: [SortKey] = []
    for number in 0..<300 {
      let author = choices.pick(names)
      let key: SortKey
      if number % 5 == 0 {
        let tenths = Double(choices.next(below: 40)) / 10 - 2
        key = try SortKey(
          importing: number % 2 == 0 ? tenths.rounded() : tenths,
          of: ItemID(high: author, low: UInt64(number)))
      } else {
        let index = choices.next(below: keys.count + 1)
        key = try SortKey.between(
          index > 0 ? keys[index - 1] : nil, index < keys.count ? keys[index] : nil,
          replica: ReplicaID(rawValue: author), counter: Int64(1 + choices.next(below: 1 << 40)))
      }
      keys.append(key)
      keys.sort()
      places.append(Place(section: choices.pick(sections), key: key))
    }
    return places
  }

  @Test("codes never order two places the wrong way round", arguments: 0..<8 as Range<UInt64>)
  func codesOrderAsPlacesDo(seed: UInt64) throws {
    var choices = ChoiceSource(seed: seed)
    let places = try Self.places(&choices)
    for names in [[], [1], [2, 0x100], [1, 2, 0xff, 0x100, .max], Array(1...200)] as [[UInt64]] {
      let authors = Self.authors(names)
      var toldApart = 0
      let codes = places.map {
        OrderCode(section: $0.section, key: $0.key.bytes[...], authors: authors)
      }
      for (left, leftPlace) in zip(codes, places) {
        for (right, rightPlace) in zip(codes, places) {
          let prefixes = (OrderPrefix(left), OrderPrefix(right))
          if prefixes.0 != prefixes.1 {
            #expect((prefixes.0 < prefixes.1) == (leftPlace < rightPlace))
            toldApart += 1
          } else if left.low != right.low {
            #expect((left.low < right.low) == (leftPlace < rightPlace))
          }
        }
      }
      #expect(toldApart > places.count * places.count / 2)
    }
  }

  @Test("the section is told where it fits, and the start of one stands before all its keys")
  func sections() throws {
    let key = try SortKey(importing: -.greatestFiniteMagnitude, of: ItemID(high: 0, low: 0))
    let authors = Self.authors([])
    for section in [0, 5, -32_767, 32_766] as [Int64] {
      let code = OrderCode(section: section, key: key.bytes[...], authors: authors)
      #expect(OrderPrefix(code).section == section)
      let start = OrderPrefix(OrderCode(section: section, key: [], authors: authors))
      #expect(start < OrderPrefix(code))
    }
    for section in [.min, -32_769, -32_768, 32_767, 32_768, .max] as [Int64] {
      let code = OrderCode(section: section, key: key.bytes[...], authors: authors)
      #expect(OrderPrefix(code).section == nil)
    }
  }

  @Test("neighbours by one author are told apart without a look at their keys")
  func neighboursOfOneAuthor() throws {
    var list = ReplicatedList(id: ListID(high: 0, low: 1))
    var replica = Replica(id: ReplicaID(rawValue: 0x0123_4567_89ab_cdef)) { .zero }
    for _ in 0..<1_000 { try list.append(by: &replica) }
    let entries = list.order.entries
    let ties = zip(entries, entries.dropFirst()).count { $0.prefix == $1.prefix }
    #expect(ties == 0)
  }
}
