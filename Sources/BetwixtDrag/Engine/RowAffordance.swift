/// What a row shows at its side.
public enum RowAffordance: String, Hashable, Sendable {
  /// It can be dragged.
  case handle
  /// It stands where the schedule says.
  case pinned
  /// It cannot be moved.
  case none
}
