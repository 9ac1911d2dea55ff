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

/// One beat of several.
public struct HapticBeat: Hashable, Sendable {
  /// What is felt.
  public var kind: HapticKind
  /// After how many milliseconds.
  public var after: Int

  /// Makes a beat.
  public init(_ kind: HapticKind, after: Int = 0) {
    self.kind = kind
    self.after = after
  }
}
