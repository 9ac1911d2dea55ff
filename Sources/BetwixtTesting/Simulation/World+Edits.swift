import Betwixt

extension World {
  /// A local edit, on the list and as worked out on the model.
  mutating func edit(_ action: Action, by device: Device) throws(Violation) -> Bool {
    switch action.kind {
    case .undo: return try device.undo()
    case .run: return try type(action, by: device)
    case .edit: return try editAsEmbedder(action, by: device)
    default:
      guard let plan = EditPlan(action, model: device.model) else { return false }
      try device.follow(plan)
      return true
    }
  }

  private func editAsEmbedder(_ action: Action, by device: Device) throws(Violation) -> Bool {
    guard let edit = simulation.edit else { return false }
    var source = ChoiceSource(seed: UInt64(action.a))
    let sequence = device.me.sequence
    do {
      try device.history.record("", in: &device.list, by: &device.me) { list, me in
        try edit(&list, &me, &source)
      }
    } catch {
      throw Violation("the edit failed: \(error)")
    }
    try device.takeWrites(since: sequence)
    return true
  }

  /// Types some items one behind the other.
  private mutating func type(_ action: Action, by device: Device) throws(Violation) -> Bool {
    let section = Int64(action.b)
    let before = device.model.visible(in: section)
    let offset = action.a % (before.count + 1)
    let left = offset > 0 ? device.model[before[offset - 1]]?.place?.key.bytes : nil
    let right = offset < before.count ? device.model[before[offset]]?.place?.key.bytes : nil
    var items: [(id: ItemID, placed: Dot)] = []
    for place in offset...offset + 1 + action.c {
      let plan = EditPlan(insertingAt: place, in: section, model: device.model)
      let item = try device.follow(plan, typing: simulation.type)
      if let item, let placed = device.model[item, .position]?.dot { items.append((item, placed)) }
    }
    if !hasImpostors {
      runs.append(TypedRun(section: section, left: left, right: right, items: items))
    }
    return true
  }
}

/// What an edit must come to, worked out on the model before the list makes it.
struct EditPlan {
  enum Edit {
    case insert(FieldValue)
    case move([ItemID])
    case set(FieldName, FieldValue?)
    case life(isAlive: Bool)
  }

  let edit: Edit
  let item: ItemID
  let offset: Int
  let section: Int64

  /// Whether the item is known; else the edit must fail.
  let isKnown: Bool

  /// What the section shows afterwards; `nil` stands for the new item.
  private(set) var order: [ItemID?]

  /// A number of an item that means one that nobody knows, and one that means the root.
  private static let unknown = 23
  private static let root = 22

  init(insertingAt offset: Int, in section: Int64, model: NaiveList) {
    edit = .insert(.int64(Int64(offset)))
    item = .root
    self.section = section
    isKnown = true
    order = model.visible(in: section)
    self.offset = min(offset, order.count)
    order.insert(nil, at: self.offset)
  }

  /// The plan of an action, or `nil` if there is no item for it yet.
  init?(_ action: Action, model: NaiveList) {
    let isField = action.kind == .set || action.kind == .clear
    if action.kind == .insert {
      item = .root
      isKnown = true
    } else if action.a == EditPlan.unknown {
      item = ItemID(high: 0xdead, low: 0xbeef)
      isKnown = false
    } else if isField, action.a == EditPlan.root {
      item = .root
      isKnown = true
    } else {
      let known = model.known
      guard !known.isEmpty else { return nil }
      item = known[known.startIndex + action.a % known.count].id
      isKnown = true
    }
    let value = EditPlan.value(action.c)
    let name = EditPlan.field(action.b)
    var offset = 0
    switch action.kind {
    case .insert:
      edit = .insert(value)
      section = Int64(action.b)
      offset = action.a
    case .move:
      edit = .move([item])
      section = Int64(action.c)
      offset = action.b
    case .moveBlock:
      let start = item
      let next = model.known.drop { $0.id <= start }.prefix(action.b)
      edit = .move([start] + next.map(\.id))
      section = model[item]?.place?.section ?? 0
      offset = action.c
    case .set, .clear:
      edit = .set(name, action.kind == .set ? value : nil)
      section = 0
    case .remove, .restore:
      edit = .life(isAlive: action.kind == .restore)
      section = model[item]?.place?.section ?? 0
    default: return nil
    }
    order = model.visible(in: section)
    self.offset = offset % (order.count + 1)
    work(model)
  }

  private mutating func work(_ model: NaiveList) {
    guard isKnown else { return }
    switch edit {
    case .insert: order.insert(nil, at: offset)
    case .move(let items):
      let anchor = order.dropFirst(offset).first { id in !items.contains { $0 == id } }
      for item in items where model[item]?.isAlive ?? false {
        order.removeAll { $0 == item }
        let place = anchor.flatMap { order.firstIndex(of: $0) } ?? order.count
        order.insert(item, at: place)
      }
    case .set: break
    case .life(let isAlive):
      guard model.isVisible(item) != isAlive else { return }
      guard isAlive else { return order.removeAll { $0 == item } }
      guard let key = model[item]?.place?.key.bytes else {
        // One that was forgotten, or whose place has not come yet, gets one at the end.
        if model[item]?[.life] != nil, model[item]?.isAlive == false { order.append(item) }
        return
      }
      let place = model.visible.filter { $0.section == section }.prefix { shown in
        shown.key != key ? shown.key.lexicographicallyPrecedes(key) : shown.id < item
      }
      order.insert(item, at: place.count)
    }
  }

  /// The name of a field by number.
  static func field(_ number: Int) -> FieldName { FieldName("field \(number)") ?? "field" }

  /// Values of all kinds, some equal as text and different as bytes.
  static func value(_ number: Int) -> FieldValue {
    switch number {
    case 0: .int64(0)
    case 1: .string("")
    case 2: .string("caf\u{e9}")
    case 3: .string("cafe\u{301}")
    case 4: .double(.nan)
    case 5: .double(-0.0)
    case 6: .bool(true)
    case 7: .bool(false)
    case 8: .bytes([])
    case 9: .bytes([0, 0xff])
    case 10: .unknown(tag: 9, payload: [1])
    case 11: .int64(.min)
    case 12: .int64(.max)
    case 13: .string(String(repeating: "long ", count: 40))
    default: .int64(Int64(number))
    }
  }
}
