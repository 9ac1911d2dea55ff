import Betwixt
import Testing

@Suite("What is admitted")
struct AdmissionPolicyTests {
  private static let now: Int64 = 1_777_000_000_000
  private static let day: Int64 = 86_400_000
  private static let policy = AdmissionPolicy(now: now)
  private static let peer = ReplicaID(rawValue: 9)
  private static let item = ItemID(high: 9, low: 1)

  private static func entry(
    _ register: Register, _ value: RegisterValue, at time: Int64 = now, number: Int64 = 1,
    of item: ItemID = item, by replica: ReplicaID = peer
  ) -> Entry {
    Entry(
      item: item, register: register, value: value,
      stamp: Stamp(time: Timestamp(milliseconds: time), replica: replica), sequence: number)
  }

  private static func delta(_ entries: [Entry], _ ranges: [(UInt64, Int64, Int64)] = []) throws
    -> Delta
  {
    var builder = Delta.Builder()
    for entry in entries { try builder.add(entry) }
    for (replica, after, through) in ranges {
      builder.cover(ReplicaID(rawValue: replica), after: after, through: through)
    }
    return builder.build()
  }

  @Test("a time is taken up to a day ahead, to the millisecond")
  func timeAhead() throws {
    let list = ReplicatedList(id: World.listID)
    for (ahead, isTaken) in [(-Self.now, true), (0, true), (Self.day, true), (Self.day + 1, false)]
    {
      let entry = Self.entry(.field("n"), .field(1), at: Self.now + ahead)
      let admitted = Self.policy.admit(try Self.delta([entry]), to: list)
      #expect(admitted.withheld.isEmpty == isTaken, "\(ahead)")
      #expect(admitted.delta.count == (isTaken ? 1 : 0))
      guard let write = admitted.withheld.first else { continue }
      #expect(write.entry == entry && write.reason == .timeAhead && write.isPostponed)
      #expect(
        write.description.contains("n: its time") && write.description.contains("\(Self.item)"))
    }
    let entry = Self.entry(.field("n"), .field(1), at: .max)
    #expect(AdmissionPolicy(now: nil).admit(try Self.delta([entry]), to: list).withheld.isEmpty)
    #expect(Self.policy.objection(to: entry) == .timeAhead)
    // By a clock at the end of its range all is let in that another write can follow.
    let atTheEnd = AdmissionPolicy(now: .max)
    #expect(atTheEnd.admit(try Self.delta([entry]), to: list).withheld.count == 1)
    let before = Self.entry(.field("n"), .field(1), at: Timestamp.max.milliseconds - 1)
    #expect(atTheEnd.admit(try Self.delta([before]), to: list).withheld.isEmpty)
  }

  @Test("limits may be as great as numbers get")
  func greatestLimits() throws {
    var policy = Self.policy
    policy.lifeSlack = .max
    policy.newReplicaCount = .max
    policy.incompleteItemCount = .max
    policy.timeAhead = .max
    let entry = Self.entry(.life, .life(1 << 63 - 1))
    var list = ReplicatedList(id: World.listID)
    for introduced in [0, 5] {
      let delta = try Self.delta([entry], [(5, 0, 9)])
      let admitted = policy.admit(delta, to: list, introduced: introduced)
      #expect(admitted.withheld.isEmpty && admitted.delta.ranges.count == 1)
      list.merge(admitted.delta)
    }
  }

  @Test("a causal length is judged by its time")
  func lifeAhead() throws {
    let list = ReplicatedList(id: World.listID)
    for milliseconds in [0, 1, Self.now] {
      let limit = UInt64(milliseconds) << 17 + 1 << 16
      let taken = Self.entry(.life, .life(limit), at: milliseconds)
      #expect(Self.policy.admit(try Self.delta([taken]), to: list).withheld.isEmpty)
      let refused = Self.entry(.life, .life(limit + 1), at: milliseconds)
      let admitted = Self.policy.admit(try Self.delta([refused]), to: list)
      #expect(admitted.withheld.map { $0.reason } == [.lifeAhead])
      #expect(admitted.withheld.first?.isPostponed == false)
    }
    // The greatest time that there is allows the greatest length, and does not trap.
    let stamp = Stamp(time: .max, replica: Self.peer)
    let last = Entry(
      item: Self.item, register: .life, value: .life(1 << 63 - 1), stamp: stamp, sequence: 1)
    #expect(AdmissionPolicy(now: nil).objection(to: last) == nil)
  }

  @Test("what honestly follows the greatest life that is admitted is admitted everywhere")
  func afterTheGreatestLife() throws {
    let horizon = Self.now + Self.day
    let greatest = UInt64(horizon) << 17 + 1 << 16
    var list = ReplicatedList(id: World.listID)
    let key = try SortKey.between(nil, nil, replica: Self.peer, counter: 2)
    let entries = [
      Self.entry(.life, .life(greatest | 1), at: horizon),
      Self.entry(.position, .position(section: 0, key: key), number: 2),
    ]
    let admitted = Self.policy.admit(try Self.delta(entries), to: list)
    #expect(admitted.withheld.count == 1)
    list.merge(
      try Self.delta([Self.entry(.life, .life(greatest - 1), at: horizon), entries[1]]))
    var me = Replica(id: ReplicaID(rawValue: 1)) { Self.now }
    for _ in 0..<3 {
      try list.remove(Self.item, by: &me)
      #expect(list.isEmpty)
      try list.restore(Self.item, by: &me)
      #expect(list.contains(id: Self.item))
      let all = list.delta(since: VersionVector())
      let stranger = ReplicatedList(id: World.listID)
      #expect(Self.policy.admit(all, to: stranger).withheld.isEmpty)
    }
  }

  @Test("what the list holds already is not judged again")
  func heldAlready() throws {
    var list = ReplicatedList(id: World.listID)
    let entry = Self.entry(.field("n"), .field(1), at: Self.now + 2 * Self.day)
    let delta = try Self.delta([entry], [(9, 0, 1)])
    list.merge(delta)
    let admitted = Self.policy.admit(delta, to: list)
    #expect(admitted.withheld.isEmpty && admitted.delta.ranges == delta.ranges)
  }

  /// As the old files of a folder hold it, for whom the clock has fallen back.
  @Test("what loses against what the list holds is not judged")
  func losesAnyway() throws {
    var list = ReplicatedList(id: World.listID)
    let ahead = Self.now + 2 * Self.day
    let newest = Self.entry(.field("n"), .field(2), at: ahead + 1, number: 2)
    list.merge(try Self.delta([newest]))
    let older = try Self.delta([Self.entry(.field("n"), .field(1), at: ahead)], [(9, 0, 2)])
    let admitted = Self.policy.admit(older, to: list)
    #expect(admitted.withheld.isEmpty && admitted.delta.ranges == older.ranges)
    #expect(list.merging(admitted.delta).entry(at: newest.address) == newest)
    for other in [
      Self.entry(.field("n"), .field(1), at: ahead + 2, number: 3),
      Self.entry(.field("m"), .field(1), at: ahead),
    ] {
      #expect(Self.policy.admit(try Self.delta([other]), to: list).withheld.count == 1)
    }
    // A life is beaten by a longer one, whenever that was written.
    list.merge(try Self.delta([Self.entry(.life, .life(3), number: 4)]))
    for (length, count) in [(1, 0), (3, 1), (5, 1)] as [(UInt64, Int)] {
      let life = Self.entry(.life, .life(length), at: ahead, number: 5)
      #expect(Self.policy.admit(try Self.delta([life]), to: list).withheld.count == count)
    }
  }

  @Test("ranges of replicas without an entry are taken so many times in an exchange")
  func inventedReplicas() throws {
    let list = ReplicatedList(id: World.listID)
    var policy = Self.policy
    policy.newReplicaCount = 3
    let entry = Self.entry(.field("n"), .field(1), by: ReplicaID(rawValue: 5))
    let delta = try Self.delta([entry], (1...8).map { (UInt64($0), 0, 1) })
    let admitted = policy.admit(delta, to: list)
    #expect(admitted.newReplicaCount == 3 && admitted.withheld.isEmpty)
    #expect(admitted.delta.ranges.map(\.replica.rawValue) == [1, 2, 3, 5])
    #expect(admitted.delta.count == 1)
    // Nor does a floor name others than they do.
    let floor = VersionVector(
      (1...8).map { VersionVector.Component(replica: ReplicaID(rawValue: $0), sequence: 1) })
    let forgetting = policy.admit(delta.forgetting(below: floor), to: list)
    #expect(forgetting.delta.floor.map(\.replica.rawValue) == [1, 2, 3, 5])
    let more = policy.admit(delta, to: list, introduced: 2)
    #expect(more.delta.ranges.map(\.replica.rawValue) == [1, 5] && more.newReplicaCount == 1)
    // One that is known is not new.
    let later = list.merging(admitted.delta)
    #expect(policy.admit(delta, to: later, introduced: 3).delta.ranges.count == 4)
  }

  @Test("items without a life or a position wait when there are too many")
  func incompleteItems() throws {
    var policy = Self.policy
    policy.incompleteItemCount = 2
    var list = ReplicatedList(id: World.listID)
    let lives = (1...5).map { number in
      Self.entry(
        .life, .life(1), number: Int64(number), of: ItemID(high: 9, low: UInt64(number)))
    }
    let admitted = policy.admit(try Self.delta(lives, [(9, 0, 5)]), to: list)
    #expect(admitted.withheld.map { $0.entry.sequence } == [3, 4, 5])
    #expect(admitted.withheld.allSatisfy { $0.reason == .incomplete && $0.isPostponed })
    // Claims go as far as numbers are there.
    #expect(admitted.delta.ranges.map(\.through) == [2])
    list.merge(admitted.delta)
    // As many more as are complete.
    var me = Replica(id: ReplicaID(rawValue: 1)) { Self.now }
    try list.append(by: &me)
    #expect(policy.admit(try Self.delta(lives), to: list).withheld.count == 2)
    // What makes them complete is taken.
    let key = try SortKey.between(nil, nil, replica: Self.peer, counter: 9)
    let position = Self.entry(.position, .position(section: 0, key: key), number: 9)
    let both = policy.admit(try Self.delta(lives + [position]), to: list)
    #expect(both.withheld.count == 0)
    // The root has neither and counts for nothing.
    let root = Self.entry(.field("n"), .field(1), of: .root)
    policy.incompleteItemCount = 0
    #expect(
      policy.admit(try Self.delta([root]), to: ReplicatedList(id: World.listID)).withheld.isEmpty)
  }

  /// The first entries of so many items.
  private static func lives(_ length: UInt64, _ count: Int, number: Int64 = 0) -> [Entry] {
    (1...count).map { index in
      entry(
        .life, .life(length), number: number + Int64(index),
        of: ItemID(high: 9, low: UInt64(index)))
    }
  }

  /// Their places may be forgotten, and whoever brings them need not say so.
  @Test("items that are removed need no place, whatever the floor")
  func removedItems() throws {
    var policy = Self.policy
    policy.incompleteItemCount = 0
    var list = ReplicatedList(id: World.listID)
    let removals = try Self.delta(Self.lives(2, 9), [(9, 0, 9)])
    let admitted = policy.admit(removals, to: list)
    #expect(admitted.withheld.isEmpty && admitted.delta.ranges == removals.ranges)
    list.merge(admitted.delta)
    #expect(list.completeItemCount == 9 && list.knownItemCount == 9)
    // A place that comes late changes nothing of that, nor does a floor.
    let key = try SortKey.between(nil, nil, replica: Self.peer, counter: 10)
    let position = Self.entry(.position, .position(section: 0, key: key), number: 10)
    list.merge(try Self.delta([position]))
    #expect(list.completeItemCount == 9)
    list.forget(below: list.version)
    #expect(list.completeItemCount == 9 && list[id: Self.item]?.isForgotten == true)
  }

  @Test("a removal that is not taken, and a floor that is made up, make no room")
  func noRoom() throws {
    var policy = Self.policy
    policy.incompleteItemCount = 2
    let list = ReplicatedList(id: World.listID)
    let far = Self.lives(1 << 62, 4).map { life in
      Self.entry(.life, life.value, of: ItemID(high: 8, low: life.item.low))
    }
    let delta = try Self.delta(far + Self.lives(1, 5))
      .forgetting(below: [Self.peer: 1 << 62])
    let reasons = policy.admit(delta, to: list).withheld.map { $0.reason }
    #expect(reasons.count { $0 == .lifeAhead } == 4)
    #expect(reasons.count { $0 == .incomplete } == 3)
  }

  @Test("who restores many items without their places leaves room for the items of others")
  func restoredWithoutPlaces() throws {
    var policy = Self.policy
    policy.incompleteItemCount = 2
    var list = ReplicatedList(id: World.listID)
    list.merge(try Self.delta(Self.lives(2, 10)))
    // Each is one that is complete less, and one that is not more: ten and two leave room for six.
    let restored = policy.admit(try Self.delta(Self.lives(3, 10, number: 10)), to: list)
    #expect(restored.withheld.map { $0.entry.item.low } == [7, 8, 9, 10])
    #expect(restored.withheld.allSatisfy { $0.reason == .incomplete })
    list.merge(restored.delta)
    #expect(list.completeItemCount == 4)
    // What comes with its place is taken.
    let key = try SortKey.between(nil, nil, replica: Self.peer, counter: 30)
    let last = ItemID(high: 9, low: 10)
    let whole = try Self.delta([
      Self.entry(.life, .life(3), number: 20, of: last),
      Self.entry(.position, .position(section: 0, key: key), number: 30, of: last),
    ])
    #expect(policy.admit(whole, to: list).withheld.isEmpty)
  }

  @Test("a floor that comes with a restoring takes the place that the item had")
  func restoredUnderAFloor() throws {
    var policy = Self.policy
    policy.incompleteItemCount = 0
    var list = ReplicatedList(id: World.listID)
    var me = Replica(id: ReplicaID(rawValue: 1)) { Self.now }
    for _ in 0..<4 { try list.append(by: &me) }
    let items = list.map(\.id)
    for item in items { try list.remove(item, by: &me) }
    let restored = try Self.delta(
      items.enumerated().map { number, item in
        Self.entry(.life, .life(3), number: Int64(number) + 1, of: item)
      })
    #expect(policy.admit(restored, to: list).withheld.isEmpty)
    // Each is one that is complete less, and one that is not more: four leave room for two.
    let admitted = policy.admit(restored.forgetting(below: list.version), to: list)
    #expect(admitted.withheld.map(\.reason) == [.incomplete, .incomplete])
    list.merge(admitted.delta)
    #expect(list.completeItemCount == 2 && list.knownItemCount == 4)
  }

  @Test("a forgotten item that comes again makes no room for one that is incomplete")
  func forgottenItemsAgain() throws {
    var list = ReplicatedList(id: World.listID)
    var me = Replica(id: ReplicaID(rawValue: 1)) { Self.now }
    for _ in 0..<3 { try list.append(by: &me) }
    for item in list.map(\.id) { try list.remove(item, by: &me) }
    list.forget(below: list.version)
    let lives = (1...10).map { number in
      Self.entry(
        .life, .life(1), number: Int64(number), of: ItemID(high: 9, low: UInt64(number)))
    }
    var policy = Self.policy
    policy.incompleteItemCount = 0
    let delta = try Self.delta(list.delta(since: [:]).entries + lives)
    #expect(policy.admit(delta, to: list).withheld.count == 7)
  }

  @Test("who leaves something out claims no more than the rest proves")
  func denseClaims() throws {
    let list = ReplicatedList(id: World.listID)
    let future = Self.now + 2 * Self.day
    // B wrote 1 and 2; A replaced 2 by its own write, which is withheld.
    let b1 = Self.entry(.field("a"), .field(1), number: 1, by: ReplicaID(rawValue: 2))
    let a1 = Self.entry(.field("b"), .field(1), at: future, by: ReplicaID(rawValue: 1))
    let admitted = Self.policy.admit(try Self.delta([a1, b1], [(1, 0, 1), (2, 0, 2)]), to: list)
    #expect(admitted.delta.entries == [b1])
    #expect(
      admitted.delta.ranges.map { [Int64($0.replica.rawValue), $0.after, $0.through] }
        == [[2, 0, 1]])
    // Without the withheld write all is claimed.
    let whole = Self.policy.admit(try Self.delta([b1], [(2, 0, 2)]), to: list)
    #expect(whole.delta.ranges.map(\.through) == [2])
    // What the list holds unclaimed counts as taken.
    let held = list.merging(try Self.delta([b1]))
    let b2 = Self.entry(.field("c"), .field(1), number: 2, by: ReplicaID(rawValue: 2))
    let next = Self.policy.admit(try Self.delta([a1, b2], [(2, 0, 2)]), to: held)
    #expect(next.delta.ranges.map(\.through) == [2])
  }
}

extension ReplicatedList {
  fileprivate func merging(_ delta: Delta) -> ReplicatedList {
    var list = self
    list.merge(delta)
    return list
  }
}
