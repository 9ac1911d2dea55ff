import Betwixt

/// A row of a file without ids, as it is looked for in a list.
struct TextRow {
  /// The identity that it has by its text, and by which of its kind it is.
  let id: ItemID
  /// Its text.
  let text: [UInt8]
  /// The section that it is put in.
  let section: Int64
  /// Whether the file says that section.
  let isPlaced: Bool
  /// What else it says.
  let fields: [FieldName: FieldValue?]
  /// How many of those are values.
  let valueCount: Int
}

extension TextRow {
  /// Whether an item says what the row does, and of what other rows say nothing more.
  ///
  /// - Parameters:
  ///   - item: The item.
  ///   - count: How many of the fields that any row has it has.
  /// - Returns: Whether it does.
  fileprivate func isSaid(by item: ListItem, holding count: Int?) -> Bool {
    guard valueCount == count else { return false }
    return valueCount
      == item.fields.count { held in fields[held.name].map { $0 == held.value } ?? false }
  }
}

/// The items of a list by their text, each to be taken once.
struct TextMatches {
  /// What a row is looked for by, the surest first.
  ///
  /// The identity of a row tells which item was made of it, unless a row of its text came in above it,
  /// or went, or the file was written from the list: then each row has the identity of another, and the
  /// one that says the same is meant first, to which nothing has to be written.
  enum Way: CaseIterable {
    case ownIDSame
    case ownIDRenamed
    case sameUnmoved
    case ownIDInPlace
    case textUnmoved
    case sameInPlace
    case textInPlace
    case ownID
    case ownIDRemovedInPlace
    case removedInPlace
    case ownIDRemoved
    case textMoved
    case same
    case text
    case removed

    /// Whether it asks whether the item was moved.
    var isOfMoves: Bool { self == .sameUnmoved || self == .textUnmoved || self == .textMoved }

    /// Whether it asks for the identity of the row.
    var isOwn: Bool {
      switch self {
      case .ownIDSame, .ownIDRenamed, .ownIDInPlace, .ownID, .ownIDRemovedInPlace, .ownIDRemoved:
        true
      case .sameUnmoved, .textUnmoved, .sameInPlace, .textInPlace, .removedInPlace, .same,
        .textMoved, .text, .removed:
        false
      }
    }
  }

  private let list: ReplicatedList?
  private let remembersRemoved: Bool
  private let named: Set<ItemID>
  private var visible = TextPool()
  private var unmoved = TextPool()
  private var moved = TextPool()
  /// How many fields an item has that rows of the file have.
  private var fieldCounts: [ItemID: Int] = [:]
  private var taken: Set<ItemID> = []

  // What was removed from the section that it came with, and what was moved before it was removed.
  private var removed = TextPool()
  private var movedRemoved = TextPool()
  private var removedSections: [ItemID: Int64] = [:]

  /// - Parameters:
  ///   - list: The list.
  ///   - named: Those that the file calls by their ids.
  ///   - names: The fields that its rows have.
  ///   - remembersRemoved: Whether also what was removed is taken, behind what is there.
  init(
    in list: ReplicatedList?, without named: Set<ItemID>, naming names: Set<FieldName>,
    remembersRemoved: Bool
  ) {
    (self.list, self.named, self.remembersRemoved) = (list, named, remembersRemoved)
    guard let list else { return }
    for item in list {
      guard let text = text(of: item) else { continue }
      visible.add(item.id, text: text, section: item.section)
      if item.isMoved {
        moved.add(item.id, text: text, section: item.section)
      } else {
        unmoved.add(item.id, text: text, section: item.section)
      }
      fieldCounts[item.id] = item.fields.count { names.contains($0.name) }
    }
    guard remembersRemoved else { return }
    for item in list.allItems() where item.isRemoved {
      let isMoved = item.isMoved
      // What was forgotten has no place left to tell where it came from.
      if !isMoved, let old = item.section { removedSections[item.id] = old }
      guard let text = text(of: item) else { continue }
      if isMoved {
        movedRemoved.add(item.id, text: text, section: item.section)
      } else {
        removed.add(item.id, text: text, section: item.section)
      }
    }
  }

