import Betwixt
import TestSupport
import Testing

@testable import BetwixtFiles
@testable import BetwixtSync

/// Steps are kept behind what they did: whoever is stopped between the two has done what no step knows.
@Suite("Steps that were kept") struct KeptStepsTests {
  private let random = SharedRandom(seed: 3)

  private func open(
    _ disk: SimulatedDisk, at now: Int64 = 1_780_000_000_000
  ) throws -> Document {
    var settings = Document.Settings(
      stateDirectory: "/state", clock: { now }, random: { [random] in random.next() })
    settings.file.fileSystem = disk
    return try Document.openOrCreate(at: DocumentWork.path, settings: settings)
  }

  private func add(_ title: String?, to trip: inout Document, window: Int = 0) throws {
    try trip.edit(title, window: window) { list, me in
      try list.append(["title": .string(title ?? "none")], by: &me)
    }
  }

  private func isUnknown(_ trip: inout Document, window: Int = 0) throws -> Bool {
    guard try trip.undo(window: window) == nil else { return false }
    return trip.takeNotices().contains(.lastStepUnknown)
  }

  /// A document with an item that a step has added, and one of whose step nothing is known.
  private func stopped(
    _ disk: SimulatedDisk, _ before: (inout Document) throws -> Void = { _ in }
  ) throws {
    var trip = try open(disk)
    try add("first", to: &trip)
    try before(&trip)
    let state = trip.state
    let path = "\(try #require(state).folder)/undo"
    let bytes = try #require(disk.bytes(path))
    try add("second", to: &trip)
    disk.overwrite(path, bytes)
  }

  @Test func whoIsStoppedTakesBackTheLastActOrIsToldThatItIsNotKnown() throws {
    var (unknown, isOver) = (0, false)
    for call in 1...200 where !isOver {
      let disk = SimulatedDisk()
      var trip = try open(disk)
      try add("first", to: &trip)
      let last = disk.callCount + call
      disk.faults.crashingCall = last
      _ = try? add("second", to: &trip)
      isOver = disk.callCount < last
      var again = try open(SimulatedDisk(disk.drive.crashed { .whole }))
      let isDone = again.list.count == 2
      if isDone, try isUnknown(&again) {
        unknown += 1
        #expect(again.list.count == 2, "\(call)")
      } else if isDone {
        #expect(again.list.count == 1 && again.list.first?["title"] == "first", "\(call)")
      }
      #expect(try again.undo()?.result.step.name == "first", "\(call)")
    }
    #expect(isOver && unknown > 0)
  }

  @Test func otherStepsLieUponOneThatIsNotKnown() throws {
    let disk = SimulatedDisk()
    try stopped(disk)
    var trip = try open(disk)
    try add("third", to: &trip)
    trip = try open(disk)
    #expect(try trip.undo()?.result.step.name == "third")
    trip = try open(disk)
    #expect(trip.history.nextUndo()?.name == "")
    #expect(try isUnknown(&trip))
    trip = try open(disk)
    #expect(trip.list.count == 2)
    #expect(try trip.undo()?.result.step.name == "first")
    #expect(try trip.redo()?.result.step.name == "first")
    #expect(try trip.redo()?.result.step.name == "third")
    #expect(try trip.redo() == nil)
    #expect(trip.list.count == 3)
  }

  /// So does a front end that takes steps back by itself; and a history keeps what is not known.
  @Test func whoTakesStepsBackByHandMeetsItToo() throws {
    let disk = SimulatedDisk()
    try stopped(disk)
    var trip = try open(disk)
    let kept = try UndoHistory(
      decoding: trip.history.encoded(for: trip.list.id), for: trip.list.id)
    #expect(kept.nextUndo() == trip.history.nextUndo())
    for expected in [nil, "first"] {
      let name = try trip.editWithSteps { (list, me, steps) throws(EditFailure) in
        try steps.undo(in: &list, by: &me)?.step.name
      }
      #expect(name.value == expected)
      #expect(trip.takeNotices() == (expected == nil ? [.lastStepUnknown] : []))
    }
    #expect(trip.list.count == 1 && trip.list.first?["title"] == "second")
  }

  /// As after any other edit, what was taken back is not made again.
  @Test func whatIsNotKnownEndsWhatCanBeMadeAgain() throws {
    let disk = SimulatedDisk()
    try stopped(disk) { try $0.undo() }
    var trip = try open(disk)
    #expect(try trip.redo() == nil)
    #expect(try isUnknown(&trip))
    #expect(try trip.undo() == nil)
    #expect(trip.takeNotices().isEmpty)
  }

