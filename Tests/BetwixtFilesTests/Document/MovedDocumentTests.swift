import Betwixt
import Foundation
import TestSupport
import Testing

@testable import BetwixtFiles
@testable import BetwixtSync

/// What is kept of a document follows the document, and never a copy of it.
@Suite("A document that was moved") struct MovedDocumentTests {
  private let directory = ScratchDirectory()
  private let random = SharedRandom(seed: 41)
  private let files = FileManager.default

  private func path(_ name: String) -> String { "\(directory.path)/\(name)" }

  private func open(_ name: String, state: String = "state") throws -> Document {
    let settings = Document.Settings(
      stateDirectory: path(state), clock: { 1_780_000_000_000 },
      random: { [random] in random.next() })
    return try Document.openOrCreate(at: path(name), settings: settings)
  }

  /// Makes an edit and closes, as a run of an app does.
  @discardableResult
  private func add(
    _ title: String, to name: String, state: String = "state"
  ) throws -> ReplicaID {
    var trip = try open(name, state: state)
    try trip.edit("Add \(title)") { list, me in
      try list.append(["title": .string(title)], by: &me)
    }
    let writer = trip.writer
    return try #require(writer)
  }

  private func nextUndo(_ name: String, state: String = "state") throws -> String? {
    var trip = try open(name, state: state)
    return trip.history.nextUndo()?.name
  }

  private func folders() throws -> [String] {
    try files.contentsOfDirectory(atPath: path("state"))
  }

  private func makeFolder(_ name: String) throws {
    try files.createDirectory(atPath: path(name), withIntermediateDirectories: false)
  }

  /// Of a file that cannot be reached nobody knows that it is gone.
  @Test func nothingIsTakenFromADocumentThatCannotBeReached() throws {
    try makeFolder("far")
    let writer = try add("A", to: "far/x.trip")
    try files.linkItem(atPath: path("far/x.trip"), toPath: path("y.trip"))
    try move("far", to: "kept")
    try files.createSymbolicLink(atPath: path("far"), withDestinationPath: "far")
    #expect(try add("B", to: "y.trip") != writer)
    #expect(try folders().count == 2)
    try files.removeItem(atPath: path("far"))
    try move("kept", to: "far")
    #expect(try add("C", to: "far/x.trip") == writer)
  }

  private func move(_ name: String, to other: String) throws {
    try files.moveItem(atPath: path(name), toPath: path(other))
  }

  private func copy(_ name: String, to other: String) throws {
    try files.copyItem(atPath: path(name), toPath: path(other))
  }

  @Test func aRenamedDocumentKeepsItsWriterAndItsSteps() throws {
    let writer = try add("A", to: "x.trip")
    try move("x.trip", to: "y.trip")
    #expect(try nextUndo("y.trip") == "Add A")
    #expect(try add("B", to: "y.trip") == writer)
    #expect(try folders().count == 1)
    // To and fro, also when another generation has its name by then.
    var trip = try open("y.trip")
    try trip.forget(below: trip.list.version)
    try trip.host.file.compact()
    trip.close()
    try move("y.trip", to: "x.trip")
    #expect(try add("C", to: "x.trip") == writer)
    var again = try open("x.trip")
    for title in ["C", "B", "A"] {
      #expect(try again.undo()?.result.step.name == "Add \(title)")
    }
    #expect(again.list.version.count == 1 && again.takeNotices().isEmpty)
  }

  /// What an update of an app does on a phone.
  @Test func aFolderWithTheDocumentAndItsStateMayBeMoved() throws {
    try files.createDirectory(atPath: path("one"), withIntermediateDirectories: false)
    let writer = try add("A", to: "one/x.trip", state: "one/state")
    try move("one", to: "two")
    #expect(try nextUndo("two/x.trip", state: "two/state") == "Add A")
    #expect(try add("B", to: "two/x.trip", state: "two/state") == writer)
  }

