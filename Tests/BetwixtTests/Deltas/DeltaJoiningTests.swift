import Betwixt
import Testing

@Suite("Several deltas at once")
struct DeltaJoiningTests {
  /// Edits of three replicas that know of each other now and then.
  private static func history(seed: UInt64) throws -> (deltas: [Delta], whole: ReplicatedList) {
    var source = ChoiceSource(seed: seed)
    var lists = [ReplicatedList](repeating: ReplicatedList(id: World.listID), count: 3)
    var sequences: [Int64] = [0, 0, 0]
    var deltas: [Delta] = []
    for _ in 0..<40 {
      let author = source.next(below: 3)
      var me = Replica(
        id: ReplicaID(rawValue: UInt64(author + 1)), sequence: sequences[author]
      ) { World.startOfTime }
      let before = lists[author].version
      if lists[author].isEmpty || source.chance(1, in: 3) {
        try lists[author].append(["n": 1], by: &me)
      } else {
        let id = lists[author][source.next(below: lists[author].count)].id
        try lists[author].set("n", of: id, to: .int64(Int64(source.next(below: 99))), by: &me)
      }
      sequences[author] = me.sequence
      deltas.append(lists[author].delta(since: before))
      let other = source.next(below: 3)
      let news = lists[author].delta(since: lists[other].version)
      deltas.append(news)
      lists[other].merge(news)
    }
    return (deltas, lists[0].merging(lists[1]).merging(lists[2]))
  }

  @Test("they claim what they would one after the other, in whatever order they are")
  func order() throws {
    for seed in 0..<40 as Range<UInt64> {
      let (deltas, whole) = try Self.history(seed: seed)
      var source = ChoiceSource(seed: seed)
      for part in [deltas.count, 10, 20] {
        var receiver = ReplicatedList(id: whole.id)
        for delta in deltas.dropLast(part) { receiver.merge(delta) }
        var expected = receiver
        for delta in deltas { expected.merge(delta) }
        var rest = Array(deltas.suffix(part) + deltas.suffix(3))
        for place in rest.indices { rest.swapAt(place, source.next(below: rest.count)) }
        let joined = Delta(joining: rest, for: receiver.version)
        receiver.merge(joined)
        #expect(receiver == expected && receiver.version == expected.version, "seed \(seed)")
        #expect(receiver == whole)
        // Somebody who knows nothing takes the entries, and claims only what is true for him too.
        var stranger = ReplicatedList(id: whole.id)
        stranger.merge(joined)
        for claim in stranger.version {
          #expect(claim.sequence <= whole.version[claim.replica])
        }
        #expect(part == deltas.count || stranger.entryCount < whole.entryCount + 1)
      }
    }
  }

  @Test("what is missing in the middle is not claimed")
  func gap() throws {
    var me = Replica(id: ReplicaID(rawValue: 1)) { World.startOfTime }
    var list = ReplicatedList(id: World.listID)
    var deltas: [Delta] = []
    for _ in 0..<5 {
      let before = list.version
      try list.append(["n": 1], by: &me)
      deltas.append(list.delta(since: before))
    }
    deltas.remove(at: 2)
    let joined = Delta(joining: deltas.reversed(), for: [:])
    #expect(joined.ranges == [CoveredRange(replica: me.id, after: 0, through: 6)])
    #expect(joined.premise.isEmpty && joined.count == 12)
  }

  @Test("a delta made of rows claims only where its premise is known")
  func premise() throws {
    let (alice, bob) = (ReplicaID(rawValue: 1), ReplicaID(rawValue: 2))
    var first = Replica(id: alice) { World.startOfTime }
    var second = Replica(id: bob) { World.startOfTime + 1_000 }
    var server = ReplicatedList(id: World.listID)
    let item = try server.append(["n": 1], by: &first)
    let known = server.version
    try server.set("n", of: item, to: 2, by: &second)
    // What somebody lacks who knows bob's write: it replaced alice's third one.
    let asked: VersionVector = [bob: 1]
    var builder = Delta.Builder()
    for entry in server.delta(since: asked).entries { try builder.add(entry) }
    builder.cover(alice, after: 0, through: known[alice])
    var careless = ReplicatedList(id: World.listID)
    careless.merge(builder.build())
    #expect(careless.version[alice] == 3 && careless.entryCount == 2)
    builder.require(asked)
    let delta = builder.build()
    #expect(delta.premise == asked)
    var third = ReplicatedList(id: World.listID)
    third.merge(delta)
    #expect(third.version.isEmpty && third.entryCount == 2)
  }

