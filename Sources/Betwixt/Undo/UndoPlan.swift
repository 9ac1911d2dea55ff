/// What taking a step will write in one item, found before anything is written.
struct UndoPlan {
  let item: ItemID
  /// What is to be written, rising by register.
  var writes: [UndoStep.Change] = []
  /// What stands in the way.
  var obstacles: [UndoResult.Obstacle] = []
  /// What the item held when it went and the list has forgotten since.
  var entries: [Entry] = []
  /// Whether a place stays that would have to go: the item had none before it was restored.
  var leavesPlace = false
  /// What others wrote in an item that comes back.
  var othersWrites: [Entry] = []

  var changesLife: Bool { writes.first?.register == .life }
}

/// Finds out what taking a step will write.
struct UndoPlanner {
  let list: ReplicatedList
  let standIns: StandIns
  let direction: UndoResult.Direction
  /// Whether what others wrote counts for nothing.
  let insists: Bool

  /// What is to be done to an item.
  ///
  /// - Parameters:
  ///   - step: What the step changed in it.
  ///   - registers: Which of its registers may be written.
  /// - Returns: What is to be written, or what stands in the way of all of it.
  /// - Complexity: O(*w* (log *n* + *f*)) for *w* registers of an item with *f* fields
  func plan(_ step: UndoStep.ItemChange, registers: [Register]) -> UndoPlan {
    var plan = UndoPlan(item: step.item)
    // A document that was put back from a backup may lack the item, of which nothing can be written then.
    let isThere = step.item == .root || list[id: step.item] != nil
    let changes = step.changes.filter { change in
      // A step that was kept by an older version may name a life of the root.
      registers.contains { $0 == change.register }
        && !RegisterAddress(step.item, register: change.register).isIgnored
    }
    if isThere, let life = changes.first(where: { $0.register == .life }),
      UndoStep.target(life, direction: direction).isAlive, list[id: step.item]?.isVisible != true
    {
      plan.entries = forgotten(of: step)
    }
    for change in changes {
      let entry = entry(of: change.register, plan: plan)
      let now = standIns.state(of: entry)
      if now.looks(like: UndoStep.target(change, direction: direction)) { continue }
      let isSame = now.isSame(as: UndoStep.source(change, direction: direction))
      if isThere, !canWrite(change), insists || isSame || now.value == step.position {
        plan.leavesPlace = isSame
      } else if isThere, insists || isSame {
        plan.writes.append(change)
      } else {
        plan.obstacles.append(obstacle(change.register, entry: entry))
      }
    }
    guard plan.changesLife, let life = plan.writes.first else { return plan }
    let others = others(than: step, plan: plan)
    if UndoStep.target(life, direction: direction).isAlive {
      plan.othersWrites = others.compactMap { $0.write }
    } else if !insists {
      plan.obstacles += others
      plan.obstacles.sort { $0.register < $1.register }
    }
    return plan
  }

  /// Nothing can be written that takes a place or a life away, where none was before.
  private func canWrite(_ change: UndoStep.Change) -> Bool {
    change.register != .position || UndoStep.target(change, direction: direction).value != nil
  }

  /// What an item held when it went and the list does not hold now, as if it had never forgotten.
  private func forgotten(of step: UndoStep.ItemChange) -> [Entry] {
    let present = list.entries(
      at: step.whole.map { RegisterAddress(step.item, register: $0.register) })
    return zip(step.whole, present).compactMap { entry, present in
      guard let present else { return entry }
      let isLost =
        present.isLess(than: entry) || isLeftPlace(present) && present.value != entry.value
      return isLost ? entry : nil
    }
  }

  /// Whether an entry is a place that an undo has left, which stands for none.
  private func isLeftPlace(_ entry: Entry) -> Bool {
    entry.register == .position && standIns.state(of: entry).root == nil
  }

  private func entry(of register: Register, plan: UndoPlan) -> Entry? {
    plan.entries.first { $0.register == register }
      ?? list.entry(at: RegisterAddress(plan.item, register: register))
  }

  /// The registers of an item, besides its life, that look other than the step knows them.
  private func others(
    than step: UndoStep.ItemChange, plan: UndoPlan
  ) -> [UndoResult.Obstacle] {
    guard let present = list[id: step.item]?.entries else { return [] }
    var known: [Register: RegisterValue] = [:]
    for entry in step.whole { known[entry.register] = entry.value }
    var forgotten: [Register: Entry] = [:]
    for entry in plan.entries { forgotten[entry.register] = entry }
    return present.compactMap { entry in
      guard entry.register != .life else { return nil }
      let now = forgotten[entry.register] ?? entry
      let state = RegisterState(value: now.value, root: nil)
      let isKnown = state.looks(like: RegisterState(value: known[entry.register], root: nil))
      return isKnown
        ? nil : UndoResult.Obstacle(register: entry.register, reason: .added, write: now)
    }
  }

  private func obstacle(_ register: Register, entry: Entry?) -> UndoResult.Obstacle {
    var reason = UndoResult.Obstacle.Reason.changed
    switch entry?.value {
    case nil: reason = .gone
    case .life(let length)?: reason = length & 1 == 1 ? .restored : .removed
    default: break
    }
    return UndoResult.Obstacle(register: register, reason: reason, write: entry)
  }
}
