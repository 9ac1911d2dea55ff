import Betwixt
import BetwixtTool
import Foundation
import Testing

/// `betwixt sync --folder`: devices that never meet, only put files into one folder.
@Suite struct FolderCommandTests {
  private let laptop: TestDevice
  private let phone: TestDevice
  private let box: ScratchFolder

  init() throws {
    (laptop, phone, box) = (try TestDevice(), try TestDevice(), try ScratchFolder())
    let run = laptop.run("new", "--name", "Rome", "--days", "3", laptop.path())
    try #require(run.code == .done)
    try #require(sync(laptop).code == .done)
    try #require(phone.run("sync", "--create", "--folder", box.path, phone.path()).code == .done)
  }

  private func sync(_ device: TestDevice) -> ToolRun {
    device.run("sync", "--folder", box.path, device.path())
  }

  private func add(_ title: String, _ device: TestDevice) {
    let run = device.run("add", device.path(), "--day", "1", "--title", title)
    #expect(run.code == .done, "\(run.messages)")
  }

  /// The files that a device has put into the folder, the newest last.
  private func names(of device: TestDevice) throws -> [String] {
    let line = device.run("identity", "--json", device.path()).output
    let mark = "\"replica\":\""
    let writer = line[try #require(line.range(of: mark)).upperBound...].prefix(16)
    let directory = "betwixt-1/\(try device.list().id)/\(writer)"
    return try box.names(in: directory).map { "\(directory)/\($0)" }
  }

  /// Cuts the newest file of the laptop in the middle, as a tool does that is just copying it.
  private func cutNewest() throws -> (name: String, bytes: [UInt8]) {
    let newest = try #require(try names(of: laptop).last)
    let bytes = try box.bytes(newest)
    try box.write(Array(bytes.prefix(bytes.count / 2)), to: newest)
    return (newest, bytes)
  }

  @Test func createMakesACopy() throws {
    #expect(try phone.list() == laptop.list())
    let other = try TestDevice()
    #expect(other.run("new", "--name", "B", other.path("b.trip")).code == .done)
    #expect(other.run("sync", "--folder", box.path, other.path("b.trip")).code == .done)
    let run = other.run("sync", "--create", "--folder", box.path, other.path())
    #expect(run.code == .negative)
    #expect(run.messages.contains("holds 2 documents: "))
    #expect(
      other.run("sync", "--folder", other.path("none"), other.path("b.trip")).code == .noInput)
  }

  @Test func editsMeetInTheFolder() throws {
    add("here", laptop)
    add("there", phone)
    for device in [laptop, phone, laptop] { #expect(sync(device).code == .done) }
    #expect(try laptop.list() == phone.list())
    #expect(try Set(laptop.titles()) == ["here", "there"])
    let before = try box.names(in: "betwixt-1").count
    #expect(sync(phone).messages.hasSuffix(", 0 written\n"))
    #expect(try box.names(in: "betwixt-1").count == before)
  }

  @Test func halfAFileIsNotHereYet() throws {
    add("here", laptop)
    #expect(sync(laptop).code == .done)
    let (newest, bytes) = try cutNewest()
    let run = sync(phone)
    #expect(run.code == .done)
    #expect(run.messages.contains("\(box.path): \(newest) is not whole yet"))
    #expect(try phone.titles() == [])
    // It is named once, not for ever; and again when it has changed.
    #expect(!sync(phone).messages.contains("not whole"))
    #expect(!sync(phone).messages.contains("not whole"))
    try box.write(Array(bytes.prefix(bytes.count / 2 + 1)), to: newest)
    #expect(sync(phone).messages.contains("\(newest) is not whole yet"))
    try box.write(bytes, to: newest)
    #expect(sync(phone).code == .done)
    #expect(try phone.titles() == ["here"])
  }

  @Test func filesThatComeTheWrongWayRoundAreNoConflict() throws {
    add("Dinner", laptop)
    #expect(sync(laptop).code == .done)
    #expect(laptop.run("set", laptop.path(), "Dinner", "title=Supper").code == .done)
    #expect(sync(laptop).code == .done)
    #expect(laptop.run("move", laptop.path(), "Supper", "--day", "3").code == .done)
    #expect(laptop.run("set", laptop.path(), "Supper", "title=Feast").code == .done)
    #expect(sync(laptop).code == .done)
    let files = try names(of: laptop).suffix(3).map { (name: $0, bytes: try box.bytes($0)) }
    for file in files { try box.remove(file.name) }
    var said: [String] = []
    for index in [2, 0, 1] {
      try box.write(files[index].bytes, to: files[index].name)
      let run = sync(phone)
      #expect(run.code == .done)
      said.append(run.messages)
    }
    #expect(said[0].contains("a part of “Feast”"), "\(said)")
    #expect(said[1].contains("added “Feast”"), "\(said)")
    for word in ["conflict", "restored", "removed"] {
      #expect(!said.joined().contains(word), "\(said)")
    }
    #expect(try phone.list() == laptop.list())
  }

  @Test func aFolderThatIsMountedElsewhereIsTheSame() throws {
    add("A", laptop)
    #expect(sync(laptop).code == .done)
    let writer = laptop.run("identity", laptop.path()).output
    let elsewhere = laptop.path("mounted")
    try FileManager.default.moveItem(atPath: box.path, toPath: elsewhere)
    add("B", laptop)
    let run = laptop.run("sync", "--folder", elsewhere, laptop.path())
    #expect(run.code == .done)
    #expect(!run.messages.contains("no longer by"), "\(run.messages)")
    #expect(run.messages.hasSuffix(", 1 written\n"))
    #expect(laptop.run("identity", laptop.path()).output == writer)
    #expect(phone.run("sync", "--folder", elsewhere, phone.path()).code == .done)
    #expect(try phone.titles() == ["A", "B"])
  }

  @Test func twoFoldersHaveOneSequenceOfFiles() throws {
    let other = try ScratchFolder()
    for title in ["A", "B", "C"] {
      add(title, laptop)
      for root in [box.path, other.path] {
        let run = laptop.run("sync", "--folder", root, laptop.path())
        #expect(run.code == .done && !run.messages.contains("no longer by"), "\(run.messages)")
        #expect(run.messages.hasSuffix(", 1 written\n"))
      }
    }
    for root in [box.path, other.path] {
      let reader = try TestDevice()
      let run = reader.run("sync", "--create", "--folder", root, reader.path())
      #expect(run.code == .done)
      #expect(try reader.list() == laptop.list())
      #expect(try reader.list().version == laptop.list().version)
    }
  }

  /// A tool has lost a file on the way, or somebody has deleted it.
  @Test func aLostFileIsPutInAgainOnce() throws {
    for title in ["A", "B", "C"] {
      add(title, laptop)
      #expect(sync(laptop).code == .done)
    }
    let root = "betwixt-1/\(try laptop.list().id)"
    let directory = try #require(
      try box.names(in: root).first { try box.names(in: "\(root)/\($0)").count > 2 })
    let names = try box.names(in: "\(root)/\(directory)")
    // The second but last one: that of B.
    try box.remove("\(root)/\(directory)/\(names[names.count - 2])")
    #expect(sync(laptop).messages.hasSuffix(", 1 written\n"))
    #expect(sync(laptop).messages.hasSuffix(", 0 written\n"))
    add("D", laptop)
    #expect(sync(laptop).messages.hasSuffix(", 1 written\n"))
    #expect(sync(laptop).messages.hasSuffix(", 0 written\n"))
    for device in [phone, try TestDevice()] {
      let run = device.run("sync", "--create", "--folder", box.path, device.path())
      #expect(run.code == .done && run.messages.hasSuffix(", 0 written\n"), "\(run.messages)")
      #expect(try device.list() == laptop.list())
      #expect(try device.list().version == laptop.list().version)
    }
  }

