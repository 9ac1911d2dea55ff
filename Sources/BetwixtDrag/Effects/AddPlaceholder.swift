/// What stands where a new item would be.
public struct AddPlaceholder: Hashable, Sendable {
  /// Where, in content coordinates.
  public let frame: DragFrame
  /// What it says.
  public let text: String
  /// How opaque it is.
  public let alpha: Double
  /// How high it is, as a part of its frame, about its middle.
  public let scaleY: Double
  /// The row whose colour it has.
  public let like: RowRef?

  /// Puts one together.
  public init(
    frame: DragFrame, text: String, alpha: Double, scaleY: Double, like: RowRef?
  ) {
    self.frame = frame
    self.text = text
    self.alpha = alpha
    self.scaleY = scaleY
    self.like = like
  }
}
