import Betwixt
import BetwixtTool
import Foundation
import TestSupport
import Testing

/// Damaged documents and the commands: nothing is shown as whole that is not, and nothing is lost
/// that is whole.
@Suite struct DamagedDocumentTests {
  private let device: TestDevice
  private let trip: String
  private let whole: [UInt8]

  init() throws {
    device = try TestDevice()
    trip = device.path()
    let run = device.run("new", "--name", "Rome", "--start", "2026-05-01", "--days", "3", trip)
    try #require(run.code == .done, "\(run.messages)")
    for number in 1...4 {
      let added = device.run("add", trip, "--day", "1", "--title", "Stop \(number)")
      try #require(added.code == .done, "\(added.messages)")
    }
    whole = try device.folder.bytes("trip.trip")
  }

  @discardableResult
  private func add(_ title: String) -> ToolRun {
    device.run("add", "-q", trip, "--day", "1", "--title", title)
  }

  private func damage(at place: Int, in name: String = "trip.trip") throws {
    var bytes = try device.folder.bytes(name)
    bytes[place] ^= 0x10
    try device.folder.write(bytes, to: name)
  }

  private var titles: Set<String> {
    get throws { try Set(device.titles()) }
  }

  private static let all: Set = ["Stop 1", "Stop 2", "Stop 3", "Stop 4"]

  // MARK: The header

