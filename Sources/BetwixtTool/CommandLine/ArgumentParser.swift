/// Takes a command's arguments apart.
///
/// `--name value`, `--name=value`, `-n value` and `-nvalue` are the same; `--` ends the options;
/// `-` is an operand (standard input or output); every option may be given once.
package struct ArgumentParser: Sendable {
  private let options: [OptionSpec]

  /// Why arguments were refused: one sentence without a full stop.
  package struct Refusal: Error, Hashable {
    /// The sentence.
    package let problem: String

    /// Makes a refusal.
    package init(problem: String) { self.problem = problem }
  }

  /// Makes a parser for these options.
  package init(options: [OptionSpec]) { self.options = options }

  /// Takes the arguments apart.
  ///
  /// - Parameter arguments: All that follows the command's name.
  /// - Returns: Options and operands.
  /// - Throws: ``Refusal`` for the first argument that does not fit.
  /// - Complexity: O(*n*) in the length of the arguments.
  package func parse(_ arguments: some Sequence<String>) throws(Refusal) -> ParsedArguments {
    var parsed = ParsedArguments()
    var rest = arguments.makeIterator()
    var optionsEnded = false
    while let argument = rest.next() {
      if optionsEnded || argument == "-" || !argument.hasPrefix("-") {
        parsed.operands.append(argument)
      } else if argument == "--" {
        optionsEnded = true
      } else {
        let (option, attached) = try split(argument)
        try take(option, attached: attached, rest: &rest, into: &parsed)
      }
    }
    return parsed
  }

  /// The option that an argument names, and the value that hangs on it.
  private func split(_ argument: String) throws(Refusal) -> (OptionSpec, String?) {
    guard argument.hasPrefix("--") else { return try splitShort(argument) }
    let body = argument.dropFirst(2)
    let name = body.prefix { $0 != "=" }
    let attached = name.endIndex == body.endIndex ? nil : String(body[name.endIndex...].dropFirst())
    guard let option = options.first(where: { $0.name == name }) else {
      throw unknown("--\(name)")
    }
    return (option, attached)
  }

  private func splitShort(_ argument: String) throws(Refusal) -> (OptionSpec, String?) {
    let body = argument.dropFirst()
    guard let letter = body.first, let option = options.first(where: { $0.letter == letter })
    else { throw unknown(argument) }
    let attached = body.dropFirst()
    return (option, attached.isEmpty ? nil : String(attached))
  }

  private func take(
    _ option: OptionSpec, attached: String?, rest: inout some IteratorProtocol<String>,
    into parsed: inout ParsedArguments
  ) throws(Refusal) {
    guard !parsed.contains(option) else {
      throw Refusal(problem: "option '--\(option.name)' is given twice")
    }
    guard let placeholder = option.placeholder else {
      guard attached == nil else {
        throw Refusal(problem: "option '--\(option.name)' takes no value")
      }
      parsed.flags.insert(option.name)
      return
    }
    // A following option is a forgotten value far more often than a file that starts with a dash.
    guard let value = attached ?? rest.next(), !value.isEmpty,
      attached != nil || value == "-" || !value.hasPrefix("-")
        || placeholder.hasPrefix("±") && isNumber(value)
    else { throw Refusal(problem: "option '--\(option.name)' needs a value: \(placeholder)") }
    parsed.values[option.name] = value
  }

  /// Whether a value starts with a sign and a digit.
  private func isNumber(_ value: String) -> Bool {
    value.utf8.dropFirst().first.map { (0x30...0x39).contains($0) } ?? false
  }

  private func unknown(_ argument: String) -> Refusal {
    let names = options.map { "--\($0.name)" }
    let hint = NearestName.of(argument, among: names).map { "; did you mean '\($0)'?" } ?? ""
    return Refusal(problem: "unknown option '\(argument)'\(hint)")
  }
}