  /// What a restored backup does on the same phone or another one: every file is a new one.
  @Test func aRestoredFolderKeepsTheStepsUnderAnotherWriter() throws {
    try files.createDirectory(atPath: path("one"), withIntermediateDirectories: false)
    let writer = try add("A", to: "one/x.trip", state: "one/state")
    try copy("one", to: "two")
    try move("one", to: "three")
    #expect(try nextUndo("two/x.trip", state: "two/state") == "Add A")
    #expect(try add("B", to: "two/x.trip", state: "two/state") != writer)
    // The first phone goes on as it was.
    #expect(try add("C", to: "three/x.trip", state: "three/state") == writer)
  }

  /// From one drive to another a file is copied, and the old one deleted.
  @Test func aDocumentFromElsewhereKeepsTheSteps() throws {
    let writer = try add("A", to: "x.trip")
    try copy("x.trip", to: "y.trip")
    try files.removeItem(atPath: path("x.trip"))
    #expect(try nextUndo("y.trip") == "Add A")
    #expect(try add("B", to: "y.trip") != writer)
    #expect(try nextUndo("y.trip") == "Add B")
  }

  /// What large steps hold lies in files of its own, which come along either way.
  @Test(arguments: [true, false]) func largeStepsComeAlong(isRenamed: Bool) throws {
    var trip = try open("x.trip")
    for name in ["import", "again"] {
      try trip.edit(name) { list, me in
        for number in 0 as Int64..<400 { try list.append(["title": .int64(number)], by: &me) }
      }
    }
    trip.close()
    try isRenamed ? move("x.trip", to: "y.trip") : copy("x.trip", to: "y.trip")
    if !isRenamed { try files.removeItem(atPath: path("x.trip")) }
    for count in [400, 0] {
      var again = try open("y.trip")
      #expect(try again.undo() != nil)
      #expect(again.list.count == count && again.takeNotices().isEmpty)
    }
  }

  /// What others wrote is taken back as well where nothing was ever written here.
  @Test func aMergeThatIsAStepComesAlong() throws {
    try add("A", to: "theirs.trip", state: "elsewhere")
    try copy("theirs.trip", to: "x.trip")
    var theirs = try open("theirs.trip", state: "elsewhere")
    for name in ["import", "again"] {
      try theirs.edit { list, me in try list.append(["title": .string(name)], by: &me) }
      var trip = try open("x.trip")
      try trip.merge(theirs.list, step: name)
    }
    try move("x.trip", to: "y.trip")
    for (name, count) in [("again", 2), ("import", 1)] {
      var trip = try open("y.trip")
      #expect(try trip.undo()?.result.step.name == name)
      #expect(trip.list.count == count && trip.takeNotices().isEmpty)
    }
    #expect(try folders().count == 1)
    // A file that took its place since is the one that counts, whoever wrote in it last.
    try files.removeItem(atPath: path("y.trip"))
    try copy("theirs.trip", to: "y.trip")
    try theirs.edit { list, me in try list.append(["title": "late"], by: &me) }
    var trip = try open("y.trip")
    try trip.merge(theirs.list, step: "late")
    trip.close()
    try move("y.trip", to: "x.trip")
    #expect(try nextUndo("x.trip") == "late")
  }

  /// Whoever takes it over may be stopped on the way; the next one takes what is left.
  @Test func whoIsStoppedOnTheWayLosesNoSteps() throws {
    func open(_ path: String, _ disk: SimulatedDisk) throws -> Document {
      var settings = Document.Settings(
        stateDirectory: "/state", clock: { 1_780_000_000_000 },
        random: { [random] in random.next() })
      settings.file.fileSystem = disk
      return try Document.openOrCreate(at: path, settings: settings)
    }
    var isOver = false
    for call in 1...200 where !isOver {
      let disk = SimulatedDisk()
      var trip = try open("/x.trip", disk)
      for (name, count) in [("import", 400 as Int64), ("add", 1)] {
        try trip.edit(name) { list, me in
          for number in 0..<count { try list.append(["title": .int64(number)], by: &me) }
        }
      }
      let writer = trip.writer
      trip.close()
      try disk.rename("/x.trip", to: "/y.trip")
      let last = disk.callCount + call
      disk.faults.crashingCall = last
      _ = try? open("/y.trip", disk).writer
      isOver = disk.callCount < last
      var again = try open("/y.trip", SimulatedDisk(disk.drive.crashed { .whole }))
      #expect(again.writer == writer, "\(call)")
      for name in ["add", "import"] {
        #expect(try again.undo()?.result.step.name == name, "\(call)")
      }
      #expect(again.list.isEmpty && again.takeNotices().isEmpty, "\(call)")
    }
    #expect(isOver)
  }

