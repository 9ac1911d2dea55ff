import BetwixtTool
import Testing

@Suite struct ImportCommandTests {
  private let folder: ScratchFolder
  private let base: String
  private let document: String

  init() throws {
    folder = try ScratchFolder()
    base = try folder.write(SampleTrip.base, to: "base.json")
    document = folder.path("trip.trip.json")
    try #require(ToolRun("import", base, "-o", document).code == .done)
  }

  @Test func oneSourceGivesOneDocument() throws {
    let run = ToolRun("import", "-", input: SampleTrip.base)
    #expect(run.code == .done)
    #expect(run.output == (try folder.text("trip.trip.json")))
    #expect(run.output.hasPrefix("{\n\"format\":\"betwixt-trip\","))
    #expect(ToolRun("import", "-", input: run.output).output == run.output)
  }

  @Test func intoADocumentReplacesIt() throws {
    let source = try folder.write(SampleTrip.phone, to: "phone.json")
    let before = try folder.text("trip.trip.json")
    #expect(ToolRun("import", "--into", document, source).code == .done)
    let after = try folder.text("trip.trip.json")
    #expect(after != before)
    #expect(after.contains("Pike Place Market"))
    #expect(ToolRun("import", "--into", document, source).code == .done)
    #expect(try folder.text("trip.trip.json") == after, "a second time changes nothing")
  }

  @Test func anOutputSparesTheDocument() throws {
    let before = try folder.text("trip.trip.json")
    let run = ToolRun("import", "--into", document, "-", "-o", "-", input: SampleTrip.phone)
    #expect(run.code == .done)
    #expect(run.output.contains("Pike Place Market"))
    #expect(try folder.text("trip.trip.json") == before)
  }

  @Test func aBaseTellsADeletionFromAnItemThatIsNew() {
    let run = ToolRun("import", "--into", document, "--base", base, "-", input: SampleTrip.tablet)
    #expect(run.code == .done)
    #expect(!ToolRun("show", document).output.contains("Dinner"))
  }

  @Test func aCalendarComesBackUnchanged() throws {
    let calendar = folder.path("trip.ics")
    #expect(ToolRun("export", document, "-o", calendar).code == .done)
    let before = try folder.text("trip.trip.json")
    let run = ToolRun("import", "--into", document, "--utc-offset=-07:00", calendar)
    #expect(run.code == .done)
    #expect(run.messages.contains("updated 0"))
    #expect(try folder.text("trip.trip.json") == before)
    let bad = ToolRun("import", "--utc-offset", "7", calendar)
    #expect(bad.code == .usage)
    #expect(bad.messages.hasPrefix("Error: option '--utc-offset' is Z or ±HH:MM, not '7'\n"))
  }

  @Test func aBadSourceLeavesTheDocumentAlone() throws {
    let before = try folder.text("trip.trip.json")
    #expect(ToolRun("import", "--into", document, "-", input: "{}").code == .badData)
    #expect(try folder.text("trip.trip.json") == before)
  }
}
