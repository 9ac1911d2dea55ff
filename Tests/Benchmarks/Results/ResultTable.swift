/// Tables in Markdown.
enum ResultTable {
  /// One row per workload: the median, what that means per operation, and the check.
  static func summary(_ results: ResultSet) -> String {
    var lines = [
      "| workload | seconds | operations per second | bytes | checked |", "|---|--:|--:|--:|---|",
    ]
    for row in results.rows {
      let cells = [
        row.workload, seconds(row.median), rate(row), row.bytes.map(grouped) ?? "–",
        row.check ?? "–",
      ]
      lines.append("| " + cells.joined(separator: " | ") + " |")
    }
    return lines.joined(separator: "\n")
  }

  /// Our medians beside each peer's, with ours divided by theirs: below 1 we are faster.
  static func comparison(_ ours: ResultSet, _ theirs: ResultSet) -> String {
    let peers = theirs.peers
    var lines = [
      "| workload | betwixt | " + peers.map { "\($0) (ours ÷ theirs)" }.joined(separator: " | ")
        + " |",
      "|---|--:|" + String(repeating: "--:|", count: peers.count),
    ]
    for row in ours.rows {
      let cells = peers.map { peer -> String in
        guard let other = theirs.row(peer, row.workload)?.median else { return "–" }
        guard let own = row.median, other > 0 else { return seconds(other) }
        return "\(seconds(other)) (\(JSON(own / other, decimals: 2)))"
      }
      lines.append(
        "| " + ([row.workload, seconds(row.median)] + cells).joined(separator: " | ") + " |")
    }
    return lines.joined(separator: "\n")
  }

  private static func seconds(_ value: Double?) -> String {
    value.map { JSON($0, decimals: $0 < 0.01 ? 6 : 3).description } ?? "–"
  }

  private static func rate(_ row: ResultSet.Row) -> String {
    guard let ops = row.ops, ops > 0, let median = row.median, median > 0 else { return "–" }
    return grouped(Int(Double(ops) / median))
  }

  private static func grouped(_ number: Int) -> String {
    var text = ""
    for (place, digit) in String(number).reversed().enumerated() {
      if place > 0, place % 3 == 0, digit.isNumber { text.append(",") }
      text.append(digit)
    }
    return String(text.reversed())
  }
}
