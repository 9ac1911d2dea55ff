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

  init(_ gap: Gap?) {
    self = gap.map { .gap($0) } ?? .nowhere
  }
}

/// The rows as they stood at the lift, with the document they showed.
///
/// Hit tests use it until the session ends, so rows that make room cannot change what is under
/// the pointer. A front end need not know all rows: those that it has not made lie between the
/// ones that it has, and above and below them, and are taken to be of one height there.
struct Capture: Sendable {
  private(set) var table: RowTable
  let stage: ReorderStage
  private let order: RowOrder
  private let item: ItemID?
  /// The index of the dragged item's row among all rows.
  let originIndex: Int?
  private let contentHeight: Double
  /// The index of each known row among all rows, -1 for one that the list does not have; `nil` if
  /// every row is known: then its place in the table is its index.
  private var indexes: [Int]?

  /// - Complexity: O(*s* log *n*) for a trip of whose rows *s* stretches are known, O(*k*) for *k*
  ///   tasks shown
  init(table: RowTable, stage: ReorderStage, item: ItemID?, contentHeight: Double) {
    self.table = table
    self.item = item
    self.contentHeight = contentHeight
    let order = stage.order
    self.order = order
    self.stage = stage.listing(order)
    originIndex = item.flatMap { order.index(of: .item($0)) }
    indexes = Capture.indexes(of: table.rows, in: order)
  }

  private static func indexes(of rows: [RowFrame], in order: RowOrder) -> [Int]? {
    if rows.count == order.count, let last = rows.last,
      order.index(of: last.ref) == rows.count - 1
    {
      return nil
    }
    var indexes = [Int](repeating: -1, count: rows.count)
    var stretches = rows.isEmpty ? [] : [0..<rows.count]
    // Rows that follow each other need not be looked up one by one.
    while let stretch = stretches.popLast() {
      let first = order.index(of: rows[stretch.lowerBound].ref)
      let last = order.index(of: rows[stretch.upperBound - 1].ref)
      if let first, let last, last - first == stretch.count - 1 {
        for place in stretch { indexes[place] = first + place - stretch.lowerBound }
      } else if stretch.count > 1 {
        let middle = (stretch.lowerBound + stretch.upperBound) / 2
        stretches.append(stretch.lowerBound..<middle)
        stretches.append(middle..<stretch.upperBound)
      }
    }
    return indexes
  }

  private var isComplete: Bool { indexes == nil }

  /// The index of a known row; `nil` if the list does not have it.
  private func index(at place: Int) -> Int? {
    guard let indexes else { return place }
    return indexes[place] < 0 ? nil : indexes[place]
  }

  private var rows: [RowFrame] { table.rows }

  /// Takes in rows that were not known; those that were keep their frames.
  ///
  /// - Returns: Whether there were any.
  /// - Complexity: O(*n* log *n*) for *n* known rows
  mutating func add(_ rows: [RowFrame]) -> Bool {
    guard let wider = table.adding(rows) else { return false }
    table = wider
    indexes = Capture.indexes(of: wider.rows, in: order)
    return true
  }
}

// MARK: - From a height to a gap

extension Capture {
  /// What is at a height, in content coordinates.
  ///
  /// - Complexity: O(log *n*)
  func spot(at y: Double) -> Spot {
    guard let place = table.lastRow(from: y) else { return spot(between: nil, y: y) }
    let row = rows[place]
    guard y < row.maxY else { return spot(between: place, y: y) }
    return spot(on: row.ref, isUpperHalf: y < row.middle)
  }

  private func spot(on ref: RowRef, isUpperHalf: Bool) -> Spot {
    switch ref {
    case .item(let id) where id == item: .origin
    case .item(let id): isUpperHalf ? spot(above: id) : spot(below: ref)
    case .header(let day): isUpperHalf ? spot(aboveHeader: day) : start(of: day)
    }
  }

  /// What is below a known row, or above all of them, and above the next known one.
  private func spot(between upper: Int?, y: Double) -> Spot {
    let stretch = stretch(below: upper)
    if stretch.count > 0, stretch.height > 0, stretch.top <= y {
      let part = (y - stretch.top) / stretch.height
      // Below the content nothing more is known.
      if part < Double(stretch.count), let ref = order.row(at: stretch.first + Int(part)) {
        return spot(on: ref, isUpperHalf: part - Double(Int(part)) < 0.5)
      }
    }
    if let upper {
      let isLast = upper == rows.count - 1
      if isLast, stretch.count == 0 { return Spot(stage.lastGap(moving: item)) }
      if isLast, stretch.height > 0 { return Spot(stage.lastGap(moving: item)) }
      return spot(below: rows[upper].ref)
    }
    guard stretch.count > 0, stretch.height <= 0, let first = rows.first else {
      return Spot(stage.firstGap(moving: item))
    }
    return spot(on: first.ref, isUpperHalf: true)
  }

