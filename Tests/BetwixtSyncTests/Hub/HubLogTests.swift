import Betwixt
import TestSupport
import Testing

@testable import BetwixtSync

/// What a peer brings may be more than the log of a hub keeps: nobody lacks anything of it, nor gets
/// what it has brought itself.
@Suite struct HubLogTests {
  /// Bytes of a log that keeps one change and no more, and of one that keeps all.
  private static let limits = [1, 1 << 20]
  private static let empty = ReplicatedList(id: Sample.listID)

  private static func room(_ limit: Int) -> HubTests.Room {
    var hub = SyncHub(list: empty, relay: .allow)
    hub.log = EditLog(byteLimit: limit)
    return HubTests.Room(hub)
  }

  /// More than one frame brings.
  private static func greatList(by writer: UInt64) throws -> ReplicatedList {
    var list = empty
    var me = Replica(id: ReplicaID(rawValue: writer)) { 1_777_000_000_000 }
    let text = FieldValue.string(String(repeating: "w", count: 20_000))
    for _ in 0..<8 { try list.append(["note": text], by: &me) }
    return list
  }

  /// Lets a second client come while the first one has said nothing yet.
  private static func joinWhileOthersSend(_ room: inout HubTests.Room) {
    room.join(empty, as: "bob", replica: 2)
    let sent = room.clients[1].sent
    room.clients[1].sent = []
    room.server.received(sent, on: 1, now: 0)
    room.clients[1].receive(room.server.mailboxes.removeValue(forKey: .init(1)) ?? [])
  }

  /// Lets another client write after each so many bytes of what the first one sends.
  private static func upload(_ room: inout HubTests.Room, writer: UInt64) throws -> Int {
    var me = Replica(
      id: ReplicaID(rawValue: writer),
      sequence: room.clients[1].list.known(of: ReplicaID(rawValue: writer))
    ) { 1_777_000_100_000 }
    var count = 0
    for _ in 0..<4 {
      let part = room.clients[0].sent.prefix(50_000)
      room.clients[0].sent.removeFirst(part.count)
      room.server.received(Array(part), on: 0, now: room.now)
      try room.edit(1) { try $0.append(["n": .int64(Int64(count))], by: &me) }
      let written = room.clients[1].sent
      room.clients[1].sent = []
      room.server.received(written, on: 1, now: room.now)
      let toFirst = room.server.mailboxes.removeValue(forKey: .init(0)) ?? []
      room.clients[0].receive(toFirst, now: room.now)
      count += 1
    }
    room.run()
    return count
  }

  @Test(arguments: limits, [true, false]) func oneRoundTakesHoweverMuch(
    limit: Int, isLive: Bool
  ) throws {
    var room = Self.room(limit)
    let list = try Self.greatList(by: 1)
    room.join(list, as: "ann", replica: 1, isLive: isLive)
    room.run()
    #expect(room.server.hub.list == list)
    #expect(room.server.hub.counters.rounds == 1)
    #expect(room.server.hub.log.end > 2)
    #expect(room.clients[0].end == (isLive ? nil : .finished))
    #expect(room.server.closed[.init(0)] == (isLive ? nil : .finished))
  }

  /// What others write meanwhile comes to all, whether the log still has it or not.
  @Test(arguments: limits) func whatOthersWriteMeanwhileIsNotPassed(limit: Int) throws {
    var room = Self.room(limit)
    let list = try Self.greatList(by: 1)
    room.join(list, as: "ann", replica: 1)
    Self.joinWhileOthersSend(&room)
    let count = try Self.upload(&room, writer: 2)
    #expect(room.server.hub.list.count == list.count + count)
    for client in room.clients {
      #expect(client.list == room.server.hub.list && client.end == nil)
    }
    #expect(room.clients.allSatisfy { $0.session.isIdle })
  }

  /// Who ends as the hub wants another round, for what others have written, has all but that.
  @Test(arguments: limits) func whoEndsMeanwhileEndsInOrder(limit: Int) throws {
    var room = Self.room(limit)
    let list = try Self.greatList(by: 1)
    room.join(list, as: "ann", replica: 1, isLive: false)
    Self.joinWhileOthersSend(&room)
    let count = try Self.upload(&room, writer: 2)
    #expect(room.clients[0].end == .finished)
    #expect(room.server.closed[.init(0)] == .finished)
    #expect(room.server.hub.list.count == list.count + count)
    #expect(room.clients[1].list == room.server.hub.list)
    // It comes again for the rest.
    room.join(room.clients[0].list, as: "ann", replica: 1, isLive: false)
    room.run()
    #expect(room.clients[2].end == .finished)
    #expect(room.clients[2].list == room.server.hub.list)
  }
}
