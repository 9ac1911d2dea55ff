import Betwixt

/// Two copies of 100,000 items, five edits each, then an exchange of what the other lacks.
struct SmallDiff {
  let workload: String

  /// Whether 100,000 moves came before.
  let hasHistory: Bool

  // A replica's id and its number, uncompressed.
  private static let bytesPerComponent = 16

  func run() throws -> ResultLine {
    let values = ItemValue.base(100_000)
    let writer = Device(ReplicatedList(id: ReplicatedList.benchmarkID), replica: 1)
    writer.list = try .holding(values, by: &writer.me)
    var order = ChunkedOrder(values)
    if hasHistory {
      for operation in [ListOperation].moves(100_000, base: 100_000, seed: 30) {
        order.apply(operation)
        try writer.apply(operation)
      }
    }
    let left = Device(writer.list, replica: 2)
    let right = Device(writer.list, replica: 3)
    let check = try edit(left, right, order)
    return try exchange(left, right, check)
  }

  private func edit(_ left: Device, _ right: Device, _ order: ChunkedOrder<String>) throws
    -> ResultLine.Check
  {
    var leftOrder = order
    var rightOrder = order
    for operation in [ListOperation].five(seed: 600, on: &leftOrder) { try left.apply(operation) }
    for operation in [ListOperation].five(seed: 601, on: &rightOrder) {
      try right.apply(operation)
    }
    let wanted =
      hasHistory ? (Expected.w6hLeft, Expected.w6hRight) : (Expected.w6Left, Expected.w6Right)
    let first = ResultLine.Check.compare(left.list.content, wanted.0)
    guard case .expected = first else { return first }
    return .compare(right.list.content, wanted.1)
  }

  private func exchange(_ left: Device, _ right: Device, _ check: ResultLine.Check) throws
    -> ResultLine
  {
    let (versions, summary) = Stopwatch.time { (left.list.version, right.list.version) }
    let (messages, diff) = try Stopwatch.time {
      (try left.list.message(since: versions.1), try right.list.message(since: versions.0))
    }
    let (entries, apply) = try Stopwatch.time {
      let deltas = (try Delta(message: messages.0), try Delta(message: messages.1))
      left.list.merge(deltas.1)
      right.list.merge(deltas.0)
      return deltas.0.count + deltas.1.count
    }
    let same = left.list == right.list && left.list.content == right.list.content
    var line = ResultLine(
      workload, summary + diff + apply, ops: 10, check: same ? check : .failed("copies differ"))
    line.bytes =
      messages.0.count + messages.1.count
      + (versions.0.count + versions.1.count) * Self.bytesPerComponent
    line.notes = "blocks without frames; a version counted as 16 bytes per replica"
    line.add("summary_s", JSON(summary.seconds, decimals: 9))
    line.add("diff_s", JSON(diff.seconds, decimals: 9))
    line.add("apply_s", JSON(apply.seconds, decimals: 9))
    line.add("entries", .int(entries))
    return line
  }
}

extension Workload {
  static let smallDiffs: [Workload] = [
    Workload(name: "W6", summary: "ten edits exchanged by two copies of 100,000 items") { _ in
      [try SmallDiff(workload: "W6", hasHistory: false).run()]
    },
    Workload(name: "W6h", summary: "the same after 100,000 moves") { _ in
      [try SmallDiff(workload: "W6h", hasHistory: true).run()]
    },
  ]
}