  @Test func nobodyKnowsInWhichWindowItWasDone() throws {
    let disk = SimulatedDisk()
    try stopped(disk) { try add("beside", to: &$0, window: 1) }
    var trip = try open(disk)
    for (window, name) in [(1, "beside"), (0, "first")] {
      #expect(try isUnknown(&trip, window: window))
      #expect(try trip.undo(window: window)?.result.step.name == name)
    }
  }

  /// A power cut can take the record of who writes together with the newest steps; a program that keeps no
  /// steps may make another one first.
  @Test(arguments: [true, false]) func whereTheIdentityIsGoneToo(byAnother: Bool) throws {
    let disk = SimulatedDisk()
    var trip = try open(disk)
    try add("first", to: &trip)
    let state = trip.state
    let folder = try #require(state).folder
    let bytes = try #require(disk.bytes("\(folder)/undo"))
    try trip.takeNewWriter()
    try add("second", to: &trip)
    disk.overwrite("\(folder)/undo", bytes)
    disk.overwrite("\(folder)/\(trip.id).identity", [UInt8](repeating: 0, count: 80))
    if byAnother {
      trip = try open(disk)
      try trip.makeWriter()
    }
    for name in [nil, "first"] {
      trip = try open(disk)
      #expect(try name != nil || isUnknown(&trip))
      if let name { #expect(try trip.undo()?.result.step.name == name) }
    }
    #expect(trip.list.count == 1 && trip.list.first?["title"] == "second")
  }

  /// What stands behind damage is there, and no version claims it.
  @Test func whatStandsBehindDamageIsKnownToo() throws {
    let disk = SimulatedDisk()
    var trip = try open(disk)
    try add(nil, to: &trip)
    let start = try #require(disk.bytes(DocumentWork.path)).count
    try add("first", to: &trip)
    try add("second", to: &trip)
    let state = trip.state
    let path = "\(try #require(state).folder)/undo"
    let bytes = try #require(disk.bytes(path))
    try add("third", to: &trip)
    disk.overwrite(path, bytes)
    var document = try #require(disk.bytes(DocumentWork.path))
    document[start - 8] ^= 1
    disk.overwrite(DocumentWork.path, document)
    trip = try open(disk)
    #expect(trip.report.droppedAnything && trip.list.count == 3)
    #expect(try isUnknown(&trip))
    #expect(try trip.undo()?.result.step.name == "second")
  }

  /// A program that has the document open finds what another one did until it was stopped.
  @Test func whoHasTheDocumentOpenMeetsIt() throws {
    let disk = SimulatedDisk()
    var trip = try open(disk)
    try add("first", to: &trip)
    let state = trip.state
    let path = "\(try #require(state).folder)/undo"
    var other = try open(disk)
    let bytes = try #require(disk.bytes(path))
    try add("second", to: &other)
    disk.overwrite(path, bytes)
    #expect(try isUnknown(&trip))
    #expect(try trip.undo()?.result.step.name == "first")
    #expect(trip.list.count == 1)
  }

  /// The same before that one has touched the steps.
  @Test func whoHasTheDocumentOpenMeetsItAlsoWhereTheStepsAreAsTheyWere() throws {
    let disk = SimulatedDisk()
    var trip = try open(disk)
    try add("first", to: &trip)
    var other = try open(disk)
    var list = other.list
    let identity = other.host.file.identity
    var me = try #require(identity).replica(for: list) { 1_780_000_000_000 }
    try list.append(["title": "second"], by: &me)
    try other.host.file.hold()
    try other.host.file.commit(list)
    other.host.file.letGo()
    #expect(try isUnknown(&trip))
    #expect(try trip.undo()?.result.step.name == "first")
  }

  /// What is written anew for a clock that was ahead was done by the steps.
  @Test func aClockThatIsMendedIsNoActThatIsNotKnown() throws {
    let disk = SimulatedDisk()
    var trip = try open(disk)
    try add("first", to: &trip)
    trip = try open(disk, at: 1_880_000_000_000)
    try add("second", to: &trip)
    trip = try open(disk)
    #expect(try !trip.repairClock().writes.own.isEmpty)
    for isOpen in [true, false] {
      if !isOpen { trip = try open(disk) }
      _ = try trip.undo()
      #expect(!trip.takeNotices().contains(.lastStepUnknown))
    }
  }

  @Test func whatIsNoStepIsKnown() throws {
    let disk = SimulatedDisk()
    var trip = try open(disk)
    try add("first", to: &trip)
    try add(nil, to: &trip)
    try trip.takeNewWriter()
    try add(nil, to: &trip)
    trip = try open(disk)
    #expect(try trip.undo()?.result.step.name == "first")
    #expect(trip.list.count == 2 && trip.takeNotices().count <= 1)
  }

  /// The identity lies on another place of the drive then, and writes under another id from now on.
  @Test func afterABackupOfTheStateTheLastActIsNotKnown() throws {
    let disk = SimulatedDisk()
    var trip = try open(disk)
    try add("first", to: &trip)
    let (state, writer) = (trip.state, trip.writer)
    let folder = try #require(state).folder
    var backup: [(path: String, bytes: [UInt8])] = []
    for name in try disk.list(folder) {
      backup.append(("\(folder)/\(name)", try #require(disk.bytes("\(folder)/\(name)"))))
    }
    try add("second", to: &trip)
    for (path, _) in backup { try disk.unlink(path) }
    for (path, bytes) in backup { try disk.create(path, holding: bytes) }
    trip = try open(disk)
    #expect(try isUnknown(&trip))
    #expect(trip.writer != writer && trip.list.count == 2)
    #expect(try trip.undo()?.result.step.name == "first")
    try add("third", to: &trip)
    trip = try open(disk)
    #expect(try trip.undo()?.result.step.name == "third")
  }

  // MARK: Merges

  /// Another copy of what a document holds, with an item more.
  private func copy(of list: ReplicatedList) throws -> ReplicatedList {
    var copy = list
    var you = Replica(id: ReplicaID(rawValue: 77)) { 1_780_000_000_000 }
    try copy.append(["title": "theirs"], by: &you)
    return copy
  }

  /// What is merged was written by others, so no number of one's own tells of it.
  @Test(arguments: SimulatedDrive.Fate.allCases)
  func whoIsStoppedInAMergeNeverTakesBackTheActBefore(fate: SimulatedDrive.Fate) throws {
    var (unknown, isOver) = (0, false)
    for call in 1...200 where !isOver {
      let disk = SimulatedDisk()
      var trip = try open(disk)
      try add("first", to: &trip)
      let other = try copy(of: trip.list)
      let last = disk.callCount + call
      disk.faults.crashingCall = last
      _ = try? trip.merge(other, step: "merge")
      isOver = disk.callCount < last
      var again = try open(SimulatedDisk(disk.drive.crashed { fate }))
      let next = again.history.nextUndo()?.name
      if again.list.count == 2 {
        #expect(next == "merge" || next == "", "\(call)")
        unknown += next == "" ? 1 : 0
      } else {
        #expect(again.list.count == 1 && next != "merge", "\(call)")
      }
    }
    #expect(isOver && unknown > 0)
  }

  @Test func aMergeThatFailsOrBringsNothingLeavesTheSteps() throws {
    var (failed, isOver) = (0, false)
    for call in 1...200 where !isOver {
      let disk = SimulatedDisk()
      var trip = try open(disk)
      try add("first", to: &trip)
      try add("second", to: &trip)
      try trip.undo()
      try trip.merge(trip.list, step: "merge")
      let other = try copy(of: trip.list)
      let last = disk.callCount + call
      disk.faults.failingCall = last
      do {
        try trip.merge(other, step: "merge")
        isOver = disk.callCount < last
      } catch {
        failed += 1
        trip = try open(disk)
        #expect(trip.history.nextUndo()?.name == "first", "\(call)")
        #expect(trip.history.nextRedo()?.name == "second", "\(call)")
        // What was said to have failed and is there all the same is no step.
        guard trip.list != other else { continue }
        try trip.merge(other, step: "merge")
      }
      disk.faults.failingCall = nil
      guard trip.takeNotices().isEmpty else { continue }
      trip = try open(disk)
      for name in ["merge", "first"] {
        #expect(try trip.undo()?.result.step.name == name, "\(call)")
      }
      #expect(trip.list.isEmpty, "\(call)")
    }
    #expect(isOver && failed > 0)
  }

  @Test func theBytesAreReadOrRefused() throws {
    let disk = SimulatedDisk()
    var trip = try open(disk)
    try add("first", to: &trip)
    let (state, id, held) = (trip.state, trip.id, trip.steps)
    let path = "\(try #require(state).folder)/undo"
    let bytes = try #require(disk.bytes(path))
    let steps = try KeptSteps(bytes, for: id)
    #expect(try steps.bytes(for: id) == bytes && steps == held)
    for end in 0..<bytes.count {
      #expect(throws: DecodeFailure.self) { try KeptSteps(Array(bytes[..<end]), for: id) }
    }
    for bit in 0..<bytes.count * 8 {
      var damaged = bytes
      damaged[bit / 8] ^= 1 << UInt8(bit % 8)
      #expect(throws: DecodeFailure.self) { try KeptSteps(damaged, for: id) }
    }
    let bare = try steps.history.encoded(for: id)
    #expect(throws: DecodeFailure(.badMagic, at: 0)) { try KeptSteps(bare, for: id) }
  }
}