  @Test func filesUnderTheOwnIDFromElsewhereGiveItUp() throws {
    // The state of the installation went back to before the last file was written.
    add("A", laptop)
    let folders = try laptop.folder.names(in: "state")
    let folder = try #require(folders.first)
    let head = try #require(
      try laptop.folder.names(in: "state/\(folder)").first { $0.hasSuffix(".head") })
    let old = try laptop.folder.bytes("state/\(folder)/\(head)")
    #expect(sync(laptop).code == .done)
    try laptop.folder.write(old, to: "state/\(folder)/\(head)")
    add("B", laptop)
    let run = sync(laptop)
    #expect(run.code == .done)
    #expect(run.messages.contains("the folder holds files under the old one"))
    #expect(!sync(laptop).messages.contains("no longer by"))
    for device in [phone, laptop] { #expect(sync(device).code == .done) }
    #expect(try laptop.list() == phone.list())
    #expect(try laptop.titles() == ["A", "B"])
  }

  @Test func manyEditsAreCompacted() throws {
    let note = String(repeating: "long ", count: 4_000)
    for number in 0..<8 {
      let run = laptop.run(
        "add", laptop.path(), "--day", "1", "--title", "Stop \(number)", "note=\(note)\(number)")
      #expect(run.code == .done)
      for device in [laptop, phone] { #expect(sync(device).code == .done) }
    }
    // The phone has to say that it has read the snapshot.
    add("done", phone)
    for device in [phone, laptop] { #expect(sync(device).code == .done) }
    let root = "betwixt-1/\(try laptop.list().id)"
    let names = try box.names(in: root).flatMap { try box.names(in: "\(root)/\($0)") }
    #expect(names.contains { $0.hasSuffix(".snapshot") })
    #expect(names.count < 9, "\(names)")
    let third = try TestDevice()
    #expect(third.run("sync", "--create", "--folder", box.path, third.path()).code == .done)
    #expect(try third.list() == laptop.list())
  }

  @Test func aFileWhereAFolderHasToBeIsNamed() throws {
    add("here", laptop)
    let root = "betwixt-1/\(try laptop.list().id)"
    let writer = try #require(try box.names(in: root).first)
    try box.remove("\(root)/\(writer)")
    try box.write("", to: "\(root)/\(writer)")
    let run = sync(laptop)
    #expect(run.code == .cannotCreate)
    #expect(run.messages.contains("\(root)/\(writer) is in the way"), "\(run.messages)")
  }

  @Test func aFolderInPlaceOfTheLockIsNamed() throws {
    let lock = laptop.path() + ".lock"
    try? FileManager.default.removeItem(atPath: lock)
    try FileManager.default.createDirectory(atPath: lock, withIntermediateDirectories: false)
    let run = laptop.run("add", laptop.path(), "--day", "1", "--title", "A")
    #expect(run.code == .cannotCreate)
    #expect(run.messages.contains("trip.trip.lock beside it is in the way"), "\(run.messages)")
  }

  /// What a quiet run has not said is said by the next one that speaks.
  @Test func aQuietRunHasNotTold() throws {
    add("here", laptop)
    #expect(sync(laptop).code == .done)
    let newest = try cutNewest().name
    #expect(phone.run("sync", "-q", "--folder", box.path, phone.path()).messages.isEmpty)
    #expect(sync(phone).messages.contains("\(newest) is not whole yet"))
  }
}
