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
    self.init(
      arguments, environment: environment, source: MemorySource(input), isTerminal: isTerminal)
  }

  init(
    _ arguments: [String], environment: Environment, source: any ByteSource,
    isTerminal: Bool = false
  ) {
    let output = MemorySink(isTerminal: isTerminal)
    let error = MemorySink(isTerminal: isTerminal)
    code = run(
      arguments: arguments, input: source, output: output, error: error,
      environment: environment)
    self.output = output.text
    messages = error.text
  }
}
