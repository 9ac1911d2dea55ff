import Betwixt
import TestSupport
import Testing

@testable import BetwixtSync

/// Whose a replica is, and who comes back under it.
@Suite struct HubOwnerTests {
  private static let empty = ReplicatedList(id: Sample.listID)
  private static let one = ReplicaID(rawValue: 1)

  private static func list(by replica: UInt64) throws -> ReplicatedList {
    var me = Replica(id: ReplicaID(rawValue: replica)) { 1_777_000_000_000 }
    var list = empty
    try list.append(["title": "x"], by: &me)
    return list
  }

  /// What a peer says that opens under a replica and brings a list.
  private static func script(_ list: ReplicatedList, as replica: UInt64) throws -> [UInt8] {
    var script = ScriptedPeer()
    script.hello(empty.id)
    script.open(list, replica: ReplicaID(rawValue: replica))
    try script.delta(empty.id, list.delta(since: VersionVector()), isLast: true)
    return script.take()
  }

  @Test func theFirstWriteThatIsStoredMakesTheOwner() throws {
    var hub = SyncHub(list: Self.empty)
    let list = try Self.list(by: 1)
    _ = hub.connect(.init(1), principal: "ann", nonce: SessionNonce(high: 7, low: 1), now: 0)
    let outputs = hub.receive(try Self.script(list, as: 1), from: .init(1), now: 0)
    // The owner comes right before what is stored, with one ticket.
    let kinds = outputs.compactMap { output in
      switch output {
      case .own(let replica, let principal, let ticket): (ticket, "\(replica) \(principal)")
      case .store(_, let ticket): (ticket, "store")
      default: nil
      }
    }
    #expect(kinds.map(\.1) == ["\(Self.one) ann", "store"])
    #expect(kinds.first?.0 == kinds.last?.0)
    // Until it is stored nobody else takes it either; if it cannot be stored, anybody may.
    #expect(hub.owners == [Self.one: "ann"])
    _ = hub.stored(try #require(kinds.last).0, succeeded: false, now: 0)
    #expect(hub.owners.isEmpty)
  }

  /// Another process has stored the first write, and this one has merged it.
  @Test func theStorageSaysWhoseAReplicaIs() throws {
    let list = try Self.list(by: 1)
    var room = HubTests.Room(SyncHub(list: Self.empty))
    _ = room.server.hub.merge(list.delta(since: [:]), owners: [Self.one: "ann"], now: 0)
    #expect(room.server.hub.owners == [Self.one: "ann"])
    room.join(list, as: "bob", replica: 1)
    room.run()
    #expect(
      room.clients[0].end == .peerFailed(SyncFailure(.identityInUse, Self.one.description)))
    room.join(list, as: "ann", replica: 1)
    room.run()
    #expect(room.clients[1].end == nil && room.server.owned.isEmpty)
  }

  /// It says so while this process wants to store the first write of another's, or of the same one: that
  /// fails.
  @Test(arguments: ["ann", "bob"])
  func whatTheStorageSaysOutlivesAClaimThatFails(owner: String) throws {
    var hub = SyncHub(list: Self.empty)
    _ = hub.connect(.init(1), principal: "bob", nonce: SessionNonce(high: 7, low: 1), now: 0)
    let outputs = hub.receive(
      try Self.script(try Self.list(by: 1), as: 1), from: .init(1), now: 0)
    let ticket = outputs.compactMap { if case .store(_, let ticket) = $0 { ticket } else { nil } }
    #expect(hub.owners == [Self.one: "bob"] && ticket.count == 1)
    _ = hub.merge(Delta.Builder().build(), owners: [Self.one: owner], now: 0)
    _ = hub.stored(all: ticket, succeeded: false, now: 0)
    #expect(hub.owners == [Self.one: owner])
  }

  /// Who is cut off while the first write is being stored comes back and sends it again.
  ///
  /// Each of the two says whose it is, as either may be the only one that is stored.
  @Test(arguments: [[false, true], [true, false], [false, false]])
  func aClaimGoesWithTheLastWriteThatBringsIt(outcomes: [Bool]) throws {
    var hub = SyncHub(list: Self.empty, limits: HubLimits(owners: 1))
    let script = try Self.script(try Self.list(by: 1), as: 1)
    var (tickets, claims): ([SyncHub.StoreTicket], [SyncHub.StoreTicket]) = ([], [])
    for peer in [1, 2] as [UInt64] {
      _ = hub.connect(
        .init(peer), principal: "ann", nonce: SessionNonce(high: 7, low: peer), now: 0)
      for output in hub.receive(script, from: .init(peer), now: 0) {
        switch output {
        case .own(Self.one, "ann", let ticket): claims.append(ticket)
        case .store(_, let ticket): tickets.append(ticket)
        default: break
        }
      }
    }
    #expect(tickets.count == 2 && claims == tickets)
    _ = hub.stored(tickets[0], succeeded: outcomes[0], now: 0)
    #expect(hub.owners == [Self.one: "ann"])
    _ = hub.stored(tickets[1], succeeded: outcomes[1], now: 0)
    #expect(hub.owners == (outcomes.contains(true) ? [Self.one: "ann"] : [:]))
  }

