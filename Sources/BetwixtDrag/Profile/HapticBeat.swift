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
