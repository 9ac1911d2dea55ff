import Betwixt
import BetwixtFiles
import BetwixtSync

/// What one run of the tool reads and what it is about to print.
///
/// A command collects its output here. It is written when the command has ended well, so that a
/// failure half-way leaves no half of an answer in a pipe.
package struct Session {
  /// The variables that the tool heeds.
  package let environment: Environment

  /// Whether a person reads standard output.
  package let outputIsTerminal: Bool

  /// Whether a person reads standard error.
  package let errorIsTerminal: Bool

  /// The command that runs.
  var command: Command?

  /// Keeps messages back.
  var isQuiet = false

  /// Whether something that was read is damaged, so that no answer can be trusted to be whole.
  private(set) var isIncomplete = false

  /// What stood where the result goes when the command began.
  var outputBefore: FileStatus?

  /// Whether a document may be another one than before the command.
  var hasChanged = false

  /// What goes to standard output.
  package private(set) var output: [UInt8] = []

  /// What goes to standard error.
  package private(set) var messages = ""

  /// Where progress is shown while a command runs; nothing else is written there before its end.
  let errorOutput: any ByteSink

  // What a person is shown while it lasts.
  private var ticker: StepTicker?

  private let input: any ByteSource
  private var inputIsRead = false

  init(
    input: any ByteSource, output: any ByteSink, error: any ByteSink, environment: Environment
  ) {
    self.input = input
    outputIsTerminal = output.isTerminal
    errorIsTerminal = error.isTerminal
    errorOutput = error
    self.environment = environment
  }
}

extension Session {
  /// Says what is done now, for a person who waits; nothing is shown of it in a pipe.
  mutating func begin(step words: String) {
    guard errorIsTerminal, !isQuiet, errorOutput is Descriptor else { return }
    let ticker = self.ticker ?? StepTicker()
    self.ticker = ticker
    ticker.begin(words)
  }

  /// Ends what a person was shown.
  mutating func endSteps() {
    ticker?.end()
    ticker = nil
  }

  /// Adds text to standard output.
  package mutating func print(_ text: String) { output.append(contentsOf: text.utf8) }

  /// Adds a message, unless the run is quiet.
  package mutating func report(_ text: String) {
    if !isQuiet { messages += text }
  }

  /// Adds what reading a file left out or doubts, a line each.
  mutating func report(notes: [String]) {
    for note in notes { report("\(note.printable)\n") }
  }

  /// Adds a message that even a quiet run must not keep back.
  mutating func warn(_ text: String) { messages += text }

  /// Says what is wrong with a document whose rest is used all the same: the run will not end as
  /// if nothing were.
  mutating func warn(of problems: [RecoveryReport.Finding], in name: String) {
    for problem in problems { warn("\(name.printable): \(problem)\n") }
    isIncomplete = isIncomplete || !problems.isEmpty
  }

  /// The messages so far, for an answer that says what is wrong: the run ends as if nothing were.
  mutating func takeProblems() -> String {
    defer { (messages, isIncomplete) = ("", false) }
    return messages
  }

  /// A fault of the command line of this run.
  package func usage(_ problem: String) -> ToolFailure {
    ToolFailure(usage: problem, of: command)
  }

  /// All bytes of a file, or of standard input if the name is `-`.
  ///
  /// - Parameters:
  ///   - path: The name.
  ///   - limit: The most bytes that are accepted, given the bytes so far.
  /// - Returns: The bytes.
  /// - Throws: ``ToolFailure``; standard input can be read once.
  package mutating func read(
    _ path: String, limit: ([UInt8]) -> Int
  ) throws(ToolFailure) -> [UInt8] {
    let isInput = path == "-"
    guard !(isInput && inputIsRead) else {
      throw usage("standard input ('-') can be read only once")
    }
    inputIsRead = inputIsRead || isInput
    do {
      return isInput
        ? try input.readAll(calling: path, limit: limit)
        : try InputFile.read(path, limit: limit)
    } catch {
      throw ToolFailure(error)
    }
  }

  /// Writes a result to a file, or to standard output if there is no name or the name is `-`.
  package mutating func write(_ bytes: [UInt8], to path: String?) throws(ToolFailure) {
    guard let path, path != "-" else { return output.append(contentsOf: bytes) }
    do { try OutputFile(path).write(bytes) } catch { throw ToolFailure(error) }
  }

  /// Writes a result to a file where nothing stands.
  ///
  /// - Returns: Whether nothing stood there; otherwise nothing was done.
  func writeNew(_ bytes: [UInt8], to path: String) throws(ToolFailure) -> Bool {
    do { return try OutputFile(path).writeNew(bytes) } catch { throw ToolFailure(error) }
  }

  /// The style for standard output.
  package func style(_ arguments: ParsedArguments) throws(ToolFailure) -> TextStyle {
    let word = arguments.value(of: .color) ?? ColorChoice.auto.rawValue
    guard let choice = ColorChoice(rawValue: word) else {
      let known = ColorChoice.allCases.map(\.rawValue).joined(separator: ", ")
      throw usage("option '--color' is one of \(known), not '\(word)'")
    }
    return TextStyle(
      usesColor: choice.usesColor(isTerminal: outputIsTerminal, environment: environment))
  }
}
