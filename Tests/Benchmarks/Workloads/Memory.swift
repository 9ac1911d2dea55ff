import Betwixt

/// What a list of 100,000 items holds in memory, before and after 100,000 moves.
enum Memory {
  static func run() throws -> [ResultLine] {
    let before = ProcessMemory.resident()
    var me = Replica(id: ReplicaID(rawValue: 1)) { 1_777_000_000_000 }
    var list = ReplicatedList(id: ReplicatedList.benchmarkID)
    for number in 0..<100_000 {
      try list.append([.benchmarkValue: .string(ItemValue.make(number))], by: &me)
    }
    let base = ProcessMemory.resident()
    let watch = Stopwatch()
    var generator = SplitMix64(seed: 30)
    for _ in 0..<100_000 {
      let source = generator.below(100_000)
      try list.apply(.move(from: source, to: generator.below(100_000)), by: &me)
    }
    let timing = watch.lap()
    // The peak is read first: what the check needs is not the list's.
    let peak = ProcessMemory.peak()
    let after = ProcessMemory.resident()
    list.pack()
    let packed = ProcessMemory.resident()
    var line = ResultLine(
      "W9", timing, ops: 100_000, check: .compare(list.content, Expected.w3b))
    line.add("held_base_kib", ProcessMemory.difference(base, before))
    line.add("held_kib", ProcessMemory.difference(after, before))
    line.add("held_packed_kib", ProcessMemory.difference(packed, before))
    line.add("peak_above_start_kib", ProcessMemory.difference(peak, before))
    line.add("peak_kib", JSON(peak))
    if before == nil { line.notes = "this system does not tell resident memory" }
    return [line]
  }
}

extension Workload {
  static let memory = [
    Workload(name: "W9", summary: "memory of 100,000 items after 100,000 moves") { _ in
      try Memory.run()
    }
  ]
}