  @Test func openingAloneClaimsNothing() throws {
    var room = HubTests.Room(SyncHub(list: Self.empty))
    room.join(Self.empty, as: "squatter", replica: 1)
    room.run()
    #expect(room.server.hub.owners.isEmpty)
    room.join(try Self.list(by: 1), as: "ann", replica: 1)
    room.run()
    #expect(room.server.hub.owners == [Self.one: "ann"])
    #expect(room.server.owned == ["ann 1"])
    #expect(room.clients[0].end == nil && room.clients[1].end == nil)
    #expect(room.clients[0].list.count == 1)
    // The squatter writes at last: nothing of it is stored, and it takes another id.
    var me = Replica(id: Self.one, sequence: 900) { 1_777_000_000_000 }
    try room.edit(0) { try $0.append(["title": "mine"], by: &me) }
    room.run()
    #expect(
      room.clients[0].end == .peerFailed(SyncFailure(.identityInUse, Self.one.description)))
    #expect(room.server.hub.list.count == 1)
  }

  @Test func whoWasRobbedOfAnIdGoesOnUnderAnother() throws {
    var room = HubTests.Room(SyncHub(list: Self.empty))
    room.join(try Self.list(by: 1), as: "thief", replica: 1)
    room.run()
    room.join(Self.empty, as: "ann", replica: 1)
    room.run()
    #expect(
      room.clients[1].end == .peerFailed(SyncFailure(.identityInUse, Self.one.description)))
    room.join(Self.empty, as: "ann", replica: 2)
    room.run()
    var me = Replica(id: ReplicaID(rawValue: 2)) { 1_777_000_000_000 }
    try room.edit(2) { try $0.append(["title": "still here"], by: &me) }
    room.run()
    #expect(room.server.hub.list.count == 2)
    #expect(room.server.hub.owners == [Self.one: "thief", me.id: "ann"])
    room.server.hub.release(Self.one)
    #expect(room.server.hub.owners == [me.id: "ann"])
  }

  /// A page that was opened anew and a document that went back write under other ids than before, and
  /// hold what they had not sent.
  @Test func whatWasNotSentUnderAnEarlierIdComesUnderTheNextOne() throws {
    var room = HubTests.Room(SyncHub(list: Self.empty))
    room.join(Self.empty, as: "ben", replica: 9)
    room.join(try Self.list(by: 1), as: "ann", replica: 2)
    room.run()
    #expect(room.server.hub.list.count == 1 && room.clients[0].list.count == 1)
    // It belongs to nobody still, and its writer makes it hers.
    #expect(room.server.hub.owners.isEmpty)
    var old = Replica(id: Self.one, sequence: 1_000) { 1_777_000_000_000 }
    var mine = room.clients[1].list
    try mine.append(["title": "y"], by: &old)
    room.join(mine, as: "ann", replica: 1)
    room.run()
    #expect(room.server.hub.owners == [Self.one: "ann"] && room.server.hub.list.count == 2)
    #expect(room.clients.allSatisfy { $0.end == nil && $0.list == room.server.hub.list })
  }

  /// One device of a user brings what another one of that user wrote, but nobody else does.
  @Test func whatBelongsToAnotherUserWaitsForThatUser() throws {
    var room = HubTests.Room(SyncHub(list: Self.empty))
    let list = try Self.list(by: 1)
    room.join(list, as: "ann", replica: 1)
    room.run()
    var old = Replica(id: Self.one, sequence: 1_000) { 1_777_000_000_000 }
    var more = list
    try more.append(["title": "y"], by: &old)
    room.join(more, as: "ben", replica: 9)
    room.run()
    #expect(room.server.hub.list.count == 1)
    #expect(room.server.hub.counters.refusedEntries > 0)
    room.join(more, as: "ann", replica: 2)
    room.run()
    #expect(room.server.hub.list.count == 2)
  }

  /// An item is removed, and forgotten by all but one device, which was away and restores it: only that
  /// one can bring what its owner wrote of it.
  @Test func whatIsRestoredComesWholeFromAnyone() throws {
    var room = HubTests.Room(SyncHub(list: Self.empty))
    room.join(Self.empty, as: "ann", replica: 1)
    room.join(Self.empty, as: "bob", replica: 2)
    var ann = Replica(id: Self.one) { 1_777_000_000_000 }
    var dinner: ItemID?
    try room.edit(0) { list in
      dinner = try list.append(["title": "Dinner"], by: &ann)
      try list.append(["title": "Lunch"], by: &ann)
    }
    let item = try #require(dinner)
    room.run()
    try room.edit(0) { try $0.remove(item, by: &ann) }
    room.run()
    // Bob goes away and restores the dinner; meanwhile all others forget it.
    var bobs = room.clients[1].list
    var bob = Replica(id: ReplicaID(rawValue: 2)) { 1_777_000_000_001 }
    try bobs.restore(item, by: &bob)
    room.server.closed(1, now: room.now)
    room.server.mailboxes[.init(1)] = nil
    let known = room.server.hub.list.version
    room.server.perform(room.server.hub.forget(below: known, now: room.now), room.now)
    room.run()
    #expect(room.clients[0].list.forgottenItemCount == 1)
    room.join(bobs, as: "bob", replica: 2)
    room.run()
    for list in [room.server.hub.list, room.clients[0].list, room.clients[2].list] {
      #expect(list[id: item]?["title"] == "Dinner" && list.count == 2)
      #expect(list.digest == room.server.hub.list.digest)
    }
    #expect(room.server.hub.counters.refusedEntries == 0)
  }

  /// Who makes up writers is stopped where they cost too much, and honest ones go on.
  @Test func thereAreOnlySoManyWritersThatBelongToNobody() throws {
    var room = HubTests.Room(
      SyncHub(list: Self.empty, limits: HubLimits(unownedReplicas: 3)))
    var list = Self.empty
    for replica in 100..<110 as Range<UInt64> { list.merge(try Self.list(by: replica)) }
    room.join(list, as: "eve", replica: 9)
    room.run()
    #expect(room.server.hub.list.version.count == 3)
    room.join(try Self.list(by: 1), as: "ann", replica: 1)
    room.run()
    #expect(room.server.hub.owners == [Self.one: "ann"])
    #expect(room.server.hub.list.version.count == 4)
  }

  @Test func theNewerConnectionReplacesTheOlderOne() throws {
    var room = HubTests.Room(SyncHub(list: Self.empty))
    room.join(try Self.list(by: 1), as: "ann", replica: 1)
    room.run()
    // The line of the first one is dead and nobody has noticed.
    room.join(room.clients[0].list, as: "ann", replica: 1)
    room.run()
    #expect(room.clients[0].end == .peerFailed(SyncFailure(.replaced, Self.one.description)))
    #expect(room.clients[1].end == nil)
    #expect(room.server.hub.connected == [.init(1)])
    #expect(room.server.hub.counters.replaced == 1)
    var me = Replica(id: Self.one, sequence: room.clients[1].list.version[Self.one]) {
      1_777_000_000_000
    }
    try room.edit(1) { try $0.append(["title": "y"], by: &me) }
    room.run()
    #expect(room.server.hub.list.count == 2)
    // Two users of one device are two.
    room.join(room.clients[1].list, as: "bob", replica: 3)
    room.run()
    #expect(room.server.hub.connected == [.init(1), .init(2)])
  }

  /// What the older connection had under way is stored, and the newer one goes on from there.
  @Test func aWriteThatIsBeingStoredSurvivesTheReplacement() throws {
    var hub = SyncHub(list: Self.empty)
    let list = try Self.list(by: 1)
    var tickets: [SyncHub.StoreTicket] = []
    for peer in [UInt64(1), 2] {
      _ = hub.connect(
        .init(peer), principal: "ann", nonce: SessionNonce(high: 7, low: peer), now: 0)
      let outputs = hub.receive(try Self.script(list, as: 1), from: .init(peer), now: 0)
      for case .store(_, let ticket) in outputs { tickets.append(ticket) }
    }
    #expect(tickets.count == 2 && hub.connected == [.init(2)])
    let outputs = hub.stored(all: tickets, succeeded: true, now: 0)
    #expect(hub.list == list)
    #expect(hub.counters.storedDeltas == 2)
    let acknowledged = outputs.compactMap { output in
      if case .send(_, let peer) = output { peer } else { nil }
    }
    #expect(acknowledged == [.init(2)])
  }

  @Test func ownersAreBounded() throws {
    var room = HubTests.Room(
      SyncHub(list: Self.empty, limits: HubLimits(owners: 3, replicasPerPrincipal: 2)))
    for (number, user) in ["ann", "ann", "ann", "bob", "cy"].enumerated() {
      room.join(try Self.list(by: UInt64(number + 1)), as: user, replica: UInt64(number + 1))
      room.run()
    }
    let ends = room.clients.map { client -> SyncFailure.Code? in
      if case .peerFailed(let failure) = client.end { failure.code } else { nil }
    }
    #expect(ends == [nil, nil, .limitExceeded, nil, .limitExceeded])
    #expect(room.server.hub.owners.values.sorted() == ["ann", "ann", "bob"])
    #expect(room.server.hub.list.count == 3)
  }
}
