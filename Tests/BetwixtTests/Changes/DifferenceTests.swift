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

  @Test("changes rise by place")
  func order() throws {
    let device = Device(ReplicatedList(id: World.listID), replica: 1, clock: World.startOfTime)
    for number in 0..<12 { try device.list.append(["n": .int64(Int64(number))], by: &device.me) }
    let (old, ids) = (device.list, device.list.map(\.id))
    for place in [7, 2, 5] { try device.list.move(ids[place], toOffset: 0, by: &device.me) }
    for place in [9, 0, 4] { try device.list.set("n", of: ids[place], to: -1, by: &device.me) }
    try device.list.move(ids[9], toOffset: 1, by: &device.me)
    for place in [8, 6, 10] { try device.list.remove(ids[place], by: &device.me) }
    for offset in [5, 0, 3] { try device.list.insert(at: offset, by: &device.me) }
    let changes = old.difference(to: device.list)
    let (coming, moved) = (changes.inserted.map(\.newIndex), changes.moved.map(\.newIndex))
    #expect(changes.removed.map(\.oldIndex) == [6, 8, 10])
    #expect(coming.count == 3 && coming == coming.sorted())
    #expect(moved.count == 4 && moved == moved.sorted())
    #expect(Set(changes.moved.map(\.id)) == Set([7, 2, 5, 9].map { ids[$0] }))
    let updated = changes.updated.map(\.newIndex)
    #expect(updated.count == 3 && updated == updated.sorted())
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
