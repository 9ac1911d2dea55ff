/// How many characters a terminal shows.
package struct TerminalSize: Hashable, Sendable {
  /// Characters in a line.
  package var columns: Int

  /// Lines on the screen.
  package var lines: Int

  /// Names a size.
  package init(columns: Int, lines: Int) {
    self.columns = columns
    self.lines = lines
  }
}
