/// A colour by its role; the front end knows what it looks like, and themes may change meanwhile.
public enum ColorToken: String, Hashable, Sendable {
  /// The main colour of the theme.
  case theme
  /// The system's red.
  case systemRed
  /// The system's blue.
  case blue
}
