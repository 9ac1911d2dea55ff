import BetwixtTool

/// What one run in this process printed and how it ended.
struct ToolRun {
  let code: ExitCode
  let output: String
  let messages: String

  init(
    _ arguments: String..., input: String = "", isTerminal: Bool = false,
    environment: Environment = Environment()
  ) {
    self.init(arguments, input: input, isTerminal: isTerminal, environment: environment)
  }

  init(
    _ arguments: [String], input: String = "", isTerminal: Bool = false,
    environment: Environment = Environment()
  ) {
    let output = MemorySink(isTerminal: isTerminal)
    let error = MemorySink(isTerminal: isTerminal)
    code = run(
      arguments: arguments, input: MemorySource(input), output: output, error: error,
      environment: environment)
    self.output = output.text
    messages = error.text
  }
}
