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

  @Test func showReadsStandardInput() throws {
    let run = try SpawnedTool(["show", "-"], input: SampleTrip.trip(items: [SampleTrip.leg]))
    #expect(
      run.output == """
        North west
        3 days from Sat 2026-06-13, 1 item

        Day 1, Sat 2026-06-13

        Day 2, Sun 2026-06-14
          09:30  Seattle → Vancouver (car, 195.6 km, 2 h 55 min)

        Day 3, Mon 2026-06-15

        """)
    #expect(run.messages.isEmpty)
    #expect(run.code == 0)
  }

  @Test func aFaultInAFileHasOneLineWithItsPlace() throws {
    let folder = try ScratchFolder()
    try folder.write("{\n  \"id\": \"x\",\n  \"id\": \"y\"\n}\n", to: "twice.json")
    let run = try SpawnedTool(["digest", "twice.json"], in: folder)
    #expect(run.output.isEmpty)
    #expect(run.messages.hasPrefix("twice.json:3:3: duplicate-member: "))
    #expect(run.messages.split(separator: "\n").count == 1)
    #expect(run.code == 65)
  }

  @Test func aMissingFileIsSaid() throws {
    let run = try SpawnedTool(["diff", "-", "none.json"], input: SampleTrip.base)
    #expect(run.output.isEmpty)
    #expect(run.messages == "Error: cannot read none.json: No such file or directory\n")
    #expect(run.code == 66)
  }

  @Test func anAnswerOfNoEndsWithOne() throws {
    let folder = try ScratchFolder()
    try folder.write(SampleTrip.base, to: "base.json")
    let run = try SpawnedTool(["diff", "base.json", "-"], input: SampleTrip.phone, in: folder)
    #expect(!run.output.isEmpty)
    #expect(run.messages.isEmpty)
    #expect(run.code == 1)
  }

  @Test func anOutputThatCannotBeMadeIsSaid() throws {
    let run = try SpawnedTool(
      ["merge", "-q", "-", "-o", "none/merged.json"], input: SampleTrip.base)
    #expect(run.output.isEmpty)
    #expect(
      run.messages == "Error: cannot write none/merged.json: No such file or directory\n")
    #expect(run.code == 73)
  }
}
