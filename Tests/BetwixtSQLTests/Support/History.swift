import Betwixt
import TestSupport

/// Edits of several replicas with clocks of their own, some of them clones, and all their deltas.
struct History {
  private(set) var deltas: [Delta] = []
  private(set) var whole: ReplicatedList
  /// Whether two devices gave one number to two writes.
  let hasClones: Bool

  private struct Device {
    var list: ReplicatedList
    var replica: ReplicaID
    var sequence: Int64 = 0
    var clock: Int64
  }

  init(seed: UInt64, list: ListID, edits: Int) throws {
    var random = SplitMix64(seed: seed)
    whole = ReplicatedList(id: list)
    hasClones = random.next(below: 2) == 0
    var devices: [Device] = []
    for number in 0..<3 + UInt64(random.next(below: 3)) {
      // Of half of them the signed number is negative.
      let replica = number % 2 == 0 ? number + 1 : UInt64.max - number
      let skew = Int64(random.next(below: 3) - 1) * 60_000
      devices.append(
        Device(
          list: ReplicatedList(id: list), replica: ReplicaID(rawValue: replica),
          clock: 1_777_000_000_000 + skew))
    }
    for _ in 0..<edits {
      let who = random.next(below: devices.count)
      switch random.next(below: 12) {
      case 0 where hasClones:
        // A clone: another device goes on with the same numbers, and perhaps with the same clock.
        let other = random.next(below: devices.count)
        devices[other].replica = devices[who].replica
        devices[other].sequence = devices[who].sequence
        if random.next(below: 2) == 0 { devices[other].list = devices[who].list }
      case 1, 2, 3:
        let other = random.next(below: devices.count)
        let news = devices[who].list.delta(since: devices[other].list.version)
        deltas.append(news)
        devices[other].list.merge(news)
      default: try edit(&devices[who], &random)
      }
    }
    for device in devices { deltas.append(device.list.delta(since: [:])) }
    for delta in deltas { whole.merge(delta) }
  }

  private mutating func edit(_ device: inout Device, _ random: inout SplitMix64) throws {
    let now = device.clock
    if random.next(below: 3) > 0 { device.clock += 1 }
    var me = Replica(id: device.replica, sequence: device.sequence) { now }
    let before = device.list.version
    for _ in 0...random.next(below: 2) { try Self.edit(&device.list, by: &me, &random) }
    device.sequence = me.sequence
    let delta = device.list.delta(since: before)
    deltas.append(random.next(below: 2) == 0 ? delta : delta.forStorage)
  }

  private static func edit(
    _ list: inout ReplicatedList, by me: inout Replica, _ random: inout SplitMix64
  ) throws {
    let name: FieldName = ["title", "größe", "n\u{0}"][random.next(below: 3)]
    guard let id = list.isEmpty ? nil : list[random.next(below: list.count)].id else {
      _ = try list.append([name: value(&random)], by: &me)
      return
    }
    switch random.next(below: 9) {
    case 0, 1, 2:
      let section = Int64(random.next(below: 3)) - 1
      try list.insert(
        [name: value(&random)], at: random.next(below: list.indices(inSection: section).count + 1),
        inSection: section, by: &me)
    case 3: try list.move(id, toOffset: 0, inSection: Int64(random.next(below: 3)) - 1, by: &me)
    case 4: try list.remove(id, by: &me)
    case 5:
      if let gone = list.allItems().first(where: \.isRemoved) { try list.restore(gone.id, by: &me) }
    case 6: try list.clear(name, of: id, by: &me)
    case 7: try list.set("name", of: .root, to: value(&random), by: &me)
    default: try list.set(name, of: id, to: value(&random), by: &me)
    }
  }

  private static func value(_ random: inout SplitMix64) -> FieldValue {
    switch random.next(below: 6) {
    case 0: .bool(random.next(below: 2) == 0)
    case 1: .int64(Int64(bitPattern: random.next()))
    case 2: .double(Double(random.next(below: 1000)) / 8)
    case 3: .bytes([0, 0x27, 0x5c, UInt8(random.next(below: 256))])
    case 4: .string("a'b\\c\u{0}\n|,\(random.next(below: 100))")
    default: .string("Lunch \(random.next(below: 100))")
    }
  }
}
