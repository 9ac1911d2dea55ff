/// How long a change takes and how it runs.
public struct Motion: Hashable, Sendable {
  /// Milliseconds.
  public var duration: Int

  /// How it runs.
  public var curve: MotionCurve

  /// Makes a motion.
  public init(_ duration: Int, curve: MotionCurve = .easeInOut) {
    self.duration = duration
    self.curve = curve
  }

  /// A change at once.
  static let none = Motion(0)
}
