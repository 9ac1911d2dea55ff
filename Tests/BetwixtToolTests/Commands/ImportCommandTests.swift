import Betwixt
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

  @Test func aDocumentIsEditedInPlace() throws {
    let device = try TestDevice()
    #expect(device.run("new", "--from", base, device.path()).code == .done)
    let before = try device.folder.bytes("trip.trip")
    let version = try device.list().version
    let run = device.run("import", "--into", device.path(), "-", input: SampleTrip.phone)
    #expect(run.code == .done)
    let after = try device.folder.bytes("trip.trip")
    #expect(after.starts(with: before), "appended, not replaced")
    #expect(try device.titles().contains("Pike Place Market"))
    // The writes are those of the file, which is the same on every machine.
    let other = try TestDevice()
    #expect(other.run("new", "--from", base, other.path()).code == .done)
    #expect(
      other.run("import", "--into", other.path(), "-", input: SampleTrip.phone).code == .done)
    #expect(try other.list() == device.list())
    #expect(try device.list().version.count == version.count + 1)
    // Nobody of this installation has written.
    #expect(device.run("identity", "--json").output.isEmpty)
  }

  @Test func ownImportsAreWritesOfThisInstallation() throws {
    let device = try TestDevice()
    #expect(device.run("new", "--from", base, device.path()).code == .done)
    let version = try device.list().version
    for _ in 0..<2 {
      let run = device.run(
        "import", "--own", "--base", base, "--into", device.path(), "-", input: SampleTrip.tablet)
      #expect(run.code == .done, "\(run.messages)")
    }
    let list = try device.list()
    #expect(!(try device.titles().contains("Dinner")))
    let own = list.version.filter { version[$0.replica] == 0 }
    #expect(own.count == 1)
    let line = device.run("identity", "--json", device.path()).output
    #expect(line.contains("\"replica\":\"\(try #require(own.first).replica)\""))
    #expect(device.run("import", "--own", base).code == .usage)
    #expect(device.run("import", "--own", "--into", document, base).code == .usage)
  }
}
