import Betwixt
import BetwixtSync

/// A session with somebody who sends whatever he likes.
struct HostileSession {
  private var session: SyncSession
  private var list: ReplicatedList
  private var end: SyncEnd?
  private var sentByteCount = 0
  private var trace: [String] = []

  /// What the hostile side sees: some items, so that everything has something to refer to.
  static let list: ReplicatedList = {
    var source = ChoiceSource(seed: 1)
    return source.list(itemCount: 6, id: World.listID)
  }()

  /// The hostile side's other side, before anything was said.
  static var session: SyncSession {
    SyncSession(
      SyncSetup(replica: ReplicaID(rawValue: 1)), list: list,
      nonce: SessionNonce(high: 2, low: 2), now: 0)
  }

  private init() {
    list = HostileSession.list
    session = HostileSession.session
    take(session.start(now: 0))
  }

  /// Whether a session with somebody who sends some bytes ends in order.
  static func accepts(_ bytes: [UInt8]) -> Bool {
    var run = HostileSession()
    run.take(run.session.receive(bytes[...], now: 0))
    return run.end == .finished
  }

  static func check(_ bytes: [UInt8]) throws(Violation) {
    let whole = try run(bytes, piece: .max)
    let pieces = try run(bytes, piece: 1 + Int(bytes.last ?? 0))
    let places = zip(whole, pieces).prefix { $0 == $1 }.count
    try require(
      whole == pieces,
      "bytes in pieces lead to \(pieces.dropFirst(places)) and not to \(whole.dropFirst(places))")
  }

  /// The trace of a run.
  private static func run(_ bytes: [UInt8], piece: Int) throws(Violation) -> [String] {
    var run = HostileSession()
    var rest = bytes[...]
    while !rest.isEmpty, run.end == nil {
      run.take(run.session.receive(rest.prefix(piece), now: 0))
      rest = rest.dropFirst(piece)
    }
    run.take(run.session.inputEnded(now: 0))
    run.take(run.session.tick(now: 1_000_000))
    try require(run.end != nil, "a session does not end")
    try require(
      run.sentByteCount <= 64 * bytes.count + 1 << 20,
      "\(bytes.count) bytes made a session send \(run.sentByteCount)")
    // What was taken is a sound list, whatever it was.
    let copy = (try? SealedBlock.encode(run.list)).flatMap { try? SealedBlock.decode($0) }
    try require(copy == run.list, "a session left a list that its own bytes do not say")
    return run.trace
  }

  private mutating func take(_ outputs: [SyncOutput]) {
    var outputs = outputs
    while !outputs.isEmpty {
      switch outputs.removeFirst() {
      case .send(let bytes):
        sentByteCount += bytes.count
        trace.append("send \(Hex.encode(bytes))")
      case .event(let event): trace.append("\(event)")
      case .close(let end):
        self.end = end
        trace.append("\(end)")
      case .merge(let delta, let ticket):
        trace.append("merge \(delta.count)")
        list.merge(delta)
        outputs = session.settled(ticket, outcome: .done(), list: list, now: 0) + outputs
      case .makeDurable(_, let ticket):
        outputs = session.settled(ticket, outcome: .done(), list: list, now: 0) + outputs
      }
    }
  }
}
