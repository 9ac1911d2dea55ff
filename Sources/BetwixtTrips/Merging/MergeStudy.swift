import Betwixt

extension MergeReport {
  /// Looks at every register of every input.
  ///
  /// - Complexity: O(*k*² *n* log *n*) for *k* inputs
  init(of sources: [MergeSource], base: ReplicatedList?, result: ReplicatedList) {
    let sources = sources.sorted { $0.name.precedesInBytes($1.name) }
    var study = MergeStudy(sources: sources, base: base, result: result)
    for item in result.allItems() { study.look(at: item) }
    self.sources = study.counts.sorted { left, right in
      left.name.hasSameBytes(as: right.name)
        ? left.tally.lexicographicallyPrecedes(right.tally) : left.name.precedesInBytes(right.name)
    }
    lostEdits = study.lostEdits
    removedEdits = study.removedEdits
  }
}

extension MergeReport.Source {
  fileprivate var tally: [Int] { [added, updated, moved, removed] }
}

/// Compares the inputs of a merge item by item.
struct MergeStudy {
  private struct Input {
    let name: String
    let list: ReplicatedList
    let version: VersionVector
    /// Which items the result shows where it does; `nil` if keys tell that, as all inputs have them.
    let places: SamePlaces?
    /// The same for each of the inputs.
    let placesByInput: [SamePlaces]?
    let hasHistory: Bool
  }

  private let inputs: [Input]
  private let base: ReplicatedList?
  private let dialect: PlainDialect
  private let words: PlaceWords
  var counts: [MergeReport.Source]
  var lostEdits: [MergeReport.LostEdit] = []
  var removedEdits: [MergeReport.RemovedEdit] = []

  init(sources: [MergeSource], base: ReplicatedList?, result: ReplicatedList) {
    let hasPlain = sources.contains { !$0.hasHistory }
    inputs = sources.map { source in
      Input(
        name: source.name, list: source.list, version: source.list.version,
        places: hasPlain ? SamePlaces(source.list, result) : nil,
        placesByInput: hasPlain && base == nil
          ? sources.map { SamePlaces(source.list, $0.list) } : nil,
        hasHistory: source.hasHistory)
    }
    counts = sources.map { MergeReport.Source(name: $0.name) }
    self.base = base
    dialect = PlainDialect(of: result)
    words = PlaceWords(result)
  }

  /// Looks at one item of the result.
  mutating func look(at item: ListItem) {
    // Most items are the same everywhere, which is seen without making entries of them.
    if base.map({ item.isSame(in: $0) }) ?? true, inputs.allSatisfy({ item.isSame(in: $0.list) }) {
      return
    }
    let held = inputs.map { $0.list[id: item.id] }
    let entries = held.map { $0?.entries ?? [] }
    let baseEntries = base?[id: item.id]?.entries
    if entries.allSatisfy({ $0 == entries.first }), base == nil || baseEntries == entries.first {
      return
    }
    let table = RegisterTableau(entries, result: item.entries)
    count(item, held: held, in: table, baseEntries: baseEntries)
    let old = Set(baseEntries ?? [])
    for row in table.rows { findLostEdits(item, row: row, old: old) }
    if item.isRemoved { findRemovedEdits(item, in: table, old: old) }
  }

  private func label(of item: ListItem) -> String {
    item.knownSummary(in: inputs.map { $0.list })
  }

  // Whether somebody replaced the write knowing it.
  private func isKnown(_ entry: Entry, row: RegisterTableau.Row) -> Bool {
    inputs.indices.contains { index in
      row.entries[index] != entry && inputs[index].version.covers(entry.dot)
    }
  }

  private func side(_ entry: Entry, row: RegisterTableau.Row) -> MergeReport.Side {
    // Several inputs can have written the value at different times; all of them are named.
    let holders = inputs.indices.filter { row.entries[$0]?.value == entry.value }
    var place: String?
    if case .position(let section, let key) = entry.value {
      place = words.place(section, key: key, of: entry.item)
    }
    return MergeReport.Side(
      value: entry.value, time: entry.stamp.time, sources: holders.map { inputs[$0].name },
      place: place, isMove: holders.allSatisfy { isMove(entry, in: inputs[$0].list) })
  }

  // Whether the item was there before the write: somebody else made it, or made it earlier.
  private func isMove(_ entry: Entry, in list: ReplicatedList) -> Bool {
    let life = list[id: entry.item]?.entries.first { $0.register == .life }
    guard entry.register == .position, let birth = life?.stamp else { return false }
    return birth.replica != entry.stamp.replica
      || birth.time.milliseconds < entry.stamp.time.milliseconds
  }

  // Whether a place was lost, or won, to the number of a plain file that says the same place.
  private func isKept(_ entry: Entry, of item: ListItem, row: RegisterTableau.Row) -> Bool {
    guard row.register == .position else { return false }
    let holders = inputs.indices.filter { row.entries[$0] == entry }
    let winners = inputs.indices.filter { row.entries[$0] == row.winner }
    return (holders + winners).contains { !inputs[$0].hasHistory }
      && holders.allSatisfy { inputs[$0].places?.contains(item.id) ?? false }
  }

