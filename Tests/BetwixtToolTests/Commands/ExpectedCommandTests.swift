import BetwixtTool
import Foundation
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

  @Test func slipsOfTheFirstHourGetAnAnswerThatHelps() throws {
    let trip = device.path()
    let missing = device.run("sync", "--with", trip, device.path("new.trip"))
    #expect(missing.code == .noInput && missing.messages.contains("--create makes it"))
    let words = device.run("set", trip, "Dinner", "Late dinner")
    #expect(words.code == .usage && words.messages.contains("a title is title='Late dinner'"))
    let root = device.run("set", trip, "name=West")
    #expect(root.code == .usage && root.messages.contains("'trip' stands for the trip itself"))
    #expect(device.run("set", trip, "Dinner").messages.contains("FIELD=VALUE is missing"))
    let place = device.run("move", trip, "Dinner", "3")
    #expect(place.code == .usage && place.messages.contains("a day is --day '3'"))
    let unknown = device.run("set", trip, "Supper", "title=Late")
    #expect(unknown.code == .negative)
    #expect(unknown.messages.contains("'betwixt show --rows' lists those that can be named"))
    #expect(device.run("remove", trip, "Dinner").code == .done)
    let removed = device.run("set", trip, "Dinner", "title=Late")
    #expect(removed.messages.contains("there is one that was removed, which 'restore' brings back"))
    #expect(device.run("restore", trip, "Dinner").code == .done)
    #expect(device.run("set", trip, "Dinner", "note=late").code == .done)
    #expect(device.run("undo", trip).output.contains("“Dinner” has note as before"))
    #expect(device.run("redo", trip).output.contains("“Dinner” has note as it was made"))
    let tasks = device.path("tasks.trip")
    #expect(device.run("new", "--from", "-", tasks, input: SampleTrip.tasks).code == .done)
    let dated = device.run("set", tasks, "Pack", "scheduledDate=2026-05-01")
    #expect(dated.code == .usage && dated.messages.contains("'betwixt move --day' another one"))
  }

  @Test func whatIsOneIsSaidAsOne() throws {
    let box = device.path("box")
    try FileManager.default.createDirectory(atPath: box, withIntermediateDirectories: false)
    let one = device.path("one.trip")
    #expect(device.run("new", "--name", "One", one).code == .done)
    #expect(device.run("add", one, "--day", "1", "--title", "Lunch").code == .done)
    let sync = device.run("sync", "--folder", box, one)
    #expect(sync.messages.contains("1 item, digest"), "\(sync.messages)")
    let phone = try TestDevice()
    let read = phone.run("sync", "--create", "--folder", box, phone.path())
    #expect(read.messages.contains(", 1 file read"), "\(read.messages)")
    let doctor = device.run("doctor", one).output
    #expect(doctor.contains(", 1 item, digest") && !doctor.contains("1 commits"))
  }

  @Test func aFileThatOnlyHasTheNameOfADocumentSaysWhatHelps() throws {
    let bytes = (0..<40).map { UInt8(truncatingIfNeeded: 200 + $0 * 7) }
    try device.folder.write(bytes, to: "garbage.trip")
    let garbage = device.path("garbage.trip")
    let run = device.run("show", garbage)
    #expect(run.code == .badData && run.output.isEmpty)
    #expect(
      run.messages.contains("'betwixt doctor -o NEW.trip \(garbage)' saves what can be found"))
    let text = try device.folder.write("Nothing\n", to: "text.trip")
    #expect(!device.run("show", text).messages.contains("doctor"))
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
    // All times have one width, down to the second; a program is told the rest.
    #expect(lines.allSatisfy { $0.dropFirst(19).hasPrefix("Z  ") })
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

  /// What a shell offers for the last of some words, in a folder with one file, `a b.trip`.
  private static func offered(
    _ words: [String], names: [String] = ["a b.trip"]
  ) throws -> [String] {
    let (folder, scripts) = (try ScratchFolder(), try ScratchFolder())
    for name in names { try folder.write("", to: name) }
    let path = try scripts.write(ToolRun("completion", "bash").output, to: "betwixt")
    let list = words.map { "'\($0)'" }.joined(separator: " ")
    let script = """
      cd '\(folder.path)' && . '\(path)' && COMP_WORDS=(\(list)) \
      COMP_CWORD=\(words.count - 1) && _betwixt 2> /dev/null; printf '%s\\n' "${COMPREPLY[@]}"
      """
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/bash")
    process.arguments = ["--norc", "-c", script]
    let pipe = Pipe()
    process.standardOutput = pipe
    try process.run()
    let bytes = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
  }

  @Test(
    .enabled(if: FileManager.default.isExecutableFile(atPath: "/bin/bash"), "there is no bash"),
    arguments: [
      (["sh"], ["show"]), (["show", "a"], ["a b.trip"]), (["show", ""], ["a b.trip"]),
      (["add", "--kind", "g"], ["game"]), (["add", "--kind=g"], ["--kind=game"]),
      (["export", "--format", "=", "o"], ["org"]), (["export", "--format", "="], nil),
      (["export", "-o", "a"], ["a b.trip"]), (["export", "-o", "x", "a"], ["a b.trip"]),
      (["show", "--color", "al"], ["always"]), (["sql", "--dialect", "s"], ["sqlite"]),
      (["add", "--title", ""], []), (["add", "--day", "1", ""], ["a b.trip"]),
      (["completion", ""], ["bash", "zsh", "fish", "man"]), (["git", ""], ["setup"]),
      (["git", "setup", ""], ["a b.trip"]), (["git", "--dry-run", ""], ["setup"]),
      (["set", "a b.trip", ""], []), (["help", "exit"], ["exit-codes"]),
      (["rm", ""], ["a b.trip"]),
      (["undo", "--j"], ["--json"]), (["merge", "-", ""], ["a b.trip"]),
    ] as [([String], [String]?)])
  func bashOffersWhatIsKnown(_ words: [String], _ expected: [String]?) throws {
    let offered = try Self.offered(["betwixt"] + words)
    guard let expected else {
      #expect(offered.contains("taskpaper"))
      return
    }
    #expect(offered == expected)
  }

  @Test(
    .enabled(if: FileManager.default.isExecutableFile(atPath: "/bin/bash"), "there is no bash"))
  func aNameIsNoPatternOfOthers() throws {
    let offered = try Self.offered(["betwixt", "show", "a*"], names: ["a*b.trip", "axb.trip"])
    #expect(offered == ["a*b.trip"])
  }
}
