import BetwixtTesting
import FuzzSupport

/// A bug that is planted into a simulation.
struct Canary: Sendable {
  let name: String

  /// Turns the bug on.
  let plant: @Sendable (inout Simulation) -> Void

  /// What hunting for it came to.
  struct Verdict {
    let isFound: Bool
    let text: String
  }

  private static let mostActions = 10

  func hunt(seeds: Range<UInt64>) -> Verdict {
    let sound = Simulation(replicas: 2...4)
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
