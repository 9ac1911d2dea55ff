import Betwixt
import BetwixtFiles

// Programs that keep what they did, so that it can be taken back later by another one.

extension World {
  /// A command that edits a document and keeps the step.
  mutating func act(_ action: Action, by device: Device) throws(Violation) -> Bool {
    let desk = desk(of: device)
    let before = desk.disk.inodes(in: Desk.home)
    guard let opened = try openWithSteps(desk, at: action.a, by: device) else { return false }
    let (path, content) = (opened.path, opened.content)
    var document = opened.document
    let label = "\(serial + 1)"
    var after = content
    do {
      try document.edit(mayKeepStep ? label : nil) { (list, me) throws(Violation) in
        after = try edit(&list, &me, choice: action.b, content: content)
      }
    } catch .refused(let violation) {
      throw violation
    } catch {
      throw Violation("an edit of \(path) is refused: \(error)")
    }
    try acknowledge(after, after: content, at: path, of: desk, as: label)
    desk.note(path, document: document.id, content: after)
    try checkKept(desk, before: before, at: path)
    return true
  }

  /// Notes which actions may take steps away.
  func noteDoubts(of action: Action, by device: Device) {
    switch action.kind {
    case .act, .takeBack, .editor, .wait, .clock, .write, .type: break
    default:
      device.desk?.acts.doubt()
      // Some are about two desks.
      devices[action.a % devices.count].desk?.acts.doubt()
    }
  }

  private var mayKeepStep: Bool {
    !simulation.mistakes.contains(.keepsSomeSteps) || serial.isMultiple(of: 2)
  }

  /// A document as an app opens it, and what it holds.
  private struct OpenedWithSteps: ~Copyable {
    let path: String
    let content: NaiveList
    let document: Document
  }

  /// Opens a document at a place; `nil` if there is none, or a damaged one, which is salvaged first.
  private func openWithSteps(
    _ desk: Desk, at place: Int, by device: Device
  ) throws(Violation) -> OpenedWithSteps? {
    guard let path = target(desk, at: Desk.path(place)), let record = desk.record(at: path),
      !record.isDamaged
    else { return nil }
    let document: Document
    do {
      document = try Document.open(at: path, settings: settings(of: device))
    } catch {
      throw Violation("\(path) cannot be opened: \(error)")
    }
    let content = try compare(
      path, record: record, list: document.list, report: document.report)
    return OpenedWithSteps(path: path, content: content, document: document)
  }

  /// The same, or one that takes a step back, killed in the middle or with the whole machine.
  ///
  /// Whether the step is kept nobody knows then.
  mutating func stop(_ action: Action, by device: Device) throws(Violation) -> Bool {
    let takesBack = action.b % 8 == 7
    return try die(action, by: device, as: takesBack ? nil : "\(serial + 1)") {
      (world, desk, path, content) throws(Violation) in
      let settings = world.settings(of: device)
      guard var document = try? Document.open(at: path, settings: settings) else { return [] }
      guard takesBack else {
        return try world.attemptAct(in: &document, choice: action.b, content: content)
      }
      let tried = World.attemptToTakeBack(in: &document, content: content)
      for notice in document.takeNotices() where notice.isAboutSteps {
        if notice == .lastStepUnknown {
          _ = desk.acts.tell(at: path)
        } else {
          desk.acts.forgetActs(at: path)
        }
      }
      return tried
    }
  }

  /// Tries to edit; returns what the file may hold then besides what it held.
  private mutating func attemptAct(
    in document: inout Document, choice: Int, content: NaiveList
  ) throws(Violation) -> [NaiveList] {
    var tried: [NaiveList] = []
    do {
      try document.edit("\(serial + 1)") { (list, me) throws(Violation) in
        tried = [try edit(&list, &me, choice: choice, content: content)]
      }
    } catch .refused(let violation) {
      throw violation
    } catch {
      // The machine is off, or the process is gone.
    }
    return tried
  }

  private static func attemptToTakeBack(
    in document: inout Document, content: NaiveList
  ) -> [NaiveList] {
    var tried: [NaiveList] = []
    // The same.
    _ = try? document.editWithSteps { (list, me, steps) throws(EditFailure) in
      let before = list
      guard try steps.undo(in: &list, by: &me) != nil else { return }
      var after = content
      for entry in list.writes(of: me.id, since: before) { after.join(entry) }
      tried = [after]
    }
    return tried
  }

