import Betwixt
package import BetwixtSync

/// A conversation of a list of a page with a peer.
///
/// Merges happen here. What a page has to do before the peer may rely on it, keep the list, it says
/// by settling. It is an object because a session is large, and copies of it are code.
package final class OpenSession {
  private var session: SyncSession
  private var ticket: Ticket?

  private init(
    with open: inout OpenList, head: RequestHead, from reader: inout Reader
  ) throws(BridgeFailure) {
    let (isLive, nonce) = try reader.read { (input) throws(DecodeFailure) in
      (try input.flag(), SessionNonce(high: try input.uint64(), low: try input.uint64()))
    }
    try reader.end()
    let setup = SyncSetup(
      replica: open.writer, isLive: isLive, implementation: "betwixt.js", wallClock: head.now)
    // The session copies the list, and each copy would compute the same digest anew.
    open.list.settleDigest()
    session = SyncSession(setup, list: open.list, nonce: nonce, now: head.now)
  }

  /// Starts one, as a ``SessionStart``.
  package static func start(
    _ open: inout OpenList, _ head: RequestHead, _ reader: inout Reader, _ output: inout [UInt8]
  ) throws(BridgeFailure) -> SessionSteps {
    let opened = try OpenSession(with: &open, head: head, from: &reader)
    for next in opened.session.start(now: head.now) { opened.tell(next, to: &output) }
    output.append(OutputKind.end)
    return SessionSteps(
      isClosed: { opened.session.isClosed },
      perform: { (operation, head, reader, open, output) throws(BridgeFailure) in
        try opened.perform(operation, head: head, from: &reader, open: &open, to: &output)
      })
  }

  private func perform(
    _ operation: Operation, head: RequestHead, from reader: inout Reader, open: inout OpenList,
    to output: inout [UInt8]
  ) throws(BridgeFailure) {
    let now = head.now
    // A request that is refused has done nothing, so all of it is read first.
    var bytes: [UInt8] = []
    var isStored = false
    switch operation {
    case .receive: bytes = try reader.read { (input) throws(DecodeFailure) in try input.bytes() }
    case .endInput, .changed, .tick, .endSession: break
    default: isStored = try reader.read { (input) throws(DecodeFailure) in try input.flag() }
    }
    try reader.end()
    // Here, so that the next time it starts from this: an edit costs what it changed.
    open.list.settleDigest()
    let outputs: [SyncOutput]
    switch operation {
    case .receive: outputs = session.receive(bytes, now: now)
    case .endInput: outputs = session.inputEnded(now: now)
    case .changed: outputs = session.listChanged(open.list, now: now)
    case .tick: outputs = session.tick(now: now)
    case .endSession: outputs = session.end(now: now)
    default: outputs = settle(isStored: isStored, open: open, now: now)
    }
    for next in outputs {
      if case .merge(let delta, let ticket) = next {
        output.append(OutputKind.merged)
        output.append(open.take(delta))
        self.ticket = ticket
        output.append(OutputKind.store)
      } else {
        tell(next, to: &output)
      }
    }
    output.append(OutputKind.end)
  }

  private func settle(isStored: Bool, open: OpenList, now: Int64) -> [SyncOutput] {
    guard let ticket else { return [] }
    self.ticket = nil
    return session.settled(
      ticket, outcome: isStored ? .done() : .failed("the page cannot keep the list"),
      list: open.list, now: now)
  }

  private func tell(_ next: SyncOutput, to output: inout [UInt8]) {
    switch next {
    case .send(let bytes):
      output.append(OutputKind.send)
      output.append(run: bytes)
    case .merge(_, let ticket), .makeDurable(_, let ticket):
      self.ticket = ticket
      output.append(OutputKind.store)
    case .event(.synced(_, let digest)):
      output.append(OutputKind.synced)
      output.append(contentsOf: digest.bytes)
    case .event(.refused(let refusal)): tell(refusal, byPeer: true, to: &output)
    case .event(.withheld(let refusal)): tell(refusal, byPeer: false, to: &output)
    case .event: break
    case .close(let end):
      output.append(OutputKind.close)
      output.append(text: end.words)
    }
  }

  /// Says which writes one side did not take in.
  private func tell(_ refusal: Refusal, byPeer: Bool, to output: inout [UInt8]) {
    output.append(OutputKind.refused)
    output.append(byPeer ? 1 : 0)
    output.append(refusal.isDeferred ? 1 : 0)
    output.append(text: refusal.reason)
    output.appendVarint(refusal.entries.count)
    for entry in refusal.entries {
      output.append(entry.item)
      output.append(entry.register)
    }
  }
}

private enum OutputKind {
  static let end: UInt8 = 0
  static let send: UInt8 = 1
  static let merged: UInt8 = 2
  static let store: UInt8 = 3
  static let synced: UInt8 = 4
  static let close: UInt8 = 5
  static let refused: UInt8 = 6
}

extension SyncEnd {
  /// Why it ended; nothing for an end in order.
  fileprivate var words: String {
    switch self {
    case .finished: ""
    case .cut: "the connection was cut"
    case .failed(let failure): failure.words
    case .peerFailed(let failure): "the peer: \(failure.words)"
    }
  }
}

extension SyncFailure {
  /// The description, in which Embedded Swift cannot print the name of the code.
  fileprivate var words: String { detail.isEmpty ? code.word : "\(code.word): \(detail)" }
}

extension SyncFailure.Code {
  fileprivate var word: String {
    switch self {
    case .versionRange: "versionRange"
    case .unsupported: "unsupported"
    case .malformed: "malformed"
    case .checksum: "checksum"
    case .limitExceeded: "limitExceeded"
    case .documentUnknown: "documentUnknown"
    case .identityInUse: "identityInUse"
    case .notAuthorised: "notAuthorised"
    case .timeout: "timeout"
    case .noProgress: "noProgress"
    case .notConverged: "notConverged"
    case .storage: "storage"
    case .replaced: "replaced"
    case .unavailable: "unavailable"
    }
  }
}
