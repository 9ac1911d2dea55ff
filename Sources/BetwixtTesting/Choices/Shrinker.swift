/// Makes a failing sequence of choices smaller for as long as it still fails.
///
/// Choices are left out, set to 0, lowered and swapped, in groups that belong together. Fewer
/// choices are smaller than more, and of equally many those with the smaller numbers.
public struct Shrinker: Sendable {
  /// How many choices belong together, such as those of one action.
  public var groupSize: Int

  /// How many candidates are tried at most.
  public var budget: Int

  /// Makes a shrinker.
  ///
  /// - Parameters:
  ///   - groupSize: How many choices belong together.
  ///   - budget: How many candidates are tried at most.
  public init(groupSize: Int = 1, budget: Int = 20_000) {
    self.groupSize = max(1, groupSize)
    self.budget = budget
  }

  /// The smallest failing choices that were found.
  ///
  /// - Parameters:
  ///   - choices: Choices that fail.
  ///   - fails: Whether other choices fail too.
  /// - Returns: Choices that fail, at most as many as those given.
  /// - Complexity: O(*n* log *n*) calls of `fails` for *n* choices, until nothing changes any more
  ///   or the budget is used up
  public func shrink(_ choices: [UInt64], fails: ([UInt64]) -> Bool) -> [UInt64] {
    var work = Work(best: choices, left: budget, groupSize: groupSize)
    var before: [UInt64]
    repeat {
      before = work.best
      work.delete(fails)
      work.zero(fails)
      work.lower(fails)
      work.swap(fails)
    } while work.best != before && work.left > 0
    return work.best
  }
}

private struct Work {
  var best: [UInt64]
  var left: Int
  let groupSize: Int

  private mutating func accept(_ candidate: [UInt64], _ fails: ([UInt64]) -> Bool) -> Bool {
    guard left > 0, candidate != best else { return false }
    left -= 1
    guard fails(candidate) else { return false }
    best = candidate
    return true
  }

  /// Leaves groups out, ever fewer at a time, from the end.
  mutating func delete(_ fails: ([UInt64]) -> Bool) {
    var count = best.count / groupSize
    while count > 0 {
      var end = best.count
      while end > 0 {
        let start = max(0, end - count * groupSize)
        var candidate = best
        candidate.removeSubrange(start..<end)
        _ = accept(candidate, fails)
        end = min(start, best.count)
      }
      count /= 2
    }
  }

  /// Sets whole groups to 0, then single choices.
  mutating func zero(_ fails: ([UInt64]) -> Bool) {
    for size in Set([groupSize, 1]).sorted(by: >) {
      for start in stride(from: 0, to: best.count, by: size) {
        var candidate = best
        for index in start..<min(start + size, best.count) { candidate[index] = 0 }
        _ = accept(candidate, fails)
      }
    }
  }

  /// Lowers each choice by halving its distance from what still fails.
  mutating func lower(_ fails: ([UInt64]) -> Bool) {
    for index in best.indices {
      // Small numbers first: what counts may be a remainder, which halving steps over.
      for small in 0..<min(best[index], 4) {
        var candidate = best
        candidate[index] = small
        if accept(candidate, fails) { break }
      }
      var floor: UInt64 = 0
      while floor < best[index], left > 0 {
        var candidate = best
        candidate[index] = floor + (best[index] - floor) / 2
        if !accept(candidate, fails) { floor = candidate[index] + 1 }
      }
    }
  }

  /// Exchanges neighbouring groups where that puts the smaller one first.
  mutating func swap(_ fails: ([UInt64]) -> Bool) {
    guard best.count >= 2 * groupSize else { return }
    for start in stride(from: 0, through: best.count - 2 * groupSize, by: groupSize) {
      let middle = start + groupSize
      let (first, second) = (best[start..<middle], best[middle..<middle + groupSize])
      guard second.lexicographicallyPrecedes(first) else { continue }
      var candidate = best
      candidate.replaceSubrange(start..<middle + groupSize, with: Array(second) + Array(first))
      _ = accept(candidate, fails)
    }
  }
}
