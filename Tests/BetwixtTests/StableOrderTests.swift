import Testing

@testable import Betwixt

/// In a page all sorts go through it, so it has to do what the library's does elsewhere.
@Suite struct StableOrderTests {
  @Test func sortsAndKeepsTheOrderOfEquals() {
    for count in Array(0...40) + [64, 65, 1000] {
      for kinds in [1, 3, 1000] {
        let values = (0..<count).map { ($0 * 7919 + 13) % 1009 % kinds }
        let order = stableOrder(count) { values[$0] < values[$1] }
        let expected = (0..<count).sorted { (values[$0], $0) < (values[$1], $1) }
        #expect(order == expected, "\(values)")
      }
    }
  }

  @Test func whatIsSortedTakesOneWalk() {
    var calls = 0
    let order = stableOrder(1000) { left, right in
      calls += 1
      return left < right
    }
    #expect(order == Array(0..<1000))
    #expect(calls < 1000)
  }
}
