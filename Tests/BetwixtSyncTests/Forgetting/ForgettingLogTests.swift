import Betwixt
import BetwixtSync
import TestSupport
import Testing

/// Processes on one log that remove, forget and restore: whoever reads it, in whatever order and
/// whenever, gets one list.
@Suite("Forgetting in a log that processes share")
struct ForgettingLogTests {
  private static let listID = ListID(high: 1, low: 2)

  /// A server: its log, and the list that its clients see.
  private struct Process {
    var log = DeltaLog(of: listID)
    var shown = ReplicatedList(id: listID)
    var isOpen = false

    mutating func open(_ table: LogTable) throws {
      log = DeltaLog(of: listID)
      _ = try refresh(table)
      shown = log.list
      isOpen = true
    }

    /// Reads what is missing, as a server does; returns what that brings its clients.
    private mutating func refresh(_ table: LogTable) throws -> [Delta] {
      var news: [Delta] = []
      while case let missing = log.missing(among: table.names), !missing.isEmpty {
        news.append(try log.take(table.rows(missing)))
      }
      return news
    }

    mutating func bringNews(_ table: inout LogTable) throws {
      for delta in try refresh(table) { shown.merge(delta) }
      if let lost = log.lost() { try store(lost, &table) }
    }

    mutating func store(_ delta: Delta, _ table: inout LogTable) throws {
      let row = try log.row(storing: delta)
      table.insert(row)
      try log.take([row])
    }

    /// Stores what a client of it has done.
    mutating func edit(
      _ table: inout LogTable, _ body: (inout ReplicatedList) throws -> Void
    ) throws -> Delta {
      let before = shown
      try body(&shown)
      let delta = shown.delta(since: before.version, floor: before.floor)
      if !delta.isEmpty { try store(delta, &table) }
      return delta
    }

    mutating func fold(_ table: inout LogTable) throws {
      try bringNews(&table)
      guard let fold = try log.fold() else { return }
      try table.replace(fold)
      log.folded(fold)
    }
  }

  /// All that was ever written, and what was forgotten.
  private struct Model {
    private var entries: [RegisterAddress: Set<Entry>] = [:]
    private var floor = VersionVector()

    mutating func note(_ delta: Delta) {
      floor.formUnion(delta.floor)
      for entry in delta.entries {
        entries[RegisterAddress(entry.item, register: entry.register), default: []].insert(entry)
      }
    }

    private static func isLess(_ left: Entry, _ right: Entry) -> Bool {
      if case .life(let length) = left.value, case .life(let other) = right.value, length != other {
        return length < other
      }
      let (one, two) = (left.stamp, right.stamp)
      return one.time != two.time ? one.time < two.time : left.dot < right.dot
    }

    /// What is left of a register: of an item that was removed below the floor what was written above
    /// it, of others the greatest write.
    private func left(_ address: RegisterAddress) -> Entry? {
      let life = entries[RegisterAddress(address.item, register: .life)]?.max(by: Model.isLess)
      var isForgotten = false
      if address.register != .life, let life, case .life(let length) = life.value {
        isForgotten = length % 2 == 0 && floor.covers(life.dot)
      }
      return entries[address]?.filter { !isForgotten || !floor.covers($0.dot) }
        .max(by: Model.isLess)
    }

    // What is wrong with what a list holds; `wasFolded` says whether rows may have been dropped with
    // what the floor takes.
    func fault(of list: ReplicatedList, wasFolded: Bool) -> String? {
      guard list.floor == floor else { return "floor" }
      for entry in list.delta(since: [:]).entries
      where entries[RegisterAddress(entry.item, register: entry.register)]?.contains(entry) != true
      {
        return "invents \(entry)"
      }
      for address in entries.keys {
        let (held, expected) = (list.entry(at: address), left(address))
        guard held != expected else { continue }
        // The price of forgetting: of what was removed once something may be missing, or older.
        let wasRemoved = entries[RegisterAddress(address.item, register: .life)]?.count ?? 0 > 1
        let greatest = entries[address]?.max(by: Model.isLess)
        let isPaid = address.register != .life && greatest.map { floor.covers($0.dot) } ?? true
        guard wasFolded, wasRemoved, isPaid else {
          return "holds \(held as Any), not \(expected as Any)"
        }
      }
      return nil
    }
  }

