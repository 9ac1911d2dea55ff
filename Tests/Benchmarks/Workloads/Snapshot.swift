import Betwixt

/// The whole list out of memory and back: 100,000 items after 100,000 moves.
enum Snapshot {
  /// The list that encoding starts from.
  static func list() throws -> ReplicatedList {
    let writer = Device(ReplicatedList(id: ReplicatedList.benchmarkID), replica: 1)
    writer.list = try .holding(ItemValue.base(100_000), by: &writer.me)
    for operation in [ListOperation].moves(100_000, base: 100_000, seed: 30) {
      try writer.apply(operation)
    }
    return writer.list
  }

  /// Through a delta of everything: what every format pays on top of its own parsing.
  static func runDelta() throws -> [ResultLine] {
    let list = try list()
    let (delta, encode) = Stopwatch.time { list.delta(since: [:]) }
    let entries = Array(delta.entries)
    let (loaded, load) = try Stopwatch.time {
      var builder = Delta.Builder()
      for entry in entries { try builder.add(entry) }
      for range in delta.ranges {
        builder.cover(range.replica, after: range.after, through: range.through)
      }
      var loaded = ReplicatedList(id: list.id)
      loaded.merge(builder.build())
      return (list: loaded, count: loaded.count)
    }
    let (values, read) = Stopwatch.time { loaded.list.values }
    let same = loaded.list == list && loaded.list.version == list.version
    var encodeLine = ResultLine(
      "W5.encode[delta]", encode, ops: entries.count,
      check: .holds(entries.count == 300_000, "\(entries.count) entries"))
    encodeLine.add(
      "canonical_bytes", .int(entries.reduce(0) { $0 + $1.canonicalBytes.count }))
    var loadLine = ResultLine(
      "W5.load[delta]", load, ops: entries.count,
      check: same ? .compare(Content(of: values), Expected.w3b) : .failed("loaded list differs"))
    loadLine.add("read_all_s", JSON(read.seconds))
    return [encodeLine, loadLine]
  }
}

extension Workload {
  static let snapshots = [
    Workload(
      name: "W5[delta]", summary: "100,000 items as entries, and a new list from them",
      lines: ["W5.encode[delta]", "W5.load[delta]"]
    ) { _ in try Snapshot.runDelta() }
  ]
}
