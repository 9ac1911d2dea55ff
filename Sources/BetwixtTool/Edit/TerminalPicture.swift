/// What a terminal shows, so that only the lines that differ are written.
struct TerminalPicture: Sendable {
  private var shown: [String] = []

  /// Forgets what is there, after somebody else has had the terminal.
  mutating func forget() { shown = [] }

  /// Writes the lines that differ from what is on the screen.
  mutating func draw(
    _ lines: [String], rings: Bool, on terminal: borrowing TerminalDevice
  ) throws(SystemError) {
    var text = rings ? "\u{07}" : ""
    if shown.count != lines.count { text += "\u{1b}[2J" }
    for (number, line) in lines.enumerated() {
      guard shown.count != lines.count || shown[number] != line else { continue }
      // A terminal may give a character other columns than it is reckoned with here.
      text += "\u{1b}[\(number + 1);1H\u{1b}[2K\(line)"
    }
    shown = lines
    if !text.isEmpty { try terminal.write(text) }
  }
}
