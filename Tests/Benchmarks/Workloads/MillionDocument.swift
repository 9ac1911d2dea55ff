import Betwixt
import BetwixtFiles

/// A document of 1,000,000 items, as an app has it: opened, shown, edited, synced.
///
/// Each step but the first load is something that a person waits for.
struct MillionDocument {
  private static let items = 1_000_000
  private static let clock: @Sendable () -> Int64 = { 1_777_000_000_000 }
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  func run() throws -> [ResultLine] {
    defer { folder.discard() }
    var lines: [ResultLine] = []
    let base = try list()
    var watch = Stopwatch()
    let made = try create("a.trip", holding: base)
    lines.append(line("make", watch.lap(), ops: 1, made.list == base))
    made.close()
    watch = Stopwatch()
    var mine = try open("a.trip")
    lines.append(line("open", watch.lap(), ops: 1, mine.list == base))
    let (rows, showing) = Stopwatch.time {
      mine.list.prefix(50).map { $0[.benchmarkValue]?.string ?? "" }
    }
    lines.append(line("first-screen", showing, ops: 50, rows.count == 50))
    lines.append(contentsOf: try edits(of: &mine))
    lines.append(contentsOf: try syncs(of: &mine))
    lines.append(try openAgain(mine))
    return lines
  }

  // MARK: Steps

  private func edits(of document: inout Document) throws -> [ResultLine] {
    let middle = MillionDocument.items / 2
    let item = document.list[middle].id
    var watch = Stopwatch()
    try document.edit("Rename") { (list, me) throws(EditFailure) in
      try list.set(.benchmarkValue, of: item, to: "renamed", by: &me)
    }
    let setting = watch.lap()
    watch = Stopwatch()
    let changes = try document.edit("Move") { (list, me) throws(EditFailure) in
      try list.move(item, toOffset: 10, by: &me)
    }.changes
    let moving = watch.lap()
    watch = Stopwatch()
    let undone = try document.undo()
    let undoing = watch.lap()
    return [
      line("edit", setting, ops: 1, document.list[id: item]?[.benchmarkValue] == "renamed"),
      line("move", moving, ops: 1, changes.moved.count == 1),
      line("undo", undoing, ops: 1, undone != nil && document.list[middle].id == item),
    ]
  }

  private func syncs(of mine: inout Document) throws -> [ResultLine] {
    // Opened as another program has it: nothing in memory is common to both.
    try create("b.trip", holding: mine.list).close()
    var other = try open("b.trip")
    var lines: [ResultLine] = []
    for name in ["sync", "sync.again"] {
      for number in 0..<10 {
        try other.edit { (list, me) throws(EditFailure) in
          let item = list[number * 90_001].id
          try list.set(.benchmarkValue, of: item, to: .string("\(name) \(number)"), by: &me)
        }
      }
      let watch = Stopwatch()
      let exchange = try mine.sync(with: &other)
      lines.append(
        line(
          name, watch.lap(), ops: 10,
          exchange.changes.updated.count == 10 && mine.list == other.list))
    }
    return lines
  }

  /// Opens a document that others have opened since it was written here, and made an image of.
  private func openAgain(_ document: consuming Document) throws -> ResultLine {
    let list = document.list
    document.close()
    try open("a.trip").close()
    let watch = Stopwatch()
    let again = try open("a.trip")
    return line("open.again", watch.lap(), ops: 1, again.list == list)
  }

  // MARK: Making it

  private func list() throws -> ReplicatedList {
    var me = Replica(id: ReplicaID(rawValue: 1), clock: MillionDocument.clock)
    var list = ReplicatedList(id: ReplicatedList.benchmarkID)
    for value in ItemValue.base(MillionDocument.items) {
      try list.append([.benchmarkValue: .string(value)], by: &me)
    }
    return list
  }

  private func create(_ name: String, holding list: ReplicatedList) throws -> Document {
    try Document.create(at: folder.path(of: name), settings: settings, startingWith: list)
  }

  private func open(_ name: String) throws -> Document {
    try Document.open(at: folder.path(of: name), settings: settings)
  }

  private var settings: Document.Settings {
    Document.Settings(
      stateDirectory: folder.path(of: "state"), clock: MillionDocument.clock,
      random: { .random(in: 0 ... .max) })
  }

  private func line(
    _ step: String, _ timing: Timing, ops: Int, _ isRight: Bool
  ) -> ResultLine {
    ResultLine(
      "document.million." + step, timing, ops: ops,
      check: .holds(isRight, "the document holds something else"))
  }
}

extension Workload {
  static let millionDocument = [
    Workload(
      name: "document.million", summary: "a document of 1,000,000 items: opened, edited, synced",
      lines: [
        "make", "open", "first-screen", "edit", "move", "undo", "sync", "sync.again", "open.again",
      ]
      .map { "document.million." + $0 }
    ) { _ in try MillionDocument().run() }
  ]
}
