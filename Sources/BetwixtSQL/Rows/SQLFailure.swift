public import Betwixt

/// Why rows of a database were refused.
public struct SQLFailure: Error, Hashable, Sendable, CustomStringConvertible {
  /// What is wrong.
  public enum Reason: Hashable, Sendable {
    /// There are other columns than were asked for.
    case columns
    /// A number or a text is out of its bounds.
    case bounds
    /// The row holds no entry that the format allows.
    case entry(EntryFailure)
  }

  /// What is wrong.
  public let reason: Reason

  /// Which of the rows, from 0.
  public let row: Int

  init(_ reason: Reason, row: Int) {
    self.reason = reason
    self.row = row
  }

  /// Which row, and what is wrong with it.
  public var description: String {
    switch reason {
    case .columns: "row \(row): other columns than were asked for"
    case .bounds: "row \(row): out of bounds"
    case .entry(let failure): "row \(row): \(failure)"
    }
  }
}
