import Betwixt
import BetwixtTool
import Foundation
import Testing

/// Every way to bring two copies together says which edits lost.
@Suite struct LossTests {
  /// How copies meet.
  enum Way: String, CaseIterable {
    case file, pipe, folder, server, merge
  }

  private let laptop: TestDevice
  private let phone: TestDevice
  private let box: ScratchFolder

  /// Two copies: both title Lunch, and one removes what the other edits.
  init() throws {
    (laptop, phone, box) = (try TestDevice(), try TestDevice(), try ScratchFolder())
    try #require(laptop.run("new", "--name", "Rome", "--days", "3", laptop.path()).code == .done)
    for title in ["Lunch", "Museum", "Walk"] {
      let run = laptop.run("add", laptop.path(), "--day", "1", "--title", title)
      try #require(run.code == .done)
    }
  }

  /// Makes the copy of the phone, and edits that do not know each other.
  private func part(_ way: Way) throws {
    switch way {
    case .folder:
      for device in [laptop, phone] { #expect(meet(device, way).code == .done) }
    case .server:
      #expect(meet(laptop, way).code == .done)
      let list = try laptop.list().id
      let path = "\(box.path)/\(list).trip"
      #expect(phone.run("sync", "--create", "--with", path, phone.path()).code == .done)
    default:
      #expect(
        phone.run("sync", "--create", "--with", laptop.path(), phone.path()).code == .done)
    }
    for arguments in [
      ["set", laptop.path(), "Lunch", "title=Brunch"], ["remove", laptop.path(), "Museum"],
      ["set", laptop.path(), "Walk", "note=short"],
    ] { #expect(laptop.run(arguments).code == .done) }
    for arguments in [
      ["set", phone.path(), "Lunch", "title=Dinner"],
      ["set", phone.path(), "Museum", "note=Closed"], ["remove", phone.path(), "Walk"],
    ] { #expect(phone.run(arguments).code == .done) }
  }

  private func meet(_ device: TestDevice, _ way: Way, _ options: String...) -> ToolRun {
    let other = device === phone ? laptop : phone
    switch way {
    case .file: return device.run(["sync"] + options + ["--with", other.path(), device.path()])
    case .pipe:
      let peer = other.line("sync", "--stdio", other.path())
      return device.run(["sync"] + options + ["--exec", peer, device.path()])
    case .folder:
      return device.run(
        ["sync", "--create"] + options + ["--folder", box.path, device.path()])
    case .server:
      let peer = other.line("serve", "--stdio", "--create", box.path)
      return device.run(["sync"] + options + ["--exec", peer, device.path()])
    case .merge:
      return device.run(
        ["merge"] + options + [laptop.path(), phone.path(), "-o", device.path("m.trip")])
    }
  }

  @Test(arguments: Way.allCases) func whatLostIsNamed(way: Way) throws {
    try part(way)
    if way == .folder || way == .server { #expect(meet(laptop, way).code == .done) }
    let run = meet(phone, way)
    #expect(run.code == .done, "\(run.messages)")
    let lines = run.messages.split(separator: "\n").map(String.init)
    // The later title wins, the edits of what was removed are hidden.
    #expect(
      lines.contains {
        $0.hasPrefix("conflict: title of “Dinner” (day 1)") && $0.contains("Brunch")
      },
      "\(run.messages)")
    #expect(
      lines.contains { $0.contains("“Museum” (day 1)") && $0.contains("note to “Closed”") },
      "\(run.messages)")
    #expect(
      lines.contains { $0.contains("“Walk” (day 1)") && $0.contains("note to “short”") },
      "\(run.messages)")
    guard way != .merge else { return }
    // Told once.
    let again = meet(phone, way)
    #expect(!again.messages.contains("conflict") && !again.messages.contains("removed on"))
  }

