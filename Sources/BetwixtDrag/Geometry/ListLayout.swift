/// How a list lies on the screen now.
///
/// Rows are in content coordinates: y in the viewport plus the offset.
public struct ListLayout: Hashable, Sendable {
  /// Which list of tasks is shown; `nil` for a trip.
  public var container: TaskTab?

  /// The rows, top to bottom; rows that the front end has not made yet may be left out.
  public var rows: [RowFrame]

  /// The width of the list.
  public var width: Double

  /// The height of the part that can be seen.
  public var viewportHeight: Double

  /// How far the content is scrolled.
  public var offset: Double

  /// The height of the whole content.
  public var contentHeight: Double

  /// The strip of tabs, in viewport coordinates.
  public var tabStrip: DragFrame?

  /// Describes a layout.
  public init(
    container: TaskTab? = nil, rows: [RowFrame], width: Double, viewportHeight: Double,
    offset: Double = 0, contentHeight: Double, tabStrip: DragFrame? = nil
  ) {
    self.container = container
    self.rows = rows
    self.width = width
    self.viewportHeight = viewportHeight
    self.offset = offset
    self.contentHeight = contentHeight
    self.tabStrip = tabStrip
  }

  /// Whether all numbers can be computed with.
  var isUsable: Bool {
    width.isFinite && viewportHeight.isFinite && offset.isFinite && contentHeight.isFinite
      && width >= 0 && viewportHeight >= 0 && tabStrip?.isFinite ?? true
  }

  /// The scroll offsets that there are.
  var offsets: ClosedRange<Double> { 0...max(0, contentHeight - viewportHeight) }
}
