/// One command of the tool: how it is called, what its help says, and what it does.
package struct Command: Sendable {
  /// What a command does with its arguments.
  package typealias Action =
    @Sendable (ParsedArguments, inout Session) throws(ToolFailure) -> ExitCode

  /// The word on the command line.
  package let name: String

  /// What follows the name in the usage line.
  package let synopsis: String

  /// One line for the list of commands.
  package let summary: String

  /// The rest of the overview.
  package let details: String

  /// The operands and their meaning.
  package let operands: [(label: String, text: String)]

  /// How many operands are allowed.
  package let operandCount: ClosedRange<Int>

  /// The options, without the ones that every command has.
  package let ownOptions: [OptionSpec]

  /// Command lines to copy.
  package let examples: [String]

  /// What the command does.
  package let action: Action

  /// Every option that the command knows.
  package var options: [OptionSpec] { ownOptions + [.quiet, .help] }

  /// The whole help.
  package func help(width: Int) -> String {
    var help = HelpText(width: width)
    help.paragraph("OVERVIEW", details.isEmpty ? summary : "\(summary) \(details)")
    help.paragraph("USAGE", "betwixt \(name) \(synopsis)")
    help.section("ARGUMENTS", rows: operands)
    help.section("OPTIONS", rows: options.map { ($0.label, $0.help) })
    help.section("EXAMPLES", lines: examples)
    return help.text
  }
}
