import Betwixt
import Testing

@Suite("A list claims only what it holds")
struct ClaimTests {
  static let me = ReplicaID(rawValue: 1)
  static let you = ReplicaID(rawValue: 2)

  // Around the greatest number that still leaves an edit its reserve, and around the one believed.
  static let numbersOutOfTheBlue: [Int64] = [
    .max, .max - 0x1_0000_0001, .max - 0x1_0000_0003, 0x4000_0000_0000_0000,
    0x4000_0000_0000_0001,
  ]

  private static func replica(_ id: ReplicaID) -> Replica {
    Replica(id: id) { World.startOfTime }
  }

  @Test("a delta for one list brings another no claims about writes that were left out")
  func deltaForSomeoneElse() throws {
    var me = Self.replica(Self.me)
    var you = Self.replica(Self.you)
    var first = ReplicatedList(id: World.listID)
    let item = try first.append(["title": "mine"], by: &me)
    var both = first
    try both.set("title", of: item, to: "yours", by: &you)
    let delta = both.delta(since: [Self.you: 1])
    var stranger = ReplicatedList(id: World.listID)
    stranger.merge(delta)
    #expect(stranger.version.isEmpty)
    stranger.merge(first.delta(since: stranger.version))
    #expect(stranger[id: item]?["title"] == "mine")
    stranger.merge(both.delta(since: stranger.version))
    #expect(stranger == both && stranger.version == both.version)
  }

  @Test("a delta brings its claims to every list that knows what it was made for")
  func deltaForOneWhoKnows() throws {
    var me = Self.replica(Self.me)
    var you = Self.replica(Self.you)
    var mine = ReplicatedList(id: World.listID)
    try mine.append(by: &me)
    var yours = mine
    try yours.append(by: &you)
    let known = mine.version
    try mine.append(by: &me)
    let delta = mine.delta(since: known)
    yours.merge(delta)
    #expect(yours.version[Self.me] == 4 && yours.version[Self.you] == 2)
  }

  @Test("a number out of the blue makes no writer go below the floor")
  func numberBeyondTheFloor() throws {
    var me = Self.replica(Self.me)
    var list = ReplicatedList(id: World.listID)
    let item = try list.append(["title": "Tea"], by: &me)
    var builder = Delta.Builder()
    try builder.add(
      Entry(
        item: .root, register: .field("x"), value: .field(1),
        stamp: Stamp(time: .zero, replica: Self.me), sequence: 1 << 62 + 1))
    builder.cover(Self.me, after: 0, through: 1 << 62)
    builder.forget(below: [Self.me: 1 << 62])
    list.merge(builder.build())
    try list.remove(item, by: &me)
    #expect(me.sequence == 1 << 62 + 1)
    #expect(list[id: item]?.fields == ["title": "Tea"] && list[id: item]?.key != nil)
  }

  @Test(
    "a number out of the blue under one's own id does not use up the numbers",
    arguments: numbersOutOfTheBlue)
  func numberOutOfTheBlue(sequence: Int64) throws {
    var me = Self.replica(Self.me)
    var list = ReplicatedList(id: World.listID)
    try list.append(by: &me)
    var builder = Delta.Builder()
    try builder.add(
      Entry(
        item: .root, register: .field("name"), value: .field("forged"),
        stamp: Stamp(time: .zero, replica: Self.me), sequence: sequence))
    list.merge(builder.build())
    for _ in 0..<3 { try list.append(["title": "still here"], by: &me) }
    #expect(list.count == 4)
  }

  @Test("a number of one's own is not used again, even if its write lost on arrival")
  func losersAreSeen() throws {
    var me = Self.replica(Self.me)
    var you = Self.replica(Self.you)
    var list = ReplicatedList(id: World.listID)
    try list.set("name", of: .root, to: "present", by: &you)
    var builder = Delta.Builder()
    try builder.add(
      Entry(
        item: .root, register: .field("name"), value: .field("older"),
        stamp: Stamp(time: .zero, replica: Self.me), sequence: 50))
    list.merge(builder.build())
    try list.append(by: &me)
    #expect(list.metadata["name"] == "present" && me.sequence == 52)
    // What was written behind the gap is not claimed, and seen all the same.
    #expect(list.version[Self.me] == 0)
    var again = Self.replica(Self.me)
    try list.append(by: &again)
    #expect(again.sequence == 54 && list.count == 2)
  }

  @Test("an item's id that somebody took is left out")
  func takenIDs() throws {
    var me = Self.replica(Self.me)
    var list = ReplicatedList(id: World.listID)
    var builder = Delta.Builder()
    for sequence in [1, 2, 5] as [Int64] {
      try builder.add(
        Entry(
          item: ItemID(family: Self.me.rawValue, sequence: sequence), register: .field("forged"),
          value: .field(true), stamp: Stamp(time: .zero, replica: Self.you), sequence: sequence))
    }
    list.merge(builder.build())
    let first = try list.append(by: &me)
    let second = try list.insert([:], between: nil, and: nil, inSection: 0, by: &me)
    #expect(first == ItemID(family: Self.me.rawValue, sequence: 3))
    #expect(second == ItemID(family: Self.me.rawValue, sequence: 6) && me.sequence == 7)
    #expect(list.version[Self.me] == 7 && list.count == 2)
  }

  @Test("a number of one's own that was only claimed is not used again")
  func claimedIsSeen() throws {
    var me = Self.replica(Self.me)
    var list = ReplicatedList(id: World.listID)
    var builder = Delta.Builder()
    builder.cover(Self.me, after: 0, through: 50)
    list.merge(builder.build())
    #expect(list.version == [Self.me: 50])
    try list.append(by: &me)
    #expect(me.sequence == 52 && list.version == [Self.me: 52])
  }

  @Test("claims only go on from what is known, and never back")
  func claims() throws {
    var list = ReplicatedList(id: World.listID)
    func claim(_ after: Int64, _ through: Int64) -> Int64 {
      var builder = Delta.Builder()
      builder.cover(Self.you, after: after, through: through)
      list.merge(builder.build())
      return list.version[Self.you]
    }
    #expect(claim(1, 5) == 0)
    #expect(claim(0, 5) == 5)
    #expect(claim(0, 3) == 5)
    #expect(claim(6, 9) == 5)
    #expect(claim(5, 6) == 6)
    #expect(claim(2, 9) == 9)
  }

  @Test("an item that was removed and restored meanwhile has not moved")
  func restoredInPlace() throws {
    var me = Self.replica(Self.me)
    var mine = ReplicatedList(id: World.listID)
    let item = try mine.append(by: &me)
    let other = mine
    try mine.remove(item, by: &me)
    try mine.restore(item, by: &me)
    var theirs = other
    #expect(theirs.merge(mine).isEmpty)
    #expect(theirs == mine && theirs != other)
  }

  @Test("a cleared field is no difference to one that was never written")
  func clearedField() throws {
    var me = Self.replica(Self.me)
    var list = ReplicatedList(id: World.listID)
    let item = try list.append(by: &me)
    let before = list
    try list.set("title", of: item, to: "Lunch", by: &me)
    let between = list
    try list.clear("title", of: item, by: &me)
    #expect(before.difference(to: list).isEmpty && list.difference(to: before).isEmpty)
    #expect(between.difference(to: list).updated.map(\.registers) == [[.field("title")]])
    #expect(list.difference(to: between).updated.map(\.registers) == [[.field("title")]])
  }
}
