import Betwixt
import Testing

@Suite struct ForgettingTests {
  private static let listID = ListID(high: 1, low: 2)

  private static func replica(_ number: UInt64) -> Replica {
    Replica(id: ReplicaID(rawValue: number)) { 1_777_000_000_000 + Int64(number) }
  }

  /// A list of three items, of which the first was removed.
  private static func sample(
    _ me: inout Replica
  ) throws -> (list: ReplicatedList, removed: ItemID) {
    var list = ReplicatedList(id: listID)
    let removed = try list.append(["title": "Lunch", "note": "at noon"], toSection: 2, by: &me)
    try list.append(["title": "Museum"], by: &me)
    try list.append(["title": "Dinner"], by: &me)
    try list.remove(removed, by: &me)
    return (list, removed)
  }

  @Test func whatIsShownStaysAndWhatRemovedItemsHeldGoes() throws {
    var me = Self.replica(1)
    var (list, removed) = try Self.sample(&me)
    let shown = list.map { $0.entries }
    list.settleDigest()
    #expect(list.forget(below: list.version) == 3)
    #expect(list.map { $0.entries } == shown && list.entryCount == 7)
    #expect(list[id: removed]?.entries.map { $0.register } == [.life])
    #expect(list[id: removed]?.isForgotten == true && list[0].isForgotten == false)
    #expect(list.floor == list.version)
    // The same again takes nothing, and the digest is that of what is left.
    #expect(list.forget(below: list.version) == 0)
    var sum = EntrySum()
    for entry in list.delta(since: [:]).entries { sum.add(entry) }
    #expect(list.digest == Digest(sum))
    #expect(list.completeItemCount == list.knownItemCount)
  }

  @Test func nobodyForgetsWhatIsNotKnown() throws {
    var me = Self.replica(1)
    var (list, removed) = try Self.sample(&me)
    list.forget(below: [me.id: .max, ReplicaID(rawValue: 9): 5])
    #expect(list.floor == list.version)
    // A removal below the floor of an item with a field above it.
    let other = list[0].id
    try list.remove(other, by: &me)
    #expect(list[id: other]?.fields["title"] == "Museum")
    try list.set("note", of: removed, to: "late", by: &me)
    #expect(list.forget(below: list.floor) == 0)
    #expect(list[id: removed]?.fields == ["note": "late"])
  }

  @Test func whatWasForgottenGetsAPlaceWhenItIsRestored() throws {
    var me = Self.replica(1)
    var (list, removed) = try Self.sample(&me)
    list.forget(below: list.version)
    try list.set("note", of: removed, to: "late", by: &me)
    try list.restore(removed, toSection: 7, by: &me)
    #expect(list.last?.id == removed && list.last?.section == 7)
    #expect(list.last?.fields == ["note": "late"] && list.last?.isForgotten == false)
    #expect(list.completeItemCount == list.knownItemCount)
  }

  @Test func whatOthersHaveForgottenGetsAPlaceTooWhenItIsRestored() throws {
    var me = Self.replica(1)
    var you = Self.replica(2)
    var (list, removed) = try Self.sample(&me)
    list.forget(below: list.version)
    // Who takes no floors gets what the others hold, and knows nothing of why it is not more.
    var other = ReplicatedList(id: list.id)
    other.merge(list.delta(since: [:]).forgetting(below: [:]))
    #expect(other.floor.isEmpty && other[id: removed]?.section == nil)
    try other.restore(removed, toSection: 7, by: &you)
    #expect(other.last?.id == removed && other.last?.section == 7)
  }

  @Test func theFloorGoesWhereTheListGoes() throws {
    var me = Self.replica(1)
    var (list, removed) = try Self.sample(&me)
    var other = list
    list.forget(below: list.version)
    #expect(list.delta(since: list.version).floor == list.floor)
    #expect(list.delta(since: list.version, floor: list.floor).isEmpty)
    other.merge(list.delta(since: other.version))
    #expect(other == list && other.floor == list.floor && other.digest == list.digest)
    #expect(other[id: removed]?.isForgotten == true)
    var third = ReplicatedList(id: list.id)
    third.join(list.delta(since: [:]))
    #expect(third == list && third.floor == list.floor && third.version == list.version)
    #expect(third.completeItemCount == third.knownItemCount)
  }

