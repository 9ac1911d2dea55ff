import BetwixtTrips

/// Result lines of one or several programs, with the median of what was run more than once.
struct ResultSet {
  struct Row {
    let peer: String
    let workload: String
    var seconds: [Double]
    var ops: Int?
    var bytes: Int?
    var check: String?

    /// Whether one of its results was wrong.
    var isWrong: Bool { check?.hasPrefix(ResultLine.wrong) ?? false }

    /// The middle of all runs' seconds.
    var median: Double? {
      let rising = seconds.sorted()
      guard !rising.isEmpty else { return nil }
      let middle = rising.count / 2
      return rising.count % 2 == 1 ? rising[middle] : (rising[middle - 1] + rising[middle]) / 2
    }
  }

  private(set) var rows: [Row] = []

  /// Reads lines of JSON objects; blank lines are skipped.
  init(lines text: some StringProtocol) throws {
    for line in text.utf8.split(separator: UInt8(ascii: "\n")) where line.contains(0x7b) {
      add(try JSONScanner.scan(Array(line)))
    }
  }

  var peers: [String] {
    var seen: [String] = []
    for row in rows where !seen.contains(row.peer) { seen.append(row.peer) }
    return seen
  }

  func row(_ peer: String, _ workload: String) -> Row? {
    rows.first { $0.peer == peer && $0.workload == workload }
  }

  private mutating func add(_ line: JSONValue) {
    guard let workload = line["workload"]?.string else { return }
    let peer = line["peer"]?.string ?? "?"
    let place = rows.firstIndex { $0.peer == peer && $0.workload == workload }
    let index = place ?? rows.count
    if place == nil { rows.append(Row(peer: peer, workload: workload, seconds: [])) }
    if let seconds = line["seconds"]?.number?.double { rows[index].seconds.append(seconds) }
    rows[index].ops = line["ops"]?.count ?? rows[index].ops
    rows[index].bytes = line["bytes"]?.count ?? rows[index].bytes
    // What was wrong once stays so, whatever came out of it later.
    if rows[index].isWrong { return }
    rows[index].check = line["check"]?.string ?? rows[index].check
  }
}
