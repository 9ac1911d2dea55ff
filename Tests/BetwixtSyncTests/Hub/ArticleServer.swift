import Betwixt
import BetwixtFiles
import BetwixtSync

actor TripServer {
  private var hub: SyncHub
  private var file: DocumentFile
  private var streams: [SyncHub.PeerID: AsyncStream<[UInt8]>.Continuation] = [:]
  private var count: UInt64 = 0

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

  private func perform(_ outputs: [SyncHub.Output]) {
    var outputs = outputs[...]
    while let output = outputs.popFirst() {
      switch output {
      case .send(let bytes, let peer): streams[peer]?.yield(bytes)
      case .store(let delta, let ticket):
        let isStored = (try? file.commit(delta)) != nil
        outputs += hub.stored(ticket, succeeded: isStored, now: PipeDriver.now())
      case .close(let peer, _): streams.removeValue(forKey: peer)?.finish()
      case .changed, .event: break
      }
    }
  }
}
