import Betwixt

/// What a call costs that does next to nothing.
enum Overhead {
  private static let rounds = 1_000_000

  static func run() throws -> [ResultLine] {
    let device = Device(ReplicatedList(id: ReplicatedList.benchmarkID), replica: 1)
    var list = try ReplicatedList.holding(ItemValue.base(10_000), by: &device.me)
    // Several lists in turn, or the optimizer asks one list once.
    let lists = [list, ReplicatedList(id: list.id)]
    let (total, count) = Stopwatch.time {
      (0..<rounds).reduce(0) { $0 &+ lists[$1 & 1].count }
    }
    let (visible, get) = Stopwatch.time {
      (0..<rounds).reduce(0) { $0 + (list[$1 % 10_000].isVisible ? 1 : 0) }
    }
    let first = list[0]
    let value = first[.benchmarkValue] ?? .string("")
    let (written, set) = try Stopwatch.time {
      for _ in 0..<rounds {
        try list.set(.benchmarkValue, of: first.id, to: value, by: &device.me)
      }
      return list.version[device.me.id] - Int64(list.count * 3)
    }
    let holds = total == rounds / 2 * 10_000 && visible == rounds && written == 0
    var line = ResultLine(
      "overhead", count + get + set, ops: 3 * rounds,
      check: .holds(holds, "a trivial call did something"))
    line.notes = "there are no transactions; set_same_ns is an edit that writes nothing"
    line.add("len_ns", perCall(count))
    line.add("get_ns", perCall(get))
    line.add("set_same_ns", perCall(set))
    return [line]
  }

  private static func perCall(_ timing: Timing) -> JSON {
    JSON(timing.seconds * 1e9 / Double(rounds), decimals: 1)
  }
}

extension Workload {
  static let overhead = [
    Workload(name: "overhead", summary: "the cost of count, of a look-up, of an empty edit") { _ in
      try Overhead.run()
    }
  ]
}
