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
