/// The arguments of one command, taken apart and checked against its options.
package struct ParsedArguments: Sendable {
  /// What is neither an option nor the value of one, in the order given.
  package internal(set) var operands: [String] = []

  var flags: Set<String> = []
  var values: [String: String] = [:]

  /// Whether a flag was given.
  package func isSet(_ option: OptionSpec) -> Bool { flags.contains(option.name) }

  /// The value of an option, if it was given.
  package func value(of option: OptionSpec) -> String? { values[option.name] }

  /// Whether an option was given, with a value or without.
  func contains(_ option: OptionSpec) -> Bool { isSet(option) || value(of: option) != nil }
}
