import Betwixt
import BetwixtFiles
import BetwixtSync

extension World {
  /// Opens a document in a program that keeps it open, or ends that program.
  mutating func editor(_ action: Action, by device: Device) throws(Violation) -> Bool {
    let desk = desk(of: device)
    if desk.editors.removeValue(forKey: action.a) != nil { return true }
    let before = desk.disk.inodes(in: Desk.home)
    guard let document = try open(desk, at: Desk.path(action.a)) else { return false }
    let path = document.path
    let editor = Desk.Editor(document)
    desk.editors[action.a] = editor
    editor.left = desk.sight(of: path)
    try checkKept(desk, before: before, at: path)
    return true
  }

  /// Edits in a program that has kept the document open, whatever was done to the file meanwhile.
  mutating func type(_ action: Action, inEditorOf device: Device) throws(Violation) -> Bool {
    let desk = desk(of: device)
    guard let editor = desk.editors[action.a] else { return false }
    let before = desk.disk.inodes(in: Desk.home)
    guard desk.disk.bytes(editor.path) != nil else {
      // The file was moved away: the program says so and ends.
      desk.editors[action.a] = nil
      return true
    }
    var record = desk.record(at: editor.path)
    if record?.document != editor.file.list.id {
      desk.editors[action.a] = nil
      return true
    }
    let held = NaiveList(editor.file.list)
    let findingCount = editor.file.report.findings.count
    // Who finds all as it was left has no reason to be surprised.
    let isTouched = editor.left != desk.sight(of: editor.path)
    do {
      if simulation.mistakes.contains(.refusesToRefresh) { throw DocumentFileFailure.surprise }
      try editor.file.refresh()
      record =
        try adoptHeld(held, by: editor, since: findingCount, at: desk, record: record) ?? record
    } catch let error as Violation {
      throw error
    } catch {
      try require(isTouched, "\(editor.path) is as it was left, and cannot be read again: \(error)")
      // The file is not the one that was opened: that is a new opening.
      desk.editors[action.a] = nil
      guard let document = try open(desk, at: editor.path) else { return true }
      let fresh = Desk.Editor(document)
      desk.editors[action.a] = fresh
      return try type(
        choice: action.b, in: fresh, at: desk, by: device, before: before,
        record: desk.record(at: fresh.path), held: nil, mayBeSurprised: false)
    }
    return try type(
      choice: action.b, in: editor, at: desk, by: device, before: before, record: record,
      held: held, mayBeSurprised: isTouched)
  }

  /// A program that has a damaged document open writes what it holds of it again, also where somebody
  /// else has repaired the file with less: all of that was acknowledged once.
  ///
  /// Another generation may have the file's place then; `record` is what was known of the one before.
  ///
  /// - Returns: What is known of the file then; `nil` if nothing of the kind was found.
  /// - Throws: `Violation`, if it holds less or more than that.
  private func adoptHeld(
    _ held: NaiveList, by editor: Desk.Editor, since count: Int, at desk: Desk,
    record: FileRecord?
  ) throws(Violation) -> FileRecord? {
    let findings = editor.file.report.findings.dropFirst(count)
    guard let record, !record.isDamaged, findings.contains(where: { $0 == .usedOpen })
    else { return nil }
    let shown = NaiveList(editor.file.list)
    var all = record.content
    all.join(held)
    if let lack = record.content.firstLack(in: shown) ?? held.firstLack(in: shown) {
      throw Violation("\(editor.path) was damaged while it was open, and lacks \(lack.brief)")
    }
    if let excess = shown.firstLack(in: all) {
      throw Violation("\(editor.path) was damaged while it was open, and has \(excess.brief)")
    }
    desk.note(editor.path, document: record.document, content: shown)
    return desk.record(at: editor.path)
  }

  private mutating func type(
    choice: Int, in editor: Desk.Editor, at desk: Desk, by device: Device, before: [String: Int],
    record: FileRecord?, held: NaiveList?, mayBeSurprised: Bool
  ) throws(Violation) -> Bool {
    // Who writes may have changed on this machine meanwhile: then the edit is made again, once.
    for attempt in 0..<(mayBeSurprised ? 2 : 1) {
      var list = editor.file.list
      let content = try compare(
        editor.path, record: record, list: list, report: editor.file.report,
        besides: held ?? NaiveList())
      var me = try writer(editor.file.identity, in: list, by: device, at: desk, path: editor.path)
      let after = try edit(&list, &me, choice: choice, content: content)
      do {
        try editor.file.commit(list)
      } catch .surprise where attempt == 0 && mayBeSurprised {
        continue
      } catch {
        throw Violation("an edit in the editor of \(editor.path) is refused: \(error)")
      }
      try acknowledge(after, after: content, at: editor.path, of: desk)
      desk.note(editor.path, document: list.id, content: after)
      editor.left = desk.sight(of: editor.path)
      try checkKept(desk, before: before, at: editor.path)
      return true
    }
    throw Violation("an edit in the editor of \(editor.path) is a surprise again and again")
  }

  // MARK: Ends

  /// A command that is killed in the middle, or with the whole machine.
  ///
  /// What it wrote may be in the file or not; nothing else may be missing.
  mutating func die(_ action: Action, by device: Device) throws(Violation) -> Bool {
    try die(action, by: device) { (world, desk, path, content) throws(Violation) in
      try world.attemptEdit(desk, at: path, choice: action.b, by: device, content: content).tried
    }
  }

