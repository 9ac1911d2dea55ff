import Betwixt
import BetwixtTrips

/// A line that is asked for at the foot of the screen.
struct EditPrompt: Hashable, Sendable {
  /// What for.
  enum Purpose: Hashable, Sendable {
    /// The title of an item, new or not; the engine knows which.
    case title
    /// A field of an item.
    case field(ItemID, FieldName)
    /// Words of the item to go to.
    case search
  }

  let purpose: Purpose

  /// What stood there at first.
  let base: String

  var line: LineEditor

  /// Why Return was not enough.
  var hint: String?

  /// Whether somebody else has removed what this is typed for, while it was typed.
  var isOrphaned = false

  /// What is to be said of that when the line ends.
  var loss: String?

  init(_ purpose: Purpose, base: String) {
    self.purpose = purpose
    self.base = base
    line = LineEditor(base)
  }

  /// What is asked for.
  var label: String {
    switch purpose {
    case .title: "Title"
    case .field(_, .time): "Time"
    case .field(_, .note): "Note"
    case .field(_, let name): name.text
    case .search: "Find"
    }
  }

  /// Whether what is typed can be kept, and why not.
  var refusal: String? {
    let isEmpty = line.text.allSatisfy { $0.isWhitespace }
    switch purpose {
    case .title where isEmpty && !base.isEmpty: return "A title is not empty; x removes an item."
    case .field(_, .time) where !isEmpty && ClockTime(spoken: line.text) == nil:
      return "A time is like 13:00, 8:30 or 9pm."
    default: return nil
    }
  }

  /// What is said below the line.
  var notice: String? { isOrphaned ? "Its item is gone. Return hands the text back." : hint }

  /// The value that is typed for a field; `nil` clears it.
  var value: FieldValue? {
    let isEmpty = line.text.allSatisfy { $0.isWhitespace }
    guard !isEmpty else { return nil }
    if case .field(_, .time) = purpose {
      return ClockTime(spoken: line.text).map { .string("\($0)") }
    }
    return .string(line.text)
  }
}
