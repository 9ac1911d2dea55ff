import Betwixt
import BetwixtFiles
import BetwixtSync
import BetwixtTool
import Testing

/// Writes of a clock that is far ahead, or made to do harm: they stay outside, are named, and can be
/// healed.
@Suite struct AdmissionTests {
  /// The year 2096.
  private static let future: Int64 = 3_976_300_800_000

  private let laptop: TestDevice
  private let phone: TestDevice

  init() throws {
    (laptop, phone) = (try TestDevice(), try TestDevice())
    try #require(laptop.run("new", "--name", "Rome", "--days", "3", laptop.path()).code == .done)
    for title in ["Lunch", "Museum", "Walk"] {
      let run = laptop.run("add", laptop.path(), "--day", "1", "--title", title)
      try #require(run.code == .done)
    }
    let copy = phone.run("sync", "--create", "--with", laptop.path(), phone.path())
    try #require(copy.code == .done)
  }

  /// Writes into a document as somebody, at a time of the future.
  private func write(
    _ device: TestDevice, as writer: ReplicaID,
    _ body: (inout ReplicatedList, inout Replica) throws -> Void
  ) throws {
    var file = try DocumentFile.open(
      at: device.path(), settings: .init(random: { UInt64.random(in: 0 ... .max) }))
    var list = file.list
    var me = Replica(id: writer, sequence: list.version[writer]) { Self.future }
    try body(&list, &me)
    try file.commit(list)
  }

  /// The phone's clock is wrong: it titles Lunch, adds an item, and edits another one in time.
  private func spoil() throws {
    try write(phone, as: ReplicaID(rawValue: 77)) { list, me in
      try list.set("title", of: list[0].id, to: "Dinner", by: &me)
      try list.move(list[1].id, toOffset: 3, inSection: 1, by: &me)
    }
    #expect(phone.run("set", phone.path(), "Museum", "note=closed").code == .done)
  }

