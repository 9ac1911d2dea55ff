import Betwixt

/// One device of a history of several people: the list and its history of undo, and beside them the
/// oracle, which says what each undo must write.
final class UndoDevice {
  let clock: TestClock
  var list: ReplicatedList
  var me: Replica
  var history: UndoHistory
  var floor: VersionVector = [:]
  var oracles: [UndoOracle]
  var stands = UndoOracle.Stands()
  /// What the last undo or redo kept, by window.
  var kept: [Int: (turn: UndoOracle.Turn, off: Set<UndoOracle.Address>, back: Bool)] = [:]

  init(_ number: UInt64, _ list: ReplicatedList, levels: Int = 1_000, windows: Int = 1) {
    let clock = TestClock(0)
    self.clock = clock
    self.list = list
    me = Replica(id: ReplicaID(rawValue: number)) { clock.now }
    history = UndoHistory(levels: levels)
    oracles = [UndoOracle](repeating: UndoOracle(limit: levels), count: windows)
  }

  var entries: UndoOracle.Entries {
    var entries: UndoOracle.Entries = [:]
    for item in list.allItems() {
      for entry in item.entries {
        entries[UndoOracle.Address(item: entry.item, register: entry.register)] = entry
      }
    }
    return entries
  }

  func pull(_ other: UndoDevice) {
    list.merge(other.list)
    floor.formUnion(other.floor)
    forget()
  }

  /// Forgets all registers but the life of items that were removed below the floor, and others' and
  /// one's own writes above it as they come.
  func forget() {
    guard !floor.isEmpty else { return }
    let entries = entries
    let kept = entries.filter { address, entry in
      guard address.register != .life, !UndoOracle.isAlive(entries, address.item),
        let life = entries[UndoOracle.Address(item: address.item, register: .life)]
      else { return true }
      return !(floor.covers(life.dot) && floor.covers(entry.dot))
    }
    guard kept.count < entries.count else { return }
    var builder = Delta.Builder()
    for entry in kept.values { try? builder.add(entry) }
    for component in list.version {
      builder.cover(component.replica, after: 0, through: component.sequence)
    }
    var rest = ReplicatedList(id: list.id)
    rest.merge(builder.build())
    list = rest
  }

  func record(
    window: Int = 0,
    _ edit: (inout ReplicatedList, inout Replica) throws -> Void
  ) throws {
    let before = entries
    try history.record("", in: &list, by: &me, window: window, edit)
    oracles[window].record(from: before, to: entries, &stands)
  }

  /// What an undo, a redo, or insisting came to.
  struct Outcome {
    var turn: UndoOracle.Turn
    var step: UndoOracle.Step
    var before: UndoOracle.Entries
    var after: UndoOracle.Entries
    var result: UndoResult
  }

  /// Undoes or redoes on both, and compares; `isSingle` passes no step over.
  func turn(
    back: Bool, window: Int = 0, isSingle: Bool = false
  ) throws -> Outcome? {
    let (before, sequence) = (entries, me.sequence)
    var result: UndoResult?
    if isSingle {
      let step = back ? history.nextUndo(window: window) : history.nextRedo(window: window)
      guard let step else { return nil }
      result =
        back
        ? try history.undo(step, in: &list, by: &me, window: window)
        : try history.redo(step, in: &list, by: &me, window: window)
    } else {
      result =
        back
        ? try history.undo(in: &list, by: &me, window: window)
        : try history.redo(in: &list, by: &me, window: window)
    }
    kept[window] = nil
    while var step = back ? oracles[window].undos.popLast() : oracles[window].redos.popLast() {
      let oracle = oracles[window]
      let turn = oracle.plan(step, back: back, insists: false, before, stands)
      let off = step.off
      let outcome = try compare(
        turn, &step, back: back, insists: false, before, sequence, result, window)
      if !turn.kept.isEmpty { kept[window] = (turn, off, back) }
      if back { oracles[window].redos.append(step) } else { oracles[window].undos.append(step) }
      if outcome != nil || isSingle { return outcome }
    }
    try demand(result == nil && entries == before, "there was nothing to undo, and it was undone")
    return nil
  }

  func insist(window: Int = 0) throws -> Outcome? {
    let (before, sequence) = (entries, me.sequence)
    let result = try history.insist(in: &list, by: &me, window: window)
    guard let (turn, off, back) = kept.removeValue(forKey: window) else {
      try demand(result == nil && entries == before, "insisted on nothing")
      return nil
    }
    let place = back ? oracles[window].redos.count - 1 : oracles[window].undos.count - 1
    var step = back ? oracles[window].redos[place] : oracles[window].undos[place]
    let insisted = oracles[window].plan(
      step, back: back, insists: true, before, stands, only: turn.kept, off: off)
    let outcome = try compare(
      insisted, &step, back: back, insists: true, before, sequence, result, window)
    if back { oracles[window].redos[place] = step } else { oracles[window].undos[place] = step }
    return outcome
  }

  private func compare(
    _ turn: UndoOracle.Turn, _ step: inout UndoOracle.Step, back: Bool, insists: Bool,
    _ before: UndoOracle.Entries, _ sequence: Int64, _ result: UndoResult?, _ window: Int
  ) throws -> Outcome? {
    if turn.isEmpty {
      if !insists { step.off = [] }
      try demand(!insists || result?.done.isEmpty ?? true, "insisting did what it should not")
      return nil
    }
    let after = entries
    let wanted = oracles[window].wanted(turn, step, back: back, before)
    let changed = after.filter { before[$0.key] != $0.value }
    try demand(
      changed.mapValues(\.value) == wanted && after.count >= before.count,
      "wrote \(changed.mapValues(\.value)), wanted \(wanted)")
    guard let result else { throw UndoViolation("did nothing, wanted \(turn)") }
    try demand(result.done.map(\.item) == turn.plans.map(\.item), "done \(result.done)")
    try demand(result.kept.map(\.item) == turn.kept, "kept \(result.kept), wanted \(turn.kept)")
    let writes = turn.plans.reduce(0) { $0 + $1.todo.count }
    try demand(me.sequence == sequence + Int64(writes), "\(writes) writes used other numbers")
    for obstacle in result.kept.flatMap(\.obstacles) {
      try demand((obstacle.write == nil) == (obstacle.reason == .gone), "\(obstacle)")
    }
    UndoOracle.note(
      turn, &step, back: back, insists: insists, from: before, to: after, &stands)
    return Outcome(turn: turn, step: step, before: before, after: after, result: result)
  }

  private func demand(_ condition: Bool, _ message: @autoclosure () -> String) throws {
    if !condition { throw UndoViolation(message()) }
  }
}

/// What a history did that it must not do.
struct UndoViolation: Error, CustomStringConvertible {
  let description: String
  init(_ description: String) { self.description = description }
}
