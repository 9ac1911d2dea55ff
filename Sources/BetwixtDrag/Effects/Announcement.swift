/// Something to be said to those who cannot see the screen.
///
/// It is a value, so that a host may say it in any language; ``text`` is the English one. What
/// nothing else on the screen shows is said by a ``Toast`` as well.
public enum Announcement: Hashable, Sendable {
  /// An item was lifted.
  case lifted(title: String, ListPlace)
  /// It would go to a gap.
  case movedTo(GapWords)
  /// It cannot go here.
  case notHere
  /// There is no place further on.
  case noFurther
  /// It was dropped, or added.
  case dropped(title: String, ListPlace)
  /// It was dropped where it stood.
  case unchanged(title: String)
  /// It was dropped where it cannot go.
  case rejected(title: String, ListPlace?)
  /// The move was given up.
  case cancelled(ListPlace?)
  /// It was removed.
  case removed(title: String)
  /// It was completed.
  case completed(title: String)
  /// Somebody else removed it meanwhile.
  case itemRemoved(title: String)
  /// It stands where the schedule says.
  case notMovable(title: String)
  /// A step was taken back.
  case undone(EditStep?, TurnReport.Outcome)
  /// A step was made again.
  case redone(EditStep?, TurnReport.Outcome)
  /// A step was not taken back, because of what somebody else did since.
  case undoKept(EditStep?, TurnReport.Reason)
  /// A step was not made again, because of what somebody else did since.
  case redoKept(EditStep?, TurnReport.Reason)
  /// There is nothing to take back.
  case nothingToUndo
  /// There is nothing to make again.
  case nothingToRedo
  /// A step could not be taken back; it can be tried again.
  case undoRefused
  /// A step could not be made again; it can be tried again.
  case redoRefused
  /// A tab opened during a drag.
  case tabShown(TaskTab)
  /// The write failed.
  case notSaved(EditStep)
}

extension Announcement {
  /// The sentence in English.
  public var text: String {
    switch self {
    case .lifted(let title, let place): "Lifted \(title). \(place.sentence)"
    case .movedTo(let words): words.text
    case .notHere: "Not possible here."
    case .noFurther: "No further place."
    case .dropped(let title, let place): "Dropped \(title). \(place.sentence)"
    case .unchanged(let title): "\(title) not moved."
    case .rejected(let title, let place): "\(title) cannot go there.\(Announcement.back(place))"
    case .cancelled(let place): "Move cancelled.\(Announcement.back(place))"
    case .removed(let title): "\(title) removed."
    case .completed(let title): "\(title) completed."
    case .itemRemoved(let title): "\(title) was removed elsewhere."
    case .notMovable(let title): "\(title) is fixed by the schedule."
    case .undone(let step, let outcome): Announcement.turned(step, verb: "undone", outcome: outcome)
    case .redone(let step, let outcome): Announcement.turned(step, verb: "redone", outcome: outcome)
    case .undoKept(let step, let reason): Announcement.kept(step, because: reason) + " Not undone."
    case .redoKept(let step, let reason): Announcement.kept(step, because: reason) + " Not redone."
    case .nothingToUndo: "There is nothing to undo."
    case .nothingToRedo: "There is nothing to redo."
    case .undoRefused: "Not undone, because it could not be written."
    case .redoRefused: "Not redone, because it could not be written."
    case .tabShown(let tab): "Showing \(tab.title)."
    case .notSaved(let step): Announcement.notSaved(step)
    }
  }

  private static func notSaved(_ step: EditStep) -> String {
    switch step.kind {
    case .move, .removal: "Not saved. \(step.title) is back."
    // Nothing of that name has come back, or it never was away.
    case .addition, .completion, .change, .other: "Not saved: \(step.name)."
    }
  }

  private static func back(_ place: ListPlace?) -> String {
    place.map { " Back at \($0.text)" } ?? ""
  }

  private static func turned(
    _ step: EditStep?, verb: String, outcome: TurnReport.Outcome
  ) -> String {
    let sentence = "\(step?.noun ?? "Step") \(verb)"
    switch outcome {
    case .doneUnseen: return "\(sentence), but \(name(step)) was removed elsewhere."
    case .doneWithChanges: return "\(sentence), with what somebody else has changed."
    case .done, .kept, .nothing, .refused: return "\(sentence)."
    }
  }

  private static func kept(_ step: EditStep?, because reason: TurnReport.Reason) -> String {
    switch reason {
    case .changed: "\(name(step)) was changed again."
    case .added: "Somebody added to \(name(step))."
    case .removed: "\(name(step)) was removed elsewhere too."
    case .restored: "\(name(step)) was brought back elsewhere."
    case .gone: "\(name(step)) is gone."
    }
  }

  private static func name(_ step: EditStep?) -> String {
    guard let step, step.kind != .other else { return "It" }
    return step.title
  }
}