  private static func step(
    _ list: inout ReplicatedList, by me: inout Replica, _ random: inout SplitMix64
  ) throws {
    let shown = list.map { $0.id }
    let removed = list.allItems().filter { $0.isRemoved }.map { $0.id }
    switch random.next(below: 8) {
    case 0, 1: try list.append(["title": "x", "n": 0], by: &me)
    case 2, 3:
      guard !shown.isEmpty else { return }
      try list.remove(shown[random.next(below: shown.count)], by: &me)
    case 4:
      guard !removed.isEmpty else { return }
      try list.restore(removed[random.next(below: removed.count)], by: &me)
    case 5: list.forget(below: list.version)
    case 6:
      guard shown.count > 1 else { return }
      try list.move(shown[0], toOffset: shown.count, by: &me)
    default:
      let all = shown + removed
      guard !all.isEmpty else { return }
      let value = FieldValue.int64(Int64(random.next(below: 99)))
      try list.set("n", of: all[random.next(below: all.count)], to: value, by: &me)
    }
  }

  /// Says what is wrong after a random history.
  private static func fault(seed: UInt64, folding: Bool) throws -> String? {
    var random = SplitMix64(seed: seed)
    var table = LogTable()
    var model = Model()
    var processes = [Process](repeating: Process(), count: 3)
    var sequences: [Int64] = [0, 0, 0]
    var now: Int64 = 1_777_000_000_000
    for _ in 0..<80 {
      let who = random.next(below: 3)
      guard processes[who].isOpen else {
        if random.next(below: 3) == 0 { try processes[who].open(table) }
        continue
      }
      switch random.next(below: 16) {
      case 0: processes[who].isOpen = false
      case 1..<4: try processes[who].bringNews(&table)
      case 4: if folding { try processes[who].fold(&table) }
      default:
        now += Int64(random.next(below: 2))
        let time = now
        let id = ReplicaID(rawValue: UInt64(who + 1))
        var me = Replica(id: id, sequence: sequences[who]) { time }
        model.note(
          try processes[who].edit(&table) { try Self.step(&$0, by: &me, &random) })
        sequences[who] = me.sequence
      }
    }
    for _ in 0..<3 {
      for who in processes.indices where processes[who].isOpen {
        try processes[who].bringNews(&table)
      }
    }
    var fresh = Process()
    try fresh.open(table)
    if let fault = model.fault(of: fresh.shown, wasFolded: folding) { return fault }
    for (who, process) in processes.enumerated() where process.isOpen {
      for list in [process.log.list, process.shown]
      where list != fresh.shown || list.digest != fresh.shown.digest
        || list.version != fresh.shown.version || list.floor != fresh.shown.floor
      {
        return "process \(who) has \(list.count) items, who reads now \(fresh.shown.count)"
      }
    }
    return nil
  }

  @Test("whoever reads the log, whenever, gets what the rows hold", arguments: [false, true])
  func histories(folding: Bool) throws {
    for seed in 0..<(runsLong ? 2_000 : 100) as Range<UInt64> {
      let fault = try Self.fault(seed: seed, folding: folding)
      #expect(fault == nil, "seed \(seed)")
    }
  }

  /// A server that was open through a removal, a forgetting and a restoring has dropped what one that
  /// opens the list later reads.
  @Test("what was restored is whole for who was there when it was forgotten, and for who was not")
  func restored() throws {
    var table = LogTable()
    var early = Process()
    try early.open(table)
    var me = Replica(id: ReplicaID(rawValue: 1)) { 1_777_000_000_000 }
    _ = try early.edit(&table) { try $0.append(["title": "A"], by: &me) }
    let id = early.shown[0].id
    _ = try early.edit(&table) { try $0.remove(id, by: &me) }
    _ = try early.edit(&table) { $0.forget(below: $0.version) }
    _ = try early.edit(&table) { try $0.restore(id, by: &me) }
    #expect(early.shown[0]["title"] == nil)
    var late = Process()
    try late.open(table)
    try early.bringNews(&table)
    #expect(late.shown[0]["title"] == "A" && early.shown[0]["title"] == "A")
    #expect(early.shown.digest == late.shown.digest && early.shown.version == late.shown.version)
    #expect(early.shown.floor == late.shown.floor && table.names.count == 4)
    // Once it was read, the rows may go.
    try early.fold(&table)
    try late.bringNews(&table)
    #expect(table.names.count == 1 && late.shown == early.shown)
  }
}
