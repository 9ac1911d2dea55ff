import Betwixt

extension World {
  /// A local edit, on the list and as worked out on the model.
  func edit(_ action: Action) throws(Divergence) {
    let device = devices[action.device]
    device.remember()
    if case .undo = action { return try device.undo() }
    let plan = EditPlan(action, device.model)
    try device.follow(plan) { () throws(EditFailure) in
      try device.history.record("", in: &device.list, by: &device.me) {
        (list, me) throws(EditFailure) in
        try Device.perform(action, plan, in: &list, by: &me)
      }
    }
  }
}

extension Action {
  /// The number of the device that an edit is made on.
  var device: Int {
    switch self {
    case .insert(let device, _, _, _), .move(let device, _, _, _), .moveBlock(let device, _, _, _),
      .set(let device, _, _, _), .clear(let device, _, _), .remove(let device, _),
      .restore(let device, _), .undo(let device), .setClock(let device, _), .clone(let device, _),
      .rollBack(let device, _):
      device
    case .send(_, let to), .sendPart(_, let to, _), .divert(_, _, let to), .merge(_, let to): to
    }
  }
}

extension Device {
  /// Keeps the present state for a later roll-back.
  func remember() {
    past.append((list, model, me.sequence))
    if past.count > 6 { past.removeFirst() }
  }

  static func perform(
    _ action: Action, _ plan: EditPlan, in list: inout ReplicatedList, by me: inout Replica
  ) throws(EditFailure) {
    switch action {
    case .insert(_, _, let section, let payload):
      try list.insert(
        [Device.field(0): Device.value(payload)], at: plan.offset, inSection: Int64(section),
        by: &me)
    case .move(_, _, _, let section):
      try list.move(plan.items[0], toOffset: plan.offset, inSection: Int64(section), by: &me)
    case .moveBlock(_, _, _, let section):
      try list.move(plan.items, toOffset: plan.offset, inSection: Int64(section), by: &me)
    case .set(_, _, let field, let payload):
      try list.set(Device.field(field), of: plan.items[0], to: Device.value(payload), by: &me)
    case .clear(_, _, let field):
      try list.clear(Device.field(field), of: plan.items[0], by: &me)
    case .remove: try list.remove(plan.items[0], by: &me)
    case .restore: try list.restore(plan.items[0], by: &me)
    default: break
    }
  }

  /// Takes the last step back; what that must come to is the subject of the tests of undo.
  func undo() throws(Divergence) {
    let (before, sequence) = (list, me.sequence)
    let result = try? history.undo(in: &list, by: &me)
    let written = list.entries.filter { model[$0.item, $0.register] != $0 }
    for entry in written { try check(stampOf: entry, since: sequence) }
    take(written, since: sequence)
    if result?.done.isEmpty ?? true {
      try require(list == before && me.sequence == sequence, "an undo of nothing left something")
    } else {
      try require(!written.isEmpty, "an undo wrote nothing")
    }
    try check()
  }

  /// Makes an edit and compares what it wrote with its plan.
  func follow(
    _ plan: EditPlan, _ perform: () throws(EditFailure) -> Void
  ) throws(Divergence) {
    let (before, sequence) = (list, me.sequence)
    var failure: EditFailure.Code?
    do throws(EditFailure) { try perform() } catch { failure = error.code }
    guard failure == plan.failure else {
      let (found, wanted) = (failure.map { "\($0)" }, plan.failure.map { "\($0)" })
      throw Divergence("fails with \(found ?? "nothing"), not \(wanted ?? "nothing")")
    }
    if failure != nil {
      try require(list == before, "an edit failed and changed the list")
      try require(me.sequence == sequence, "an edit failed and used a number")
      return
    }
    try check(plan, since: sequence)
  }

  private func check(_ plan: EditPlan, since sequence: Int64) throws(Divergence) {
    let written = list.entries.filter { model[$0.item, $0.register] != $0 }
    let new = try newItem(written, plan)
    for entry in written {
      try check(stampOf: entry, since: sequence)
      let address = NaiveList.Address(item: entry.item, register: entry.register)
      switch entry.register {
      case _ where entry.item == new: break
      case .position:
        try require(
          plan.placed.contains(entry.item) || hasTightKeys, "\(entry.item) moved as well")
      default: try require(plan.values[address] == entry.value, "wrote \(entry)")
      }
    }
    let isBusy = new != nil || !plan.values.isEmpty || !plan.placed.isEmpty
    try require(written.isEmpty == !isBusy, "wrote \(written)")
    try require(isBusy || me.sequence == sequence, "wrote nothing and used a number")
    let addresses = written.map { NaiveList.Address(item: $0.item, register: $0.register) }
    try require(
      plan.values.keys.allSatisfy(addresses.contains)
        && plan.placed.allSatisfy { addresses.contains(.init(item: $0, register: .position)) },
      "wrote no more than \(written)")
    take(written, since: sequence)
    try check(order: plan, new)
  }

  /// The item that an edit made: its life, its position and its fields, numbered in this order.
  private func newItem(_ written: [Entry], _ plan: EditPlan) throws(Divergence) -> ItemID? {
    guard plan.order.values.contains(where: { $0.contains(nil) }) else { return nil }
    let own = written.filter { $0.register == .life }
    try require(own.count == 1, "made \(own.count) items")
    let life = own[0]
    try require(
      life.item == ItemID(family: me.id.rawValue, sequence: life.sequence)
        && life.value == .life(1),
      "made an item with \(life)")
    let numbers = written.filter { $0.item == life.item }.map(\.sequence)
    try require(
      numbers == Array(life.sequence..<life.sequence + Int64(numbers.count)), "numbers \(numbers)")
    return life.item
  }

  /// Each write has a number of its own and the time now, or the next one of its register.
  private func check(stampOf entry: Entry, since sequence: Int64) throws(Divergence) {
    try require(
      entry.stamp.replica == me.id && entry.sequence > sequence && entry.sequence <= me.sequence,
      "number of \(entry)")
    let now = Timestamp(milliseconds: clock.now)
    let old = model[entry.item, entry.register].flatMap(\.stamp.time.successor)
    try require(entry.stamp.time == old.map { max($0, now) } ?? now, "time of \(entry)")
  }

  /// Whether items share a key, as only impostors make them: then others may have to make room.
  private var hasTightKeys: Bool {
    let keys = model.visible.map { model.position($0)?.key.bytes ?? [] }
    return Set(keys).count < keys.count || keys.contains { $0.count > 400 }
  }

  /// The model takes what was written; each write wins its register at once.
  private func take(_ written: [Entry], since sequence: Int64) {
    let highest = model.highestSequence(of: me.id)
    for entry in written { model.join(entry) }
    self.written += written
    if !written.isEmpty { model.cover(me.id, after: max(sequence, highest), through: me.sequence) }
    mirror = list.map(\.id)
  }

  private func check(order plan: EditPlan, _ new: ItemID?) throws(Divergence) {
    for section in Set(plan.order.keys).union(list.sections) {
      let wanted = (plan.order[section] ?? []).map { $0 ?? new }
      let found = model.visible(in: section)
      try require(found == wanted, "section \(section) is \(found), planned \(wanted)")
    }
    try check()
  }
}
