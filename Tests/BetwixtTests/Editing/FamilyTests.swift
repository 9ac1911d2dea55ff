import Testing

@testable import Betwixt

/// The ids of new items: a family for each commit, so that numbers that come twice make two items.
@Suite struct FamilyTests {
  private static let me = ReplicaID(rawValue: 7)

  /// A writer whose families count up from a number.
  private static func writer(_ first: UInt64) -> Replica {
    let next = Counter(first)
    return Replica(id: me, families: { next.next() }, clock: { 1_777_000_000_000 })
  }

  @Test func withoutFamiliesItemsAreNamedAfterTheirFirstWrite() throws {
    var me = Replica(id: Self.me) { 0 }
    var list = ReplicatedList(id: ListID(high: 1, low: 2))
    #expect(try list.append(by: &me) == ItemID(family: 7, sequence: 1))
    me.endCommit()
    #expect(try list.append(by: &me) == ItemID(family: 7, sequence: 3))
  }

  @Test func itemsOfACommitShareAFamilyAndThoseOfTheNextDoNot() throws {
    var me = Self.writer(100)
    var list = ReplicatedList(id: ListID(high: 1, low: 2))
    #expect(try list.append(by: &me) == ItemID(family: 100, sequence: 1))
    #expect(try list.append(by: &me) == ItemID(family: 100, sequence: 3))
    me.endCommit()
    #expect(try list.append(by: &me) == ItemID(family: 101, sequence: 5))
  }

  /// The list goes back to an older copy, and with it the numbers of its writer.
  @Test func numbersThatComeTwiceMakeTwoItems() throws {
    let old = ReplicatedList(id: ListID(high: 1, low: 2))
    var first = Self.writer(100)
    var second = Self.writer(200)
    var (here, there) = (old, old)
    let flight = try here.append(["title": "Flight", "note": "conf-123"], by: &first)
    let dinner = try there.append(["title": "Dinner"], by: &second)
    for merged in [here.merging(there), there.merging(here)] {
      #expect(merged.count == 2)
      #expect(merged[id: flight]?["note"] == "conf-123")
      #expect(merged[id: flight]?["title"] == "Flight")
      #expect(merged[id: dinner]?["title"] == "Dinner")
      #expect(merged[id: dinner]?["note"] == nil)
    }
    #expect(here.merging(there).digest == there.merging(here).digest)
  }

  private final class Counter: @unchecked Sendable {
    private var value: UInt64

    init(_ first: UInt64) { value = first }

    func next() -> UInt64 {
      defer { value += 1 }
      return value
    }
  }
}
