import BetwixtSync
import BetwixtTool
import Foundation
import Testing

/// Results that are written where, or while, others write theirs: each that was acknowledged is there.
@Suite("Outputs of several commands at once") struct MeanwhileOutputTests {
  private let device: TestDevice
  private let result: String

  init() throws {
    device = try TestDevice()
    result = device.path("z.trip")
    let first = device.path("0.trip")
    let run = device.run(
      "new", "-q", "--name", "Rome", "--start", "2026-05-01", "--days", "2", first)
    try #require(run.code == .done)
    for number in 1...6 {
      let copy = device.path("\(number).trip")
      try FileManager.default.copyItem(atPath: first, toPath: copy)
      let run = device.run("add", "-q", copy, "--day", "1", "--title", "Stop \(number)")
      try #require(run.code == .done, "\(run.messages)")
    }
  }

  /// Merges a copy that comes through standard input; somebody does something once it is read.
  private func mergeFirst(_ options: String..., meanwhile: @escaping () -> Void) throws -> ToolRun {
    let copy = device.run("export", "-q", "--format", "trip.json", device.path("1.trip"))
    try #require(copy.code == .done)
    return ToolRun(
      ["merge", "-", "-o", result] + options, environment: device.environment,
      source: ActingSource(copy.output, meanwhile))
  }

  private func merge(_ number: Int) {
    let run = device.run("merge", "-q", device.path("\(number).trip"), "-o", result)
    #expect(run.code == .done, "\(run.messages)")
  }

  @Test func whatIsMadeMeanwhileIsJoined() throws {
    let run = try mergeFirst { merge(2) }
    #expect(run.code == .done, "\(run.messages)")
    #expect(try Set(device.titles("z.trip")) == ["Stop 1", "Stop 2"])
    // Also what takes the place of what stood there before: an export, and anything else.
    try device.folder.remove("z.trip")
    merge(3)
    #expect(try mergeFirst { merge(2) }.code == .done)
    #expect(try Set(device.titles("z.trip")) == ["Stop 1", "Stop 2"])
    try device.folder.remove("z.trip")
    try device.folder.write("words", to: "z.trip")
    #expect(try mergeFirst { merge(2) }.code == .done)
    #expect(try Set(device.titles("z.trip")) == ["Stop 1", "Stop 2"])
  }

  @Test func aNewDocumentStays() throws {
    let run = try mergeFirst {
      #expect(device.run("new", "-q", "--name", "Milan", result).code == .done)
    }
    #expect(run.code == .cannotCreate && run.messages.contains("--force"), "\(run.messages)")
    #expect(try device.titles("z.trip").isEmpty)
  }

  /// As with a document that is edited in place.
  @Test func whatIsReplacedOnPurposeIsKept() throws {
    let run = try mergeFirst("--force") { merge(2) }
    #expect(run.code == .done && run.messages.contains("z.trip.replaced-1"), "\(run.messages)")
    #expect(try device.titles("z.trip") == ["Stop 1"])
    #expect(try device.titles("z.trip.replaced-1") == ["Stop 2"])
  }

  /// Two processes: who is told that it is done has done it, and so there is one of them.
  @Test func oneOfTwoMakesTheFile() throws {
    for _ in 0..<16 {
      let merging = try RunningTool(
        ["merge", "-q", device.path("1.trip"), "-o", result], environment: device.variables)
      let making = try RunningTool(
        ["new", "-q", "--name", "Milan", result], environment: device.variables)
      let codes = [merging.wait(), making.wait()]
      #expect(codes == [0, 73] || codes == [73, 0])
      #expect(try device.titles("z.trip") == (codes[0] == 0 ? ["Stop 1"] : []))
      try device.folder.remove("z.trip")
    }
  }

  // MARK: Texts that are read and written over

  private func text(_ name: String, of number: Int) throws -> String {
    let path = device.path(name)
    let run = device.run("export", "-q", device.path("\(number).trip"), "-o", path)
    try #require(run.code == .done, "\(run.messages)")
    return path
  }

  private func expectAll(_ commands: [[String]], in path: String) throws {
    let names = try device.folder.names
    let running = try commands.map { try RunningTool($0, environment: device.variables) }
    for tool in running { #expect(tool.wait() == 0, "\(tool.messages)") }
    let shown = device.run("show", path).output
    for number in 1...6 { #expect(shown.contains("Stop \(number)"), "\(shown)") }
    // It may lie where version control looks.
    #expect(try device.folder.names == names)
  }

  @Test func importsIntoATextAllCount() throws {
    let target = try text("t.trip.json", of: 1)
    let tables = try (2...6).map { number in
      try device.folder.write(
        "title,day,id\nStop \(number),1,row-\(number)\n", to: "\(number).csv")
    }
    try expectAll(tables.map { ["import", "-q", "--into", target, $0] }, in: target)
  }

  /// What stood there before the command is its own to replace, whichever option named it.
  @Test func anExportThatTakesSomethingInStaysOne() throws {
    _ = try text("z.trip", of: 1)
    try device.folder.write("title,day\nStop 2,1\n", to: "2.csv")
    let run = device.run("import", "--into", result, "--format", "trip", device.path("2.csv"))
    #expect(run.code == .done, "\(run.messages)")
    let bytes = try device.folder.bytes("z.trip")
    #expect(SealedBlock.isSealedBlock(bytes))
    #expect(device.run("show", result).output.contains("Stop 2"))
  }

  @Test func mergesIntoATextAllCount() throws {
    let target = try text("t.trip.json", of: 1)
    try expectAll(
      (2...6).map { ["merge", "-q", target, device.path("\($0).trip"), "-o", target] }, in: target)
  }
}

/// Standard input during which somebody else does something.
private final class ActingSource: ByteSource {
  private let rest: MemorySource
  private var act: (() -> Void)?

  init(_ text: String, _ act: @escaping () -> Void) {
    rest = MemorySource(text)
    self.act = act
  }

  func readSome() throws(SystemError) -> [UInt8] {
    act?()
    act = nil
    return try rest.readSome()
  }
}
