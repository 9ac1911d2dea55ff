/// One step of a program: which replica does what.
///
/// Numbers stand for what is there when the step runs, modulo how much of it there is, so a program
/// from which steps were left out is still a program.
public struct Action: Hashable, Sendable {
  /// The number of the replica that acts.
  public var replica: Int

  /// What it does.
  public var kind: ActionKind

  /// Three numbers; what they mean is said by ``ActionKind/labels``.
  public var numbers: [Int]

  /// How many choices make an action.
  public static let choiceCount = 5

  /// Makes an action.
  ///
  /// - Parameters:
  ///   - replica: The number of the replica that acts.
  ///   - kind: What it does.
  ///   - numbers: As ``ActionKind/labels`` names them; missing ones are 0.
  public init(_ replica: Int, _ kind: ActionKind, _ numbers: Int...) {
    self.init(replica, kind, numbers)
  }

  init(_ replica: Int, _ kind: ActionKind, _ numbers: [Int]) {
    self.replica = replica
    self.kind = kind
    let bounds = kind.bounds
    self.numbers = (0..<3).map { place in
      guard place < bounds.count, place < numbers.count else { return 0 }
      return Int(numbers[place].magnitude % UInt(bounds[place]))
    }
  }

  var a: Int { numbers[0] }
  var b: Int { numbers[1] }
  var c: Int { numbers[2] }

  /// The choices that make this action, for shrinking.
  var choices: [UInt64] {
    let kind = ActionKind.allCases.firstIndex(of: kind) ?? 0
    return [UInt64(kind), UInt64(replica)] + numbers.map { UInt64($0) }
  }

  /// An action of five choices.
  init(choices: ArraySlice<UInt64>) {
    let numbers = choices.map { Int(truncatingIfNeeded: $0 & 0xffff_ffff) }
    let kinds = ActionKind.allCases
    self.init(
      numbers[1] % Program.maximumReplicaCount, kinds[numbers[0] % kinds.count],
      Array(numbers[2...]))
  }
}

// MARK: - Text

extension Action: CustomStringConvertible {
  /// The replica, the kind, and each number that is not 0 behind its name: `1 move item 2 offset 3`.
  public var description: String {
    var text = "\(replica) \(kind.rawValue)"
    for (label, number) in zip(kind.labels, numbers) where number != 0 {
      text += " \(label) \(number)"
    }
    return text
  }

  /// Reads the text of an action; `nil` if it is none.
  ///
  /// - Complexity: O(*n*)
  public init?(_ text: some StringProtocol) {
    let words = text.split(separator: " ")
    guard words.count >= 2, words.count.isMultiple(of: 2), let replica = Int(words[0]),
      (0..<Program.maximumReplicaCount).contains(replica),
      let kind = ActionKind(rawValue: String(words[1]))
    else { return nil }
    var numbers = [0, 0, 0]
    for place in stride(from: 2, to: words.count, by: 2) {
      guard let label = kind.labels.firstIndex(of: String(words[place])),
        let number = Int(words[place + 1]), (0..<kind.bounds[label]).contains(number)
      else { return nil }
      numbers[label] = number
    }
    self.init(replica, kind, numbers)
  }
}
