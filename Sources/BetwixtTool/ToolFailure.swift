/// Why a command stopped: an exit code and the lines for standard error.
package struct ToolFailure: Error, Hashable, Sendable {
  /// The exit code.
  package let code: ExitCode

  /// The text, one or more whole lines without the last line break.
  package let text: String

  /// Makes a failure.
  package init(_ code: ExitCode, _ text: String) {
    self.code = code
    self.text = text
  }

  /// The text as one line, for where there is no room for more.
  var sentence: String {
    let line = text.split(separator: "\n").joined(separator: " ")
    let head = "Error: "
    return line.hasPrefix(head) ? String(line.dropFirst(head.count)) : line
  }
}

extension ToolFailure {
  /// A fault of the command line: what is wrong, how the command is called, where to read more.
  ///
  /// - Parameters:
  ///   - problem: What is wrong, without the word "Error".
  ///   - command: The command that was asked for, if it is known.
  package init(usage problem: String, of command: Command?) {
    let name = command.map { "betwixt \($0.name)" } ?? "betwixt"
    let usage = command.map { "\(name) \($0.synopsis)" } ?? "betwixt <command> [OPTIONS] ..."
    self.init(
      .usage,
      """
      Error: \(problem.printable)
      Usage: \(usage)
      See '\(name) --help' for more.
      """)
  }

  /// A file that could not be read or written.
  package init(_ failure: FileFailure) {
    switch failure.kind {
    case .unreadable:
      self.init(.noInput, "Error: cannot read \(failure.path): \(failure.reason)")
    case .brokenRead:
      self.init(.inputOutput, "Error: cannot read all of \(failure.path): \(failure.reason)")
    case .tooLarge(let limit):
      self.init(.badData, "\(failure.path): offset \(limit): too-large: \(failure.reason)")
    case .cannotCreate:
      self.init(.cannotCreate, "Error: cannot write \(failure.path): \(failure.reason)")
    case .brokenWrite:
      self.init(.inputOutput, "Error: cannot write all of \(failure.path): \(failure.reason)")
    }
  }
}