  // MARK: Taking back

  /// A command that takes back what was done last at a desk, or does it again.
  mutating func takeBack(_ action: Action, by device: Device) throws(Violation) -> Bool {
    let desk = desk(of: device)
    let before = desk.disk.inodes(in: Desk.home)
    guard let opened = try openWithSteps(desk, at: action.a, by: device) else { return false }
    let (path, content) = (opened.path, opened.content)
    var document = opened.document
    let result = try turn(&document, again: action.b == 1, at: desk, showing: content)
    let after = NaiveList(document.list)
    if let lack = content.firstLack(in: after) {
      throw Violation("\(path) lacks \(lack.brief) since something was taken back")
    }
    let news = after.entries(since: content)
    for entry in news where entry.dot.replica != document.writer {
      // What an item held when it went comes back with it.
      try require(
        acknowledged.contains(entry.dot), "\(entry.brief) came with what was taken back in \(path)")
    }
    if let result {
      try checkTurn(
        result, wrote: news.filter { $0.dot.replica == document.writer }, showing: after, at: desk)
    } else {
      try require(news.isEmpty, "nothing is taken back in \(path), and something is written")
    }
    desk.note(path, document: document.id, content: after)
    try checkKept(desk, before: before, at: path)
    return result != nil
  }

  private mutating func turn(
    _ document: inout Document, again: Bool, at desk: Desk, showing content: NaiveList
  ) throws(Violation) -> UndoResult? {
    do {
      if again { return try document.redo()?.result }
      let result = try document.undo()?.result
      var notices = document.takeNotices().filter(\.isAboutSteps)
      if simulation.mistakes.contains(.knowsNothing) { notices = [.lastStepUnknown] }
      guard notices.isEmpty else {
        guard simulation.mistakes.contains(.takesBackTwo) else {
          try take(notices, about: document.path, at: desk)
          return result
        }
        return try checked(document.undo()?.result, of: document.path, at: desk, showing: content)
      }
      return try checked(result, of: document.path, at: desk, showing: content)
    } catch let error as Violation {
      throw error
    } catch {
      throw Violation("what was done in \(document.path) cannot be taken back: \(error)")
    }
  }

  /// Whoever is told that a step is unknown or gone is told for a reason.
  private func take(
    _ notices: [Document.Notice], about path: String, at desk: Desk
  ) throws(Violation) {
    for notice in notices {
      if notice == .lastStepUnknown {
        try require(
          desk.acts.tell(at: path),
          "nothing is known of the last act in \(path), and all keep steps")
      } else {
        try require(desk.acts.hasDoubts, "\(notice) in \(path), where nothing took any away")
        desk.acts.forgetActs(at: path)
      }
    }
  }

  /// What was done later, shows and is known is taken back first.
  private func checked(
    _ result: UndoResult?, of path: String, at desk: Desk, showing content: NaiveList
  ) throws(Violation) -> UndoResult? {
    guard let result else {
      let act = desk.acts.sureAct(at: path, showingIn: content)
      try require(
        act == nil, "act \(act?.label ?? "") in \(path) shows, and there is nothing to take back")
      return nil
    }
    if let later = desk.acts.act(behind: result.step.name, at: path, showingIn: content) {
      throw Violation(
        "act \(result.step.name) in \(path) is taken back, and what was done behind it, "
          + "\(later.label ?? "without a step"), \(later.writes.map(\.brief)), shows")
    }
    return result
  }

  /// What was taken back does not show any more, but for what was kept for others' sake.
  private func checkTurn(
    _ result: UndoResult, wrote writes: [Entry], showing content: NaiveList, at desk: Desk
  ) throws(Violation) {
    let label = result.step.name
    guard let act = desk.acts.act(called: label) else { return }
    if result.direction == .redo {
      desk.acts.makeAgain(label, writes: writes)
      return
    }
    desk.acts.takeBack(label)
    let kept = Set(result.kept.map(\.item))
    for entry in act.writes
    where content[entry.item, entry.register] == entry && !kept.contains(entry.item) {
      try require(
        content[entry.item]?.isAlive != true,
        "act \(label) is taken back, and \(entry.brief) shows")
    }
  }
}

extension Document.Notice {
  fileprivate var isAboutSteps: Bool {
    switch self {
    case .lastStepUnknown, .stepsLost: true
    default: false
    }
  }
}
