import Betwixt

/// A random history of one to four people who edit, undo, redo, insist, merge and forget, each with
/// one or two windows, and with clocks that are wrong; checked while it runs.
///
/// The invariants: I1 all converge. I2 nothing is shown through undo without a place or its title.
/// I3 what one window alone has written goes back to its start, keys included. I4 everything back,
/// then everything again, changes nothing that is shown. I5 without insisting nothing that others
/// wrote is overwritten or removed. I6 an item is taken whole or not at all. I7 what nobody touched
/// keeps its order.
final class UndoWorld {
  typealias Address = UndoOracle.Address
  typealias Entries = UndoOracle.Entries

  /// One window of one device.
  private struct Hand {
    let device: UndoDevice
    let window: Int
  }

  private var source: ChoiceSource
  private var time: Int64 = 1_000
  private var skews: [Int64] = []
  private let start: Entries
  private var devices: [UndoDevice] = []
  private var hands: [Hand] = []
  /// For each write that stands for another, on whatever device, what it stands for in the end.
  private var god: [Dot: Dot?] = [:]
  /// Which hands wrote to an item; -1 stands for an edit outside every history.
  private var writers: [ItemID: Set<Int>] = [:]
  private var hasForgotten = false
  /// How many items were taken, and how many kept.
  private(set) var (turned, kept) = (0, 0)
  /// How often a register was not as before, because what was forgotten had come back.
  private(set) var cameBack = 0

  init(seed: UInt64) throws {
    source = ChoiceSource(seed: seed)
    var list = ReplicatedList(id: ListID(high: 1, low: 1))
    var base = Replica(id: ReplicaID(rawValue: 900)) { 0 }
    for number in 0..<1 + source.next(below: 4) {
      let id = try list.append(["v": .int64(Int64(number))], by: &base)
      if source.chance(3, in: 10) { try list.remove(id, by: &base) }
    }
    let people = 1 + source.next(below: 4)
    start = UndoDevice(0, list).entries
    for number in 1...people {
      let windows = source.chance(8, in: 10) ? 1 : 2
      let levels = source.pick([1_000, 1_000, 2])
      let device = UndoDevice(UInt64(number), list, levels: levels, windows: windows)
      devices.append(device)
      skews.append(source.pick([0, 0, 3, -3]))
      for window in 0..<windows { hands.append(Hand(device: device, window: window)) }
    }
  }

  func run() throws {
    for _ in 0..<6 + source.next(below: 21) { try act() }
    for hand in hands.indices { try backAndForth(hand) }
    for _ in 0..<2 {
      for one in devices { for other in devices where one !== other { one.pull(other) } }
    }
    for device in devices where device.entries != devices[0].entries {
      throw UndoViolation("I1: \(device.entries) is not \(devices[0].entries)")
    }
    for device in devices where device.list.map(\.id) != devices[0].list.map(\.id) {
      throw UndoViolation("I1: another order")
    }
  }

  // MARK: Acts

  private func act() throws {
    time += Int64(source.next(below: 3))
    for (device, skew) in zip(devices, skews) { device.clock.now = time + skew }
    let number = source.next(below: hands.count)
    let hand = hands[number]
    let device = hand.device
    switch source.next(below: 100) {
    case ..<42:
      let before = device.entries
      let count = source.pick([1, 1, 1, 2, 3])
      try device.record(window: hand.window) { list, me in
        for _ in 0..<count { try self.edit(&list, &me) }
      }
      note(number, before, device)
    case ..<45:
      let before = device.entries
      try edit(&device.list, &device.me)
      note(-1, before, device)
    case ..<62: try turn(number, back: true, insists: source.chance(1, in: 10))
    case ..<72: try turn(number, back: false, insists: source.chance(1, in: 10))
    case ..<94:
      let other = source.pick(devices)
      if other !== device { device.pull(other) }
    case ..<97:
      hasForgotten = true
      device.floor = device.list.version
      device.forget()
    default: try backAndForth(number)
    }
  }

  private func edit(_ list: inout ReplicatedList, _ me: inout Replica) throws {
    let section = source.pick([0, 0, 1] as [Int64])
    let offset = source.next(below: list.indices(inSection: section).count + 1)
    let kind = source.next(below: 17)
    let value = source.pick(["p", "q", "r\(time)"])
    let name = source.pick(["v", "note"] as [FieldName])
    let shown = list.map(\.id)
    let removed = list.allItems().filter { !$0.isVisible && $0.key != nil && $0["v"] != nil }
    let item = shown.isEmpty ? nil : source.pick(shown)
    switch kind {
    case ..<3:
      var fields: Fields = ["v": .string("n\(time)")]
      if source.chance(3, in: 10) { fields["note"] = .string("m\(time)") }
      try list.insert(fields, at: offset, inSection: section, by: &me)
    case ..<6: if let item { try list.remove(item, by: &me) }
    case ..<7: if !removed.isEmpty { try list.restore(source.pick(removed).id, by: &me) }
    case ..<11: if let item { try list.move(item, toOffset: offset, inSection: section, by: &me) }
    case ..<16: if let item { try list.set(name, of: item, to: .string(value), by: &me) }
    default: if let item { try list.clear("note", of: item, by: &me) }
    }
  }

  private func note(_ hand: Int, _ before: Entries, _ device: UndoDevice) {
    for (address, entry) in device.entries where before[address] != entry {
      writers[address.item, default: []].insert(hand)
    }
    for (dot, root) in device.stands.takeMade() { god[dot] = godly(root) }
  }

  /// What a write stands for in the end, by what all devices know.
  private func godly(_ root: Dot?) -> Dot? {
    guard let root else { return nil }
    return god[root] ?? root
  }

  // MARK: Undo and redo

