import Betwixt
import TestSupport
import Testing

@testable import BetwixtFiles
@testable import BetwixtSync

/// A step of many edits, such as an import, lies in a file of its own: it is read when it is taken, and
/// no edit after it pays for it.
@Suite("A large step") struct LargeStepTests {
  private let random = SharedRandom(seed: 3)

  private func open(_ disk: SimulatedDisk) throws -> Document {
    var settings = Document.Settings(
      stateDirectory: "/state", clock: { 1_780_000_000_000 }, random: { [random] in random.next() })
    settings.file.fileSystem = disk
    return try Document.openOrCreate(at: DocumentWork.path, settings: settings)
  }

  /// A document with two items, a step for each, and one of 400 between them.
  private func imported(_ disk: SimulatedDisk) throws {
    var trip = try open(disk)
    try add("before", to: &trip)
    try trip.edit("import") { list, me in
      for number in 0 as Int64..<400 { try list.append(["title": .int64(number)], by: &me) }
    }
  }

  private func add(_ title: String, to trip: inout Document) throws {
    try trip.edit(title) { list, me in try list.append(["title": .string(title)], by: &me) }
  }

  /// The files of the state that hold steps, with their sizes.
  private func files(_ disk: SimulatedDisk) throws -> [String: Int] {
    var files: [String: Int] = [:]
    for folder in try disk.list("/state") {
      for name in try disk.list("/state/\(folder)") where name.hasPrefix("undo") {
        files[name] = disk.bytes("/state/\(folder)/\(name)")?.count
      }
    }
    return files
  }

  private func lost(_ trip: inout Document) -> Int {
    trip.takeNotices().count { if case .stepsLost = $0 { true } else { false } }
  }

  @Test func itIsKeptOnceAndTakenByWhoeverOpensNext() throws {
    let disk = SimulatedDisk()
    try imported(disk)
    let first = try files(disk)
    #expect(first.count == 2)
    let size = try #require(first["undo"])
    #expect(size < 1000 && first.values.reduce(0, +) > 20_000)
    var trip = try open(disk)
    try add("after", to: &trip)
    #expect(try files(disk).filter { $0.key != "undo" } == first.filter { $0.key != "undo" })
    #expect(try #require(try files(disk)["undo"]) < 2 * size)
    // To and fro, by whoever opens next and by who has it open.
    for isOpen in [false, true] {
      for count in [401, 1, 0] {
        if !isOpen { trip = try open(disk) }
        #expect(try trip.undo() != nil)
        #expect(trip.list.count == count)
      }
      for count in [1, 401, 402] {
        if !isOpen { trip = try open(disk) }
        #expect(try trip.redo() != nil)
        #expect(trip.list.count == count)
      }
      #expect(try files(disk).count == 2)
    }
    // Once it cannot be made again, its file goes.
    _ = try trip.undo()
    _ = try trip.undo()
    try add("instead", to: &trip)
    #expect(try files(disk).map(\.key) == ["undo"])
    #expect(lost(&trip) == 0)
  }

  @Test func menusAndAppsTakeItTheSameWay() throws {
    let disk = SimulatedDisk()
    try imported(disk)
    var trip = try open(disk)
    var (history, list) = (trip.history, trip.list)
    #expect(history.nextUndo()?.name == "import")
    var me = Replica(id: ReplicaID(rawValue: 7)) { 1_790_000_000_000 }
    #expect(try history.undo(in: &list, by: &me)?.done.count == 400)
    _ = try trip.editWithSteps { (list, me, steps) throws(EditFailure) in
      try steps.undo(in: &list, by: &me)
    }
    #expect(trip.list.count == 1)
  }

  /// Whoever would take back a step that is gone takes none in its place.
  @Test(arguments: [true, false]) func oneThatIsGoneIsToldAndNothingElseTaken(
    isDamaged: Bool
  ) throws {
    let disk = SimulatedDisk()
    try imported(disk)
    let folder = try #require(try disk.list("/state").first)
    let name = try #require(try files(disk).keys.first { $0 != "undo" })
    let path = "/state/\(folder)/\(name)"
    var bytes = try #require(disk.bytes(path))
    bytes[bytes.count / 2] ^= 1
    if isDamaged { disk.overwrite(path, bytes) } else { try disk.unlink(path) }
    var trip = try open(disk)
    try add("after", to: &trip)
    #expect(try trip.undo()?.result.step.name == "after")
    #expect(lost(&trip) == 0)
    #expect(try trip.undo() == nil)
    #expect(trip.list.count == 401)
    #expect(lost(&trip) == 1)
    #expect(try trip.undo() == nil)
    #expect(try trip.redo()?.result.step.name == "after")
    #expect(lost(&trip) == 0)
  }

  /// Stopped at any call, or with any call failing, a device takes back its newest step or
  /// none, and nothing that no step names is left for good.
  @Test(arguments: [true, false]) func whoIsStoppedMeanwhileTakesNoOtherStepBack(
    isStopped: Bool
  ) throws {
    var isOver = false
    for call in 1...200 where !isOver {
      let disk = SimulatedDisk()
      try imported(disk)
      let last = disk.callCount + call
      if isStopped { disk.faults.crashingCall = last } else { disk.faults.failingCall = last }
      // The import goes to the other pile, with another file: what it holds has changed.
      if var trip = try? open(disk) { _ = try? trip.undo() }
      isOver = disk.callCount < last
      disk.faults = SimulatedDisk.Faults()
      let after = SimulatedDisk(disk.drive.crashed { .whole })
      var trip = try open(after)
      #expect([1, 401].contains(trip.list.count))
      let isUndone = trip.list.count == 1
      let next = isUndone ? trip.history.nextRedo()?.name : trip.history.nextUndo()?.name
      #expect(next == nil || next == "import", "\(call)")
      if next != nil {
        #expect(try (isUndone ? trip.redo() : trip.undo()) != nil, "\(call)")
      }
      try trip.edit("again") { list, me in
        for number in 0 as Int64..<400 { try list.append(["title": .int64(number)], by: &me) }
      }
      #expect(try files(after).count <= 3, "\(call)")
    }
    #expect(isOver)
  }
}
