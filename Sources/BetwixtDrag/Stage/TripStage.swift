import Betwixt
import BetwixtTrips

/// The days of a trip.
struct TripStage: Sendable {
  let trip: Trip
  let dayCount: Int64

  init(_ trip: Trip) {
    self.trip = trip
    dayCount = trip.dayCount
  }

  var list: ReplicatedList { trip.list }

  var sectionBounds: (first: Int64, last: Int64)? { (1, dayCount) }

  func allows(_ section: Int64) -> Bool { (1...dayCount).contains(section) }

  func gap(of id: ItemID) -> Gap? { trip.gap(of: id) }

  func resolve(_ gap: Gap, moving id: ItemID?) -> Gap? { trip.resolve(gap, moving: id) }

  func endGap(of section: Int64, moving id: ItemID?) -> Gap {
    let places = list.indices(inSection: section)
    var last = places.upperBound - 1
    if places.contains(last), list[last].id == id { last -= 1 }
    return Gap(day: section, above: places.contains(last) ? list[last].id : nil, below: nil)
  }

  func section(before section: Int64) -> Int64? {
    section > 1 ? min(section - 1, dayCount) : nil
  }

  func section(after section: Int64) -> Int64? {
    section < dayCount ? max(section + 1, 1) : nil
  }

  func substitute(for id: ItemID, moving moved: ItemID?) -> Gap? {
    guard let section = list[id: id]?.section, !allows(section) else { return nil }
    return section < 1
      ? resolve(Gap(day: 1, above: nil, below: nil), moving: moved)
      : endGap(of: dayCount, moving: moved)
  }

  func name(of section: Int64) -> SectionName {
    .day(shownDay(of: section))
  }

  /// The day under which items of a section are shown.
  func shownDay(of section: Int64) -> Int64 { min(max(section, 1), dayCount) }

  func place(of id: ItemID) -> ListPlace? {
    guard let index = list.index(id: id), let section = list[index].section else { return nil }
    let day = shownDay(of: section)
    let shown = shown(under: day)
    return ListPlace(
      position: index - shown.lowerBound + 1, count: shown.count, section: .day(day))
  }

  /// The places of all items that stand under a day's header.
  func shown(under day: Int64) -> Range<Int> {
    let own = list.indices(inSection: day)
    return (day == 1 ? 0 : own.lowerBound)..<(day == dayCount ? list.count : own.upperBound)
  }

  /// How many items of the list stand above a gap, the moved one included.
  private func boundary(of gap: Gap) -> Int {
    if let above = gap.above.flatMap({ list.index(id: $0) }) { return above + 1 }
    if let below = gap.below.flatMap({ list.index(id: $0) }) { return below }
    return list.indices(inSection: gap.day).lowerBound
  }
}

extension TripStage {
  /// Where a gap stands: its day, and how many other items stand above it.
  ///
  /// Later gaps have greater ordinals, days first.
  func ordinal(of gap: Gap, moving id: ItemID?) -> (day: Int64, above: Int) {
    let boundary = boundary(of: gap)
    let moved = id.flatMap { list.index(id: $0) }
    return (gap.day, moved.map { $0 < boundary } ?? false ? boundary - 1 : boundary)
  }
}
