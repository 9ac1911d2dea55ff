import Testing

@testable import Betwixt

@Suite("Sorting arrivals by place")
struct ArrivalSortingTests {
  /// How the places of a list lie to each other.
  enum Shape: CaseIterable {
    /// In turn at the end, at the start and in the middle of near and far sections.
    case sections
    /// At the end, each after the one before.
    case appended
    /// All between the same two, so that codes agree for longer than their first bits tell.
    case between
    /// Numbers that somebody else chose, most of them close together and some far away.
    case imported
  }

  private func list(_ shape: Shape, count: Int) throws -> ReplicatedList {
    var source = ChoiceSource(seed: 5)
    var list = ReplicatedList(id: World.listID)
    var me = Replica(id: ReplicaID(rawValue: 1 << 60), clock: { World.startOfTime })
    var other = Replica(id: ReplicaID(rawValue: 2), clock: { World.startOfTime })
    for _ in 0..<count {
      if source.chance(1, in: 3) {
        try add(to: &list, shape, by: &other, &source)
      } else {
        try add(to: &list, shape, by: &me, &source)
      }
    }
    return list
  }

  private func add(
    to list: inout ReplicatedList, _ shape: Shape, by me: inout Replica,
    _ source: inout ChoiceSource
  ) throws {
    switch shape {
    case .sections:
      let section = source.pick([.min, -32_768, -1, 0, 1, 32_767, .max] as [Int64])
      let count = list.indices(inSection: section).count
      try list.insert(
        at: source.pick([0, count / 2, count]), inSection: section, by: &me)
    case .appended:
      try list.append(by: &me)
    case .between:
      try list.insert(at: min(list.count, 1), by: &me)
    case .imported:
      let id = try list.append(by: &me)
      let near = 1 + Double(source.next(below: 1 << 20)) / 1e12
      let far = Double(source.next(below: 1 << 40)) * 1e9
      let order = source.chance(1, in: 50) ? far : near
      try list.place(id, atSortOrder: order, inSection: 0, by: &me)
    }
  }

  @Test("in any order, few and many", arguments: Shape.allCases, [0, 1, 2, 23, 24, 25, 400, 3_000])
  func sorts(shape: Shape, count: Int) throws {
    #if BETWIXT_CHECKS
    let count = min(count, 200)
    #endif
    let list = try list(shape, count: count)
    let sorted = list.order.entries.enumerated().map { place, entry in
      Arrival(entry.slot, touched: place, in: list.store)
    }
    #expect(sorted.count == count)
    var source = ChoiceSource(seed: UInt64(count))
    // Sorted by no more than the first bytes of their codes.
    let nearly = sorted.reversed().sorted { $0.entry.prefix.first < $1.entry.prefix.first }
    let any = source.shuffled(sorted)
    for arrivals in [sorted, sorted.reversed(), nearly, any, source.shuffled(any)] {
      var arrivals = arrivals
      arrivals.sortByPlace(in: list.store)
      #expect(arrivals.map(\.touched) == Array(0..<count))
    }
  }
}
