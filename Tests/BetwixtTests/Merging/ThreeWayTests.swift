import Betwixt
import Testing

@Suite("Three replicas edit one item at once")
struct ThreeWayTests {
  /// What one replica does to the item, which is removed at the start or not.
  enum Deed: CaseIterable {
    case edit
    case moveAcross
    case remove
    case restore
    case nothing
  }

  private func perform(_ deed: Deed, _ item: ItemID, on device: Device) throws {
    switch deed {
    case .edit:
      try device.list.set(
        "title", of: item, to: .int64(Int64(device.me.id.rawValue)), by: &device.me)
    case .moveAcross where device.list.contains(id: item):
      try device.list.move(
        item, toOffset: 0, inSection: Int64(device.me.id.rawValue), by: &device.me)
    case .remove: try device.list.remove(item, by: &device.me)
    case .restore: try device.list.restore(item, by: &device.me)
    case .moveAcross, .nothing: break
    }
  }

  private static let orders = [
    [0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0],
  ]

  @Test("every mix of deeds merges to one list, in every order", arguments: [false, true])
  func everyMix(startsRemoved: Bool) throws {
    let base = Device(ReplicatedList(id: World.listID), replica: 9, clock: World.startOfTime)
    try base.list.append(by: &base.me)
    let item = try base.list.append(["title": "old"], by: &base.me)
    if startsRemoved { try base.list.remove(item, by: &base.me) }
    for first in Deed.allCases {
      for second in Deed.allCases {
        for third in Deed.allCases {
          let deeds = [first, second, third]
          let devices = (0..<3).map { number in
            Device(base.list, replica: UInt64(number + 1), clock: World.startOfTime)
          }
          for (deed, device) in zip(deeds, devices) { try perform(deed, item, on: device) }
          let merged = Self.orders.map { order in
            devices[order[0]].list.merging(devices[order[1]].list)
              .merging(devices[order[2]].list)
          }
          try check(merged, item, deeds, startsRemoved)
        }
      }
    }
  }

  private func check(
    _ merged: [ReplicatedList], _ item: ItemID, _ deeds: [Deed], _ startsRemoved: Bool
  ) throws {
    let list = merged[0]
    for other in merged {
      #expect(other == list && other.map(\.id) == list.map(\.id), "\(deeds)")
      #expect(other.digest == list.digest, "\(deeds)")
    }
    let wanted = startsRemoved ? deeds.contains(.restore) : !deeds.contains(.remove)
    #expect(list.contains(id: item) == wanted, "\(deeds) \(startsRemoved)")
    #expect(list.count == (wanted ? 2 : 1), "\(deeds)")
    let found = try #require(list[id: item])
    // All wrote in one millisecond on one old entry, so the greatest replica wins each register.
    let editor = deeds.lastIndex(of: .edit)
    #expect(found["title"] == (editor.map { .int64(Int64($0 + 1)) } ?? "old"), "\(deeds)")
    let mover = startsRemoved ? nil : deeds.lastIndex(of: .moveAcross)
    #expect(found.section == Int64(mover.map { $0 + 1 } ?? 0), "\(deeds)")
  }
}
