import Betwixt
import BetwixtTesting

/// Three replicas of a list with two items.
struct SmallWorld {
  private static let items = [ItemID(high: 1, low: 1), ItemID(high: 1, low: 2)]
  private static let now: Int64 = 1_777_000_000_000

  private var lists: [ReplicatedList]
  private let ids: [ReplicaID]

  /// For each list, the greatest number it has met of each replica, claimed or not.
  private var met: [[ReplicaID: Int64]] = [[:], [:], [:]]

  /// Every entry that was ever written, and a hash of them.
  private var written: [Entry] = []
  private var writtenKey = StateKey()

  init(isRising: Bool) throws {
    ids = (1...3).map { ReplicaID(rawValue: UInt64(isRising ? $0 : 4 - $0)) }
    var list = ReplicatedList(id: ListID(high: 7, low: 7))
    var builder = Delta.Builder()
    for (number, item) in SmallWorld.items.enumerated() {
      let stamp = Stamp(time: Timestamp(milliseconds: 0), replica: ReplicaID(rawValue: 9))
      let sequence = Int64(number * 2 + 1)
      let key = try SortKey(importing: Double(number), of: item)
      try builder.add(
        Entry(item: item, register: .life, value: .life(1), stamp: stamp, sequence: sequence))
      try builder.add(
        Entry(
          item: item, register: .position, value: .position(section: 0, key: key), stamp: stamp,
          sequence: sequence + 1))
    }
    builder.cover(ReplicaID(rawValue: 9), after: 0, through: 4)
    list.merge(builder.build())
    lists = [list, list, list]
  }

  /// Tells states apart: by what all lists hold, claim and have met, and by what was ever written, of
  /// which ``check()`` asks.
  var key: StateKey {
    var bytes: [UInt8] = []
    for (list, met) in zip(lists, met) {
      bytes += list.digest.bytes
      for id in ids {
        for number in [list.version[id], met[id] ?? 0] {
          bytes.append(UInt8(truncatingIfNeeded: number))
        }
      }
    }
    var key = writtenKey
    key.add(bytes)
    return key
  }

  // MARK: Steps

  mutating func run(_ step: Step) throws {
    try perform(step)
    for place in lists.indices { lists[place].settleDigest() }
  }

  private mutating func perform(_ step: Step) throws {
    switch step {
    case .toggle(let replica, let item):
      try edit(replica) { list, me in
        let id = SmallWorld.items[item]
        if list.contains(id: id) {
          try list.remove(id, by: &me)
          try require(!list.contains(id: id), "a removed item is shown")
        } else {
          try list.restore(id, by: &me)
          try require(list.contains(id: id), "a restored item is not shown")
        }
      }
    case .move(let replica, let item):
      try edit(replica) { list, me in try SmallWorld.move(item, in: &list, by: &me) }
    case .changeSection(let replica, let item):
      try edit(replica) { list, me in
        let id = SmallWorld.items[item]
        let section: Int64 = list[id: id]?.section == 0 ? 1 : 0
        try list.move(id, toOffset: 0, inSection: section, by: &me)
        try require(list[id: id]?.section == section, "an item is not in its section")
      }
    case .set(let replica, let item):
      try edit(replica) { list, me in
        let value = FieldValue.int64(Int64(replica))
        try list.set("field", of: SmallWorld.items[item], to: value, by: &me)
        try require(list[id: SmallWorld.items[item]]?["field"] == value, "a value is not shown")
      }
    case .send(let from, let to):
      let whole = lists[to].merging(lists[from])
      take(lists[from].delta(since: lists[to].version), at: to)
      try require(
        lists[to] == whole && lists[to].version == whole.version,
        "a delta brings something else than the whole list")
    case .sendUnclaimed(let from, let to):
      var builder = Delta.Builder()
      for entry in lists[from].delta(since: lists[to].version).entries { try builder.add(entry) }
      take(builder.build(), at: to)
    }
  }

  private mutating func take(_ delta: Delta, at replica: Int) {
    for entry in delta.entries { meet(entry.dot, at: replica) }
    lists[replica].merge(delta)
  }

  private mutating func meet(_ dot: Dot, at replica: Int) {
    met[replica][dot.replica] = max(met[replica][dot.replica] ?? 0, dot.sequence)
  }

  /// To the end of its section if it stands at the start, else to the start.
  private static func move(
    _ item: Int, in list: inout ReplicatedList, by me: inout Replica
  ) throws {
    let id = items[item]
    guard let section = list[id: id]?.section else { return }
    let places = list.indices(inSection: section)
    let isFirst = list.index(id: id) == places.lowerBound
    try list.move(id, toOffset: isFirst ? places.count : 0, inSection: section, by: &me)
    guard let place = list.index(id: id) else { return }
    try require(
      place == (isFirst ? places.upperBound - 1 : places.lowerBound),
      "a moved item is not where it was put")
  }

  private mutating func edit(
    _ replica: Int, _ body: (inout ReplicatedList, inout Replica) throws -> Void
  ) throws {
    let id = ids[replica]
    var me = Replica(id: id, sequence: lists[replica].version[id]) { SmallWorld.now }
    let before = lists[replica].version
    let sequence = me.sequence
    try body(&lists[replica], &me)
    let news = lists[replica].delta(since: before).entries
      .filter { $0.stamp.replica == id && $0.sequence > sequence }
    // An edit here writes each register once, so all its writes are shown.
    guard news.count == Int(me.sequence - sequence) else {
      throw Violation("an author does not see its own write")
    }
    for entry in news.sorted(by: { $0.sequence < $1.sequence }) {
      meet(entry.dot, at: replica)
      written.append(entry)
      writtenKey.add(entry.canonicalBytes)
    }
  }

  // MARK: Checks

  /// What must hold in every state.
  func check() throws {
    for list in lists {
      try require(list.map(\.id) == SmallWorld.shown(in: list), "another order than the keys'")
      for entry in written where list.version.covers(entry.dot) {
        let held = list[id: entry.item]?.entries.first { $0.register == entry.register }
        guard let held, !SmallWorld.wins(entry, over: held) else {
          throw Violation("\(entry.dot) is claimed, and neither it nor a greater write is held")
        }
      }
    }
    let all = lists[0].merging(lists[1]).merging(lists[2])
    let others = [
      lists[2].merging(lists[0]).merging(lists[1]), lists[1].merging(lists[2].merging(lists[0])),
      all.merging(lists[1]),
    ]
    for other in others {
      try require(other == all && other.digest == all.digest, "the order of merges matters")
      try require(other.map(\.id) == all.map(\.id), "equal lists are shown in different orders")
    }
  }

  private static func shown(in list: ReplicatedList) -> [ItemID] {
    let items = list.allItems().filter { !$0.lifeLength.isMultiple(of: 2) && $0.key != nil }
    return items.sorted { left, right in
      if left.section != right.section { return left.section ?? 0 < right.section ?? 0 }
      let (first, second) = (left.key?.bytes ?? [], right.key?.bytes ?? [])
      return first != second ? first.lexicographicallyPrecedes(second) : left.id < right.id
    }.map(\.id)
  }

  /// The order of writes, with values left out: here one stamp has one value.
  private static func wins(_ left: Entry, over right: Entry) -> Bool {
    if case .life(let first) = left.value, case .life(let second) = right.value, first != second {
      return first > second
    }
    return left.stamp > right.stamp
  }
}
