import Betwixt
import BetwixtFiles

/// A recorded writing session.
enum Typing {
  struct NoTrace: Error, CustomStringConvertible {
    var description: String {
      "this workload needs --trace PATH (gzip -dc automerge-paper.json.gz | … --trace -)"
    }
  }

  static func trace(_ settings: Settings) throws -> TypingTrace {
    guard let path = settings.trace else { throw NoTrace() }
    return try TypingTrace(path: path)
  }

  /// Key generation alone: first the neighbours of each insert are found, then the keys made.
  static func runKeys(_ settings: Settings) throws -> [ResultLine] {
    let operations = try trace(settings).operations
    var order = ChunkedOrder<Int>()
    var steps: [KeyGrowth.Step] = []
    for operation in operations {
      switch operation {
      case .insert(let index, _):
        let left = index > 0 ? order[index - 1] : nil
        let right = index < order.count ? order[index] : nil
        order.insert(steps.count, at: index)
        steps.append(KeyGrowth.Step(left: left, right: right))
      case .delete(let index): _ = order.remove(at: index)
      case .set, .move: break
      }
    }
    let (keys, timing) = try Stopwatch.time { try KeyGrowth.generate(steps) }
    let live = order.elements.filter { $0 < keys.count }.map { keys[$0] }
    let check = KeyGrowth.check(live, least: order.elements.count)
    var line = ResultLine("W7k", timing, ops: keys.count, check: check)
    line.bytes = live.reduce(0) { $0 + $1.bytes.count }
    line.add("ns_per_key", JSON(timing.seconds * 1e9 / Double(keys.count), decimals: 1))
    line.add("live", KeyGrowth.lengths(live))
    line.add("all", KeyGrowth.lengths(keys))
    return [line]
  }
}

extension Workload {
  static let typingKeys = [
    Workload(name: "W7k", summary: "the keys of the same text (--trace)", needsTrace: true) {
      try Typing.runKeys($0)
    }
  ]
}
