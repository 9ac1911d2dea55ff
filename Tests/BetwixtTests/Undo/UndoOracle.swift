import Betwixt

/// The rules of undo written down as plainly as they can be.
///
/// It knows a dictionary of the greatest entries, and steps as sets of states. It writes nothing; it
/// says what the real history must write.
struct UndoOracle {
  typealias Address = NaiveList.Address
  typealias Entries = [Address: Entry]

  struct State: Equatable {
    var value: RegisterValue?
    var root: Dot?

    static let none = State(value: nil, root: nil)

    var length: UInt64 { if case .life(let length)? = value { length } else { 0 } }

    func looks(_ register: Register, like other: State) -> Bool {
      switch register {
      case .life: length % 2 == other.length % 2
      case .position: value == other.value
      default: text == other.text
      }
    }

    private var text: FieldValue? { if case .field(let value)? = value { value } else { nil } }

    func isSame(_ register: Register, as other: State) -> Bool {
      root == other.root || register == .position && value == other.value
    }
  }

  struct Step {
    var changes: [Address: (before: State, after: State)] = [:]
    var whole: [ItemID: [Register: Entry]] = [:]
    var off: Set<Address> = []
    var born: Set<ItemID> = []
  }

  /// What must be done to one item.
  struct Plan {
    let item: ItemID
    var todo: [Register]
    var joined: Entries
  }

  struct Turn {
    var plans: [Plan] = []
    var kept: [ItemID] = []
    var isEmpty: Bool { plans.isEmpty && kept.isEmpty }
  }

  var undos: [Step] = []
  var redos: [Step] = []
  var limit: Int
  var isTrimmed = false

  init(limit: Int) { self.limit = limit }

  // MARK: Recording

  mutating func record(
    from before: Entries, to after: Entries, _ stands: inout Stands
  ) {
    var step = Step()
    for (address, entry) in after where before[address] != entry {
      let old = stands.state(before, address)
      let new = State(value: entry.value, root: entry.dot)
      if new.looks(address.register, like: old) {
        stands.stand(address, entry.dot, for: old.root)
        continue
      }
      let life = Address(item: address.item, register: .life)
      let isNew = before[life] == nil && after[life] != nil
      if isNew, !UndoOracle.isAlive(after, address.item) { continue }
      step.changes[address] = (old, new)
      if address.register == .life {
        step.whole[address.item] = UndoOracle.registers(after, address.item)
        if isNew { step.born.insert(address.item) }
      }
    }
    guard !step.changes.isEmpty else { return }
    undos.append(step)
    redos = []
    if undos.count > limit {
      undos.removeFirst()
      isTrimmed = true
    }
  }

  // MARK: Planning

  static func isAlive(_ entries: Entries, _ item: ItemID) -> Bool {
    guard case .life(let length)? = entries[Address(item: item, register: .life)]?.value else {
      return false
    }
    return length % 2 == 1
  }

  static func isShown(_ entries: Entries, _ item: ItemID) -> Bool {
    isAlive(entries, item) && entries[Address(item: item, register: .position)] != nil
  }

  static func registers(_ entries: Entries, _ item: ItemID) -> [Register: Entry] {
    var found: [Register: Entry] = [:]
    for (address, entry) in entries where address.item == item { found[address.register] = entry }
    return found
  }

