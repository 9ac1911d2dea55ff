import Betwixt
import BetwixtSync

/// One end of a conversation: a session, and the device it works for.
struct Speaker {
  let device: Device
  var session: SyncSession
  var sent: [UInt8] = []
  private(set) var end: SyncEnd?
  private(set) var isDoubtful = false
  private var pending: [SyncOutput] = []
  private let simulation: Simulation

  init(
    _ device: Device, nonce: UInt64, isLive: Bool = false, in simulation: Simulation
  ) throws(Violation) {
    self.device = device
    self.simulation = simulation
    session = SyncSession(
      SyncSetup(replica: device.me.id, isLive: isLive),
      list: try Speaker.said(device.list, in: simulation),
      nonce: SessionNonce(high: nonce, low: nonce), now: 0)
    try take(session.start(now: 0))
  }

  /// The list as sessions are told.
  private static func said(
    _ list: ReplicatedList, in simulation: Simulation
  ) throws(Violation) -> ReplicatedList {
    guard let open = simulation.open else { return list }
    do {
      return try open(list)
    } catch {
      throw Violation("the program cannot say its list: \(error)")
    }
  }

  /// What is merged of a delta.
  private func taken(_ delta: Delta) throws(Violation) -> Delta {
    guard let take = simulation.take else { return delta }
    do {
      return try take(delta, device.list)
    } catch {
      throw Violation("the program cannot take a delta: \(error)")
    }
  }

  /// Whether the session ended because the peer has the same id.
  var hasTwin: Bool {
    switch end {
    case .failed(let failure)?, .peerFailed(let failure)?: failure.code == .identityInUse
    default: false
    }
  }

  mutating func receive(_ bytes: some Collection<UInt8>, now: Int64) throws(Violation) {
    try take(session.receive(bytes, now: now))
  }

  mutating func tick(now: Int64) throws(Violation) { try take(session.tick(now: now)) }

  mutating func inputEnded() throws(Violation) { try take(session.inputEnded(now: 0)) }

  private mutating func take(_ outputs: [SyncOutput]) throws(Violation) {
    pending += outputs
    while !pending.isEmpty {
      switch pending.removeFirst() {
      case .send(let bytes): sent += bytes
      case .event(.identityDoubtful): isDoubtful = true
      case .event: break
      case .close(let end): self.end = end
      case .merge(let delta, let ticket):
        let news = try taken(delta)
        try device.take(news.entries, floor: news.floor) { $0.merge(news) }
        try settle(ticket)
      case .makeDurable(_, let ticket): try settle(ticket)
      }
    }
  }
}

extension Speaker {
  private mutating func settle(_ ticket: Ticket) throws(Violation) {
    let list = try Speaker.said(device.list, in: simulation)
    pending += session.settled(ticket, outcome: .done(), list: list, now: 0)
  }
}

extension World {
  /// Two devices hold a session over a line that moves bytes in pieces and may break anywhere.
  mutating func talk(
    _ one: Device, _ other: Device, piece: Int, cut: Int?
  ) throws(Violation) {
    let nonces: (UInt64, UInt64) = one.number < other.number ? (1, 2) : (2, 1)
    var left = try Speaker(one, nonce: nonces.0, in: simulation)
    var right = try Speaker(other, nonce: nonces.1, in: simulation)
    var moved = 0
    while !(left.sent.isEmpty && right.sent.isEmpty), moved < cut ?? .max {
      let fromLeft = left.sent.prefix(min(piece, (cut ?? .max) - moved))
      left.sent.removeFirst(fromLeft.count)
      try right.receive(fromLeft, now: 0)
      moved += fromLeft.count
      let fromRight = right.sent.prefix(min(piece, (cut ?? .max) - moved))
      right.sent.removeFirst(fromRight.count)
      try left.receive(fromRight, now: 0)
      moved += fromRight.count
      try require(moved < 1 << 22, "a session does not end")
    }
    report.trace.combine(moved)
    if left.end == nil || right.end == nil {
      try require(moved >= cut ?? .max, "both ends of a session wait")
      try left.inputEnded()
      try right.inputEnded()
    } else if left.end == .finished && right.end == .finished {
      try require(
        one.holdsTheSame(as: other), "a session ended in order and the lists differ")
    } else if one.me.id == other.me.id, left.hasTwin || right.hasTwin {
      try require(hasImpostors, "two sane replicas have one id")
      other.become(freshID(), sequence: 0)
      return
    } else {
      throw Violation("a session failed: \(left.end as Any), \(right.end as Any)")
    }
    try changeIdentity(left)
    try changeIdentity(right)
  }

  /// A device whose id proves to be in use elsewhere takes another one.
  mutating func changeIdentity(_ speaker: Speaker) throws(Violation) {
    guard speaker.isDoubtful else { return }
    try require(
      hasImpostors || wentBack, "replica \(speaker.device.number) doubts a sane identity")
    speaker.device.become(freshID(), sequence: 0)
  }
}
