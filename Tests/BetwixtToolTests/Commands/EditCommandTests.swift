import Betwixt
import BetwixtTool
import Testing

/// The commands that change a document in place.
@Suite struct EditCommandTests {
  private let device: TestDevice
  private let trip: String

  init() throws {
    device = try TestDevice()
    trip = device.path()
    let run = device.run("new", "--from", "-", trip, input: SampleTrip.base)
    try #require(run.code == .done, "\(run.messages)")
  }

  private var titles: [String] {
    get throws { try device.titles() }
  }

  @Test func newMakesADocumentOnce() throws {
    let run = device.run(
      "new", "--name", "Rome", "--start", "2026-05-01", "--days", "3", device.path("rome.trip"))
    #expect(run.code == .done)
    let list = try device.list("rome.trip")
    #expect(list.metadata["name"] == "Rome")
    #expect(list.metadata["startDate"] == "2026-05-01")
    #expect(list.metadata["days"] == 3)
    #expect(run.output.contains("document \(list.id)"))
    #expect(device.run("new", device.path("rome.trip")).code == .cannotCreate)
    #expect(device.run("new", "--start", "May", device.path("x.trip")).code == .usage)
    #expect(device.run("new", "--days", "0", device.path("x.trip")).code == .usage)
    #expect(device.run("new", "--tasks", "--days", "3", device.path("x.trip")).code == .usage)
    #expect(device.run("new", device.path("missing/x.trip")).code == .noInput)
    #expect(try !device.folder.names.contains("x.trip"))
  }

  @Test func aCopyOfAnEmptyDocumentHasItsID() throws {
    let id = try device.list().id
    #expect(device.run("new", "--id", id.description, device.path("copy.trip")).code == .done)
    #expect(try device.list("copy.trip").id == id)
    #expect(device.run("sync", "--with", trip, device.path("copy.trip")).code == .done)
    #expect(try device.list("copy.trip") == device.list())
    #expect(device.run("new", "--id", "7", device.path("x.trip")).code == .usage)
  }

