public import Betwixt

/// Any number of files of any format, joined into one state.
///
///     let merge = try TripMerge([phone, tablet, laptop], base: base)
///     merge.list    // the same, whatever the order of the files
///     merge.report  // what came from where, and every edit that lost
///
/// With a base, each file without a history counts as an edit of the base: what it changed is
/// joined, and what it lacks is removed. Without one the later `modifiedAt` decides per item and
/// field, and nothing is removed.
public struct TripMerge: Sendable {
  /// The joined state.
  public let list: ReplicatedList

  /// What came from where, and what was lost.
  public let report: MergeReport

  /// One line for each part of a file that was skipped or is doubtful.
  public let notes: [String]

  /// The fullest format among the inputs, the base included.
  public let format: DocumentFormat

  /// Joins files.
  ///
  /// - Parameters:
  ///   - files: At least one file, or a base.
  ///   - base: The common ancestor of the files.
  /// - Throws: `wrong-trip` if the ids differ, or if some are trips and others tasks.
  /// - Precondition: There is a file or a base.
  /// - Complexity: O(*k*² *n* log *n*) for *k* files
  public init(_ files: [TripFile], base: TripFile? = nil) throws(DocumentFailure) {
    let all = (base.map { [$0] } ?? []) + files
    precondition(!all.isEmpty, "a merge needs a file")
    // Where no file belongs to a trip the base names it, else the one that begins first.
    let owner = all.first { !$0.belongsToNoTrip } ?? base ?? TripFile.first(of: all) ?? all[0]
    let id = owner.listID
    for file in all { try file.check(isTrip: id, called: owner.listName) }
    var histories = ReplicatedList(id: id)
    histories.merge(
      inOwnOrder: all.compactMap { if case .list(let list) = $0.content { list } else { nil } })
    try TripFile.checkKinds(of: all, joining: histories)
    let history = all.contains { $0.hasHistory } ? histories : nil
    let baseList = base.map { $0.alignedState(in: history) }
    var sources: [MergeSource] = []
    let emptyList = ReplicatedList(id: id)
    var joined = baseList.flatMap { base?.added($0, to: history) } ?? emptyList
    let zones = KnownZones(of: joined.merging(histories), and: all.compactMap { $0.zones })
    // Files of one title are of one list, whatever their dates: all count from the first day of one. A
    // document that was made of one says by its version that it holds what the file says; of a
    // calendar each event says that, so it needs only the days.
    func isLate(_ file: TripFile) -> Bool {
      file.belongsToNoTrip
        && (base != nil || file.listID != id
          || (history == nil ? file.firstDate != owner.firstDate : file.calendar != nil))
    }
    let said = all.reduce(into: Set<FieldName>()) { $0.formUnion($1.listFields) }
    var states: [ReplicatedList] = []
    var notes: [String] = []
    let lastDate =
      owner.belongsToNoTrip && base == nil ? all.compactMap { $0.lastDate }.max() : nil
    for file in files where !isLate(file) {
      let file = lastDate.map { file.reaching($0) } ?? file
      let state = file.state(
        joining: baseList ?? emptyList, base: base, over: history, zones: zones, clearing: said)
      sources.append(
        MergeSource(name: file.name, list: state.shown, hasHistory: file.hasHistory))
      states.append(state.writes)
      notes += file.words(state.notes) + file.notes(outside: state.shown, before: emptyList)
    }
    joined.merge(inOwnOrder: states)
    // A file that belongs to no trip gets its days from what the others say.
    let trip = joined
    for file in files where isLate(file) {
      let state = file.state(
        joining: trip, base: base, over: history.map { _ in trip }, zones: zones)
      sources.append(MergeSource(name: file.name, list: state.shown, hasHistory: false))
      let before = joined
      joined.merge(state.writes)
      notes += file.words(state.notes) + file.notes(outside: joined, before: before)
    }
    list = joined
    self.notes = notes
    report = MergeReport(of: sources, base: baseList, result: joined)
    format = .fullest(of: all.map { $0.format })
  }
}

/// One input of a merge as a state.
struct MergeSource {
  let name: String
  let list: ReplicatedList
  /// Whether it knows when each of its values was written: a plain file does not.
  let hasHistory: Bool
}

extension ReplicatedList {
  /// Merges lists in an order that depends on nothing but them.
  ///
  /// Where one of them has forgotten something, merging is not quite associative: what a floor takes
  /// before an item's restoring is met is kept after it. So those that have forgotten less come first:
  /// what they restored finds what it held.
  ///
  /// - Complexity: As merging each, and as many digests if one has a floor
  fileprivate mutating func merge(inOwnOrder lists: [ReplicatedList]) {
    guard lists.contains(where: { !$0.floor.isEmpty }) else {
      for list in lists { merge(list) }
      return
    }
    let ranked = lists.map { list in
      let forgotten = list.floor.reduce(UInt64(0)) { sum, component in
        let (sum, overflow) = sum.addingReportingOverflow(component.sequence.magnitude)
        return overflow ? .max : sum
      }
      return (list: list, forgotten: forgotten, digest: list.digest)
    }
    let sorted = ranked.sorted { left, right in
      left.forgotten != right.forgotten
        ? left.forgotten < right.forgotten
        : left.digest.bytes.lexicographicallyPrecedes(right.digest.bytes)
    }
    for (list, _, _) in sorted { merge(list) }
  }
}
