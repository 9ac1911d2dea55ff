/// A short text with a button.
public struct Toast: Hashable, Sendable {
  /// What it says.
  public let text: String
  /// What the button says.
  public let button: String

  /// Puts one together.
  public init(
    text: String, button: String
  ) {
    self.text = text
    self.button = button
  }
}
