import BetwixtTesting

/// All programs up to a length, shorter ones first, without going on twice from one state.
///
/// # Why nothing is lost
/// A state is what the three lists hold, claim and have met, and what was ever written; the next
/// number of a replica follows from these, and the clock stands still. All that a step does and all
/// that a check asks depends on the state alone, so two programs that lead to one state go on alike,
/// and it is enough to go on from one of them. Shorter programs come first, so each state is met with
/// the most actions left that it can ever have.
///
/// Two states are taken for one if hashes of 128 bits are equal. How a list lies in memory is not
/// part of a state: two lists with one content are one, and `simulate` is there for the rest.
struct Search {
  private struct Node {
    let world: SmallWorld
    let path: [Step]
  }

  private let length: Int
  private let isRising: Bool
  private var reached: Set<StateKey> = []

  /// How many actions were run.
  private(set) var stepCount = 0

  init(length: Int, isRising: Bool) {
    self.length = length
    self.isRising = isRising
  }

  /// How many states were found, and checked.
  var stateCount: Int { reached.count }

  /// How many programs there are.
  var programCount: Int {
    var (programs, longest) = (1, 1)
    for _ in 0..<length {
      longest *= Step.all.count
      programs += longest
    }
    return programs
  }

  mutating func run() throws(Violation) {
    var level: [Node] = []
    do {
      let start = try SmallWorld(isRising: isRising)
      try start.check()
      reached.insert(start.key)
      level.append(Node(world: start, path: []))
    } catch {
      throw Violation("the first state: \(error)")
    }
    for depth in 1...max(length, 1) where depth <= length {
      var next: [Node] = []
      for node in level { try expand(node, into: &next, isLast: depth == length) }
      level = next
    }
  }

  private mutating func expand(
    _ node: Node, into next: inout [Node], isLast: Bool
  ) throws(Violation) {
    for step in Step.all {
      var world = node.world
      stepCount += 1
      do {
        try world.run(step)
        guard reached.insert(world.key).inserted else { continue }
        try world.check()
      } catch {
        let steps = (node.path + [step]).map { "  \($0)\n" }.joined()
        throw Violation("\(error)\n\(steps)")
      }
      if !isLast { next.append(Node(world: world, path: node.path + [step])) }
    }
  }
}
