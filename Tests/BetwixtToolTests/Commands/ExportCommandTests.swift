import BetwixtTool
import Testing

@Suite struct ExportCommandTests {
  private let folder: ScratchFolder
  private let base: String

  init() throws {
    folder = try ScratchFolder()
    base = try folder.write(SampleTrip.base, to: "base.json")
  }

  @Test func theEndingOfTheOutputChoosesTheFormat() throws {
    let starts = [
      "a.md": "# North west\n", "a.csv": "day,date,order,", "a.gpx": "<?xml ",
      "a.ics": "BEGIN:VCALENDAR",
      "a.json": "{\n\"days\"",
      "a.trip.json": "{\n\"format\":\"betwixt-trip\"",
    ]
    for (name, start) in starts.sorted(by: { $0.key < $1.key }) {
      #expect(ToolRun("export", base, "-o", folder.path(name)).code == .done)
      #expect(try folder.text(name).hasPrefix(start), "\(name)")
    }
    #expect(ToolRun("export", base, "--format", "md").output == (try folder.text("a.md")))
  }

  @Test func everythingComesBackFromBothFullForms() throws {
    let binary = folder.path("a.trip")
    let text = folder.path("a.trip.json")
    #expect(ToolRun("export", base, "-o", binary).code == .done)
    #expect(ToolRun("export", binary, "-o", text).code == .done)
    #expect(ToolRun("export", text, "-o", folder.path("b.trip")).code == .done)
    #expect(try folder.bytes("a.trip") == folder.bytes("b.trip"))
    #expect(ToolRun("import", base).output == (try folder.text("a.trip.json")))
    let digests = ToolRun("digest", base, binary, text).output.split(separator: "\n")
    #expect(Set(digests.map { $0.prefix(64) }).count == 1)
  }

  /// Whichever command reads a file of another program says what it does not take.
  @Test func whatIsNotTakenIsNamed() throws {
    let calendar = "BEGIN:VCALENDAR\nBEGIN:VEVENT\nUID:1\nEND:VEVENT\nEND:VCALENDAR\n"
    let path = try folder.write(calendar, to: "c.ics")
    let note = "\(path):2: skipped: it has no DTSTART\n"
    let output = folder.path("c.trip")
    #expect(ToolRun("export", path, "-o", output).messages.contains(note))
    #expect(ToolRun("merge", path, "-o", output, "--force").messages.contains(note))
    #expect(ToolRun("show", path).messages == note)
    #expect(ToolRun("show", "--tell-errors", path).messages.isEmpty)
  }

  @Test func binaryIsNotForATerminal() {
    let run = ToolRun("export", base, "--format", "trip", isTerminal: true)
    #expect(run.code == .usage)
    #expect(run.output.isEmpty)
  }

  @Test func aDamagedBinaryFileIsRefusedWithItsPlace() throws {
    let path = folder.path("a.trip")
    #expect(ToolRun("export", base, "-o", path).code == .done)
    var bytes = try folder.bytes("a.trip")
    bytes[bytes.count / 2] ^= 1
    try folder.write(bytes, to: "a.trip")
    let run = ToolRun("show", path)
    #expect(run.code == .badData)
    #expect(run.messages.hasPrefix("\(path): offset "))
    #expect(run.messages.hasSuffix(": syntax: the file is damaged (bad-checksum)\n"))
    try folder.write(Array(bytes.prefix(16)), to: "a.trip")
    #expect(
      ToolRun("show", path).messages.hasSuffix(
        ": truncated: the file ends too early (truncated)\n"))
  }

  @Test func mixedFormatsMergeToOneState() throws {
    let binary = folder.path("a.trip")
    #expect(ToolRun("import", "-", "-o", binary, input: SampleTrip.phone).code == .done)
    let first = ToolRun("merge", base, binary, "--format", "trip.json")
    let second = ToolRun("merge", binary, base, "--format", "trip.json")
    #expect(first.code == .done)
    #expect(first.output == second.output)
  }
}
