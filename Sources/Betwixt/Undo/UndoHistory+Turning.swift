extension UndoHistory {
  /// Takes the newest step back, as far as nobody else has written there since.
  ///
  /// A step of which nothing is left to take back is passed over, and the one before is taken.
  ///
  ///     if let result = try history.undo(in: &list, by: &me), let kept = result.kept.first {
  ///       print("\(kept.item) was changed since")   // [Undo anyway]: insist(in:by:)
  ///     }
  ///
  /// - Parameters:
  ///   - document: The list that the steps were made in, or what is backed by it.
  ///   - replica: Who writes.
  ///   - window: Whose steps.
  /// - Returns: What was done and what was kept; `nil` if there is nothing to take back.
  /// - Throws: ``EditFailure`` if a write is refused; nothing is changed then, neither in the
  ///   document nor here, and no number used.
  /// - Complexity: O(*w* (log *n* + *f*)) for *w* registers of items with *f* fields
  @discardableResult
  public mutating func undo<Document: ListBacked & ~Copyable>(
    in document: inout Document, by replica: inout Replica, window: Int = 0
  ) throws(EditFailure) -> UndoResult? {
    try turn(.undo, in: &document, by: &replica, window: window)
  }

  /// Takes a step back if it is the newest one: what the button of a message about it does.
  ///
  ///     let moved = history.nextUndo()   // when the message comes
  ///     if let moved { try history.undo(moved, in: &list, by: &me) }
  ///
  /// - Parameters:
  ///   - step: The step that is named.
  ///   - document: The list that the steps were made in, or what is backed by it.
  ///   - replica: Who writes.
  ///   - window: Whose steps.
  /// - Returns: What was done and what was kept; `nil` if the step is not the newest or nothing is
  ///   left of it.
  /// - Throws: ``EditFailure`` if a write is refused; nothing is changed then.
  /// - Complexity: As ``undo(in:by:window:)``.
  @discardableResult
  public mutating func undo<Document: ListBacked & ~Copyable>(
    _ step: Step, in document: inout Document, by replica: inout Replica, window: Int = 0
  ) throws(EditFailure) -> UndoResult? {
    guard nextUndo(window: window) == step else { return nil }
    return try turn(.undo, in: &document, by: &replica, window: window, only: true)
  }

  /// Makes the step again that was taken back last: what its undo wrote, and no more.
  ///
  /// - Parameters:
  ///   - document: The list that the steps were made in, or what is backed by it.
  ///   - replica: Who writes.
  ///   - window: Whose steps.
  /// - Returns: What was done and what was kept; `nil` if there is nothing to make again.
  /// - Throws: ``EditFailure`` if a write is refused; nothing is changed then.
  /// - Complexity: As ``undo(in:by:window:)``.
  @discardableResult
  public mutating func redo<Document: ListBacked & ~Copyable>(
    in document: inout Document, by replica: inout Replica, window: Int = 0
  ) throws(EditFailure) -> UndoResult? {
    try turn(.redo, in: &document, by: &replica, window: window)
  }

  /// Makes a step again if it is the next one to be made again.
  ///
  /// - Parameters:
  ///   - step: The step that is named.
  ///   - document: The list that the steps were made in, or what is backed by it.
  ///   - replica: Who writes.
  ///   - window: Whose steps.
  /// - Returns: What was done and what was kept; `nil` if the step is not the next or nothing is left
  ///   of it.
  /// - Throws: ``EditFailure`` if a write is refused; nothing is changed then.
  /// - Complexity: As ``undo(in:by:window:)``.
  @discardableResult
  public mutating func redo<Document: ListBacked & ~Copyable>(
    _ step: Step, in document: inout Document, by replica: inout Replica, window: Int = 0
  ) throws(EditFailure) -> UndoResult? {
    guard nextRedo(window: window) == step else { return nil }
    return try turn(.redo, in: &document, by: &replica, window: window, only: true)
  }

  /// Takes what the last undo or redo kept for others' sake as well: "Undo anyway".
  ///
  /// What others wrote there is overwritten; the opposite of the step brings it back.
  ///
  /// - Parameters:
  ///   - document: The list that the steps were made in, or what is backed by it.
  ///   - replica: Who writes.
  ///   - window: Whose steps.
  /// - Returns: What was done; `nil` if nothing was kept, or another step was made since.
  /// - Throws: ``EditFailure`` if a write is refused; nothing is changed then.
  /// - Complexity: As ``undo(in:by:window:)``.
  @discardableResult
  public mutating func insist<Document: ListBacked & ~Copyable>(
    in document: inout Document, by replica: inout Replica, window: Int = 0
  ) throws(EditFailure) -> UndoResult? {
    guard !isRecording, let stack = stacks[window], let kept = stack.kept else { return nil }
    var turned = self
    let step = kept.direction == .undo ? stack.redos.last : stack.undos.last
    guard var step else { return nil }
    guard step.bring(from: store) else {
      stacks[window]?.loseRest(to: kept.direction == .undo ? .redo : .undo)
      lostStep = step
      return nil
    }
    let result = try turned.take(
      &step, direction: kept.direction, registers: kept.changes, insisting: true, in: &document,
      by: &replica)
    turned.stacks[window]?.kept = nil
    if kept.direction == .undo {
      turned.stacks[window]?.redos[stack.redos.count - 1] = step
    } else {
      turned.stacks[window]?.undos[stack.undos.count - 1] = step
    }
    self = turned
    return result
  }

  /// Takes the next step of which anything is left, and puts it on the other stack.
  private mutating func turn<Document: ListBacked & ~Copyable>(
    _ direction: UndoResult.Direction, in document: inout Document, by replica: inout Replica,
    window: Int, only isOnly: Bool = false
  ) throws(EditFailure) -> UndoResult? {
    guard !isRecording, var stack = stacks[window] else { return nil }
    var turned = self
    var result: UndoResult?
    stack.kept = nil
    while result == nil {
      guard var step = direction == .undo ? stack.undos.popLast() : stack.redos.popLast() else {
        break
      }
      guard step.bring(from: store) else {
        if !step.isUnknown { stack.loseRest(to: direction) }
        turned.lostStep = step
        break
      }
      let changes = step.changes(to: direction)
      let taken = try turned.take(
        &step, direction: direction, registers: changes, insisting: false, in: &document,
        by: &replica)
      if direction == .undo { stack.redos.append(step) } else { stack.undos.append(step) }
      if !taken.done.isEmpty || !taken.kept.isEmpty { result = taken }
      if !taken.kept.isEmpty {
        var kept: [ItemID: [Register]] = [:]
        for row in taken.kept { kept[row.item] = changes[row.item] }
        stack.kept = Pending(direction: direction, changes: kept)
      }
      if isOnly { break }
    }
    turned.stacks[window] = stack
    turned.sweep()
    self = turned
    return result
  }

  /// Takes some registers of a step, planned as a whole before the first write.
  private mutating func take<Document: ListBacked & ~Copyable>(
    _ step: inout UndoStep, direction: UndoResult.Direction, registers: [ItemID: [Register]],
    insisting insists: Bool, in document: inout Document, by replica: inout Replica
  ) throws(EditFailure) -> UndoResult {
    let list = document.list
    let planner = UndoPlanner(
      list: list, standIns: standIns, direction: direction, insists: insists)
    var plans: [(index: Int, plan: UndoPlan)] = []
    var kept: [UndoResult.Kept] = []
    for index in step.items.indices {
      guard let registers = registers[step.items[index].item] else { continue }
      let plan = planner.plan(step.items[index], registers: registers)
      if !plan.obstacles.isEmpty {
        kept.append(UndoResult.Kept(item: plan.item, obstacles: plan.obstacles))
      } else if !plan.writes.isEmpty {
        plans.append((index, plan))
      }
    }
    // What was in the document comes back, however large: only the format has a say.
    let limits = replica.limits
    replica.limits = limits.takingOver
    defer { replica.limits = limits }
    try document.transaction(by: &replica) { (document, replica) throws(EditFailure) in
      for (_, plan) in plans { try document.list.write(plan, direction: direction, by: &replica) }
    }
    step.forgetTakenBack(unless: insists)
    var done: [UndoResult.Done] = []
    for (index, plan) in plans {
      note(plan, direction: direction, before: list, after: document.list, in: &step.items[index])
      done.append(UndoResult.Done(plan, in: document.list))
    }
    return UndoResult(step: step.label, direction: direction, done: done, kept: kept)
  }

  /// Keeps what a step needs to be taken the other way.
  private mutating func note(
    _ plan: UndoPlan, direction: UndoResult.Direction, before: ReplicatedList,
    after: ReplicatedList, in item: inout UndoStep.ItemChange
  ) {
    if plan.leavesPlace || !plan.entries.isEmpty { notePlace(plan, after: after) }
    for write in plan.writes {
      guard let index = item.changes.firstIndex(where: { $0.register == write.register }),
        let entry = after.entry(at: RegisterAddress(plan.item, register: write.register))
      else { continue }
      let joined = plan.entries.first { $0.register == write.register }
      let overwritten = standIns.state(
        of: joined ?? before.entry(at: RegisterAddress(plan.item, register: write.register)))
      // What was overwritten for being insisted on comes back with the opposite step.
      if !overwritten.isSame(as: UndoStep.source(write, direction: direction)) {
        if direction == .undo {
          item.changes[index].after = overwritten
        } else {
          item.changes[index].before = overwritten
        }
      }
      item.changes[index].isTakenBack = direction == .undo
      standIns.note(
        entry.dot, of: RegisterAddress(plan.item, register: write.register),
        standsFor: UndoStep.target(write, direction: direction).root)
    }
    if plan.changesLife { item.whole = after[id: plan.item]?.entries ?? [] }
  }

  /// Notes what the place stands for that an item was left with, or got back in place of such a one.
  private mutating func notePlace(_ plan: UndoPlan, after: ReplicatedList) {
    let address = RegisterAddress(plan.item, register: .position)
    guard let entry = after.entry(at: address) else { return }
    let old = plan.entries.first { $0.register == .position }
    if let old, old.dot != entry.dot {
      standIns.note(entry.dot, of: address, standsFor: standIns.state(of: old).root)
    } else if plan.leavesPlace {
      standIns.note(entry.dot, of: address, standsFor: nil)
    }
  }
}

