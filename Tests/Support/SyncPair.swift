package import Betwixt
package import BetwixtSync

/// One end of a conversation: a session, the list it works for, and what it wants to send.
package struct SyncPeer {
  package var list: ReplicatedList
  package var session: SyncSession
  package var sent: [UInt8] = []
  package var events: [SyncEvent] = []
  package var end: SyncEnd?
  /// Bytes and wishes in order, to compare runs.
  package var trace: [String] = []
  /// Wishes that were not fulfilled yet.
  package var pending: [SyncOutput] = []
  package var admits: (Entry) -> Bool = { _ in true }
  /// What the host takes and loses without a word.
  package var loses: (Entry) -> Bool = { _ in false }
  package var conflicts: [Conflict] = []
  /// Called after every durable step with the list as it would be found after a crash.
  package var isEager = true

  package init(_ list: ReplicatedList, _ setup: SyncSetup, nonce: UInt64) {
    self.list = list
    session = SyncSession(
      setup, list: list, nonce: SessionNonce(high: nonce, low: nonce), now: 0)
    take(session.start(now: 0))
  }

  package mutating func receive(_ bytes: some Collection<UInt8>, now: Int64 = 0) {
    take(session.receive(bytes, now: now))
  }

  package mutating func take(_ outputs: [SyncOutput]) {
    for output in outputs {
      switch output {
      case .send(let bytes): sent += bytes
      case .event(let event):
        events.append(event)
        trace.append("\(event)")
      case .close(let end):
        self.end = end
        trace.append("\(end)")
      case .merge, .makeDurable: pending.append(output)
      }
    }
    if isEager { settle() }
  }

  package mutating func settle() {
    while !pending.isEmpty {
      switch pending.removeFirst() {
      case .merge(let delta, let ticket):
        let refused = delta.entries.filter { !admits($0) }
        trace.append("merge \(delta) \(refused.count)")
        let held = refused.compactMap { entry in
          list[id: entry.item]?.entries.first { $0.register == entry.register }
        }
        let refusals =
          refused.isEmpty
          ? [] : [Refusal(entries: refused, isDeferred: false, reason: "no", held: held)]
        let taken = delta.leavingOut(refusals, mergingInto: list)
        let lost = taken.rows.indices.filter { loses(taken.entry(taken.rows[$0])) }
        conflicts += list.merge(taken.leavingOut(lost)).conflicts
        take(session.settled(ticket, outcome: .done(refused: refusals), list: list, now: 0))
      case .makeDurable(_, let ticket):
        take(session.settled(ticket, outcome: .done(), list: list, now: 0))
      default: break
      }
    }
  }

  package var reconciled: Bool {
    events.contains { if case .reconciling = $0 { true } else { false } }
  }
}

/// Two ends with the bytes between them.
package struct SyncPair {
  package var a: SyncPeer
  package var b: SyncPeer
  package private(set) var byteCount = 0

  package init(
    _ a: ReplicatedList, _ b: ReplicatedList, _ setupA: SyncSetup = SyncSetup(),
    _ setupB: SyncSetup = SyncSetup()
  ) {
    self.a = SyncPeer(a, setupA, nonce: 1)
    self.b = SyncPeer(b, setupB, nonce: 2)
  }

  /// Moves bytes in pieces of at most `piece` until both are silent, or `limit` bytes have moved.
  package mutating func run(piece: Int = .max, limit: Int = .max) {
    while byteCount < limit, !(a.sent.isEmpty && b.sent.isEmpty) {
      let fromA = a.sent.prefix(min(piece, limit - byteCount))
      a.sent.removeFirst(fromA.count)
      byteCount += fromA.count
      b.receive(fromA)
      let fromB = b.sent.prefix(min(piece, limit - byteCount))
      b.sent.removeFirst(fromB.count)
      byteCount += fromB.count
      a.receive(fromB)
    }
  }

  /// Lets time go by until nothing is due; how many bytes that moved.
  package mutating func wait(_ time: Int64) -> Int {
    let before = byteCount
    for now in stride(from: Int64(0), through: time, by: 100) {
      a.take(a.session.tick(now: now))
      b.take(b.session.tick(now: now))
      run()
    }
    return byteCount - before
  }
}
