import BetwixtTesting
import Testing

@Suite("Documents in files, and what people do with files")
struct WiderWorldTests {
  private func simulation(_ replicas: ClosedRange<Int>) -> Simulation {
    var simulation = Simulation(replicas: replicas)
    simulation.wideShare = 16
    return simulation
  }

  @Test(
    "a program that makes a mistake is found out, by the action that shows it",
    arguments: [
      (HostMistake.takesAnything, ActionKind.stranger), (.hidesFindings, .flip),
      (.joinsWithoutRemovals, .join), (.overlooksConflictedCopies, .carry),
    ])
  func mistake(_ mistake: HostMistake, _ kind: ActionKind) throws {
    var simulation = simulation(1...2)
    simulation.length = 12
    simulation.mix = ActionMix([.write: 6, .shelve: 1, kind: 3])
    simulation.mistakes = [mistake]
    let failure = #expect(throws: SimulationFailure.self) {
      try simulation.check(seeds: 0..<200)
    }
    let found = try #require(failure)
    #expect(found.program.actions.count <= 10)
    #expect(found.program.actions.contains { $0.kind == kind }, "\(found)")
    simulation.mistakes = []
    try simulation.run(found.program)
  }
}
