import Betwixt
import TestSupport
import Testing

@testable import BetwixtSync

@Suite struct SyncClientTests {
  private static let empty = ReplicatedList(id: Sample.listID)
  private static let one = ReplicaID(rawValue: 1)

  @Test func whoIsReplacedDoesNotComeBackByItself() throws {
    var room = ClientRoom(SyncServer())
    room.join(Self.empty, as: "ann", replica: 1)
    room.run()
    room.join(Self.empty, as: "ann", replica: 1)
    room.run(200_000)
    #expect(
      room.devices[0].client.state
        == .stopped(.peerFailed(SyncFailure(.replaced, Self.one.description))))
    #expect(room.devices[1].client.state == .connected)
    #expect(room.server.connectionCount == 1)
    // Whoever sits before the first one brings it back.
    room.act(0) { $0.start(now: $1) }
    room.run(200_000)
    #expect(room.devices[0].client.state == .connected)
    #expect(
      room.devices[1].client.state
        == .stopped(.peerFailed(SyncFailure(.replaced, Self.one.description))))
  }

  /// What a storage answers late, after the connection that asked has gone, is no answer to what the
  /// next one asks.
  @Test func aLateAnswerIsNotTakenForAnother() throws {
    var theirs = Self.empty
    var them = Replica(id: ReplicaID(rawValue: 9)) { 1_777_000_000_000 }
    try theirs.append(["title": "Lunch"], by: &them)
    var client = SyncClient(SyncSetup(replica: Self.one), list: Self.empty, spread: 1)
    func question(_ nonce: UInt64, _ now: Int64) -> Ticket? {
      var server = SyncSession(
        SyncSetup(isLive: true), list: theirs, nonce: SessionNonce(high: 2, low: nonce), now: now)
      var outputs = client.connected(nonce: SessionNonce(high: 1, low: nonce), now: now)
      var sent = server.start(now: now)
      for _ in 0..<4 {
        let back = outputs.flatMap { output -> [UInt8] in
          if case .send(let bytes) = output { bytes } else { [] }
        }
        let there = sent.flatMap { output -> [UInt8] in
          if case .send(let bytes) = output { bytes } else { [] }
        }
        sent = server.receive(back, now: now)
        outputs = client.receive(there, now: now)
        for case .merge(_, let ticket) in outputs { return ticket }
      }
      return nil
    }
    _ = client.start(now: 0)
    let first = try #require(question(1, 0))
    _ = client.connectionEnded(now: 1)
    _ = client.tick(now: 100_000)
    let second = try #require(question(2, 100_000))
    #expect(first != second)
    // The first one stored nothing of what the second one brought.
    let outputs = client.settled(first, outcome: .done(), list: Self.empty, now: 100_001)
    #expect(outputs.isEmpty)
  }

  /// Its line is dead, the server has not noticed: the same device comes back under its own id.
  @Test func aHalfOpenConnectionIsReplacedByTheSameDevice() throws {
    var room = ClientRoom(SyncServer())
    room.join(Self.empty, as: "ann", replica: 1)
    room.run()
    var me = Replica(id: Self.one) { 1_777_000_000_000 }
    for _ in 0..<5 {
      room.cut(0, bothNotice: false)
      try room.edit(0) { try $0.append(["title": "x"], by: &me) }
      room.run(2_000)
      #expect(room.devices[0].client.state == .connected)
      #expect(room.server.connectionCount == 1)
    }
    #expect(room.stored[Sample.listID] == room.devices[0].list)
    #expect(room.devices[0].client.acknowledged == me.sequence)
    #expect(room.owners[Sample.listID] == [Self.one: "ann"])
  }

  @Test func whoseIdIsAnothersGoesOnUnderANewOne() throws {
    var room = ClientRoom(SyncServer(relay: .allow))
    var thief = Replica(id: Self.one) { 1_777_000_000_000 }
    room.join(Self.empty, as: "thief", replica: 1)
    room.run()
    try room.edit(0) { try $0.append(["title": "mine"], by: &thief) }
    room.run()
    let ann = room.join(Self.empty, as: "ann", replica: 1)
    room.run()
    guard case .stopped(.peerFailed(let failure)?) = room.devices[ann].client.state else {
      Issue.record("it is \(room.devices[ann].client.state)")
      return
    }
    #expect(failure.code == .identityInUse)
    room.act(ann) { $0.write(as: ReplicaID(rawValue: 2), now: $1) }
    var me = Replica(id: ReplicaID(rawValue: 2)) { 1_777_000_000_000 }
    try room.edit(ann) { try $0.append(["title": "still here"], by: &me) }
    room.run()
    #expect(room.devices[ann].client.acknowledged == me.sequence)
    #expect(room.devices[0].list.count == 2 && room.devices[0].client.state == .connected)
  }

  /// Two accounts take turns on one device: each has an id of its own, and nobody is cut off.
  @Test func twoAccountsOnOneDevice() throws {
    var room = ClientRoom(SyncServer(relay: .allow))
    let ann = room.join(Self.empty, as: "ann", replica: 1)
    let bob = room.join(Self.empty, as: "bob", replica: 2)
    var me = Replica(id: Self.one) { 1_777_000_000_000 }
    var you = Replica(id: ReplicaID(rawValue: 2)) { 1_777_000_000_000 }
    for _ in 0..<3 {
      try room.edit(ann) { try $0.append(["title": "ann"], by: &me) }
      room.run()
      try room.edit(bob) { try $0.append(["title": "bob"], by: &you) }
      room.run()
    }
    #expect(room.devices.allSatisfy { $0.client.state == .connected && $0.list.count == 6 })
    #expect(room.devices.allSatisfy { $0.states == [.connecting, .connected] })
  }

  /// However many attempts have failed, clients with other bits wait for other times.
  @Test(arguments: 1...16) func clientsDoNotComeBackTogether(attempts: Int) {
    let backOff = BackOff(first: 4_000_000, longest: 4_000_000)
    var random = SplitMix64(seed: 3)
    let waits = Set((0..<1_000).map { _ in backOff.wait(after: attempts, spread: random.next()) })
    #expect(waits.count > 990)
    #expect(waits.allSatisfy { (2_000_000...4_000_000).contains($0) })
  }

  @Test func withoutAServerItTriesLessAndLessOften() {
    var room = ClientRoom(SyncServer())
    room.isUp = false
    room.join(Self.empty, as: "ann", replica: 1)
    var waits: [Int64] = []
    while waits.count < 12 {
      guard case .waiting(let time) = room.devices[0].client.state else {
        Issue.record("it is \(room.devices[0].client.state)")
        return
      }
      waits.append(time - room.now)
      room.now = time
      room.act(0) { $0.tick(now: $1) }
    }
    for (number, wait) in waits.enumerated() {
      let longest = min(Int64(500) << Int64(number), 60_000)
      #expect(wait >= longest / 2 && wait <= longest, "attempt \(number)")
    }
    room.isUp = true
    room.run(60_000)
    #expect(room.devices[0].client.state == .connected)
    // Then it begins anew.
    room.cut(0)
    guard case .waiting(let time) = room.devices[0].client.state else { return }
    #expect(time - room.now <= 500)
  }

  @Test func waitsStayInTheirBounds() {
    var random = SplitMix64(seed: 3)
    for _ in 0..<2_000 {
      let first = Int64(random.next(below: 5_000))
      let backOff = BackOff(first: first, longest: Int64(random.next(below: 100_000)))
      let attempts = 1 + random.next(below: 200)
      let wait = backOff.wait(after: attempts, spread: random.next())
      #expect(wait >= 0 && wait <= backOff.longest)
      #expect(wait >= min(backOff.first, backOff.longest) / 2)
    }
    #expect(BackOff(first: .max, longest: .max).wait(after: 90, spread: .max) > 0)
    // Whatever was set, and whatever was counted.
    var backOff = BackOff()
    backOff.longest = 5
    #expect(backOff.longest == 500)
    backOff.first = -10
    #expect(backOff == BackOff(first: 1, longest: 500))
    backOff.first = 1_000
    #expect(backOff == BackOff(first: 1_000, longest: 1_000))
    for attempts in [Int.min, -1, 0] {
      #expect(backOff.wait(after: attempts, spread: 3) == backOff.wait(after: 1, spread: 3))
    }
  }

  @Test func whatArrivesIsToldInOrder() throws {
    var room = ClientRoom(SyncServer())
    room.join(Self.empty, as: "ann", replica: 1)
    room.join(Self.empty, as: "bob", replica: 2)
    room.run()
    var shown = room.devices[1].list.map(\.id)
    var me = Replica(id: Self.one) { 1_777_000_000_000 }
    for number in 0..<20 {
      try room.edit(0) { list in
        if number % 3 == 2 {
          try list.move(fromOffset: 0, toOffset: list.count, by: &me)
        } else {
          try list.append(["n": .int64(Int64(number))], by: &me)
        }
      }
      if number % 7 == 0 { room.cut(1) }
      room.run(number % 2 == 0 ? 40 : 3_000)
    }
    room.run()
    for change in room.devices[1].changes { change.apply(to: &shown) { $0 } }
    #expect(shown == room.devices[0].list.map(\.id))
    #expect(room.devices[1].changes.count > 10)
  }

  @Test func afterAStopNothingHappens() {
    var room = ClientRoom(SyncServer())
    room.join(Self.empty, as: "ann", replica: 1)
    room.run()
    room.act(0) { $0.stop(now: $1) }
    room.run(300_000)
    #expect(room.devices[0].client.state == .stopped(.finished))
    #expect(room.server.connectionCount == 0 && room.devices[0].client.nextDeadline == nil)
  }
}