  /// The gap below a row.
  func spot(below ref: RowRef) -> Spot {
    switch ref {
    case .header(let day): return start(of: day)
    case .item(let id):
      if let gap = stage.substitute(for: id, moving: item) { return .gap(gap) }
      guard let section = stage.section(of: id) else { return .nowhere }
      return .gap(
        Gap(day: section, above: id, below: neighbour(of: ref, step: 1, section: section)))
    }
  }

  private func spot(above id: ItemID) -> Spot {
    if let gap = stage.substitute(for: id, moving: item) { return .gap(gap) }
    guard let section = stage.section(of: id) else { return .nowhere }
    return .gap(
      Gap(day: section, above: neighbour(of: .item(id), step: -1, section: section), below: id))
  }

  /// The end of the day above a header; above the first header the start of its own day.
  ///
  /// Below what no item can go next to it is the gap that this leads to, as everywhere around it.
  private func spot(aboveHeader day: Int64) -> Spot {
    if let id = next(to: .header(day: day), step: -1)?.item,
      let gap = stage.substitute(for: id, moving: item)
    {
      return .gap(gap)
    }
    guard let before = section(above: day) ?? stage.section(before: day) else {
      return start(of: day)
    }
    guard let above = neighbour(of: .header(day: day), step: -1, section: before) else {
      return .gap(stage.endGap(of: before, moving: item))
    }
    return .gap(Gap(day: before, above: above, below: nil))
  }

  private func section(above day: Int64) -> Int64? {
    switch next(to: .header(day: day), step: -1) {
    case .header(let day): return day
    case .item(let id): return stage.section(of: id)
    case nil: return nil
    }
  }

  private func start(of day: Int64) -> Spot {
    .gap(Gap(day: day, above: nil, below: neighbour(of: .header(day: day), step: 1, section: day)))
  }

  /// The next row's item, if it is of the section; the dragged row is passed over.
  private func neighbour(of ref: RowRef, step: Int, section: Int64) -> ItemID? {
    var next = next(to: ref, step: step)
    if let item, next == .item(item) { next = self.next(to: .item(item), step: step) }
    guard let id = next?.item, stage.section(of: id) == section else { return nil }
    return id
  }

  /// The row next to another: the known one if they touch, else the one that the list has there.
  private func next(to ref: RowRef, step: Int) -> RowRef? {
    if let place = table.place(of: ref) {
      let other = place + step
      let upper = min(place, other)
      if rows.indices.contains(other), stretch(below: upper).isClosed { return rows[other].ref }
    }
    return order.index(of: ref).flatMap { order.row(at: $0 + step) }
  }
}

// MARK: - Rows that are not known

extension Capture {
  /// Rows that are not known, one below the other.
  private struct Stretch {
    /// The index of the first of them among all rows.
    let first: Int
    let count: Int
    let top: Double
    /// The height of each.
    let height: Double

    /// Whether nothing lies there.
    var isClosed: Bool { count <= 0 || height <= 0 }
  }

  /// The rows between a known one and the next known one; `nil` is the top of the list.
  private func stretch(below upper: Int?) -> Stretch {
    let lower = upper.map { $0 + 1 } ?? 0
    let top = upper.map { rows[$0].maxY } ?? 0
    guard !isComplete else { return Stretch(first: 0, count: 0, top: top, height: 0) }
    let bottom = rows.indices.contains(lower) ? rows[lower].minY : contentHeight
    let first = upper.map { index(at: $0).map { $0 + 1 } } ?? 0
    let end = rows.indices.contains(lower) ? index(at: lower) : order.count
    // A row that the list does not have says nothing about those around it.
    guard let first, let end, first < end else {
      return Stretch(first: 0, count: 0, top: top, height: 0)
    }
    return Stretch(
      first: first, count: end - first, top: top,
      height: max(0, bottom - top) / Double(end - first))
  }

  /// The place of the first known row that stands at an index or below.
  ///
  /// - Complexity: O(log *n*), O(1) if all rows are known
  private func place(from index: Int) -> Int {
    guard let indexes else { return min(index, rows.count) }
    return indexes.partitioningIndex { $0 >= index }
  }

