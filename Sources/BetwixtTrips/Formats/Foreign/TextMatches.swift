import Betwixt

/// The items of a list by their text, each to be taken once.
struct TextMatches {
  private struct Place: Hashable {
    let text: [UInt8]
    let section: Int64
  }

  // The first of each is the next one; those that were taken by the other way are passed over.
  private var ids: [[UInt8]: ArraySlice<ItemID>] = [:]
  private var placed: [Place: ArraySlice<ItemID>] = [:]
  private var taken: Set<ItemID> = []

  // The same of what was removed, and the sections that it came from and was removed from.
  private var removed: [[UInt8]: ArraySlice<ItemID>] = [:]
  private var placedRemoved: [Place: ArraySlice<ItemID>] = [:]
  private var movedRemoved: [[UInt8]: ArraySlice<ItemID>] = [:]
  private var removedSections: [ItemID: Int64] = [:]

  /// - Parameters:
  ///   - list: The list.
  ///   - named: Those that the file calls by their ids.
  ///   - remembersRemoved: Whether also what was removed is taken, behind what is there.
  init(in list: ReplicatedList?, without named: Set<ItemID>, remembersRemoved: Bool) {
    guard let list else { return }
    func text(of item: ListItem) -> [UInt8]? {
      guard !named.contains(item.id) else { return nil }
      return (item.words(.taskText) ?? item.words(.title)).map { Array($0.utf8) }
    }
    for item in list {
      guard let text = text(of: item) else { continue }
      ids[text, default: []].append(item.id)
      placed[Place(text: text, section: item.section ?? 0), default: []].append(item.id)
    }
    guard remembersRemoved else { return }
    let start = list[id: .root]?.time(of: .field(.startDate)) ?? .zero
    for item in list.allItems() where item.isRemoved {
      let section = item.section ?? 0
      let isMoved = TextMatches.isMoved(item, countedFrom: start)
      // What was forgotten has no place left to tell where it came from.
      if !isMoved, let old = item.section { removedSections[item.id] = old }
      guard let text = text(of: item) else { continue }
      removed[text, default: []].append(item.id)
      if isMoved {
        movedRemoved[text, default: []].append(item.id)
      } else {
        placedRemoved[Place(text: text, section: section), default: []].append(item.id)
      }
    }
  }

  /// Whether an item may stand in another section than it came from: it was moved after it got its
  /// text, or the first day, by which the sections of dates are counted, was written after its place.
  ///
  /// Of a place that was written at no time, as that of most files, the first day says nothing: a
  /// removed item that comes back is seen, and a new one that was taken for it is not.
  private static func isMoved(_ item: ListItem, countedFrom start: Timestamp) -> Bool {
    guard let placed = item.time(of: .position) else { return false }
    let name: FieldName = item.words(.taskText) == nil ? .title : .taskText
    if placed != .zero, start > placed { return true }
    return item.time(of: .field(name)).map { $0 < placed } ?? false
  }

  /// Takes the next item of a text that stands in a section.
  mutating func take(_ text: String, in section: Int64) -> ItemID? {
    let id = placed[Place(text: Array(text.utf8), section: section)]?.popFirst()
    if let id { taken.insert(id) }
    return id
  }

  /// Takes the next item of a text.
  mutating func take(_ text: String) -> ItemID? {
    let text = Array(text.utf8)
    while let id = ids[text]?.popFirst() {
      if taken.insert(id).inserted { return id }
    }
    return nil
  }

  /// Takes the next item of a text that was removed.
  ///
  /// - Parameters:
  ///   - text: The text.
  ///   - section: Where it stood; `nil` for a file that does not say.
  /// - Returns: The item, of one that was moved wherever it stood; `nil` if there is none.
  mutating func takeRemoved(_ text: String, from section: Int64?) -> ItemID? {
    let text = Array(text.utf8)
    func next(in matches: inout Self) -> ItemID? {
      guard let section else { return matches.removed[text]?.popFirst() }
      return matches.placedRemoved[Place(text: text, section: section)]?.popFirst()
        ?? matches.movedRemoved[text]?.popFirst()
    }
    while let id = next(in: &self) {
      if taken.insert(id).inserted { return id }
    }
    return nil
  }

  /// Whether an item was removed from another section than that which a file puts one in, and came
  /// from that other one.
  func isRemoved(_ id: ItemID, elsewhereThan section: Int64?) -> Bool {
    guard let section, let old = removedSections[id] else { return false }
    return old != section
  }
}

extension ListItem {
  /// When a register was written; `nil` if it never was.
  fileprivate func time(of register: Register) -> Timestamp? {
    entries.first { $0.register == register }?.stamp.time
  }
}
