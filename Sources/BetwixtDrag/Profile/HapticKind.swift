/// What a hand feels.
public enum HapticKind: String, Hashable, Sendable {
  /// A light knock.
  case light
  /// A firm knock.
  case medium
  /// Something may be wrong.
  case warning
  /// Something is wrong.
  case error
  /// A choice changed.
  case selection
}
