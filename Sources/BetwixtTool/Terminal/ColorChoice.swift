/// What `--color` says.
package enum ColorChoice: String, CaseIterable, Sendable {
  /// Colour on a terminal, unless the environment forbids it.
  case auto

  /// Colour wherever the text goes.
  case always

  /// No colour.
  case never

  /// Whether to use colour on a stream.
  package func usesColor(isTerminal: Bool, environment: Environment) -> Bool {
    switch self {
    case .auto: isTerminal && environment.allowsColor
    case .always: true
    case .never: false
    }
  }
}
