import Betwixt
import BetwixtFiles
import Foundation
import TestSupport
import Testing

/// The first program of the README, word for word, so that it always compiles and holds.
@Suite struct ReadmeTests {
  private static let head = """
    import Betwixt
    import BetwixtFiles
    import Foundation

    let (file, shared) = ("rome.trip", "Dropbox/trips")  // a folder that is there
    let state = FileIdentityStore.standardDirectory()

    """

  /// Runs the program once.
  ///
  /// - Returns: How many changes it was told, and how many rows it shows in the end.
  private func run(_ file: String, _ shared: String, state: String?) throws -> [Int] {
    // The program begins here.
    var trip = try Document.openOrCreate(
      at: file,
      settings: Document.Settings(
        stateDirectory: state, clock: { Int64(Date().timeIntervalSince1970 * 1000) },
        random: { .random(in: 0 ... .max) }))
    var rows = trip.list.map(\.id)  // what a screen shows

    let (lunch, added) = try trip.edit("Add Lunch") { list, me in
      try list.append(["title": "Lunch"], by: &me)
    }  // on the drive
    added.apply(to: &rows) { $0 }
    try trip.edit("Rename") { list, me in try list.set("title", of: lunch, to: "Pizza", by: &me) }
    try trip.undo()

    let news = try trip.sync(folder: shared).changes  // which some tool copies to other devices
    news.apply(to: &rows) { $0 }
    for conflict in news.conflicts { print("lost:", conflict.loser) }
    let titles = trip.list.map { $0["title"]?.string ?? "" }
    print(titles, rows == trip.list.map(\.id))  // ["Lunch"] true
    // The program ends here.
    #expect(rows == trip.list.map(\.id) && trip.list[id: lunch]?["title"]?.string == "Lunch")
    return [added.inserted.count + news.inserted.count, rows.count]
  }

  @Test func theProgramRuns() throws {
    let here = ScratchDirectory()
    let there = ScratchDirectory()
    let shared = here.path + "/shared"
    try FileManager.default.createDirectory(atPath: shared, withIntermediateDirectories: true)
    // It makes the document, and opens it the second time.
    for count in 1...2 {
      let counts = try run(here.path + "/rome.trip", shared, state: here.path + "/state")
      #expect(counts == [1, count])
    }
    // Another device has another document until it gets this one.
    try FileManager.default.copyItem(
      atPath: here.path + "/rome.trip", toPath: there.path + "/rome.trip")
    #expect(try run(there.path + "/rome.trip", shared, state: there.path + "/state") == [1, 3])
    #expect(try run(here.path + "/rome.trip", shared, state: here.path + "/state") == [2, 4])
  }

  @Test func theReadmeBeginsWithThisProgram() throws {
    let here = URL(fileURLWithPath: #filePath)
    let source = try String(contentsOf: here, encoding: .utf8)
    let program = try #require(
      source.components(separatedBy: "// The program begins here.\n").dropFirst().first?
        .components(separatedBy: "    // The program ends here.").first)
    let lines = program.split(separator: "\n", omittingEmptySubsequences: false)
      .map { $0.dropFirst(4) }.joined(separator: "\n")
    let package = here.deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    let readme = try String(
      contentsOf: package.appendingPathComponent("README.md"), encoding: .utf8)
    let shown = try #require(
      readme.components(separatedBy: "```swift\n").dropFirst().first?
        .components(separatedBy: "```").first)
    #expect(shown == ReadmeTests.head + lines)
    #expect(shown.split(separator: "\n", omittingEmptySubsequences: false).count - 1 <= 25)
  }
}
