import Betwixt
import BetwixtFiles

extension World {
  /// Two programs of one machine have a document open: one edits it and syncs it with the folder, and
  /// then the other one does, which has not looked since; a call of its sync may fail, and then it goes
  /// on.
  mutating func syncBeside(_ action: Action, by device: Device) throws(Violation) -> Bool {
    let desk = desk(of: device)
    let before = desk.disk.inodes(in: Desk.home)
    guard let path = desk.disk.resolved(Desk.path(action.a)), let seen = try look(desk, at: path)
    else { return false }
    let held = folderContent(desk, document: seen.document)
    let synced = try syncBeside(
      seen, rounds: 1 + action.b, failingCall: max(0, action.c - 127), by: device)
    let all = NaiveList(synced.first)
    let now = folderContent(desk, document: seen.document)
    // What is ahead of the device's clock stays on it.
    var due = NaiveList()
    due.join(all, under: AdmissionPolicy(now: device.clock.now))
    let lack =
      seen.content.firstLack(in: all) ?? NaiveList(synced.second).firstLack(in: all)
      ?? synced.writes.firstLack(in: all) ?? due.firstLack(in: now) ?? held.firstLack(in: now)
    try require(
      lack == nil, "two programs synced \(path), which lacks \(lack.map(\.brief) ?? "something")")
    var known = seen.content
    known.join(held)
    known.join(synced.writes)
    if let excess = all.firstLack(in: known) {
      throw Violation("two programs synced \(path), which has \(excess.brief)")
    }
    desk.note(path, document: seen.document, content: all)
    try checkKept(desk, before: before, at: path)
    return true
  }

  /// What two programs have at the end, and what both wrote.
  private struct SyncedBeside {
    var first: ReplicatedList
    var second: ReplicatedList
    var writes: NaiveList
  }

  /// Two programs, who both write under one id, edit and sync.
  private mutating func syncBeside(
    _ seen: Seen, rounds: Int, failingCall: Int, by device: Device
  ) throws(Violation) -> SyncedBeside {
    let policy = policy(device)
    let settings = settings(of: device)
    var writes = NaiveList()
    do {
      try settings.file.fileSystem.makeDirectories(Desk.folder)
      var first = try Document.open(at: seen.path, settings: settings)
      var second = try Document.open(at: seen.path, settings: settings)
      var shown = ShownRows(first.list)
      for _ in 0..<rounds {
        _ = try addBeside(&second, seen, by: device, writes: &writes)
        try second.sync(folder: Desk.folder, admission: policy)
      }
      if failingCall > 0 {
        let disk = desk(of: device).disk
        disk.faults.failingCall = disk.callCount + failingCall
        if let changes = try? first.sync(folder: Desk.folder, admission: policy).changes {
          shown.take(changes)
        } else if simulation.mistakes.contains(.missesChanges) {
          disk.faults.failingCall = nil
          try first.refresh()
        }
        disk.faults.failingCall = nil
        shown.take(try addBeside(&first, seen, by: device, writes: &writes))
        try shown.check(first.list, seen.path)
      }
      shown.take(try first.sync(folder: Desk.folder, admission: policy).changes)
      try shown.check(first.list, seen.path)
      // Whatever asked for a new id has asked the one that came before; a call that failed is a reason
      // of its own.
      try require(
        failingCall > 0 || first.writer == second.writer,
        "\(seen.path): what a program of the same machine wrote is taken for a stranger's")
      return SyncedBeside(first: first.list, second: second.list, writes: writes)
    } catch let error as Violation {
      throw error
    } catch {
      throw Violation("\(seen.path) cannot be synced by two programs: \(error)")
    }
  }

  /// One of the two adds an item, which is acknowledged; returns what that program was told.
  private mutating func addBeside(
    _ document: inout Document, _ seen: Seen, by device: Device, writes: inout NaiveList
  ) throws -> ListChanges {
    let label = "\(serial + 1)"
    var (content, after) = (NaiveList(), NaiveList())
    let changes: ListChanges
    do {
      changes = try document.edit(label) { (list, me) throws(Violation) in
        content = NaiveList(list)
        after = try edit(&list, &me, choice: 0, content: content)
      }.changes
    } catch .refused(let violation) {
      throw violation
    }
    try acknowledge(after, after: content, at: seen.path, of: desk(of: device), as: label)
    for entry in after.entries(since: content) { writes.join(entry) }
    return changes
  }
}

/// What somebody shows who sees a document only through the changes that it tells.
private struct ShownRows {
  private var rows: [ItemID]

  init(_ list: ReplicatedList) { rows = list.map { $0.id } }

  mutating func take(_ changes: ListChanges) { changes.apply(to: &rows) { $0 } }

  func check(_ list: ReplicatedList, _ path: String) throws(Violation) {
    try require(
      rows == list.map { $0.id },
      "\(path): \(rows.count) rows are shown by what was told, and \(list.count) are there")
  }
}
