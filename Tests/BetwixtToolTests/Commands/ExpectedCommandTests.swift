import BetwixtTool
import Testing

/// What people who know other commands expect.
@Suite struct ExpectedCommandTests {
  private let device: TestDevice

  init() throws {
    device = try TestDevice()
    #expect(device.run("new", "--from", "-", device.path(), input: SampleTrip.base).code == .done)
  }

  @Test func aliasesAreTheCommands() throws {
    for alias in Tool.aliases {
      #expect(ToolRun("help", alias.name).output == ToolRun("help", alias.command).output)
    }
    #expect(device.run("ls", device.path()).output == device.run("show", device.path()).output)
    #expect(device.run("rm", device.path(), "Dinner").output.hasPrefix("removed "))
    #expect(device.run("mv", "--day", "3", device.path(), "Museum").output.hasPrefix("moved "))
  }

  @Test func whatWasRemovedCanBeShown() {
    #expect(device.run("remove", device.path(), "Dinner").code == .done)
    #expect(!device.run("show", device.path()).output.contains("Dinner"))
    let text = device.run("show", "--removed", device.path()).output
    #expect(text.contains("\nRemoved\n  Dinner (day 1, id 22222222-2222-4222-8222-222222222222)\n"))
    #expect(
      device.run("show", "--removed", "--json", device.path()).output.contains(
        #"{"row":"removed","id":"22222222-2222-4222-8222-222222222222","title":"Dinner","day":1}"#))
  }

  @Test func theLogHasTheNewestFirst() {
    #expect(device.run("set", device.path(), "Dinner", "note=late").code == .done)
    let lines = device.run("log", device.path()).output.split(separator: "\n")
    #expect(lines.first?.hasSuffix("  “Dinner”: note") ?? false)
    #expect(lines.contains { $0.hasPrefix("2026-05-01T00:00:00Z  ") })
    #expect(device.run("log", "--limit", "1", device.path()).output == "\(lines[0])\n")
    #expect(device.run("log", "--limit", "0", device.path()).code == .usage)
    let json = device.run("log", "--json", "--limit", "1", device.path()).output
    #expect(json.contains(#","Dinner",["note"]]"#))
    #expect(device.run("remove", device.path(), "Dinner").code == .done)
    #expect(
      device.run("log", "--limit", "1", device.path()).output.contains("  removed “Dinner”"))
  }

  @Test(arguments: HelpTopic.allCases, [46, 80, 120])
  func topicsHaveHelp(_ topic: HelpTopic, _ width: Int) {
    var environment = Environment()
    environment.columns = "\(width)"
    let run = ToolRun("help", topic.rawValue, environment: environment)
    #expect(run.code == .done)
    #expect(run.output.split(separator: "\n").allSatisfy { $0.count <= width })
    #expect(ToolRun("help").output.contains("help \(topic.rawValue) "))
  }

  @Test func formatsAndCodesAreListed() {
    #expect(ToolRun("help", "formats").output.contains("iCalendar: trips and tasks; .ics .ical"))
    #expect(ToolRun("help", "exit-codes").output.contains("\n  75  "))
  }

  @Test(arguments: ["bash", "zsh", "fish", "man"])
  func everyCommandIsCompleted(_ shell: String) {
    let run = ToolRun("completion", shell)
    #expect(run.code == .done)
    for command in Tool.commands {
      #expect(run.output.contains(command.name))
      for option in command.options {
        let name = shell == "man" ? option.name.replacing("-", with: "\\-") : option.name
        #expect(run.output.contains(name))
      }
    }
    #expect(ToolRun("completion", "tcsh").code == .usage)
  }
}