  private func text(of item: ListItem) -> [UInt8]? {
    guard !named.contains(item.id) else { return nil }
    return (item.words(.taskText) ?? item.words(.title)).map { Array($0.utf8) }
  }

  /// Whether the list knows an item, or knew it and remembers that.
  func knows(_ id: ItemID) -> Bool {
    guard let item = list?[id: id] else { return false }
    return item.isVisible || remembersRemoved
  }

  /// Whether nothing speaks against it that the item of a row's identity was made of the row: it
  /// stands where the row says, or was moved from where it came, and says the same, or was edited.
  func isFrom(_ row: TextRow) -> Bool {
    guard knows(row.id), !named.contains(row.id), let item = list?[id: row.id] else { return false }
    // Of what was forgotten nothing is left that could say otherwise.
    guard let section = item.section else { return true }
    guard !row.isPlaced || section == row.section || item.isMoved else { return false }
    var held: [FieldName: Entry] = [:]
    var oldest = Timestamp.max
    for entry in item.entries {
      guard case .field(let name) = entry.register else { continue }
      held[name] = entry
      oldest = min(oldest, entry.stamp.time)
    }
    return row.fields.allSatisfy { name, value in
      guard let value else { return true }
      guard let entry = held[name] else { return false }
      return entry.value == .field(value)
        || oldest.milliseconds < entry.stamp.time.milliseconds
    }
  }

  /// Takes the item of a row's own identity, whatever it says and wherever it stands.
  mutating func takeOwn(_ row: TextRow) -> ItemID {
    taken.insert(row.id)
    return row.id
  }

  /// Takes the next item that a row is looked for by.
  mutating func take(_ row: TextRow, by way: Way) -> ItemID? {
    if way.isOwn, !isFrom(row) { return nil }
    let place = row.isPlaced ? row.section : nil
    let says = { [list, fieldCounts] (id: ItemID) in
      list?[id: id].map { row.isSaid(by: $0, holding: fieldCounts[id]) } ?? false
    }
    return switch way {
    case .ownIDSame:
      says(row.id) ? unmoved.take(row.id, row.text, in: row.section, besides: &taken) : nil
    case .ownIDRenamed: visible.takeRenamed(row.id, from: row.text, besides: &taken)
    case .sameUnmoved: unmoved.take(row.text, in: row.section, besides: &taken, where: says)
    case .ownIDInPlace: visible.take(row.id, row.text, in: row.section, besides: &taken)
    case .textUnmoved: unmoved.take(row.text, in: row.section, besides: &taken)
    case .sameInPlace: visible.take(row.text, in: row.section, besides: &taken, where: says)
    case .textInPlace: visible.take(row.text, in: row.section, besides: &taken)
    case .ownID: visible.take(row.id, row.text, in: nil, besides: &taken)
    case .ownIDRemovedInPlace: removed.take(row.id, row.text, in: place, besides: &taken)
    case .removedInPlace: place.flatMap { removed.take(row.text, in: $0, besides: &taken) }
    case .ownIDRemoved: movedRemoved.take(row.id, row.text, in: nil, besides: &taken)
    case .same: visible.take(row.text, in: nil, besides: &taken, where: says)
    case .textMoved: moved.take(row.text, in: nil, besides: &taken)
    case .text: visible.take(row.text, in: nil, besides: &taken)
    case .removed:
      // A file that says no place means what was removed anywhere.
      (place == nil ? removed.take(row.text, in: nil, besides: &taken) : nil)
        ?? movedRemoved.take(row.text, in: nil, besides: &taken)
    }
  }

