import Betwixt
import BetwixtFiles

extension World {
  /// A command of which the file system refuses one call, or for which a drive has no room, and that
  /// somebody gives once more.
  ///
  /// What it acknowledged is in the file. What it did not may be there, or not at all, and nothing keeps
  /// the next one from its work.
  mutating func hinder(_ action: Action, by device: Device) throws(Violation) -> Bool {
    let desk = desk(of: device)
    guard let path = target(desk, at: Desk.path(action.a)), let record = desk.record(at: path),
      !record.isDamaged
    else { return false }
    let before = desk.disk.inodes(in: Desk.home)
    let room = action.c - World.firstRoom
    if room < 0 {
      desk.disk.faults.failingCall = desk.disk.callCount + 1 + action.c
    } else {
      desk.disk.faults.space = room * 16
    }
    var (tried, isDone) = try attemptEdit(
      desk, at: path, choice: action.b, by: device, content: record.content)
    desk.disk.faults.failingCall = nil
    desk.disk.faults.space = nil
    if room >= 0, !isDone {
      try require(
        desk.disk.bytes("\(Desk.state(of: path))/image") == nil,
        "\(path) is not written for want of room, and what nobody needs stays beside it")
    }
    if simulation.mistakes.contains(.believesFailures) { isDone = !tried.isEmpty }
    let content = try found(
      at: path, desk: desk, among: isDone ? tried : [record.content] + tried)
    try acknowledge(content, after: record.content, at: path, of: desk)
    desk.note(path, document: record.document, content: content)
    if !isDone, let inode = desk.disk.inode(path) {
      // It is not on the drive before somebody says so.
      desk.records[inode]?.fallbacks = record.fallbacks + [record.content]
    }
    try checkKept(desk, before: before, at: path)
    return try writeDocument(action, by: device)
  }

  /// From here on the choice of a call says how much room there is.
  private static let firstRoom = 96

  /// Which of some states a file is in, that no machine has left half written.
  private func found(
    at path: String, desk: Desk, among states: [NaiveList]
  ) throws(Violation) -> NaiveList {
    let list: ReplicatedList
    do {
      list = try DocumentExamination(of: path, in: desk.disk).list
    } catch {
      throw Violation("\(path) cannot be read after a call that failed: \(error)")
    }
    guard let state = states.first(where: { $0.isHeld(exactlyBy: list) }) else {
      let lack = states[states.count - 1].firstLack(in: list)
      throw Violation(
        "after a call that failed \(path) is none of \(states.count) states it may be in, and lacks "
          + (lack.map(\.brief) ?? "nothing") + " of the last")
    }
    return state
  }
}
