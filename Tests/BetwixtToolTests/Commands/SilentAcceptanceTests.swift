import BetwixtTool
import Foundation
import Testing

/// What looks like a slip is questioned, and never taken without a word.
@Suite struct SilentAcceptanceTests {
  private let device: TestDevice

  init() throws {
    device = try TestDevice()
    let run = device.run(
      "new", "--name", "Rome", "--start", "2026-05-01", "--days", "3", device.path())
    #expect(run.code == .done)
  }

  @Test(arguments: ["pdf", "html", "xlsx", "yaml"])
  func anUnknownEndingIsRefused(_ ending: String) throws {
    let path = device.path("x.\(ending)")
    let run = device.run("export", device.path(), "-o", path)
    #expect(run.code == .usage)
    #expect(run.messages.contains("no format has the ending '.\(ending)'"))
    #expect(try !device.folder.names.contains("x.\(ending)"))
    #expect(device.run("export", device.path(), "--format", "json", "-o", path).code == .done)
  }

  @Test(arguments: ["plain", "trip.2026", ".hidden"])
  func aNameWithoutAnEndingIsNoSlip(_ name: String) {
    #expect(device.run("export", device.path(), "-o", device.path(name)).code == .done)
  }

  @Test func aFieldThatIsAlmostAnotherIsQuestioned() throws {
    let run = device.run("add", "--day", "1", "--title", "Lunch", device.path(), "tiem=13:00")
    #expect(run.code == .usage)
    #expect(run.messages.contains("there is no field 'tiem'; did you mean 'time'?"))
    #expect(try device.titles().isEmpty)
    let insisting = device.run(
      "add", "--new-field", "--day", "1", "--title", "Lunch", device.path(), "tiem=13:00")
    #expect(insisting.code == .done)
    // What is there once is no slip any more, nor is what is like nothing that is known.
    #expect(device.run("set", device.path(), "Lunch", "tiem=14:00", "wifi=yes").code == .done)
    #expect(device.run("set", device.path(), "Lunch", "adress=x").code == .usage)
  }

  @Test(arguments: [("title=Paris", "name"), ("start=2026-05-02", "startDate")])
  func theTripsOwnFieldsAreCalledOtherwise(_ assignment: String, _ meant: String) throws {
    // That items have a field of this name makes it none of the trip.
    device.run("add", "--day", "1", "--title", "Lunch", device.path(), "--new-field", "start=x")
    let before = try device.folder.bytes("trip.trip")
    let run = device.run("set", device.path(), "trip", assignment)
    #expect(run.code == .usage)
    #expect(run.messages.contains("did you mean '\(meant)'?"), "\(run.messages)")
    #expect(try device.folder.bytes("trip.trip") == before)
    #expect(device.run("set", "--new-field", device.path(), "trip", assignment).code == .done)
    #expect(device.run("set", device.path(), "trip", assignment + "x").code == .done)
  }

  @Test(arguments: [
    ("8:30", "08:30"), ("9pm", "21:00"), ("12.15 AM", "00:15"), ("9 am", "09:00"),
    ("13:00", "13:00"), ("12pm", "12:00"),
  ])
  func timesAreReadAsTheyAreTyped(_ typed: String, _ shown: String) {
    let run = device.run("add", "--day", "1", "--title", "Lunch", "--time", typed, device.path())
    #expect(run.code == .done)
    #expect(device.run("show", device.path()).output.contains("  \(shown)  Lunch"))
    #expect(device.run("set", device.path(), "Lunch", "time=\(typed)").code == .done)
    #expect(device.run("show", device.path()).output.contains("  \(shown)  Lunch"))
  }

  @Test(arguments: ["9", "25:00", "13pm", "8:3", "noon", "8:30:00", "", "9 xm"])
  func whatIsNoTimeIsRefused(_ typed: String) {
    let run = device.run("add", "--day", "1", "--title", "Lunch", "--time=\(typed)", device.path())
    #expect(run.code == .usage)
  }

  @Test func aStateThatNobodyKnowsIsRefused() throws {
    let tasks = device.path("todo.trip")
    #expect(device.run("new", "--from", "-", tasks, input: SampleTrip.tasks).code == .done)
    let run = device.run("set", tasks, "Pack", "state=done")
    #expect(run.code == .usage)
    #expect(run.messages.contains("'betwixt done FILE TASK' ticks a task off"))
    #expect(device.run("set", tasks, "Pack", "state=completed").code == .done)
    #expect(device.run("show", tasks).output.contains("[x] Pack"))
  }

  @Test func tasksAreTickedOffAndOpenedAgain() throws {
    let tasks = device.path("todo.trip")
    #expect(device.run("new", "--from", "-", tasks, input: SampleTrip.tasks).code == .done)
    #expect(device.run("done", tasks, "Pack", "Ask").output.hasPrefix("done “Pack”"))
    #expect(device.run("show", tasks).output.contains("[x] Ask about tickets"))
    #expect(device.run("done", tasks, "Pack").output.hasPrefix("unchanged “Pack”"))
    #expect(device.run("open", tasks, "Pack", "Pack").output.split(separator: "\n").count == 1)
    #expect(device.run("done", tasks, "Pack", "Pack").output.split(separator: "\n").count == 1)
    #expect(device.run("open", tasks, "Pack").code == .done)
    #expect(device.run("show", tasks).output.contains("[ ] Pack"))
    #expect(device.run("undo", tasks).code == .done)
    #expect(device.run("show", tasks).output.contains("[x] Pack"))
    #expect(device.run("done", device.path(), "Pack").code == .badData)
  }

