import Betwixt
import TestSupport
import Testing

@testable import BetwixtFiles
@testable import BetwixtSync

/// What it costs that an edit can be taken back.
@Suite("The cost of a step") struct StepCostTests {
  private let disk = SimulatedDisk()

  private func document(_ level: DocumentFile.SyncLevel) throws -> Document {
    let random = SharedRandom(seed: 3)
    var settings = Document.Settings(
      stateDirectory: "/state", clock: { 1_780_000_000_000 }, random: { random.next() })
    settings.file.fileSystem = disk
    settings.file.syncLevel = level
    return try Document.openOrCreate(at: DocumentWork.path, settings: settings)
  }

  /// How often an edit, which is not the first, calls each operation.
  private func cost(
    of step: String?, _ level: DocumentFile.SyncLevel
  ) throws -> [String: Int] {
    var trip = try document(level)
    var before: [String: Int] = [:]
    for _ in 0..<3 {
      before = disk.counts
      try trip.edit(step) { list, me in try list.append(["title": "A"], by: &me) }
    }
    return disk.counts.merging(before) { $0 - $1 }.filter { $0.value != 0 }
  }

  /// The drive is waited for once more where each commit waits for it, and nowhere else.
  @Test(arguments: [
    (DocumentFile.SyncLevel.full, 1, 0), (.ordered, 0, 1), (.none, 0, 0),
  ])
  func aStepWaitsOnceAtMost(
    level: DocumentFile.SyncLevel, syncs: Int, barriers: Int
  ) throws {
    let plain = try cost(of: nil, level)
    let named = try cost(of: "Add", level)
    #expect(plain["sync"] ?? 0 == syncs && plain["barrier"] ?? 0 == barriers)
    #expect(named["sync"] ?? 0 == 2 * syncs && named["barrier"] ?? 0 == barriers)
    for operation in ["syncDirectory", "list", "read", "lock", "link"] {
      #expect(named[operation] == plain[operation], "\(operation)")
    }
    let (all, calls) = (named.values.reduce(0, +), plain.values.reduce(0, +))
    #expect(all - calls <= 8, "\(named) \(plain)")
  }

  /// Before a merge comes to the drive it is there that a step is about to be kept, and where.
  @Test(arguments: [(DocumentFile.SyncLevel.full, 1), (.ordered, 0), (.none, 0)])
  func aMergeWaitsThreeTimesMoreAtMost(level: DocumentFile.SyncLevel, syncs: Int) throws {
    var trip = try document(level)
    try trip.edit("Add") { list, me in try list.append(["title": "A"], by: &me) }
    var other = trip.list
    var you = Replica(id: ReplicaID(rawValue: 77)) { 1_780_000_000_000 }
    func cost(of step: String?) throws -> [String: Int] {
      try other.append(["title": "B"], by: &you)
      let before = disk.counts
      try trip.merge(other, step: step)
      return disk.counts.merging(before) { $0 - $1 }
    }
    _ = try cost(of: nil)
    let (plain, named) = (try cost(of: nil), try cost(of: "merge"))
    func more(_ operation: String) -> Int { (named[operation] ?? 0) - (plain[operation] ?? 0) }
    #expect(more("sync") == 2 * syncs && more("syncDirectory") == syncs && more("barrier") == 0)
  }

  /// A power cut after an edit leaves the steps that were kept before, upon which lies one of which nothing
  /// is known, or those of the edit.
  @Test func aPowerCutTakesTheLastStepAtMost() throws {
    for fate in SimulatedDrive.Fate.allCases {
      let start = SimulatedDisk()
      let random = SharedRandom(seed: 3)
      func open(_ disk: SimulatedDisk) throws -> Document {
        var settings = Document.Settings(
          stateDirectory: "/state", clock: { 1_780_000_000_000 }, random: { random.next() })
        settings.file.fileSystem = disk
        return try Document.openOrCreate(at: DocumentWork.path, settings: settings)
      }
      var trip = try open(start)
      try trip.edit("first") { list, me in try list.append(["title": "A"], by: &me) }
      let state = trip.state
      try start.syncDirectory(try #require(state).folder)
      try trip.edit("second") { list, me in try list.append(["title": "B"], by: &me) }
      var again = try open(SimulatedDisk(start.drive.crashed { fate }))
      #expect(again.list.count == 2)
      let next = again.history.nextUndo()?.name
      #expect(next == (fate == .lost ? "" : "second"), "\(fate)")
      #expect(!again.takeNotices().contains { if case .stepsLost = $0 { true } else { false } })
    }
  }

  /// A drive that stays full is told once, and once more when it had room meanwhile.
  @Test func whatKeepsFailingIsToldOnce() throws {
    var trip = try document(.full)
    func add(isFull: Bool) throws -> [Document.Notice] {
      disk.faults.fullPath = isFull ? "/undo" : nil
      try trip.edit("Add") { list, me in try list.append(["title": "A"], by: &me) }
      return trip.takeNotices()
    }
    let state = trip.state
    let folder = try #require(state).folder
    let notice = Document.Notice.stepNotKept(
      "\(folder): open: noSpace (28); make room on that drive, or let this user have more of it")
    #expect(try add(isFull: true) == [notice])
    for _ in 0..<5 { #expect(try add(isFull: true).isEmpty) }
    #expect(try add(isFull: false).isEmpty)
    #expect(try add(isFull: true) == [notice])
    #expect(trip.list.count == 8)
  }
}
