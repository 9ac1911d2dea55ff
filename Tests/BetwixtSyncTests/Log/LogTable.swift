import Betwixt
import BetwixtSync

/// A table of rows as databases have them: a row gets its serial number when it is written, and is
/// seen when its transaction commits.
struct LogTable {
  struct Stored {
    let serial: Int
    let row: LogRow
  }

  /// Somebody else has folded some of the rows.
  struct Refused: Error {}

  private(set) var committed: [Stored] = []
  private var open: [Stored] = []
  private var serial = 0

  var names: [RowName] { committed.map { $0.row.name } }

  func rows(_ names: [RowName]) -> [LogRow] {
    committed.map { $0.row }.filter { names.contains($0.name) }
  }

  mutating func begin(_ row: LogRow) {
    serial += 1
    open.append(Stored(serial: serial, row: row))
  }

  var openCount: Int { open.count }

  /// Commits one of the open rows; one that is there already is not stored again.
  mutating func commit(_ place: Int) -> LogRow {
    let stored = open.remove(at: place)
    if !names.contains(stored.row.name) { committed.append(stored) }
    return stored.row
  }

  mutating func insert(_ row: LogRow) {
    begin(row)
    _ = commit(open.count - 1)
  }

  /// The transaction of a fold: all or nothing.
  mutating func replace(_ fold: LogFold) throws(Refused) {
    guard fold.removing.allSatisfy(names.contains) else { throw Refused() }
    committed.removeAll { fold.removing.contains($0.row.name) }
    insert(fold.adding)
  }

  /// Takes out one row, as a restore of a state before it does.
  mutating func remove(_ row: LogRow) { committed.removeAll { $0.row.name == row.name } }

  /// Puts back what was committed at some time; transactions that are open go on.
  mutating func restore(_ backup: LogTable) { committed = backup.committed }

  /// What a fold by serial number would do.
  mutating func replaceUpTo(_ serial: Int, by row: LogRow) {
    committed.removeAll { $0.serial <= serial }
    insert(row)
  }
}

extension DeltaLog {
  /// Asks until nothing is missing.
  mutating func refresh(from table: LogTable) throws {
    while true {
      let missing = missing(among: table.names)
      if missing.isEmpty { return }
      try take(table.rows(missing))
    }
  }
}
