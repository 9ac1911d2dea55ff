import Betwixt
import Testing

/// Entries, a floor, and the normal form, in the fewest words.
private struct NaiveFloor {
  var entries: [RegisterAddress: Entry] = [:]
  var floor = VersionVector()

  private func isGone(_ entry: Entry) -> Bool {
    guard entry.register != .life, entry.item != .root, floor.covers(entry.dot),
      let life = entries[RegisterAddress(entry.item, register: .life)],
      case .life(let length) = life.value
    else { return false }
    return length % 2 == 0 && floor.covers(life.dot)
  }

  mutating func raise(to other: VersionVector) {
    floor.formUnion(other)
    let gone = entries.filter { isGone($0.value) }.keys
    for address in gone { entries[address] = nil }
  }

  mutating func merge(_ delta: Delta) {
    raise(to: delta.floor)
    var theirs = NaiveFloor()
    for entry in delta.entries {
      theirs.entries[RegisterAddress(entry.item, register: entry.register)] = entry
    }
    theirs.raise(to: floor)
    // Lives first: what goes under the floor keeps nothing else out.
    let entries = theirs.entries.values.filter { $0.register == .life }
    join(entries)
    raise(to: [:])
    join(theirs.entries.values)
    raise(to: [:])
  }

  private mutating func join(_ others: some Sequence<Entry>) {
    for entry in others where !isGone(entry) {
      let address = RegisterAddress(entry.item, register: entry.register)
      if let held = entries[address], !held.isLess(than: entry) { continue }
      entries[address] = entry
    }
  }

  /// Items with a life and a place, and removed ones.
  var completeCount: Int {
    entries.values.count { life in
      guard life.register == .life, case .life(let length) = life.value else { return false }
      return entries[RegisterAddress(life.item, register: .position)] != nil
        || length % 2 == 0
    }
  }
}

/// Whatever a list is given, and in whatever order, it is in normal form under its floor.
@Suite struct FloorLawTests {
  private static func floor(_ source: inout ChoiceSource) -> VersionVector {
    var floor = VersionVector()
    for replica in 0..<5 as Range<UInt64> where source.next(below: 2) == 0 {
      floor[ReplicaID(rawValue: replica)] = Int64(source.next(below: 10))
    }
    return floor
  }

  private func check(_ list: ReplicatedList, _ naive: NaiveFloor, _ comment: Comment) {
    let entries = list.delta(since: [:]).entries
    #expect(Set(entries) == Set(naive.entries.values), comment)
    #expect(list.floor == naive.floor, comment)
    #expect(list.completeItemCount == naive.completeCount, comment)
    #expect(list.entryCount == entries.count, comment)
    var sum = EntrySum()
    for entry in entries { sum.add(entry) }
    #expect(list.digest == Digest(sum), comment)
  }

  private static func list(_ source: inout ChoiceSource) throws -> ReplicatedList {
    var generator = EntryGenerator(items: 4)
    var list = ReplicatedList(id: World.listID)
    list.merge(try Delta(generator.entries(2 + source.next(below: 20), from: &source)))
    list.raise(to: floor(&source))
    return list
  }

  @Test func wholeListsMergeInEitherOrder() throws {
    for seed in 0..<400 as Range<UInt64> {
      var source = ChoiceSource(seed: seed)
      let (left, right) = (try Self.list(&source), try Self.list(&source))
      let (one, other) = (left.merging(right), right.merging(left))
      #expect(one == other && one.floor == other.floor, "seed \(seed)")
      #expect(one.digest == other.digest && one.merging(left) == one, "seed \(seed)")
    }
  }

  @Test func aListIsInNormalForm() throws {
    for seed in 0..<150 as Range<UInt64> {
      var source = ChoiceSource(seed: seed)
      var generator = EntryGenerator(items: 3 + source.next(below: 80))
      var list = ReplicatedList(id: World.listID)
      var naive = NaiveFloor()
      for _ in 0..<(2 + source.next(below: 8)) {
        var builder = Delta.Builder()
        let count = source.next(below: source.next(below: 2) == 0 ? 6 : 80)
        for entry in generator.entries(count, from: &source) {
          try builder.add(entry)
        }
        if source.next(below: 2) == 0 { builder.forget(below: Self.floor(&source)) }
        let delta = builder.build()
        if source.next(below: 4) == 0 { list.settleDigest() }
        if source.next(below: 4) == 0 {
          let floor = Self.floor(&source)
          list.raise(to: floor)
          naive.raise(to: floor)
        }
        if source.next(below: 2) == 0 { list.join(delta) } else { list.mergeSettling(delta) }
        naive.merge(delta)
        check(list, naive, "seed \(seed)")
      }
      var copy = ReplicatedList(id: World.listID)
      copy.join(list.delta(since: [:]))
      check(copy, naive, "seed \(seed), loaded")
      copy.merge(list)
      #expect(copy == list && copy.map(\.id) == list.map(\.id), "seed \(seed)")
    }
  }
}