  @Test func whatIsYoungIsKept() throws {
    var list = ReplicatedList(id: Self.listID)
    var items: [ItemID] = []
    for day in 0..<10 as Range<Int64> {
      var me = Replica(id: ReplicaID(rawValue: 1), sequence: list.version[ReplicaID(rawValue: 1)]) {
        day * 86_400_000
      }
      items.append(try list.append(["n": .int64(day)], by: &me))
      if day > 0 { try list.remove(items[Int(day) - 1], by: &me) }
    }
    let time = Timestamp(milliseconds: 5 * 86_400_000)
    let floor = list.version(olderThan: time)
    list.forget(below: floor)
    // The last removal before that day was made on the fourth.
    #expect(items.map { list[id: $0]?.isForgotten } == (0..<10).map { $0 < 4 })
    #expect(list.forgottenItemCount == 4)
    for entry in list.delta(since: [:]).entries where entry.stamp.time >= time {
      #expect(!floor.covers(entry.dot))
    }
    #expect(list.version(olderThan: .max) == list.version)
  }

  @Test func theDeadStayDeadAndLateEditsAreKept() throws {
    var me = Self.replica(1)
    var you = Self.replica(2)
    var (list, removed) = try Self.sample(&me)
    var away = list
    try away.set("note", of: removed, to: "mine", by: &you)
    list.forget(below: list.version)
    // Who was away knows nothing of the floor and holds everything.
    list.merge(away.delta(since: list.version))
    #expect(list[id: removed]?.isVisible == false)
    #expect(list[id: removed]?.fields == ["note": "mine"])
    away.merge(list)
    #expect(away == list && away.digest == list.digest)
  }

  @Test func aRestoredItemGoesWholeToWhoHasForgotten() throws {
    var me = Self.replica(1)
    var you = Self.replica(2)
    var (list, removed) = try Self.sample(&me)
    var other = list
    list.forget(below: list.version)
    try other.restore(removed, by: &you)
    let known = list.version
    // Who is not known to have forgotten gets what is new.
    #expect(other.delta(since: known).count == 1)
    #expect(other.delta(since: known, floor: list.floor).count == 4)
    list.merge(other.delta(since: known, floor: list.floor))
    #expect(list.last?.fields == ["note": "at noon", "title": "Lunch"])
    other.merge(list.delta(since: other.version))
    #expect(list == other)
  }

  @Test func undoBringsBackWhatWasForgottenMeanwhile() throws {
    var me = Self.replica(1)
    var list = ReplicatedList(id: Self.listID)
    let item = try list.append(["title": "Lunch"], by: &me)
    try list.append(["title": "Dinner"], by: &me)
    let before = list
    var history = UndoHistory()
    try history.record("Remove", in: &list, by: &me) { list, replica in
      try list.remove(item, by: &replica)
    }
    var other = list
    list.forget(below: list.version)
    other.merge(list)
    let known = other.version
    try history.undo(in: &list, by: &me)
    #expect(list.map { $0.fields } == before.map { $0.fields })
    #expect(list.map { $0.key } == before.map { $0.key })
    other.merge(list.delta(since: known, floor: other.floor))
    #expect(other == list)
  }

  /// Another copy comes with a removal, and has forgotten what the item held.
  @Test func undoOfAMergeBringsBackWhatAFloorTookThatCameWithIt() throws {
    var me = Self.replica(1)
    var you = Self.replica(2)
    var list = ReplicatedList(id: Self.listID)
    let item = try list.append(["title": "Lunch", "note": "hi"], toSection: 2, by: &me)
    let before = list
    var other = list
    try other.remove(item, by: &you)
    other.forget(below: other.version)
    list.merge(other)
    #expect(list[id: item]?.entries.map { $0.register } == [.life])
    var history = UndoHistory()
    history.record("merge", from: before, to: list, own: [me.id])
    try history.undo(in: &list, by: &me)
    #expect(list.map { $0.fields } == before.map { $0.fields })
    #expect(list.map { $0.key } == before.map { $0.key } && list[0].section == 2)
    try history.redo(in: &list, by: &me)
    try history.undo(in: &list, by: &me)
    #expect(list.map { $0.fields } == before.map { $0.fields })
  }

