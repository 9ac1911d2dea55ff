/// A tab that shows that it can be dropped on.
public struct TabHighlight: Hashable, Sendable {
  /// The tab.
  public let tab: TaskTab
  /// What it says.
  public let label: String
  /// How it looks.
  public let style: TabHighlightStyle

  /// Puts one together.
  public init(
    tab: TaskTab, label: String, style: TabHighlightStyle
  ) {
    self.tab = tab
    self.label = label
    self.style = style
  }
}
