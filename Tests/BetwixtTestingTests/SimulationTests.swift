import Betwixt
import BetwixtSync
import BetwixtTesting
import Testing

@Suite("Replicas with faults")
struct SimulationTests {
  @Test("all of them hold the same bytes in the end, whatever happened")
  func swarm() throws {
    let report = try Simulation(replicas: 2...4).check(seeds: 0..<40)
    #expect(report.runs == 40)
    #expect(report.actionCount > 1000)
    #expect(report.impostorRuns > 2)
  }

  @Test("as many as there may be")
  func sixteen() throws {
    try Simulation(replicas: 16).check(seeds: 0..<2)
  }

  @Test(
    "each group of actions by itself",
    arguments: [
      ActionMix.network, ActionMix.sessions, ActionMix.folders, ActionMix.documents,
      ActionMix.clocks, ActionMix.impostors, ActionMix.forgetting,
    ])
  func group(weights: [ActionKind: Int]) throws {
    var simulation = Simulation(replicas: 3)
    let common: [ActionKind: Int] = [.insert: 6, .remove: 3, .set: 4, .move: 4, .send: 4]
    simulation.mix = ActionMix(weights.merging(common) { kept, _ in kept })
    let report = try simulation.check(seeds: 0..<5)
    for kind in weights.keys { #expect(report.actions[kind, default: 0] > 0, "\(kind)") }
  }

  @Test("what removed items held goes, and nothing else but for what is restored")
  func forgetting() throws {
    var simulation = Simulation(replicas: 2...4)
    simulation.hasImpostors = false
    let ways = [ActionMix.exchanges, ActionMix.network, ActionMix.sessions, ActionMix.forgetting]
    simulation.mix = ActionMix(ways.reduce(ActionMix.edits) { $0.merging($1) { $1 } })
    let report = try simulation.check(seeds: 0..<30)
    #expect(report.forgotten > 20 && report.price > 0, "\(report.forgotten), \(report.price)")
    // A host that drops removed items as a whole takes its claims for true.
    simulation.forget = { list, _ in
      var builder = Delta.Builder()
      let all = list.delta(since: [:])
      for entry in all.entries where list[id: entry.item]?.isRemoved != true {
        try builder.add(entry)
      }
      for range in all.ranges {
        builder.cover(range.replica, after: range.after, through: range.through)
      }
      list = ReplicatedList(id: list.id)
      list.merge(builder.build())
    }
    #expect(throws: SimulationFailure.self) { try simulation.check(seeds: 0..<100) }
  }

  @Test("one seed, one trace")
  func determinism() throws {
    let simulation = Simulation(replicas: 2...4)
    let first = try simulation.check(seeds: 500..<506)
    let second = try simulation.check(seeds: 500..<506)
    #expect(first == second)
    #expect(try simulation.check(seeds: 501..<507).trace != first.trace)
  }

  @Test("a lost removal is found and made small")
  func lostRemoval() throws {
    var simulation = Simulation(replicas: 2...4)
    simulation.carry = { delta, _ in
      var builder = Delta.Builder()
      for entry in delta.entries {
        if case .life(let length) = entry.value, length.isMultiple(of: 2) { continue }
        try builder.add(entry)
      }
      for range in delta.ranges {
        builder.cover(range.replica, after: range.after, through: range.through)
      }
      return builder.build()
    }
    let failure = #expect(throws: SimulationFailure.self) {
      try simulation.check(seeds: 0..<100)
    }
    let found = try #require(failure)
    #expect(found.program.actions.count <= 4)
    #expect(found.program.actions.contains { $0.kind == .remove })
    #expect(throws: Violation.self) { try simulation.run(found.program) }
    simulation.carry = nil
    try simulation.run(found.program)
  }

  @Test("a transport that fails is a failure")
  func failingTransport() {
    struct Broken: Error {}
    var simulation = Simulation(replicas: 2)
    simulation.carry = { _, _ in throw Broken() }
    #expect(throws: SimulationFailure.self) { try simulation.check(seeds: 0..<10) }
  }
}
