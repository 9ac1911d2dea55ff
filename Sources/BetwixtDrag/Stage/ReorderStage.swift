import Betwixt
import BetwixtTrips

/// The order of the rows that a front end shows, and the gaps between them.
///
/// Gaps are taken without the item that is moved. A stage is a snapshot: it does not change.
enum ReorderStage: Sendable {
  case trip(TripStage)
  case tasks(TaskStage)

  var list: ReplicatedList {
    switch self {
    case .trip(let stage): stage.list
    case .tasks(let stage): stage.list
    }
  }

  /// The first section that is shown, and the last one.
  var sectionBounds: (first: Int64, last: Int64)? {
    switch self {
    case .trip(let stage): stage.sectionBounds
    case .tasks(let stage): stage.sectionBounds
    }
  }

  /// Whether items may go into a section.
  func allows(_ section: Int64) -> Bool {
    switch self {
    case .trip(let stage): stage.allows(section)
    case .tasks(let stage): stage.allows(section)
    }
  }

  /// The gap in which an item stands; `nil` if it is not shown here.
  func gap(of id: ItemID) -> Gap? {
    switch self {
    case .trip(let stage): stage.gap(of: id)
    case .tasks(let stage): stage.gap(of: id)
    }
  }

  /// The gap that a named one means here; `nil` for none.
  func resolve(_ gap: Gap, moving id: ItemID?) -> Gap? {
    switch self {
    case .trip(let stage): stage.resolve(gap, moving: id)
    case .tasks(let stage): stage.resolve(gap, moving: id)
    }
  }

  /// The last gap of a section.
  func endGap(of section: Int64, moving id: ItemID?) -> Gap {
    switch self {
    case .trip(let stage): stage.endGap(of: section, moving: id)
    case .tasks(let stage): stage.endGap(of: section, moving: id)
    }
  }

  /// The nearest section with a gap above another.
  func section(before section: Int64) -> Int64? {
    switch self {
    case .trip(let stage): stage.section(before: section)
    case .tasks(let stage): stage.section(before: section)
    }
  }

  /// The nearest section with a gap below another.
  func section(after section: Int64) -> Int64? {
    switch self {
    case .trip(let stage): stage.section(after: section)
    case .tasks(let stage): stage.section(after: section)
    }
  }

  /// The gap that items next to this one lead to, if no item can go next to it.
  func substitute(for id: ItemID, moving moved: ItemID?) -> Gap? {
    switch self {
    case .trip(let stage): stage.substitute(for: id, moving: moved)
    case .tasks(let stage): stage.substitute(for: id, moving: moved)
    }
  }

  func name(of section: Int64) -> SectionName {
    switch self {
    case .trip(let stage): stage.name(of: section)
    case .tasks(let stage): stage.name(of: section)
    }
  }

  func place(of id: ItemID) -> ListPlace? {
    switch self {
    case .trip(let stage): stage.place(of: id)
    case .tasks(let stage): stage.place(of: id)
    }
  }

  /// All rows that are shown, known to the front end or not.
  ///
  /// - Complexity: O(1) for a trip, O(*k*) for *k* tasks shown
  var order: RowOrder {
    switch self {
    case .trip(let stage): .trip(stage)
    case .tasks(let stage): .listed(ListedRows(stage.rows))
    }
  }

  /// The same stage, which finds neighbours by rows that were listed of it.
  func listing(_ order: RowOrder) -> ReorderStage {
    guard case .tasks(var stage) = self, case .listed(let rows) = order else { return self }
    stage.listed = rows
    return .tasks(stage)
  }
}

// MARK: - What follows from these

extension ReorderStage {
  func title(of id: ItemID) -> String { list[id: id]?.summary ?? "" }

  func section(of id: ItemID) -> Int64? { list[id: id]?.section }

  /// The first gap of a section.
  func startGap(of section: Int64, moving id: ItemID?) -> Gap {
    let start = Gap(day: section, above: nil, below: nil)
    return resolve(start, moving: id) ?? start
  }

  /// The first gap of the list.
  func firstGap(moving id: ItemID?) -> Gap? {
    sectionBounds.map { startGap(of: $0.first, moving: id) }
  }

  /// The last gap of the list.
  func lastGap(moving id: ItemID?) -> Gap? {
    sectionBounds.map { endGap(of: $0.last, moving: id) }
  }

  /// The next gap in the order of the list.
  func gap(after gap: Gap, moving id: ItemID?) -> Gap? {
    if allows(gap.day), let below = gap.below {
      return resolve(Gap(day: gap.day, above: below, below: nil), moving: id)
    }
    return section(after: gap.day).map { startGap(of: $0, moving: id) }
  }

  /// The gap before in the order of the list.
  func gap(before gap: Gap, moving id: ItemID?) -> Gap? {
    if allows(gap.day), let above = gap.above {
      return resolve(Gap(day: gap.day, above: nil, below: above), moving: id)
    }
    return section(before: gap.day).map { endGap(of: $0, moving: id) }
  }

  func words(for gap: Gap) -> GapWords {
    GapWords(
      above: gap.above.map { title(of: $0) }, below: gap.below.map { title(of: $0) },
      section: name(of: gap.day))
  }
}

// MARK: - What is shown without being a target

extension ReorderStage {
  /// Whether items of a section are shown here.
  func shows(_ section: Int64) -> Bool {
    switch self {
    case .trip: true
    case .tasks(let stage): stage.allows(section) || stage.isOverdue(section)
    }
  }
}
