import Betwixt
import BetwixtSync

/// What is left of 100,000 removed items of seven fields, among 1,000 that are shown; and beside it a
/// list a fifth as long of which nothing was forgotten.
enum ForgottenItems {
  private static let names: [FieldName] = [
    "title", "kind", "city", "start", "end", "note", "link",
  ]

  /// Items of which every 101st stays, and none has been forgotten.
  private static func list(_ count: Int, by me: inout Replica) throws -> ReplicatedList {
    var list = ReplicatedList(id: ReplicatedList.benchmarkID)
    for number in 0..<count {
      let value = FieldValue.string(ItemValue.make(number))
      var fields = Fields()
      for name in names { fields[name] = value }
      try list.append(fields, by: &me)
    }
    for (number, item) in list.map({ $0.id }).enumerated() where number % 101 != 0 {
      try list.remove(item, by: &me)
    }
    return list
  }

  static func run() throws -> [ResultLine] {
    let before = ProcessMemory.resident()
    var me = Replica(id: ReplicaID(rawValue: 1)) { 1_777_000_000_000 }
    var list = try list(101_000, by: &me)
    let base = ProcessMemory.resident()
    let version = list.version
    let (lost, forgetting) = Stopwatch.time { list.forget(below: version) }
    let after = ProcessMemory.resident()
    let bytes = try SealedBlock.encode(list)
    let beforeLoading = ProcessMemory.resident()
    let loaded = try SealedBlock.decode(bytes)
    let afterLoading = ProcessMemory.resident()
    var line = ResultLine(
      "W9[forgotten]", forgetting, ops: lost,
      check: .holds(
        lost == 800_000 && list.count == 1_000 && list.forgottenItemCount == 100_000
          && loaded == list, "something else was forgotten"))
    line.bytes = bytes.count
    line.add("held_base_kib", ProcessMemory.difference(base, before))
    line.add("held_kib", ProcessMemory.difference(after, before))
    line.add("held_loaded_kib", ProcessMemory.difference(afterLoading, beforeLoading))
    if before == nil { line.notes = "this system does not tell resident memory" }
    var other = Replica(id: ReplicaID(rawValue: 1)) { 1_777_000_000_000 }
    let fifth = try self.list(20_200, by: &other)
    return [
      line, try merge(list, "W9.merge[forgotten]"), try merge(fifth, "W9.merge[fifth]"),
    ]
  }

  /// Merges a list into a copy of its own, as of a document that somebody sends whole.
  private static func merge(_ list: ReplicatedList, _ name: String) throws -> ResultLine {
    let bytes = try SealedBlock.encode(list)
    let other = try SealedBlock.decode(bytes)
    var merged = list
    let (changes, timing) = Stopwatch.time { merged.merge(other) }
    var line = ResultLine(
      name, timing, ops: 1,
      check: .holds(changes.isEmpty && merged == list, "an equal list has changed something"))
    line.bytes = bytes.count
    return line
  }
}

extension Workload {
  static let forgottenItems = [
    Workload(
      name: "W9[forgotten]", summary: "memory of 1,000 items and 100,000 that were forgotten",
      lines: ["W9[forgotten]", "W9.merge[forgotten]", "W9.merge[fifth]"]
    ) { _ in try ForgottenItems.run() }
  ]
}
