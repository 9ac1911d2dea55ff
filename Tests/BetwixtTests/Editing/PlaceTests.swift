import Betwixt
import Testing

@Suite("Placing by keys")
struct PlaceTests {
  private static func device(_ count: Int) throws -> Device {
    let device = Device(ReplicatedList(id: World.listID), replica: 1, clock: World.startOfTime)
    for number in 0..<count { try device.list.append(["n": .int64(Int64(number))], by: &device.me) }
    return device
  }

  private static func code(_ edit: () throws -> Void) -> EditFailure.Code? {
    do {
      try edit()
      return nil
    } catch {
      return (error as? EditFailure)?.code
    }
  }

  /// What a list has to show: by section, key, id.
  private static func sorted(_ list: ReplicatedList) -> [ItemID] {
    list.allItems().filter { list.contains(id: $0.id) }.sorted { left, right in
      if left.section != right.section { return left.section ?? 0 < right.section ?? 0 }
      guard let first = left.key, let second = right.key else { return false }
      return first != second ? first < second : left.id < right.id
    }.map(\.id)
  }

  @Test("an item stands between the keys it was placed between, new or not", arguments: 0..<6)
  func betweenKeys(seed: UInt64) throws {
    let device = try Self.device(5)
    var source = ChoiceSource(seed: seed)
    for round in 0..<120 {
      var keys = device.list.compactMap(\.key)
      // A key that belongs to no item here.
      keys.append(
        try SortKey(
          importing: Double(source.next(below: 9)), of: ItemID(high: 4, low: UInt64(round))))
      let pair = [source.pick(keys), source.pick(keys)].sorted()
      let left = source.chance(1, in: 5) ? nil : pair[0]
      let right = source.chance(1, in: 5) ? nil : pair[1]
      if let left, let right, left == right { continue }
      let section = Int64(source.next(below: 3)) - 1
      var item = source.pick(device.list).id
      let before = device.me.sequence
      if source.chance(1, in: 2) {
        item = try device.list.insert(
          ["n": 7], between: left, and: right, inSection: section, by: &device.me)
        #expect(device.me.sequence == before + 3)
      } else {
        try device.list.place(
          item, between: left, and: right, inSection: section, by: &device.me)
        #expect(device.me.sequence == before + 1)
      }
      let key = try #require(device.list[id: item]?.key)
      #expect(left.map { $0 < key } ?? true, "seed \(seed), round \(round)")
      #expect(right.map { key < $0 } ?? true, "seed \(seed), round \(round)")
      #expect(device.list[id: item]?.section == section)
      #expect(device.list.map(\.id) == Self.sorted(device.list), "seed \(seed), round \(round)")
    }
  }

  @Test("keys out of order, and items that cannot be placed, change nothing")
  func refused() throws {
    let device = try Self.device(3)
    let before = device.list
    let sequence = device.me.sequence
    let (id, left, right) = (device.list[0].id, device.list[0].key, device.list[1].key)
    let stranger = ItemID(high: 9, low: 9)
    let cases: [(EditFailure.Code, (inout ReplicatedList, inout Replica) throws -> Void)] = [
      (.noRoom, { try $0.place(id, between: right, and: left, inSection: 0, by: &$1) }),
      (.noRoom, { try $0.place(id, between: left, and: left, inSection: 0, by: &$1) }),
      (.noRoom, { try $0.insert([:], between: right, and: left, inSection: 0, by: &$1) }),
      (.unknownItem, { try $0.place(stranger, between: left, and: right, inSection: 0, by: &$1) }),
      (.unknownItem, { try $0.place(.root, between: left, and: right, inSection: 0, by: &$1) }),
      (.invalidValue, { try $0.place(.root, atSortOrder: 1, inSection: 0, by: &$1) }),
      (.invalidValue, { try $0.place(id, atSortOrder: .infinity, inSection: 0, by: &$1) }),
      (.invalidValue, { try $0.place(id, atSortOrder: .nan, inSection: 0, by: &$1) }),
    ]
    for (number, (code, edit)) in cases.enumerated() {
      #expect(Self.code { try edit(&device.list, &device.me) } == code, "case \(number)")
    }
    #expect(device.list == before && device.list.map(\.id) == before.map(\.id))
    #expect(device.me.sequence == sequence)
  }

  // Not even of the list's own metadata, which was written and so is there.
  @Test("the root stands nowhere")
  func root() throws {
    let device = try Self.device(1)
    try device.list.set("name", of: .root, to: "Trip", by: &device.me)
    let (before, item) = (device.list, device.list[0].id)
    let edits: [(inout ReplicatedList, inout Replica) throws -> Void] = [
      { try $0.place(.root, between: nil, and: nil, inSection: 0, by: &$1) },
      { try $0.move(.root, toOffset: 0, by: &$1) },
      { try $0.move([item, .root], toOffset: 0, by: &$1) },
      { try $0.move(.root, before: item, by: &$1) },
      { try $0.move(item, after: .root, by: &$1) },
      { try $0.insert([:], before: .root, by: &$1) },
      { try $0.remove(.root, by: &$1) },
      { try $0.restore(.root, by: &$1) },
    ]
    for (number, edit) in edits.enumerated() {
      #expect(Self.code { try edit(&device.list, &device.me) } == .unknownItem, "edit \(number)")
    }
    #expect(Self.code { try device.list.create(.root, by: &device.me) } == .invalidValue)
    #expect(device.list == before && device.list[id: .root]?.entries.count == 1)
  }

  @Test("an imported number is written where it is not there yet, and only there")
  func atSortOrder() throws {
    let device = try Self.device(3)
    let id = device.list[0].id
    func writes(_ number: Double, _ section: Int64) throws -> Int64 {
      let before = device.me.sequence
      try device.list.place(id, atSortOrder: number, inSection: section, by: &device.me)
      #expect(device.list[id: id]?.key == (try SortKey(importing: number, of: id)))
      #expect(device.list[id: id]?.section == section)
      #expect(device.list.map(\.id) == Self.sorted(device.list))
      return device.me.sequence - before
    }
    #expect(try writes(2.5, 0) == 1)
    #expect(try writes(2.5, 0) == 0)
    #expect(try writes(2.5, 1) == 1)
    #expect(try writes(2.5, 1) == 0)
    #expect(try writes(-7, 1) == 1)
    try device.list.move(id, toOffset: 0, inSection: 0, by: &device.me)
    #expect(try writes(-7, 0) == 1)
    let removed = device.list[1].id
    try device.list.remove(removed, by: &device.me)
    try device.list.place(removed, atSortOrder: 100, inSection: 0, by: &device.me)
    #expect(!device.list.contains(id: removed))
    try device.list.restore(removed, by: &device.me)
    #expect(device.list.map(\.id).last == removed)
  }

  @Test("an item that nobody knew is shown where it was placed once it is created")
  func newItem() throws {
    let device = try Self.device(2)
    let item = ItemID(high: 5, low: 5)
    try device.list.place(item, atSortOrder: 0, inSection: 0, by: &device.me)
    #expect(device.list.count == 2 && device.list[id: item]?.key != nil)
    try device.list.create(item, by: &device.me)
    #expect(device.list.index(id: item) == 0)
    let before = device.me.sequence
    try device.list.create(item, by: &device.me)
    #expect(device.me.sequence == before)
  }
}
