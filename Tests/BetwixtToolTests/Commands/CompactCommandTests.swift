import Betwixt
import BetwixtTool
import Testing

/// Letting go what removed items held.
@Suite struct CompactCommandTests {
  private let device: TestDevice
  private let trip: String

  init() throws {
    device = try TestDevice()
    trip = device.path()
    let run = device.run("new", "--from", "-", trip, input: SampleTrip.base)
    try #require(run.code == .done, "\(run.messages)")
  }

  @Test func compactForgetsWhatWasRemoved() throws {
    let item = try #require(try device.list().first { $0["title"] == "Museum" }?.id)
    try #require(device.run("remove", trip, "Museum").code == .done)
    let before = try device.list()
    // It was removed just now.
    #expect(device.run("compact", trip).output == "\(trip): nothing to let go\n")
    let trial = device.run("compact", "--dry-run", "--keep", "0", trip)
    #expect(trial.output.hasPrefix("\(trip): would let go "))
    #expect(try device.list() == before && device.list().floor.isEmpty)
    let run = device.run("compact", "--keep", "0", trip)
    #expect(run.code == .done && run.output.hasPrefix("\(trip): let go "), "\(run.messages)")
    let after = try device.list()
    #expect(after[id: item]?.isForgotten == true && after.floor == after.version)
    #expect(after.map { $0.entries } == before.map { $0.entries })
    #expect(device.run("doctor", trip).output.contains("1 removed item"))
    let explained = device.run("explain", trip, item.uuid).output
    #expect(explained.hasPrefix("“forgotten item”, ") && explained.contains("is forgotten"))
    #expect(device.run("compact", "--json", "--keep", "0", trip).output.contains("\"forgotten\":0"))
  }

  /// What comes with a floor takes the name of an item too; whoever lost it knows it by that.
  @Test(arguments: ["sync", "merge"]) func whatIsLostIsCalledByItsName(verb: String) throws {
    let copy = device.path("copy.trip")
    try device.folder.write(try device.folder.bytes("trip.trip"), to: "copy.trip")
    try #require(device.run("remove", copy, "Museum").code == .done)
    try #require(device.run("compact", "--keep", "0", copy).code == .done)
    try #require(device.run("set", trip, "Museum", "note=tickets bought").code == .done)
    let run =
      verb == "sync"
      ? device.run("sync", "--with", copy, trip)
      : device.run("merge", trip, copy, "-o", device.path("both.trip"))
    #expect(run.code == .done && run.messages.contains("“Museum”"), "\(run.messages)")
    #expect(!(run.output + run.messages).contains("forgotten item"), "\(run.messages)")
  }

  /// Who removes an item, takes that back and does it again has removed it, as the other one has.
  @Test func whatBothRemovedIsNoConflict() throws {
    let copy = device.path("copy.trip")
    try device.folder.write(try device.folder.bytes("trip.trip"), to: "copy.trip")
    try #require(device.run("remove", trip, "Museum").code == .done)
    try #require(device.run("remove", copy, "Museum").code == .done)
    for verb in ["undo", "redo"] { try #require(device.run(verb, copy).code == .done) }
    let merged = device.run("merge", trip, copy, "-o", device.path("both.trip"))
    let synced = device.run("sync", "--with", copy, trip)
    for run in [merged, synced] {
      #expect(run.code == .done && !run.messages.contains("conflict"), "\(run.messages)")
    }
  }

  @Test func aForgottenItemThatNobodyKnewIsNoChange() throws {
    let copy = device.path("copy.trip")
    try device.folder.write(try device.folder.bytes("trip.trip"), to: "copy.trip")
    for title in ["Gone", "Swim"] {
      try #require(device.run("add", copy, "--title", title, "--day", "1").code == .done)
    }
    try #require(device.run("remove", copy, "Gone").code == .done)
    try #require(device.run("compact", "--keep", "0", copy).code == .done)
    let run = device.run("sync", "--with", copy, trip)
    #expect(run.code == .done && run.messages.contains("added “Swim”"), "\(run.messages)")
    #expect(!(run.output + run.messages).contains("forgotten"), "\(run.messages)")
    #expect(try device.list().forgottenItemCount == 1)
  }

  @Test func whatWasForgottenComesBackOnTheFirstDay() throws {
    let item = try #require(try device.list().first { $0["title"] == "Museum" }?.id)
    let whole = try #require(try device.list()[id: item]?.fields)
    try #require(device.run("remove", trip, "Museum").code == .done)
    try #require(device.run("compact", "--keep", "0", trip).code == .done)
    #expect(device.run("restore", trip, item.uuid).code == .done)
    #expect(try device.list()[id: item]?.isVisible == true)
    #expect(try device.list()[id: item]?.section == 1)
    // Undo knows all of it.
    #expect(device.run("undo", trip).code == .done)
    #expect(device.run("undo", trip).code == .done)
    let back = try #require(try device.list()[id: item])
    #expect(back.isVisible && back.fields == whole)
  }

  @Test func undoBringsBackWhatItRemovedAsItWas() throws {
    let before = try device.list()
    try #require(device.run("remove", trip, "Museum").code == .done)
    try #require(device.run("compact", "--keep", "0", trip).code == .done)
    let run = device.run("undo", trip)
    #expect(run.code == .done, "\(run.messages)")
    #expect(try device.list().map { $0.fields } == before.map { $0.fields })
    #expect(try device.list().map { $0.key } == before.map { $0.key })
    // Nobody takes its own writes that come back for another's.
    #expect(!run.messages.contains("new writes are by"))
  }

  @Test func copiesLetGoTheSame() throws {
    try #require(device.run("remove", trip, "Museum").code == .done)
    try #require(
      device.run("new", "--id", device.list().id.description, device.path("b.trip")).code == .done)
    try #require(device.run("sync", "--with", device.path("b.trip"), trip).code == .done)
    try #require(device.run("compact", "--keep", "0", trip).code == .done)
    try #require(device.run("sync", "--with", device.path("b.trip"), trip).code == .done)
    let (here, there) = (try device.list(), try device.list("b.trip"))
    #expect(here == there && here.floor == there.floor && !here.floor.isEmpty)
    #expect(device.run("compact", "--keep", "x", trip).code == .usage)
  }
}
