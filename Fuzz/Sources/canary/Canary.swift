import BetwixtFiles
import BetwixtTesting
import FuzzSupport

/// A bug that is planted into a simulation.
struct Canary: Sendable {
  let name: String

  /// The kinds of actions of which the smallest program has one, because nothing else shows the bug;
  /// empty for bugs that are not about documents in files.
  let kinds: Set<ActionKind>

  /// Turns the bug on.
  let plant: @Sendable (inout Simulation) -> Void

  init(
    name: String, kinds: Set<ActionKind> = [],
    plant: @escaping @Sendable (inout Simulation) -> Void
  ) {
    self.name = name
    self.kinds = kinds
    self.plant = plant
  }

  /// What hunting for it came to.
  struct Verdict {
    let isFound: Bool
    let text: String
  }

  private static let mostActions = 10

  func hunt(seeds: Range<UInt64>) -> Verdict {
    var sound = Simulation(replicas: kinds.isEmpty ? 2...4 : 1...3)
    sound.wideShare = kinds.isEmpty ? 0 : 16
    var buggy = sound
    plant(&buggy)
    do {
      let report = try buggy.check(seeds: seeds)
      return Verdict(isFound: false, text: "not found in \(report.runs) runs")
    } catch {
      let count = error.program.actions.count
      let runs = (error.seed ?? seeds.lowerBound) - seeds.lowerBound + 1
      var text = "found in run \(runs), \(count) actions: \(error.reason)\n\(error.program)"
      var isFound = true
      if count > Canary.mostActions {
        isFound = false
        text += "that is more than \(Canary.mostActions) actions"
      }
      if !kinds.isEmpty, !error.program.actions.contains(where: { kinds.contains($0.kind) }) {
        isFound = false
        text += "none of these actions is \(kinds.map(\.rawValue).sorted())"
      }
      do {
        try sound.run(error.program)
      } catch {
        isFound = false
        text += "it fails without the bug too: \(error)"
      }
      return Verdict(isFound: isFound, text: text)
    }
  }
}
