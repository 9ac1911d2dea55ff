import Betwixt
import BetwixtSync
import TestSupport
import Testing

/// What sessions and hubs make of floors, and the bytes that say them.
@Suite struct FloorSessionTests {
  private static let listID = ListID(high: 1, low: 2)

  private static func replica(_ number: UInt64) -> Replica {
    Replica(id: ReplicaID(rawValue: number)) { 1_777_000_000_000 + Int64(number) }
  }

  /// A list with some removed items.
  private static func list(
    _ me: inout Replica, items: Int = 4, removed: Int = 2
  ) throws -> ReplicatedList {
    var list = ReplicatedList(id: listID)
    for number in 0..<items {
      try list.append(["n": .int64(Int64(number)), "title": "a title"], by: &me)
    }
    for item in list.prefix(removed).map({ $0.id }) { try list.remove(item, by: &me) }
    return list
  }

  // MARK: Bytes

  @Test func aBlockSaysTheFloor() throws {
    var me = Self.replica(1)
    var list = try Self.list(&me)
    let before = try SealedBlock.encode(list)
    list.forget(below: list.version)
    let bytes = try SealedBlock.encode(list)
    #expect(bytes.count < before.count)
    let copy = try SealedBlock.decode(bytes)
    #expect(copy == list && copy.floor == list.floor && copy.version == list.version)
    #expect(try SealedBlock.encode(copy) == bytes)
    // The flag, and nothing else of the head, says that there is a floor.
    var block = try Block(.snapshot, of: list.id, holding: list.delta(since: [:])).encoded()
    #expect(block[2] == 1 && block[3] == 0)
    block[2] = 3
    #expect(throws: DecodeFailure.self) { try Block(decoding: block) }
  }

  @Test func aListWithoutAFloorHasNoByteOfOne() throws {
    var me = Self.replica(1)
    let list = try Self.list(&me)
    let block = try Block(.snapshot, of: list.id, holding: list.delta(since: [:])).encoded()
    #expect(block[2] == 0)
  }

  @Test func anEmptyFloorIsRefused() throws {
    var builder = Delta.Builder()
    builder.forget(below: [ReplicaID(rawValue: 7): 3])
    let block = Block(.snapshot, of: Self.listID, holding: builder.build())
    var bytes = try block.encoded()
    let copy = try Block(decoding: bytes)
    #expect(copy.delta.floor == block.delta.floor && copy.delta.isEmpty == false)
    // … 1 replica, no ranges, then the floor: one row of a number, and nothing else.
    let place = bytes.count - 6
    #expect(Array(bytes[place...]) == [1, 0, 3, 0, 0, 0])
    bytes[place + 2] = 0
    #expect(throws: DecodeFailure.self) { try Block(decoding: bytes) }
    bytes[place...] = [0, 0, 0, 0]
    #expect(throws: DecodeFailure.self) { try Block(decoding: bytes) }
  }

  // MARK: Rounds

  @Test func aSessionTakesTheFloorOfThePeer() throws {
    var me = Self.replica(1)
    var list = try Self.list(&me)
    let other = list
    list.forget(below: list.version)
    var pair = SyncPair(list, other)
    pair.run()
    #expect(pair.a.end == .finished && pair.b.end == .finished)
    #expect(pair.b.list == list && pair.b.list.floor == list.floor && !pair.b.reconciled)
    #expect(pair.b.list.delta(since: [:]).count == list.delta(since: [:]).count)
  }

  @Test func whoDoesNotTakeAFloorAgreesAllTheSame() throws {
    var me = Self.replica(1)
    var list = try Self.list(&me)
    let other = list
    list.forget(below: list.version)
    var keeper = SyncSetup()
    keeper.takesFloor = false
    var pair = SyncPair(list, other, SyncSetup(), keeper)
    pair.run()
    #expect(pair.a.end == .finished && pair.b.end == .finished && !pair.b.reconciled)
    #expect(pair.b.list == other && pair.b.list.floor.isEmpty && pair.a.list == list)
  }