  @Test("a conflict is told unless all who bring entries knew what is held")
  func conflicts() throws {
    var ann = Replica(id: ReplicaID(rawValue: 1)) { World.startOfTime + 1_000 }
    var ben = Replica(id: ReplicaID(rawValue: 2)) { World.startOfTime + 2_000 }
    var me = Replica(id: ReplicaID(rawValue: 3)) { World.startOfTime }
    var list = ReplicatedList(id: World.listID)
    let lunch = try list.append(["title": "Lunch"], by: &me)
    let walk = try list.append(["title": "Walk"], by: &me)
    var (anns, bens) = (list, list)
    try list.set("title", of: lunch, to: "Brunch", by: &me)
    anns.merge(list)
    // Ann knows of the new title, and edits another item; Ben does not, and writes it later.
    let known = anns.version
    try anns.set("title", of: walk, to: "Stroll", by: &ann)
    let old = bens.version
    try bens.set("title", of: lunch, to: "Dinner", by: &ben)
    let deltas = [anns.delta(since: known), bens.delta(since: old)]
    for deltas in [deltas, deltas.reversed()] {
      var receiver = list
      let changes = receiver.merge(Delta(joining: deltas, for: list.version))
      #expect(changes.conflicts.map { $0.loser.value } == [.field("Brunch")])
    }
    // Whoever has seen it answers it.
    bens.merge(list)
    let seen = bens.version
    try bens.set("title", of: lunch, to: "Supper", by: &ben)
    let answer = Delta(joining: [deltas[0], bens.delta(since: seen)], for: list.version)
    var receiver = list
    #expect(receiver.merge(answer).conflicts.isEmpty)
    // One that brings no entries says nothing of who knew what.
    var claim = Delta.Builder()
    claim.cover(ReplicaID(rawValue: 4), after: 0, through: 1)
    let claiming = Delta(joining: [claim.build(), answer, claim.build()], for: list.version)
    #expect(claiming.context.covers(answer.context) && claiming.ranges.count > answer.ranges.count)
    receiver = list
    #expect(receiver.merge(claiming).conflicts.isEmpty)
  }

  @Test("a few entries of a list with many names bring those that they use")
  func tables() throws {
    var me = Replica(id: ReplicaID(rawValue: 1)) { World.startOfTime }
    var list = ReplicatedList(id: World.listID)
    let item = try list.append(by: &me)
    for number in 0..<40 {
      try list.set(try #require(FieldName("n\(number)")), of: item, to: 1, by: &me)
    }
    let known = list.version
    for name in ["n7", "n30"] as [FieldName] { try list.set(name, of: item, to: 2, by: &me) }
    let whole = list.delta(since: [:])
    let few = list.delta(since: known)
    #expect(few.registerTable.count == 40)
    #expect(Delta(joining: [few, few], for: known).registerTable == [.field("n30"), .field("n7")])
    for deltas in [[few, whole], [whole, few], [whole]] {
      #expect(Delta(joining: deltas, for: [:]).entries == whole.entries)
    }
  }

  /// Claims of one replica, each for one that comes behind it.
  private static func lastToFirst(_ count: Int64, of replica: ReplicaID) -> [Delta] {
    (0..<count).reversed().map { number in
      var builder = Delta.Builder()
      builder.require([replica: number])
      builder.cover(replica, after: number, through: number + 1)
      return builder.build()
    }
  }

  /// Each waits for the one that comes next: what waits is not looked at again for each of them.
  @Test("the writes of one replica may come last to first, in any number")
  func reversed() throws {
    let me = ReplicaID(rawValue: 9)
    let count: Int64 = 20_000
    let deltas = Self.lastToFirst(count, of: me)
    let joined = Delta(joining: deltas, for: [:])
    #expect(joined.ranges == [CoveredRange(replica: me, after: 0, through: count)])
    #expect(joined.premise.isEmpty && joined.count == 0)
    let rest = Delta(joining: deltas.dropLast(1), for: [:])
    #expect(rest.ranges.isEmpty)
    let behind = Delta(joining: deltas.dropLast(5), for: [me: 5])
    #expect(behind.ranges == [CoveredRange(replica: me, after: 5, through: count)])
    #expect(behind.premise == [me: 5])
  }
}
