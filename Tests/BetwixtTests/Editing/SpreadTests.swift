import Betwixt
import Testing

@Suite("Making room")
struct SpreadTests {
  private static func replica(_ number: UInt64, _ limit: Int) -> Replica {
    var replica = Replica(id: ReplicaID(rawValue: number)) { World.startOfTime }
    replica.limits.keyByteCount = limit
    return replica
  }

  /// Two writers narrow one gap in turn, from both sides.
  private static func narrow(
    _ list: inout ReplicatedList, _ count: Int, _ limit: Int,
    _ body: (ItemID, ItemID, ItemID, Int64) -> Void
  ) throws {
    var me = replica(1, limit)
    var you = replica(2, limit)
    var left = try list.append(by: &me)
    var right = try list.append(by: &you)
    for number in 0..<count {
      let isFirst = number % 2 == 0
      let before = me.sequence + you.sequence
      let item =
        isFirst
        ? try list.insert(after: left, by: &me) : try list.insert(before: right, by: &you)
      body(left, item, right, me.sequence + you.sequence - before)
      if number % 3 == 0 { left = item } else { right = item }
    }
  }

  @Test("ends, keeps the order, and seldom moves more than 32 items", arguments: 8...64)
  func ends(limit: Int) throws {
    var list = ReplicatedList(id: World.listID)
    var placed: [[ItemID]] = []
    var total: Int64 = 0
    try Self.narrow(&list, 60, limit) { left, item, right, writes in
      total += writes
      placed.append([left, item, right])
    }
    #expect(list.count == 62)
    #expect(total <= 60 * (2 + 32))
    for items in placed {
      let places = items.compactMap { list.index(id: $0) }
      #expect(places.count == 3 && places == places.sorted(), "limit \(limit)")
    }
  }

  @Test("leaves an item room for its own move, however late its time", arguments: 12...40)
  func lateTimes(limit: Int) throws {
    var list = ReplicatedList(id: World.listID)
    try Self.narrow(&list, 30, limit) { _, _, _, _ in }
    let late = Timestamp(rawValue: Timestamp.max.rawValue - 1)
    var builder = Delta.Builder()
    for entry in list.delta(since: VersionVector()).entries where entry.register == .position {
      try builder.add(
        Entry(
          item: entry.item, register: entry.register, value: entry.value,
          stamp: Stamp(time: try #require(late), replica: entry.stamp.replica),
          sequence: entry.sequence))
    }
    list.merge(builder.build())
    var me = Self.replica(3, limit)
    for place in 1..<list.count - 1 {
      let item = list[0].id
      let before = list
      do {
        try list.move(item, toOffset: place + 1, by: &me)
        #expect(list.index(id: item) == place)
      } catch {
        #expect(list == before, "an edit that failed has changed something")
      }
      list = before
    }
  }
}
