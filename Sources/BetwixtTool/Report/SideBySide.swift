/// Lays out texts in columns of equal width, cut where they do not fit.
struct SideBySide {
  private static let gap = 2
  private static let narrowest = 12

  private let columnWidth: Int
  private let indent: Int

  /// The rows so far, each with a line break.
  private(set) var text = ""

  /// Divides a width among columns.
  init(columns: Int, width: Int, indent: Int) {
    let count = max(columns, 1)
    let room = width - indent - SideBySide.gap * (count - 1)
    columnWidth = max(room / count, SideBySide.narrowest)
    self.indent = indent
  }

  /// Adds a line across all columns.
  mutating func heading(_ line: String) { text += line + "\n" }

  /// Adds a row; the style is put around each cell after it was cut.
  mutating func row(_ cells: [String], style: (String) -> String = { $0 }) {
    var line = ""
    var missing = indent
    for cell in cells {
      let shown = cell.count <= columnWidth ? cell : cell.prefix(columnWidth - 1) + "…"
      if !shown.isEmpty {
        line += String(repeating: " ", count: missing) + style(shown)
        missing = 0
      }
      missing += columnWidth - shown.count + SideBySide.gap
    }
    text += line + "\n"
  }
}
