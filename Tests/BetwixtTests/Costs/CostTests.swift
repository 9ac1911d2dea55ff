// The invariant checks compare and visit by themselves.
#if DEBUG && !BETWIXT_CHECKS
import Betwixt
import Testing

/// Costs as counts, which cannot flake.
///
/// Counted are comparisons of places, nodes of the order entered, pages looked through, entries hashed
/// and looked at one by one, and passes over all places. Release builds do not count.
@Suite("Costs grow as promised", .serialized)
struct CostTests {
  private static let sizes = [500, 2_000, 8_000]

  /// Lists of growing size, filled by random insertions.
  private static let lists: [ReplicatedList] = sizes.map { size in
    let device = Device(ReplicatedList(id: World.listID), replica: 1, clock: World.startOfTime)
    var source = ChoiceSource(seed: UInt64(size))
    for number in 0..<size {
      _ = try? device.list.insert(
        ["n": .int64(Int64(number))], at: source.next(below: number + 1), by: &device.me)
    }
    return device.list
  }

  /// The binary logarithm, rounded up.
  private func log2(_ number: Int) -> Int { Int.bitWidth - (number - 1).leadingZeroBitCount }

  private func device(_ list: ReplicatedList) -> Device {
    Device(list, replica: 2, clock: World.startOfTime)
  }

  @Test("a look-up by place or id enters one node per level", arguments: sizes.indices)
  func lookUps(index: Int) throws {
    let list = Self.lists[index]
    let levels = log2(list.count) / 4 + 1
    for place in stride(from: 0, to: list.count, by: 97) {
      let (item, reading) = Cost.measure { list[place] }
      #expect(reading[.nodeVisit] <= levels && reading[.comparison] == 0, "place \(place)")
      let (found, search) = Cost.measure { list.index(id: item.id) }
      #expect(found == place)
      #expect(search[.nodeVisit] <= levels, "place \(place)")
      #expect(search[.comparison] <= 2 * log2(list.count), "place \(place)")
    }
  }

  @Test("an edit costs a logarithm", arguments: sizes.indices)
  func edits(index: Int) throws {
    let device = device(Self.lists[index])
    let logarithm = log2(device.list.count)
    var source = ChoiceSource(seed: 3)
    for round in 0..<40 {
      let count = device.list.count
      let (_, insertion) = try Cost.measure {
        try device.list.insert(at: source.next(below: count + 1), by: &device.me)
      }
      #expect(insertion[.nodeVisit] <= 4 * logarithm, "round \(round)")
      #expect(insertion[.comparison] <= 4 * logarithm, "round \(round)")
      let id = device.list[source.next(below: count)].id
      let (_, move) = try Cost.measure {
        try device.list.move(id, toOffset: source.next(below: count), by: &device.me)
      }
      #expect(move[.nodeVisit] <= 4 * logarithm, "round \(round)")
      #expect(move[.comparison] <= 4 * logarithm, "round \(round)")
      let (_, field) = try Cost.measure {
        try device.list.set("n", of: id, to: .int64(Int64(-round - 1)), by: &device.me)
      }
      #expect(field[.nodeVisit] == 0 && field[.comparison] == 0, "round \(round)")
    }
  }

  @Test("comparing a list with its edited copy looks at what was edited", arguments: sizes.indices)
  func comparisons(index: Int) throws {
    let list = Self.lists[index]
    let copy = list
    let (isSame, nothing) = Cost.measure { copy == list && copy.holdsSameEntries(as: list) }
    #expect(isSame && nothing[.pageVisit] == 0)
    let device = device(list)
    let id = device.list[list.count - 1].id
    try device.list.set("n", of: id, to: 7, by: &device.me)
    try device.list.set("n", of: device.list[0].id, to: 7, by: &device.me)
    let one = device.list
    for value in [8, 7] as [FieldValue] {
      try device.list.set("n", of: id, to: value, by: &device.me)
    }
    let (isOther, cost) = Cost.measure { one == device.list }
    #expect(!isOther && cost[.pageVisit] == 1)
  }