  /// The upper edge of a row by its index; below the last one the end of the list.
  private func top(ofRow index: Int) -> Double {
    let place = place(from: index)
    if isComplete { return place < rows.count ? rows[place].minY : rows.last?.maxY ?? 0 }
    if rows.indices.contains(place), self.index(at: place) == index {
      return rows[place].minY
    }
    let stretch = stretch(below: place > 0 ? place - 1 : nil)
    guard !stretch.isClosed else {
      return rows.indices.contains(place) ? rows[place].minY : rows.last?.maxY ?? 0
    }
    return stretch.top + Double(index - stretch.first) * stretch.height
  }
}

// MARK: - Gaps that need not be looked up

extension Capture {
  /// Whether a gap of a trip is between rows that are known to stand side by side, so that it
  /// means the same in the document which the rows show.
  ///
  /// - Complexity: O(1)
  func isExact(_ gap: Gap) -> Bool {
    guard case .trip = stage, stage.allows(gap.day),
      [gap.above, gap.below].allSatisfy({ $0.map { stage.section(of: $0) == gap.day } ?? true })
    else { return false }
    let upper = known(gap.above.map { .item($0) } ?? .header(day: gap.day))
    guard let upper else { return false }
    var next = upper + 1
    if next == originIndex { next += 1 }
    if let below = gap.below { return known(.item(below)) == next }
    // The end of a day: the head of the next one follows, or nothing.
    return next == order.count || known(.header(day: gap.day + 1)) == next
  }

  /// The index of a row that is known.
  private func known(_ ref: RowRef) -> Int? { table.place(of: ref).flatMap { index(at: $0) } }
}

// MARK: - From a gap to the screen

extension Capture {
  /// The index of the first row below a gap, among all rows.
  ///
  /// - Complexity: O(log *n*)
  private func index(below gap: Gap) -> Int {
    if let below = gap.below.flatMap({ self.index(of: .item($0)) }) { return below }
    if let above = gap.above.flatMap({ self.index(of: .item($0)) }) { return above + 1 }
    if var index = self.index(of: .header(day: gap.day)) {
      index += 1
      // Items from before the first day stand between its header and its own items.
      while let id = order.row(at: index)?.item,
        stage.section(of: id).map({ $0 < gap.day }) ?? false
      {
        index += 1
      }
      return index
    }
    return partitioningIndex(below: order.count) { index in
      switch order.row(at: index) {
      case .header(let day): gap.day < day
      case .item(let id): stage.section(of: id).map { gap.day < $0 } ?? false
      case nil: true
      }
    }
  }

  private func index(of ref: RowRef) -> Int? { known(ref) ?? order.index(of: ref) }

  /// Where the insertion line of a gap is.
  func lineFrame(of gap: Gap, width: Double, style: LineStyle) -> DragFrame {
    let isEmpty = rows.isEmpty && order.count == 0
    let y = isEmpty ? style.lead : top(ofRow: index(below: gap))
    return DragFrame(x: 0, y: y - style.lead, width: width, height: style.height)
  }

  /// The known rows that make room for a gap, and how far they move.
  func shift(for gap: Gap, height: Double) -> RowShift? {
    let index = index(below: gap)
    let place = place(from: index)
    guard let originIndex else {
      return place < rows.count ? RowShift(rows: place..<rows.count, distance: height) : nil
    }
    if index > originIndex + 1 {
      let first = self.place(from: originIndex + 1)
      return first < place ? RowShift(rows: first..<place, distance: -height) : nil
    }
    let last = self.place(from: originIndex)
    return place < last ? RowShift(rows: place..<last, distance: height) : nil
  }

  /// Where an item of some height lies once it is in a gap.
  func frame(in gap: Gap, width: Double, height: Double) -> DragFrame {
    let index = index(below: gap)
    var y = top(ofRow: index)
    if let originIndex, index > originIndex { y -= height }
    return DragFrame(x: 0, y: y, width: width, height: height)
  }

  /// Where a row of the list lies, known or not; `nil` if the list does not have it.
  func frame(of ref: RowRef, width: Double) -> DragFrame? {
    if let place = table.place(of: ref) {
      return DragFrame(x: 0, y: rows[place].minY, width: width, height: rows[place].height)
    }
    guard let index = order.index(of: ref) else { return nil }
    let y = top(ofRow: index)
    return DragFrame(x: 0, y: y, width: width, height: max(0, top(ofRow: index + 1) - y))
  }
}
