import Testing

@testable import Betwixt

@Suite("The order's tree")
struct OrderTreeTests {
  @Test(
    "insertions at one place fill leaves, wherever the place is", arguments: [0, 1, 63, 64, 65])
  func onePlace(place: Int) {
    var tree = OrderTree()
    var expected: [Int] = []
    for number in 0..<3_000 {
      let index = min(number, place)
      tree.insert(OrderEntry(prefix: 0, slot: Slot(number)), at: index)
      expected.insert(number, at: index)
    }
    #expect(tree.entries.map { Int($0.slot.rawValue) } == expected)
    var leaves = 0
    var start = 0
    while start < tree.count {
      start += tree.leaf(at: start).entries.count
      leaves += 1
    }
    #expect(leaves <= 3_000 / 24, "\(leaves) leaves")
  }
}
