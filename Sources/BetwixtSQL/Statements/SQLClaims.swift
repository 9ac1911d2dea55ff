import Betwixt

/// What one delta lets the stored version claim, and which numbers it has seen.
struct SQLClaims {
  private(set) var ranges: [CoveredRange] = []
  private(set) var premise = VersionVector()
  // For each replica of entries and ranges the greatest number, rising.
  private var seen: [(replica: Int64, sequence: Int64)] = []

  /// What a delta claims.
  init(_ delta: Delta) {
    ranges = SQLClaims.joined(delta.ranges)
    premise = delta.premise
    note([delta])
  }

  /// Nothing but the numbers that were seen: locks all rows of the version that are needed.
  init(noting deltas: [Delta]) { note(deltas) }

  private mutating func note(_ deltas: [Delta]) {
    var numbers: [ReplicaID: Int64] = [:]
    func note(_ replica: ReplicaID, sequence: Int64) {
      numbers[replica] = max(numbers[replica, default: 0], sequence)
    }
    for delta in deltas {
      let replicas = delta.replicaTable
      for row in delta.rows { note(replicas[Int(row.replica)], sequence: row.sequence) }
      for range in delta.ranges { note(range.replica, sequence: range.through) }
    }
    seen = numbers.map { (RegisterRow.column($0.key), $0.value) }.sorted { $0.0 < $1.0 }
  }

  /// Ranges of one replica that overlap or touch claim together what their union claims.
  private static func joined(_ ranges: [CoveredRange]) -> [CoveredRange] {
    var joined: [CoveredRange] = []
    for range in ranges {
      if let last = joined.last, last.replica == range.replica, range.after <= last.through {
        joined[joined.count - 1] = CoveredRange(
          replica: last.replica, after: last.after, through: max(last.through, range.through))
      } else {
        joined.append(range)
      }
    }
    return joined
  }

  /// Those of the statement from the twelfth on.
  var parameters: [SQLValue] {
    [
      .integers(seen.map { $0.replica }),
      .integers(ranges.map { RegisterRow.column($0.replica) }),
      .integers(ranges.map { $0.after }), .integers(ranges.map { $0.through }),
      .integers(premise.map { RegisterRow.column($0.replica) }),
      .integers(premise.map { $0.sequence }),
      .integers(seen.map { $0.sequence }),
    ]
  }

  /// The same as texts of JSON.
  var texts: [SQLValue] {
    [
      .text(SQLClaims.json(seen.map { [$0.replica, $0.sequence] })),
      .text(
        SQLClaims.json(ranges.map { [RegisterRow.column($0.replica), $0.after, $0.through] })),
      .text(SQLClaims.json(premise.map { [RegisterRow.column($0.replica), $0.sequence] })),
    ]
  }

  static func json(_ rows: [[Int64]]) -> String {
    var text = "["
    for row in rows {
      if text.utf8.count > 1 { text += "," }
      text += "\(row)"
    }
    return text + "]"
  }
}
