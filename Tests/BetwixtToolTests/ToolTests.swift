import BetwixtTool
import Testing

@Suite struct ToolTests {
  @Test func versionAndHelpGoToStandardOutput() {
    let version = ToolRun("--version")
    #expect(version.output == "betwixt \(Tool.version)\n")
    #expect(version.code == .done)
    let help = ToolRun("--help")
    #expect(help.code == .done)
    #expect(help.messages.isEmpty)
    #expect(help.output.hasPrefix("OVERVIEW: "))
    for command in Tool.commands {
      #expect(help.output.contains("\n  \(command.name) "))
    }
    #expect(ToolRun("-h").output == help.output)
    #expect(ToolRun("help").output == help.output)
  }

  @Test func everyCommandHasHelp() {
    for command in Tool.commands {
      let help = ToolRun(command.name, "--help")
      #expect(help.code == .done)
      #expect(help.output.contains("USAGE: betwixt \(command.name) "))
      #expect(help.output.contains("EXAMPLES:"))
      #expect(ToolRun("help", command.name).output == help.output)
      #expect(ToolRun(command.name, "-h").output == help.output)
    }
  }

  @Test(
    "A command line without sense ends with 64 and three lines",
    arguments: [
      ([], "Error: a command is missing"),
      (["--hepl"], "Error: unknown option '--hepl'; did you mean '--help'?"),
      (["hepl"], "Error: unknown command 'hepl'; did you mean 'help'?"),
      (
        ["rename", "a.trip", "b"],
        "Error: unknown command 'rename'; 'betwixt set FILE ITEM title=NEW' gives an item another "
          + "title"
      ),
      (
        ["status"],
        "Error: unknown command 'status'; 'betwixt check' says what is out of order, "
          + "'betwixt doctor' what is damaged"
      ),
      (["help", "hepl"], "Error: unknown command 'hepl'; did you mean 'help'?"),
      (["help", "show", "merge"], "Error: 'help' takes the name of one command"),
      (["--"], "Error: unknown option '--'"),
    ])
  func badUsage(_ arguments: [String], _ problem: String) {
    let output = MemorySink()
    let error = MemorySink()
    let code = run(
      arguments: arguments, input: MemorySource(""), output: output, error: error,
      environment: Environment())
    #expect(code == .usage)
    #expect(output.text.isEmpty)
    #expect(
      error.text == """
        \(problem)
        Usage: betwixt <command> [OPTIONS] ...
        See 'betwixt --help' for more.

        """)
  }

  @Test func anOutputThatCannotBeWrittenIsAnError() {
    let output = MemorySink(refusal: SystemError(number: 28))
    let error = MemorySink()
    let code = run(
      arguments: ["--version"], input: MemorySource(""), output: output, error: error,
      environment: Environment())
    #expect(code == .inputOutput)
    #expect(
      error.text == "Error: cannot write all of standard output: No space left on device\n")
  }
}
