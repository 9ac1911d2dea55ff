/// The tint of the lifted copy.
public enum CopyTint: Hashable, Sendable {
  /// The item cannot go here.
  case invalid(TintStyle)

  /// No tint; it vanishes within some milliseconds.
  case none(fade: Int)
}
