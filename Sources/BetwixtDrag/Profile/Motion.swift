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

/// How a change runs from its beginning to its end.
///
/// Springs are numbers for the front end; nothing here computes them.
public enum MotionCurve: Hashable, Sendable {
  /// Slow, fast, slow.
  case easeInOut

  /// A spring by its damping ratio and the speed that it starts with.
  case spring(damping: Double, velocity: Double)

  /// A spring by its response in seconds and its damping ratio.
  case response(Double, damping: Double)
}
