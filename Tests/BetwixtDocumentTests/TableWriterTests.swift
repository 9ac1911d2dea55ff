#if canImport(Observation)
import Betwixt
import BetwixtDocument
import BetwixtDrag
import BetwixtFiles
import BetwixtTrips
import Foundation
import TestSupport
import Testing

/// Rows that are dragged and menus that edit share the steps of a document; the article "Writing a front
/// end" shows this very code.
@MainActor @Suite struct TableWriterTests {
  private let directory = ScratchDirectory()
  private let noon = Moment(clamping: 1_780_000_000_000)

  private func open() throws -> LiveDocument {
    let random = SharedRandom(seed: 5)
    let settings = Document.Settings(
      stateDirectory: "\(directory.path)/state", clock: { 1_780_000_000_000 },
      random: { random.next() })
    return LiveDocument(
      try Document.openOrCreate(at: "\(directory.path)/rome.trip", settings: settings))
  }

  private func titles(_ document: LiveDocument) -> [String] {
    document.list.map { $0["title"]?.string ?? "" }
  }

  @Test func theCodeOfTheArticleIsTheCodeOfTheTests() throws {
    let here = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    let root = here.deletingLastPathComponent().deletingLastPathComponent()
    let code = try String(
      contentsOf: here.appendingPathComponent("TableWriter.swift"), encoding: .utf8)
    let shown = try #require(code.components(separatedBy: "// MARK: The article\n\n").last)
    let trimmed = shown.replacingOccurrences(of: "\n#endif", with: "")
      .trimmingCharacters(in: .newlines)
    #expect(trimmed.split(separator: "\n").count > 10)
    let article = try String(
      contentsOf: root.appendingPathComponent(
        "Sources/BetwixtDrag/BetwixtDrag.docc/WritingAFrontEnd.md"), encoding: .utf8)
    #expect(article.contains("```swift\n\(trimmed)\n```"))
  }

  /// A drop, an edit by a menu and an edit of another program: each undo takes back the newest step,
  /// whoever asks, and a button of a toast only its own.
  @Test func menusAndDropsTakeBackEachOthersSteps() throws {
    let trip = try open()
    var writer = TableWriter(trip: trip)
    try trip.edit("Add") { list, me in
      for title in ["Museum", "Lunch", "Train"] {
        try list.append(["title": .string(title)], toSection: 1, by: &me)
      }
    }
    let (museum, train) = (trip.list[0].id, trip.list[2].id)
    let drop = CommitID(1)
    let toTop = ListEdit.move(train, Gap(day: 1, above: nil, below: museum))
    #expect(try writer.commit(drop, [toTop], at: noon) == nil)
    #expect(titles(trip) == ["Train", "Museum", "Lunch"] && trip.nextUndo?.name == "Move Train")

    try trip.edit("Rename") { list, me in
      try list.set("title", of: museum, to: "Forum", by: &me)
    }
    // The toast of the drop is out of date: its step is not the newest any more.
    #expect(try writer.turn(.undo(drop)).outcome == .nothing)
    #expect(try trip.undo()?.isWhole == true && titles(trip) == ["Train", "Museum", "Lunch"])
    let report = try writer.turn(.undo(drop))
    #expect(report.outcome == .done && report.commit == drop)
    #expect(titles(trip) == ["Museum", "Lunch", "Train"])
    // The menu makes the drop again, and the window's own undo finds it as that commit still.
    #expect(try trip.redo()?.step.name == "Move Train")
    #expect(try writer.turn(.undo(nil)).commit == drop)
  }

  /// An app of tasks begins its document as one, or says itself what it shows.
  @Test(arguments: [true, false]) func tasksAreDraggedAsTasks(isStarted: Bool) throws {
    let random = SharedRandom(seed: 5)
    let settings = Document.Settings(
      stateDirectory: "\(directory.path)/state", clock: { 1_780_000_000_000 },
      random: { random.next() })
    let path = "\(directory.path)/todo.trip"
    let todo = LiveDocument(
      isStarted
        ? try Document.openOrCreate(at: path, settings: settings, TaskList.start)
        : try Document.openOrCreate(at: path, settings: settings))
    let pack = try todo.edit("Add") { list, me in
      var tasks = TaskList(list)
      let pack = try tasks.add("Pack", by: &me)
      list = tasks.list
      return pack
    }
    let rows = DragDocument(todo.list).rows(in: .inbox)
    #expect(isStarted ? rows == [.item(pack)] : rows.first == .header(day: 1))
    var writer = TableWriter(trip: todo, reading: { .tasks(TaskList($0)) })
    _ = try writer.commit(CommitID(1), [.set(pack, "state", "completed")], at: noon)
    #expect(TaskList(todo.list).isCompleted(pack))
    #expect(todo.nextUndo?.name == "Complete Pack")
  }

  /// Another program's step is the newest of the installation; what is refused leaves no trace.
  @Test func whatIsRefusedIsNoStep() throws {
    let (trip, other) = (try open(), try open())
    var writer = TableWriter(trip: trip)
    let added = ListEdit.insert(["title": "Lunch"], Gap(day: 1, above: nil, below: nil))
    let lunch = try #require(try writer.commit(CommitID(1), [added], at: noon))
    try other.refresh()
    try other.edit("Remove") { list, me in try list.remove(lunch, by: &me) }
    let before = writer.history.steps
    #expect(throws: (any Error).self) {
      try writer.commit(
        CommitID(2), [.move(lunch, Gap(day: 2, above: nil, below: nil))], at: noon)
    }
    #expect(writer.history.steps == before)
    try trip.refresh()
    #expect(titles(trip) == [])
    #expect(try writer.turn(.undo(nil)).name == "Remove" && titles(trip) == ["Lunch"])
  }
}
#endif
