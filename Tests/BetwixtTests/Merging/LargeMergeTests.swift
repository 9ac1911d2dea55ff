import Betwixt
import Testing

@Suite("Large merges")
struct LargeMergeTests {
  // The invariant checks look at every item after every edit.
  #if BETWIXT_CHECKS
  private static let size = 400
  #else
  private static let size = 20_000
  #endif

  // Made once: what is tested here is merging.
  private static let base: ReplicatedList = {
    let device = Device(ReplicatedList(id: World.listID), replica: 1, clock: World.startOfTime)
    fill(device, size)
    return device.list
  }()

  private static func fill(_ device: Device, _ count: Int) {
    for number in 0..<count / 2 {
      _ = try? device.list.append(["n": .int64(Int64(number))], by: &device.me)
      _ = try? device.list.prepend(by: &device.me)
    }
  }

  private func device(_ list: ReplicatedList, _ replica: UInt64) -> Device {
    Device(list, replica: replica, clock: World.startOfTime)
  }

  /// Old ids brought up to date with reported changes only.
  private func mirror(_ ids: [ItemID], _ changes: ListChanges) -> [ItemID] {
    var ids = ids
    changes.apply(to: &ids) { $0 }
    return ids
  }

  // Test threads have small stacks, so recursion over items would end here.
  @Test("20,000 items and 2,000 others, made apart, in both directions")
  func disjoint() {
    let other = device(ReplicatedList(id: World.listID), 2)
    Self.fill(other, Self.size / 10)
    var merged = Self.base
    let changes = merged.merge(other.list)
    #expect(merged.count == Self.size + Self.size / 10)
    #expect(changes.inserted.count == Self.size / 10 && changes.removed.isEmpty)
    #expect(mirror(Self.base.map(\.id), changes) == merged.map(\.id))
    other.list.merge(Self.base.delta(since: other.list.version))
    #expect(other.list == merged && other.list.version == merged.version)
  }

  @Test("2,000 of 20,000 items moved about by both sides")
  func moved() throws {
    let left = device(Self.base, 2)
    let right = device(Self.base, 3)
    var source = ChoiceSource(seed: 4)
    for device in [left, right] {
      for _ in 0..<Self.size / 10 {
        let place = source.next(below: Self.size)
        try device.list.move(
          fromOffset: place, toOffset: source.next(below: Self.size + 1), by: &device.me)
      }
    }
    let old = left.list.map(\.id)
    var merged = left.list
    let changes = merged.merge(right.list.delta(since: merged.version))
    right.list.merge(left.list.delta(since: right.list.version))
    #expect(merged == right.list && merged.count == Self.size)
    #expect(mirror(old, changes) == merged.map(\.id))
  }

  @Test("all 20,000 items removed by the other side")
  func removed() throws {
    let left = device(Self.base, 2)
    let right = device(Self.base, 3)
    while let place = right.list.indices.last { try right.list.remove(at: place, by: &right.me) }
    let changes = left.list.merge(right.list.delta(since: left.list.version))
    #expect(left.list.isEmpty && changes.removed.count == Self.size)
    #expect(left.list == right.list)
  }
}
