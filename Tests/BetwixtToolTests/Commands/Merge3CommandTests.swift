import BetwixtTool
import Testing

@Suite struct Merge3CommandTests {
  private let folder: ScratchFolder
  private let base: String
  private let phone: String
  private let tablet: String
  private let laptop: String

  init() throws {
    folder = try ScratchFolder()
    base = try folder.write(SampleTrip.base, to: "base")
    phone = try folder.write(SampleTrip.phone, to: "phone")
    tablet = try folder.write(SampleTrip.tablet, to: "tablet")
    laptop = try folder.write(SampleTrip.laptop, to: "laptop")
  }

  @Test func isAMergeWithABase() {
    let run = ToolRun("merge3", base, phone, tablet)
    #expect(run.code == .done)
    #expect(run.output == ToolRun("merge3", base, tablet, phone).output)
    #expect(
      run.output == ToolRun("merge", "--format", "json", "--base", base, phone, tablet).output)
  }

  @Test func writesOverOneOfTheCopies() throws {
    let elsewhere = ToolRun("merge3", base, phone, tablet).output
    #expect(ToolRun("merge3", base, phone, tablet, "-o", phone).code == .done)
    // It keeps its layout, and says what the merge says.
    #expect(try folder.text("phone") != elsewhere)
    #expect(ToolRun("export", "--format", "json", phone).output == elsewhere)
  }

  @Test func strictTellsOfADecidedConflict() {
    #expect(ToolRun("merge3", "--strict", base, phone, tablet).code == .done)
    let run = ToolRun("merge3", "--strict", base, phone, laptop)
    #expect(run.code == .negative)
    #expect(run.output.contains("Closed museum"))
    #expect(ToolRun("merge3", base, phone, laptop).code == .done)
  }

  @Test func threeFilesAreWanted() {
    #expect(ToolRun("merge3", base, phone).messages.hasPrefix("Error: THEIRS is missing\n"))
  }

  /// Lines are written where version control looks for them, and over nothing else.
  @Test func linesReplaceNoOtherFile() throws {
    let text = "# Notes\n\nWords.\n"
    let sides = try ["base", "ours", "theirs"].map { try folder.write(text, to: "text-\($0)") }
    let device = try TestDevice()
    #expect(device.run("new", "--name", "Mine", device.path("doc.trip")).code == .done)
    let document = device.path("doc.trip")
    let kept = try folder.write("kept", to: "keep.txt")
    let before = try device.folder.bytes("doc.trip")
    let (path, json) = ("--path=x.md", folder.path("out.json"))
    for words in [
      ["-o", document, path], ["--format", "json", "-o", json, path], ["-o", kept, path],
      ["--path=t.json"], ["--format", "json", path], ["--path=t.json", "-o", sides[1]],
    ] {
      let run = ToolRun(["merge3"] + words + sides)
      #expect(run.code == .badData && run.output.isEmpty, "\(words): \(run.messages)")
    }
    #expect(try device.folder.bytes("doc.trip") == before)
    #expect(try folder.text("keep.txt") == "kept" && folder.text("text-ours") == text)
    #expect(ToolRun(["merge3", path] + sides).output == text)
    #expect(ToolRun(["merge3", path, "-o", sides[1]] + sides).code == .done)
    let trips = [sides[0], phone, sides[2]]
    #expect(ToolRun(["merge3", path] + trips).code == .badData)
  }

  /// Only what version control made for the merge is replaced as it is.
  @Test func aDocumentIsNotReplacedBecauseAPathIsNamed() throws {
    let device = try TestDevice()
    #expect(device.run("new", "--name", "Mine", device.path()).code == .done)
    let before = try device.folder.bytes("trip.trip")
    let run = device.run("merge3", "--path=p", "-o", device.path(), base, phone, tablet)
    #expect(run.code == .cannotCreate, "\(run.messages)")
    #expect(try device.folder.bytes("trip.trip") == before)
  }

  @Test func programsAreToldWhichPathItIs() throws {
    let output = folder.path("merged.json")
    let run = ToolRun("merge3", "--json", "--path=p", "-o", output, base, phone, laptop)
    let lines = run.messages.split(separator: "\n")
    #expect(!lines.isEmpty && lines.allSatisfy { $0.hasPrefix(#"{"in":"p",""#) }, "\(run.messages)")
  }
}
