import BetwixtTool
import Testing

@Suite struct ShowCommandTests {
  @Test func drawsTheTripDayByDay() {
    let run = ToolRun("show", "-", input: SampleTrip.base)
    #expect(run.code == .done)
    #expect(run.messages.isEmpty)
    #expect(
      run.output == """
        North west
        3 days from Sat 2026-06-13, 4 items

        Day 1, Sat 2026-06-13
                 Museum
          12:00  USA – Turkey (Lumen Field, Seattle)
                 Dinner: Booked

        Day 2, Sun 2026-06-14
          09:30  Seattle → Vancouver (car, 195.6 km, 2 h 55 min)

        Day 3, Mon 2026-06-15

        """)
  }

  @Test func printsOneObjectPerRow() {
    let run = ToolRun("show", "--json", "-", input: SampleTrip.base)
    #expect(
      run.output == """
        {"day":1,"row":"header"}
        {"day":1,"row":"item","id":"11111111-1111-4111-8111-111111111111","kind":"custom",\
        "title":"Museum","sortOrder":-1.0}
        {"day":1,"row":"item","id":"7eb2f1e1-220f-9693-9a29-045cb395b61c","foreignId":"wc-1",\
        "kind":"game","title":"USA – Turkey","sortOrder":820.0}
        {"day":1,"row":"item","id":"22222222-2222-4222-8222-222222222222","kind":"custom",\
        "title":"Dinner","sortOrder":821.0}
        {"day":2,"row":"header"}
        {"day":2,"row":"item","id":"33333333-3333-4333-8333-333333333333","kind":"travel",\
        "title":"Seattle → Vancouver","sortOrder":1.0}
        {"day":3,"row":"header"}

        """)
  }

  @Test func itemsBeyondTheTripStandUnderItsFirstAndLastDay() {
    let trip = SampleTrip.trip(items: [SampleTrip.dinner(day: 9), SampleTrip.museum(day: -2)])
    #expect(
      ToolRun("show", "-", input: trip).output.hasSuffix(
        """
        Day 1, Sat 2026-06-13
                 Museum [stored on day -2]

        Day 2, Sun 2026-06-14

        Day 3, Mon 2026-06-15
                 Dinner: Booked [stored on day 9]

        """))
    #expect(
      ToolRun("show", "--json", "-", input: trip).output.contains(
        """
        {"day":3,"row":"item","id":"22222222-2222-4222-8222-222222222222","kind":"custom",\
        "title":"Dinner","sortOrder":821.0,"storedDay":9,"violations":["dayOutOfRange"]}

        """))
  }

  @Test func whatIsOutOfOrderIsSaidInItsPlace() {
    let late = SampleTrip.game.replacing("12:00-07:00", with: "09:30-07:00")
    let game = """
      {"id":"wc-2","kind":"game","day":1,"sortOrder":1000.0,"home":"A","away":"B",\
      "start":"2026-06-13T15:00+09:00","city":"Vancouver"}
      """
    let early = SampleTrip.leg.replacing("\"day\":2", with: "\"day\":1")
      .replacing("\"sortOrder\":1.0", with: "\"sortOrder\":1100.0")
    let trip = SampleTrip.trip(items: [late, game, early], days: 0)
    #expect(
      ToolRun("show", "-", input: trip).output == """
        North west
        1 day from Sat 2026-06-13, 3 items [“days” is malformed]

        Day 1, Sat 2026-06-13
          09:30  USA – Turkey (Lumen Field, Seattle) [its start says day 1, 09:30]
          15:00  A – B (Vancouver) [starts before the game above it]
          09:30  Seattle → Vancouver (car, 195.6 km, 2 h 55 min) \
        [the games of its cities do not allow it here]

        """)
    let lines = ToolRun("show", "--json", "-", input: trip).output
    #expect(lines.contains(#""sortOrder":1100.0,"violations":["travelOutOfPlace"]}"#))
    #expect(!ToolRun("show", "-", input: SampleTrip.base).output.contains("["))
  }

  @Test func tasksStandUnderTheirDatesAndDoneOnesLast() {
    #expect(
      ToolRun("show", "-", input: SampleTrip.tasks).output == """
        To do

        Inbox
          [ ] Ask about tickets

        2026-02-13
          [ ] Pack
          [x] Book the hotel

        """)
    #expect(
      ToolRun("show", "--json", "-", input: SampleTrip.tasks).output.hasPrefix(
        """
        {"row":"header"}
        {"row":"item","id":"a1111111-1111-4111-8111-111111111111","title":"Ask about tickets",
        """.dropLast(1)))
  }

  @Test func colourIsForTerminals() {
    let plain = ToolRun("show", "-", input: SampleTrip.base).output
    let colored = ToolRun("show", "-", input: SampleTrip.base, isTerminal: true).output
    #expect(!plain.contains("\u{1b}"))
    #expect(colored.contains("\u{1b}[1mNorth west\u{1b}[0m"))
    let never = ToolRun("show", "--color=never", "-", input: SampleTrip.base, isTerminal: true)
    #expect(never.output == plain)
    let always = ToolRun("show", "--color", "always", "-", input: SampleTrip.base)
    #expect(always.output == colored)
    #expect(ToolRun("show", "--color", "blue", "-", input: SampleTrip.base).code == .usage)
  }

  @Test func textOfAStrangerDoesNotActOnTheTerminal() {
    let trip = SampleTrip.trip(items: [SampleTrip.museum(title: "\\u001b[2Jgone\\nsecond")])
    let output = ToolRun("show", "-", input: trip).output
    #expect(!output.contains("\u{1b}"))
    #expect(output.contains("\u{fffd}[2Jgone second\n"))
  }

  @Test func aFileThatIsNotThereIsSaid() throws {
    let folder = try ScratchFolder()
    let missing = ToolRun("show", folder.path("none.json"))
    #expect(missing.code == .noInput)
    #expect(
      missing.messages
        == "Error: cannot read \(folder.path("none.json")): No such file or directory\n")
    #expect(ToolRun("show", folder.path).messages.hasSuffix(": Is a directory\n"))
  }

  @Test func oneFileIsWanted() {
    #expect(ToolRun("show").messages.hasPrefix("Error: FILE is missing\n"))
    #expect(ToolRun("show", "a", "b").messages.hasPrefix("Error: unexpected argument 'b'\n"))
  }

  @Test(arguments: [
    "<<<<<<< HEAD\n{\n", "{\n<<<<<<< HEAD\n", "{\n  \"days\": 3\n<<<<<<< ours\n",
    "{\n  \"items\": [\n<<<<<<< ours\n",
  ])
  func theMarksOfAConflictAreNamed(_ text: String) {
    let run = ToolRun("show", "-", input: text)
    #expect(run.code == .badData)
    #expect(run.messages.contains("git left the marks of a conflict here"), "\(run.messages)")
    #expect(run.messages.contains("'git checkout -m FILE'"))
  }
}
