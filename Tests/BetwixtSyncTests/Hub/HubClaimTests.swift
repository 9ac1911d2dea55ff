import Betwixt
import TestSupport
import Testing

@testable import BetwixtSync

/// What peers may claim that others have written.
@Suite struct HubClaimTests {
  private static let empty = ReplicatedList(id: Sample.listID)
  private static let ann = ReplicaID(rawValue: 1)

  private static func list(by replica: ReplicaID) throws -> ReplicatedList {
    var me = Replica(id: replica) { 1_777_000_000_000 }
    var list = empty
    try list.append(["title": "x"], by: &me)
    return list
  }

  private static func claim(_ replica: ReplicaID, after: Int64, through: Int64) -> Delta {
    var builder = Delta.Builder()
    builder.cover(replica, after: after, through: through)
    return builder.build()
  }

  /// A server on which the list belongs to Ann, who is away.
  private static func room(holding list: ReplicatedList) -> HubTests.Room {
    HubTests.Room(SyncHub(list: list, owners: [ann: "ann"]))
  }

  /// Else one user could make another's device believe that a copy of it writes.
  @Test(arguments: [1_000, .max] as [Int64], [false, true])
  func nobodyElseSaysHowMuchAReplicaHasWritten(_ excess: Int64, isPushed: Bool) throws {
    let list = try Self.list(by: Self.ann)
    let lie = Self.claim(Self.ann, after: list.version[Self.ann], through: excess)
    var room = Self.room(holding: list)
    var eves = list
    if !isPushed { eves.merge(lie) }
    room.join(eves, as: "eve", replica: 9)
    room.run()
    if isPushed {
      room.edit(0) { $0.merge(lie) }
      room.run()
    }
    #expect(room.clients[0].list.version[Self.ann] == excess)
    #expect(room.server.hub.list.version == list.version)
    #expect(room.server.stored.allSatisfy { $0.delta.ranges.isEmpty })
    room.join(list, as: "ann", replica: 1)
    room.run()
    #expect(room.clients.allSatisfy { $0.end == nil })
    #expect(
      !room.clients[1].events.contains {
        if case .identityDoubtful = $0 { true } else { false }
      })
  }

  /// Writes that change nothing are taken from anyone, and prove nothing.
  @Test func whatWasReplacedProvesNoClaim() throws {
    let list = try Self.list(by: Self.ann)
    let number = list.version[Self.ann]
    let held = try #require(list.first?.entries.first { $0.register == .field("title") })
    var lie = Delta.Builder()
    try lie.add(
      Entry(
        item: held.item, register: held.register, value: .field("y"),
        stamp: Stamp(time: Timestamp(milliseconds: 1_776_000_000_000), replica: Self.ann),
        sequence: number + 1))
    lie.cover(Self.ann, after: number, through: number + 1)
    var server = MailboxServer(hub: SyncHub(list: list, owners: [Self.ann: "ann"]))
    server.opened(1, user: "eve", nonce: SessionNonce(high: 7, low: 1), now: 0)
    var script = ScriptedPeer()
    script.hello(list.id)
    script.open(list, replica: ReplicaID(rawValue: 9))
    try script.push(list.id, lie.build())
    server.received(script.take(), on: 1, now: 0)
    #expect(server.closed.isEmpty && server.stored.count == 1)
    #expect(server.hub.list.version == list.version)
  }

  /// An upload of the owner that was cut: what has come is claimed once somebody knows that it is all.
  @Test func whatIsHeldIsClaimedByAnyone() throws {
    let list = try Self.list(by: Self.ann)
    var held = Self.empty
    held.merge(list.delta(since: [:]).withoutRanges)
    var room = Self.room(holding: held)
    room.join(list, as: "ben", replica: 9)
    room.run()
    #expect(room.server.hub.list == list)
  }

  /// Numbers of writes that were replaced: their owner says how many there are, on any device.
  @Test func theOwnerClaimsWhatWasReplaced() throws {
    var ann = Replica(id: Self.ann) { 1_777_000_000_000 }
    var list = Self.empty
    let item = try list.append(["title": "x"], by: &ann)
    let before = list
    for title in ["y", "z"] { try list.set("title", of: item, to: .string(title), by: &ann) }
    var held = before
    held.merge(list.delta(since: before.version).withoutRanges)
    var room = Self.room(holding: held)
    // The last one is held, and not the one before it.
    room.join(list, as: "ben", replica: 9)
    room.run()
    #expect(room.server.hub.list.version == before.version)
    room.join(list, as: "ann", replica: 2)
    room.run()
    #expect(room.server.hub.list == list)
    #expect(room.clients.allSatisfy { $0.end == nil })
  }

  /// Names cost memory for ever, and shut the list to what others wrote under earlier ids.
  @Test func whoHasWrittenNothingIsNotNamed() throws {
    var room = HubTests.Room(
      SyncHub(list: Self.empty, limits: HubLimits(unownedReplicas: 3)))
    room.join(Self.empty, as: "eve", replica: 9)
    room.run()
    for number in 100..<110 as Range<UInt64> {
      room.edit(0) {
        $0.merge(Self.claim(ReplicaID(rawValue: number), after: 0, through: 1))
      }
    }
    room.run()
    #expect(room.clients[0].list.version.count == 10)
    #expect(room.server.hub.list.version.isEmpty)
    room.join(try Self.list(by: ReplicaID(rawValue: 4)), as: "ben", replica: 5)
    room.run()
    #expect(room.server.hub.list.count == 1)
    #expect(room.clients.allSatisfy { $0.end == nil })
    #expect(room.server.hub.counters.refusedEntries == 0)
  }
}
