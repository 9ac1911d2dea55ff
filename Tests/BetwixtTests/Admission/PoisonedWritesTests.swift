import Testing

@testable import Betwixt

/// Which writes of a list no policy would let in: found by a look at a few numbers of each page.
@Suite("Writes that would not be let in")
struct PoisonedWritesTests {
  /// What somebody finds who looks at everything.
  private func poisoned(
    _ list: ReplicatedList, under policy: AdmissionPolicy
  ) -> [WithheldWrite] {
    list.delta(since: [:]).entries.sorted { ($0.item, $0.register) < ($1.item, $1.register) }
      .compactMap { entry in policy.objection(to: entry).map { WithheldWrite(entry, because: $0) } }
  }

  @Test("of pages that are packed, loose or both, under any policy")
  func areFound() throws {
    var count = 0
    for seed in 0..<60 as Range<UInt64> {
      var source = ChoiceSource(seed: seed)
      var generator = EntryGenerator(items: source.pick([2, 6, 150]))
      var list = ReplicatedList(id: World.listID)
      for _ in 0..<source.pick([1, 3]) {
        list.merge(try Delta(generator.entries(source.pick([3, 40, 400]), from: &source)))
        if source.chance(1, in: 2) { list.pack() }
      }
      var policy = AdmissionPolicy(now: source.pick([nil, -1, 0, 1, 2, 3]))
      policy.timeAhead = Int64(source.next(below: 2))
      policy.lifeSlack = UInt64(source.pick([0, 1, 2, 1 << 16]))
      let found = list.poisoned(under: policy)
      #expect(found == poisoned(list, under: policy), "seed \(seed)")
      count += found.count
    }
    #expect(count > 500)
  }

  @Test("no page is looked through that holds none")
  func costsLittle() throws {
    var me = Replica(id: ReplicaID(rawValue: 1)) { World.startOfTime }
    var list = ReplicatedList(id: World.listID)
    for number in 0 as Int64..<1_000 { try list.append(["n": .int64(number)], by: &me) }
    let policy = AdmissionPolicy(now: World.startOfTime)
    for _ in 0..<2 {
      #expect(list.store.branches.allSatisfy { !$0.pages.contains { policy.mayObject(to: $0) } })
      list.pack()
    }
    var ahead = Replica(id: ReplicaID(rawValue: 2)) { World.startOfTime + 90_000_000 }
    try list.set("n", of: list[500].id, to: 7, by: &ahead)
    #expect(list.store.branches.flatMap(\.pages).count { policy.mayObject(to: $0) } == 1)
    #expect(list.poisoned(under: policy).count == 1)
  }
}
