import Betwixt
import BetwixtTrips

/// What a place in the list means.
enum Spot: Hashable {
  /// The slot of the dragged item.
  case origin
  /// A gap, by the rows around it.
  case gap(Gap)
  /// Nothing.
  case nowhere
}

/// The rows as they stood at the lift, with the document they showed.
///
/// Hit tests use it until the session ends, so rows that make room cannot change what is under
/// the pointer.
struct Capture: Sendable {
  var table: RowTable
  var stage: any ReorderStage
  let item: ItemID?

  private var rows: [RowFrame] { table.rows }

  /// The place of the dragged row.
  var origin: Int? { item.flatMap { table.place(of: .item($0)) } }

  /// What is at a height, in content coordinates.
  ///
  /// - Complexity: O(log *n*)
  func spot(at y: Double) -> Spot {
    guard let first = rows.first, let last = rows.last, y >= first.minY else {
      return Spot(stage.firstGap(moving: item))
    }
    guard y < last.maxY, let place = table.lastRow(from: y) else {
      return Spot(stage.lastGap(moving: item))
    }
    let row = rows[place]
    if row.ref.item != nil, row.ref.item == item { return .origin }
    guard y < row.maxY else { return spot(below: place) }
    let isUpperHalf = y < row.middle
    switch row.ref {
    case .item: return isUpperHalf ? spot(above: place) : spot(below: place)
    case .header(let day): return isUpperHalf ? spot(aboveHeader: place) : start(of: day, place)
    }
  }

  /// The gap below a row.
  func spot(below place: Int) -> Spot {
    switch rows[place].ref {
    case .header(let day): return start(of: day, place)
    case .item(let id):
      if let gap = stage.substitute(for: id, moving: item) { return .gap(gap) }
      guard let section = stage.section(of: id) else { return .nowhere }
      return .gap(Gap(day: section, above: id, below: neighbour(place, 1, section)))
    }
  }

  private func spot(above place: Int) -> Spot {
    guard let id = rows[place].ref.item else { return .nowhere }
    if let gap = stage.substitute(for: id, moving: item) { return .gap(gap) }
    guard let section = stage.section(of: id) else { return .nowhere }
    return .gap(Gap(day: section, above: neighbour(place, -1, section), below: id))
  }

  /// The end of the day above a header; above the first header the start of its own day.
  private func spot(aboveHeader place: Int) -> Spot {
    guard case .header(let day) = rows[place].ref else { return .nowhere }
    guard let before = section(above: place) ?? stage.section(before: day) else {
      return start(of: day, place)
    }
    guard let above = neighbour(place, -1, before) else {
      return .gap(stage.endGap(of: before, moving: item))
    }
    return .gap(Gap(day: before, above: above, below: nil))
  }

  private func section(above place: Int) -> Int64? {
    guard place > 0 else { return nil }
    switch rows[place - 1].ref {
    case .header(let day): return day
    case .item(let id):
      guard let section = stage.section(of: id) else { return nil }
      // What is shown where it is not stored stands under the nearest day that there is.
      return stage.substitute(for: id, moving: item)?.day ?? section
    }
  }

  private func start(of day: Int64, _ header: Int) -> Spot {
    .gap(Gap(day: day, above: nil, below: neighbour(header, 1, day)))
  }

  /// The next row's item, if it is of the section; the dragged row is passed over.
  private func neighbour(_ place: Int, _ step: Int, _ section: Int64) -> ItemID? {
    var next = place + step
    if rows.indices.contains(next), item != nil, rows[next].ref.item == item { next += step }
    guard rows.indices.contains(next), let id = rows[next].ref.item,
      stage.section(of: id) == section
    else { return nil }
    return id
  }
}

extension Spot {
  init(_ gap: Gap?) {
    self = gap.map { .gap($0) } ?? .nowhere
  }
}

// MARK: - Gaps on the screen

extension Capture {
  /// The place of the first row below a gap, or behind the last row.
  ///
  /// - Complexity: O(log *n*)
  func rowPlace(of gap: Gap) -> Int {
    if let below = gap.below.flatMap({ table.place(of: .item($0)) }) { return below }
    if let above = gap.above.flatMap({ table.place(of: .item($0)) }) { return above + 1 }
    if var place = table.place(of: .header(day: gap.day)) {
      place += 1
      // Items from before the first day stand between its header and its own items.
      while place < rows.count, let id = rows[place].ref.item,
        stage.section(of: id).map({ $0 < gap.day }) ?? false
      {
        place += 1
      }
      return place
    }
    return rows.partitioningIndex { row in
      switch row.ref {
      case .header(let day): gap.day < day
      case .item(let id): stage.section(of: id).map { gap.day < $0 } ?? false
      }
    }
  }

  /// Where the insertion line of a gap is.
  func lineFrame(of gap: Gap, width: Double, _ style: LineStyle) -> DragFrame {
    let place = rowPlace(of: gap)
    let y: Double
    if place < rows.count {
      y = rows[place].minY
    } else {
      y = rows.last?.maxY ?? style.lead
    }
    return DragFrame(x: 0, y: y - style.lead, width: width, height: style.height)
  }

  /// The rows that make room for a gap, and how far they move.
  func shift(for gap: Gap, height: Double) -> RowShift? {
    let place = rowPlace(of: gap)
    guard let origin else {
      return place < rows.count ? RowShift(rows: place..<rows.count, distance: height) : nil
    }
    if place > origin + 1 { return RowShift(rows: origin + 1..<place, distance: -height) }
    if place < origin { return RowShift(rows: place..<origin, distance: height) }
    return nil
  }

  /// Where an item of some height lies once it is in a gap.
  func frame(in gap: Gap, width: Double, height: Double) -> DragFrame {
    let place = rowPlace(of: gap)
    var y: Double
    if place < rows.count {
      y = rows[place].minY
    } else {
      y = rows.last?.maxY ?? 0
    }
    if let origin, place > origin { y -= height }
    return DragFrame(x: 0, y: y, width: width, height: height)
  }
}