  @Test("a delta looks through the pages that hold something new", arguments: sizes.indices)
  func deltas(index: Int) throws {
    let device = device(Self.lists[index])
    let known = device.list.version
    let (nothing, idle) = Cost.measure { device.list.delta(since: known) }
    #expect(nothing.isEmpty && idle[.pageVisit] == 0)
    var source = ChoiceSource(seed: 5)
    for edits in 1...6 {
      let id = device.list[source.next(below: device.list.count)].id
      try device.list.set("n", of: id, to: .int64(Int64(-edits)), by: &device.me)
      let (delta, cost) = Cost.measure { device.list.delta(since: known) }
      #expect(delta.count <= edits && cost[.pageVisit] <= edits)
    }
  }

  @Test("merging k entries costs k logarithms, whatever the size", arguments: sizes.indices)
  func merging(index: Int) throws {
    let list = Self.lists[index]
    let device = device(list)
    var source = ChoiceSource(seed: 7)
    let moves = 30
    for _ in 0..<moves {
      try device.list.move(
        fromOffset: source.next(below: list.count), toOffset: source.next(below: list.count),
        by: &device.me)
    }
    let delta = device.list.delta(since: list.version)
    var receiver = list
    let (_, cost) = Cost.measure { receiver.merge(delta) }
    #expect(receiver == device.list)
    #expect(cost[.comparison] <= moves * 6 * log2(list.count))
    #expect(cost[.nodeVisit] <= moves * 3 * log2(list.count))
  }

  // Once a merge passed over all that was ever removed, if only few items were left.
  @Test("one entry for a list of few items among many removed ones")
  func mergingAmongRemovedItems() throws {
    let device = device(Self.lists[0])
    while device.list.count > 10 { try device.list.remove(at: 0, by: &device.me) }
    var receiver = device.list
    let id = device.list[0].id
    try device.list.move(id, toOffset: 5, by: &device.me)
    let delta = device.list.delta(since: receiver.version)
    let (_, cost) = Cost.measure { receiver.merge(delta) }
    #expect(receiver == device.list && receiver.map(\.id) == device.list.map(\.id))
    #expect(cost[.pass] == 0)
  }

  @Test("a whole merge compares n logarithms at most", arguments: sizes.indices)
  func wholeMerge(index: Int) throws {
    let list = Self.lists[index]
    var copy = ReplicatedList(id: list.id)
    let (_, cost) = Cost.measure { copy.merge(list) }
    #expect(copy == list)
    #expect(cost[.comparison] <= 3 * list.count * log2(list.count))
    let (_, again) = Cost.measure { copy.merge(list) }
    #expect(again[.comparison] == 0)
  }

  @Test("a digest hashes the pages that changed since it was settled", arguments: sizes.indices)
  func digests(index: Int) throws {
    let device = device(Self.lists[index])
    let (_, first) = Cost.measure { device.list.settleDigest() }
    #expect(first[.entryHash] == device.list.entryCount)
    let (_, settled) = Cost.measure { device.list.digest }
    #expect(settled[.entryHash] == 0)
    try device.list.set("n", of: device.list[0].id, to: -1, by: &device.me)
    let (digest, one) = Cost.measure { device.list.digest }
    #expect(one[.entryHash] <= 64 * 3)
    device.list.settleDigest()
    #expect(device.list.digest == digest)
  }

  @Test(
    "two lists are compared by the pages that were written since they were copied or loaded",
    arguments: sizes.indices)
  func comparing(index: Int) throws {
    let device = device(Self.lists[index])
    // One that was made by edits, and two that were loaded apart.
    let made = device.list
    var loaded = ReplicatedList(id: made.id)
    loaded.join(made.delta(since: [:]))
    var again = ReplicatedList(id: made.id)
    again.join(made.delta(since: [:]))
    for (list, other) in [(made, made), (loaded, loaded), (loaded, again)] {
      let (isSame, nothing) = Cost.measure { list.holdsSameEntries(as: other) }
      #expect(isSame && nothing[.pageVisit] == 0 && nothing[.entryHash] == 0)
      var edited = other
      for place in [0, 1] {
        try edited.set("n", of: edited[edited.count * place / 2].id, to: -1, by: &device.me)
      }
      let (changes, cost) = Cost.measure { list.difference(to: edited) }
      #expect(changes.updated.count == 2)
      #expect(cost[.pageVisit] <= 2 && cost[.entryHash] == 0)
    }
  }

