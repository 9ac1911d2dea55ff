import BetwixtFiles

/// The commands, and what stands above them: help, version, the choice of a command.
package enum Tool {
  /// The version of the tool and the library.
  package static let version = "0.1.0"

  /// Every command, in the order of the help.
  package static let commands: [Command] = [
    .demo, .new, .edit, .add, .move, .set, .done, .open, .remove, .restore, .undo, .redo, .show,
    .log, .check, .repair, .explain,
    .importFile,
    .export, .merge, .merge3, .git, .diff, .digest, .sync, .serve, .identity, .devices, .doctor,
    .compact, .sql, .page, .completion, .replay,
  ]

  /// Other names of commands, which fingers know.
  package static let aliases = [
    (name: "rm", command: "remove"), (name: "mv", command: "move"), (name: "ls", command: "show"),
  ]

  /// Words of other tools, and what does here what they do there.
  private static let otherWords = [
    "rename": "'betwixt set FILE ITEM title=NEW' gives an item another title",
    "cp": "a document is a file: copy it, and 'betwixt sync --with COPY FILE' joins both again",
    "copy": "a document is a file: copy it, and 'betwixt sync --with COPY FILE' joins both again",
    "delete": "'betwixt remove' removes items",
    "del": "'betwixt remove' removes items",
    "list": "'betwixt show' prints a trip",
    "cat": "'betwixt show' prints a trip",
    "view": "'betwixt show' prints a trip",
    "print": "'betwixt show' prints a trip",
    "init": "'betwixt new' makes a document",
    "create": "'betwixt new' makes a document",
    "insert": "'betwixt add' adds an item",
    "clone": "'betwixt sync --create' makes a copy of what the other side has",
    "pull": "'betwixt sync' brings both sides to one state",
    "push": "'betwixt sync' brings both sides to one state",
    "commit": "each edit is on the drive when its command ends; 'betwixt log' lists them",
    "save": "each edit is on the drive when its command ends; 'betwixt log' lists them",
    "history": "'betwixt log' says what was written, the newest first",
    "status": "'betwixt check' says what is out of order, 'betwixt doctor' what is damaged",
    "convert": "'betwixt export' writes another format, 'betwixt import' reads one",
    "update": "'betwixt set' changes the fields of an item",
    "change": "'betwixt set' changes the fields of an item",
  ]

  static func perform(
    _ arguments: [String], in session: inout Session
  ) throws(ToolFailure) -> ExitCode {
    guard let word = arguments.first else {
      throw ToolFailure(usage: "a command is missing", of: nil)
    }
    let rest = arguments.dropFirst()
    switch word {
    case "-h", "--help":
      session.print(help(width: session.environment.width))
      return .done
    case "help":
      return try performHelp(rest, in: &session)
    case "--version":
      session.print("betwixt \(version)\n")
      return .done
    default:
      return try perform(command(named: word), arguments: rest, in: &session)
    }
  }

  private static func performHelp(
    _ arguments: ArraySlice<String>, in session: inout Session
  ) throws(ToolFailure) -> ExitCode {
    let width = session.environment.width
    guard arguments.count <= 1 else {
      throw ToolFailure(usage: "'help' takes the name of one command", of: nil)
    }
    guard let name = arguments.first else {
      session.print(help(width: width))
      return .done
    }
    if let topic = HelpTopic(rawValue: name) {
      session.print(topic.text(width: width))
      return .done
    }
    if name == "help" {
      session.print(help(width: width))
      return .done
    }
    session.print(
      try command(named: name, or: HelpTopic.allCases.map(\.rawValue)).help(width: width))
    return .done
  }

  private static func perform(
    _ command: Command, arguments: ArraySlice<String>, in session: inout Session
  ) throws(ToolFailure) -> ExitCode {
    let parsed: ParsedArguments
    do {
      parsed = try ArgumentParser(options: command.options).parse(arguments)
    } catch {
      throw ToolFailure(usage: error.problem, of: command)
    }
    if parsed.isSet(.help) {
      session.print(command.help(width: session.environment.width))
      return .done
    }
    try command.checkOperandCount(parsed.operands)
    try command.checkTexts(parsed)
    session.command = command
    session.isQuiet = parsed.isSet(.quiet)
    session.noteOutput(of: parsed)
    return try command.action(parsed, &session)
  }

  /// The command of a name.
  ///
  /// - Parameters:
  ///   - name: The name, or another one of it.
  ///   - others: What else may have been meant.
  /// - Returns: The command.
  /// - Throws: ``ToolFailure`` with what was probably meant.
  private static func command(
    named name: String, or others: [String] = []
  ) throws(ToolFailure) -> Command {
    let full = aliases.first { $0.name == name }?.command ?? name
    if let command = commands.first(where: { $0.name == full }) { return command }
    let kind = name.hasPrefix("-") ? "option" : "command"
    let known =
      kind == "option"
      ? ["--help", "--version"]
      : commands.map(\.name) + ["help"] + others
    if HelpTopic(rawValue: name) != nil {
      throw ToolFailure(
        usage: "'\(name)' is no command; 'betwixt help \(name)' says more of it", of: nil)
    }
    let hint =
      otherWords[name].map { "; \($0)" }
      ?? NearestName.of(name, among: known).map { "; did you mean '\($0)'?" } ?? ""
    throw ToolFailure(usage: "unknown \(kind) '\(name)'\(hint)", of: nil)
  }

  private static func help(width: Int) -> String {
    var help = HelpText(width: width)
    help.paragraph(
      "OVERVIEW",
      """
      Edits trips, syncs them between devices, and merges copies that were edited apart. Inputs \
      are never changed; only documents that a command edits or syncs are.
      """)
    help.paragraph("USAGE", "betwixt <command> [OPTIONS] ...")
    help.section(
      "OPTIONS",
      rows: [
        (OptionSpec.help.label, OptionSpec.help.help),
        ("--version", "Show the version and stop."),
      ])
    help.section("SUBCOMMANDS", rows: commands.map { ($0.name, $0.summary) })
    help.section("ALIASES", rows: aliases.map { ($0.name, "The same as '\($0.command)'.") })
    help.section(
      "HELP ON MORE", rows: HelpTopic.allCases.map { ("help \($0.rawValue)", $0.summary) })
    help.section("MORE", lines: ["betwixt help <command>"])
    return help.text
  }
}

