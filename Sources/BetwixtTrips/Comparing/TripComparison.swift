public import Betwixt

/// What differs between two states of a trip, item by item.
///
///     let comparison = TripComparison(from: yesterday, to: today)
///     comparison.isEmpty  // false
///     comparison.lines    // ["+ “Lucha libre”: day 2 after “Lunch”", …]
///
/// Only what a reader sees is compared: who wrote it and when makes no difference, nor which version
/// of a calendar it came with, and an item whose key changed without changing the order has not
/// moved.
public struct TripComparison: Hashable, Sendable {
  /// A place in a trip.
  public struct Place: Hashable, Sendable {
    /// The day, or the date count of a task.
    public let section: Int64
    /// The number that the key projects to.
    public let sortOrder: Double
    /// The place by what stands beside it.
    let words: String

    /// Places are compared as numbers; neighbours are for the reader.
    public static func == (left: Place, right: Place) -> Bool {
      left.section == right.section && left.sortOrder == right.sortOrder
    }

    /// Hashes what ``==(_:_:)`` compares.
    public func hash(into hasher: inout Hasher) {
      hasher.combine(section)
      hasher.combine(sortOrder)
    }
  }

  /// One field with two values.
  public struct FieldChange: Hashable, Sendable {
    /// Which field.
    public let name: FieldName
    /// The value before; `nil` if it had none.
    public let old: FieldValue?
    /// The value now; `nil` if it has none.
    public let new: FieldValue?
  }

  /// One item that differs.
  public struct Change: Hashable, Sendable {
    /// Which item; `ItemID.root` for the trip itself.
    public let item: ItemID
    /// The item in words.
    public let label: String
    /// Where it stood; `nil` if it was not there.
    public let oldPlace: Place?
    /// Where it stands; `nil` if it is gone.
    public let newPlace: Place?
    /// Whether it is there in both states and stands elsewhere.
    public let isMoved: Bool
    /// The fields that differ, rising by name; all of them for an item that came or went.
    public let fields: [FieldChange]
  }

  /// The trip itself first, then the items that are there now in their order, then those that are
  /// gone in theirs.
  public let changes: [Change]

  /// Whether a reader sees no difference.
  public var isEmpty: Bool { changes.isEmpty }

  /// Compares two states.
  ///
  /// - Complexity: O(*n* log *n*)
  public init(from old: ReplicatedList, to new: ReplicatedList) {
    let moved = TripComparison.movedItems(from: old, to: new)
    let oldWords = PlaceWords(old)
    let newWords = PlaceWords(new)
    var changes: [Change] = []
    let rootFields = FieldChange.all(from: old.metadata, to: new.metadata)
      .filter { !$0.name.isDeviceName }
    if !rootFields.isEmpty {
      let label = (new[id: .root] ?? old[id: .root])?.summary ?? "trip"
      changes.append(
        Change(
          item: .root, label: label, oldPlace: nil, newPlace: nil, isMoved: false,
          fields: rootFields))
    }
    for item in new {
      let before = old[id: item.id].flatMap { $0.isVisible ? $0 : nil }
      let fields = FieldChange.all(from: before?.fields ?? Fields(), to: item.fields)
      let isMoved = moved.contains(item.id)
      guard before == nil || isMoved || !fields.isEmpty else { continue }
      changes.append(
        Change(
          item: item.id, label: item.summary,
          oldPlace: before.flatMap { Place($0, words: oldWords) },
          newPlace: Place(item, words: newWords), isMoved: isMoved, fields: fields))
    }
    for item in old where !new.contains(id: item.id) {
      changes.append(
        Change(
          item: item.id, label: item.summary, oldPlace: Place(item, words: oldWords), newPlace: nil,
          isMoved: false,
          fields: FieldChange.all(from: item.fields, to: Fields())))
    }
    self.changes = changes
  }
}

extension TripComparison.Place {
  fileprivate init?(_ item: ListItem, words: PlaceWords) {
    guard let section = item.section, let key = item.key else { return nil }
    self.init(
      section: section, sortOrder: key.approximateSortOrder,
      words: words.place(section, key: key, of: item.id))
  }
}

extension TripComparison.FieldChange {
  fileprivate static func all(from old: Fields, to new: Fields) -> [Self] {
    different(from: old, to: new).filter {
      $0.name != .calendarModified && $0.name != .calendarSequence
    }
  }

  private static func different(from old: Fields, to new: Fields) -> [Self] {
    var changes: [Self] = []
    var old = old[...]
    var new = new[...]
    while true {
      switch (old.first, new.first) {
      case (nil, nil): return changes
      case (let left?, let right?) where left.name == right.name:
        old.removeFirst()
        new.removeFirst()
        if left.value != right.value {
          changes.append(Self(name: left.name, old: left.value, new: right.value))
        }
      case (let left?, let right) where right.map({ left.name < $0.name }) ?? true:
        old.removeFirst()
        changes.append(Self(name: left.name, old: left.value, new: nil))
      case (_, let right?):
        new.removeFirst()
        changes.append(Self(name: right.name, old: nil, new: right.value))
      case (_?, nil): return changes
      }
    }
  }
}

extension TripComparison {
  /// The items of both states that stand elsewhere: on another day, or in another order among those
  /// that stayed on it, as few as possible and rather those whose numbers are others.
  private static func movedItems(
    from old: ReplicatedList, to new: ReplicatedList
  ) -> Set<ItemID> {
    var oldPlaces: [ItemID: (index: Int, section: Int64?, number: Double?)] = [:]
    for (index, item) in old.enumerated() {
      oldPlaces[item.id] = (index, item.section, item.key?.approximateSortOrder)
    }
    var moved: Set<ItemID> = []
    var day: [(id: ItemID, index: Int, isSameNumber: Bool)] = []
    var section: Int64?
    func finishDay() {
      let weight = 2 * Int64(day.count)
      let kept = Set(Rise.heaviest(day.map { ($0.index, weight + ($0.isSameNumber ? 1 : 0)) }))
      for (place, element) in day.enumerated() where !kept.contains(place) {
        moved.insert(element.id)
      }
      day = []
    }
    for item in new {
      guard let before = oldPlaces[item.id] else { continue }
      if item.section != section { finishDay() }
      section = item.section
      if before.section == section {
        day.append((item.id, before.index, before.number == item.key?.approximateSortOrder))
      } else {
        moved.insert(item.id)
      }
    }
    finishDay()
    return moved
  }
}
