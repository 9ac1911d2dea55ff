import Betwixt
import BetwixtFiles
import BetwixtSync
import BetwixtTrips
import Testing

@testable import BetwixtTool

/// What an editor opens: it is to be written in.
@Suite struct EditOpeningTests {
  private let device: TestDevice
  private let trip: String

  init() throws {
    let other = try TestDevice()
    try #require(other.run("new", "--name", "Rome", "--days", "3", other.path()).code == .done)
    device = try TestDevice()
    trip = device.path()
    try device.folder.write(try other.folder.bytes("trip.trip"), to: "trip.trip")
    try #require(device.run("identity", "--name", "Laptop").code == .done)
  }

  private var session: Session {
    Session(
      input: MemorySource(""), output: MemorySink(), error: MemorySink(),
      environment: device.environment)
  }

  /// Who writes here in a document; `nil` if nobody does.
  private func writer(in path: String) throws -> ReplicaID? {
    var session = session
    let document = try session.openDocument(path, access: .readOnly, isWriting: false)
    let (folder, id) = (document.state?.folder, document.id)
    let store = FileIdentityStore(
      try #require(folder), machine: FileIdentityStore.machineName(), random: { 1 })
    return try store.record(of: id)?.replica
  }

  /// Also who has not written here yet.
  @Test func theDeviceIsNamedInWhatItEdits() throws {
    var session = session
    let document = try session.openForEditor(trip)
    let (found, list) = (document.writer, document.list)
    let writer = try #require(found)
    #expect(list.deviceName(of: writer) == "Laptop")
    #expect(try self.writer(in: trip) == writer)
    #expect(try device.list().deviceName(of: writer) == "Laptop")
  }

  @Test func whatOnlyANewerVersionEditsIsRefused() throws {
    let bytes = try device.folder.bytes("trip.trip")
    let examination = try DocumentExamination(bytes)
    let list = examination.list
    var block = try Block(.delta, of: list.id, holding: list.delta(since: list.version)).encoded()
    // It says that it must be understood.
    block[2] = 0x80
    let frame = CommitFrame.encode(
      block, ordinal: UInt32(examination.commits.count), in: try DocumentHeader(bytes).log)
    try device.folder.write(bytes + frame, to: "trip.trip")
    var session = session
    var refusal: ToolFailure?
    do throws(ToolFailure) {
      _ = try session.openForEditor(trip)
    } catch {
      refusal = error
    }
    #expect(refusal?.code == .badData)
    #expect(refusal?.text.contains("a newer version of betwixt wrote this") == true)
    #expect(try device.folder.bytes("trip.trip") == bytes + frame)
  }

  @Test func tasksAreRefusedAndNobodyBecomesAWriter() throws {
    let tasks = device.path("todo.trip")
    let other = try TestDevice()
    try #require(other.run("new", "--tasks", other.path("todo.trip")).code == .done)
    let bytes = try other.folder.bytes("todo.trip")
    try device.folder.write(bytes, to: "todo.trip")
    var session = session
    var refusal: ToolFailure?
    do throws(ToolFailure) {
      _ = try session.openForEditor(tasks)
    } catch {
      refusal = error
    }
    #expect(refusal?.text.contains("holds tasks, and edit shows trips") == true)
    #expect(try device.folder.bytes("todo.trip") == bytes)
    #expect(try writer(in: tasks) == nil)
  }
}
