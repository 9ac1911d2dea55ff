public import Betwixt

/// What some merges into one list told, kept until they are reported together.
///
///     var losses = MergeLosses()
///     losses.note(list.merge(delta))
///     let report = MergeReport(losses, in: list, here: "this copy", there: "the other copy")
public struct MergeLosses: Hashable, Sendable {
  private(set) var conflicts: [Conflict] = []
  private(set) var removalConflicts: [RemovalConflict] = []

  /// Begins with nothing.
  public init() {}

  /// Whether nothing was lost.
  public var isEmpty: Bool { conflicts.isEmpty && removalConflicts.isEmpty }

  /// Takes note of what a merge reported.
  public mutating func note(_ changes: ListChanges) {
    note(changes.conflicts, removalConflicts: changes.removalConflicts)
  }

  /// Takes note of what the merge of a file reported, but for places that are the same: a file of numbers
  /// gives every item a key of its own.
  ///
  /// - Parameters:
  ///   - changes: What the merge reported.
  ///   - before: The list before it.
  ///   - other: What was merged.
  ///   - result: The list after it.
  /// - Complexity: O(*n* log *n*) if places are among the conflicts
  public mutating func note(
    _ changes: ListChanges, of before: ReplicatedList, with other: ReplicatedList,
    in result: ReplicatedList
  ) {
    guard changes.conflicts.contains(where: { $0.register == .position }) else {
      return note(changes)
    }
    let (here, there) = (SamePlaces(before, result), SamePlaces(other, result))
    let conflicts = changes.conflicts.filter { conflict in
      conflict.register != .position
        || !(conflict.lostHere ? here : there).contains(conflict.item)
    }
    note(conflicts, removalConflicts: changes.removalConflicts)
  }

  /// Takes note of conflicts.
  public mutating func note(_ conflicts: [Conflict], removalConflicts: [RemovalConflict]) {
    self.conflicts += conflicts
    self.removalConflicts += removalConflicts
  }
}

extension MergeReport {
  /// The writes that were lost when another copy was merged into a list, and the edits that a
  /// removal hides.
  ///
  /// - Parameters:
  ///   - losses: What the merges reported.
  ///   - result: The list after them.
  ///   - here: What the list is called.
  ///   - there: What the copy is called that was merged into it.
  ///   - copies: The list before, and what was merged into it, if they are at hand: they know the names
  ///     of items whose fields the list has let go since.
  /// - Complexity: O(*c* (log *n* + *f*)) for *c* conflicts of items with *f* fields
  public init(
    _ losses: MergeLosses, in result: ReplicatedList, here: String, there: String,
    calledAsIn copies: [ReplicatedList] = []
  ) {
    var study = LossStudy(result, here: here, there: there, copies: copies)
    for conflict in losses.conflicts { study.look(at: conflict) }
    for conflict in losses.removalConflicts { study.look(at: conflict) }
    lostEdits = study.lostEdits.sorted {
      ($0.item, $0.register, $0.lost.time) < ($1.item, $1.register, $1.lost.time)
    }
    removedEdits = study.removedEdits.sorted { $0.item < $1.item }
  }
}

extension RegisterValue {
  /// Whether it concerns anybody that this value stays and another one was lost: of lives, only where an
  /// item is there that somebody had removed.
  func isNews(beside loser: RegisterValue) -> Bool {
    guard case .life(let length) = loser else { return true }
    guard case .life(let kept) = self else { return length % 2 == 0 }
    return length % 2 == 0 && kept % 2 == 1
  }
}

/// Turns what merges reported into the words of the list as it is afterwards.
private struct LossStudy {
  private let list: ReplicatedList
  private let dialect: PlainDialect
  private let words: PlaceWords
  private let here: String
  private let there: String
  private let copies: [ReplicatedList]
  private var told: Set<Entry> = []
  var lostEdits: [MergeReport.LostEdit] = []
  var removedEdits: [MergeReport.RemovedEdit] = []

  init(_ list: ReplicatedList, here: String, there: String, copies: [ReplicatedList]) {
    self.list = list
    self.copies = copies
    self.here = here
    self.there = there
    dialect = PlainDialect(of: list)
    words = PlaceWords(list)
  }

  mutating func look(at conflict: Conflict) {
    guard let item = list[id: conflict.item], told.insert(conflict.loser).inserted else { return }
    // A later merge may have brought another winner, or the lost value once more.
    let held = item.entries.first { $0.register == conflict.register }
    let winner = held ?? conflict.winner
    guard winner.value != conflict.loser.value else { return }
    // That a removal lost to somebody who keeps the item is told; how often it went and came before is
    // nobody's concern.
    guard winner.value.isNews(beside: conflict.loser.value) else { return }
    let (loser, keeper) = conflict.lostHere ? (here, there) : (there, here)
    lostEdits.append(
      MergeReport.LostEdit(
        item: item.id, label: item.knownSummary(in: copies), register: conflict.register,
        lost: side(conflict.loser, source: loser), kept: side(winner, source: keeper),
        day: words.day(of: item)))
  }

  mutating func look(at conflict: RemovalConflict) {
    guard let item = list[id: conflict.item], item.isRemoved else { return }
    let edits = conflict.edits.filter { told.insert($0).inserted }
    guard !edits.isEmpty else { return }
    let held = item.entries
    let (editor, remover) = conflict.lostHere ? (here, there) : (there, here)
    var writer = JSONWriter()
    writer.plain(PlainViewItem(item, in: dialect), in: dialect, tripID: nil)
    removedEdits.append(
      MergeReport.RemovedEdit(
        item: item.id, label: item.knownSummary(in: copies), registers: edits.map { $0.register },
        editedBy: [editor],
        removedBy: [remover],
        edits: edits.filter { held.contains($0) }.map {
          MergeReport.RemovedEdit.Edit(register: $0.register, side: side($0, source: editor))
        }, json: String(decoding: writer.bytes, as: UTF8.self), day: words.day(of: item)))
  }

  private func side(_ entry: Entry, source: String) -> MergeReport.Side {
    var place: String?
    if case .position(let section, let key) = entry.value {
      place = words.place(section, key: key, of: entry.item)
    }
    return MergeReport.Side(
      value: entry.value, time: entry.stamp.time, sources: [source], place: place, isMove: true)
  }
}
