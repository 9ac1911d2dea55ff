import BetwixtFiles
import BetwixtTesting
import FuzzSupport

/// A bug that is planted into a simulation.
struct Canary: Sendable {
  let name: String

  /// The kinds of actions of which the smallest program has one, because nothing else shows the bug;
  /// empty for those that many show.
  let kinds: Set<ActionKind>

  /// Whether it is about documents in files.
  let isWide: Bool

  /// Turns the bug on.
  let plant: @Sendable (inout Simulation) -> Void

  init(
    name: String, kinds: Set<ActionKind> = [],
    plant: @escaping @Sendable (inout Simulation) -> Void
  ) {
    self.name = name
    self.kinds = kinds
    isWide = !kinds.isEmpty
    self.plant = plant
  }

  /// A bug of lists that nothing shows but programs with an action of one kind.
  init(
    name: String, action: ActionKind, plant: @escaping @Sendable (inout Simulation) -> Void
  ) {
    self.name = name
    kinds = [action]
    isWide = false
    self.plant = plant
  }

  /// What hunting for it came to.
  struct Verdict {
    let isFound: Bool
    let text: String
  }

  private static let mostActions = 10

  func hunt(seeds: Range<UInt64>) -> Verdict {
    var sound = Simulation(replicas: isWide ? 1...3 : 2...4)
    sound.wideShare = isWide ? 16 : 0
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