  /// Two names that would look alike with U+FFFD in them are two files.
  @Test func aNameThatIsNoUTF8IsOpenedAndNotTakenForAnother() throws {
    let line = """
      tool='\(SpawnedTool.path)' BETWIXT_STATE=state && export BETWIXT_STATE
      one=$(printf 'x\\377.trip') two=$(printf 'x\\376.trip')
      "$tool" new --name One --days 1 "$one" && "$tool" new --name Two --days 1 "$two" &&
      "$tool" add --day 1 --title Lunch "$one" && "$tool" sync --with "$one" "$one" ;
      "$tool" show "$one" && "$tool" show "$two" && "$tool" log "$one" && ls *.trip | wc -l
      """
    let run = try SpawnedShell(line, in: device.folder)
    #expect(run.code == 0, "\(run.messages)")
    #expect(run.messages == "Error: x\\xff.trip and x\\xff.trip are one and the same file\n")
    #expect(run.output.contains("made x\\xff.trip, no items yet"))
    #expect(run.output.contains("\nOne\n1 day, 1 item") && run.output.contains("\nTwo\n1 day, 0"))
    #expect(run.output.hasSuffix("3\n"), "with that of the test")
  }

  @Test func aTextThatIsNoUTF8IsRefused() throws {
    let line = """
      tool='\(SpawnedTool.path)' BETWIXT_STATE=state && export BETWIXT_STATE
      "$tool" add --day 1 --title "$(printf 'x\\377')" trip.trip
      """
    let run = try SpawnedShell(line, in: device.folder)
    #expect(run.code == 64)
    #expect(run.messages.hasPrefix("Error: TEXT is no UTF-8: 'x\\xff'\n"))
    let field = try SpawnedShell(
      "'\(SpawnedTool.path)' set trip.trip trip \"name=$(printf 'x\\377')\"", in: device.folder)
    #expect(field.code == 64)
  }

  @Test func aTripWithoutDatesIsNotMalformed() {
    let empty = #"{"id":"x","items":[]}"#
    #expect(
      device.run("show", "-", input: empty).output.contains(
        "[“days” is missing; “startDate” is missing]"))
    let check = device.run("check", "-", input: empty)
    #expect(check.output.contains("the trip has no “days”; 'betwixt set FILE trip days=…'"))
    #expect(!check.output.contains("malformed"))
  }

  @Test func whatWouldBeRepairedIsNotSaidToBeDone() throws {
    let trip = SampleTrip.trip(items: [SampleTrip.dinner(day: 9)])
    #expect(device.run("new", "--from", "-", device.path("n.trip"), input: trip).code == .done)
    let run = device.run("repair", "--dry-run", device.path("n.trip"))
    #expect(run.output.hasPrefix("would repair: "))
    let json = device.run("repair", "--dry-run", "--json", device.path("n.trip")).output
    #expect(json.hasPrefix(#"{"repair":"planned","violation":"dayOutOfRange","item":"#))
    #expect(device.run("repair", device.path("n.trip")).output.hasPrefix("repaired: "))
  }

  @Test func whatIsOutOfOrderIsNamedByTheIdOfItsFile() {
    let trip = SampleTrip.trip(items: [SampleTrip.game.replacing("820.0", with: "7.0")])
    let line = device.run("check", "--json", "-", input: trip).output
    #expect(line.contains(#""foreignId":"wc-1""#))
  }

  @Test func reportsNameFieldsAndTimesAsFilesDo() throws {
    func copy(_ photos: String, _ time: String) -> String {
      let item =
        #"{"id":"a","day":1,"title":"A","photos":["# + photos + #"],"modifiedAt":"# + time + "}"
      return SampleTrip.trip(items: [item])
    }
    let base = try device.folder.write(copy("1", "\"2026-05-01T00:00:00Z\""), to: "b.json")
    let one = try device.folder.write(copy("1,2", "\"2026-05-02T00:00:00Z\""), to: "one.json")
    let two = try device.folder.write(copy("1,3", "\"2026-05-03T00:00:00Z\""), to: "two.json")
    let words = device.run("merge", "--base", base, one, two).messages
    #expect(words.contains("conflict: “photos” of “A”"))
    let lines = device.run("merge", "--json", "--base", base, one, two).messages
    #expect(lines.contains(#""register":"photos""#))
    #expect(lines.contains(#""time":"2026-05-03T00:00:00Z""#))
    #expect(!(words + lines).contains("json:"))
  }
}

/// A line of the shell that is run to its end.
private struct SpawnedShell {
  let code: Int32
  let output: String
  let messages: String

  init(_ line: String, in folder: ScratchFolder) throws {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/sh")
    process.arguments = ["-c", "( \(line)\n) > output 2> messages"]
    process.currentDirectoryURL = URL(fileURLWithPath: folder.path)
    try process.run()
    process.waitUntilExit()
    code = process.terminationStatus
    output = try folder.text("output")
    messages = try folder.text("messages")
  }
}
