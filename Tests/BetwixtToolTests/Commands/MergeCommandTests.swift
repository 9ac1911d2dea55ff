import BetwixtTool
import Testing

@Suite struct MergeCommandTests {
  private let folder: ScratchFolder
  private let base: String
  private let copies: [String]

  init() throws {
    folder = try ScratchFolder()
    base = try folder.write(SampleTrip.base, to: "base.json")
    copies = [
      try folder.write(SampleTrip.phone, to: "phone.json"),
      try folder.write(SampleTrip.tablet, to: "tablet.json"),
      try folder.write(SampleTrip.laptop, to: "laptop.json"),
    ]
  }

  @Test("The order of the copies changes no byte", arguments: ["json", "trip.json"])
  func anyOrder(_ format: String) {
    let orders = [
      [0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0], [2, 1, 0, 1, 2],
    ]
    let runs = orders.map { order in
      ToolRun(["merge", "--format", format, "--base", base] + order.map { copies[$0] })
    }
    #expect(runs[0].code == .done)
    #expect(runs[0].output.contains("Pike Place Market"))
    for run in runs {
      #expect(run.output == runs[0].output)
      #expect(run.messages == runs[0].messages)
    }
  }

  @Test func editsOfDifferentFieldsAndMovesSurviveWithABase() {
    let run = ToolRun("merge", "-q", "--base", base, copies[0], copies[1])
    #expect(run.code == .done)
    #expect(run.messages.isEmpty)
    let shown = ToolRun("show", "-", input: run.output).output
    #expect(shown.contains("Day 3, Mon 2026-06-15\n  10:30  Museum of Pop Culture\n"))
    #expect(!shown.contains("Dinner"), "deleted on the tablet")
  }

  @Test func anEditThatLostIsReported() {
    let run = ToolRun("merge", "--base", base, copies[0], copies[2])
    #expect(run.messages.contains("Museum of Pop Culture"))
    #expect(run.messages.contains("Closed museum"))
    let lines = ToolRun("merge", "--json", "--base", base, copies[0], copies[2]).messages
    #expect(lines.split(separator: "\n").allSatisfy { $0.hasPrefix("{") && $0.hasSuffix("}") })
    #expect(lines.contains("\"lost\""))
  }

  /// What a person is told of a file a program is told too.
  @Test func whatIsNotTakenIsReported() throws {
    let table = try folder.write("title,date,day\nA,2026-06-13,none\n", to: "t.csv")
    let words = "\(table):2: its day “none” is no whole number: it is not taken"
    #expect(ToolRun("merge", table).messages.contains(words + "\n"))
    let lines = ToolRun("merge", "--json", table).messages.split(separator: "\n")
    #expect(lines.first == "{\"report\":\"note\",\"note\":\"\(words)\"}")
    #expect(lines.allSatisfy { $0.hasPrefix("{") && $0.hasSuffix("}") })
  }

  @Test func mergingAResultAgainChangesNothing() throws {
    let once = folder.path("once.trip.json")
    #expect(ToolRun("merge", copies[0], copies[1], "-o", once).code == .done)
    #expect(ToolRun("merge", once, once, copies[1]).output == (try folder.text("once.trip.json")))
  }

  @Test func theOutputMayBeAnInput() throws {
    let own = try folder.write(SampleTrip.phone, to: "own.json")
    let elsewhere = ToolRun("merge", "--base", base, own, copies[1], "--format", "json")
    #expect(ToolRun("merge", "--base", base, own, copies[1], "-o", own).code == .done)
    // A plain file that is written over keeps its layout.
    #expect(ToolRun("export", "--format", "json", own).output == elsewhere.output)
  }

  @Test func aBadInputLeavesTheOutputAlone() throws {
    let output = try folder.write("as it was", to: "out.json")
    let broken = try folder.write(String(SampleTrip.tablet.dropLast(40)), to: "broken.json")
    let run = ToolRun("merge", copies[0], broken, "-o", output)
    #expect(run.code == .badData)
    #expect(run.output.isEmpty)
    #expect(run.messages.hasPrefix("\(broken):"))
    #expect(run.messages.contains(": truncated: "))
    #expect(try folder.text("out.json") == "as it was")
  }

  @Test func inputsAreNeverTouched() throws {
    _ = ToolRun("merge", "--base", base, copies[0], copies[1], copies[2])
    #expect(try folder.text("base.json") == SampleTrip.base)
    #expect(try folder.text("phone.json") == SampleTrip.phone)
    #expect(try folder.text("tablet.json") == SampleTrip.tablet)
  }

  @Test func anotherTripIsRefused() throws {
    let other = try folder.write(
      SampleTrip.base.replacing("55555555-5555", with: "66666666-5555"), to: "other.json")
    let run = ToolRun("merge", copies[0], other)
    #expect(run.code == .badData)
    #expect(run.messages.contains("wrong-trip"))
  }

  @Test func standardInputIsReadOnce() {
    let run = ToolRun("merge", "--base", base, "-", copies[1], input: SampleTrip.phone)
    #expect(run.code == .done)
    #expect(ToolRun("merge", "-", "-", input: SampleTrip.phone).code == .usage)
  }

  @Test func anUnknownFormatIsRefusedBeforeAnythingIsWritten() throws {
    let run = ToolRun("merge", copies[0], "--format", "docx", "-o", folder.path("x"))
    #expect(run.code == .usage)
    #expect(run.messages.contains("trip.json, json"))
    #expect(try !folder.names.contains("x"))
  }

  /// Marks that would turn a terminal's text round are escapes in JSON, and so still there.
  @Test func jsonHasTheMarksOfAText() throws {
    let device = try TestDevice()
    #expect(device.run("new", "--days", "3", device.path()).code == .done)
    #expect(device.run("add", device.path(), "--day", "1", "--title", "A").code == .done)
    #expect(
      device.run("sync", "--create", "--with", device.path(), device.path("b.trip")).code == .done)
    for (name, title) in [("trip.trip", "\u{2067}x\u{2069}"), ("b.trip", "\u{85}y")] {
      #expect(device.run("set", device.path(name), "A", "title=\(title)").code == .done)
    }
    let run = device.run(
      "merge", "--json", device.path(), device.path("b.trip"), "-o", device.path("m.trip"))
    #expect(run.messages.contains(#"\u2067x\u2069"#), "\(run.messages)")
    #expect(run.messages.contains(#"\u0085y"#) && !run.messages.contains("\u{fffd}"))
  }
}
