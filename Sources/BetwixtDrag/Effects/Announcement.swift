/// Something to be said to those who cannot see the screen.
///
/// It is a value, so that a host may say it in any language; ``text`` is the English one.
public enum Announcement: Hashable, Sendable {
  /// An item was lifted.
  case lifted(title: String, ListPlace)
  /// It would go to a gap.
  case movedTo(GapWords)
  /// It cannot go here.
  case notHere
  /// There is no place further on.
  case noFurther
  /// It was dropped.
  case dropped(title: String, ListPlace)
  /// It was dropped where it stood.
  case unchanged(title: String)
  /// It was dropped where it cannot go.
  case rejected(title: String, ListPlace?)
  /// The move was given up.
  case cancelled(ListPlace?)
  /// Somebody else removed it meanwhile.
  case itemRemoved(title: String)
  /// It stands where the schedule says.
  case notMovable(title: String)
  /// A move was taken back.
  case undone
  /// It was not, because somebody changed it since.
  case undoStale(title: String)
  /// A tab opened during a drag.
  case tabShown(TaskTab)
  /// The write failed.
  case notSaved(title: String)
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
    case .itemRemoved(let title): "\(title) was removed elsewhere."
    case .notMovable(let title): "\(title) is fixed by the schedule."
    case .undone: "Move undone."
    case .undoStale(let title): "\(title) was changed again. Not undone."
    case .tabShown(let tab): "Showing \(tab.title)."
    case .notSaved(let title): "Not saved. \(title) is back."
    }
  }

  private static func back(_ place: ListPlace?) -> String {
    place.map { " Back at \($0.text)" } ?? ""
  }
}
