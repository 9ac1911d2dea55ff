import Betwixt
import BetwixtTool
import Testing

/// A document that people copy, put back, branch and cut as they do with files: each item that was
/// made is one item, with what was written into it, when the copies meet again.
@Suite struct CopiedDocumentTests {
  private let device: TestDevice
  private let trip: String

  init() throws {
    device = try TestDevice()
    trip = device.path()
    try #require(
      device.run("new", "--name", "Rome", "--start", "2026-05-01", "--days", "5", trip).code
        == .done)
  }

  private func add(
    _ title: String, _ fields: String..., on other: TestDevice? = nil,
    location: SourceLocation = #_sourceLocation
  ) throws {
    let device = other ?? device
    let run = ToolRun(
      ["add", device.path(), "--day", "2", "--title", title] + fields,
      environment: device.environment)
    try #require(run.code == .done, "\(run.messages)", sourceLocation: location)
  }

  private func bytes() throws -> [UInt8] { try device.folder.bytes("trip.trip") }

  private func put(_ bytes: [UInt8], on other: TestDevice? = nil) throws {
    try (other ?? device).folder.write(bytes, to: "trip.trip")
  }

  /// Merges copies in all the ways that there are for files, and finds these items, no others.
  private func expectMerged(
    _ first: [UInt8], _ second: [UInt8], to wanted: [String: String],
    location: SourceLocation = #_sourceLocation
  ) throws {
    for (left, right) in [(first, second), (second, first)] {
      try device.folder.write(left, to: "left.trip")
      try device.folder.write(right, to: "right.trip")
      let (a, b) = (device.path("left.trip"), device.path("right.trip"))
      #expect(device.run("merge", a, b, "-o", device.path("merged.trip")).code == .done)
      #expect(device.run("sync", "--with", b, a).code == .done)
      for name in ["merged.trip", "left.trip", "right.trip"] {
        let list = try device.list(name)
        #expect(list.count == wanted.count, "\(name)", sourceLocation: location)
        for item in list {
          let title = item["title"]?.string ?? ""
          #expect(
            item["note"]?.string ?? "" == wanted[title], "\(name): \(title)",
            sourceLocation: location)
        }
      }
      let run = device.run("doctor", a)
      #expect(run.code == .done && run.output.contains("nothing is wrong"))
    }
  }

  @Test func aCopyIsPutBack() throws {
    let old = try bytes()
    try add("Flight", "note=conf-123")
    let stick = try bytes()
    try put(old)
    try add("Dinner")
    try expectMerged(try bytes(), stick, to: ["Flight": "conf-123", "Dinner": ""])
  }

  @Test func twoBranchesOfAVersionControl() throws {
    try add("Museum")
    let start = try bytes()
    try add("Flight", "note=conf-123")
    var main = try bytes()
    try put(start)
    try add("Dinner", "note=at eight")
    var other = try bytes()
    try put(main)
    try add("Taxi")
    main = try bytes()
    try put(other)
    try add("Opera", "note=row 7")
    other = try bytes()
    try expectMerged(
      main, other,
      to: [
        "Museum": "", "Flight": "conf-123", "Dinner": "at eight", "Taxi": "", "Opera": "row 7",
      ])
  }

  /// A folder that a service keeps equal on two machines: where both were edited it takes one file,
  /// and keeps the other one beside it under another name.
  @Test func aConflictedCopy() throws {
    let tablet = try TestDevice()
    try put(try bytes(), on: tablet)
    try add("Flight", "note=conf-123")
    try add("Dinner", "note=theirs", on: tablet)
    let conflicted = try bytes()
    try put(try tablet.folder.bytes("trip.trip"))
    try add("Taxi", "note=at six")
    try expectMerged(
      try bytes(), conflicted,
      to: ["Flight": "conf-123", "Dinner": "theirs", "Taxi": "at six"])
  }

  @Test func aFileThatWasCutBetweenTwoCommits() throws {
    try add("Museum")
    let count = try bytes().count
    try add("Flight", "note=conf-123")
    let whole = try bytes()
    try put(Array(whole.prefix(count)))
    try add("Dinner")
    try expectMerged(
      try bytes(), whole, to: ["Museum": "", "Flight": "conf-123", "Dinner": ""])
  }

  /// The state folder goes back too, as with a backup of everything: the same numbers are used again,
  /// by the same writer, and are two items all the same.
  @Test func everythingIsRestored() throws {
    try add("Museum")
    let document = try bytes()
    let restoreRecords = try device.keepRecords()
    let writer = device.run("identity", trip).output
    try add("Flight", "note=conf-123")
    let lost = try bytes()
    try put(document)
    try restoreRecords()
    try add("Dinner", "note=late")
    #expect(device.run("identity", trip).output == writer)
    try expectMerged(
      try bytes(), lost, to: ["Museum": "", "Flight": "conf-123", "Dinner": "late"])
  }

  @Test func twoDocumentsInTurnUnderOneName() throws {
    try add("Museum")
    let first = try bytes()
    try add("Flight", "note=conf-123")
    let whole = try bytes()
    let other = device.path("other.trip")
    #expect(device.run("new", "--name", "Oslo", "--days", "5", other).code == .done)
    try put(try device.folder.bytes("other.trip"))
    try add("Fjord")
    #expect(try device.titles() == ["Fjord"])
    try put(first)
    try add("Dinner", "note=late")
    try expectMerged(
      try bytes(), whole, to: ["Museum": "", "Flight": "conf-123", "Dinner": "late"])
  }

  @Test func aDocumentThatWasMovedAway() throws {
    for number in 1...3 { try add("Stop \(number)") }
    let moved = try bytes()
    // What is left under the old name is an older generation, or nothing.
    try device.folder.remove("trip.trip")
    let run = device.run("add", trip, "--day", "2", "--title", "Revived", "note=late")
    var wanted = ["Stop 1": "", "Stop 2": "", "Stop 3": ""]
    var here = moved
    if run.code == .done {
      wanted["Revived"] = "late"
      here = try bytes()
    }
    try expectMerged(here, moved, to: wanted)
  }
}
