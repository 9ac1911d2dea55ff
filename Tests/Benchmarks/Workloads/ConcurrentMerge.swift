import Betwixt
import BetwixtSync

/// Ten forks of a list of 10,000 items, each edited 1,400 times offline, then merged.
struct ConcurrentMerge {
  private static let base = 10_000
  private static let operationsPerFork = 1_400

  /// `op` or `batch`, which are the same here.
  let mode: String

  private let plans: [[ListOperation]]
  private let hub: Device
  private var forks: [Device] = []
  private let forkPoint: VersionVector
  private var lines: [ResultLine] = []

  static func run(mode: String) throws -> [ResultLine] {
    var merge = try ConcurrentMerge(mode: mode)
    merge.fork()
    try merge.workOffline()
    let messages = try merge.export()
    try merge.mergeAtOnce(messages)
    try merge.merge(messages)
    try merge.fanOut()
    return merge.lines
  }

  static func lineNames(mode: String) -> [String] {
    ["fork", "offline", "export", "merge_many", "merge", "fanout"].map { "W4.\($0).\(mode)" }
  }

  private init(mode: String) throws {
    self.mode = mode
    let values = ItemValue.base(Self.base)
    plans = (1...10).map { replica in
      var order = ChunkedOrder(values)
      return .mixed(
        Self.operationsPerFork, seed: UInt64(400 + replica), payloads: replica * 1_000_000,
        on: &order)
    }
    hub = Device(ReplicatedList(id: ReplicatedList.benchmarkID), replica: 1)
    hub.list = try .holding(values, by: &hub.me)
    forkPoint = hub.list.version
  }

  private mutating func fork() {
    let (forks, timing) = Stopwatch.time {
      (1...10).map { Device(hub.list, replica: UInt64(100 + $0)) }
    }
    self.forks = forks
    let same = forks.allSatisfy { $0.list == hub.list }
    add("fork", timing, ops: 10, check: .holds(same, "a fork differs"))
  }

  private mutating func workOffline() throws {
    let watch = Stopwatch()
    for (fork, plan) in zip(forks, plans) {
      for operation in plan { try fork.apply(operation) }
    }
    let timing = watch.lap()
    var check = ResultLine.Check.expected
    for (fork, expected) in zip(forks, Expected.w4Offline) {
      let own = ResultLine.Check.compare(fork.list.content, expected)
      if case .failed = own { check = own }
    }
    add("offline", timing, ops: plans.count * Self.operationsPerFork, check: check)
  }

  /// Each fork's delta since the fork, as bytes.
  private mutating func export() throws -> [[UInt8]] {
    let (messages, timing) = try Stopwatch.time {
      try forks.map { try $0.list.message(since: forkPoint) }
    }
    let entries = try messages.reduce(0) { try $0 + Delta(message: $1).count }
    add(
      "export", timing, ops: messages.count,
      check: .holds(entries >= 10 * 1_400 * 9 / 14, "entries are missing"),
      bytes: messages.reduce(0) { $0 + $1.count },
      details: [.init(name: "entries", value: .int(entries))])
    return messages
  }

  /// All ten as one delta: what a hub does that let its peers wait.
  private mutating func mergeAtOnce(_ messages: [[UInt8]]) throws {
    var list = hub.list
    let (count, timing) = try Stopwatch.time {
      var builder = Delta.Builder()
      for message in messages {
        let delta = try Delta(message: message)
        for entry in delta.entries { try builder.add(entry) }
        for range in delta.ranges {
          builder.cover(range.replica, after: range.after, through: range.through)
        }
      }
      let joined = builder.build()
      list.merge(joined)
      return joined.count
    }
    add(
      "merge_many", timing, ops: count,
      check: .holds(list.count == Expected.w4MergedLength, "merged length \(list.count)"))
  }

  private mutating func merge(_ messages: [[UInt8]]) throws {
    let versions = forks.map(\.list.version)
    let (conflicts, timing) = try Stopwatch.time {
      try zip(messages, versions).reduce(0) { count, message in
        let delta = try Delta(message: message.0, from: message.1)
        return count + hub.list.merge(delta).conflicts.count
      }
    }
    let count = hub.list.count
    let distinct = Set(hub.list.values.map(ItemValue.identity)).count
    add(
      "merge", timing, ops: plans.count * Self.operationsPerFork,
      check: .holds(
        count == Expected.w4MergedLength && distinct == count, "merged length \(count)"),
      details: [
        .init(name: "length", value: .int(count)),
        .init(name: "distinct", value: .int(distinct)),
        .init(name: "duplicates", value: .int(count - distinct)),
        .init(name: "conflicts", value: .int(conflicts)),
      ])
  }

  private mutating func fanOut() throws {
    let (bytes, timing) = try Stopwatch.time {
      try forks.reduce(0) { bytes, fork in
        let message = try hub.list.message(since: fork.list.version)
        fork.list.merge(try Delta(message: message))
        return bytes + message.count
      }
    }
    let same = forks.allSatisfy {
      $0.list == hub.list && $0.list.digest == hub.list.digest
        && $0.list.content == hub.list.content
    }
    add(
      "fanout", timing, ops: forks.count, check: .holds(same, "the replicas differ"),
      bytes: bytes)
  }

  private mutating func add(
    _ phase: String, _ timing: Timing, ops: Int, check: ResultLine.Check,
    bytes: Int? = nil, details: [JSON.Member] = []
  ) {
    var line = ResultLine("W4.\(phase).\(mode)", timing, ops: ops, check: check)
    line.bytes = bytes
    line.details = details
    if mode == "batch" { line.notes = "there are no transactions: the same loop as .op" }
    lines.append(line)
  }
}

extension Workload {
  static let concurrentMerge: [Workload] = ["op", "batch"].map { mode in
    Workload(
      name: "W4.\(mode)", summary: "ten forks of 10,000 items, 1,400 edits each, merged",
      lines: ConcurrentMerge.lineNames(mode: mode)
    ) { _ in try ConcurrentMerge.run(mode: mode) }
  }
}