  // What the base holds nobody has edited.
  private mutating func findLostEdits(
    _ item: ListItem, row: RegisterTableau.Row, old: Set<Entry>
  ) {
    var reported: Set<RegisterValue> = [row.winner.value]
    for entry in row.distinctEntries where !old.contains(entry) {
      guard !reported.contains(entry.value), !isKnown(entry, row: row) else { continue }
      guard row.winner.value.isNews(beside: entry.value) else { continue }
      guard !isKept(entry, of: item, row: row) else { continue }
      reported.insert(entry.value)
      lostEdits.append(
        MergeReport.LostEdit(
          item: item.id, label: label(of: item), register: row.register,
          lost: side(entry, row: row), kept: side(row.winner, row: row), day: words.day(of: item)))
    }
  }

  private mutating func findRemovedEdits(
    _ item: ListItem, in table: RegisterTableau, old: Set<Entry>
  ) {
    guard let life = table.rows.first(where: { $0.register == .life }) else { return }
    let removers = inputs.indices.filter { life.entries[$0]?.value == life.winner.value }
    var registers: [Register] = []
    var held: [MergeReport.RemovedEdit.Edit] = []
    var editors: Set<Int> = []
    for row in table.rows where row.register != .life {
      let edits = row.distinctEntries.filter { entry in
        !old.contains(entry)
          && removers.allSatisfy { remover in
            !inputs[remover].version.covers(entry.dot)
              && row.entries[remover]?.value != entry.value
          }
      }
      guard !edits.isEmpty else { continue }
      registers.append(row.register)
      if edits.contains(row.winner) {
        held.append(.init(register: row.register, side: side(row.winner, row: row)))
      }
      editors.formUnion(
        inputs.indices.filter { index in edits.contains { row.entries[index] == $0 } })
    }
    guard !registers.isEmpty else { return }
    var writer = JSONWriter()
    writer.plain(PlainViewItem(item, in: dialect), in: dialect, tripID: nil)
    removedEdits.append(
      MergeReport.RemovedEdit(
        item: item.id, label: label(of: item), registers: registers,
        editedBy: editors.sorted().map { inputs[$0].name },
        removedBy: removers.map { inputs[$0].name }, edits: held,
        json: String(decoding: writer.bytes, as: UTF8.self), day: words.day(of: item)))
  }
}

extension MergeStudy {
  // Whether all inputs that have an item show it where this one does.
  private func isNowhereElse(_ item: ListItem, than index: Int) -> Bool {
    guard let places = inputs[index].placesByInput else { return false }
    return inputs.indices.allSatisfy {
      inputs[$0].list[id: item.id] == nil || places[$0].contains(item.id)
    }
  }

  private mutating func count(
    _ item: ListItem, held: [ListItem?], in table: RegisterTableau, baseEntries: [Entry]?
  ) {
    let wasVisible: [Bool] =
      base.map { [$0.contains(id: item.id)] } ?? held.map { $0?.isVisible ?? false }
    for index in inputs.indices {
      let isVisible = held[index]?.isVisible ?? false
      if item.isVisible, isVisible, wasVisible.contains(false) {
        counts[index].added += 1
        continue
      }
      if item.isRemoved, held[index]?.isRemoved ?? false, wasVisible.contains(true) {
        counts[index].removed += 1
      }
      guard item.isVisible || item.id == .root else { continue }
      var isUpdated = false
      var isMoved = false
      for row in table.rows where row.brings(index, base: base == nil ? nil : baseEntries ?? []) {
        switch row.register {
        case .life: break
        case .field(let name) where item.id == .root && name.isDeviceName: break
        case .position: isMoved = isMoved || !isNowhereElse(item, than: index)
        case .field, .other: isUpdated = true
        }
      }
      if isUpdated { counts[index].updated += 1 }
      if isMoved { counts[index].moved += 1 }
    }
  }
}

/// The registers of one item, each with what every input holds of it.
struct RegisterTableau {
  struct Row {
    let register: Register
    let winner: Entry
    var entries: [Entry?]

    /// The different writes, in an order that does not depend on that of the inputs.
    var distinctEntries: [Entry] {
      var distinct: [Entry] = []
      for case let entry? in entries where !distinct.contains(entry) { distinct.append(entry) }
      return distinct.sorted { left, right in
        if left.stamp != right.stamp { return left.stamp > right.stamp }
        if left.sequence != right.sequence { return left.sequence > right.sequence }
        return right.canonicalBytes.lexicographicallyPrecedes(left.canonicalBytes)
      }
    }

    /// Whether the result holds what an input has and the base, or some other input, has not.
    func brings(_ index: Int, base: [Entry]?) -> Bool {
      guard let value = entries[index]?.value, value == winner.value else { return false }
      if let base {
        return base.first { $0.register == register }?.value != value
      }
      return entries.contains { $0?.value != value }
    }
  }

  var rows: [Row] = []

  init(_ entries: [[Entry]], result: [Entry]) {
    rows = result.map { entry in
      Row(
        register: entry.register, winner: entry,
        entries: Array(repeating: nil, count: entries.count))
    }
    var places: [Register: Int] = [:]
    for (place, row) in rows.enumerated() { places[row.register] = place }
    for (index, entries) in entries.enumerated() {
      for entry in entries {
        if let place = places[entry.register] { rows[place].entries[index] = entry }
      }
    }
  }
}
