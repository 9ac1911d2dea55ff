import Betwixt
import Testing

// A merge that touches few items descends to each of their places; one that touches many builds the
// order anew. The same entries must lead both ways to the same list and the same changes.
@Suite("Few and many arrivals")
struct ArrivalTests {
  // Beyond 16 bits a section is not in the prefix that most comparisons end with.
  private static let sections: [Int64] = [-70_000, -1, 0, 1, 70_000]
  private static let size = 300

  private func base() throws -> ReplicatedList {
    let device = Device(
      ReplicatedList(id: World.listID), replica: 1, clock: World.startOfTime)
    for number in 0..<Self.size {
      let section = Self.sections[number % Self.sections.count]
      // In turn at the start and in the middle, so that keys become long and share their starts.
      let count = device.list.indices(inSection: section).count
      try device.list.insert(
        ["n": .int64(Int64(number))], at: number % 2 == 0 ? 0 : count / 2, inSection: section,
        by: &device.me)
    }
    return device.list
  }

  private func edit(_ device: Device, _ source: inout ChoiceSource) throws {
    let item = device.list.allItems().filter { $0.id != .root }
    let id = item[source.next(below: item.count)].id
    let section = Self.sections[source.next(below: Self.sections.count)]
    let count = device.list.indices(inSection: section).count
    switch source.next(below: 5) {
    case 0: try device.list.remove(id, by: &device.me)
    case 1: try device.list.restore(id, by: &device.me)
    case 2: try device.list.set("n", of: id, to: .int64(7), by: &device.me)
    case 3:
      try device.list.insert(
        at: source.next(below: count + 1), inSection: section, by: &device.me)
    default:
      try device.list.move(
        id, toOffset: source.next(below: count + 1), inSection: section, by: &device.me)
    }
  }

  @Test("one delta at once, and entry by entry", arguments: 0..<8)
  func atOnceOrOneByOne(seed: UInt64) throws {
    let base = try base()
    let device = Device(base, replica: 2, clock: World.startOfTime)
    var source = ChoiceSource(seed: seed)
    for _ in 0..<80 { try edit(device, &source) }
    let delta = device.list.delta(since: base.version)
    var atOnce = base
    var mirror = base.map(\.id)
    atOnce.merge(delta).apply(to: &mirror) { $0 }
    #expect(mirror == atOnce.map(\.id))
    var oneByOne = base
    var slowMirror = base.map(\.id)
    for entry in delta.entries {
      var builder = Delta.Builder()
      try builder.add(entry)
      oneByOne.merge(builder.build()).apply(to: &slowMirror) { $0 }
    }
    #expect(slowMirror == oneByOne.map(\.id))
    #expect(atOnce.map(\.id) == oneByOne.map(\.id))
    #expect(atOnce == oneByOne && atOnce == device.list)
  }
}
