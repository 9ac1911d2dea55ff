import Betwixt
import BetwixtFiles
import BetwixtSync

/// A run of operations on one list, timed, and held against what must come out.
struct OperationLoop {
  let workload: String
  var base: [String] = []
  let operations: [ListOperation]

  /// What all operations lead to; without it the model decides.
  var expected: Content?

  /// How many objects an operation may make, on average; they are counted in a run of their own.
  var objectLimit: Double?

  func run(_ settings: Settings) throws -> ResultLine {
    let device = Device(ReplicatedList(id: ReplicatedList.benchmarkID), replica: 1)
    device.list = try .holding(base, by: &device.me)
    let watch = Stopwatch()
    let done = try perform(on: device, cap: settings.cap, watch: watch)
    let timing = watch.lap()
    var line = ResultLine(
      workload, timing, ops: done, check: check(device.list.content, after: done))
    line.bytes = try SealedBlock.encode(device.list).count
    line.add("ops_per_second", JSON(Double(done) / timing.seconds, decimals: 0))
    if let objectLimit, done == operations.count { try countObjects(objectLimit, &line) }
    return line
  }

  private func countObjects(_ limit: Double, _ line: inout ResultLine) throws {
    let device = Device(ReplicatedList(id: ReplicatedList.benchmarkID), replica: 1)
    device.list = try .holding(base, by: &device.me)
    let count = try ObjectCount.count {
      _ = try perform(on: device, cap: .infinity, watch: Stopwatch())
    }
    guard let count else { return }
    let perOperation = Double(count) / Double(operations.count)
    line.add("objects_per_op", JSON(perOperation, decimals: 3))
    if perOperation > limit {
      line.check = .failed("\(perOperation) objects per operation, more than \(limit)")
    }
  }

  private func perform(on device: Device, cap: Double, watch: Stopwatch) throws -> Int {
    var list = device.list
    // Two holders of one list would make the first edits copy; this one must be alone.
    device.list = ReplicatedList(id: ReplicatedList.benchmarkID)
    defer { device.list = list }
    var done = 0
    for operation in operations {
      if done % 500 == 0, watch.elapsed > cap { break }
      try list.apply(operation, by: &device.me)
      done += 1
    }
    return done
  }

  private func check(_ content: Content, after done: Int) -> ResultLine.Check {
    if let expected, done == operations.count { return .compare(content, expected) }
    var model = ChunkedOrder(base)
    for operation in operations.prefix(done) { model.apply(operation) }
    return .compare(content, Content(of: model.elements), else: .model)
  }
}

extension Workload {
  /// A workload of one loop, once with an action per operation and once as a batch.
  ///
  /// There are no transactions to open or to commit, so a batch is the same loop.
  static func loops(
    _ name: String, _ summary: String, _ make: @escaping @Sendable (String) -> OperationLoop
  ) -> [Workload] {
    ["op", "batch"].map { mode in
      let name = "\(name).\(mode)"
      return Workload(name: name, summary: summary + (mode == "batch" ? " (same loop)" : "")) {
        settings in
        var line = try make(name).run(settings)
        if mode == "batch" { line.notes = "there are no transactions: the same loop as .op" }
        return [line]
      }
    }
  }
}
