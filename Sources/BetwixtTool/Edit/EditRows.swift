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
  private let places: [RowRef: Int]

  init(_ trip: Trip) {
    refs = trip.rows.map { row in
      switch row {
      case .header(let day, _): .header(day: day)
      case .item(let id, _, _): .item(id)
      }
    }
    frames = refs.enumerated().map { place, ref in
      RowFrame(
        ref, minY: Double(place) * EditRows.lineHeight,
        maxY: Double(place + 1) * EditRows.lineHeight)
    }
    places = Dictionary(uniqueKeysWithValues: refs.enumerated().map { ($1, $0) })
  }

  func place(of ref: RowRef) -> Int? { places[ref] }

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
