import Betwixt
import BetwixtSync
import TestSupport
import Testing

/// A log of deltas some of which say floors.
@Suite struct FloorLogTests {
  private static let listID = ListID(high: 1, low: 2)

  private final class Device {
    var list = ReplicatedList(id: listID)
    var me: Replica

    init(_ number: UInt64) {
      me = Replica(id: ReplicaID(rawValue: number)) { 1_777_000_000_000 + Int64(number) }
    }
  }

  /// What devices store that edit, forget and hear of each other.
  private static func rows(seed: UInt64) throws -> (rows: [LogRow], whole: ReplicatedList) {
    var random = SplitMix64(seed: seed)
    let log = DeltaLog(of: listID)
    let devices = (1...3).map { Device($0) }
    var rows: [LogRow] = []
    for _ in 0..<40 {
      let device = devices[random.next(below: 3)]
      let before = device.list
      try edit(device, &random)
      let delta = device.list.delta(since: before.version, floor: before.floor)
      if !delta.isEmpty { rows.append(try log.row(storing: delta)) }
      guard random.next(below: 2) == 0 else { continue }
      let other = devices[random.next(below: 3)]
      other.list.merge(device.list.delta(since: other.list.version, floor: other.list.floor))
    }
    return (rows, devices[0].list.merging(devices[1].list).merging(devices[2].list))
  }

  private static func edit(_ device: Device, _ random: inout SplitMix64) throws {
    let shown = device.list.map { $0.id }
    let removed = device.list.allItems().filter { $0.isRemoved }.map { $0.id }
    let all = shown + removed
    switch random.next(below: 8) {
    case 0, 1: try device.list.append(["n": 0], by: &device.me)
    case 2, 3:
      guard !shown.isEmpty else { return }
      try device.list.remove(shown[random.next(below: shown.count)], by: &device.me)
    case 4:
      guard !removed.isEmpty else { return }
      try device.list.restore(removed[random.next(below: removed.count)], by: &device.me)
    case 5: device.list.forget(below: device.list.version)
    default:
      guard !all.isEmpty else { return }
      let value = FieldValue.int64(Int64(random.next(below: 99)))
      try device.list.set("n", of: all[random.next(below: all.count)], to: value, by: &device.me)
    }
  }

  /// Takes all that is stored, and stores what was lost; says whether it did.
  private static func refresh(_ log: inout DeltaLog, _ table: inout LogTable) throws -> Bool {
    while case let missing = log.missing(among: table.names), !missing.isEmpty {
      try log.take(table.rows(missing))
    }
    guard let lost = log.lost() else { return false }
    let row = try log.row(storing: lost)
    table.insert(row)
    try log.take([row])
    return true
  }

  private static func lives(_ list: ReplicatedList) -> [Entry] {
    list.delta(since: [:]).entries.filter { $0.register == .life }
  }

  /// Where one process hears of a floor before a restoring and another one after it, one has dropped
  /// what the other keeps: it reads the rows once more, and has it too.
  @Test func rowsThatCameOneByOneAndAtOnceAreOneList() throws {
    var differing = 0
    for seed in 0..<150 as Range<UInt64> {
      let (rows, whole) = try Self.rows(seed: seed)
      var table = LogTable()
      var (slow, quick) = (DeltaLog(of: Self.listID), DeltaLog(of: Self.listID))
      for row in rows {
        table.insert(row)
        try slow.take([row])
      }
      try quick.take(table.rows(table.names))
      #expect(slow.list.floor == quick.list.floor && quick.list.version == whole.version)
      if slow.list != quick.list { differing += 1 }
      #expect(try !Self.refresh(&slow, &table), "seed \(seed)")
      #expect(slow.list == quick.list, "seed \(seed)")
      if let fold = try slow.fold() {
        try table.replace(fold)
        slow.folded(fold)
      }
      for _ in 0..<4 {
        _ = try Self.refresh(&quick, &table)
        _ = try Self.refresh(&slow, &table)
      }
      #expect(slow.list == quick.list, "seed \(seed)")
      #expect(slow.list.version == whole.version && slow.list.floor == quick.list.floor)
      // Lives are what no order changes.
      #expect(Self.lives(slow.list) == Self.lives(whole), "seed \(seed)")
    }
    #expect(differing > 0)
  }

  @Test func aFloorThatAStorageHasLostIsStoredAgain() throws {
    var me = Replica(id: ReplicaID(rawValue: 1)) { 1_777_000_000_000 }
    var list = ReplicatedList(id: Self.listID)
    try list.append(["n": 1], by: &me)
    var log = DeltaLog(of: list.id)
    var table = LogTable()
    table.insert(try log.row(storing: list.delta(since: [:])))
    let backup = table
    // Nothing was removed, so the floor takes nothing, and the digest stays.
    list.forget(below: list.version)
    table.insert(try log.row(storing: list.delta(since: list.version)))
    #expect(try !Self.refresh(&log, &table) && log.list.floor == list.version)
    table.restore(backup)
    #expect(try Self.refresh(&log, &table))
    var fresh = DeltaLog(of: list.id)
    _ = try Self.refresh(&fresh, &table)
    #expect(fresh.list.floor == list.version)
    #expect(try !Self.refresh(&log, &table))
  }

  /// A process that stores and folds by itself has dropped what a restoring brings back: it folds
  /// when it has read the rows once more.
  @Test func nothingIsFoldedThatIsToBeReadOnceMore() throws {
    let writer = Device(1)
    let item = try writer.list.append(["title": "Lunch"], by: &writer.me)
    let remover = Device(2)
    let restorer = Device(3)
    let first = writer.list.delta(since: [:])
    remover.list.merge(first)
    let version = remover.list.version
    try remover.list.remove(item, by: &remover.me)
    let removal = remover.list.delta(since: version)
    var builder = Delta.Builder()
    builder.forget(below: remover.list.version)
    restorer.list = remover.list
    try restorer.list.restore(item, by: &restorer.me)
    let restoring = restorer.list.delta(since: remover.list.version)
    var table = LogTable()
    var log = DeltaLog(of: Self.listID)
    for delta in [first, removal, builder.build(), restoring] {
      let row = try log.row(storing: delta)
      table.insert(row)
      try log.take([row])
    }
    #expect(try log.fold() == nil && !log.isLong)
    try log.refresh(from: table)
    let fold = try #require(try log.fold())
    try table.replace(fold)
    log.folded(fold)
    var fresh = DeltaLog(of: Self.listID)
    try fresh.refresh(from: table)
    #expect(fresh.list[id: item]?["title"] == "Lunch")
  }
}
