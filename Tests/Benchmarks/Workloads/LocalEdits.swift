// Single-user editing: inserts at the end, at the start and anywhere, and moves.

extension Workload {
  static let localEdits: [Workload] =
    loops("W1", "100,000 appends") {
      OperationLoop(
        workload: $0, operations: .appends(100_000), expected: Expected.w1,
        objectLimit: 2.6)
    }
    + loops("W1b", "100,000 prepends") {
      OperationLoop(
        workload: $0, operations: .prepends(100_000), expected: Expected.w1b,
        objectLimit: 2.6)
    }
    + loops("W2", "100,000 inserts anywhere") {
      OperationLoop(
        workload: $0, operations: .randomInserts(100_000), expected: Expected.w2,
        objectLimit: 2.6)
    }
    + loops("W3a", "100,000 moves among 10,000 items") {
      OperationLoop(
        workload: $0, base: ItemValue.base(10_000),
        operations: .moves(100_000, base: 10_000, seed: 3), expected: Expected.w3a,
        objectLimit: 0.02)
    }
    + loops("W3b", "100,000 moves among 100,000 items") {
      OperationLoop(
        workload: $0, base: ItemValue.base(100_000),
        operations: .moves(100_000, base: 100_000, seed: 30), expected: Expected.w3b,
        objectLimit: 0.05)
    }

  /// The same at ten times the size, to see how costs grow.
  static let millions: [Workload] = [
    Workload(name: "W1.million", summary: "1,000,000 appends") {
      [try OperationLoop(workload: "W1.million", operations: .appends(1_000_000)).run($0)]
    },
    Workload(name: "W1b.million", summary: "1,000,000 prepends") {
      [try OperationLoop(workload: "W1b.million", operations: .prepends(1_000_000)).run($0)]
    },
    Workload(name: "W2.million", summary: "1,000,000 inserts anywhere") {
      [try OperationLoop(workload: "W2.million", operations: .randomInserts(1_000_000)).run($0)]
    },
    Workload(name: "W3.million", summary: "1,000,000 moves among 1,000,000 items") {
      let loop = OperationLoop(
        workload: "W3.million", base: ItemValue.base(1_000_000),
        operations: .moves(1_000_000, base: 1_000_000, seed: 30))
      return [try loop.run($0)]
    },
  ]
}
