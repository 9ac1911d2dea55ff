import Betwixt
import BetwixtTool
import Foundation
import Testing

/// Commands whose output is a document that is edited in place: it is edited, or it stays.
@Suite struct OutputDocumentTests {
  private let device: TestDevice
  private let trip: String
  private let other: String

  init() throws {
    device = try TestDevice()
    trip = device.path("rome.trip")
    other = device.path("other.trip")
    let run = device.run(
      "new", "--name", "Rome", "--start", "2026-05-01", "--days", "3", trip)
    try #require(run.code == .done, "\(run.messages)")
    try FileManager.default.copyItem(atPath: trip, toPath: other)
    for (title, path) in [("Here", trip), ("There", other)] {
      let added = device.run("add", path, "--day", "1", "--title", title)
      try #require(added.code == .done, "\(added.messages)")
    }
  }

  @discardableResult
  private func add(_ title: String, to path: String) -> ToolRun {
    device.run("add", path, "--day", "1", "--title", title)
  }

  private var isDocument: Bool {
    device.run("doctor", trip).output.contains("document, ")
  }

  @Test func mergingIntoOneOfTheCopiesIsAnEditOfIt() throws {
    let before = try device.folder.bytes("rome.trip")
    let run = device.run("merge", trip, other, "-o", trip)
    #expect(run.code == .done, "\(run.messages)")
    #expect(try Set(device.titles("rome.trip")) == ["Here", "There"])
    // The commits that were there are there.
    #expect(try device.folder.bytes("rome.trip").starts(with: before))
    #expect(isDocument)
    #expect(try device.list("other.trip").count == 1)
    #expect(device.run("merge", trip, other, "-o", trip).code == .done)
  }

  /// What is added while copies are merged into the document stays.
  @Test func editsDuringAMergeAllCount() throws {
    let count = 40
    var running: [RunningTool] = []
    for number in 0..<count {
      running.append(
        try RunningTool(
          ["add", trip, "--day", "2", "--title", "Stop \(number)"],
          environment: device.variables))
      if number % 8 == 3 {
        running.append(
          try RunningTool(["merge", trip, other, "-o", trip], environment: device.variables))
      }
      if number % 8 == 7 {
        let run = device.run("merge", other, trip, "-o", trip)
        #expect(run.code == .done, "\(run.messages)")
      }
    }
    for tool in running { #expect(tool.wait() == 0, "\(tool.messages)") }
    let titles = try Set(device.titles("rome.trip"))
    #expect(titles == Set((0..<count).map { "Stop \($0)" } + ["Here", "There"]))
    #expect(device.run("doctor", trip).code == .done)
  }

  @Test func editsDuringAnImportAllCount() throws {
    let json = device.path("rome.json")
    try #require(device.run("export", trip, "-o", json).code == .done)
    var running: [RunningTool] = []
    for number in 0..<8 {
      running.append(
        try RunningTool(
          ["add", trip, "--day", "2", "--title", "Stop \(number)"],
          environment: device.variables))
      running.append(
        try RunningTool(
          ["import", "--into", trip, "--base", json, json, "-o", trip],
          environment: device.variables))
    }
    for tool in running { #expect(tool.wait() == 0, "\(tool.messages)") }
    #expect(
      try Set(device.titles("rome.trip")) == Set((0..<8).map { "Stop \($0)" } + ["Here"]))
    #expect(device.run("doctor", trip).code == .done)
  }

  @Test func aDocumentOfAnotherTripStays() throws {
    let milan = device.path("milan.json")
    try device.folder.write(SampleTrip.base, to: "milan.json")
    let before = try device.folder.bytes("rome.trip")
    let titles = try device.titles("rome.trip")
    for arguments in [
      ["export", milan, "-o", trip], ["merge", milan, "-o", trip], ["import", milan, "-o", trip],
      ["export", "--format", "json", trip, "-o", trip],
      ["merge3", milan, milan, milan, "-o", trip],
      ["import", "--into", trip, "--format", "trip.json", other],
    ] {
      let run = ToolRun(arguments, environment: device.environment)
      #expect(run.code == .cannotCreate, "\(arguments)")
      #expect(run.messages.contains("--force"), "\(run.messages)")
      #expect(try device.folder.bytes("rome.trip") == before)
    }
    let run = device.run("export", "-q", milan, "-o", trip, "--force")
    #expect(run.code == .done)
    #expect(run.messages.contains("rome.trip.replaced-1"))
    #expect(try device.titles("rome.trip.replaced-1") == titles)
    #expect(try device.folder.bytes("rome.trip.replaced-1") == before)
    #expect(try device.list("rome.trip").count == 4)
    // The next one does not take its name.
    try #require(add("More", to: trip).code == .done)
    #expect(device.run("export", milan, "-o", trip, "--force").code == .done)
    #expect(try device.folder.bytes("rome.trip.replaced-1") == before)
    #expect(try device.titles("rome.trip.replaced-2").contains("More"))
  }

  #if os(Linux)
  /// It may be a document, which must not be replaced without a word.
  @Test(arguments: ["trip", "json"]) func whatCannotBeReadStays(format: String) {
    // A regular file of which nobody can read the start.
    let path = "/proc/self/mem"
    for options in [[], ["--force"]] {
      let run = device.run(["export", "--format", format, trip, "-o", path] + options)
      #expect(run.code == .noInput)
      #expect(run.messages.contains("cannot read \(path)"), "\(run.messages)")
    }
  }
  #endif

  @Test func anExportIsReplacedAsAWhole() throws {
    let export = device.path("export.trip")
    #expect(device.run("export", trip, "-o", export).code == .done)
    let first = try device.folder.bytes("export.trip")
    #expect(device.run("export", other, "-o", export).code == .done)
    #expect(device.run("export", trip, "-o", export).code == .done)
    #expect(try device.folder.bytes("export.trip") == first)
  }

  /// An export that somebody edits while it is made anew: the edit counts, or it was refused.
  @Test func anExportThatBecomesADocumentKeepsItsEdits() throws {
    let export = device.path("export.trip")
    for round in 0..<6 {
      #expect(device.run("export", trip, "-o", export, "--force").code == .done)
      let adding = try RunningTool(
        ["add", export, "--day", "1", "--title", "Stop \(round)"], environment: device.variables)
      let run = device.run("export", trip, "-o", export)
      #expect(run.code == .done, "\(run.messages)")
      #expect(adding.wait() == 0, "\(adding.messages)")
      #expect(try device.titles("export.trip").contains("Stop \(round)"))
    }
  }

  @Test func aDocumentWithoutAnEndingIsADocumentAfterwards() throws {
    // What version control calls the file of our side.
    let ours = device.path(".merge_file_a1b2c3")
    try FileManager.default.copyItem(atPath: trip, toPath: ours)
    let run = device.run("merge3", other, ours, other, "-o", ours)
    #expect(run.code == .done, "\(run.messages)")
    #expect(try Set(device.titles(".merge_file_a1b2c3")) == ["Here", "There"])
  }
}
