import BetwixtTesting

/// All programs up to a length over two desks with a document each, which is edited, kept, copied, put
/// back and brought together.
///
/// Each begins with one item that both desks have. Files are what a state is, so nothing is
/// shared between programs: each is run from its start to the end, where all files that are left are
/// brought together.
struct FileSearch {
  /// What may happen.
  static let actions: [Action] = [
    Action(0, .write), Action(1, .write),
    Action(0, .write, 0, 1), Action(1, .write, 0, 1),
    Action(0, .write, 0, 3),
    Action(0, .write, 1),
    Action(0, .shelve), Action(1, .shelve),
    Action(0, .putBack), Action(0, .putBack, 0, 0, 1),
    Action(1, .putBack), Action(1, .putBack, 0, 0, 1),
    Action(0, .copy), Action(0, .copy, 1), Action(0, .copy, 1, 1),
    Action(0, .cut),
    Action(0, .editor), Action(0, .type),
    Action(0, .join), Action(0, .meet, 1),
  ]

  private static let start = [Action(0, .write), Action(0, .meet, 1)]

  private let simulation: Simulation
  private let length: Int

  /// How many programs were run.
  private(set) var programCount = 0

  init(length: Int) {
    self.length = length
    var simulation = Simulation(replicas: 2)
    simulation.isThorough = false
    self.simulation = simulation
  }

  mutating func run() throws {
    for count in 1...max(length, 1) where count <= length {
      try run(FileSearch.start, left: count)
    }
  }

  private mutating func run(_ actions: [Action], left: Int) throws {
    if left == 0 {
      programCount += 1
      let program = Program(replicaCount: 2, actions: actions)
      do {
        try simulation.run(program)
      } catch {
        throw simulation.failure(program, seed: nil)
      }
      return
    }
    for action in FileSearch.actions { try run(actions + [action], left: left - 1) }
  }
}
