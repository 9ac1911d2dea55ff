import Betwixt
import Testing

@Suite("The difference of two lists leads from one to the other")
struct DifferenceTests {
  @Test("it brings a mirror up to date, and names what differs")
  func mirror() throws {
    for seed in 0..<80 as Range<UInt64> {
      var source = ChoiceSource(seed: seed)
      var generator = EntryGenerator(items: 12)
      var left = ReplicatedList(id: World.listID)
      var right = left
      left.merge(try Delta(generator.entries(40, from: &source)))
      right.merge(try Delta(generator.entries(40, from: &source)))
      if source.chance(1, in: 2) { right.merge(left) }
      let changes = left.difference(to: right)
      var ids = left.map(\.id)
      changes.apply(to: &ids) { $0 }
      #expect(ids == right.map(\.id), "seed \(seed)")
      for update in changes.updated {
        #expect(left[update.oldIndex].id == update.id, "seed \(seed)")
        #expect(right[update.newIndex].id == update.id, "seed \(seed)")
      }
      check(changes, left, right, seed)
    }
  }

  /// The named registers are exactly those whose values differ on items that both show.
  private func check(
    _ changes: ListChanges, _ left: ReplicatedList, _ right: ReplicatedList, _ seed: UInt64
  ) {
    for item in left where right.contains(id: item.id) {
      let named = changes.updated.first { $0.id == item.id }?.registers ?? []
      let other = right[id: item.id]?.entries ?? []
      // A cleared field has no value, like one that was never written.
      let value = { (entries: [Entry], register: Register) in
        entries.first { $0.register == register && $0.value != .field(nil) }?.value
      }
      let registers = Set((item.entries + other).map(\.register)).subtracting([.life, .position])
      let differing = registers.filter { value(item.entries, $0) != value(other, $0) }
      #expect(named == differing.sorted(), "seed \(seed)")
    }
  }

  @Test("a list does not differ from itself or from its copy through a delta")
  func nothing() throws {
    var source = ChoiceSource(seed: 1)
    var generator = EntryGenerator()
    var list = ReplicatedList(id: World.listID)
    list.merge(try Delta(generator.entries(60, from: &source)))
    var copy = ReplicatedList(id: World.listID)
    copy.merge(list)
    #expect(list.difference(to: list).isEmpty && list.difference(to: copy).isEmpty)
    #expect(copy == list && copy.digest == list.digest)
  }
}
