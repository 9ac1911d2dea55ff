import BetwixtTesting

/// All programs up to a length, depth first, without going on twice from one state.
struct Search {
  private let length: Int
  private let start: SmallWorld?
  private var reached: [StateKey: Int] = [:]
  private var path: [Step] = []

  /// How many actions were run.
  private(set) var stepCount = 0

  init(length: Int, isRising: Bool) {
    self.length = length
    start = try? SmallWorld(isRising: isRising)
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
    guard let start else { throw Violation("the first state cannot be made") }
    try visit(start, left: length)
  }

  // As deep as programs are long, whatever the input.
  private mutating func visit(_ world: SmallWorld, left: Int) throws(Violation) {
    let key = world.key
    if let before = reached[key], before >= left { return }
    if reached.updateValue(left, forKey: key) == nil { try attempt { try world.check() } }
    guard left > 0 else { return }
    for step in Step.all {
      path.append(step)
      var next = world
      stepCount += 1
      try attempt { try next.run(step) }
      try visit(next, left: left - 1)
      path.removeLast()
    }
  }

  private func attempt(_ body: () throws -> Void) throws(Violation) {
    do {
      try body()
    } catch {
      let steps = path.map { "  \($0)\n" }.joined()
      throw Violation("\(error)\n\(steps)")
    }
  }
}