  @Test func addGoesWhereItIsTold() throws {
    #expect(device.run("add", trip, "--day", "1", "--title", "Late walk").code == .done)
    #expect(device.run("add", trip, "--day", "1", "--at", "1", "--title", "Coffee").code == .done)
    #expect(device.run("add", trip, "--after", "Museum", "--title", "Lunch").code == .done)
    #expect(device.run("add", trip, "--before", "1.1", "--title", "Alarm").code == .done)
    #expect(device.run("add", trip, "--day", "2026-06-15", "--title", "Rest").code == .done)
    #expect(
      try titles == ["Alarm", "Coffee", "Museum", "Lunch", "", "Dinner", "Late walk", "", "Rest"])
    #expect(try device.list()[8].section == 3)
  }

  @Test func addKeepsFieldsInTheirForm() throws {
    let run = device.run(
      "add", trip, "--day", "3", "--title", "Market", "--time", "09:30", "durationMin=90",
      "latitude=47.6", "note=fish", "price:=12.5", "paid:=true", "count:=3", "--json")
    #expect(run.code == .done)
    let item = try #require(try device.list().last)
    #expect(item["durationMin"] == 90)
    #expect(item["latitude"] == 47.6)
    #expect(item["price"] == 12.5)
    #expect(item["paid"] == true)
    #expect(item["count"] == 3)
    #expect(item["note"] == "fish")
    #expect(
      run.output
        == "{\"edit\":\"added\",\"changed\":true,\"id\":\"\(item.id.uuid)\",\"label\":\"Market\","
        + "\"day\":3,\"row\":1}\n")
  }

  @Test(arguments: [
    (["--day", "3", "--title", "A", "durationMin=long"], "is a whole number"),
    (["--day", "3", "--title", "A", "latitude=91"], "is a number from -90 to 90"),
    (["--day", "3", "--title", "A", "time=25:00"], "is a time like 13:00"),
    (["--day", "3", "--title", "A", "distanceKm=far"], "is a number, not 'far'"),
    (["--day", "3", "--title", "A", "distanceKm=-5"], "is a number from 0, not '-5'"),
    (["--day", "3", "--title", "A", "distanceKm=0x10"], "is a number, not '0x10'"),
    (["--day", "3", "--title", "A", "durationMin:=-5"], "is a number from 0, not '-5'"),
    (["--day", "3", "--title", "A", "day=4"], "'betwixt move' moves items"),
    (["--day", "3", "--title", "A", "word"], "is no FIELD=VALUE"),
    (["--day", "3", "--before", "Museum", "--title", "A"], "only one of --day"),
    (["--at", "1", "--title", "A"], "needs --day"), (["--day", "3"], "--title or a FIELD=VALUE"),
    (["--title", "A"], "where is the item to stand?"),
    (["--kind", "game", "--day", "1", "gameId=x"], "a game stands where its start says"),
  ])
  func addRefusesWhatMakesNoSense(_ arguments: [String], _ reason: String) throws {
    let before = try device.folder.bytes("trip.trip")
    let run = ToolRun(["add", trip] + arguments, environment: device.environment)
    #expect(run.code == .usage)
    #expect(run.messages.contains(reason), "\(run.messages)")
    #expect(try device.folder.bytes("trip.trip") == before)
  }

  @Test(arguments: [
    (["--day", "9", "--title", "A"], "it has the days 1 to 3 from 2026-06-13"),
    (["--day", "1", "--at", "9", "--title", "A"], "the last place is 4"),
    (["--day", "2", "--at", "9", "--title", "A"], "there is 1 other on that day"),
    (["--after", "Nothing", "--title", "A"], "shows no item 'Nothing'"),
    (["--kind", "game", "gameId=x"], "a game needs a gameId and a start"),
  ])
  func addSaysWhyItCannot(_ arguments: [String], _ reason: String) throws {
    let before = try device.folder.bytes("trip.trip")
    let run = ToolRun(["add", trip] + arguments, environment: device.environment)
    #expect(run.code == .negative)
    #expect(run.messages.contains(reason), "\(run.messages)")
    #expect(try device.folder.bytes("trip.trip") == before)
  }

  /// Only legs have a distance by the rules; on others it is a number all the same.
  @Test func whatIsTypedMeansTheSameForEveryKind() throws {
    #expect(device.run("add", trip, "--day", "3", "--title", "Walk", "distanceKm=5").code == .done)
    let json = device.run("export", "--format", "json", trip).output
    #expect(json.contains("\"distanceKm\":5.0"))
  }

  /// What a message advises can be copied into a shell.
  @Test(arguments: [
    ("rome.trip", "rome.trip"), ("é-1.trip", "é-1.trip"), ("my trip", "\"my trip\""), ("", "\"\""),
    ("it's", "\"it's\""), ("a$b", "'a$b'"), ("a'$b", "'a'\\''$b'"), ("*", "\"*\""),
  ])
  func advisedWordsAreQuoted(_ text: String, _ word: String) {
    #expect(text.shellWord == word)
    #expect(text.shellPath == word)
  }

  @Test func anAdvisedFileIsNoOption() {
    #expect("-g.trip".shellPath == "./-g.trip" && "-".shellPath == "-")
    #expect("-my trip".shellPath == "\"./-my trip\"")
  }

  /// What would be another id when it is copied is not advised.
  @Test(arguments: [("-x", true), ("a\nb", false)])
  func aGameOfAStrangeID(_ id: String, _ isAdvised: Bool) throws {
    let game = ["add", trip, "--kind", "game", "gameId=\(id)", "start=2026-06-14T20:00"]
    #expect(device.run(game).code == .done)
    let run = device.run(game)
    #expect(run.code == .negative && run.messages.contains("betwixt set -- ") == isAdvised)
    #expect(run.messages.contains("'betwixt ") == isAdvised, "\(run.messages)")
    if isAdvised { #expect(device.run("set", "--", trip, id, "round=final").code == .done) }
  }

  @Test func zeroHasNoSign() throws {
    for (title, word) in [("A", "distanceKm=-0"), ("B", "distanceKm:=-0.0")] {
      #expect(device.run("add", trip, "--day", "3", "--title", title, word).code == .done)
    }
    #expect(!device.run("export", "--format", "json", trip).output.contains("\"distanceKm\":-"))
  }

  @Test func aGameThatIsThereIsNamedInQuotes() throws {
    let game = ["add", trip, "--kind", "game", "gameId=the final", "start=2026-06-14T20:00"]
    #expect(device.run(game).code == .done)
    let run = device.run(game)
    #expect(run.messages.contains("\"the final\" FIELD=VALUE' changes it"), "\(run.messages)")
  }

  /// A verb that is run twice takes no other item the second time.
  @Test func whatIsCalledAlmostSoIsNamedAndLeftAlone() throws {
    for title in ["Nap", "Nap at sea", "CLOUDS"] {
      #expect(device.run("add", trip, "--day", "1", "--title", title).code == .done)
    }
    #expect(device.run("remove", trip, "Nap").code == .done)
    let before = try device.titles()
    for words in [
      ["remove", trip, "Nap"], ["set", trip, "nap", "note=x"], ["move", trip, "Nap"],
    ] {
      let run = device.run(words + (words[0] == "move" ? ["--day", "2"] : []))
      #expect(run.code == .negative, "\(words)")
      #expect(run.messages.contains("near it is “Nap at sea” (1."), "\(run.messages)")
      #expect(run.messages.contains("there is one that was removed"), "\(run.messages)")
    }
    #expect(device.run("restore", trip, "Na").code == .negative)
    #expect(device.run("remove", trip, "Nap at see").messages.contains("near it is “Nap at sea”"))
    #expect(try device.titles() == before)
    // Small and large letters make no difference, unless there are several.
    #expect(device.run("set", trip, "Clouds", "note=x").code == .done)
    #expect(device.run("add", trip, "--day", "1", "--title", "clouds").code == .done)
    #expect(device.run("remove", trip, "Clouds").messages.contains("2 shown items"))
    #expect(device.run("remove", trip, "clouds").code == .done)
    #expect(device.run("explain", trip, "Nap at").code == .done)
  }

  @Test func theNameOfAKindIsNoItems() throws {
    let run = device.run("add", trip, "--day", "1", "note=x")
    try #require(run.code == .done, "\(run.messages)")
    let before = try device.list().count
    for word in ["custom", "travel", "game"] {
      #expect(device.run("remove", trip, word).code == .negative)
    }
    #expect(try device.list().count == before)
  }

  @Test func whatIsTooLargeIsSaidWithItsLimit() {
    let value = device.run("set", trip, "Museum", "note=" + String(repeating: "x", count: 70_000))
    #expect(value.code == .negative && value.messages.contains("up to 64 KiB"), "\(value.messages)")
    let title = device.run(
      "add", trip, "--day", "1", "--title", String(repeating: "x", count: 70_000))
    #expect(title.code == .negative && title.messages.contains("up to 64 KiB"), "\(title.messages)")
  }

  @Test func aLegGoesBelowTheGameItLeaves() throws {
    #expect(
      device.run("add", trip, "--day", "1", "--kind", "travel", "from=Seattle", "to=Portland").code
        == .done)
    let list = try device.list()
    #expect(list[1]["home"] == "USA")
    #expect(list[2]["to"] == "Portland")
  }

  @Test func aGameStandsAndMovesWithItsStart() throws {
    #expect(
      device.run("add", trip, "--kind", "game", "gameId=wc-2", "start=2026-06-14T18:00-07:00").code
        == .done)
    #expect(try device.list().indices(inSection: 2).count == 2)
    let refused = device.run("move", "--day", "3", trip, "wc-2")
    #expect(refused.code == .negative)
    #expect(refused.messages.contains("which stands where its start says"))
    #expect(device.run("set", trip, "wc-2", "start=2026-06-15T18:00-07:00").code == .done)
    #expect(try device.list().indices(inSection: 3).count == 1)
    #expect(device.run("set", trip, "wc-2", "gameId=other").code == .usage)
    #expect(device.run("check", trip).code == .done)
  }

  @Test func moveIsOneWrite() throws {
    let before = try device.list()
    let run = device.run("move", "--day", "3", trip, "museum")
    #expect(run.code == .done)
    let after = try device.list()
    #expect(after.delta(since: before.version).count == 1)
    #expect(try titles.last == "Museum")
    #expect(run.output.hasPrefix("moved 3.1 “Museum”, id "))
    let again = device.run("move", "--day", "3", trip, "3.1")
    #expect(again.output.hasPrefix("unchanged 3.1 "))
    #expect(try device.list() == after)
  }

  /// Beside itself is where it stands, not the start of its day.
  @Test(arguments: ["--before", "--after"]) func besideItselfIsNoMove(_ option: String) throws {
    device.run("add", "--day", "3", "-t", "Park", trip)
    device.run("add", "--day", "3", "-t", "Zoo", trip)
    let before = try device.list()
    #expect(device.run("move", option, "Zoo", trip, "Zoo").output.hasPrefix("unchanged 3."))
    #expect(try device.list() == before)
  }

  @Test func aLegMovesOnlyWhereItsGamesAllowIt() throws {
    let run = device.run("move", "--day", "1", "--at", "1", trip, "Seattle → Vancouver")
    #expect(run.code == .negative)
    #expect(run.messages.contains("cannot stand there; the games of its cities allow parts of day"))
  }

  @Test func setChangesOnlyWhatDiffers() throws {
    let before = try device.list()
    let run = device.run("set", trip, "Museum", "title=Museum", "note=Free on Sundays", "icon=")
    #expect(run.code == .done)
    #expect(try device.list().delta(since: before.version).count == 1)
    #expect(device.run("set", trip, "Museum", "note=").code == .done)
    let item = try #require(try device.list().first)
    #expect(item["note"] == nil)
    #expect(device.run("set", trip, "trip", "days=5", "name=Long trip").code == .done)
    #expect(try device.list().metadata["days"] == 5)
    #expect(device.run("set", trip, "trip", "days=0").code == .usage)
    #expect(device.run("set", trip, "trip", "startDate=tomorrow").code == .usage)
    #expect(device.run("set", trip, "Museum", "kind=game").code == .usage)
  }

  @Test func whatIsRemovedComesBack() throws {
    let before = try titles
    #expect(device.run("remove", trip, "1.1", "Dinner").code == .done)
    #expect(try device.list().count == before.count - 2)
    let missing = device.run("move", "--day", "2", trip, "Dinner")
    #expect(missing.code == .negative)
    #expect(missing.messages.contains("there is one that was removed"))
    #expect(device.run("restore", trip, "Dinner", "Museum").code == .done)
    #expect(try titles == before)
    #expect(device.run("restore", trip, "Dinner").output.hasPrefix("unchanged "))
  }

  @Test func oneUnknownItemAndNothingIsRemoved() throws {
    let before = try device.folder.bytes("trip.trip")
    #expect(device.run("remove", trip, "Dinner", "Nothing").code == .negative)
    #expect(try device.folder.bytes("trip.trip") == before)
  }

  @Test func anAmbiguousTitleNamesTheRows() throws {
    device.run("add", trip, "--day", "2", "--title", "Dinner")
    let run = device.run("remove", trip, "Dinner")
    #expect(run.code == .negative)
    #expect(run.messages.contains("2 shown items of"))
    #expect(run.messages.contains("1.3, 2.2"))
    #expect(device.run("remove", trip, "2.2").code == .done)
    #expect(device.run("remove", trip, "Dinner").code == .done)
  }

  @Test func explainSaysWhoWroteWhat() throws {
    device.run("set", trip, "Museum", "note=Free")
    let writer = try #require(
      try device.list().version.first { $0.sequence == 1 }?.replica)
    let run = device.run("explain", trip, "Museum")
    #expect(
      run.output.hasPrefix("“Museum”, id 11111111-1111-4111-8111-111111111111, shown as 1.1\n"))
    #expect(run.output.contains("  note: \"Free\"  written 20"))
    #expect(run.output.contains("by \(writer), its number 1\n"))
    let json = device.run("explain", "--json", trip, "trip").output
    #expect(json.contains("{\"id\":\"root\",\"register\":\"name\",\"value\":\"North west\","))
    #expect(device.run("explain", trip, "Nothing").code == .negative)
  }

  @Test func aTrialChangesNothing() throws {
    let before = try device.folder.bytes("trip.trip")
    for arguments in [
      ["add", "--dry-run", trip, "--day", "1", "--title", "A"],
      ["move", "-n", "--day", "3", trip, "Museum"], ["set", "-n", trip, "Museum", "note=a"],
      ["remove", "-n", trip, "Museum"], ["repair", "-n", trip],
    ] {
      #expect(ToolRun(arguments, environment: device.environment).code == .done)
    }
    #expect(try device.folder.bytes("trip.trip") == before)
    #expect(try device.folder.names.filter { $0.hasPrefix("state") } == [])
  }

  @Test func onlyDocumentsAreEdited() throws {
    try device.folder.write(SampleTrip.base, to: "plain.json")
    let run = device.run("add", device.path("plain.json"), "--day", "1", "--title", "A")
    #expect(run.code == .badData)
    #expect(run.messages.contains("'betwixt new --from "))
    #expect(try device.folder.text("plain.json") == SampleTrip.base)
    #expect(
      device.run("add", device.path("none.trip"), "--day", "1", "--title", "A").code == .noInput)
    #expect(device.run("add", "-", "--day", "1", "--title", "A").code == .usage)
    #expect(try !device.folder.names.contains("none.trip.lock"))
  }

  @Test func anExportBecomesADocumentWithItsFirstWrite() throws {
    let sealed = try device.exported()
    #expect(device.run("show", device.path("sealed.trip")).code == .done)
    #expect(try device.folder.bytes("sealed.trip") == sealed)
    let add = device.run("add", device.path("sealed.trip"), "--day", "1", "--title", "A")
    #expect(add.code == .done)
    #expect(device.run("doctor", device.path("sealed.trip")).output.contains("document, "))
    #expect(try device.list("sealed.trip").count == device.list().count + 1)
  }

  @Test func anotherFirstDayIsToldForAllThatItMoves() throws {
    let moved = device.run("set", trip, "trip", "startDate=2026-06-12")
    #expect(moved.code == .done)
    let words = moved.messages
    #expect(words.contains("note: 3 items stand") && words.contains("as far from the first day"))
    #expect(words.contains("note: a game keeps its date") && words.contains("betwixt repair"))
    let same = device.run("set", trip, "trip", "startDate=2026-06-12")
    #expect(same.messages.isEmpty)
    #expect(device.run("set", trip, "trip", "name=Other").messages.isEmpty)
  }

  /// Runs a command whose words find no room; returns what it says of that.
  private func saidWithoutRoom(_ arguments: String...) -> String {
    let error = MemorySink()
    let code = BetwixtTool.run(
      arguments: arguments, input: MemorySource(""),
      output: MemorySink(refusal: SystemError(number: 28)), error: error,
      environment: device.environment)
    #expect(code == .inputOutput)
    return error.text
  }

  /// Whoever believed that nothing was done would have it twice.
  @Test func wordsThatCannotBeWrittenSayThatTheEditIsDone() throws {
    let isDone = "is in the document all the same"
    let count = try device.list().count
    #expect(saidWithoutRoom("add", trip, "--day", "1", "--title", "Once").contains(isDone))
    #expect(try device.list().count == count + 1)
    #expect(saidWithoutRoom("undo", trip).contains(isDone))
    #expect(try device.list().count == count)
    #expect(saidWithoutRoom("redo", trip).contains(isDone))
    #expect(saidWithoutRoom("new", device.folder.path("other.trip")).contains(isDone))
    #expect(
      saidWithoutRoom("doctor", trip, "-o", device.folder.path("again.trip")).contains(isDone))
    // Nothing is in a document because somebody looked.
    #expect(!saidWithoutRoom("show", trip).contains("all the same"))
    #expect(!saidWithoutRoom("doctor", trip).contains("all the same"))
  }

  @Test func repairMendsWhatCheckFinds() throws {
    device.run("set", trip, "trip", "startDate=2026-06-12")
    #expect(device.run("check", trip).code == .negative)
    let trial = device.run("repair", "-n", trip)
    #expect(trial.output.hasPrefix("would repair: “USA – Turkey” on day 1: "))
    let run = device.run("repair", trip)
    #expect(run.code == .done)
    #expect(run.output == trial.output.replacing("would repair: ", with: "repaired: "))
    #expect(device.run("check", trip).code == .done)
    let before = try device.folder.bytes("trip.trip")
    #expect(device.run("repair", "--json", trip).output.isEmpty)
    #expect(try device.folder.bytes("trip.trip") == before)
  }

  @Test func tasksHaveDatesInPlaceOfDays() throws {
    let tasks = device.path("tasks.trip")
    #expect(device.run("new", "--tasks", "--name", "To do", tasks).code == .done)
    #expect(device.run("add", tasks, "--title", "Pack").code == .done)
    #expect(device.run("add", tasks, "--title", "Tickets", "--day", "2026-06-01").code == .done)
    #expect(device.run("move", "--before", "Tickets", tasks, "Pack").code == .done)
    #expect(device.run("set", tasks, "Pack", "state=active").code == .done)
    #expect(
      device.run("show", tasks).output == "To do\n\n2026-06-01\n  [ ] Pack\n  [ ] Tickets\n")
    #expect(device.run("move", "--day", "inbox", tasks, "Tickets").code == .done)
    #expect(device.run("move", "--day", "2", tasks, "Tickets").code == .usage)
    #expect(device.run("repair", tasks).code == .badData)
  }

  private func tasks() throws -> String {
    let tasks = device.path("tasks.trip")
    #expect(device.run("new", "--tasks", "--name", "To do", tasks).code == .done)
    #expect(device.run("add", tasks, "--title", "Buy bread").code == .done)
    return tasks
  }

  /// As a second title it would hide every later edit of the text.
  @Test func theTitleOfATaskIsItsText() throws {
    let tasks = try tasks()
    #expect(device.run("set", tasks, "Buy bread", "title=Buy rolls").code == .done)
    #expect(device.run("set", tasks, "Buy rolls", "text=Buy cake").code == .done)
    #expect(device.run("add", tasks, "title=Call Ann").code == .done)
    #expect(device.run("show", tasks).output == "To do\n\nInbox\n  [ ] Buy cake\n  [ ] Call Ann\n")
    #expect(try device.list("tasks.trip").allItems().allSatisfy { $0["title"] == nil })
  }

  @Test func aFieldIsGivenOneValue() throws {
    let tasks = try tasks()
    for arguments in [
      ["set", tasks, "Buy bread", "title=A", "text=B"], ["add", tasks, "--title", "A", "text=B"],
      ["add", tasks, "--title", "A", "--time", "9:00", "time=10:00"],
      ["set", trip, "Museum", "note=a", "note=b"],
      ["add", trip, "--day", "1", "--title", "A", "title=B"],
    ] {
      let run = device.run(arguments)
      #expect(run.code == .usage)
      #expect(run.messages.contains("is given two values"), "\(run.messages)")
    }
  }

  @Test func aTaskKeepsItsTimeAndHasNoKind() throws {
    let tasks = try tasks()
    #expect(device.run("add", tasks, "--title", "Call Ann", "--time", "1pm").code == .done)
    #expect(try device.list("tasks.trip").last?["time"] == "13:00")
    let before = try device.folder.bytes("tasks.trip")
    let run = device.run("add", tasks, "--title", "Match", "--kind", "game")
    #expect(run.code == .usage && run.messages.contains("a task has no --kind"))
    #expect(try device.folder.bytes("tasks.trip") == before)
  }
}
