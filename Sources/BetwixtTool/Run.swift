/// Runs the tool once.
///
/// - Parameters:
///   - arguments: The command line without the name of the program.
///   - input: Standard input.
///   - output: Standard output; data and asked-for help go there.
///   - error: Standard error; messages and errors go there.
///   - environment: The variables that the tool heeds.
/// - Returns: The exit code.
package func run(
  arguments: [String], input: any ByteSource, output: any ByteSink, error: any ByteSink,
  environment: Environment
) -> ExitCode {
  var session = Session(input: input, output: output, error: error, environment: environment)
  var code: ExitCode
  var messages = ""
  do {
    code = try Tool.perform(arguments, in: &session)
    session.endSteps()
    // Whatever the answer is, it is that of a part.
    if session.isIncomplete { code = .badData }
    if !session.output.isEmpty {
      try write(session.output, to: output, hasChanged: session.hasChanged)
    }
    messages = session.messages
  } catch {
    session.endSteps()
    code = error.code
    messages = session.messages + error.text + "\n"
  }
  // Names of files and other texts of strangers are in there; a line that they break stays one each.
  messages = messages.split(separator: "\n", omittingEmptySubsequences: false)
    .map { String($0).printable }.joined(separator: "\n")
  // If not even standard error can be written to, the exit code is all that is left.
  if !messages.isEmpty { try? error.write(Array(messages.utf8)) }
  return code
}

private func write(
  _ bytes: [UInt8], to output: any ByteSink, hasChanged: Bool
) throws(ToolFailure) {
  do {
    try output.write(bytes)
  } catch {
    let failure = ToolFailure(FileFailure(.brokenWrite, at: "standard output", error: error))
    // Whoever does it again would have it twice.
    throw hasChanged
      ? ToolFailure(
        failure.code, failure.text + "; what was to be done is in the document all the same")
      : failure
  }
}
