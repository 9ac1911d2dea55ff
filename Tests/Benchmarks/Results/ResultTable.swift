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
      lines.append(line(cells))
    }
    return lines.joined(separator: "\n")
  }

  /// Our medians beside each peer's, with ours divided by theirs: below 1 we are faster.
  static func comparison(_ ours: ResultSet, _ theirs: ResultSet) -> String {
    let rows = ours.rows
    let peers = theirs.peers.filter { peer in
      rows.contains { theirs.row(peer, $0.workload) != nil }
    }
    let head = ["workload", "betwixt", "ours ÷ fastest"] + peers
    var lines = [line(head), "|---|" + String(repeating: "--:|", count: head.count - 1)]
    for row in rows {
      let others = peers.map { theirs.row($0, row.workload)?.median }
      let cells = others.map { other in
        other.map { seconds($0) + ratio(row.median, $0, in: (" (", ")")) } ?? "–"
      }
      let fastest = others.compactMap(\.self).min()
      let best = fastest.map { ratio(row.median, $0, in: ("", "")) } ?? "–"
      lines.append(line([row.workload, seconds(row.median), best] + cells))
    }
    return lines.joined(separator: "\n")
  }

  private static func line(_ cells: [String]) -> String {
    "| " + cells.joined(separator: " | ") + " |"
  }

  private static func ratio(
    _ own: Double?, _ other: Double, in brackets: (String, String)
  ) -> String {
    guard let own, other > 0 else { return "" }
    return brackets.0 + JSON(own / other, decimals: 2).description + brackets.1
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
