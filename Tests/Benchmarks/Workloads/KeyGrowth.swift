import Betwixt

/// How long keys get, and what one costs, under patterns that hurt.
enum KeyGrowth {
  /// The neighbours of a new key, by the number of the key; `nil` at an end.
  struct Step {
    let left: Int?
    let right: Int?
  }

  /// Makes one key per step, all by one replica, until a gap has no room left.
  static func generate(_ steps: [Step]) throws -> [SortKey] {
    let replica = ReplicaID(rawValue: 1)
    var keys: [SortKey] = []
    keys.reserveCapacity(steps.count)
    for (number, step) in steps.enumerated() {
      do {
        keys.append(
          try SortKey.between(
            step.left.map { keys[$0] }, step.right.map { keys[$0] }, replica: replica,
            counter: Int64(number + 1)))
      } catch SortKeyRefusal.exhausted {
        break
      }
    }
    return keys
  }

  /// The mean and some percentiles of the keys' lengths.
  static func lengths(_ keys: [SortKey]) -> JSON {
    let lengths = keys.map(\.bytes.count).sorted()
    guard let longest = lengths.last else { return .null }
    let total = lengths.reduce(0, +)
    return .object([
      .init(name: "mean", value: JSON(Double(total) / Double(lengths.count), decimals: 1)),
      .init(name: "p50", value: .int(lengths[lengths.count / 2])),
      .init(name: "p99", value: .int(lengths[lengths.count * 99 / 100])),
      .init(name: "max", value: .int(longest)),
    ])
  }

  /// Whether the keys rise, and are as many as there must be before a gap has no room left.
  static func check(_ keys: [SortKey], least: Int) -> ResultLine.Check {
    guard keys.count >= least else { return .failed("\(keys.count) keys of at least \(least)") }
    return .holds(zip(keys, keys.dropFirst()).allSatisfy(<), "the keys do not rise")
  }

  static func run(_ pattern: Pattern) throws -> [ResultLine] {
    let (steps, order) = pattern.steps()
    let (keys, timing) = try Stopwatch.time { try generate(steps) }
    let made = order.filter { $0 < keys.count }.map { keys[$0] }
    let check = check(made, least: pattern == .bisect ? 6_000 : steps.count)
    var line = ResultLine(pattern.workload, timing, ops: keys.count, check: check)
    if keys.count < steps.count { line.notes = "the next key is refused: a list re-spreads here" }
    line.add("ns_per_key", JSON(timing.seconds * 1e9 / Double(keys.count), decimals: 1))
    line.add("lengths", lengths(Array(keys.dropFirst(pattern.fences))))
    return [line]
  }
}

extension KeyGrowth {
  /// Where each new key goes.
  enum Pattern: String, CaseIterable {
    case append
    case prepend
    case beforeRight = "before_right"
    case afterLeft = "after_left"
    case bisect
    case random

    var workload: String { "W8.\(rawValue)" }

    var summary: String {
      switch self {
      case .append: "10,000 keys, each behind the last"
      case .prepend: "10,000 keys, each before the first"
      case .beforeRight: "10,000 keys, each just before one fence"
      case .afterLeft: "10,000 keys, each just after one fence"
      case .bisect: "10,000 keys, each between the last two, alternating"
      case .random: "100,000 keys anywhere"
      }
    }

    /// How many keys stand there before the pattern begins.
    var fences: Int {
      switch self {
      case .append, .prepend, .random: 0
      case .beforeRight, .afterLeft, .bisect: 2
      }
    }

    /// The steps, and the order in which their keys must rise.
    func steps() -> (steps: [Step], order: [Int]) {
      var order = ChunkedOrder(0..<fences)
      var steps = [Step(left: nil, right: nil), Step(left: 0, right: nil)]
      steps.removeLast(2 - fences)
      var generator = SplitMix64(seed: 8)
      var low = 0
      for number in 0..<(self == .random ? 100_000 : 10_000) {
        let index: Int
        switch self {
        case .append: index = number
        case .prepend: index = 0
        case .beforeRight: index = number + 1
        case .afterLeft: index = 1
        case .bisect:
          index = low + 1
          if number % 2 == 0 { low += 1 }
        case .random: index = generator.below(number + 1)
        }
        let count = number + fences
        steps.append(
          Step(
            left: index > 0 ? order[index - 1] : nil,
            right: index < count ? order[index] : nil))
        order.insert(number + fences, at: index)
      }
      return (steps, order.elements)
    }
  }
}

extension Workload {
  static let keyGrowth: [Workload] = KeyGrowth.Pattern.allCases.map { pattern in
    Workload(name: pattern.workload, summary: pattern.summary) { _ in
      try KeyGrowth.run(pattern)
    }
  }
}
