import BetwixtTool
import Testing

@Suite struct CheckCommandTests {
  @Test func aSoundTripIsSilent() {
    let run = ToolRun("check", "-", input: SampleTrip.base)
    #expect(run.code == .done)
    #expect(run.output.isEmpty)
  }

  @Test func whatIsOutOfOrderIsNamed() {
    let trip = SampleTrip.trip(items: [SampleTrip.game, SampleTrip.dinner(day: 9)])
    let run = ToolRun("check", "-", input: trip)
    #expect(run.code == .negative)
    #expect(run.output == "“Dinner” is stored on day 9, and the trip has 3\n")
    #expect(
      ToolRun("check", "--json", "-", input: trip).output == """
        {"violation":"dayOutOfRange","item":"22222222-2222-4222-8222-222222222222",\
        "label":"Dinner","storedDay":9}

        """)
  }

  @Test func manyAreCheckedAndNamed() throws {
    let folder = try ScratchFolder()
    let sound = try folder.write(SampleTrip.base, to: "sound.json")
    let late = try folder.write(
      SampleTrip.trip(items: [SampleTrip.dinner(day: 9)]), to: "late.json")
    let run = ToolRun("check", late, sound, late)
    #expect(run.code == .negative)
    let line = "\(late): “Dinner” is stored on day 9, and the trip has 3\n"
    #expect(run.output == line + line)
    #expect(ToolRun("check", sound, sound).code == .done)
    #expect(
      ToolRun("check", "--json", late, sound).output
        .hasPrefix("{\"file\":\"\(late)\",\"violation\":\"dayOutOfRange\""))
  }

  /// What the schedule puts beyond the trip's days is left at once, and not with the next repair.
  @Test func aRepairSaysWhatIsLeftAfterIt() throws {
    let device = try TestDevice()
    let trip = device.path()
    try #require(
      device.run("new", "--start", "2026-05-01", "--days", "5", trip).code == .done)
    try #require(
      device.run(
        "add", trip, "--kind", "game", "gameId=g1", "start=2026-05-03T18:00", "-t", "Final"
      ).code == .done)
    try #require(device.run("set", trip, "trip", "startDate=2026-04-20").code == .done)
    for options in [["-n"], []] {
      let run = device.run(["repair"] + options + [trip])
      #expect(run.code == .negative, "\(run.output)")
      #expect(run.output.contains("left: “Final” is stored on day 14, and the trip has 5"))
    }
    #expect(device.run("repair", trip).output.hasPrefix("left: "))
    // With days enough nothing is.
    try #require(device.run("set", trip, "trip", "days=20").code == .done)
    #expect(device.run("repair", trip).code == .done && device.run("check", trip).code == .done)
  }

  /// A game that is there is not written over by one that is added.
  @Test func aGameIsAddedOnce() throws {
    let device = try TestDevice()
    let trip = device.path()
    try #require(
      device.run("new", "--start", "2026-05-01", "--days", "5", trip).code == .done)
    func add(_ title: String) -> ToolRun {
      device.run(
        "add", trip, "--kind", "game", "gameId=g1", "start=2026-05-03T18:00", "-t", title)
    }
    #expect(add("Final").code == .done)
    let again = add("Other")
    #expect(again.code == .negative, "\(again.messages)")
    #expect(again.messages.contains("game 'g1' is “Final”: 'betwixt set"))
    try #require(device.run("remove", trip, "g1").code == .done)
    let removed = add("Other")
    #expect(removed.code == .negative && removed.messages.contains("'betwixt restore"))
    #expect(device.run("restore", trip, "g1").code == .done)
    #expect(try device.titles() == ["Final"])
    let missing = device.run("restore", trip, "nothere")
    #expect(missing.messages.contains("'betwixt show --removed'"), "\(missing.messages)")
  }

  @Test func tasksAreNotChecked() {
    let run = ToolRun("check", "-", input: SampleTrip.tasks)
    #expect(run.code == .badData)
    #expect(
      run.messages
        == "Error: - holds tasks; the rules are those of trips, and 'betwixt doctor' looks at the "
        + "file itself\n")
  }

  @Test func aGameOffItsScheduleIsNamed() {
    let late = SampleTrip.game.replacing("T12:00", with: "T20:00")
    let run = ToolRun("check", "-", input: SampleTrip.trip(items: [late]))
    #expect(run.output == "“USA – Turkey” on day 1: its start says day 1, 20:00\n")
  }
}