  @Test("what many registers of an item hold is found in one pass", arguments: [40, 400])
  func manyRegisters(count: Int) throws {
    var me = Replica(id: ReplicaID(rawValue: 1)) { World.startOfTime }
    let you = ReplicaID(rawValue: 2)
    var list = ReplicatedList(id: World.listID)
    let item = try list.append(by: &me)
    let year = Timestamp(milliseconds: World.startOfTime + 365 * 86_400_000)
    var builder = Delta.Builder()
    for number in 0..<count {
      let name = try #require(FieldName("n\(number)"))
      try list.set(name, of: item, to: 1, by: &me)
      try builder.add(
        Entry(
          item: item, register: .field(name), value: .field(2),
          stamp: Stamp(time: year, replica: you), sequence: Int64(number) + 1))
    }
    let ahead = builder.build()
    let later = ahead.entries
    var merged = list
    merged.merge(ahead)
    let held = list[id: item]?.entries ?? []
    #expect(held.count == count + 2)

    let policy = AdmissionPolicy(now: World.startOfTime)
    let (admitted, admitting) = Cost.measure { policy.admit(ahead, to: list) }
    #expect(admitted.withheld.count == count && admitting[.entryVisit] == held.count)
    let (again, admittingAgain) = Cost.measure { policy.admit(ahead, to: merged) }
    #expect(again.withheld.isEmpty && admittingAgain[.entryVisit] == held.count)

    let addresses = held.map { $0.address }
    let backward: [RegisterAddress] = addresses.reversed()
    let (found, finding) = Cost.measure { list.entries(at: backward) }
    #expect(found.compactMap { $0 }.reversed() == held && finding[.entryVisit] == held.count)
    let whole = list.delta(since: [:])
    let (isHeld, matching) = Cost.measure { list.holds(whole.rows.reversed(), of: whole) }
    #expect(isHeld.allSatisfy { $0 } && matching[.entryVisit] == held.count)
    let (lacks, knowing) = Cost.measure { list.lacksUnderKnownNumbers(whole) }
    #expect(!lacks && knowing[.entryVisit] == held.count)
    let one = addresses[count / 2]
    let (entry, search) = Cost.measure { list.entry(at: one) }
    #expect(entry?.address == one && search[.entryVisit] <= count)

    let (digest, merging) = Cost.measure { list.digest(merging: later) }
    #expect(digest == merged.digest && merging[.entryVisit] == held.count)
    let (rest, leaving) = Cost.measure { merged.digest(leavingOut: addresses + addresses) }
    #expect(rest == ReplicatedList(id: list.id).digest && leaving[.entryVisit] == held.count)
    let (missing, comparing) = Cost.measure { merged.entries(missingIn: list) }
    #expect(missing == later && comparing[.entryVisit] == 2 * held.count)

    var history = UndoHistory()
    let ((), recording) = Cost.measure {
      history.record("All", from: list, to: merged, own: [you])
    }
    #expect(history.nextUndo() != nil && recording[.entryVisit] == 2 * held.count)
  }

  @Test("what one edit brings costs the hashes of its item", arguments: sizes.indices)
  func settlingMerge(index: Int) throws {
    let device = device(Self.lists[index])
    device.list.settleDigest()
    var receiver = device.list
    let item = device.list[0]
    try device.list.set("n", of: item.id, to: -1, by: &device.me)
    let delta = device.list.delta(since: receiver.version)
    let (_, cost) = Cost.measure { receiver.mergeSettling(delta) }
    #expect(cost[.entryHash] <= 2 * item.entries.count + 1)
    let (digest, rest) = Cost.measure { receiver.digest }
    #expect(rest[.entryHash] == 0 && digest == device.list.digest)
  }
}
#endif
