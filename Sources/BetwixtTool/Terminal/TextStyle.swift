/// Wraps text in the escape sequences of a terminal, or leaves it as it is.
package struct TextStyle: Sendable {
  /// Whether escape sequences are written.
  package let usesColor: Bool

  /// Makes a style.
  package init(usesColor: Bool) { self.usesColor = usesColor }

  package func bold(_ text: String) -> String { wrap(text, code: "1") }

  package func faint(_ text: String) -> String { wrap(text, code: "2") }

  /// Exchanges foreground and background, which is no colour and always allowed.
  package func reversed(_ text: String) -> String {
    text.isEmpty ? "" : "\u{1b}[7m\(text)\u{1b}[0m"
  }

  package func red(_ text: String) -> String { wrap(text, code: "31") }

  package func green(_ text: String) -> String { wrap(text, code: "32") }

  package func yellow(_ text: String) -> String { wrap(text, code: "33") }

  package func cyan(_ text: String) -> String { wrap(text, code: "36") }

  private func wrap(_ text: String, code: String) -> String {
    usesColor && !text.isEmpty ? "\u{1b}[\(code)m\(text)\u{1b}[0m" : text
  }
}