extension UndoHistory.Stack {
  /// Forgets what is left to be taken beyond a step that is gone: whoever takes a step must not get another one.
  fileprivate mutating func loseRest(to direction: UndoResult.Direction) {
    kept = nil
    if direction == .undo { undos = [] } else { redos = [] }
  }
}

extension UndoStep {
  /// Which registers may be written.
  ///
  /// By an undo all of the step, by a redo those that the last undo wrote; of a new item its life.
  fileprivate func changes(to direction: Direction) -> [ItemID: [Register]] {
    var registers: [ItemID: [Register]] = [:]
    for item in items {
      let changes = item.changes.filter { change in
        (!item.isNew || change.register == .life) && (direction == .undo || change.isTakenBack)
      }
      if !changes.isEmpty { registers[item.item] = changes.map { $0.register } }
    }
    return registers
  }

  /// Starts anew with what an undo wrote; insisting adds to what is known.
  fileprivate mutating func forgetTakenBack(unless insists: Bool) {
    guard !insists else { return }
    for item in items.indices {
      for change in items[item].changes.indices { items[item].changes[change].isTakenBack = false }
    }
  }
}

extension UndoResult.Done {
  fileprivate init(_ plan: UndoPlan, in list: ReplicatedList) {
    item = plan.item
    registers = plan.writes.map { $0.register }
    let isHidden = !plan.changesLife && list[id: plan.item]?.isRemoved == true
    removal = isHidden ? list.entry(at: RegisterAddress(plan.item, register: .life)) : nil
    othersWrites = plan.othersWrites
  }
}

