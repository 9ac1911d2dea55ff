import BetwixtFiles
import BetwixtTesting
import FuzzSupport

/// A bug that is planted into a simulation.
struct Canary: Sendable {
  let name: String

  /// The kinds of actions of which the smallest program has one, because nothing else shows the bug;
  /// empty for those that many show.
  let kinds: Set<ActionKind>

  /// One of these is in the reason of the failure; any reason will do if there are none.
  let words: [String]

  /// Whether it is about documents in files.
  let isWide: Bool

  /// Turns the bug on.
  let plant: @Sendable (inout Simulation) -> Void

  init(
    name: String, kinds: Set<ActionKind> = [], saying words: [String], isWide: Bool? = nil,
    plant: @escaping @Sendable (inout Simulation) -> Void
  ) {
    self.name = name
    self.kinds = kinds
    self.words = words
    self.isWide = isWide ?? !kinds.isEmpty
    self.plant = plant
  }

  /// A bug of lists that nothing shows but programs with an action of one kind.
  init(
    name: String, action: ActionKind, saying words: [String],
    plant: @escaping @Sendable (inout Simulation) -> Void
  ) {
    self.init(name: name, kinds: [action], saying: words, isWide: false, plant: plant)
  }

  /// What hunting for it came to.
  struct Verdict {
    let isFound: Bool
    let text: String
  }

  private static let mostActions = 10

  /// How often it goes on behind a program that could not be made small: leaving out one action after
  /// the other may end where only leaving out two at once leads on.
  private static let attempts = 4

  func hunt(seeds: Range<UInt64>) -> Verdict {
    var rest = seeds
    for _ in 1..<Canary.attempts {
      let (verdict, next) = hunt(first: seeds.lowerBound, in: rest)
      guard let next, next < rest.upperBound else { return verdict }
      rest = next..<rest.upperBound
    }
    return hunt(first: seeds.lowerBound, in: rest).verdict
  }

  /// What the first program that fails says, and, if it is too long, where to go on.
  private func hunt(
    first: UInt64, in seeds: Range<UInt64>
  ) -> (verdict: Verdict, next: UInt64?) {
    var sound = Simulation(replicas: isWide ? 1...3 : 2...4)
    sound.wideShare = isWide ? 16 : 0
    var buggy = sound
    plant(&buggy)
    do {
      let report = try buggy.check(seeds: seeds)
      return (Verdict(isFound: false, text: "not found in \(report.runs) runs"), nil)
    } catch {
      let count = error.program.actions.count
      let seed = error.seed ?? seeds.lowerBound
      let runs = seed - first + 1
      let isLong = count > Canary.mostActions
      var text = "found in run \(runs), \(count) actions: \(error.reason)\n\(error.program)"
      var isFound = true
      if isLong {
        isFound = false
        text += "that is more than \(Canary.mostActions) actions"
      }
      if !kinds.isEmpty, !error.program.actions.contains(where: { kinds.contains($0.kind) }) {
        isFound = false
        text += "none of these actions is \(kinds.map(\.rawValue).sorted())"
      }
      if !words.isEmpty, !words.contains(where: { error.reason.contains($0) }) {
        isFound = false
        text += "the reason says none of \(words)"
      }
      do {
        try sound.run(error.program)
      } catch {
        isFound = false
        text += "it fails without the bug too: \(error)"
      }
      return (Verdict(isFound: isFound, text: text), isLong ? seed + 1 : nil)
    }
  }
}
