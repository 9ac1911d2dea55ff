import Betwixt
import BetwixtFiles
import BetwixtSync

actor TripServer {
  private var hub: SyncHub
  private var file: DocumentFile
  private var streams: [SyncHub.PeerID: AsyncStream<[UInt8]>.Continuation] = [:]
  private var waiting: [(delta: Delta, ticket: SyncHub.StoreTicket)] = []
  private var count: UInt64 = 0

  /// Takes a file with the sync level `ordered`: `store` brings it to the drive.
  init(_ file: consuming DocumentFile) {
    hub = SyncHub(list: file.list, relay: .allow) { entry, context in
      context.principal == "guest" ? .deny(reason: "read only") : .allow
    }
    self.file = file
  }

  func open(user: String) -> (SyncHub.PeerID, AsyncStream<[UInt8]>) {
    count += 1
    let peer = SyncHub.PeerID(count)
    let (stream, continuation) = AsyncStream.makeStream(of: [UInt8].self)
    streams[peer] = continuation
    var random = SystemRandomNumberGenerator()
    let nonce = SessionNonce.random(using: &random)
    perform(hub.connect(peer, principal: user, nonce: nonce, now: PipeDriver.now()))
    return (peer, stream)
  }

  func receive(_ bytes: [UInt8], from peer: SyncHub.PeerID) {
    perform(hub.receive(bytes, from: peer, now: PipeDriver.now()))
  }

  func close(_ peer: SyncHub.PeerID) {
    perform(hub.disconnected(peer, now: PipeDriver.now()))
  }

  func tick() { perform(hub.tick(now: PipeDriver.now())) }

  func stop() { perform(hub.shutDown(now: PipeDriver.now())) }

  private func perform(_ outputs: [SyncHub.Output]) {
    for output in outputs {
      switch output {
      case .send(let bytes, let peer): streams[peer]?.yield(bytes)
      case .store(let delta, let ticket):
        if waiting.isEmpty { Task { store() } }
        waiting.append((delta, ticket))
      case .close(let peer, _): streams.removeValue(forKey: peer)?.finish()
      case .own, .changed, .event: break
      }
    }
  }

  /// Stores what came in meanwhile, from all connections, with one sync to the drive.
  private func store() {
    let group = waiting
    waiting = []
    var isStored = true
    do {
      for (delta, _) in group { try file.commit(delta) }
      try file.makeDurable()
    } catch {
      isStored = false
    }
    perform(
      hub.stored(all: group.map { $0.ticket }, succeeded: isStored, now: PipeDriver.now()))
  }
}