  @Test func filesFromTheFutureAreRefusedUnlessBelieved() throws {
    try spoil()
    for arguments in [
      ["merge", laptop.path(), phone.path(), "-o", laptop.path("m.trip")],
      ["merge3", laptop.path(), laptop.path(), phone.path(), "-o", laptop.path("m.trip")],
      ["import", "--into", laptop.path(), phone.path()],
    ] {
      let before = try laptop.list()
      let run = laptop.run(arguments)
      #expect(run.code == .badData, "\(arguments)")
      #expect(
        run.messages.contains("“Dinner” was written at 2096-01-02T00:00:00Z")
          || run.messages.contains("“Museum” was written at 2096-01-02T00:00:00Z"),
        "\(run.messages)")
      #expect(run.messages.contains("--accept-clock"))
      #expect(try laptop.list() == before)
      let believed = laptop.run(arguments + ["--accept-clock"])
      #expect(believed.code == .done, "\(believed.messages)")
    }
  }

  /// A document that is written over by a copy takes no more in than one that is merged.
  @Test func exportsAndNewDocumentsAreJudgedToo() throws {
    try spoil()
    let before = try laptop.folder.bytes("trip.trip")
    for arguments in [
      ["export", phone.path(), "-o", laptop.path()],
      ["new", "--from", phone.path(), laptop.path("n.trip")],
    ] {
      let run = laptop.run(arguments)
      #expect(run.code == .badData, "\(arguments)")
      #expect(run.messages.contains("\(phone.path()): "), "\(run.messages)")
      #expect(run.messages.contains(" was written at 2096-01-02T00:00:00Z"), "\(run.messages)")
      #expect(run.messages.contains("--accept-clock"))
      #expect(try laptop.folder.bytes("trip.trip") == before)
      #expect(try !laptop.folder.names.contains("n.trip"))
      #expect(laptop.run(arguments + ["--accept-clock"]).code == .done)
      try laptop.folder.write(before, to: "trip.trip")
    }
    // A file of another format or name holds what its source does.
    #expect(laptop.run("export", phone.path(), "-o", laptop.path("x.trip")).code == .done)
  }

  @Test(arguments: ["with", "exec", "folder"]) func syncTakesTheRestAndSaysWhatWaits(way: String)
    throws
  {
    try spoil()
    let box = try ScratchFolder()
    let run: ToolRun
    switch way {
    case "with": run = laptop.run("sync", "--with", phone.path(), laptop.path())
    case "exec":
      run = laptop.run(
        "sync", "--exec", phone.line("sync", "--stdio", phone.path()), laptop.path())
    default:
      run = phone.run("sync", "--folder", box.path, phone.path())
      let other = laptop.run("sync", "--folder", box.path, laptop.path())
      #expect(other.code == .done && !other.messages.contains("2096"), "\(other.messages)")
    }
    #expect(run.code == .negative, "\(run.messages)")
    let words = way == "folder" ? "not put into \(box.path): " : "not taken"
    #expect(run.messages.contains(words), "\(run.messages)")
    #expect(run.messages.hasSuffix("\n") && !run.messages.contains(" \n"), "\(run.messages)")
    #expect(run.messages.contains("2096-01-02T00:00:00Z"))
    #expect(run.messages.contains("it waits where it is"))
    let list = try laptop.list()
    #expect(list.map { $0["title"]?.string } == ["Lunch", "Museum", "Walk"])
    #expect(list[1]["note"] == "closed")
    #expect(laptop.run("set", laptop.path(), "Lunch", "title=Brunch").code == .done)
    #expect(laptop.run("doctor", laptop.path()).code == .done)
    // Nor does the other one take it for done.
    #expect(try phone.list().contains { $0["title"] == "Dinner" })
  }

  /// Where a clock was wrong when it was put in.
  @Test func aFileOfTheFutureWaitsInItsFolder() throws {
    try spoil()
    let box = try ScratchFolder()
    let list = try phone.list()
    var folder = SharedFolder(
      box.path, list: list.id, replica: ReplicaID(rawValue: 77),
      settings: SharedFolder.Settings { UInt64.random(in: 0 ... .max) })
    try folder.write(list)
    let run = laptop.run("sync", "--folder", box.path, laptop.path())
    #expect(run.code == .negative && run.messages.contains("not taken from \(box.path)"))
    #expect(run.messages.contains("it waits where it is"), "\(run.messages)")
    #expect(try laptop.titles() == ["Lunch", "Museum", "Walk"])
  }

  /// Nor does a quiet run end as if all had been taken.
  @Test func aQuietSyncSaysWhatWasNotTaken() throws {
    try spoil()
    let run = laptop.run("sync", "-q", "--with", phone.path(), laptop.path())
    #expect(run.code == .negative && run.messages.contains("not taken"), "\(run.messages)")
    let believed = laptop.run("sync", "-q", "--accept-clock", "--with", phone.path(), laptop.path())
    #expect(believed.code == .done && believed.messages.isEmpty, "\(believed.messages)")
  }

  @Test func whatIsPoisonedIsNamedAndHealed() throws {
    try spoil()
    let order = try phone.titles()
    #expect(order == ["Dinner", "Walk", "Museum"])
    let check = phone.run("check", phone.path())
    #expect(check.code == .negative)
    #expect(check.output.contains("title of “Dinner” was written at 2096-01-02T00:00:00Z"))
    #expect(check.output.contains("position of “Museum” was written at"))
    #expect(phone.run("check", "--json", phone.path()).output.contains(#"{"poisoned":"timeAhead""#))
    let doctor = phone.run("doctor", "-o", phone.path("healed.trip"), phone.path())
    #expect(doctor.code == .negative)
    #expect(doctor.output.contains("problem: title of “Dinner” was written at 2096"))
    #expect(!doctor.output.contains("nothing is wrong"))
    // The new document shows the same, and everything can be edited.
    let healed = phone.path("healed.trip")
    #expect(phone.run("doctor", healed).output.contains("nothing is wrong"))
    #expect(try phone.titles("healed.trip") == order)
    #expect(phone.run("set", healed, "Dinner", "title=Supper").code == .done)
    #expect(phone.run("move", healed, "--day", "2", "Museum").code == .done)
    #expect(try phone.titles("healed.trip") == ["Supper", "Walk", "Museum"])
    #expect(laptop.run("sync", "--with", healed, laptop.path()).code == .done)
    #expect(try laptop.titles() == ["Supper", "Walk", "Museum"])
  }

  @Test func ownWritesOfTheFutureAreCountedAndMended() throws {
    #expect(phone.run("add", phone.path(), "--day", "2", "--title", "Own").code == .done)
    let said = phone.run("identity", "--json", phone.path()).output
    let text = try #require(said.split(separator: #""replica":""#).last?.prefix(16))
    let own = try #require(ReplicaID(String(text)))
    try write(phone, as: own) { list, me in
      try list.set("title", of: list[0].id, to: "Dinner", by: &me)
      try list.insert(["title": "Nap", "kind": "custom"], at: 1, inSection: 1, by: &me)
      try list.insert(["title": "Tea", "kind": "custom"], at: 2, inSection: 1, by: &me)
      try list.remove(list[4].id, by: &me)
    }
    let order = ["Dinner", "Nap", "Tea", "Museum", "Own"]
    #expect(try phone.titles() == order)
    let doctor = phone.run("doctor", phone.path())
    #expect(doctor.code == .negative)
    #expect(doctor.output.contains("of these writes were made here; where the clock is right, 'be"))
    #expect(!phone.run("doctor", "--json", phone.path()).output.contains(#""ownFuture":0"#))
    let before = try phone.list()
    let trial = phone.run("repair", "--clock", "--dry-run", phone.path())
    #expect(trial.code == .done && trial.output.contains("repaired: title of “Dinner”"))
    #expect(try phone.list() == before)
    let bytes = try phone.folder.bytes("trip.trip")
    let run = phone.run("repair", "--clock", phone.path())
    #expect(run.code == .done, "\(run.messages)")
    #expect(run.messages.contains("no longer by \(own)"))
    #expect(run.messages.contains("as it was is kept as \(phone.path("trip.trip.replaced-1"))"))
    #expect(try phone.folder.bytes("trip.trip.replaced-1") == bytes)
    #expect(try phone.titles() == order)
    #expect(phone.run("doctor", phone.path()).output.contains("nothing is wrong"))
    // Others take it now, and edits of theirs win again.
    #expect(laptop.run("sync", "--with", phone.path(), laptop.path()).code == .done)
    #expect(try laptop.titles() == order)
    #expect(laptop.run("set", laptop.path(), "Dinner", "title=Late").code == .done)
    #expect(phone.run("sync", "--with", laptop.path(), phone.path()).code == .done)
    #expect(try phone.titles().first == "Late")
    #expect(phone.run("repair", "--clock", phone.path()).messages.contains("nothing was written"))
  }

  /// Not even a damaged document is changed, and nobody becomes a writer.
  @Test func aTrialOfRepairingTheClockWritesNothing() throws {
    try spoil()
    var bytes = try phone.folder.bytes("trip.trip")
    bytes[bytes.count - 3] ^= 1
    let other = try TestDevice()
    try other.folder.write(bytes, to: "trip.trip")
    _ = other.run("repair", "--clock", "--dry-run", other.path())
    #expect(try other.folder.names == ["trip.trip"])
    #expect(try other.folder.bytes("trip.trip") == bytes)
  }

  @Test func poisonOfOthersIsLeftAndNamed() throws {
    try spoil()
    let run = phone.run("repair", "--clock", phone.path())
    #expect(run.code == .negative)
    #expect(run.output.contains("left: title of “Dinner”"))
  }

  /// If all has been written in what is the future by the clock here, the clock here is not believed.
  @Test func aClockThatMayHaveFallenBackIsDoubted() throws {
    try spoil()
    let said = phone.run("identity", "--json", phone.path()).output
    let text = try #require(said.split(separator: #""replica":""#).last?.prefix(16))
    try write(phone, as: try #require(ReplicaID(String(text)))) { list, me in
      try list.set("title", of: list[1].id, to: "Own", by: &me)
    }
    let (before, files) = (try phone.list(), try phone.folder.names)
    for arguments in [[], ["--dry-run"]] {
      let run = phone.run(["repair", "--clock"] + arguments + [phone.path()])
      #expect(run.code == .negative && run.output.isEmpty)
      #expect(run.messages.contains("writes of others are ahead of the clock here, too"))
      #expect(run.messages.contains("is it right?") && run.messages.contains("--force"))
    }
    #expect(try phone.list() == before && phone.folder.names == files)
    #expect(phone.run("repair", "--force", phone.path()).code == .usage)
    let trial = phone.run("repair", "--clock", "--force", "--dry-run", phone.path())
    #expect(trial.output.contains("repaired: title of “Own”"), "\(trial.messages)")
    let run = phone.run("repair", "--clock", "--force", phone.path())
    #expect(run.code == .negative && run.output.contains("repaired: title of “Own”"))
    #expect(run.output.contains("left: title of “Dinner”"), "\(run.messages)")
  }

  /// Twelve hundred fields in three calls, as in a script that goes wrong.
  @Test func anyNumberOfFieldsCanBeExportedMergedAndSynced() throws {
    for start in [0, 400, 800] {
      let fields = (start..<start + 400).map { "f\($0)=x" }
      #expect(laptop.run(["set", laptop.path(), "Lunch"] + fields).code == .done)
      #expect(
        phone.run(["set", phone.path(), "Lunch"] + fields.map { "p" + $0 }).code == .done)
    }
    let merged = laptop.run("merge", laptop.path(), phone.path(), "-o", laptop.path("m.trip"))
    #expect(merged.code == .done, "\(merged.messages)")
    #expect(laptop.run("export", laptop.path(), "-o", laptop.path("x.trip")).code == .done)
    let peer = phone.line("sync", "--stdio", phone.path())
    let run = laptop.run("sync", "--exec", peer, laptop.path())
    #expect(run.code == .done, "\(run.messages)")
    #expect(try laptop.list() == phone.list())
    #expect(try laptop.list().first?.fields.count ?? 0 > 2_400)
    #expect(laptop.run("doctor", "-o", laptop.path("d.trip"), laptop.path()).code == .done)
    let box = try ScratchFolder()
    for device in [laptop, phone] {
      #expect(device.run("sync", "--folder", box.path, device.path()).code == .done)
    }
  }

  /// What is refused has not won, and programs are told which side refused it.
  @Test func whatIsNotTakenIsNoLoss() throws {
    #expect(laptop.run("set", laptop.path(), "Lunch", "title=Mine").code == .done)
    try spoil()
    let run = laptop.run("sync", "--with", phone.path(), laptop.path())
    #expect(run.code == .negative)
    // In the phone's copy it has, and that is said of it.
    #expect(!run.messages.split(separator: "\n").contains { $0.hasPrefix("conflict") })
    #expect(run.messages.contains("\(phone.path()): conflict: title of “Dinner”"))
    #expect(run.messages.contains("not taken into"))
    let again = laptop.run("sync", "--json", "--with", phone.path(), laptop.path())
    let lines = again.output.split(separator: "\n").filter { $0.contains("notTaken") }
    let item = try #require(try laptop.list().first { $0["title"]?.string == "Mine" })
    #expect(
      lines.contains {
        $0.hasPrefix(#"{"notTaken":"timeAhead","by":"this","item":"\#(item.id.uuid)""#)
          && $0.contains(#""label":"Mine""#)
      }, "\(again.output)")
  }
}
