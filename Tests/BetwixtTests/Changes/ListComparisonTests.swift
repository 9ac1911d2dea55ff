import Testing

@testable import Betwixt

/// What two lists differ in is found by pages, whatever way each of them came to what it holds; here
/// it is held against a look at every item of both.
@Suite struct ListComparisonTests {
  /// The difference item by item.
  private static func model(_ old: ReplicatedList, _ new: ReplicatedList) -> ListChanges {
    var changes = ListChanges()
    for (index, item) in old.enumerated() {
      guard let newIndex = new.index(id: item.id), let other = new[id: item.id] else {
        changes.removed.append(.init(id: item.id, oldIndex: index))
        continue
      }
      if item.section != other.section || item.key != other.key {
        changes.moved.append(.init(id: item.id, oldIndex: index, newIndex: newIndex))
      }
      let registers = registers(item, other)
      if !registers.isEmpty {
        changes.updated.append(
          .init(id: item.id, oldIndex: index, newIndex: newIndex, registers: registers))
      }
    }
    for (index, item) in new.enumerated() where !old.contains(id: item.id) {
      changes.inserted.append(.init(id: item.id, newIndex: index))
    }
    changes.moved.sort { $0.newIndex < $1.newIndex }
    changes.updated.sort { $0.newIndex < $1.newIndex }
    changes.metadata = registers(old[id: .root], new[id: .root])
    return changes
  }

  private static func registers(_ old: ListItem?, _ new: ListItem?) -> [Register] {
    let names = Set([old, new].flatMap { $0?.fields.map(\.name) ?? [] })
    return names.filter { old?[$0] != new?[$0] }.map { .field($0) }.sorted()
  }

  /// One edit by one of some people, who each write in one list only.
  private static func edit(
    _ list: inout ReplicatedList, by people: Int, _ random: inout ChoiceSource
  ) throws {
    let name = ReplicaID(rawValue: UInt64(1 + 5 * people + random.next(below: 5)))
    var me = Replica(id: name, sequence: list.version[name]) { World.startOfTime }
    let item = list.isEmpty ? nil : list[random.next(below: list.count)].id
    switch (random.next(below: 9), item) {
    case (0, let item?): try list.remove(item, by: &me)
    case (1...2, let item?): try list.move(item, toOffset: random.next(below: list.count), by: &me)
    case (3, let item?): try list.set("late", of: item, to: 7, by: &me)
    case (4, let item?):
      let text = String(repeating: "long ", count: random.next(below: 2) * 600 + 1)
      try list.set("text", of: item, to: .string(text), by: &me)
    case (5, _): try list.set("days", of: .root, to: .int64(Int64(random.next(below: 9))), by: &me)
    default:
      let offset = random.next(below: list.count + 1)
      try list.insert(["n": .int64(Int64(offset))], at: offset, by: &me)
    }
  }

  /// The same entries in a list of their own: loaded, or merged piece by piece in any order.
  private static func rebuilt(
    _ list: ReplicatedList, _ random: inout ChoiceSource
  ) throws -> ReplicatedList {
    var copy = ReplicatedList(id: list.id)
    if random.next(below: 2) == 0 {
      copy.join(list.delta(since: [:]))
    } else {
      var entries = list.delta(since: [:]).entries
      entries = random.shuffled(entries)
      while !entries.isEmpty {
        let count = min(entries.count, 1 + random.next(below: 80))
        copy.merge(try Delta(Array(entries.suffix(count))))
        entries.removeLast(count)
      }
      copy.merge(list)
    }
    if random.next(below: 3) == 0 { copy.settleDigest() }
    return copy
  }

  @Test(arguments: 0..<12 as Range<UInt64>) func whatDiffersIsFound(seed: UInt64) throws {
    var random = ChoiceSource(seed: seed)
    var base = ReplicatedList(id: World.listID)
    // More than a page, and sometimes more than one branch of pages.
    for _ in 0..<(seed % 4 == 0 ? 4_300 : 40 + random.next(below: 200)) {
      try Self.edit(&base, by: 0, &random)
    }
    var lists = [base, ReplicatedList(id: World.listID)]
    for people in 1...6 {
      var copy = lists[random.next(below: lists.count)]
      if random.next(below: 3) > 0 { copy = try Self.rebuilt(copy, &random) }
      for _ in 0..<[0, 1, 12][random.next(below: 3)] {
        try Self.edit(&copy, by: people, &random)
      }
      if random.next(below: 4) == 0 { copy.merge(lists[random.next(below: lists.count)]) }
      if random.next(below: 5) == 0 { copy.forget(below: copy.version) }
      lists.append(copy)
    }
    for left in lists {
      for right in lists {
        #expect(left.holdsSameEntries(as: right) == (left.digest == right.digest))
        #expect(left.difference(to: right) == Self.model(left, right))
      }
    }
  }

  @Test func anItemThatOnlyTheOtherHoldsIsFoundInAnyPage() throws {
    var me = Replica(id: ReplicaID(rawValue: 3)) { World.startOfTime }
    var list = ReplicatedList(id: World.listID)
    for number in 0..<64 { try list.append(["n": .int64(Int64(number))], by: &me) }
    var copy = ReplicatedList(id: World.listID)
    copy.join(list.delta(since: [:]))
    var early = Replica(id: ReplicaID(rawValue: 1)) { World.startOfTime }
    let item = try copy.append(["n": -1], by: &early)
    // Loaded again, it stands before all others.
    var other = ReplicatedList(id: World.listID)
    other.join(copy.delta(since: [:]))
    for (left, right) in [(list, copy), (list, other), (copy, list), (other, list)] {
      #expect(!left.holdsSameEntries(as: right))
    }
    #expect(list.difference(to: other).inserted.map(\.id) == [item])
    #expect(other.difference(to: list).removed.map(\.id) == [item])
    #expect(copy.holdsSameEntries(as: other) && copy.difference(to: other).isEmpty)
  }
}
