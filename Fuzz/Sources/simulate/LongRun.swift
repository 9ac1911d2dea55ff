import BetwixtTesting
import FuzzSupport

/// Many seeds, one after the other.
struct LongRun {
  private let simulation: Simulation
  private let first: UInt64
  private let runs: UInt64
  private let operations: UInt64
  private let isQuiet: Bool
  private let shrinks: Bool
  private let thoroughStep: UInt64
  private let only: String?
  private let start = ContinuousClock.now

  init(
    _ simulation: Simulation, first: UInt64, runs: UInt64, operations: UInt64, isQuiet: Bool,
    shrinks: Bool, thoroughStep: UInt64, only: String?
  ) {
    self.simulation = simulation
    self.first = first
    self.runs = runs
    self.operations = operations
    self.isQuiet = isQuiet
    self.shrinks = shrinks
    self.thoroughStep = max(thoroughStep, 1)
    self.only = only
  }

  func go() {
    TrapReport.install()
    var total = RunReport()
    var done: UInt64 = 0
    var lastNote = start
    while operations > 0 ? total.actionCount < operations : done < runs {
      let seed = first &+ done
      TrapReport.begin(seed: seed)
      var simulation = simulation
      simulation.isThorough = seed.isMultiple(of: thoroughStep)
      let program = simulation.program(seed: seed)
      do {
        total.add(try simulation.run(program))
      } catch {
        guard shrinks else { fail("FAILED in seed \(seed): \(error)") }
        let failure = simulation.failure(program, seed: seed)
        fail("FAILED after \(done) runs\n\(failure)replay: \(replay(seed))")
      }
      done += 1
      if !isQuiet, lastNote.duration(to: .now) > .seconds(10) {
        lastNote = .now
        note("\(done) runs, \(total.actionCount) operations, trace \(total.trace), \(rate(total))")
      }
    }
    report(total)
    note(rate(total))
  }

  private func replay(_ seed: UInt64) -> String {
    "swift run --package-path Fuzz -c release simulate --seed \(seed) --runs 1 "
      + "--thorough \(thoroughStep) --wide \(simulation.wideShare) --replicas \(simulation.replicas.upperBound) --length \(simulation.length)"
      + (only.map { " --only \($0)" } ?? "")
  }

  private func rate(_ total: RunReport) -> String {
    let (seconds, attoseconds) = start.duration(to: .now).components
    let milliseconds = max(1, seconds * 1000 + attoseconds / 1_000_000_000_000_000)
    return "\(Int64(total.actionCount) * 1000 / milliseconds) operations per second"
  }

  private func report(_ total: RunReport) {
    let kinds = ActionKind.allCases.compactMap { kind in
      total.actions[kind].map { "\(kind.rawValue) \($0)" }
    }
    print(kinds.joined(separator: ", "))
    print(
      "seeds \(first)...\(first &+ UInt64(total.runs) &- 1): \(total.runs) runs, "
        + "\(total.impostorRuns) with an id used twice, \(total.actionCount) operations, "
        + "at most \(total.rounds) rounds until all were equal")
    print(
      "\(total.forgotten) registers of removed items were let go, and restored items lacked "
        + "\(total.price) of them at the end")
    print("trace \(total.trace)")
  }
}
