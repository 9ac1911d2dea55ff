import Betwixt
import BetwixtSync
import TestSupport
import Testing

/// A hub that was begun anew, and writers who have forgotten what others still hold of theirs.
@Suite struct ForgottenWriterTests {
  private static let listID = ListID(high: 3, low: 9)

  private static func replica(_ number: UInt64, after sequence: Int64 = 0) -> Replica {
    Replica(id: ReplicaID(rawValue: number), sequence: sequence) {
      1_777_000_000_000 + Int64(number)
    }
  }

  /// Ann's list, who forgot what she removed, and that of bob, who has it still.
  private static func lists() throws -> (ann: ReplicatedList, bob: ReplicatedList, item: ItemID) {
    var ann = Self.replica(1)
    var list = ReplicatedList(id: listID)
    try list.append(["title": "Lunch"], by: &ann)
    let item = try list.append(["title": "Dinner"], by: &ann)
    try list.remove(item, by: &ann)
    let bob = list
    list.forget(below: list.version)
    return (list, bob, item)
  }

  /// Who comes to a hub, one after the other.
  private static func room(
    _ hub: SyncHub, _ people: [(name: String, replica: UInt64, list: ReplicatedList)]
  ) -> HubTests.Room {
    var room = HubTests.Room(hub)
    for person in people {
      room.join(person.list, as: person.name, replica: person.replica)
      for _ in 0..<30 { room.run() }
    }
    return room
  }

  private static func withheldCount(_ client: SyncPeer) -> Int {
    client.events.count { event in
      if case .refused = event { true } else { false }
    }
  }

  @Test func whatItsWriterForgotOthersBring() throws {
    let (ann, bob, item) = try Self.lists()
    var room = Self.room(
      SyncHub(list: ReplicatedList(id: Self.listID)), [("ann", 1, ann), ("bob", 2, bob)])
    #expect(room.clients.allSatisfy { $0.end == nil && Self.withheldCount($0) == 0 })
    // Nothing was forgotten for it: the floor is ann's alone.
    #expect(room.server.hub.list.floor.isEmpty && room.clients[1].list.floor.isEmpty)
    #expect(room.server.hub.list == room.clients[1].list)
    var you = Self.replica(2)
    try room.edit(1) { try $0.restore(item, by: &you) }
    for _ in 0..<50 { room.run() }
    for client in room.clients {
      #expect(client.list[id: item]?["title"] == "Dinner" && client.list.count == 2)
    }
    // Of her own writes ann learns nothing odd.
    #expect(!room.clients[0].events.contains { if case .unequal = $0 { true } else { false } })
    // Who comes later gets it whole.
    room.join(ReplicatedList(id: Self.listID), as: "carl", replica: 3)
    for _ in 0..<30 { room.run() }
    #expect(room.clients[2].list[id: item]?["title"] == "Dinner")
    #expect(room.clients[2].list.count == 2)
  }

  /// In the order in which bob comes first, who is told to wait until ann has been there.
  @Test func whoComesBeforeTheWriterBringsItLater() throws {
    let (ann, bob, item) = try Self.lists()
    var room = Self.room(
      SyncHub(
        list: ReplicatedList(id: Self.listID), owners: [ReplicaID(rawValue: 1): "ann"]),
      [("bob", 2, bob), ("ann", 1, ann)])
    #expect(Self.withheldCount(room.clients[0]) > 0)
    room.server.closed(0, now: room.now)
    room.server.closed(1, now: room.now)
    room = Self.room(room.server.hub, [("bob", 2, bob)])
    #expect(Self.withheldCount(room.clients[0]) == 0)
    #expect(room.server.hub.list[id: item]?["title"] == "Dinner")
  }

  /// What was always there nobody has forgotten: its fields are its writer's to bring.
  @Test func whatWasNeverRemovedIsNotForgotten() throws {
    let (ann, bob, _) = try Self.lists()
    var list = bob
    var builder = Delta.Builder()
    // Bob makes up a note by ann.
    let lunch = list[0].id
    try builder.add(
      Entry(
        item: lunch, register: .field("note"), value: .field("Made up"),
        stamp: Stamp(
          time: Timestamp(milliseconds: 1_777_000_000_001), replica: ReplicaID(rawValue: 1)),
        sequence: 6))
    list.merge(builder.build())
    let room = Self.room(
      SyncHub(list: ReplicatedList(id: Self.listID)), [("ann", 1, ann), ("bob", 2, list)])
    #expect(Self.withheldCount(room.clients[1]) > 0)
    #expect(room.server.hub.list[id: lunch]?["note"] == nil)
  }

  /// A floor says nothing of what others wrote, and nothing that is yet to be written.
  @Test func aFloorSpeaksForItsPrincipalAlone() throws {
    var (ann, bob, _) = try Self.lists()
    var carl = Self.replica(3)
    let item = try bob.append(["title": "Tea"], by: &carl)
    try bob.remove(item, by: &carl)
    ann.merge(bob.delta(since: ann.version))
    ann.forget(below: [ReplicaID(rawValue: 1): 900, ReplicaID(rawValue: 3): 900])
    let room = Self.room(
      SyncHub(
        list: ReplicatedList(id: Self.listID), owners: [ReplicaID(rawValue: 3): "carl"]),
      [("ann", 1, ann), ("bob", 2, bob)])
    #expect(Self.withheldCount(room.clients[1]) > 0)
    #expect(room.server.hub.list[id: item] == nil)
  }
}
