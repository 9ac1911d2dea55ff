import Betwixt
import TestSupport
import Testing

@testable import BetwixtSync

@Suite struct SyncServerTests {
  private static func id(_ number: UInt64) -> ListID { ListID(high: 5, low: number) }
  private static func empty(_ number: UInt64) -> ReplicatedList { ReplicatedList(id: id(number)) }
  private static func replica(_ number: UInt64, _ sequence: Int64 = 0) -> Replica {
    Replica(id: ReplicaID(rawValue: number), sequence: sequence) { 1_777_000_000_000 }
  }

  private static func end(_ room: ClientRoom, _ index: Int) -> SyncFailure.Code? {
    if case .stopped(.peerFailed(let failure)?) = room.devices[index].client.state {
      failure.code
    } else {
      nil
    }
  }

  // MARK: Documents

  @Test func eachClientGetsItsDocument() throws {
    var room = ClientRoom(SyncServer())
    for number in 0..<6 as Range<UInt64> {
      room.join(Self.empty(number % 3), as: "user\(number)", replica: number + 1)
    }
    room.run()
    for number in 0..<6 {
      var me = Self.replica(UInt64(number) + 1)
      try room.edit(number) { try $0.append(["title": .string("\(number)")], by: &me) }
    }
    room.run()
    #expect(room.server.openDocuments == [Self.id(0), Self.id(1), Self.id(2)])
    #expect(room.openCount == 3)
    for (index, device) in room.devices.enumerated() {
      #expect(device.list.count == 2)
      #expect(device.list == room.stored[device.list.id])
      #expect(
        device.client.acknowledged == device.list.version[ReplicaID(rawValue: UInt64(index) + 1)])
    }
  }

  /// Clients of a document that is slow to open wait, those of others do not, and it is opened once.
  @Test func aDocumentMayTakeItsTimeToOpen() throws {
    var room = ClientRoom(SyncServer())
    room.join(Self.empty(1), as: "ann", replica: 1)
    room.run()
    room.opensAtOnce = false
    for number in 2...4 as ClosedRange<UInt64> {
      room.join(Self.empty(2), as: "user\(number)", replica: number)
    }
    var me = Self.replica(1)
    try room.edit(0) { try $0.append(["title": "meanwhile"], by: &me) }
    room.run(5_000)
    #expect(room.opening == [Self.id(2)] && room.openCount == 2)
    #expect(room.stored[Self.id(1)]?.count == 1)
    room.opensAtOnce = true
    var you = Self.replica(2)
    try room.edit(1) { try $0.append(["title": "late"], by: &you) }
    room.run()
    for index in 1...3 { #expect(room.devices[index].list.count == 1) }
  }

  /// Who is connected to it, who waits for it, and what is being stored of it.
  @Test func aDocumentThatIsClosedLetsEverybodyGo() throws {
    var room = ClientRoom(SyncServer())
    for number in 1...3 as ClosedRange<UInt64> {
      room.join(Self.empty(number < 3 ? 1 : 2), as: "user\(number)", replica: number)
    }
    room.run()
    room.storesAtOnce = false
    var me = Self.replica(1)
    try room.edit(0) { try $0.append(["title": "late"], by: &me) }
    room.run(500)
    #expect(room.storing.count == 1)
    room.opensAtOnce = false
    room.join(Self.empty(3), as: "user4", replica: 4)
    room.run(500)
    for list in 1...4 as ClosedRange<UInt64> where list != 2 {
      room.perform(room.server.close(Self.id(list), now: room.now))
    }
    room.run(500)
    #expect(room.evicted == [Self.id(1), Self.id(3)] && room.server.connectionCount == 1)
    for index in [0, 1, 3] { #expect(Self.end(room, index) == .documentUnknown) }
    #expect(room.server.openDocuments == [Self.id(2)] && Self.end(room, 2) == nil)
    // Late answers are none.
    #expect(room.answerStoring().isEmpty && room.answerOpening().isEmpty)
    // Whoever asks for it again asks the host.
    room.join(Self.empty(1), as: "user5", replica: 5)
    room.run(500)
    #expect(room.opening == [Self.id(1)])
  }

  /// What another user wrote since the backup comes with that user, or from anybody to a server that
  /// takes everything from everyone.
  @Test(arguments: [RelayPolicy.ownOnly, .allow])
  func afterARestoreEachBringsWhatIsTheirs(relay: RelayPolicy) throws {
    var before = ClientRoom(SyncServer())
    before.join(Self.empty(1), as: "ann", replica: 1)
    before.join(Self.empty(1), as: "bob", replica: 2)
    var ann = Self.replica(1)
    var bob = Self.replica(2)
    try before.edit(0) { try $0.append(["title": "ann's"], by: &ann) }
    try before.edit(1) { try $0.append(["title": "bob's"], by: &bob) }
    before.run()
    let backup = before.stored
    try before.edit(0) { try $0.append(["title": "ann's later"], by: &ann) }
    try before.edit(1) { try $0.append(["title": "bob's later"], by: &bob) }
    before.run()
    let lists = before.devices.map { $0.list }
    #expect(lists[0].count == 4 && lists[0] == lists[1])

    var room = ClientRoom(SyncServer(relay: relay))
    (room.stored, room.owners) = (backup, before.owners)
    room.join(lists[0], as: "ann", replica: 1)
    room.run()
    #expect(room.stored[Self.id(1)]?.count == (relay == .allow ? 4 : 3))
    #expect(room.devices[0].list == lists[0])
    room.join(lists[1], as: "bob", replica: 2)
    room.run()
    #expect(room.stored[Self.id(1)] == lists[0])
  }

  @Test func aDocumentThatIsNotThereIsUnknownToAllWhoWait() {
    var room = ClientRoom(SyncServer())
    room.opensAtOnce = false
    for number in 1...2 as ClosedRange<UInt64> {
      room.join(Self.empty(2), as: "user\(number)", replica: number)
    }
    room.run(500)
    room.perform(room.server.notOpened(Self.id(2), now: room.now))
    room.run(500)
    #expect(Self.end(room, 0) == .documentUnknown && Self.end(room, 1) == .documentUnknown)
    #expect(room.server.connectionCount == 0)
    // A late answer is none.
    #expect(room.server.opened(Self.empty(2), now: room.now).isEmpty)
  }

  @Test func whatNobodyUsesIsClosedAndOpenedAgain() throws {
    var room = ClientRoom(SyncServer(limits: ServerLimits(idleTime: 1_000)))
    let index = room.join(Self.empty(1), as: "ann", replica: 1)
    var me = Self.replica(1)
    try room.edit(index) { try $0.append(["title": "kept"], by: &me) }
    room.run()
    #expect(room.evicted.isEmpty)
    room.act(index) { $0.stop(now: $1) }
    room.run(900)
    #expect(room.evicted.isEmpty)
    room.run(500)
    #expect(room.evicted == [Self.id(1)] && room.server.openDocuments.isEmpty)
    room.act(index) { $0.start(now: $1) }
    try room.edit(index) { try $0.append(["title": "more"], by: &me) }
    room.run()
    #expect(room.openCount == 2 && room.stored[Self.id(1)]?.count == 2)
  }

  /// What is being stored holds its document open, though everybody has left.
  @Test func aDocumentIsNotClosedWhileItIsStored() throws {
    var room = ClientRoom(SyncServer(limits: ServerLimits(idleTime: 100)))
    room.storesAtOnce = false
    let index = room.join(Self.empty(1), as: "ann", replica: 1)
    var me = Self.replica(1)
    try room.edit(index) { try $0.append(["title": "kept"], by: &me) }
    room.run(500)
    #expect(room.storing.count == 1)
    room.act(index) { $0.stop(now: $1) }
    room.run(2_000)
    #expect(room.evicted.isEmpty)
    room.storesAtOnce = true
    room.run(2_000)
    #expect(room.evicted == [Self.id(1)])
  }

  @Test func fullOfDocumentsTheOldestIdleOneGoes() {
    var room = ClientRoom(SyncServer(limits: ServerLimits(documents: 2)))
    for number in 1...2 as ClosedRange<UInt64> {
      room.join(Self.empty(number), as: "ann", replica: number)
    }
    room.run()
    room.join(Self.empty(3), as: "bob", replica: 3)
    room.run(300)
    guard case .waiting = room.devices[2].client.state else {
      Issue.record("it is \(room.devices[2].client.state)")
      return
    }
    room.act(0) { $0.stop(now: $1) }
    room.run(5_000)
    #expect(room.evicted == [Self.id(1)])
    #expect(room.server.openDocuments == [Self.id(2), Self.id(3)])
  }

  // MARK: Who may, and how many

  @Test func whoMayNotOpenADocumentLearnsNothingOfIt() {
    let server = SyncServer(mayOpen: { user, list, _ in list == Self.id(1) || user == "ann" })
    var room = ClientRoom(server)
    room.join(Self.empty(2), as: "bob", replica: 1)
    room.join(Self.empty(1), as: "bob", replica: 2)
    room.run()
    #expect(Self.end(room, 0) == .notAuthorised)
    #expect(room.server.openDocuments == [Self.id(1)])
  }

  @Test func connectionsAreBoundedOverAllDocuments() {
    var room = ClientRoom(
      SyncServer(limits: ServerLimits(connections: 3, connectionsPerPrincipal: 2)))
    for number in 1...3 as ClosedRange<UInt64> {
      room.join(Self.empty(number), as: "ann", replica: number)
    }
    for number in 4...5 as ClosedRange<UInt64> {
      room.join(Self.empty(number), as: "user\(number)", replica: number)
    }
    room.run(400)
    let connected = room.devices.map { $0.client.state == .connected }
    #expect(connected == [true, true, false, true, false])
    #expect(room.server.connectionCount == 3)
  }

  @Test func whoSaysNothingOrNonsenseIsTurnedAway() {
    var server = SyncServer()
    let nonce = SessionNonce(high: 1, low: 1)
    func said(_ outputs: [SyncServer.Output]) -> SyncEnd? {
      for case .close(_, let end) in outputs { return end }
      return nil
    }
    #expect(server.connect(.init(1), principal: "x", nonce: nonce, now: 0).isEmpty)
    #expect(server.tick(now: 9_999).isEmpty)
    #expect(said(server.tick(now: 10_000)) == .failed(SyncFailure(.timeout)))
    _ = server.connect(.init(2), principal: "x", nonce: nonce, now: 10_000)
    guard case .failed = said(server.receive(Array("GET /".utf8), from: .init(2), now: 10_000))
    else {
      Issue.record("nonsense is taken")
      return
    }
    var script = ScriptedPeer()
    script.open(Self.empty(1))
    _ = server.connect(.init(3), principal: "x", nonce: nonce, now: 10_000)
    guard case .failed = said(server.receive(script.take(), from: .init(3), now: 10_000)) else {
      Issue.record("a stream without a hello is taken")
      return
    }
    // One that goes on without waiting for its document fills no memory.
    script = ScriptedPeer()
    script.hello(Self.id(1))
    _ = server.connect(.init(4), principal: "x", nonce: nonce, now: 10_000)
    var end = said(server.receive(script.take(), from: .init(4), now: 10_000))
    for _ in 0..<10 where end == nil {
      script.say(.ping, [UInt8](repeating: 0, count: 60_000))
      end = said(server.receive(script.take(), from: .init(4), now: 10_000))
    }
    #expect(end == .failed(SyncFailure(.limitExceeded, "more bytes than were granted")))
    #expect(server.connectionCount == 0)
    // Those who come and go leave nothing.
    for number in 5..<5_000 as Range<UInt64> {
      _ = server.connect(.init(number), principal: "x", nonce: nonce, now: 10_000)
      _ = server.disconnected(.init(number), now: 10_000)
    }
    #expect(server.timers.count <= 70 && server.principals.isEmpty)
  }

  // MARK: The end

  @Test func aStopTellsEverybodyAndTheyComeBack() throws {
    var room = ClientRoom(SyncServer())
    for number in 1...4 as ClosedRange<UInt64> {
      room.join(Self.empty(number % 2), as: "user\(number)", replica: number)
    }
    room.run()
    room.perform(room.server.shutDown(now: room.now))
    room.step()
    room.step()
    #expect(room.server.connectionCount == 0)
    for device in room.devices {
      guard case .waiting = device.client.state else {
        Issue.record("it is \(device.client.state)")
        continue
      }
    }
    var me = Self.replica(1)
    try room.edit(0) { try $0.append(["title": "offline"], by: &me) }
    room.crash(SyncServer())
    room.run(10_000)
    #expect(room.devices.allSatisfy { $0.client.state == .connected })
    #expect(room.devices[2].list == room.devices[0].list && room.devices[2].list.count == 1)
  }

  // MARK: All of it at random

  /// Documents, late answers, lines that break on one side or both, servers that crash: what was
  /// acknowledged is on the drive, and in the end all have the same.
  @Test func nothingAcknowledgedIsLost() throws {
    for seed in 0..<(runsLong ? 200 : 8) as Range<UInt64> {
      var random = SplitMix64(seed: seed)
      var room = ClientRoom(SyncServer(relay: .allow, limits: ServerLimits(idleTime: 300)))
      var sequences = [Int64](repeating: 0, count: 5)
      for number in 0..<5 as Range<UInt64> {
        room.join(Self.empty(number % 2), as: "user\(number)", replica: number + 1)
      }
      for _ in 0..<250 {
        let index = random.next(below: 5)
        switch random.next(below: 16) {
        case 0...4:
          var me = Self.replica(UInt64(index) + 1, sequences[index])
          try room.edit(index) { list in
            if list.isEmpty || random.next(below: 3) == 0 {
              try list.append(["title": "x"], by: &me)
            } else {
              let item = list[random.next(below: list.count)].id
              try list.set("title", of: item, to: .int64(Int64(random.next(below: 99))), by: &me)
            }
          }
          sequences[index] = me.sequence
        case 5: room.cut(index, bothNotice: random.next(below: 2) == 0)
        case 6: room.storesAtOnce.toggle()
        case 7: room.opensAtOnce.toggle()
        case 8 where random.next(below: 4) == 0:
          room.crash(SyncServer(relay: .allow, limits: ServerLimits(idleTime: 300)))
        case 9: room.isUp.toggle()
        case 10: room.run(Int64(random.next(below: 2_000)))
        default: room.step(Int64(random.next(below: 60)), piece: 1 + random.next(below: 400))
        }
        for (number, device) in room.devices.enumerated() {
          let told = device.client.acknowledged
          let writer = ReplicaID(rawValue: UInt64(number) + 1)
          for write in device.list.writes(by: writer, after: 0) where write.sequence <= told {
            let address = RegisterAddress(write.item, register: write.register)
            let held = room.stored[device.list.id]?.entry(at: address)
            #expect(held.map { !$0.isLess(than: write) } ?? false, "seed \(seed): \(write)")
          }
        }
      }
      (room.isUp, room.opensAtOnce, room.storesAtOnce) = (true, true, true)
      room.run(120_000)
      for (number, device) in room.devices.enumerated() {
        #expect(device.client.state == .connected, "seed \(seed)")
        #expect(device.list == room.stored[device.list.id], "seed \(seed)")
        #expect(device.client.acknowledged == sequences[number], "seed \(seed)")
      }
    }
  }
}
