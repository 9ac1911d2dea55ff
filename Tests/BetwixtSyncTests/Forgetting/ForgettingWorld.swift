import Betwixt
import BetwixtSync
import TestSupport

/// How lists are exchanged: by sessions, or as the protocol does it with one of the ideas left out
/// that forgetting rests on.
enum Exchange: CaseIterable {
  case sessions
  case asDesigned
  /// Removed items are dropped as a whole, and nobody is told.
  case byAge
  /// What is dropped is what a floor takes, and nobody is told.
  case floorNotCarried
  /// Each side compares what it holds and not what is left under both floors.
  case digestWithoutNormalForm
  /// Of an item that was restored only what is new is sent, and contents are not compared.
  case restoreAsOneEntry
}

/// Devices and a server that forget whenever they like, each with a shadow that never forgets.
struct ForgettingWorld {
  /// A replica, its list, and the list that it would have if nobody ever forgot.
  final class Device {
    var list: ReplicatedList
    var shadow: ReplicatedList
    var me: Replica
    /// How many exchanges it will miss.
    var away = 0
    let takesFloor: Bool

    init(_ number: UInt64, clock: Clock, takesFloor: Bool = true) {
      list = ReplicatedList(id: ListID(high: 1, low: 2))
      shadow = list
      me = Replica(id: ReplicaID(rawValue: number)) { clock.now }
      self.takesFloor = takesFloor
    }
  }

  final class Clock: @unchecked Sendable {
    // Each world runs on one thread.
    var now: Int64 = 1_777_000_000_000
  }

  private static let foreign = (1...3).map { ItemID(high: 0xf, low: UInt64($0)) }

  private var random: SplitMix64
  private let clock = Clock()
  private let exchange: Exchange
  private let server: Device
  private var devices: [Device] = []

  /// What is wrong.
  private(set) var faults: [String] = []
  /// Registers of restored items that are missing or older than in the shadow.
  private(set) var price = 0
  private(set) var forgottenCount = 0
  private(set) var restoredCount = 0
  private(set) var comparedCount = 0

  init(seed: UInt64, _ exchange: Exchange) {
    random = SplitMix64(seed: seed)
    self.exchange = exchange
    // A server may keep to a floor of its own.
    server = Device(100, clock: clock, takesFloor: exchange != .sessions || seed % 3 != 0)
    for number in 0..<(2 + random.next(below: 3)) {
      devices.append(Device(UInt64(number + 1), clock: clock))
    }
  }

  mutating func run() {
    for _ in 0..<(20 + random.next(below: 100)) {
      step()
      guard faults.isEmpty else { return }
    }
    for _ in 0..<(server.takesFloor ? 3 : 8) {
      for device in devices { sync(device, server) }
      if random.next(below: 2) == 0 { forget(server) }
      guard faults.isEmpty else { return }
    }
    for device in devices {
      check(device)
      let floor = device.list.floor.union(server.list.floor)
      var (mine, theirs) = (device.list, server.list)
      mine.raise(to: floor)
      theirs.raise(to: floor)
      if mine != theirs { faults.append("diverged") }
    }
  }

  private mutating func step() {
    let device = devices[random.next(below: devices.count)]
    device.away = max(0, device.away - 1)
    switch random.next(below: 100) {
    case 0..<55: edit(device)
    case 55..<75: if device.away == 0 { sync(device, server) }
    case 75..<80:
      let other = devices[random.next(below: devices.count)]
      if other !== device, device.away == 0, other.away == 0 { sync(device, other) }
    case 80..<86: device.away = 3 + random.next(below: 10)
    case 86..<90: forget(device)
    case 90..<99: forget(server)
    default:
      if devices.count < 6 {
        devices.append(Device(UInt64(devices.count + 1), clock: clock))
      }
    }
  }

  // MARK: Edits

  private mutating func edit(_ device: Device) {
    clock.now += Int64(random.next(below: 2))
    let before = device.me.sequence
    do {
      try write(device)
    } catch {
      faults.append("an edit failed: \(error)")
    }
    let new = device.list.delta(since: VersionVector()).entries.filter {
      $0.stamp.replica == device.me.id && $0.sequence > before
    }
    var builder = Delta.Builder()
    for entry in new { try? builder.add(entry) }
    builder.cover(device.me.id, after: before, through: device.me.sequence)
    device.shadow.merge(builder.build())
  }

  private mutating func write(_ device: Device) throws {
    let items = device.list.delta(since: VersionVector()).entries.map { $0.item }
    let known = items.indices.filter { $0 == 0 || items[$0 - 1] != items[$0] }.map { items[$0] }
    let shown = device.list.map { $0.id }
    let number = FieldValue.int64(device.me.sequence)
    switch random.next(below: 10) {
    case 0, 1:
      guard random.next(below: 10) < 7 else {
        try create(Self.foreign[random.next(below: 3)], device)
        return
      }
      try device.list.insert(
        ["a": number], at: random.next(below: device.list.count + 1), by: &device.me)
    case 2, 3, 4:
      guard !shown.isEmpty else { return }
      try device.list.set(
        random.next(below: 2) == 0 ? "a" : "b", of: shown[random.next(below: shown.count)],
        to: number, by: &device.me)
    case 5:
      guard !shown.isEmpty else { return }
      try device.list.move(
        fromOffset: random.next(below: shown.count), toOffset: random.next(below: shown.count),
        by: &device.me)
    case 6, 7:
      guard !shown.isEmpty else { return }
      try device.list.remove(shown[random.next(below: shown.count)], by: &device.me)
    case 8:
      let removed = known.filter { device.list[id: $0]?.isRemoved == true }
      guard !removed.isEmpty else { return }
      restoredCount += 1
      let item = removed[random.next(below: removed.count)]
      try device.list.restore(item, by: &device.me)
      if device.list[id: item]?.isVisible != true { faults.append("restored without a place") }
    default:
      guard !known.isEmpty else { return }
      let item = known[random.next(below: known.count)]
      try device.list.set("b", of: item, to: number, by: &device.me)
    }
  }

