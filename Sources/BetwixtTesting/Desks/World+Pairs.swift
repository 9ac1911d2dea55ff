import Betwixt
import BetwixtFiles

extension World {
  /// An app syncs two documents that it has opened, as `sync --with` does.
  mutating func pairDesks(_ action: Action, by device: Device) throws(Violation) -> Bool {
    let other = devices[action.a % devices.count]
    guard other === device || canReach(device, other) else { return false }
    let (left, right) = (desk(of: device), desk(of: other))
    // What another machine holds is mounted here under a name of its own.
    guard let leftPath = left.disk.resolved(Desk.path(action.b)),
      let rightPath = right.disk.resolved(Desk.path(left === right ? action.b / 2 : action.b + 1)),
      leftPath != rightPath,
      left !== right || left.disk.inode(leftPath) != right.disk.inode(rightPath)
        || left.disk.inode(leftPath) == nil
    else { return false }
    let before = (left.disk.inodes(in: Desk.home), right.disk.inodes(in: Desk.home))
    guard let near = try look(left, at: leftPath),
      let far = try look(right, at: rightPath, making: near.document),
      near.document == far.document
    else { return false }
    try sync(near, of: device, far, of: other)
    if left === right {
      try checkKept(left, before: before.0, at: near.path, far.path)
    } else {
      try checkKept(left, before: before.0, at: near.path)
      try checkKept(right, before: before.1, at: far.path)
    }
    return true
  }

  /// A document, and what it held when somebody looked.
  struct Seen {
    let path: String
    let document: ListID
    let content: NaiveList
    let writer: Writer?
  }

  mutating func look(
    _ desk: Desk, at path: String, making document: ListID = World.listID
  ) throws(Violation) -> Seen? {
    guard let opened = try open(desk, at: path, making: document) else { return nil }
    return Seen(
      path: opened.path, document: opened.file.list.id, content: opened.content,
      writer: Writer(opened))
  }

  func settings(of device: Device) -> Document.Settings {
    let desk = desk(of: device)
    var settings = Document.Settings(
      stateDirectory: Desk.stateRoot, clock: { [clock = device.clock] in clock.now },
      random: { [random = desk.random] in random.next() })
    // However small a document is: else none has an image here.
    settings.imageByteCount = 0
    settings.machine = [desk.machine]
    settings.file.fileSystem = fileSystem(desk)
    return settings
  }

  /// Both hold what they held and what the other one did and they let in, and are told what changed.
  private func sync(
    _ near: Seen, of device: Device, _ far: Seen, of other: Device
  ) throws(Violation) {
    let policy = policy(device)
    var (nearAll, farAll) = (near.content, far.content)
    nearAll.join(far.content, under: policy)
    farAll.join(near.content, under: policy)
    do {
      var mine = try Document.open(at: near.path, settings: settings(of: device))
      var theirs = try Document.open(at: far.path, settings: settings(of: other))
      let before = (mine.list, theirs.list)
      if simulation.mistakes.contains(.pairsNothing) {
        try check(mine.list, at: near.path, holds: nearAll, told: ListChanges(), before.0)
        return
      }
      let exchange = try mine.sync(with: &theirs, admission: policy)
      try check(mine.list, at: near.path, holds: nearAll, told: exchange.changes, before.0)
      try check(theirs.list, at: far.path, holds: farAll, told: exchange.changesThere, before.1)
      if near.writer?.isDoubted(by: far.content, under: policy) ?? false {
        try near.writer?.requireChange(to: mine.writer)
      }
      if far.writer?.isDoubted(by: near.content, under: policy) ?? false {
        try far.writer?.requireChange(to: theirs.writer)
      }
    } catch let error as Violation {
      throw error
    } catch {
      throw Violation("\(near.path) and \(far.path) cannot be synced: \(error)")
    }
    desk(of: device).note(near.path, document: near.document, content: nearAll)
    desk(of: other).note(far.path, document: far.document, content: farAll)
  }

  private func check(
    _ list: ReplicatedList, at path: String, holds all: NaiveList, told changes: ListChanges,
    _ before: ReplicatedList
  ) throws(Violation) {
    if !all.isHeld(exactlyBy: list) {
      let lack = all.firstLack(in: list)
      throw Violation(
        "\(path) was synced with another document and "
          + (lack.map { "lacks \($0.brief)" } ?? "holds what neither had"))
    }
    var rows = before.map(\.id)
    changes.apply(to: &rows) { $0 }
    try require(rows == list.map(\.id), "\(path) was synced, and told other changes")
  }
}
