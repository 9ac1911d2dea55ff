/// What some replicas do, one action after another: the unit that is run, made smaller and kept.
///
/// The text of a program can be read by people, pasted into a test and kept in a file:
///
///     betwixt program 1
///     replicas 2
///     0 insert
///     0 send to 1
///     1 remove
public struct Program: Hashable, Sendable {
  /// How many replicas there are.
  public var replicaCount: Int

  /// What they do.
  public var actions: [Action]

  /// The greatest number of replicas.
  public static let maximumReplicaCount = 16

  /// Makes a program.
  ///
  /// - Precondition: There are 1 to ``maximumReplicaCount`` replicas.
  public init(replicaCount: Int, actions: [Action]) {
    precondition(
      (1...Program.maximumReplicaCount).contains(replicaCount),
      "\(replicaCount) is no number of replicas")
    self.replicaCount = replicaCount
    self.actions = actions
  }

  /// Draws a program.
  ///
  /// - Parameters:
  ///   - replicaCount: How many replicas there are.
  ///   - length: How many actions; fewer if the source is exhausted before.
  ///   - mix: How often which kind of action comes.
  ///   - source: Where the choices come from.
  /// - Complexity: O(*n*) for *n* actions
  public init(
    replicaCount: Int, length: Int, mix: ActionMix, from source: inout ChoiceSource
  ) {
    var actions: [Action] = []
    while actions.count < length, !source.isExhausted {
      let replica = source.next(below: replicaCount)
      let kind = mix.pick(from: &source)
      actions.append(Action(replica, kind, kind.bounds.map { source.next(below: $0) }))
    }
    self.init(replicaCount: replicaCount, actions: actions)
  }

  /// The smallest program found that fails as this one does.
  ///
  /// - Parameter fails: Whether a program fails.
  /// - Returns: A program that fails, with at most as many actions.
  /// - Complexity: O(*n* log *n*) calls of `fails` for *n* actions
  public func shrunk(_ fails: (Program) -> Bool) -> Program {
    var best = self
    // The ends of a list of replicas are alike, so fewer of them may do.
    for count in 1..<replicaCount {
      let fewer = Program(replicaCount: count, actions: actions)
      if fails(fewer) {
        best = fewer
        break
      }
    }
    let replicaCount = best.replicaCount
    let choices = Shrinker(groupSize: Action.choiceCount).shrink(best.choices) { choices in
      fails(Program(replicaCount: replicaCount, choices: choices))
    }
    return Program(replicaCount: replicaCount, choices: choices)
  }

  private var choices: [UInt64] { actions.flatMap(\.choices) }

  private init(replicaCount: Int, choices: [UInt64]) {
    let starts = stride(from: 0, to: choices.count, by: Action.choiceCount)
    self.init(
      replicaCount: replicaCount,
      actions: starts.map { Action(choices: choices[$0..<$0 + Action.choiceCount]) })
  }
}

// MARK: - Text

extension Program: CustomStringConvertible {
  private static let header = "betwixt program 1"

  /// One line for each action, below a line with the format and one with the count of replicas.
  public var description: String {
    let lines = [Program.header, "replicas \(replicaCount)"] + actions.map(\.description)
    return lines.joined(separator: "\n") + "\n"
  }

  /// Reads the text of a program; empty lines and those that begin with `#` do not count.
  ///
  /// - Throws: ``Violation`` that names the line that is none.
  /// - Complexity: O(*n*)
  public init(_ text: String) throws(Violation) {
    var lines: [(number: Int, text: Substring)] = []
    for (place, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated()
    where !line.isEmpty && !line.hasPrefix("#") {
      lines.append((place + 1, line))
    }
    guard lines.count >= 2, lines[0].text == Program.header else {
      throw Violation("the text does not begin with '\(Program.header)'")
    }
    let words = lines[1].text.split(separator: " ")
    guard words.count == 2, words[0] == "replicas", let count = Int(words[1]),
      (1...Program.maximumReplicaCount).contains(count)
    else { throw Violation("line \(lines[1].number) is no count of replicas") }
    var actions: [Action] = []
    for line in lines.dropFirst(2) {
      guard let action = Action(line.text) else {
        throw Violation("line \(line.number) is no action: \(line.text)")
      }
      actions.append(action)
    }
    self.init(replicaCount: count, actions: actions)
  }
}