  /// Makes an item that several devices know under one id, or brings it back.
  private func create(_ item: ItemID, _ device: Device) throws {
    guard device.list[id: item]?.isVisible != true else { return }
    try device.list.create(item, by: &device.me)
    try device.list.place(item, atSortOrder: 1, inSection: 0, by: &device.me)
  }

  private mutating func forget(_ device: Device) {
    switch exchange {
    case .byAge:
      let all = device.list.delta(since: VersionVector())
      let gone = all.rows.indices.filter { device.list[id: all.rows[$0].item]?.isRemoved == true }
      device.list = ReplicatedList(id: device.list.id)
      device.list.join(all.leavingOut(gone))
    case .floorNotCarried:
      device.list.forget(below: device.list.version)
      let all = device.list.delta(since: VersionVector())
      device.list = ReplicatedList(id: device.list.id)
      device.list.join(all.forgetting(below: VersionVector()))
    default:
      forgottenCount += device.list.forget(below: device.list.version)
    }
  }

  // MARK: Exchanges

  private mutating func sync(_ left: Device, _ right: Device) {
    let shadow = left.shadow.merging(right.shadow)
    (left.shadow, right.shadow) = (shadow, shadow)
    if exchange == .sessions { converse(left, right) } else { hand(left, right) }
  }

  private mutating func converse(_ left: Device, _ right: Device) {
    func setup(_ device: Device) -> SyncSetup {
      var setup = SyncSetup(replica: device.me.id)
      setup.takesFloor = device.takesFloor
      return setup
    }
    var pair = SyncPair(left.list, right.list, setup(left), setup(right))
    pair.run()
    guard pair.a.end == .finished, pair.b.end == .finished else {
      faults.append("a session ended with \(String(describing: pair.a.end))")
      return
    }
    if pair.a.reconciled { comparedCount += 1 }
    (left.list, right.list) = (pair.a.list, pair.b.list)
  }

  /// What a session does.
  private mutating func hand(_ left: Device, _ right: Device) {
    let floor = left.list.floor.union(right.list.floor)
    if exchange != .digestWithoutNormalForm {
      left.list.raise(to: floor)
      right.list.raise(to: floor)
    }
    let (there, back) = (news(left.list, right.list), news(right.list, left.list))
    left.list.merge(back)
    right.list.merge(there)
    guard left.list.digest != right.list.digest else { return }
    comparedCount += 1
    if exchange != .restoreAsOneEntry {
      let whole = left.list.delta(since: VersionVector()).forgetting(below: VersionVector())
      left.list.merge(right.list.delta(since: VersionVector()).forgetting(below: VersionVector()))
      right.list.merge(whole)
    }
    if left.list.digest != right.list.digest { faults.append("unequal") }
  }

  private func news(_ list: ReplicatedList, _ other: ReplicatedList) -> Delta {
    let delta = list.delta(since: other.version, floor: other.floor)
    guard exchange == .restoreAsOneEntry else {
      return delta.forgetting(below: VersionVector())
    }
    let known = delta.rows.indices.filter { other.version.covers(delta.entry(delta.rows[$0]).dot) }
    return delta.leavingOut(known).forgetting(below: VersionVector())
  }

  // MARK: Checks

  /// All that anybody has forgotten.
  private var floor: VersionVector {
    devices.reduce(into: server.list.floor) { $0.formUnion($1.list.floor) }
  }

  private mutating func check(_ device: Device) {
    let floor = floor
    var shadows: [ItemID: [Register: Entry]] = [:]
    for entry in device.shadow.delta(since: VersionVector()).entries {
      shadows[entry.item, default: [:]][entry.register] = entry
    }
    for (item, shadow) in shadows {
      let real = device.list[id: item]
      var held: [Register: Entry] = [:]
      for entry in real?.entries ?? [] { held[entry.register] = entry }
      if held[.life] != shadow[.life] { faults.append("another life") }
      guard real?.isVisible != device.shadow[id: item]?.isVisible || real?.isVisible == true
      else { continue }
      let wasRestored = (real?.lifeLength ?? 0) > 2
      for (register, entry) in shadow where held[register]?.value != entry.value {
        if wasRestored, floor.covers(entry.dot) {
          price += 1
        } else {
          faults.append("lost \(register)")
        }
      }
      for register in held.keys where shadow[register] == nil { faults.append("made \(register)") }
    }
  }
}
