import Testing

@testable import Betwixt

@Suite("The order's tree")
struct OrderTreeTests {
  /// A tree, and beside it what it has to hold.
  private struct Pair {
    var tree = OrderTree()
    var expected: [Int] = []
    private var next = 0
    // The tree keeps it and does not look at it.
    private static let prefix = OrderPrefix(
      OrderCode(section: .min, key: [], authors: OrderAuthors()))

    mutating func insert(at index: Int) {
      tree.insert(OrderEntry(prefix: Self.prefix, slot: Slot(next)), at: index)
      expected.insert(next, at: index)
      next += 1
    }

    mutating func remove(at index: Int) {
      #expect(Int(tree.remove(at: index).slot.rawValue) == expected.remove(at: index))
    }

    mutating func rebuild() { tree.rebuild(tree.entries) }

    /// Checks what every node promises; returns how many nodes each level has, leaves last.
    func checkShape() -> [Int] {
      #expect(tree.entries.map { Int($0.slot.rawValue) } == expected)
      #expect(tree.count == expected.count)
      #expect(tree.first.map { Int($0.slot.rawValue) } == expected.first)
      #expect(tree.last.map { Int($0.slot.rawValue) } == expected.last)
      var levels: [Int] = []
      var level = [tree.root]
      while !level.isEmpty {
        levels.append(level.count)
        #expect(Set(level.map(\.isLeaf)).count == 1, "leaves at several depths")
        let isRoot = levels.count == 1
        for node in level {
          if node.isLeaf {
            #expect(((isRoot ? 0 : 1)...OrderNode.leafLimit).contains(node.entries.count))
          } else {
            #expect(((isRoot ? 2 : 1)...OrderNode.innerLimit).contains(node.children.count))
            #expect(node.entries.isEmpty)
          }
          for child in node.children {
            #expect(child.count == child.node.count)
            #expect(child.first.slot == child.node.first?.slot)
          }
        }
        level = level.flatMap { $0.children.map(\.node) }
      }
      return levels
    }
  }

  @Test(
    "insertions at one place fill leaves, wherever the place is", arguments: [0, 1, 63, 64, 65])
  func onePlace(place: Int) {
    var pair = Pair()
    for number in 0..<3_000 { pair.insert(at: min(number, place)) }
    let leaves = pair.checkShape().last ?? 0
    #expect(leaves <= 3_000 / 24, "\(leaves) leaves")
  }

  @Test("appending and prepending leave full nodes behind", arguments: [false, true])
  func oneEnd(isAppending: Bool) {
    var pair = Pair()
    let count = 8_000
    for number in 0..<count { pair.insert(at: isAppending ? number : 0) }
    let levels = pair.checkShape()
    #expect(levels.count == 3)
    #expect(levels[2] <= count / OrderNode.leafLimit + 1, "\(levels)")
    let innerFill = isAppending ? OrderNode.innerLimit : OrderNode.innerLimit / 2
    #expect(levels[1] <= levels[2] / innerFill + 1, "\(levels)")
  }

  @Test("insertions at a border of two full inner nodes fill leaves", arguments: [0, 1])
  func fullBorder(step: Int) {
    var pair = Pair()
    let full = OrderNode.leafLimit * OrderNode.innerLimit
    for number in 0..<full * 3 { pair.insert(at: number) }
    for number in 0..<2_000 { pair.insert(at: full + number * step) }
    let levels = pair.checkShape()
    #expect(levels[2] <= 3 * OrderNode.innerLimit + 2_000 / 24, "\(levels)")
    #expect(levels[1] <= 3 + levels[2] / 12, "\(levels)")
  }

  @Test("what is cut into parts differs by one, the greater ones first")
  func parts() {
    for count in 0..<200 {
      let parts = OrderTree.chunks(count, limit: 7)
      #expect(parts.count == (count + 6) / 7)
      #expect(parts.flatMap { Array($0) } == Array(0..<count))
      let sizes = parts.map { $0.count }
      #expect(sizes == sizes.sorted(by: >) && (sizes.first ?? 0) - (sizes.last ?? 0) <= 1)
    }
  }

  @Test("however entries come and go, nodes stay within their limits and not sparse")
  func comingAndGoing() {
    var pair = Pair()
    var source = ChoiceSource(seed: 9)
    for (target, insertions) in [(5_000, 9), (150, 2), (900, 7), (0, 1), (70, 9)] {
      while (pair.tree.count < target) == (insertions > 5) && pair.tree.count != target {
        let count = pair.tree.count
        if count == 0 || source.chance(insertions, in: 10) {
          pair.insert(at: source.next(below: count + 1))
        } else {
          pair.remove(at: source.next(below: count))
        }
        guard count % 50 == 0 else { continue }
        let levels = pair.checkShape()
        #expect(levels[levels.count - 1] <= count / 20 + 3, "\(levels) for \(count)")
      }
    }
  }

  @Test("removing from one end leaves no empty nodes", arguments: [false, true])
  func emptying(isFromFront: Bool) {
    var pair = Pair()
    for number in 0..<2_500 { pair.insert(at: number) }
    while pair.tree.count > 0 {
      pair.remove(at: isFromFront ? 0 : pair.tree.count - 1)
      if pair.tree.count % 100 < 2 { _ = pair.checkShape() }
    }
    #expect(pair.checkShape() == [1])
  }

  @Test("a rebuild leaves room in all nodes", arguments: [0, 1, 56, 57, 1_568, 1_569, 5_000])
  func rebuilding(count: Int) {
    var pair = Pair()
    for number in 0..<count { pair.insert(at: number / 2) }
    pair.rebuild()
    let levels = pair.checkShape()
    let leaves = max(1, (count + OrderNode.leafFill - 1) / OrderNode.leafFill)
    #expect(levels.last == leaves)
    for _ in 0..<5 { pair.insert(at: pair.tree.count / 3) }
    #expect(pair.checkShape().last == leaves)
  }

  @Test("neighbours of a place are the entries before and at it")
  func neighbours() {
    var pair = Pair()
    for number in 0..<700 { pair.insert(at: number / 2) }
    for index in 0...700 {
      let (left, right) = pair.tree.neighbours(of: index)
      #expect(left.map { Int($0.slot.rawValue) } == (index > 0 ? pair.expected[index - 1] : nil))
      #expect(right.map { Int($0.slot.rawValue) } == (index < 700 ? pair.expected[index] : nil))
      guard index < 700 else { continue }
      let (entries, start) = pair.tree.leaf(at: index)
      #expect(start <= index && index < start + entries.count)
      #expect(
        entries.map { Int($0.slot.rawValue) }
          == Array(pair.expected[start..<start + entries.count]))
    }
  }
}
