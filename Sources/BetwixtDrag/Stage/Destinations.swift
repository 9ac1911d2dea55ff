import Betwixt
import BetwixtTrips

/// The gaps where one item may go, found out once for each lift and each change of the document.
struct Destinations: Sendable {
  private enum Reach {
    case nowhere
    case everywhere
    /// The gaps in list order.
    case listed([Gap], Constraints)
  }

  private let reach: Reach
  private let item: ItemID

  /// Finds out where an item may go.
  ///
  /// - Complexity: O(1), O(*n*) for a travel leg
  init(of item: ItemID, in document: DragDocument) {
    self.item = item
    guard case .trip(let trip) = document else {
      reach = document.list.contains(id: item) ? .everywhere : .nowhere
      return
    }
    guard trip.list.contains(id: item) else {
      reach = .nowhere
      return
    }
    switch trip.kind(of: item) {
    case .game: reach = .nowhere
    case .custom, .other: reach = .everywhere
    case .travel:
      let constraints = Constraints(trip)
      reach = .listed(constraints.validGaps(item), constraints)
    }
  }

  /// Every gap.
  static func everywhere(_ item: ItemID) -> Destinations {
    Destinations(reach: .everywhere, item: item)
  }

  /// No gap.
  static let nowhere = Destinations(reach: .nowhere, item: .root)

  private init(reach: Reach, item: ItemID) {
    self.reach = reach
    self.item = item
  }

  /// Whether the item may go into a resolved gap.
  ///
  /// - Complexity: O(log *n*)
  func contains(_ gap: Gap, on stage: ReorderStage) -> Bool {
    switch reach {
    case .nowhere: false
    case .everywhere: stage.allows(gap.day)
    case .listed(_, let constraints): constraints.allows(item, in: gap)
    }
  }
}

// MARK: - Steps from gap to gap

extension Destinations {
  func first(on stage: ReorderStage) -> Gap? {
    switch reach {
    case .nowhere: nil
    case .everywhere: stage.firstGap(moving: item)
    case .listed(let gaps, _): gaps.first
    }
  }

  func last(on stage: ReorderStage) -> Gap? {
    switch reach {
    case .nowhere: nil
    case .everywhere: stage.lastGap(moving: item)
    case .listed(let gaps, _): gaps.last
    }
  }

  /// The nearest valid gap below another one, which need not be valid itself.
  func next(after gap: Gap, on stage: ReorderStage) -> Gap? {
    switch reach {
    case .nowhere: return nil
    case .everywhere: return stage.gap(after: gap, moving: item)
    case .listed(let gaps, let constraints):
      let index = count(of: gaps, upTo: gap, constraints: constraints, including: true)
      return index < gaps.count ? gaps[index] : nil
    }
  }

  /// The nearest valid gap above another one, which need not be valid itself.
  func previous(before gap: Gap, on stage: ReorderStage) -> Gap? {
    switch reach {
    case .nowhere: return nil
    case .everywhere: return stage.gap(before: gap, moving: item)
    case .listed(let gaps, let constraints):
      let index = count(of: gaps, upTo: gap, constraints: constraints, including: false)
      return index > 0 ? gaps[index - 1] : nil
    }
  }

  /// The last valid gap of the nearest earlier section that has one.
  func lastBefore(_ section: Int64, on stage: ReorderStage) -> Gap? {
    switch reach {
    case .nowhere: return nil
    case .everywhere:
      return stage.section(before: section).map { stage.endGap(of: $0, moving: item) }
    case .listed(let gaps, _):
      let index = gaps.partitioningIndex { $0.day >= section }
      return index > 0 ? gaps[index - 1] : nil
    }
  }

  /// The first valid gap of the nearest later section that has one.
  func firstAfter(_ section: Int64, on stage: ReorderStage) -> Gap? {
    switch reach {
    case .nowhere: return nil
    case .everywhere:
      return stage.section(after: section).map { stage.startGap(of: $0, moving: item) }
    case .listed(let gaps, _):
      let index = gaps.partitioningIndex { $0.day > section }
      return index < gaps.count ? gaps[index] : nil
    }
  }

  /// The first and the last valid gap of a section.
  func ends(of section: Int64, on stage: ReorderStage) -> (first: Gap, last: Gap)? {
    switch reach {
    case .nowhere: return nil
    case .everywhere:
      guard stage.allows(section) else { return nil }
      return (stage.startGap(of: section, moving: item), stage.endGap(of: section, moving: item))
    case .listed(let gaps, _):
      let low = gaps.partitioningIndex { $0.day >= section }
      let high = gaps.partitioningIndex { $0.day > section }
      return low < high ? (gaps[low], gaps[high - 1]) : nil
    }
  }

  /// The valid gap that the fewest rows part from another one; of two, the upper.
  func nearest(to gap: Gap, on stage: ReorderStage) -> Gap? {
    if contains(gap, on: stage) { return gap }
    let above = previous(before: gap, on: stage)
    let below = next(after: gap, on: stage)
    guard case .listed(_, let constraints) = reach, let above, let below else {
      return above ?? below
    }
    // A row is an item or a header, so days count as rows too.
    let trip = TripStage(constraints.trip)
    func row(_ gap: Gap) -> Int64 {
      let ordinal = trip.ordinal(of: gap, moving: item)
      return ordinal.day + Int64(ordinal.above)
    }
    return row(gap) - row(above) <= row(below) - row(gap) ? above : below
  }

  /// How many of the gaps stand above another one, or are it.
  private func count(
    of gaps: [Gap], upTo gap: Gap, constraints: Constraints, including isIncluded: Bool
  ) -> Int {
    let trip = TripStage(constraints.trip)
    let limit = trip.ordinal(of: gap, moving: item)
    return gaps.partitioningIndex {
      let ordinal = trip.ordinal(of: $0, moving: item)
      return isIncluded ? limit < ordinal : limit <= ordinal
    }
  }
}

extension Array {
  /// The first place from which on a condition holds, which holds for all behind it too.
  ///
  /// - Complexity: O(log *n*)
  func partitioningIndex(where holds: (Element) -> Bool) -> Int {
    BetwixtDrag.partitioningIndex(below: count) { holds(self[$0]) }
  }
}

/// The first number from which on a condition holds, which holds for all behind it too; the bound
/// if there is none.
///
/// - Complexity: O(log *n*)
func partitioningIndex(below bound: Int, where holds: (Int) -> Bool) -> Int {
  var low = 0
  var high = bound
  while low < high {
    let middle = (low + high) / 2
    if holds(middle) { high = middle } else { low = middle + 1 }
  }
  return low
}