  private func turn(
    _ number: Int, back: Bool, insists: Bool = false, isSingle: Bool = false
  ) throws {
    let hand = hands[number]
    let before = hand.device.entries
    let outcome = try hand.device.turn(back: back, window: hand.window, isSingle: isSingle)
    if let outcome { try check(outcome, hand.device, back: back) }
    note(number, before, hand.device)
    guard insists else { return }
    let between = hand.device.entries
    let insisted = try hand.device.insist(window: hand.window)
    if let insisted, !insisted.turn.kept.isEmpty { throw UndoViolation("insisting kept something") }
    note(number, between, hand.device)
  }

  private func check(_ outcome: UndoDevice.Outcome, _ device: UndoDevice, back: Bool) throws {
    turned += outcome.turn.plans.count
    kept += outcome.turn.kept.count
    for plan in outcome.turn.plans {
      let seen = outcome.before.merging(plan.joined) { $1 }
      for register in plan.todo {
        let address = Address(item: plan.item, register: register)
        guard let entry = seen[address], entry.dot.replica != device.me.id,
          let change = outcome.step.changes[address]
        else { continue }
        let source = back ? change.after : change.before
        let isMine =
          godly(entry.dot) == godly(source.root)
          || register == .position && entry.value == source.value
        if !isMine { throw UndoViolation("I5: \(entry) was overwritten") }
      }
      let wasShown = UndoOracle.isShown(outcome.before, plan.item)
      if UndoOracle.isAlive(outcome.after, plan.item), !wasShown {
        let title = outcome.after[Address(item: plan.item, register: .field("v"))]?.value
        let position = outcome.after[Address(item: plan.item, register: .position)]
        if position == nil || title == nil || title == .field(nil) {
          throw UndoViolation("I2: \(plan.item) came back blank")
        }
      }
      let isTorn = outcome.turn.kept.contains(plan.item)
      if isTorn { throw UndoViolation("I6: \(plan.item) was kept and taken") }
    }
    for item in outcome.turn.kept {
      for (address, entry) in outcome.after
      where address.item == item && outcome.before[address] != entry {
        throw UndoViolation("I6: \(item) was kept and written")
      }
    }
  }

  // MARK: Everything back, again, and back

  private func backAndForth(_ number: Int) throws {
    let hand = hands[number]
    let device = hand.device
    let count = device.oracles[hand.window].undos.count
    let first = device.entries
    for _ in 0..<count { try turn(number, back: true, isSingle: true) }
    let then = device.entries
    try checkStart(number)
    for _ in 0..<count { try turn(number, back: false, isSingle: true) }
    try same(first, device.entries, "I4: everything back and again")
    for _ in 0..<count { try turn(number, back: true, isSingle: true) }
    try same(then, device.entries, "I4: everything again and back")
    for _ in 0..<count { try turn(number, back: false, isSingle: true) }
  }

  /// What this hand alone has written is as it was at the start.
  private func checkStart(_ number: Int) throws {
    let hand = hands[number]
    let entries = hand.device.entries
    guard !hand.device.oracles[hand.window].isTrimmed else { return }
    let pure = Set(writers.filter { $0.value == [number] }.keys)
    for item in pure {
      guard start[Address(item: item, register: .life)] != nil else {
        if UndoOracle.isShown(entries, item) { throw UndoViolation("I3: \(item) is still there") }
        continue
      }
      for register in [.life, .position, .field("v"), .field("note")] as [Register] {
        let address = Address(item: item, register: register)
        // What a removed item held may be forgotten.
        if entries[address] == nil, !UndoOracle.isAlive(entries, item) { continue }
        let now = UndoOracle.State(value: entries[address]?.value)
        if !now.looks(register, like: UndoOracle.State(value: start[address]?.value)) {
          throw UndoViolation("I3: \(register) of \(item) is not as it was")
        }
      }
    }
    let untouched = order(entries).filter { item in
      let wasThere = start[Address(item: item, register: .position)] != nil
      return writers[item]?.contains(number) != true || pure.contains(item) && wasThere
    }
    let wanted = order(
      entries.merging(start) { now, then in
        pure.contains(then.item) ? then : now
      }
    ).filter { untouched.contains($0) }
    if untouched != wanted { throw UndoViolation("I7: \(untouched), not \(wanted)") }
  }

  /// All items that have a place, removed ones too, in order.
  private func order(_ entries: Entries) -> [ItemID] {
    let places = entries.filter { $0.key.register == .position }.values
    return places.sorted { left, right in
      guard case .position(let first, let key) = left.value,
        case .position(let second, let other) = right.value
      else { return false }
      if first != second { return first < second }
      return key != other ? key < other : left.item < right.item
    }.map(\.item)
  }

  /// Nothing that is shown differs; nor, unless something was forgotten, what is hidden.
  private func same(_ left: Entries, _ right: Entries, _ what: String) throws {
    let shown = order(left).filter { UndoOracle.isShown(left, $0) }
    guard shown == order(right).filter({ UndoOracle.isShown(right, $0) }) else {
      throw UndoViolation("\(what): another order")
    }
    for address in Set(left.keys).union(right.keys) {
      let (one, other) = (left[address], right[address])
      let isShown = UndoOracle.isShown(left, address.item)
      guard isShown || one != nil && other != nil && !hasForgotten else { continue }
      let state = UndoOracle.State(value: one?.value)
      if !state.looks(address.register, like: UndoOracle.State(value: other?.value)) {
        // A winner that was forgotten may come back with its item, and stay: the price of forgetting.
        if hasForgotten {
          cameBack += 1
          continue
        }
        throw UndoViolation(
          "\(what): \(address) is \(right[address] as Any), not \(left[address] as Any)")
      }
    }
  }
}