extension ReplicatedList {
  /// Writes what was planned for an item: first what was forgotten comes back, with its old names.
  ///
  /// While the item is removed a floor would take it at once, so its life comes before that.
  fileprivate mutating func write(
    _ plan: UndoPlan, direction: UndoResult.Direction, by replica: inout Replica
  ) throws(EditFailure) {
    if !plan.entries.isEmpty {
      if let life = plan.writes.first(where: { $0.register == .life }),
        UndoStep.target(life, direction: direction).isAlive
      {
        try revive(plan.item, by: &replica)
      }
      var builder = Delta.Builder()
      // The list held them before, so the format has them.
      for entry in plan.entries { try? builder.add(entry) }
      merge(builder.build())
      // A later place that an undo has left there has won.
      let old = plan.entries.first { $0.register == .position }?.value
      if case .position(let section, let key) = old,
        !plan.writes.contains(where: { $0.register == .position })
      {
        try place(plan.item, at: key, inSection: section, by: &replica)
      }
    }
    for change in plan.writes {
      let target = UndoStep.target(change, direction: direction)
      switch (change.register, target.value) {
      case (.life, _):
        if target.isAlive {
          try restore(plan.item, by: &replica)
        } else {
          try remove(plan.item, by: &replica)
        }
      case (.position, .position(let section, let key)?):
        try place(plan.item, at: key, inSection: section, by: &replica)
      case (.field(let name), .field(let value?)?):
        try set(name, of: plan.item, to: value, by: &replica)
      case (.field(let name), _): try clear(name, of: plan.item, by: &replica)
      default: break
      }
    }
  }
}
