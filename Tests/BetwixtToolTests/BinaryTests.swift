import BetwixtTool
import Testing

/// The built command as a shell sees it: both streams and the exit code, exactly.
@Suite struct BinaryTests {
  @Test func version() throws {
    let run = try SpawnedTool(["--version"])
    #expect(run.output == "betwixt \(Tool.version)\n")
    #expect(run.messages.isEmpty)
    #expect(run.code == 0)
  }

  @Test func helpFollowsTheWidthOfTheTerminal() throws {
    let wide = try SpawnedTool(["--help"], environment: ["COLUMNS": "200"])
    let narrow = try SpawnedTool(["--help"])
    #expect(wide.code == 0)
    #expect(narrow.code == 0)
    var environment = Environment()
    #expect(narrow.output == ToolRun("--help", environment: environment).output)
    environment.columns = "200"
    #expect(wide.output == ToolRun("--help", environment: environment).output)
    #expect(wide.output != narrow.output)
  }

  @Test func badUsage() throws {
    let run = try SpawnedTool(["--jsn"])
    #expect(run.output.isEmpty)
    #expect(
      run.messages == """
        Error: unknown option '--jsn'
        Usage: betwixt <command> [OPTIONS] ...
        See 'betwixt --help' for more.

        """)
    #expect(run.code == 64)
  }
}
