import Betwixt
import BetwixtFiles
import BetwixtSync
import BetwixtTool
import Testing

/// `betwixt sync` and `betwixt doctor`, on documents and as two processes.
struct SyncCommandTests {
  private let listID = ListID(high: 3, low: 4)

  /// A sealed copy of one list, edited by a replica.
  private func copy(_ replica: UInt64, items: Int) throws -> [UInt8] {
    var me = Replica(id: ReplicaID(rawValue: replica)) { 1_777_000_000_000 }
    var list = ReplicatedList(id: listID)
    for number in 0..<items { try list.append(["title": .string("Stop \(number)")], by: &me) }
    return try SealedBlock.encode(list)
  }

  private func list(_ path: String) throws -> ReplicatedList {
    try DocumentExamination(of: path).list
  }

  @Test func anEchoIsNoOtherSide() throws {
    let scratch = try ScratchFolder()
    try scratch.write(try copy(1, items: 1), to: "a.trip")
    let run = ToolRun("sync", "--exec", "cat", scratch.path("a.trip"))
    #expect(run.code == .badData)
    #expect(run.messages.contains("the other side sends back what it is sent"), "\(run.messages)")
  }

  @Test func joinsTwoFiles() throws {
    let scratch = try ScratchFolder()
    try scratch.write(try copy(1, items: 3), to: "a.trip")
    try scratch.write(try copy(2, items: 4), to: "b.trip")
    let run = ToolRun("sync", "--with", scratch.path("b.trip"), scratch.path("a.trip"))
    #expect(run.code == .done)
    let joined = try list(scratch.path("a.trip"))
    #expect(joined.count == 7)
    #expect(try list(scratch.path("b.trip")) == joined)
    let lines = run.messages.split(separator: "\n")
    #expect(lines.count == 2 && lines[0].hasPrefix("from ") && lines[0].hasSuffix("and 1 more"))
    #expect(lines[1] == "\(scratch.path("a.trip")): 7 items, digest \(joined.digest)")
  }

  @Test func refusesOtherDocumentsAndUnclearWays() throws {
    let scratch = try ScratchFolder()
    try scratch.write(try copy(1, items: 3), to: "a.trip")
    try scratch.write(
      try SealedBlock.encode(ReplicatedList(id: ListID(high: 8, low: 8))), to: "b.trip")
    let (a, b) = (scratch.path("a.trip"), scratch.path("b.trip"))
    #expect(ToolRun("sync", "--with", b, a).code == .badData)
    #expect(ToolRun("sync", a).code == .usage)
    #expect(ToolRun("sync", "--stdio", "--with", b, a).code == .usage)
    #expect(ToolRun("sync", "--with", scratch.path("none.trip"), a).code == .noInput)
    #expect(try scratch.bytes("a.trip") == (try copy(1, items: 3)))
  }

  @Test func talksToAnotherProcess() throws {
    let scratch = try ScratchFolder()
    try scratch.write(try copy(1, items: 300), to: "a.trip")
    try scratch.write(try copy(2, items: 400), to: "b.trip")
    let peer = "'\(SpawnedTool.path)' sync --stdio b.trip"
    let run = try SpawnedTool(["sync", "--exec", peer, "a.trip"], in: scratch)
    #expect(run.code == 0, "\(run.messages)")
    let joined = try list(scratch.path("a.trip"))
    #expect(joined.count == 700)
    #expect(try list(scratch.path("b.trip")) == joined)
    #expect(run.output.isEmpty)
  }

  @Test func quotesWhatIsNoProtocol() throws {
    let scratch = try ScratchFolder()
    try scratch.write(try copy(1, items: 3), to: "a.trip")
    let run = try SpawnedTool(["sync", "--exec", "echo Welcome to host", "a.trip"], in: scratch)
    #expect(run.code == 65)
    #expect(run.messages.contains("the other side wrote 'Welcome to host'"))
    #expect(try scratch.bytes("a.trip") == (try copy(1, items: 3)))
  }

  @Test func examinesAndRescues() throws {
    let scratch = try ScratchFolder()
    try scratch.write(try copy(1, items: 3), to: "a.trip")
    try scratch.write(try copy(2, items: 4), to: "b.trip")
    let (a, b) = (scratch.path("a.trip"), scratch.path("b.trip"))
    _ = ToolRun("sync", "--with", b, a)
    #expect(ToolRun("doctor", a).code == .done)
    try scratch.write(try scratch.bytes("a.trip") + [1, 2, 3], to: "a.trip")
    let sick = ToolRun("doctor", "-o", scratch.path("c.trip"), a)
    #expect(sick.code == .negative)
    #expect(sick.output.contains("problem: the last 3 bytes are the beginning of a commit"))
    #expect(try list(scratch.path("c.trip")).count == 7)
    #expect(ToolRun("doctor", "--json", scratch.path("c.trip")).code == .done)
    try scratch.write("no document", to: "d.trip")
    #expect(ToolRun("doctor", scratch.path("d.trip")).code == .badData)
  }
}