  func plan(
    _ step: Step, back: Bool, insists: Bool, _ entries: Entries, _ stands: Stands,
    only items: [ItemID]? = nil, off: Set<Address>? = nil
  ) -> Turn {
    var turn = Turn()
    for item in Set(step.changes.keys.map(\.item)).sorted() {
      if let items, !items.contains(item) { continue }
      var mine = step.changes.filter {
        $0.key.item == item && (back || (off ?? step.off).contains($0.key))
      }
      if step.born.contains(item) { mine = mine.filter { $0.key.register == .life } }
      let life = Address(item: item, register: .life)
      var seen = entries
      var joined: Entries = [:]
      if let change = mine[life], (back ? change.before : change.after).length % 2 == 1,
        !UndoOracle.isShown(entries, item)
      {
        for (register, entry) in step.whole[item] ?? [:] {
          let address = Address(item: item, register: register)
          if let present = seen[address], !NaiveList.wins(entry, over: present) { continue }
          seen[address] = entry
          joined[address] = entry
        }
      }
      var (todo, theirs): ([Register], [Register]) = ([], [])
      for (address, change) in mine {
        let (source, target) = back ? (change.after, change.before) : (change.before, change.after)
        let now = stands.state(seen, address)
        if now.looks(address.register, like: target) { continue }
        // A place cannot be taken away, where there was none.
        let isBare = address.register == .position && target.value == nil
        if insists || now.isSame(address.register, as: source) {
          if !isBare { todo.append(address.register) }
        } else {
          theirs.append(address.register)
        }
      }
      if todo.contains(.life), UndoOracle.isAlive(entries, item), !insists {
        for (register, _) in UndoOracle.registers(seen, item) where register != .life {
          let now = stands.state(seen, Address(item: item, register: register))
          let known = State(value: step.whole[item]?[register]?.value)
          if !now.looks(register, like: known) { theirs.append(register) }
        }
      }
      if !theirs.isEmpty {
        turn.kept.append(item)
      } else if !todo.isEmpty {
        turn.plans.append(Plan(item: item, todo: todo, joined: joined))
      }
    }
    return turn
  }

  /// What registers must hold after a plan.
  func wanted(_ turn: Turn, _ step: Step, back: Bool, _ entries: Entries) -> [Address:
    RegisterValue]
  {
    var wanted: [Address: RegisterValue] = [:]
    for plan in turn.plans {
      for (address, entry) in plan.joined { wanted[address] = entry.value }
      for register in plan.todo {
        let address = Address(item: plan.item, register: register)
        guard let change = step.changes[address] else { continue }
        let target = back ? change.before : change.after
        if register == .life, case .life(let length)? = entries[address]?.value {
          wanted[address] = .life(length + 1)
        } else {
          wanted[address] = target.value ?? .field(nil)
        }
      }
    }
    return wanted
  }

  /// Notes what was written.
  static func note(
    _ turn: Turn, _ step: inout Step, back: Bool, insists: Bool, from before: Entries,
    to after: Entries, _ stands: inout Stands
  ) {
    if !insists { step.off = [] }
    for plan in turn.plans {
      let seen = before.merging(plan.joined) { $1 }
      for register in plan.todo {
        let address = Address(item: plan.item, register: register)
        guard let change = step.changes[address], let entry = after[address] else { continue }
        let (source, target) = back ? (change.after, change.before) : (change.before, change.after)
        let overwritten = stands.state(seen, address)
        if insists, !overwritten.isSame(register, as: source) {
          step.changes[address] = back ? (target, overwritten) : (overwritten, target)
        }
        stands.stand(address, entry.dot, for: target.root)
        if back { step.off.insert(address) }
      }
      if plan.todo.contains(.life) { step.whole[plan.item] = registers(after, plan.item) }
    }
  }

  /// Which writes stand for others, for one device; the table of all devices is `god`'s.
  struct Stands {
    private var table: [Address: (dot: Dot, root: Dot?)] = [:]
    /// For each write that stands for another, what it stands for in the end.
    private(set) var made: [(Dot, Dot?)] = []

    func state(_ entries: Entries, _ address: Address) -> State {
      guard let entry = entries[address] else { return .none }
      if let row = table[address], row.dot == entry.dot {
        return State(value: entry.value, root: row.root)
      }
      return State(value: entry.value, root: entry.dot)
    }

    mutating func stand(_ address: Address, _ dot: Dot, for root: Dot?) {
      table[address] = (dot, root)
      made.append((dot, root))
    }

    mutating func takeMade() -> [(Dot, Dot?)] {
      defer { made = [] }
      return made
    }
  }
}
