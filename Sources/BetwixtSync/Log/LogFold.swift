/// What makes a long log short: one row in place of many.
///
/// Both happen in one transaction, and only if every row that goes was still there: somebody else
/// may have folded some of them.
public struct LogFold: Hashable, Sendable {
  /// The rows that go, rising by name; none of them is the one that comes.
  public let removing: [RowName]

  /// The row that comes.
  public let adding: LogRow

  package init(removing: [RowName], adding: LogRow) {
    self.removing = removing
    self.adding = adding
  }
}