  @Test func aCopyTakesNothing() throws {
    let writer = try add("A", to: "x.trip")
    try copy("x.trip", to: "y.trip")
    #expect(try nextUndo("y.trip") == nil)
    #expect(try add("B", to: "y.trip") != writer)
    #expect(try nextUndo("x.trip") == "Add A")
    #expect(try add("C", to: "x.trip") == writer)
    // A second name of one file is none that was moved.
    try files.linkItem(atPath: path("x.trip"), toPath: path("z.trip"))
    #expect(try nextUndo("z.trip") == nil)
  }

  /// Whichever is opened first: the one that was moved goes on, and what took its old path begins anew.
  @Test(arguments: [true, false]) func aCopyUnderTheOldPathIsAnotherWriter(isFirst: Bool) throws {
    let writer = try add("A", to: "x.trip")
    try move("x.trip", to: "y.trip")
    try copy("y.trip", to: "x.trip")
    let order = isFirst ? ["x.trip", "y.trip"] : ["y.trip", "x.trip"]
    var writers = try order.map { try add("B in \($0)", to: $0) }
    #expect(writers[0] == writer && writers[1] != writer)
    // Both stay who they are.
    writers += try order.map { try add("C in \($0)", to: $0) }
    #expect(writers[2...].elementsEqual(writers[..<2]))
  }

  /// A program that has the file open goes on under another id, wherever the file comes to lie.
  @Test func whoWasOpenUnderTheOldPathIsNoSecondWriter() throws {
    var trip = try open("x.trip")
    func add(_ title: String) throws {
      try trip.edit("Add \(title)") { list, me in
        try list.append(["title": .string(title)], by: &me)
      }
    }
    try add("A")
    let writer = trip.writer
    try move("x.trip", to: "y.trip")
    // Nothing is written there, so the file is as the open handle left it.
    #expect(try nextUndo("y.trip") == "Add A")
    try move("y.trip", to: "x.trip")
    try add("B")
    #expect(trip.writer != writer)
    guard case .newWriter(let rotation)? = trip.takeNotices().last else {
      Issue.record("nothing was told of the new writer")
      return
    }
    #expect(rotation.old == writer && rotation.new == trip.writer)
    // Not even where the first writer may go on once more.
    try copy("x.trip", to: "y.trip")
    let other = try self.add("C", to: "y.trip")
    try add("D")
    #expect(other != trip.writer)
    #expect(trip.list.map { $0["title"]?.string } == ["A", "B", "D"])
  }

  /// An identity that was in use when its record was taken away is not kept again.
  @Test func aRecordThatWasTakenAwayIsGivenUp() throws {
    var trip = try open("x.trip")
    try trip.edit { list, me in try list.append(["title": "A"], by: &me) }
    let writer = trip.writer
    try files.removeItem(atPath: path("state"))
    try trip.edit { list, me in try list.append(["title": "B"], by: &me) }
    #expect(trip.writer != writer && trip.list.count == 2)
    let now = trip.writer
    try trip.edit { list, me in try list.append(["title": "C"], by: &me) }
    #expect(trip.writer == now)
  }

  /// Steps of another document that is kept in the same folder stay where they are.
  @Test func anotherDocumentUnderTheOldPathKeepsItsSteps() throws {
    let first = try add("A", to: "x.trip")
    try move("x.trip", to: "y.trip")
    let second = try add("other", to: "x.trip")
    #expect(try add("B", to: "y.trip") == first)
    #expect(try nextUndo("x.trip") == "Add other")
    #expect(try add("more", to: "x.trip") == second)
    #expect(try folders().count == 2)
  }
}
