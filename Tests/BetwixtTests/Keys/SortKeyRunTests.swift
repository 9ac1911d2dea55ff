import Betwixt
import Foundation
import Testing

/// What replicas insert at one gap without seeing each other stays together.
@Suite("Sort key runs")
struct SortKeyRunTests {
  enum Pattern: CaseIterable {
    case forwards
    case backwards
    case forwardsThenBackwards
    case wandering
    case random
  }

  enum Context: CaseIterable {
    case between
    case tie
    case start
    case end
    case empty
    case mixedHistory
  }

  /// 6,000 seeds of all patterns and contexts with `BETWIXT_LONG=1`, else a few of each.
  static let seeds: UInt64 =
    ProcessInfo.processInfo.environment["BETWIXT_LONG"] == "1" ? 200 : 8

  /// The lowest and highest key of a run that one replica inserts at a gap of its own copy.
  private func run(
    _ history: inout SortKeyHistory, gap: Int, _ pattern: Pattern, by replica: ReplicaID,
    after counter: Int64, count: Int = 12
  ) throws -> ClosedRange<SortKey> {
    var copy = history.keys
    var place = 0
    for size in 0..<count {
      switch pattern {
      case .forwards: place = size
      case .backwards: place = 0
      case .forwardsThenBackwards: place = size < count / 2 ? size : 0
      case .wandering: place = max(0, min(size, place + history.choices.pick([0, 1, 1, -1])))
      case .random: place = history.choices.next(below: size + 1)
      }
      try copy.insertKey(at: gap + place, replica: replica, counter: counter + Int64(size) + 1)
    }
    return copy[gap]...copy[gap + count - 1]
  }

  private func isSplit(_ runs: [ClosedRange<SortKey>]) -> Bool {
    let runs = runs.sorted { $0.lowerBound < $1.lowerBound }
    return zip(runs, runs.dropFirst()).contains { $0.upperBound > $1.lowerBound }
  }

  /// A list with a gap of some kind.
  private func list(_ context: Context, seed: UInt64) throws -> (SortKeyHistory, gap: Int) {
    var history = SortKeyHistory(seed: seed, replicaCount: 3)
    switch context {
    case .empty:
      return (history, 0)
    case .between, .start, .end, .tie:
      for number in context == .tie ? [2.0, 2.0] : [1.0, 2.0] {
        let id = ItemID(high: history.choices.word(), low: history.choices.word())
        history.keys.append(try SortKey(importing: number, of: id))
      }
      history.keys.sort()
      return (history, context == .start ? 0 : context == .end ? 2 : 1)
    case .mixedHistory:
      for counter in 1...5 + history.choices.next(below: 56) {
        let spot = history.choices.next(below: history.keys.count + 1)
        let replica = history.choices.pick(history.replicas)
        try history.keys.insertKey(at: spot, replica: replica, counter: Int64(counter))
        if history.choices.chance(3, in: 10) {
          history.keys.remove(at: history.choices.next(below: history.keys.count))
        }
      }
      return (history, history.choices.next(below: history.keys.count + 1))
    }
  }

  @Test("Runs of three replicas at one gap", arguments: Context.allCases, Pattern.allCases)
  func runs(context: Context, pattern: Pattern) throws {
    for seed in 0..<Self.seeds {
      var (history, gap) = try list(context, seed: seed)
      var runs: [ClosedRange<SortKey>] = []
      for (index, replica) in history.replicas.enumerated() {
        let counter = Int64(1000 * (index + 1))
        runs.append(try run(&history, gap: gap, pattern, by: replica, after: counter))
      }
      #expect(!isSplit(runs), "\(context) \(pattern) seed \(seed)")
    }
  }

  @Test("Runs in lists with a long past")
  func longHistories() throws {
    for seed in 0..<Self.seeds / 4 {
      var history = SortKeyHistory(seed: seed, replicaCount: 3)
      try history.edit(turns: seed % 2 == 0 ? 40 : 200, size: seed % 3 == 0 ? 20 : 60)
      for pattern in Pattern.allCases {
        for _ in 0..<5 {
          let gap = history.choices.next(below: history.keys.count + 1)
          var runs: [ClosedRange<SortKey>] = []
          for replica in history.replicas {
            runs.append(try run(&history, gap: gap, pattern, by: replica, after: history.counter))
          }
          #expect(!isSplit(runs), "\(pattern) seed \(seed) gap \(gap)")
        }
      }
    }
  }
}
