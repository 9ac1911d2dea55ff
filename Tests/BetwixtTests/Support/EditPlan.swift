import Betwixt

/// What an edit must come to, worked out on the model before the list makes it.
struct EditPlan {
  /// The items it is about, in the order given to the list.
  private(set) var items: [ItemID] = []
  private(set) var offset = 0
  private(set) var failure: EditFailure.Code?

  /// The registers written besides positions, with their values; those of a new item not.
  private(set) var values: [NaiveList.Address: RegisterValue] = [:]

  /// The items whose positions are written.
  private(set) var placed: Set<ItemID> = []

  /// What is on show afterwards, by section; `nil` stands for a new item.
  private(set) var order: [Int64: [ItemID?]] = [:]

  private let model: NaiveList

  private init(_ model: NaiveList) {
    self.model = model
    show(model)
  }

  private mutating func show(_ model: NaiveList) {
    order = [:]
    for id in model.visible { order[model.position(id)?.section ?? 0, default: []].append(id) }
  }

  // MARK: Generated edits

  init(_ action: Action, _ model: NaiveList) {
    self.init(model)
    switch action {
    case .insert(_, let offset, let section, _):
      self.offset = offset % (count(in: Int64(section)) + 1)
      order[Int64(section), default: []].insert(nil, at: self.offset)
    case .move(_, let item, let offset, let section):
      items = [choose(item)]
      self.offset = offset % (count(in: Int64(section)) + 1)
      if isKnown() { place(items[0], before: self.offset, in: Int64(section)) }
    case .moveBlock(_, let numbers, let offset, let section):
      for item in numbers.map(choose) where !items.contains(item) { items.append(item) }
      self.offset = offset % (count(in: Int64(section)) + 1)
      if isKnown() { placeBlock(before: self.offset, in: Int64(section)) }
    case .set(_, let item, let field, let payload):
      items = [chooseOrRoot(item)]
      write(Device.value(payload), to: Device.field(field))
    case .clear(_, let item, let field):
      items = [chooseOrRoot(item)]
      write(nil, to: Device.field(field))
    case .remove(_, let item):
      items = [choose(item)]
      // What has no life yet cannot lose it.
      if isKnown(), model.lifeLength(items[0]) == 0 { failure = .unknownItem }
      if failure == nil { setLife(isAlive: false) }
    case .restore(_, let item):
      items = [choose(item)]
      if isKnown() { setLife(isAlive: true) }
    default: break
    }
  }

  private func count(in section: Int64) -> Int { order[section]?.count ?? 0 }

  /// An item of any kind: on show, removed, half arrived, and now and then one that nobody knows.
  private func choose(_ number: Int) -> ItemID {
    let items = model.items.filter { $0 != .root }
    return number < 62 && !items.isEmpty
      ? items[number % items.count] : ItemID(high: 0xdead, low: 0xbeef)
  }

  private func chooseOrRoot(_ number: Int) -> ItemID {
    number.isMultiple(of: 16) ? .root : choose(number)
  }

  private mutating func isKnown() -> Bool {
    if !items.allSatisfy(Set(model.items).contains) { failure = .unknownItem }
    return failure == nil
  }

  // MARK: Effects

  private mutating func write(_ value: FieldValue?, to name: FieldName) {
    if items[0] != .root, !isKnown() { return }
    guard model.field(name, of: items[0]) != value else { return }
    values[NaiveList.Address(item: items[0], register: .field(name))] = .field(value)
  }

  private mutating func setLife(isAlive: Bool) {
    let length = model.lifeLength(items[0])
    guard length.isMultiple(of: 2) == isAlive else { return }
    values[NaiveList.Address(item: items[0], register: .life)] = .life(length + 1)
    var after = model
    after.pretend(items[0], lifeLength: length + 1)
    show(after)
  }

  private mutating func place(_ item: ItemID, before offset: Int, in section: Int64) {
    var offset = offset
    if let source = order[section]?.firstIndex(of: item) {
      if source == offset || source + 1 == offset { return }
      if source < offset { offset -= 1 }
    }
    placed.insert(item)
    guard !model.lifeLength(item).isMultiple(of: 2) else { return }
    for section in order.keys { order[section]?.removeAll { $0 == item } }
    order[section, default: []].insert(item, at: offset)
  }

  /// All items in a row, before the first one behind the offset that is none of them; those that
  /// stand there already stay.
  private mutating func placeBlock(before offset: Int, in section: Int64) {
    var next = order[section]?.dropFirst(offset).first { !items.contains($0 ?? .root) } ?? nil
    for item in items.reversed() {
      let end = count(in: section)
      let destination = next.flatMap { order[section]?.firstIndex(of: $0) } ?? end
      place(item, before: destination, in: section)
      if !model.lifeLength(item).isMultiple(of: 2) { next = item }
    }
  }
}
