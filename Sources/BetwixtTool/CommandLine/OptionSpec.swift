/// One option of a command: its names, whether it takes a value, and its help.
package struct OptionSpec: Sendable {
  /// The long name without dashes.
  package let name: String

  /// The short name, if there is one.
  package let letter: Character?

  /// What stands for the value in the help, or `nil` for a flag.
  package let placeholder: String?

  /// The help text, one or more sentences.
  package let help: String

  /// Makes an option.
  package init(
    _ name: String, letter: Character? = nil, placeholder: String? = nil, help: String
  ) {
    self.name = name
    self.letter = letter
    self.placeholder = placeholder
    self.help = help
  }

  /// The option as the help shows it: `-o, --output FILE`.
  package var label: String {
    let names = letter.map { "-\($0), --\(name)" } ?? "--\(name)"
    return placeholder.map { "\(names) \($0)" } ?? names
  }
}

extension OptionSpec {
  /// Shows the help.
  package static let help = OptionSpec("help", letter: "h", help: "Show this help and stop.")

  /// Keeps messages back.
  package static let quiet = OptionSpec(
    "quiet", letter: "q",
    help: "Print no messages, such as which edits lost; results and errors are still printed.")

  /// Prints for programs.
  package static let json = OptionSpec("json", help: "Print one JSON object per line.")

  /// Says when to use colour.
  package static let color = OptionSpec(
    "color", placeholder: "WHEN",
    help: """
      auto, always or never. The default is auto: only on a terminal, and not if NO_COLOR is set \
      or TERM is dumb.
      """)

  /// Names the output.
  package static let output = OptionSpec(
    "output", letter: "o", placeholder: "FILE",
    help: """
      Write the result to FILE in place of standard output. FILE is replaced as a whole or not \
      at all, and it may be one of the inputs.
      """)
}