  @Test(arguments: [0, 1, 7, 9, 12, 30, 40, 63], [false, true])
  func aDamagedHeaderCostsNothing(place: Int, hasPrevious: Bool) throws {
    if hasPrevious {
      // An older generation, with less in it.
      let older = try TestDevice()
      try #require(
        older.run("new", "--id", try device.list().id.description, older.path()).code == .done)
      try device.folder.write(try older.folder.bytes("trip.trip"), to: "trip.trip.previous")
    }
    try damage(at: place)
    let shown = device.run("show", "-q", trip)
    #expect(shown.code == .badData)
    #expect(shown.output.contains("Stop 4") && shown.messages.contains("64 bytes are damaged"))
    let rescue = device.run("doctor", "-o", device.path("rescued.trip"), trip)
    #expect(rescue.code == .negative)
    #expect(try Set(device.titles("rescued.trip")) == Self.all)
    let refused = add("Stop 5")
    #expect(refused.code == .badData, "\(refused.messages)")
    #expect(refused.messages.contains("trip.trip.damaged-1"))
    #expect(try titles == Self.all)
    #expect(add("Stop 5").code == .done)
    #expect(try titles == Self.all.union(["Stop 5"]))
    #expect(device.run("doctor", trip).code == .negative)
    try FileManager.default.removeItem(atPath: device.path("trip.trip.damaged-1"))
    #expect(device.run("doctor", trip).code == .done)
  }

  /// The cure that others name is not named by itself.
  @Test(arguments: [[], ["-o", "NEW"]]) func ofADamagedExportNothingIsPromised(options: [String])
    throws
  {
    try #require(device.run("export", trip, "-o", device.path("e.trip")).code == .done)
    try damage(at: 20, in: "e.trip")
    let options = options.map { $0 == "NEW" ? device.path("new.trip") : $0 }
    let run = device.run(["doctor"] + options + [device.path("e.trip")])
    #expect(run.code == .badData)
    #expect(run.messages.contains("nothing can be recovered from it"))
    #expect(!run.messages.contains("doctor -o"))
    #expect(try !device.folder.names.contains("new.trip"))
  }

  @Test func whatIsNoDocumentIsSaidWithWhatHelps() throws {
    try device.folder.write([0x67, 0, 0, 1] + Array(repeating: 7, count: 60), to: "g.trip")
    let run = device.run("add", "--day", "1", "--title", "A", device.path("g.trip"))
    #expect(run.code == .badData)
    #expect(run.messages.contains("this is no document of betwixt: its first bytes are others"))
    #expect(run.messages.contains("'betwixt doctor -o NEW.trip \(device.path("g.trip"))' saves"))
    #expect(!run.messages.contains("bad-magic"))
  }

  /// Not even if they say that it is a text.
  @Test(arguments: ["{", "B"]) func aDocumentThatStartsAsATextIsDamaged(start: String) throws {
    let text = Array((start + String(repeating: "x", count: 99)).utf8)
    try device.folder.write(text + whole.dropFirst(text.count), to: "trip.trip")
    let run = add("Stop 5")
    #expect(run.code == .badData)
    #expect(run.messages.contains("was damaged. What can be read of it"), "\(run.messages)")
    #expect(try titles == Self.all)
  }

  @Test func doctorRescuesWhateverTheFirstBytesAre() throws {
    var random = SplitMix64(seed: 3)
    for name in ["trip.trip", "trip.trip.damaged-1", "trip.trip.previous", "photo.jpg"] {
      let junk = (0..<64).map { _ in UInt8(truncatingIfNeeded: random.next()) }
      try device.folder.write(junk + whole.dropFirst(64), to: name)
      let run = device.run("doctor", "-o", device.path("rescued.trip"), device.path(name))
      #expect(run.code == .negative, "\(run.messages)")
      #expect(try Set(device.titles("rescued.trip")) == Self.all)
      try FileManager.default.removeItem(atPath: device.path("rescued.trip"))
    }
  }

  @Test func anOlderGenerationIsNeverGoneBackTo() throws {
    // A generation before that lacks most of what the file has.
    for letter in ["x", "y"] {
      let text = String(repeating: letter, count: 40_000)
      try #require(device.run("set", trip, "Stop 1", "note=\(text)").code == .done)
    }
    try #require(try device.folder.names.contains("trip.trip.previous"))
    for number in 5...9 { try #require(add("Stop \(number)").code == .done) }
    try damage(at: 20)
    #expect(add("Stop 10").code == .badData)
    #expect(try titles == Self.all.union((5...9).map { "Stop \($0)" }))
    #expect(add("Stop 10").code == .done)
    #expect(try device.list().count == 10)
  }

  // MARK: Commits

  @Test func aDamagedLastCommitIsDamage() throws {
    try damage(at: whole.count - 20)
    let damaged = try device.folder.bytes("trip.trip")
    let run = add("Stop 5")
    #expect(run.code == .badData)
    #expect(run.messages.contains("commit 4 is missing"))
    #expect(try device.folder.bytes("trip.trip.damaged-1") == damaged)
    #expect(try titles == Self.all.subtracting(["Stop 4"]))
    #expect(add("Stop 5").code == .done)
    let doctor = device.run("doctor", trip)
    #expect(doctor.code == .negative)
    #expect(doctor.output.contains("trip.trip.damaged-1"))
  }

  @Test(arguments: [
    ["show"], ["export"], ["merge"], ["digest"], ["check"], ["show", "--json"],
    ["export", "--format", "md"], ["explain"], ["add", "--dry-run", "--day", "1", "--title", "A"],
  ])
  func quietCommandsSayThatAListIsAPart(_ arguments: [String]) throws {
    try damage(at: whole.count - 20)
    let before = try device.folder.bytes("trip.trip")
    let rest = arguments == ["explain"] ? ["Stop 1"] : []
    let run = ToolRun(
      [arguments[0], "-q"] + arguments.dropFirst() + [trip] + rest,
      environment: device.environment)
    #expect(run.code == .badData, "\(arguments): \(run.messages)")
    #expect(run.messages.contains("commit 4 is missing"), "\(arguments): \(run.messages)")
    #expect(try device.folder.bytes("trip.trip") == before)
  }

  @Test func syncsOfADamagedDocumentSayThatItIsOne() throws {
    let other = try TestDevice()
    try #require(other.run("sync", "--create", "--with", trip, other.path()).code == .done)
    let folder = device.path("shared")
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let ways = [
      ["--with", other.path()], ["--folder", folder],
      ["--exec", other.line("sync", "--stdio", other.path())],
    ]
    for way in ways {
      try device.folder.write(whole, to: "trip.trip")
      try damage(at: whole.count - 20)
      let run = ToolRun(["sync", "-q"] + way + [trip], environment: device.environment)
      #expect(run.code == .badData, "\(way)")
      #expect(run.messages.contains("commit 4 is missing"), "\(way): \(run.messages)")
      // Afterwards the other copy brings back what was lost.
      let again = ToolRun(["sync", "-q"] + way + [trip], environment: device.environment)
      #expect(again.code == .done, "\(way): \(again.messages)")
      if way[0] != "--folder" { #expect(try titles == Self.all) }
    }
  }

  @Test func aDamagedDocumentOfAPeerIsNotServed() throws {
    let other = try TestDevice()
    try #require(other.run("sync", "--create", "--with", trip, other.path()).code == .done)
    let id = try device.list().id
    let served = device.path("served")
    try FileManager.default.createDirectory(atPath: served, withIntermediateDirectories: true)
    try device.folder.write(whole, to: "served/\(id).trip")
    try damage(at: whole.count - 20, in: "served/\(id).trip")
    let peer = device.line("serve", "--stdio", served)
    let run = other.run("sync", "--exec", peer, other.path())
    #expect(run.code != .done)
    #expect(run.messages.contains("damaged"), "\(run.messages)")
    #expect(other.run("sync", "--exec", peer, other.path()).code == .done)
    #expect(try Set(device.titles("served/\(id).trip")) == Self.all)
  }

  /// The beginning of a commit may be of one that was acknowledged: the file is kept and remembered.
  @Test(arguments: [1, 9, 40]) func aCutCommitIsKept(lacking count: Int) throws {
    let cut = Array(whole.dropLast(count))
    try device.folder.write(cut, to: "trip.trip")
    #expect(device.run("check", "-q", trip).code == .badData)
    let run = add("Stop 5")
    #expect(run.code == .badData)
    #expect(run.messages.contains("are the beginning of a commit"))
    #expect(run.messages.contains("kept as \(device.path("trip.trip.damaged-1"))"))
    #expect(try device.folder.bytes("trip.trip.damaged-1") == cut)
    #expect(add("Stop 5").code == .done)
    let doctor = device.run("doctor", trip)
    #expect(doctor.code == .negative && doctor.output.contains("trip.trip.damaged-1"))
    try FileManager.default.removeItem(atPath: device.path("trip.trip.damaged-1"))
    #expect(device.run("doctor", trip).code == .done)
  }

  /// Any bit and any end: what the file lacks is said, and never with the exit code 0.
  @Test func anyBitAndAnyEndIsSaid() throws {
    var random = SplitMix64(seed: 17)
    for round in 0..<(runsLong ? 1_500 : 60) {
      var bytes = whole
      if round % 3 == 0 {
        bytes.removeLast(1 + Int(random.next() % UInt64(whole.count)))
      } else {
        bytes[Int(random.next() % UInt64(whole.count))] ^= 1 << UInt8(random.next() % 8)
      }
      try device.folder.write(bytes, to: "trip.trip")
      let shown = device.run("show", "-q", trip)
      let held = Self.all.filter { shown.output.contains($0) }
      let isWhole = held == Self.all && bytes == whole
      // A clean end between two commits is seen by the writer's record, when it is written.
      let isPrefix = shown.code == .done && whole.starts(with: bytes)
      #expect(isWhole || isPrefix || shown.code == .badData, "round \(round): \(shown.code)")
      #expect(isPrefix || !shown.messages.isEmpty, "round \(round)")
      let run = add("New")
      if run.code == .done {
        #expect(isPrefix, "round \(round)")
      } else {
        #expect(run.code == .badData && !run.messages.isEmpty, "round \(round): \(run.messages)")
      }
      if let after = try? titles { #expect(after.isSuperset(of: held), "round \(round)") }
      for name in try device.folder.names where name.contains("damaged") {
        try FileManager.default.removeItem(atPath: device.path(name))
      }
    }
  }

  @Test(arguments: [(0, "is empty"), (500, "holds only zeros")])
  func whatHoldsNothingIsSaidToBeSo(_ count: Int, _ words: String) throws {
    let device = try TestDevice()
    try device.folder.write([UInt8](repeating: 0, count: count), to: "trip.trip")
    let path = device.path()
    for line in [["show", path], ["add", "--day", "1", "--title", "A", path]] {
      let run = device.run(line)
      #expect(run.code == .badData)
      #expect(run.messages.contains("trip.trip \(words)"), "\(run.messages)")
    }
  }

  /// Of a document that is gone but for its name, the generation before is saved, and never taken for it
  /// by itself.
  @Test(arguments: [0, 40, 63], [true, false])
  func theGenerationBeforeIsSaved(count: Int, isOfZeros: Bool) throws {
    try #require(device.run("remove", trip, "Stop 4").code == .done)
    try #require(device.run("compact", "--keep", "0", trip).code == .done)
    let bytes = try device.folder.bytes("trip.trip")
    try device.folder.write(
      isOfZeros ? [UInt8](repeating: 0, count: count) : Array(bytes.prefix(count)), to: "trip.trip")
    let refused = add("Stop 5")
    #expect(refused.code == .badData)
    #expect(refused.messages.contains("betwixt doctor -o NEW.trip"), "\(refused.messages)")
    let run = device.run("doctor", "-o", device.path("saved.trip"), trip)
    #expect(run.code == .negative && run.output.contains("the generation before was joined"))
    #expect(try Set(device.titles("saved.trip")) == Self.all.subtracting(["Stop 4"]))
    #expect(try device.folder.bytes("trip.trip").count == count)
    // Of two documents nobody knows which it was.
    let other = try TestDevice()
    try #require(other.run("new", other.path()).code == .done)
    let name = "trip.trip.previous-\(String(repeating: "0", count: 32))"
    try device.folder.write(try other.folder.bytes("trip.trip"), to: name)
    #expect(device.run("doctor", "-o", device.path("again.trip"), trip).code == .badData)
  }

  // MARK: Damaged documents in the way

  /// What the first bytes of a document may have become.
  enum Start: CaseIterable {
    case zeros
    case ones
    case text
    case json
    /// Nothing but zeros, to the end.
    case hollow

    func replaced(in bytes: [UInt8]) -> [UInt8] {
      let start =
        switch self {
        case .zeros: [UInt8](repeating: 0, count: 512)
        case .ones: [UInt8](repeating: 0xff, count: 512)
        case .text: [UInt8](repeating: UInt8(ascii: "a"), count: 512)
        case .json: Array("{".utf8) + [UInt8](repeating: UInt8(ascii: " "), count: 511)
        case .hollow: [UInt8](repeating: 0, count: max(4_096, bytes.count))
        }
      return start + bytes.dropFirst(start.count)
    }
  }

  /// Something that was a document is never written over without a word, whatever its start says.
  @Test(arguments: ["export", "merge", "import"], Start.allCases)
  func aDocumentWithoutItsStartIsNotWrittenOver(verb: String, start: Start) throws {
    let other = device.path("other.trip")
    try #require(device.run("new", "--days", "3", other).code == .done)
    let broken = start.replaced(in: whole)
    try device.folder.write(broken, to: "trip.trip")
    let run =
      switch verb {
      case "import": device.run("import", "--into", trip, other)
      case "merge": device.run("merge", trip, other, "-o", trip)
      default: device.run("export", other, "-o", trip)
      }
    #expect(run.code != .done, "\(run.messages)")
    let kept = try device.folder.names(in: "").filter { $0.hasPrefix("trip.trip") }
      .map { try device.folder.bytes($0) }
    #expect(kept.contains(broken), "\(run.messages)")
  }

  @Test func aDocumentIsNoStream() {
    #expect(device.run("doctor", "-o", "-", trip).code == .usage)
  }
}
