import Betwixt
import BetwixtSync
import BetwixtTool
import Testing

/// Undo over processes: each run opens the document, takes a step, and ends.
@Suite struct UndoCommandTests {
  private let device: TestDevice
  private let trip: String

  init() throws {
    device = try TestDevice()
    trip = device.path()
    let run = device.run("new", "--from", "-", trip, input: SampleTrip.base)
    try #require(run.code == .done, "\(run.messages)")
  }

  @Test func stepsAreTakenBackAndMadeAgain() throws {
    let start = try device.list().map(\.id)
    #expect(device.run("add", trip, "--day", "1", "--title", "Lunch").code == .done)
    #expect(device.run("set", trip, "Lunch", "title=Supper").code == .done)
    #expect(device.run("move", trip, "Supper", "--day", "2").code == .done)
    #expect(device.run("remove", trip, "Supper").code == .done)
    for words in ["remove Supper", "move Supper", "set Lunch title=Supper", "add"] {
      let run = device.run("undo", trip)
      #expect(run.code == .done && run.output.hasPrefix("undone: \(words)"), "\(run.output)")
    }
    #expect(try device.list().map(\.id) == start)
    #expect(device.run("undo", trip).code == .negative)
    #expect(device.run("undo", trip).messages.contains("nothing is left to undo"))
    for _ in 0..<4 { #expect(device.run("redo", trip).code == .done) }
    #expect(device.run("redo", trip).code == .negative)
    #expect(try device.list().map(\.id) == start)
    #expect(device.run("undo", trip).code == .done)
    #expect(try device.titles().contains("Supper"))
    let list = try device.list()
    #expect(list.indices(inSection: 2).contains { list[$0]["title"] == "Supper" })
  }

  @Test func whatOthersChangedIsKeptAndSaidUnlessOneInsists() throws {
    #expect(device.run("set", trip, "Museum", "title=Gallery").code == .done)
    let other = try TestDevice()
    #expect(other.run("new", "--from", trip, other.path()).code == .done)
    #expect(other.run("set", other.path(), "Gallery", "title=Palace").code == .done)
    #expect(device.run("sync", "--with", other.path(), trip).code == .done)
    let kept = device.run("undo", trip)
    #expect(kept.code == .negative && kept.output.contains("kept: “Palace” had title changed by"))
    #expect(try device.titles().contains("Palace"))
    let anyway = device.run("undo", "--anyway", "--json", trip)
    #expect(anyway.code == .done && anyway.output.contains("\"done\":true"), "\(anyway.output)")
    #expect(try device.titles().contains("Museum"))
    #expect(device.run("redo", trip).code == .done)
    #expect(try device.titles().contains("Palace"))
  }

  /// What an item lacks in an older copy is not said of the item.
  @Test func whatAnOlderCopyLacksIsSaidAsSuch() throws {
    let older = try device.folder.bytes("trip.trip")
    for note in ["one", "two"] {
      #expect(device.run("set", trip, "Museum", "note=\(note)").code == .done)
    }
    try device.folder.write(older, to: "trip.trip")
    let kept = device.run("undo", trip)
    let text = "kept: “Museum” does not hold note as it was any more, as in an older copy"
    #expect(kept.code == .negative && kept.output.contains(text), "\(kept.output)")
  }

  /// An import is a step of its own, though it writes in the name of the file.
  @Test func anImportIsTakenBackAndNothingElse() throws {
    let start = try device.titles()
    #expect(device.run("add", trip, "--day", "1", "--title", "Mine").code == .done)
    let plan = "title,date,time\nTheirs,2026-06-14,10:00\n"
    let run = device.run("import", "--into", trip, "-", input: plan)
    #expect(run.code == .done && run.messages.contains("added 1"), "\(run.messages)")
    let both = try device.titles()
    #expect(both.contains("Theirs"))
    // What was there already is no step.
    #expect(device.run("import", "--into", trip, "-", input: plan).code == .done)
    let first = device.run("undo", trip)
    #expect(first.code == .done && first.output.hasPrefix("undone: import"), "\(first.output)")
    #expect(try device.titles() == both.filter { $0 != "Theirs" })
    #expect(device.run("redo", trip).code == .done)
    #expect(try device.titles() == both)
    #expect(device.run("undo", trip).code == .done)
    #expect(device.run("undo", trip).output.hasPrefix("undone: add"))
    #expect(try device.titles() == start)
  }

  /// What looks the same as mine in the file that I import is not mine.
  @Test func whatAnImportBringsOfOthersIsKept() throws {
    let other = try TestDevice()
    #expect(other.run("new", "--from", trip, other.path()).code == .done)
    #expect(device.run("set", trip, "Museum", "title=Gallery").code == .done)
    #expect(other.run("set", other.path(), "Museum", "title=Gallery").code == .done)
    #expect(device.run("import", "--into", trip, other.path()).code == .done)
    let run = device.run("undo", trip)
    #expect(run.code == .negative && run.output.contains("kept: “Gallery”"), "\(run.output)")
    #expect(try device.titles().contains("Gallery"))
  }

  @Test func whatAMergeBroughtIntoADocumentIsTakenBack() throws {
    let other = try TestDevice()
    #expect(other.run("new", "--from", trip, other.path()).code == .done)
    #expect(other.run("set", other.path(), "Museum", "title=Gallery").code == .done)
    #expect(other.run("remove", other.path(), "Gallery").code == .done)
    let start = try device.titles()
    #expect(device.run("merge", trip, other.path(), "-o", trip).code == .done)
    #expect(try device.titles() != start)
    let run = device.run("undo", trip)
    #expect(run.code == .done && run.output.hasPrefix("undone: merge"), "\(run.output)")
    #expect(try device.titles() == start)
  }

  /// A command that is stopped behind its write leaves the steps as they were.
  @Test func anActThatIsNotKnownIsSaidBeforeTheOneBeforeIsTakenBack() throws {
    #expect(device.run("set", trip, "Museum", "title=Gallery").code == .done)
    let folder = try #require(try device.folder.names(in: "state").first)
    let name = "state/\(folder)/undo"
    let steps = try device.folder.bytes(name)
    #expect(device.run("add", trip, "--day", "1", "--title", "Lunch").code == .done)
    try device.folder.write(steps, to: name)
    let run = device.run("undo", trip)
    #expect(run.code == .negative && run.output.isEmpty, "\(run.output)")
    #expect(run.messages.contains("the last act here is not known to undo"))
    #expect(!run.messages.contains("nothing is left"))
    #expect(device.run("undo", trip).output.hasPrefix("undone: set Museum title=Gallery"))
    #expect(try device.titles().contains("Lunch"))
  }

  @Test func damagedStepsAreSaidAndDoNoHarm() throws {
    #expect(device.run("set", trip, "Museum", "title=Gallery").code == .done)
    let names = try device.folder.names(in: "state")
    let name = "state/\(try #require(names.first))/undo"
    var bytes = try device.folder.bytes(name)
    bytes[bytes.count / 2] ^= 1
    try device.folder.write(bytes, to: name)
    let run = device.run("undo", trip)
    #expect(run.code == .negative && run.messages.contains("cannot be undone any more"))
    #expect(device.run("set", trip, "Gallery", "title=Palace").code == .done)
    #expect(device.run("undo", trip).code == .done)
    #expect(try device.titles().contains("Gallery"))
  }

  @Test func whatWasDoneToManyFieldsIsSaidInFewWords() throws {
    let fields = (0..<400).map { "field\($0)=a long value of the field with number \($0)" }
    #expect(device.run(["set", trip, "Museum"] + fields).code == .done)
    let run = device.run("undo", trip)
    #expect(
      run.output == """
        undone: set Museum field0=a long value of the field with n… field1=a long value of the \
        field with n… and 398 more
          “Museum” has field0, field1, field10, field100 and 396 more as before

        """)
    // A program is told all of it.
    let again = device.run("redo", "--json", trip)
    #expect(again.output.contains("field399") && again.output.contains("field17,"))
  }

  @Test func whatWasDoneToManyItemsIsSaidInFewLines() throws {
    let start = try device.list().map(\.id)
    for number in 0..<30 {
      #expect(device.run("add", trip, "--day", "1", "--title", "Stop \(number)").code == .done)
    }
    for _ in 0..<30 { #expect(device.run("undo", trip).code == .done) }
    #expect(try device.list().map(\.id) == start)
    let more = SampleTrip.base.replacing("\"items\":[", with: "\"items\":[\(items(30))")
    let run = device.run("import", "--own", "--into", trip, "-", input: more)
    #expect(run.code == .done, "\(run.messages)")
    let lines = device.run("undo", trip).output.split(separator: "\n")
    #expect(lines.count == 22 && lines[0] == "undone: import" && lines[21] == "  and 10 more")
    #expect(try device.list().map(\.id) == start)
  }

  private func items(_ count: Int) -> String {
    (0..<count).map { number in
      "{\"id\":\"more\(number)\",\"day\":1,\"title\":\"More \(number)\"},"
    }.joined()
  }

  @Test func aDryRunIsNoStep() throws {
    #expect(device.run("set", "--dry-run", trip, "Museum", "title=Gallery").code == .done)
    #expect(device.run("undo", trip).code == .negative)
  }
}