  /// What was restored goes whole to who has forgotten it, and no contents are compared for that.
  @Test func whatIsRestoredComesWholeInALaterRound() throws {
    var me = Self.replica(1)
    let list = try Self.list(&me)
    let removed = try #require(
      list.delta(since: [:]).entries.first { list[id: $0.item]?.isRemoved == true }?.item)
    var keeper = SyncSetup(isLive: true)
    keeper.takesFloor = false
    var pair = SyncPair(list, list, SyncSetup(isLive: true), keeper)
    pair.run()
    pair.a.list.forget(below: list.version)
    pair.a.take(pair.a.session.listChanged(pair.a.list, now: 0))
    pair.run()
    // Together with what is too great for a push.
    var you = Self.replica(2)
    let text = FieldValue.string(String(repeating: "w", count: 20_000))
    try pair.b.list.restore(removed, by: &you)
    for _ in 0..<5 { try pair.b.list.append(["title": text], by: &you) }
    pair.b.take(pair.b.session.listChanged(pair.b.list, now: 0))
    pair.run()
    #expect(pair.a.list.count == pair.b.list.count && pair.b.list.floor.isEmpty)
    #expect(pair.a.list[id: removed]?.fields["title"] == "a title")
    #expect(pair.a.end == nil && !pair.a.reconciled && !pair.b.reconciled)
  }

  @Test func manyForgottenItemsReachANewDevice() throws {
    var me = Self.replica(1)
    var list = try Self.list(&me, items: 500, removed: 480)
    list.forget(below: list.version)
    var setup = SyncSetup()
    setup.admission.incompleteItemCount = 10
    var pair = SyncPair(list, ReplicatedList(id: list.id), SyncSetup(), setup)
    pair.run()
    #expect(pair.a.end == .finished && pair.b.end == .finished)
    #expect(pair.b.list == list && pair.b.list.floor == list.floor)
  }

  /// A list in JSON does not carry the floor, and a hub that does not take it passes it on to nobody.
  @Test func manyForgottenItemsReachANewDeviceWithoutTheirFloor() throws {
    var me = Self.replica(1)
    var list = try Self.list(&me, items: 500, removed: 480)
    list.forget(below: list.version)
    var setup = SyncSetup()
    setup.admission.incompleteItemCount = 10
    var copy = ReplicatedList(id: list.id)
    copy.merge(list.delta(since: [:]).forgetting(below: [:]))
    #expect(copy == list && copy.floor.isEmpty)
    var pair = SyncPair(copy, ReplicatedList(id: list.id), setup, setup)
    pair.run()
    #expect(pair.a.end == .finished && pair.b.end == .finished && pair.b.list == list)
    #expect(pair.b.events.allSatisfy { if case .withheld = $0 { false } else { true } })

    setup.isLive = true
    var room = HubTests.Room(SyncHub(list: ReplicatedList(id: list.id), setup: setup))
    room.join(list, as: "one", replica: 1)
    room.run()
    #expect(room.server.hub.list == list && room.server.hub.list.floor.isEmpty)
    room.join(
      ReplicatedList(id: list.id), as: "two", replica: 2, admission: setup.admission)
    room.run()
    #expect(room.clients[1].list == list && room.clients[1].end == nil)
  }

  @Test func aFloorThatOpenHasNoRoomForFollows() throws {
    var left = ReplicatedList(id: Self.listID)
    for number in 1...400 as ClosedRange<UInt64> {
      var me = Self.replica(number)
      let item = try left.append(["n": 1], by: &me)
      if number % 2 == 0 { try left.remove(item, by: &me) }
    }
    var right = left
    left.forget(below: left.version)
    var me = Self.replica(9_999)
    try right.append(["n": 2], by: &me)
    var pair = SyncPair(left, right)
    pair.run(piece: 1_000)
    #expect(pair.a.end == .finished && pair.b.end == .finished && !pair.a.reconciled)
    #expect(pair.b.list == pair.a.list && pair.b.list.floor == left.floor)
  }

  // MARK: Hubs

  private static func room(
    _ list: ReplicatedList, relay: RelayPolicy
  ) -> HubTests.Room {
    var room = HubTests.Room(SyncHub(list: list, relay: relay))
    for number in 1...3 as ClosedRange<UInt64> {
      room.join(list, as: "user \(number)", replica: number)
    }
    room.run()
    return room
  }

  @Test func aHubForgetsAndItsPeersFollow() throws {
    var me = Self.replica(1)
    let list = try Self.list(&me)
    var room = Self.room(list, relay: .ownOnly)
    let rounds = room.server.hub.counters.rounds
    room.server.perform(
      room.server.hub.forget(below: list.version, now: room.now), room.now)
    room.run()
    for client in room.clients {
      #expect(client.list.floor == list.version && client.list == room.server.hub.list)
      #expect(client.end == nil && !client.reconciled)
    }
    // What is edited from then on is pushed and compared as before.
    let item = try #require(list.last?.id)
    try room.clients[0].list.set("title", of: item, to: "another", by: &me)
    room.clients[0].take(room.clients[0].session.listChanged(room.clients[0].list, now: room.now))
    for _ in 0..<10 { room.run() }
    #expect(room.clients.allSatisfy { $0.list == room.server.hub.list && $0.end == nil })
    #expect(room.server.hub.counters.rounds == rounds)
  }

  /// Where nobody has forgotten anything, what was restored comes as it was written.
  @Test func whatIsRestoredIsNotWrittenAgain() throws {
    var me = Self.replica(1)
    let list = try Self.list(&me)
    let removed = try #require(
      list.delta(since: [:]).entries.first { list[id: $0.item]?.isRemoved == true }?.item)
    var room = Self.room(list, relay: .allow)
    let before = room.server.stored.count
    // The hub gathers both changes.
    try room.edit(0) { try $0.restore(removed, by: &me) }
    try room.edit(0) { try $0.append(["n": 9], by: &me) }
    room.run()
    #expect(room.server.stored.count == before + 1)
    let written = room.clients[0].list.delta(since: list.version)
    #expect(room.server.stored.last?.delta.count == written.count)
  }

  /// A floor that the list has is not stored again with each change of the one that brought it.
  @Test func aFloorIsStoredOnce() throws {
    var me = Self.replica(1)
    let list = try Self.list(&me)
    let item = try #require(list.last?.id)
    var room = Self.room(list, relay: .allow)
    room.edit(0) { $0.forget(below: list.version) }
    room.run()
    #expect(room.server.hub.list.floor == list.version)
    let before = room.server.stored.count
    for title in ["one", "two", "three"] {
      try room.edit(0) { try $0.set("title", of: item, to: .string(title), by: &me) }
      room.run()
    }
    let stored = room.server.stored.dropFirst(before)
    #expect(stored.count == 3)
    #expect(stored.allSatisfy { $0.delta.floor.isEmpty && !$0.delta.isEmpty })
  }

  @Test func whatIsRestoredBeforeAFloorIsWholeIfBothComeAtOnce() throws {
    var me = Self.replica(1)
    let list = try Self.list(&me)
    let removed = try #require(
      list.delta(since: [:]).entries.first { list[id: $0.item]?.isRemoved == true }?.item)
    var room = Self.room(list, relay: .allow)
    let rounds = room.server.hub.counters.rounds
    // The hub gathers both changes, and joins floors before entries.
    try room.clients[0].list.restore(removed, by: &me)
    room.clients[0].take(room.clients[0].session.listChanged(room.clients[0].list, now: room.now))
    room.clients[0].list.forget(below: list.version)
    room.clients[0].take(room.clients[0].session.listChanged(room.clients[0].list, now: room.now))
    for _ in 0..<50 { room.run() }
    #expect(room.server.hub.list.floor == list.version)
    for client in room.clients {
      #expect(client.list[id: removed]?.fields["title"] == "a title")
      #expect(client.list == room.server.hub.list && client.end == nil && !client.reconciled)
    }
    #expect(room.server.hub.counters.rounds == rounds)
  }

  @Test(arguments: [RelayPolicy.allow, .ownOnly])
  func aClientForgetsWhileItIsConnected(relay: RelayPolicy) throws {
    var me = Self.replica(1)
    let list = try Self.list(&me)
    var room = Self.room(list, relay: relay)
    room.clients[0].list.forget(below: list.version)
    room.clients[0].take(room.clients[0].session.listChanged(room.clients[0].list, now: room.now))
    for _ in 0..<50 { room.run() }
    #expect(room.clients.allSatisfy { $0.end == nil && !$0.reconciled })
    #expect(room.server.hub.list.floor == (relay == .allow ? list.version : [:]))
    #expect(room.clients[1].list.floor == room.server.hub.list.floor)
    // One who has forgotten nothing restores an item: it comes whole to who has.
    var you = Self.replica(2)
    let removed = try #require(
      list.delta(since: [:]).entries.first { list[id: $0.item]?.isRemoved == true }?.item)
    try room.clients[1].list.restore(removed, by: &you)
    room.clients[1].take(room.clients[1].session.listChanged(room.clients[1].list, now: room.now))
    for _ in 0..<50 { room.run() }
    #expect(room.clients.allSatisfy { $0.end == nil })
    for client in room.clients {
      #expect(client.list[id: removed]?.entries == room.clients[1].list[id: removed]?.entries)
    }
    // The next conversation finds them equal.
    var pair = SyncPair(room.clients[0].list, room.server.hub.list)
    pair.run()
    #expect(pair.a.end == .finished && !pair.a.reconciled && pair.a.list == pair.b.list)
  }
}
