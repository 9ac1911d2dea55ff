import Betwixt
import BetwixtTrips

// Steps of undo in a log: what is turned, and what came of it.

extension CommitID {
  init(_ reader: LogReader, member name: String) throws(TextProblem) {
    self.init(try reader.int(name))
  }
}

extension UndoTurn {
  init(_ reader: LogReader) throws(TextProblem) {
    switch try reader.text("turn") {
    case "undo":
      self = .undo(reader.optional("commit") == nil ? nil : try CommitID(reader, member: "commit"))
    case "redo": self = .redo
    case "insist": self = .insist
    default: throw TextProblem(.badValue, at: reader.offset, "a step has no such turn")
    }
  }
}

extension Toast.Button {
  init(_ reader: LogReader) throws(TextProblem) {
    switch try UndoTurn(reader) {
    case .undo(let commit?): self = .undo(commit)
    case .undo(nil): throw TextProblem(.missing, at: reader.offset, "“commit” is missing")
    case .redo: self = .redo
    case .insist: self = .insist
    }
  }
}

extension TurnReport {
  var logMembers: [(String, LogValue)] {
    let word: String
    var reason: Reason?
    switch outcome {
    case .done: word = "done"
    case .doneUnseen: word = "doneUnseen"
    case .doneWithChanges: word = "doneWithChanges"
    case .kept(let why):
      word = "kept"
      reason = why
    case .nothing: word = "nothing"
    case .refused: word = "refused"
    }
    return turn.logMembers + [
      ("of", commit.map { .integer($0.number) } ?? .null),
      ("step", name.map { .string($0) } ?? .null), ("outcome", .string(word)),
      ("reason", .text(reason)),
    ]
  }

  init(_ reader: LogReader) throws(TextProblem) {
    let outcome: Outcome
    switch try reader.text("outcome") {
    case "done": outcome = .done
    case "doneUnseen": outcome = .doneUnseen
    case "doneWithChanges": outcome = .doneWithChanges
    case "kept": outcome = .kept(try reader.word("reason"))
    case "nothing": outcome = .nothing
    case "refused": outcome = .refused
    default: throw TextProblem(.badValue, at: reader.offset, "a turn has no such outcome")
    }
    let commit = reader.optional("of") == nil ? nil : try CommitID(reader, member: "of")
    let name = reader.optional("step") == nil ? nil : try reader.text("step")
    self.init(try UndoTurn(reader), commit: commit, named: name, outcome: outcome)
  }
}
