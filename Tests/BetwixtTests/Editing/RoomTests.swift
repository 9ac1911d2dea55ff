import Betwixt
import Testing

@Suite("A list is never without room")
struct RoomTests {
  private func device() -> Device {
    Device(ReplicatedList(id: World.listID), replica: 1, clock: World.startOfTime)
  }

  private func keyLengths(_ list: ReplicatedList) -> [Int] { list.map { $0.key?.bytes.count ?? 0 } }

  /// The order in which ids stand after each was inserted where `place` said.
  private func insert(
    _ count: Int, on device: Device, at place: (Int) -> Int
  ) throws -> [ItemID] {
    var ids = device.list.map(\.id)
    for number in 0..<count {
      let offset = place(number)
      ids.insert(try device.list.insert(at: offset, by: &device.me), at: offset)
    }
    return ids
  }

  /// Each new item goes between the last two, on alternating sides.
  private func zigzag(_ number: Int) -> Int { (number + 1) / 2 }

  // The invariant checks look at every item after every edit.
  #if BETWIXT_CHECKS
  static let limits = [24, 48]
  #else
  static let limits = [24, 64, 512]
  #endif

  @Test(
    "a zigzag at one gap keeps its order, its keys stay short and few items move",
    arguments: limits)
  func zigzag(limit: Int) throws {
    let device = device()
    device.me.limits.keyByteCount = limit
    let count = limit * 16
    let ids = try insert(count, on: device, at: zigzag)
    let isInOrder = device.list.map(\.id) == ids
    #expect(isInOrder)
    #expect(keyLengths(device.list).max() ?? 0 <= limit)
    // A new item takes two writes; the others are those of items that made room.
    let moves = device.me.sequence - 2 * Int64(count)
    #expect(moves > 0 && moves <= 3 * Int64(count), "\(moves) moves")
  }

  @Test("spreading is ordinary moves: another replica follows them")
  func spreadingSyncs() throws {
    let device = device()
    device.me.limits.keyByteCount = 24
    var other = device.list
    for number in 0..<80 {
      try device.list.insert(at: zigzag(number), by: &device.me)
      other.merge(device.list.delta(since: other.version))
      #expect(other == device.list && other.map(\.id) == device.list.map(\.id), "\(number)")
    }
    #expect(device.me.sequence > 160)
  }

  @Test("items that must stay where they are stay, and the list still takes items")
  func keptInPlace() throws {
    let device = device()
    device.me.limits.keyByteCount = 24
    device.me.keepsInPlace = { $0["fixed"] != nil }
    var fixed: [ItemID: SortKey?] = [:]
    for number in 0..<160 {
      let fields: Fields = number % 5 == 0 ? ["fixed": true] : [:]
      let id = try device.list.insert(fields, at: zigzag(number), by: &device.me)
      if number % 5 == 0 { fixed[id] = device.list[id: id]?.key }
    }
    #expect(device.list.count == 160)
    for (id, key) in fixed { #expect(device.list[id: id]?.key == key) }
    #expect(keyLengths(device.list).allSatisfy { $0 <= SortKey.maximumByteCount })
  }

  /// Items that stand under one key, as impostors make them.
  private func tied(_ count: Int, _ author: Int64 = 5) throws -> ReplicatedList {
    let replica = ReplicaID(rawValue: 9)
    let key = try SortKey.between(nil, nil, replica: replica, counter: author)
    var entries: [Entry] = []
    for number in 1...UInt64(count) {
      let item = ItemID(high: 77, low: number)
      let stamp = Stamp(time: Timestamp(milliseconds: 1), replica: replica)
      let life = RegisterValue.life(1)
      let position = RegisterValue.position(section: 0, key: key)
      for (register, value) in [(Register.life, life), (Register.position, position)] {
        entries.append(
          Entry(item: item, register: register, value: value, stamp: stamp, sequence: author))
      }
    }
    var list = ReplicatedList(id: World.listID)
    list.merge(try Delta(entries))
    return list
  }

  @Test("there is room between items with equal keys", arguments: [2, 5, 31, 32, 33, 40, 100])
  func equalKeys(count: Int) throws {
    for offset in 0...count {
      let device = device()
      device.list = try tied(count)
      var ids = device.list.map(\.id)
      #expect(ids == ids.sorted())
      ids.insert(try device.list.insert(at: offset, by: &device.me), at: offset)
      let isNear = count <= 33 || offset == 0 || offset == count
      if isNear { #expect(device.list.map(\.id) == ids, "offset \(offset)") }
      #expect(Set(device.list.map(\.id)) == Set(ids) && device.list.count == count + 1)
    }
  }

  @Test("an item moves between items with equal keys")
  func moveBetweenEqualKeys() throws {
    let device = device()
    device.list = try tied(4)
    let id = try device.list.append(by: &device.me)
    try device.list.move(id, toOffset: 2, by: &device.me)
    #expect(device.list.index(id: id) == 2)
    try device.list.move(device.list[0].id, toOffset: 2, by: &device.me)
    #expect(device.list.map(\.id.low).prefix(2) == [2, 1])
  }
}
