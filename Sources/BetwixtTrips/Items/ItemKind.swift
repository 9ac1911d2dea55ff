public import Betwixt

/// What an item of a trip is.
public enum ItemKind: Hashable, Sendable {
  /// A match: an anchor that stands where the schedule says.
  case game

  /// A way from one city to another.
  case travel

  /// Anything the traveller put in: also an item whose kind is absent or not a text.
  case custom

  /// A kind of a newer version. It behaves like ``custom``.
  case other(String)

  /// Reads the field `kind`.
  public init(_ value: FieldValue?) {
    guard let text = value?.string else {
      self = .custom
      return
    }
    self.init(text: text)
  }

  init(text: String) {
    if text.hasSameBytes(as: "game") {
      self = .game
    } else if text.hasSameBytes(as: "travel") {
      self = .travel
    } else if text.hasSameBytes(as: "custom") {
      self = .custom
    } else {
      self = .other(text)
    }
  }

  /// Whether nothing keeps such an item from standing anywhere.
  var isFree: Bool { self != .game && self != .travel }

  /// The text of the field `kind`.
  public var text: String {
    switch self {
    case .game: "game"
    case .travel: "travel"
    case .custom: "custom"
    case .other(let text): text
    }
  }
}
