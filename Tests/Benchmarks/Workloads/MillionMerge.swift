import Betwixt
import BetwixtSync

/// Two copies of 1,000,000 items that differ in one item of a hundred, made one.
enum MillionMerge {
  private static let items = 1_000_000
  private static let editsPerSide = 5_000

  static func run() throws -> [ResultLine] {
    let base = ItemValue.base(items)
    let left = Device(ReplicatedList(id: ReplicatedList.benchmarkID), replica: 1)
    left.list = try .holding(base, by: &left.me)
    let right = Device(left.list, replica: 2)
    let order = ChunkedOrder(base)
    for (device, seed) in [(left, 700), (right, 701)] {
      var own = order
      let plan: [ListOperation] = .mixed(
        editsPerSide, seed: UInt64(seed), payloads: seed * 1_000_000, on: &own)
      for operation in plan { try device.apply(operation) }
    }
    return [
      whole(left.list, right.list), delta(left.list, right.list), try decode(right.list),
    ]
  }

  /// One list taken into the other, without knowing what is new.
  private static func whole(_ left: ReplicatedList, _ right: ReplicatedList) -> ResultLine {
    var merged = left
    let (changes, timing) = Stopwatch.time { merged.merge(right) }
    var line = ResultLine(
      "merge.million", timing, ops: 2 * editsPerSide,
      check: .holds(merged == right.merging(left), "the order of merging matters"))
    line.add("moved", .int(changes.moved.count))
    line.add("inserted", .int(changes.inserted.count))
    line.add("removed", .int(changes.removed.count))
    line.add("updated", .int(changes.updated.count))
    return line
  }

  /// What it takes to read one of the two from the bytes of a file, to compare merging with.
  private static func decode(_ list: ReplicatedList) throws -> ResultLine {
    let bytes = try SealedBlock.encode(list)
    let (loaded, timing) = try Stopwatch.time { try SealedBlock.decode(bytes) }
    var line = ResultLine(
      "merge.million.decode", timing, ops: 1,
      check: .holds(loaded == list, "the list read is another"))
    line.bytes = bytes.count
    return line
  }

  /// The same through a delta since what the other knows.
  private static func delta(_ left: ReplicatedList, _ right: ReplicatedList) -> ResultLine {
    var merged = left
    let (delta, diff) = Stopwatch.time { right.delta(since: left.version) }
    let (_, apply) = Stopwatch.time { merged.merge(delta) }
    var line = ResultLine(
      "merge.million.delta", diff + apply, ops: 2 * editsPerSide,
      check: .holds(merged == left.merging(right), "a delta brings something else"))
    line.add("entries", .int(delta.count))
    line.add("diff_s", JSON(diff.seconds))
    line.add("apply_s", JSON(apply.seconds))
    return line
  }
}

extension Workload {
  static let millionMerge = [
    Workload(
      name: "merge.million", summary: "two lists of 1,000,000 items that differ in 1 %",
      lines: ["merge.million", "merge.million.delta", "merge.million.decode"]
    ) { _ in try MillionMerge.run() }
  ]
}
