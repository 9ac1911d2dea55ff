import BetwixtTool
import Testing

@Suite struct DigestCommandTests {
  @Test func equalStatesHaveOneDigest() throws {
    let folder = try ScratchFolder()
    let plain = try folder.write(SampleTrip.base, to: "a.json")
    let full = folder.path("a.trip.json")
    #expect(ToolRun("import", plain, "-o", full).code == .done)
    let run = ToolRun("digest", plain, full, "-", input: SampleTrip.phone)
    #expect(run.code == .done)
    let lines = run.output.split(separator: "\n")
    try #require(lines.count == 3)
    #expect(lines[0].hasSuffix("  \(plain)"))
    #expect(lines[0].prefix(64) == lines[1].prefix(64))
    #expect(lines[0].prefix(64) != lines[2].prefix(64))
    #expect(lines[2].dropFirst(64) == "  -")
  }

  @Test func printsObjects() {
    let run = ToolRun("digest", "--json", "-", input: SampleTrip.base)
    #expect(run.output.hasPrefix("{\"file\":\"-\",\"digest\":\""))
    #expect(run.output.hasSuffix("\"}\n"))
  }
}