  /// Whatever the other copy did, and forgot: all is exactly as before.
  @Test func undoOfAnyMergeIsExact() throws {
    for seed in 0..<200 as Range<UInt64> {
      var random = ChoiceSource(seed: seed)
      var me = Self.replica(1)
      var you = Self.replica(2)
      var list = ReplicatedList(id: Self.listID)
      for number in 0..<4 as Range<Int64> {
        try list.append(["title": .int64(number)], by: &me)
      }
      func edit(_ list: inout ReplicatedList, by replica: inout Replica) throws {
        for number in 0..<8 as Range<Int64> where !list.isEmpty {
          let item = list[random.next(below: list.count)].id
          switch random.next(below: 5) {
          case 0: try list.remove(item, by: &replica)
          case 1: try list.move(item, toOffset: random.next(below: list.count), by: &replica)
          case 2: try list.set("note", of: item, to: .int64(number), by: &replica)
          case 3: try list.clear("title", of: item, by: &replica)
          default: list.forget(below: list.version)
          }
        }
      }
      var other = list
      try edit(&list, by: &me)
      try edit(&other, by: &you)
      let before = list
      list.merge(other)
      var history = UndoHistory()
      history.record("merge", from: before, to: list, own: [me.id])
      try history.undo(in: &list, by: &me)
      #expect(list.map { $0.id } == before.map { $0.id }, "seed \(seed)")
      #expect(list.map { $0.fields } == before.map { $0.fields }, "seed \(seed)")
    }
  }

  /// The place that restoring gave it cannot be taken away again, and is not where it was.
  @Test func undoOfARestoringAndOfTheRemovalBeforeIsExact() throws {
    var me = Self.replica(1)
    var list = ReplicatedList(id: Self.listID)
    var history = UndoHistory()
    let item = try list.append(["title": "Lunch", "note": "hi"], toSection: 2, by: &me)
    let before = list
    try history.record("remove", in: &list, by: &me) { try $0.remove(item, by: &$1) }
    list.forget(below: list.version)
    try history.record("restore", in: &list, by: &me) {
      try $0.restore(item, toSection: 1, by: &$1)
    }
    #expect(list[0].section == 1)
    for _ in 0..<3 {
      #expect(try history.undo(in: &list, by: &me)?.isWhole == true)
      #expect(list.isEmpty)
      let back = try #require(try history.undo(in: &list, by: &me))
      #expect(back.isWhole && back.done.map { $0.othersWrites } == [[]])
      #expect(list.map { $0.key } == before.map { $0.key } && list[0].section == 2)
      #expect(list.map { $0.fields } == before.map { $0.fields })
      #expect(try history.redo(in: &list, by: &me)?.isWhole == true)
      #expect(list.isEmpty)
      #expect(try history.redo(in: &list, by: &me)?.isWhole == true)
      #expect(list.count == 1)
    }
    // The restoring alone goes back and comes again as it was made.
    var you = Self.replica(2)
    try list.move(item, toOffset: 0, inSection: 5, by: &you)
    #expect(try history.undo(in: &list, by: &me)?.isWhole == false)
    #expect(list[0].section == 5)
  }

  @Test func aFloorOutOfTheBlueReachesNothingThatIsYetToBeWritten() throws {
    var me = Self.replica(1)
    var (list, _) = try Self.sample(&me)
    var builder = Delta.Builder()
    builder.forget(below: [me.id: .max, ReplicaID(rawValue: 9): 3])
    let forged = builder.build()
    let admitted = AdmissionPolicy(now: nil).admit(forged, to: list).delta
    #expect(admitted.floor == list.version)
    // Taken without asking it stays below what the replica writes from then on.
    list.merge(forged)
    let item = try list.append(["title": "Tea"], by: &me)
    try list.remove(item, by: &me)
    #expect(list[id: item]?.fields == ["title": "Tea"])
    #expect(list.forget(below: [:]) == 0)
  }

  @Test func manyForgottenItemsAreNoReasonToTurnOthersAway() throws {
    var me = Self.replica(1)
    var list = ReplicatedList(id: Self.listID)
    for number in 0..<200 { try list.append(["n": .int64(Int64(number))], by: &me) }
    for item in list.map({ $0.id }) { try list.remove(item, by: &me) }
    list.forget(below: list.version)
    var policy = AdmissionPolicy(now: nil)
    policy.incompleteItemCount = 10
    let whole = list.delta(since: [:])
    var empty = ReplicatedList(id: Self.listID)
    #expect(policy.admit(whole, to: empty).withheld.isEmpty)
    // Whether the floor comes with them or not: a list in JSON, say, does not carry it.
    #expect(policy.admit(whole.forgetting(below: [:]), to: empty).withheld.isEmpty)
    empty.merge(whole)
    #expect(empty.completeItemCount == 200)
  }
}
