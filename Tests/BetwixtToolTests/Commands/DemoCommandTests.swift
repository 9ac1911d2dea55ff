import BetwixtTool
import Testing

@Suite struct DemoCommandTests {
  @Test func bothDevicesEndWithOneList() {
    let run = ToolRun("demo")
    #expect(run.code == .done)
    #expect(run.output.contains("Pacific coast"))
    #expect(run.output.hasSuffix("  Yes.\n"))
    #expect(run.messages.contains("Nothing was written."))
    #expect(ToolRun("demo").output == run.output, "the same every time")
  }

  @Test func noLineOfTheTableIsWiderThanTheTerminal() {
    var environment = Environment()
    environment.columns = "72"
    let table = ToolRun("demo", environment: environment).output
      .split(separator: "\n", omittingEmptySubsequences: false)
      .drop { !$0.hasPrefix("  phone ") }.prefix { !$0.isEmpty }
    #expect(table.count > 10)
    for line in table { #expect(line.count <= 72, "\(line)") }
  }

  @Test func writesWhereItIsTold() throws {
    let folder = try ScratchFolder()
    let trips = folder.path("trips")
    #expect(ToolRun("demo", "-o", trips).code == .done)
    #expect(
      try folder.names(in: "trips") == [
        "base.json", "merged.trip.json", "phone.trip.json", "tablet.trip.json",
      ])
    let merge = ToolRun("merge", "\(trips)/tablet.trip.json", "\(trips)/phone.trip.json")
    #expect(merge.output == (try folder.text("trips/merged.trip.json")))
    #expect(ToolRun("demo", "-o", folder.path("none/trips")).code == .cannotCreate)
  }
}
