public import Betwixt
public import BetwixtTrips

// A text that is edited in its row.

/// How a text is edited.
public enum EditPhase: Hashable, Sendable {
  /// An item's text is to be edited.
  case begin(ItemID)
  /// A new item is to stand below a row, or at the top of the list.
  case add(below: RowRef?)
  /// It reads so now.
  case text(String)
  /// Return, or the focus is lost.
  case commit
  /// All stays as it was.
  case cancel
}

/// A text that is edited.
struct TextEdit: Hashable, Sendable {
  /// What a row looks like meanwhile.
  struct ShownRow: Hashable, Sendable {
    let ref: RowRef
    let shift: Double
    let isFaded: Bool
  }

  var target: EditTarget
  /// The item's title, to be said should it be removed.
  var title: String
  /// The text as it was when nothing was typed.
  var base: String
  var text: String
  /// Where the field stands, in content coordinates.
  let top: Double
  let height: Double
  /// Where the item's row lies, or lay when it was known last.
  var rowTop: Double?
  /// What was shifted and faded, to be put back.
  var shown: [ShownRow] = []

  init(target: EditTarget, title: String, text: String, top: Double, height: Double) {
    self.target = target
    self.title = title
    base = text
    self.text = text
    self.top = top
    self.height = height
  }

  var isTyped: Bool { !text.hasSameBytes(as: base) }

  /// What is given back if it cannot be written.
  var typed: Commit.TypedText { Commit.TypedText(target: target, text: text) }
}

/// Whose text is edited.
public enum EditTarget: Hashable, Sendable {
  /// An item's.
  case item(ItemID)
  /// That of an item which is not written yet.
  case draft(Gap)
}

/// Why a field for text closes.
public enum EditEnd: Hashable, Sendable {
  /// The user is done with it, one way or the other.
  case finished
  /// Its item or its day is gone, or it was not written: then the field is closed already. This was
  /// typed, and is the user's to keep.
  case lost(text: String)
}

// MARK: - In a log

extension EditPhase {
  var logMembers: [(String, LogValue)] {
    switch self {
    case .begin(let id): [("phase", .text("begin")), ("item", .id(id))]
    case .add(let row): [("phase", .text("add")), ("below", .row(row))]
    case .text(let text): [("phase", .text("text")), ("text", .text(text))]
    case .commit: [("phase", .text("commit"))]
    case .cancel: [("phase", .text("cancel"))]
    }
  }

  init(_ reader: LogReader) throws(TextProblem) {
    switch try reader.phase {
    case "begin": self = .begin(try reader.id("item"))
    case "add":
      self = .add(below: reader.optional("below") == nil ? nil : try reader.row("below"))
    case "text": self = .text(try reader.text("text"))
    case "commit": self = .commit
    case "cancel": self = .cancel
    default: throw reader.unknownPhase
    }
  }
}
