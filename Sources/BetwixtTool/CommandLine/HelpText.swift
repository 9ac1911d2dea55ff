/// Lays out help: titled sections, labels in a column, text wrapped to a width.
package struct HelpText {
  /// One labelled line of a section.
  package typealias Row = (label: String, text: String)

  private static let labelColumn = 26
  private static let narrowestText = 20

  /// The text so far.
  package private(set) var text = ""
  private let width: Int

  /// Starts a help text of a width; a very small width is not taken at its word.
  package init(width: Int) {
    self.width = max(width, HelpText.labelColumn + HelpText.narrowestText)
  }

  /// Adds a paragraph behind a title, such as `OVERVIEW: Shows a trip.`.
  package mutating func paragraph(_ title: String, _ body: String) {
    separate()
    for line in wrapped("\(title): \(body)", to: width) { text += line + "\n" }
  }

  /// Adds a section of labelled rows; without rows, nothing.
  package mutating func section(_ title: String, rows: [Row]) {
    guard !rows.isEmpty else { return }
    separate()
    text += "\(title):\n"
    let indent = String(repeating: " ", count: HelpText.labelColumn)
    for row in rows {
      var label = "  \(row.label)"
      var lines = wrapped(row.text, to: width - HelpText.labelColumn)[...]
      if label.count < HelpText.labelColumn, let first = lines.popFirst() {
        label += String(repeating: " ", count: HelpText.labelColumn - label.count) + first
      }
      text += label + "\n"
      for line in lines { text += indent + line + "\n" }
    }
  }

  /// Adds a section of lines that stand as they are.
  package mutating func section(_ title: String, lines: [String]) {
    guard !lines.isEmpty else { return }
    separate()
    text += "\(title):\n"
    for line in lines { text += "  \(line)\n" }
  }

  private mutating func separate() {
    if !text.isEmpty { text += "\n" }
  }

  /// The words of a text in lines of at most a width; a longer word has a line of its own.
  private func wrapped(_ text: String, to width: Int) -> [String] {
    // Paragraphs, and lines that are to stand alone.
    let parts = text.split(separator: "\n", omittingEmptySubsequences: false)
    return parts.flatMap { $0.isEmpty ? [""] : wrapped(line: $0, to: width) }
  }

  private func wrapped(line text: Substring, to width: Int) -> [String] {
    var lines: [String] = []
    var line = ""
    for word in text.split(separator: " ") {
      if !line.isEmpty, line.count + 1 + word.count > width {
        lines.append(line)
        line = ""
      }
      line += line.isEmpty ? "\(word)" : " \(word)"
    }
    if !line.isEmpty { lines.append(line) }
    return lines
  }
}
