import Betwixt
import BetwixtTrips

/// The order of the rows that a front end shows, and the gaps between them.
///
/// Gaps are taken without the item that is moved. A stage is a snapshot: it does not change.
protocol ReorderStage: Sendable {
  var list: ReplicatedList { get }

  /// The first section that is shown, and the last one.
  var sectionBounds: (first: Int64, last: Int64)? { get }

  /// Whether items may go into a section.
  func allows(_ section: Int64) -> Bool

  /// The gap in which an item stands.
  func gap(of id: ItemID) -> Gap?

  /// The gap that a named one means here; `nil` for none.
  func resolve(_ gap: Gap, moving id: ItemID?) -> Gap?

  /// The last gap of a section.
  func endGap(of section: Int64, moving id: ItemID?) -> Gap

  /// The nearest section with a gap, above or below.
  func section(before section: Int64) -> Int64?
  func section(after section: Int64) -> Int64?

  /// The gap that items next to this one lead to, if the item is shown where it is not stored.
  func substitute(for id: ItemID, moving moved: ItemID?) -> Gap?

  func name(of section: Int64) -> SectionName
  func place(of id: ItemID) -> ListPlace?
  func place(in gap: Gap, moving id: ItemID?) -> ListPlace
}

extension ReorderStage {
  func title(of id: ItemID) -> String { list[id: id]?.summary ?? "" }

  func section(of id: ItemID) -> Int64? { list[id: id]?.section }

  /// The first gap of a section.
  func startGap(of section: Int64, moving id: ItemID?) -> Gap {
    let start = Gap(day: section, above: nil, below: nil)
    return resolve(start, moving: id) ?? start
  }

  /// The first gap of the list, and the last one.
  func firstGap(moving id: ItemID?) -> Gap? {
    sectionBounds.map { startGap(of: $0.first, moving: id) }
  }

  func lastGap(moving id: ItemID?) -> Gap? {
    sectionBounds.map { endGap(of: $0.last, moving: id) }
  }

  /// The next gap in the order of the list.
  func gap(after gap: Gap, moving id: ItemID?) -> Gap? {
    if let below = gap.below {
      return resolve(Gap(day: gap.day, above: below, below: nil), moving: id)
    }
    return section(after: gap.day).map { startGap(of: $0, moving: id) }
  }

  func gap(before gap: Gap, moving id: ItemID?) -> Gap? {
    if let above = gap.above {
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
