/// How far a gesture has come.
public struct GestureCue: Hashable, Sendable {
  /// What the gesture does.
  public enum Kind: String, Hashable, Sendable {
    /// It completes a task.
    case complete
    /// It deletes an item.
    case delete
  }

  /// What the gesture does.
  public let kind: Kind
  /// How far it has come, 0 to 1.
  public let progress: Double
  /// Whether it does so when it is released.
  public let isArmed: Bool
  /// Whether the host plays a sound: once when it becomes armed and once when no longer.
  public let isAudible: Bool

  /// Puts one together.
  public init(kind: Kind, progress: Double, isArmed: Bool, isAudible: Bool) {
    self.kind = kind
    self.progress = progress
    self.isArmed = isArmed
    self.isAudible = isAudible
  }
}