  /// The same in the course of any attempt, of which the step may be kept by a name.
  mutating func die(
    _ action: Action, by device: Device, as label: String? = nil,
    in attempt: (inout World, Desk, String, NaiveList) throws(Violation) -> [NaiveList]
  ) throws(Violation) -> Bool {
    let desk = desk(of: device)
    guard let path = target(desk, at: Desk.path(action.a)), let inode = desk.disk.inode(path),
      let record = desk.records[inode], !record.isDamaged
    else { return false }
    let isPower = action.c.isMultiple(of: 2)
    desk.disk.faults.crashingCall = desk.disk.callCount + 1 + action.c / 2
    let tried = try attempt(&self, desk, path, record.content)
    desk.disk.faults.crashingCall = nil
    if isPower {
      // The file that was written may have another name besides.
      try powerFails(desk, choice: action.c, but: path) { $0 == inode ? tried : [] }
    }
    try adopt(desk, at: path, record: record, tried: tried, label: label)
    guard !isPower, let inode = desk.disk.inode(path) else { return true }
    desk.records[inode]?.fallbacks = record.fallbacks + [record.content]
    return true
  }

  /// An edit that may end anywhere; returns what the file may hold then besides what it held, and whether
  /// somebody was told that it does.
  mutating func attemptEdit(
    _ desk: Desk, at path: String, choice: Int, by device: Device, content: NaiveList
  ) throws(Violation) -> (tried: [NaiveList], isDone: Bool) {
    // The machine is off, the process is gone, or the file system has refused something.
    guard
      var file = try? DocumentFile.open(
        at: path, settings: settings(desk, at: path, access: .exclusive)),
      (try? identify(desk, at: path, file: &file)) != nil
    else { return ([], false) }
    var list = file.list
    var me = try writer(file.identity, in: list, by: device, at: desk, path: path)
    let tried = try edit(&list, &me, choice: choice, content: content)
    return ([tried], (try? file.commit(list)) != nil)
  }

  /// The power fails while nothing runs.
  mutating func power(_ action: Action, by device: Device) throws(Violation) -> Bool {
    let desk = desk(of: device)
    guard !desk.records.isEmpty else { return false }
    try powerFails(desk, choice: action.a)
    return true
  }

  private mutating func powerFails(
    _ desk: Desk, choice: Int, but path: String = "", tried: (Int?) -> [NaiveList] = { _ in [] }
  ) throws(Violation) {
    let documents = desk.documents()
    let attempts = documents.map { tried(desk.disk.inode($0.path)) }
    var source = ChoiceSource(seed: UInt64(choice))
    desk.editors = [:]
    let fates: [SimulatedDrive.Fate] = [
      .whole, .lost, .torn(eighths: source.next(below: 9)),
      .scattered(sectors: UInt8(source.next(below: 256))),
    ]
    desk.disk = SimulatedDisk(desk.disk.drive.crashed { source.pick(fates) })
    for ((other, record), tried) in zip(documents, attempts)
    where !record.isDamaged && other != path {
      try adopt(desk, at: other, record: record, tried: tried)
    }
  }

  /// Finds out which of some states a file is in.
  private mutating func adopt(
    _ desk: Desk, at path: String, record: FileRecord, tried: [NaiveList], label: String? = nil
  ) throws(Violation) {
    let candidates = [record.content] + record.fallbacks + tried
    let list: ReplicatedList
    do {
      list = try DocumentExamination(of: path, in: desk.disk).list
    } catch {
      throw Violation("\(path) cannot be read after a crash: \(error)")
    }
    guard
      let content = candidates.first(where: { $0.isHeld(exactlyBy: list) })
        ?? torn(list, at: desk, path: path, candidates: candidates)
    else {
      let lack = candidates[0].firstLack(in: list)
      let excess = NaiveList(list).firstLack(in: candidates[candidates.count - 1])
      throw Violation(
        "after a crash \(path) is none of \(candidates.count) states it may be in, lacks "
          + (lack.map(\.brief) ?? "nothing") + " of the first and has "
          + (excess.map(\.brief) ?? "nothing") + " besides the last")
    }
    try acknowledge(content, after: candidates[0], at: path, of: desk, as: label)
    desk.note(path, document: record.document, content: content)
    guard !content.isHeld(exactlyBy: list), let inode = desk.disk.inode(path) else { return }
    // What stands behind all that was written is damaged.
    desk.records[inode]?.damage(at: .max)
  }

  /// The state of a file that a crash has torn, if it is read as one of some states and writes of a
  /// generation that is kept beside it: what is missing is looked for there, and that may be one of
  /// another branch.
  private func torn(
    _ list: ReplicatedList, at desk: Desk, path: String, candidates: [NaiveList]
  ) -> NaiveList? {
    var kept = NaiveList()
    for (other, record) in desk.documents() where other.hasPrefix(path + ".") {
      kept.join(record.content)
    }
    let found = NaiveList(list)
    return candidates.first { candidate in
      var all = kept
      all.join(candidate)
      return candidate.firstLack(in: found) == nil && found.firstLack(in: all) == nil
    }
  }
}
