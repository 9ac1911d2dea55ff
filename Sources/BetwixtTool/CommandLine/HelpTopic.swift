import BetwixtTrips

/// Help on what no single command is about.
package enum HelpTopic: String, CaseIterable, Sendable {
  /// What is read and written.
  case formats

  /// What a run ends with.
  case exitCodes = "exit-codes"

  /// One line for the list of topics.
  var summary: String {
    switch self {
    case .formats: "What is read and written, and by which endings of names."
    case .exitCodes: "What a run ends with."
    }
  }

  /// The whole help.
  package func text(width: Int) -> String {
    var help = HelpText(width: width)
    switch self {
    case .formats:
      help.paragraph(
        "FORMATS",
        """
        An input is told by its content, and lines that may be of several formats by the ending of the \
        file's name. The format of an output is that of \
        --format, else of the ending of its name, else the fullest among the inputs.
        """)
      help.section("READ AND WRITTEN", rows: HelpTopic.rows { $0.isWritten })
      help.section("READ", rows: HelpTopic.rows { !$0.isWritten })
    case .exitCodes:
      help.section("EXIT CODES", rows: HelpTopic.codes)
    }
    return help.text
  }

  private static func rows(_ isShown: (DocumentFormat) -> Bool) -> [HelpText.Row] {
    DocumentFormat.allCases.filter(isShown).map { format in
      let kinds = [format.holdsTrips ? "trips" : nil, format.holdsTasks ? "tasks" : nil]
        .compactMap { $0 }.joined(separator: " and ")
      let endings = format.endings.joined(separator: " ")
      return (
        format.rawValue, "\(format.title): \(kinds)" + (endings.isEmpty ? "." : "; \(endings)")
      )
    }
  }

  private static let codes: [HelpText.Row] = [
    ("0", "Done, and whole. What an import or export leaves out is named, and is no failure."),
    (
      "1",
      "It ran, and the answer is no: something is out of order, differs, was not taken, or cannot be."
    ),
    ("64", "The command line makes no sense."),
    ("65", "An input is not what it should be, or is damaged."),
    ("66", "An input cannot be read."),
    ("70", "A fault of the tool."),
    ("73", "An output cannot be made, or is in the way."),
    ("74", "Reading or writing failed half-way."),
    ("75", "The same may succeed later: a file is in use, or a connection was cut."),
  ]
}