extension Command {
  /// What names a file, and so may have any bytes.
  static let fileWords: Set<String> = [
    "FILE", "DIR", "FOLDER", "BASE", "LOG", "PATH", "COPY", "OLD", "NEW", "OURS", "THEIRS",
    "SOURCE",
    "COMMAND", "DOCUMENT",
  ]

  /// Refuses arguments that are no UTF-8 where they are no names of files.
  fileprivate func checkTexts(_ arguments: ParsedArguments) throws(ToolFailure) {
    func check(_ text: String, _ label: String) throws(ToolFailure) {
      guard !Command.fileWords.contains(label) else { return }
      guard text.unicodeScalars.allSatisfy({ PathText.byte($0) == nil }) else {
        throw ToolFailure(usage: "\(label) is no UTF-8: '\(text.printable)'", of: self)
      }
    }
    for (index, operand) in arguments.operands.enumerated() where !operands.isEmpty {
      try check(operand, operands[min(index, operands.count - 1)].label)
    }
    for option in options {
      if let value = arguments.value(of: option) { try check(value, option.placeholder ?? "") }
    }
  }

  fileprivate func checkOperandCount(_ operands: [String]) throws(ToolFailure) {
    if operands.count < operandCount.lowerBound {
      let labels = self.operands.map(\.label)
      let missing = operands.count < labels.count ? labels[operands.count] : labels.last
      throw ToolFailure(usage: "\(missing ?? "an argument") is missing", of: self)
    }
    if operands.count > operandCount.upperBound {
      throw ToolFailure(
        usage: "unexpected argument '\(operands[operandCount.upperBound])'", of: self)
    }
  }
}
