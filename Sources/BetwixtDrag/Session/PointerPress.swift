/// A pointer that went down on a row and has neither moved nor gone up.
struct PointerPress: Hashable, Sendable {
  let row: RowRef
  let input: PointerInput
  let point: DragPoint
  /// Where in the row it went down: there the row stays under it, whatever arrives meanwhile.
  let grab: DragPoint
}