  /// Whether the item of an identity was removed from another section than that which a row stands in,
  /// and came from that other one.
  func isRemoved(_ id: ItemID, elsewhereThan row: TextRow) -> Bool {
    guard row.isPlaced, let old = removedSections[id] else { return false }
    return old != row.section
  }

  /// What is said of a row whose item was moved before it was removed: where it came from nobody
  /// knows, so that the row may be a new one of the same text.
  func doubt(of row: TextRow, as id: ItemID) -> String? {
    guard remembersRemoved, row.isPlaced, let item = list?[id: id], item.isRemoved, item.isMoved,
      item.section != row.section
    else { return nil }
    return "skipped: “\(item.summary.excerpt)” was removed here; 'betwixt restore' brings it back"
  }
}

/// Items of a list by text and section; of those alike the first is the next one.
private struct TextPool {
  private struct Place: Hashable {
    let text: [UInt8]
    /// `nil` for wherever it stands.
    let section: Int64?
  }

  private var ids: [Place: ArraySlice<ItemID>] = [:]
  private var places: [ItemID: Place] = [:]

  mutating func add(_ id: ItemID, text: [UInt8], section: Int64?) {
    let place = Place(text: text, section: section ?? 0)
    places[id] = place
    ids[place, default: []].append(id)
    ids[Place(text: text, section: nil), default: []].append(id)
  }

  /// Takes the next item of a text; those that were taken by another way are passed over.
  mutating func take(
    _ text: [UInt8], in section: Int64?, besides taken: inout Set<ItemID>
  ) -> ItemID? {
    guard !ids.isEmpty else { return nil }
    let place = Place(text: text, section: section)
    while let id = ids[place]?.popFirst() {
      if taken.insert(id).inserted { return id }
    }
    return nil
  }

  /// Takes the first item of a text that is so: one of those that are next.
  mutating func take(
    _ text: [UInt8], in section: Int64?, besides taken: inout Set<ItemID>,
    where isSo: (ItemID) -> Bool
  ) -> ItemID? {
    let place = Place(text: text, section: section)
    guard var next = ids[place] else { return nil }
    // Held once, so that it is not copied.
    ids[place] = nil
    var others: [ItemID] = []
    var found: ItemID?
    var index = next.startIndex
    while index < next.endIndex, others.count < TextPool.lookLimit, found == nil {
      let id = next[index]
      index += 1
      if taken.contains(id) { continue }
      if isSo(id) { found = id } else { others.append(id) }
    }
    // What was taken is passed over once; those that are not so stay the next ones.
    let start = index - others.count
    for (offset, id) in others.enumerated() { next[start + offset] = id }
    ids[place] = next[start...]
    if let found { taken.insert(found) }
    return found
  }

  // Thousands of rows of one text would take thousands of looks each.
  private static let lookLimit = 16

  /// Takes one item if it has another text than it came with.
  func takeRenamed(
    _ id: ItemID, from text: [UInt8], besides taken: inout Set<ItemID>
  ) -> ItemID? {
    guard let place = places[id], place.text != text else { return nil }
    return taken.insert(id).inserted ? id : nil
  }

  /// Takes one item if it has a text.
  func take(
    _ id: ItemID, _ text: [UInt8], in section: Int64?, besides taken: inout Set<ItemID>
  ) -> ItemID? {
    guard let place = places[id], place.text == text else { return nil }
    guard section == nil || section == place.section else { return nil }
    return taken.insert(id).inserted ? id : nil
  }
}

extension ListItem {
  /// Whether it may stand in another section than it came with: its place is later than some field.
  ///
  /// A file without times, which takes what another one said elsewhere, moves nothing that is shown; of
  /// what was removed also such a place is not the one that it came with.
  fileprivate var isMoved: Bool {
    let place = entries.first { $0.register == .position }
    guard let placed = place?.stamp.time else { return false }
    return entries.contains { entry in
      guard case .field = entry.register else { return false }
      let time = entry.stamp.time
      return isRemoved ? time < placed : time.milliseconds < placed.milliseconds
    }
  }
}
