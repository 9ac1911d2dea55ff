import BetwixtTesting
import Testing

@Suite("Failing choices become smaller")
struct ShrinkerTests {
  @Test("down to what makes them fail", arguments: 0..<20 as Range<UInt64>)
  func sumAboveAHundred(seed: UInt64) {
    var source = ChoiceSource(seed: seed)
    let choices = (0..<40).map { _ in UInt64(source.next(below: 50)) }
    let fails = { (choices: [UInt64]) in choices.reduce(0, +) > 100 }
    let shrunk = Shrinker().shrink(choices, fails: fails)
    #expect(fails(shrunk))
    #expect(shrunk.reduce(0, +) == 101)
    #expect(shrunk.count <= 5)
  }

  @Test("in groups that stay together")
  func groups() {
    let choices: [UInt64] = [1, 9, 2, 8, 3, 7, 4, 6]
    let shrunk = Shrinker(groupSize: 2).shrink(choices) { choices in
      stride(from: 0, to: choices.count, by: 2).contains { choices[$0] == 3 }
    }
    #expect(shrunk == [3, 0])
  }

  @Test("the smaller of two neighbours first")
  func order() {
    let shrunk = Shrinker().shrink([5, 4]) { $0.sorted() == [4, 5] }
    #expect(shrunk == [4, 5])
  }

  @Test("never more often than the budget allows")
  func budget() {
    var count = 0
    _ = Shrinker(budget: 7).shrink([UInt64](repeating: 9, count: 100)) { _ in
      count += 1
      return false
    }
    #expect(count == 7)
  }
}
