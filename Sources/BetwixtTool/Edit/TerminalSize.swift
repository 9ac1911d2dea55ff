/// How many characters a terminal shows.
package struct TerminalSize: Hashable, Sendable {
  /// Characters in a line.
  package var columns: Int

  /// Lines on the screen.
  package var lines: Int

  /// What is drawn at most, either way: whatever a terminal says, a picture has to have room.
  private static let limit = 1_000

  /// Names a size; of a greater one the part that is drawn.
  package init(columns: Int, lines: Int) {
    self.columns = min(columns, TerminalSize.limit)
    self.lines = min(lines, TerminalSize.limit)
  }
}
