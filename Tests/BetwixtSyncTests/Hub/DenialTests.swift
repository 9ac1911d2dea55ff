import Betwixt
import TestSupport
import Testing

@testable import BetwixtSync

/// A hub that refuses writes at random, devices that also meet without it, lines that break: nobody
/// claims a write without holding it or what replaced it, and later all get what was refused.
@Suite struct DenialTests {
  /// A device, and its line to the hub if it has one.
  private final class Device {
    var me: Replica
    var list = ReplicatedList(id: Sample.listID)
    var line: (id: UInt64, peer: SyncPeer)?

    init(_ number: UInt64) {
      me = Replica(id: ReplicaID(rawValue: number)) { 1_777_000_000_000 }
    }
  }

  private struct World {
    var random: SplitMix64
    var server: MailboxServer
    var devices: [Device]
    /// Every write that was ever made.
    var writes: [Entry] = []
    var lineCount: UInt64 = 0
    var now: Int64 = 0
    var refusalCount = 0

    init(seed: UInt64) {
      random = SplitMix64(seed: seed)
      let empty = ReplicatedList(id: Sample.listID)
      let hub = SyncHub(list: empty, relay: .allow) { entry, _ in
        switch Self.lot(of: entry, seed) {
        case 0: .deny(reason: "no")
        case 1: .postpone(reason: "later")
        default: .allow
        }
      }
      server = MailboxServer(hub: hub)
      devices = (1...4).map { Device($0) }
    }

    /// Decides by the write alone, for the whole run.
    private static func lot(of entry: Entry, _ seed: UInt64) -> Int {
      var dice = SplitMix64(
        seed: seed &* 31 &+ entry.stamp.replica.rawValue &* 1009
          &+ UInt64(bitPattern: entry.sequence))
      return dice.next(below: 8)
    }

    // MARK: What happens

    mutating func step() {
      let index = random.next(below: devices.count)
      switch random.next(below: 10) {
      case 0, 1, 2, 3: edit(index)
      case 4, 5: meet(index, random.next(below: devices.count))
      case 6: devices[index].line == nil ? connect(index) : disconnect(index)
      default: exchange(rounds: 1 + random.next(below: 6))
      }
    }

    private mutating func edit(_ index: Int) {
      let before = devices[index].me.sequence
      try? Sample.edit(&devices[index].list, by: &devices[index].me, &random)
      let (me, list) = (devices[index].me.id, devices[index].list)
      writes += list.delta(since: VersionVector()).entries.filter {
        $0.stamp.replica == me && $0.sequence > before
      }
      tell(index)
    }

    /// Two devices without the hub: one takes what the other has.
    private mutating func meet(_ index: Int, _ other: Int) {
      devices[index].list.merge(devices[other].list)
      tell(index)
    }

    private mutating func tell(_ index: Int) {
      let list = devices[index].list
      guard let session = devices[index].line?.peer.session else { return }
      var news = session
      let outputs = news.listChanged(list, now: now)
      devices[index].line?.peer.session = news
      devices[index].line?.peer.list = list
      devices[index].line?.peer.take(outputs)
      fetch(index)
    }

    private mutating func fetch(_ index: Int) {
      guard let peer = devices[index].line?.peer else { return }
      devices[index].list = peer.list
    }

    mutating func connect(_ index: Int) {
      lineCount += 1
      server.opened(
        lineCount, user: "all", nonce: SessionNonce(high: 7, low: lineCount), now: now)
      let setup = SyncSetup(replica: devices[index].me.id, isLive: true)
      devices[index].line = (
        lineCount, SyncPeer(devices[index].list, setup, nonce: lineCount + 1_000_000)
      )
    }

    mutating func disconnect(_ index: Int) {
      guard let line = devices[index].line else { return }
      for case .refused(let refusal) in line.peer.events {
        refusalCount += refusal.entries.count
      }
      server.closed(line.id, now: now)
      devices[index].line = nil
    }

    /// Carries bytes to and fro; `true` if nothing was under way any more.
    @discardableResult mutating func exchange(rounds: Int) -> Bool {
      for _ in 0..<rounds {
        now += 60
        var isQuiet = true
        for index in devices.indices {
          guard let (id, peer) = devices[index].line else { continue }
          devices[index].line?.peer.sent = []
          if !peer.sent.isEmpty { server.received(peer.sent, on: id, now: now) }
          let mail = server.mailboxes.removeValue(forKey: .init(id)) ?? []
          if !mail.isEmpty { devices[index].line?.peer.receive(mail, now: now) }
          fetch(index)
          if !peer.sent.isEmpty || !mail.isEmpty { isQuiet = false }
        }
        server.timerFired(now: now)
        if isQuiet, server.mailboxes.isEmpty { return true }
      }
      return false
    }

    // MARK: What must hold

    /// The first write that a list claims without holding it or a greater one.
    func falseClaim(_ list: ReplicatedList) -> Entry? {
      writes.first { write in
        guard list.version.covers(write.dot) else { return false }
        guard let held = list.entry(at: RegisterAddress(write.item, register: write.register))
        else {
          return true
        }
        return held.isLess(than: write)
      }
    }

    mutating func check(_ seed: UInt64, _ step: Int) {
      for list in devices.map(\.list) + [server.hub.list] {
        if let write = falseClaim(list) {
          Issue.record("seed \(seed), step \(step): \(write) is claimed and not held")
        }
      }
      for device in devices {
        guard let peer = device.line?.peer else { continue }
        if let end = peer.end { Issue.record("seed \(seed), step \(step): \(end)") }
      }
    }

    /// With a hub that takes everything all end with every write.
    mutating func heal(_ seed: UInt64) {
      for index in devices.indices { disconnect(index) }
      server = MailboxServer(hub: SyncHub(list: server.hub.list, relay: .allow))
      for _ in 0..<2 {
        for index in devices.indices { connect(index) }
        #expect(exchange(rounds: 400), "seed \(seed) is never quiet")
        check(seed, -1)
        for index in devices.indices { disconnect(index) }
      }
      var whole = ReplicatedList(id: Sample.listID)
      var builder = Delta.Builder()
      for write in writes { try? builder.add(write) }
      whole.merge(builder.build())
      for list in devices.map(\.list) + [server.hub.list] {
        #expect(list == whole, "seed \(seed)")
        #expect(list.version == server.hub.list.version, "seed \(seed)")
      }
    }
  }

  @Test func nobodyClaimsWhatWasReplacedBySomethingRefused() {
    var refusalCount = 0
    for seed in 0..<24 as Range<UInt64> {
      var world = World(seed: seed)
      for step in 0..<120 {
        world.step()
        world.check(seed, step)
      }
      refusalCount += world.refusalCount
      world.heal(seed)
    }
    #expect(refusalCount > 200)
  }
}
