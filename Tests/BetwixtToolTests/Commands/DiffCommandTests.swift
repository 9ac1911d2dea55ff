import BetwixtTool
import Testing

@Suite struct DiffCommandTests {
  @Test func equalTripsAreSilent() throws {
    let folder = try ScratchFolder()
    let old = try folder.write(SampleTrip.base, to: "old.json")
    let run = ToolRun("diff", old, "-", input: SampleTrip.base)
    #expect(run.code == .done)
    #expect(run.output.isEmpty)
    #expect(run.messages.isEmpty)
  }

  @Test func everyItemThatDiffersIsNamed() throws {
    let folder = try ScratchFolder()
    let old = try folder.write(SampleTrip.base, to: "old.json")
    let new = try folder.write(SampleTrip.tablet, to: "new.json")
    let run = ToolRun("diff", old, new)
    #expect(run.code == .negative)
    #expect(run.output.contains("Museum"))
    #expect(run.output.contains("Dinner"))
    #expect(!run.output.contains("Vancouver"))
    let lines = ToolRun("diff", "--json", old, new)
    #expect(lines.code == .negative)
    #expect(lines.output.split(separator: "\n").allSatisfy { $0.hasPrefix("{") })
  }

  @Test func manyAreComparedWithTheFirst() throws {
    let folder = try ScratchFolder()
    let old = try folder.write(SampleTrip.base, to: "old.json")
    let phone = try folder.write(SampleTrip.phone, to: "phone.json")
    let tablet = try folder.write(SampleTrip.tablet, to: "tablet.json")
    let run = ToolRun("diff", old, phone, old, tablet)
    #expect(run.code == .negative)
    #expect(
      run.output == "\(phone):\n" + ToolRun("diff", old, phone).output
        + "\(tablet):\n" + ToolRun("diff", old, tablet).output)
    #expect(ToolRun("diff", old, old, old).code == .done)
    let lines = ToolRun("diff", "--json", old, phone, tablet).output.split(separator: "\n")
    #expect(lines.count { $0.hasPrefix(#"{"file":""#) } == 2)
  }
}