  @Test(arguments: Way.allCases) func whatLostIsNamedForPrograms(way: Way) throws {
    try part(way)
    if way == .folder || way == .server { #expect(meet(laptop, way).code == .done) }
    let run = meet(phone, way, "--json")
    #expect(run.code == .done)
    let text = way == .merge ? run.messages : run.output
    let reports = text.split(separator: "\n").filter { $0.contains(#""report":"#) }
    #expect(reports.count { $0.contains(#""report":"conflict""#) } == 1, "\(text)")
    #expect(reports.count { $0.contains(#""report":"removed""#) } == 2, "\(text)")
    #expect(reports.contains { $0.contains(#""value":"Brunch""#) })
  }

  @Test func anImportIntoADocumentSaysIt() throws {
    try part(.file)
    let run = phone.run("import", "--into", phone.path(), laptop.path())
    #expect(run.code == .done, "\(run.messages)")
    #expect(run.messages.contains("conflict: title of “Dinner” (day 1)"), "\(run.messages)")
    #expect(run.messages.contains("Brunch") && run.messages.contains("note to “Closed”"))
    #expect(run.messages.contains("“Walk” (day 1)"))
    let again = phone.run("import", "--into", phone.path(), laptop.path())
    #expect(!again.messages.contains("conflict") && !again.messages.contains("removed on"))
  }

  /// Nor does a document lose edits to a copy that is written over it, or to a merge of others.
  @Test(arguments: ["export", "merge"]) func anOutputSaysWhatItLost(verb: String) throws {
    try part(.file)
    let run = phone.run(verb, laptop.path(), "-o", phone.path())
    #expect(run.code == .done, "\(run.messages)")
    #expect(
      run.messages.contains("\(phone.path()): conflict: title of “Dinner” (day 1)"),
      "\(run.messages)")
    #expect(run.messages.contains("Brunch") && run.messages.contains("note to “Closed”"))
    let again = phone.run(verb, laptop.path(), "-o", phone.path())
    #expect(!again.messages.contains("conflict") && !again.messages.contains("removed on"))
  }

  @Test func whatAnOutputLostNamesItForPrograms() throws {
    try part(.file)
    let run = phone.run("merge", "--json", laptop.path(), "-o", phone.path())
    let lines = run.messages.split(separator: "\n").filter { $0.contains("conflict") }
    #expect(lines.count == 1, "\(run.messages)")
    #expect(lines.first?.hasPrefix("{\"in\":\"\(phone.path())\",\"") == true, "\(run.messages)")
  }

  /// Told once, where the output is one of the copies.
  @Test func anOutputThatIsMergedSaysItOnce() throws {
    try part(.file)
    let run = phone.run("merge", laptop.path(), phone.path(), "-o", phone.path())
    #expect(run.code == .done, "\(run.messages)")
    #expect(run.messages.components(separatedBy: "conflict: title of").count == 2)
  }

  @Test func theOtherEndOfAPipeSaysItToo() throws {
    try part(.pipe)
    let crossed = try CrossedTools(
      (["sync", "--stdio", laptop.path()], laptop.variables),
      (["sync", "--stdio", phone.path()], phone.variables))
    #expect(crossed.codes == [0, 0])
    for (device, messages) in zip([laptop, phone], crossed.messages) {
      #expect(messages.contains("\(device.path()): conflict: title of “Dinner”"), "\(messages)")
    }
    // What is lost on one side is the other side's.
    #expect(crossed.messages[0].contains("removed on the other copy: “Walk”"))
    #expect(crossed.messages[1].contains("removed on this copy: “Walk”"))
  }

  // MARK: Syncs that fail

  /// What was merged before is on the drive, and the next sync has no reason to tell it.
  @Test func aFolderThatCannotBeWrittenTellsAllTheSame() throws {
    try part(.folder)
    #expect(meet(laptop, .folder).code == .done)
    let root = "betwixt-1/\(try phone.list().id)"
    // The phone has not put anything there yet.
    let own = try writer(of: phone)
    try #require(!(try box.names(in: root)).contains(own))
    try box.write("", to: "\(root)/\(own)")
    let run = meet(phone, .folder)
    #expect(run.code == .cannotCreate, "\(run.messages)")
    expectLosses(run)
    #expect(run.messages.contains("is in the way"))
  }

  private func expectLosses(_ run: ToolRun) {
    #expect(
      run.messages.contains("conflict: title of “Dinner” (day 1)")
        && run.messages.contains("Brunch"), "\(run.messages)")
    #expect(run.messages.contains("note to “Closed”"), "\(run.messages)")
  }

  private func writer(of device: TestDevice) throws -> String {
    let line = device.run("identity", "--json", device.path()).output
    let mark = "\"replica\":\""
    let start = try #require(line.range(of: mark)).upperBound
    return String(line[start...].prefix(16))
  }
}
