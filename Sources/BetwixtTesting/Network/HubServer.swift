import Betwixt
import BetwixtSync

/// A hub with its store, on a network of arrays.
struct HubServer {
  var hub: SyncHub
  var stored: ReplicatedList
  var mailboxes: [SyncHub.PeerID: [UInt8]] = [:]
  var ends: [SyncHub.PeerID: SyncEnd] = [:]
  var connectionCount: UInt64 = 0
  var now: Int64 = 0

  static let second: Int64 = 1_000

  /// After so many steps without a byte all is said.
  ///
  /// A floor of one guest may meet what another one restores meanwhile, or be about writes that only
  /// another one has: digests are compared a second later, and lists a second after that. Where
  /// nobody forgets nothing is ever left to them.
  func quietSteps(with guests: [Device]) -> Int {
    hub.list.floor.isEmpty && guests.allSatisfy { $0.list.floor.isEmpty } ? 1 : 4
  }

  init(_ list: ListID) {
    stored = ReplicatedList(id: list)
    hub = SyncHub(list: stored, relay: .allow)
  }

  mutating func connect() -> SyncHub.PeerID {
    connectionCount += 1
    let peer = SyncHub.PeerID(connectionCount)
    let nonce = SessionNonce(high: 7, low: connectionCount + 100)
    perform(hub.connect(peer, principal: "all", nonce: nonce, now: now))
    return peer
  }

  mutating func perform(_ outputs: [SyncHub.Output]) {
    var outputs = outputs[...]
    while let output = outputs.popFirst() {
      switch output {
      case .send(let bytes, let peer): mailboxes[peer, default: []] += bytes
      case .store(let delta, let ticket):
        stored.merge(delta)
        outputs += hub.stored(ticket, succeeded: true, now: now)
      case .close(let peer, let end): ends[peer] = end
      case .own, .changed, .event: break
      }
    }
  }
}

extension World {
  /// A device, perhaps together with another, meets the hub until all are silent or a line breaks.
  mutating func meet(_ action: Action, by device: Device) throws(Violation) -> Bool {
    var server = self.server ?? HubServer(World.listID)
    let other = devices[action.a % devices.count]
    // Twins are refused by a hub, so they come one after the other.
    let guests = other === device || other.me.id == device.me.id ? [device] : [device, other]
    var speakers: [(peer: SyncHub.PeerID, speaker: Speaker)] = []
    for guest in guests {
      let peer = server.connect()
      speakers.append(
        (peer, try Speaker(guest, nonce: peer.rawValue, isLive: true, in: simulation)))
    }
    let piece = [Int.max, 64, 700, 4096, 256][action.b % 5]
    // Nothing of what devices hold is as long as that.
    let most = 1 << 24
    var left = action.c == 0 ? most : action.c * 4
    var (isQuiet, quietCount) = (false, 0)
    while quietCount < server.quietSteps(with: guests), left > 0 {
      server.now += isQuiet ? HubServer.second : 60
      isQuiet = true
      for index in speakers.indices {
        let peer = speakers[index].peer
        let outgoing = speakers[index].speaker.sent.prefix(min(piece, left))
        speakers[index].speaker.sent.removeFirst(outgoing.count)
        server.perform(server.hub.receive(outgoing, from: peer, now: server.now))
        left -= outgoing.count
        let mail = server.mailboxes.removeValue(forKey: peer) ?? []
        let incoming = mail.prefix(left)
        try speakers[index].speaker.receive(incoming, now: server.now)
        try speakers[index].speaker.tick(now: server.now)
        left -= incoming.count
        isQuiet = isQuiet && outgoing.isEmpty && incoming.isEmpty
      }
      server.perform(server.hub.tick(now: server.now))
      isQuiet = isQuiet && server.mailboxes.isEmpty
      quietCount = isQuiet ? quietCount + 1 : 0
    }
    try require(left > 0 || action.c > 0, "a session with the hub does not end")
    for (peer, speaker) in speakers {
      if quietCount >= server.quietSteps(with: guests) { try check(speaker, server: server) }
      server.perform(server.hub.disconnected(peer, now: server.now))
      try changeIdentity(speaker)
    }
    report.trace.combine(bytes: server.hub.list.digest.bytes)
    try require(server.stored == server.hub.list, "the hub shows more or less than it stored")
    self.server = server
    return true
  }

  private func check(_ speaker: Speaker, server: HubServer) throws(Violation) {
    if let end = speaker.end {
      throw Violation("the hub ended a session: \(end)")
    }
    try require(
      speaker.device.holdsTheSame(as: server.hub.list), "the hub is silent and the lists differ")
  }
}
