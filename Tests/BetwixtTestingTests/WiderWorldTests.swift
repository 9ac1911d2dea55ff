import BetwixtTesting
import Testing

@Suite("Documents in files, and what people do with files")
struct WiderWorldTests {
  private func simulation(_ replicas: ClosedRange<Int>) -> Simulation {
    var simulation = Simulation(replicas: replicas)
    simulation.wideShare = 16
    return simulation
  }

  @Test("all copies hold the same in the end, whatever people did with the files")
  func swarm() throws {
    let report = try simulation(1...3).check(seeds: 0..<24)
    #expect(report.runs == 24)
    #expect(report.actionCount > 600)
  }

  @Test(
    "each group of actions by itself",
    arguments: [
      ActionMix.desks, ActionMix.copies, ActionMix.damage, ActionMix.backups, ActionMix.deskFolders,
      ActionMix.clocks, ActionMix.extremes, ActionMix.steps,
    ])
  func group(weights: [ActionKind: Int]) throws {
    var simulation = simulation(2...3)
    let common: [ActionKind: Int] = [.write: 8, .join: 3, .meet: 2, .shelve: 2]
    simulation.mix = ActionMix(weights.merging(common) { kept, _ in kept })
    let report = try simulation.check(seeds: 100..<107)
    for kind in weights.keys where kind != .restoreImage {
      #expect(report.actions[kind, default: 0] > 0, "\(kind)")
    }
  }

  @Test("one seed, one trace")
  func determinism() throws {
    let simulation = simulation(2...4)
    let first = try simulation.check(seeds: 500..<504)
    #expect(try simulation.check(seeds: 500..<504) == first)
    #expect(try simulation.check(seeds: 501..<505).trace != first.trace)
  }

  @Test(
    "a program that makes a mistake is found out, by the action that shows it",
    arguments: [
      (HostMistake.takesAnything, ActionKind.stranger), (.hidesFindings, .flip),
      (.joinsWithoutRemovals, .join), (.overlooksConflictedCopies, .carry),
      (.believesAnyImage, .pack),
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

  /// A mistake, what is said of it, and the actions that show it, which hold without it.
  struct Shown: Sendable, CustomTestStringConvertible {
    let mistake: HostMistake
    let reason: String
    let actions: [String]

    var testDescription: String { mistake.rawValue }
  }

  @Test(
    "what looks like something that is excused is found all the same",
    arguments: [
      Shown(
        mistake: .givesUpEarly, reason: "is damaged elsewhere, and lacks the acknowledged",
        actions: ["write", "write", "write", "flip bit 10", "flip part 1 bit 10"]),
      Shown(
        mistake: .believesDamage, reason: "is damaged, and shows what nobody wrote",
        actions: ["write", "write", "flip part 1 bit 10"]),
      Shown(
        mistake: .refusesToRefresh, reason: "is as it was left, and cannot be read again",
        actions: ["editor", "type"]),
      Shown(
        mistake: .knowsNothing, reason: "nothing is known of the last act",
        actions: ["editor", "act", "act", "take-back"]),
      Shown(
        mistake: .fallsSilent, reason: "both ends of a session of documents wait",
        actions: ["write", "meet with 1 cut 255"]),
      Shown(
        mistake: .runsOutOfRoom, reason: "an honest edit is refused", actions: ["fill limit 2"]),
    ])
  func excused(_ shown: Shown) throws {
    var simulation = simulation(2...2)
    let lines = ["betwixt program 1", "replicas 2"] + shown.actions.map { "0 " + $0 }
    let program = try Program(lines.joined(separator: "\n"))
    try simulation.run(program)
    simulation.mistakes = [shown.mistake]
    let failure = #expect(throws: Violation.self) { try simulation.run(program) }
    #expect(failure?.description.contains(shown.reason) == true, "\(String(describing: failure))")
  }

  /// Two take each other's files out of a folder at the same time, and the tool that copies it does the
  /// same elsewhere.
  @Test("what is put in anew only where it is missing may end in no folder")
  func absorbedByEachOther() throws {
    var simulation = simulation(2...2)
    let program = try Program(
      """
      betwixt program 1
      replicas 2
      0 write
      0 carry to 1
      0 share segment 1
      1 haul choice 1
      1 share
      0 haul from 1 choice 1
      0 absorb
      1 absorb
      1 haul choice 1
      0 haul from 1 choice 1

      """)
    try simulation.run(program)
    simulation.mistakes = [.absorbsLittle]
    let failure = #expect(throws: Violation.self) { try simulation.run(program) }
    #expect(failure?.description.contains("no folder holds") == true)
    simulation.mistakes = []
    simulation.mix = ActionMix([.write: 3, .carry: 2, .share: 6, .absorb: 4, .haul: 8])
    try simulation.check(seeds: 0..<50)
  }
}
