import Betwixt
import BetwixtSync
internal import Synchronization

/// The true time of a run, and how one device's clock shows it.
final class SimulatedClock: Sendable {
  private let time: Atomic<Int64>

  init(_ milliseconds: Int64) { time = Atomic(milliseconds) }

  var now: Int64 { time.load(ordering: .relaxed) }

  func set(_ milliseconds: Int64) { time.store(milliseconds, ordering: .relaxed) }
}

/// One device of a run: the list under test, and beside it the model, and a mirror that is kept up
/// to date from reported changes only.
final class Device {
  let number: Int
  let clock: SimulatedClock
  var reading = ClockReading.right
  var list: ReplicatedList
  var me: Replica
  var model = NaiveList()
  var mirror: [ItemID] = []

  /// The edits, to be taken back.
  var history = UndoHistory()

  /// What was there before each edit, by the number of its step.
  var befores: [Int: NaiveList] = [:]

  /// Every entry that was ever written here.
  var written: [Entry] = []

  /// A state to go back to.
  var backup: State?

  /// The drive, once something was put on it.
  var storage: Storage?

  /// The machine with documents in files, once there is one.
  var desk: Desk?

  struct State {
    let list: ReplicatedList
    let model: NaiveList
    let sequence: Int64
  }

  init(_ number: Int, replica id: ReplicaID, listID: ListID, now: Int64) {
    self.number = number
    let clock = SimulatedClock(now)
    self.clock = clock
    list = ReplicatedList(id: listID)
    me = Replica(id: id) { clock.now }
  }

  var state: State { State(list: list, model: model, sequence: me.sequence) }

  /// Goes on under another id or from another number.
  func become(_ id: ReplicaID, sequence: Int64) {
    me = Replica(id: id, sequence: sequence) { [clock] in clock.now }
    history = UndoHistory()
    befores = [:]
  }

  /// Goes on with another content.
  func show(_ state: State) {
    list = state.list
    model = state.model
    mirror = model.visible.map(\.id)
    history = UndoHistory()
    befores = [:]
  }

  // MARK: Taking in

  /// Merges, while the model joins the entries that this must bring.
  ///
  /// - Returns: What the merge reported.
  @discardableResult
  func take(
    _ entries: [Entry], floor: VersionVector = [:],
    _ merge: (inout ReplicatedList) -> ListChanges
  ) throws(Violation) -> ListChanges {
    model.take(entries, floor: floor)
    return try compare(merge)
  }

  /// Merges, while the model joins that of the list this must bring.
  func take(
    _ other: NaiveList, _ merge: (inout ReplicatedList) -> ListChanges
  ) throws(Violation) {
    if other.floor.isEmpty, model.floor.isEmpty {
      model.join(other)
    } else {
      model.take(other.entries, floor: other.floor)
    }
    try compare(merge)
  }

  // MARK: Forgetting

  /// Forgets, while the model does the same.
  ///
  /// - Parameters:
  ///   - floor: Below what.
  ///   - forget: The embedding program's own way, which the model follows unseen.
  /// - Throws: ``Violation`` if something else went than the model lets go.
  func forget(
    below floor: VersionVector, _ forget: ((inout ReplicatedList, VersionVector) throws -> Void)?
  ) throws(Violation) {
    guard let forget else {
      let count = model.entryCount
      model.raise(to: floor.intersection(list.version))
      model.settle()
      let gone = list.forget(below: floor)
      try require(gone == count - model.entryCount, "\(gone) registers went")
      return try check()
    }
    do {
      try forget(&list, floor)
    } catch {
      throw Violation("the program cannot forget: \(error)")
    }
    model = NaiveList(list)
    model.settle()
    mirror = model.visible.map(\.id)
  }

  /// Whether two devices hold the same, as they do once a session has ended in order.
  ///
  /// Of a floor only what is about writes that one of them claims goes over in a session: nobody
  /// forgets what is yet to be written. A floor beyond that comes with a delta that was made for
  /// somebody else; until who has those writes is met, what is left under both floors is the same.
  func holdsTheSame(as other: Device) -> Bool {
    holdsTheSame(as: other.list, model: other.model)
  }

  /// As for two devices, for a list that no device holds: that of a hub.
  func holdsTheSame(as other: ReplicatedList) -> Bool {
    var model = NaiveList(other)
    model.settle()
    return holdsTheSame(as: other, model: model)
  }

  private func holdsTheSame(as other: ReplicatedList, model otherModel: NaiveList) -> Bool {
    let version = list.version
    guard version == other.version else { return false }
    if list.floor == other.floor { return list == other }
    guard list.floor.intersection(version) == other.floor.intersection(version) else {
      return false
    }
    var (mine, theirs) = (model, otherModel)
    mine.raise(to: otherModel.floor)
    theirs.raise(to: model.floor)
    return mine.entries == theirs.entries
  }

  @discardableResult
  private func compare(
    _ merge: (inout ReplicatedList) -> ListChanges
  ) throws(Violation) -> ListChanges {
    let before = list.version
    model.settle()
    let changes = merge(&list)
    try require(list.version.covers(before), "a merge took a claim back: \(before)")
    changes.apply(to: &mirror) { $0 }
    try check()
    return changes
  }

  // MARK: Comparing with the model

  /// Compares what is on show.
  func check() throws(Violation) {
    let visible = model.visible
    guard list.count == visible.count, list.entryCount == model.entryCount else {
      throw Violation(
        "replica \(number) shows \(list.count) items of \(list.entryCount) entries, the model "
          + "\(visible.count) of \(model.entryCount)")
    }
    try require(
      list.floor == model.floor, "has the floor \(list.floor), the model \(model.floor)")
    var place = 0
    for item in list {
      guard item.id == visible[place].id else {
        throw Violation(
          "replica \(number) shows \(list.map(\.id)), the model \(visible.map(\.id))")
      }
      place += 1
    }
    guard mirror.elementsEqual(visible.lazy.map(\.id)) else {
      throw Violation("reported changes lead replica \(number) to \(mirror), not \(visible)")
    }
  }

  /// Compares everything there is to look at.
  func checkAll() throws(Violation) {
    try check()
    let items = list.allItems()
    let wanted = model.items
    try require(
      items.map(\.id) == wanted.map(\.id),
      "knows \(items.map(\.id)), the model \(wanted.map(\.id))")
    for (item, wanted) in zip(items, wanted) {
      let (entries, wanted) = (item.entries, wanted.entries)
      try require(entries == wanted, "holds \(entries), the model \(wanted)")
      try require(item.isVisible == model.isVisible(item.id), "\(item.id) is visible or not")
    }
    for (place, shown) in model.visible.enumerated() {
      try require(list.index(id: shown.id) == place, "\(shown.id) is not at place \(place)")
    }
    for section in list.sections {
      let ids = list.indices(inSection: section).map { list[$0].id }
      try require(ids == model.visible(in: section), "section \(section) is \(ids)")
    }
  }
}
