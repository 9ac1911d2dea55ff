import Betwixt
import BetwixtDrag
import BetwixtTrips

/// The rows of a trip as the engine knows them: a line of the terminal is 20 points high.
struct EditRows: Sendable {
  static let lineHeight = 20.0
  static let columnWidth = 10.0
  /// Lines above the list.
  static let linesAbove = 1
  /// Lines below the list.
  static let linesBelow = 2

  let refs: [RowRef]
  let frames: [RowFrame]
  private let list: ReplicatedList
  // Where the head of each day stands, from day 1.
  private let heads: [Int]

  init(_ trip: Trip) {
    var refs: [RowRef] = []
    var heads: [Int] = []
    for row in trip.rows {
      switch row {
      case .header(let day, _):
        heads.append(refs.count)
        refs.append(.header(day: day))
      case .item(let id, _, _): refs.append(.item(id))
      }
    }
    self.refs = refs
    self.heads = heads
    list = trip.list
    frames = refs.enumerated().map { place, ref in
      RowFrame(
        ref, minY: Double(place) * EditRows.lineHeight,
        maxY: Double(place + 1) * EditRows.lineHeight)
    }
  }

  /// The place of a row.
  ///
  /// Rows are the items in their order, each below the head of its day and those of all days before,
  /// so nothing needs to be kept for each of many rows.
  ///
  /// - Complexity: O(log *n*)
  func place(of ref: RowRef) -> Int? {
    switch ref {
    case .header(let day):
      return day >= 1 && day <= heads.count ? heads[Int(clamping: day) - 1] : nil
    case .item(let id):
      guard let index = list.index(id: id) else { return nil }
      let day = list[id: id]?.section ?? 1
      let place = index + Int(clamping: min(max(day, 1), Int64(heads.count)))
      assert(refs[place] == ref, "a row stands where its item does")
      return place
    }
  }

  var contentHeight: Double { Double(refs.count) * EditRows.lineHeight }

  /// How many lines the list has on a terminal.
  static func lines(of size: TerminalSize) -> Int {
    max(1, size.lines - linesAbove - linesBelow)
  }

  func layout(_ size: TerminalSize, offset: Double) -> ListLayout {
    ListLayout(
      rows: frames, width: Double(size.columns) * EditRows.columnWidth,
      viewportHeight: Double(EditRows.lines(of: size)) * EditRows.lineHeight, offset: offset,
      contentHeight: contentHeight)
  }

  /// The middle of a cell of the terminal, in viewport coordinates.
  ///
  /// The middle of a row counts to its lower half, so pointing at a row means the gap below it,
  /// and pointing at the head of a day means its start: every gap can be pointed at.
  static func point(column: Int, line: Int) -> DragPoint {
    DragPoint(
      x: (Double(column) - 0.5) * columnWidth,
      y: (Double(line - 1 - linesAbove) + 0.5) * lineHeight)
  }
}
