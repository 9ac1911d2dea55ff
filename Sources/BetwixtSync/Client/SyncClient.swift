public import Betwixt

/// One side of a live document that stays connected: it connects, comes back after a cut, and says
/// up to where its writes have arrived.
///
/// Like a session it does no I/O and reads no clock:
///
///     var client = SyncClient(SyncSetup(replica: me.id), list: list, spread: random)
///     perform(client.start(now: now))
///     // .connect: open a connection, then
///     perform(client.connected(nonce: nonce, now: now))      // or connectionEnded
///     perform(client.receive(bytes, now: now))
///     perform(client.listChanged(list, now: now))            // after each edit
///     perform(client.tick(now: now))                         // at nextDeadline
///
/// What it is told of a connection is of the one it asked for last. After `disconnect` the host keeps
/// to itself what still comes from the earlier one, its end too: as the end of the next connection it
/// would end each of them, for ever where the server takes its time.
///
/// What arrives comes as `merge`, one after another and in order; who merges it has the
/// `ListChanges` of each to show.
///
/// # Coming back
/// After a cut, and when the server is away or full, the client connects again, after a time that
/// doubles (``BackOff``). It does not when that would change nothing: another connection of the same
/// device has taken its place, its id belongs to somebody else, or it must not. ``State/stopped(_:)``
/// says which; ``start(now:)`` begins again.
public struct SyncClient: Sendable {
  /// What a client is doing.
  public enum State: Hashable, Sendable {
    /// It does not connect; `nil` before the start, and otherwise how the last connection ended.
    case stopped(SyncEnd?)
    /// It connects at this time.
    case waiting(until: Int64)
    /// The host is opening a connection.
    case connecting
    /// It is connected.
    case connected
  }

  /// What a client asks its host to do, in this order.
  public enum Output: Sendable {
    /// Open a connection, then call ``SyncClient/connected(nonce:now:)``, or
    /// ``SyncClient/connectionEnded(now:)`` if there is none to be had.
    case connect
    /// Send bytes.
    case send([UInt8])
    /// Merge into the list and make it durable, then call `settled`.
    case merge(Delta, Ticket)
    /// Make the own writes up to a number durable, then call `settled`.
    case makeDurable(upTo: Int64, Ticket)
    /// Know something.
    case event(SyncEvent)
    /// Close the connection once everything is sent.
    case disconnect
    /// The state has changed.
    case state(State)
  }

  /// What it is doing.
  public private(set) var state = State.stopped(nil)

  /// Up to which number the server holds the own writes, but for those that it refused; 0 before it
  /// has said so.
  public private(set) var acknowledged: Int64 = 0

  private var setup: SyncSetup
  private let backOff: BackOff
  private let spread: UInt64
  private var list: ReplicatedList
  private var session: SyncSession?
  private var attempts = 0
  // Goes on from connection to connection: a late answer must not be taken for another one's.
  private var ticketCount: UInt64 = 0
  // The last time that was told.
  private var now: Int64 = 0
  // Since when the clock of the setup goes on.
  private var clockStart: Int64?

  /// Makes a client that does not connect yet.
  ///
  /// - Parameters:
  ///   - setup: Who takes part and how much it takes; sessions are live.
  ///   - list: The list as it is stored.
  ///   - backOff: How long to wait before connecting again.
  ///   - spread: Random bits, others on each device.
  public init(
    _ setup: SyncSetup, list: ReplicatedList, backOff: BackOff = BackOff(), spread: UInt64
  ) {
    self.setup = setup
    self.setup.isLive = true
    self.list = list
    self.backOff = backOff
    self.spread = spread
  }

  // MARK: What the host wants

  /// Connects, also when the client had stopped, or waits for something.
  public mutating func start(now: Int64) -> [Output] {
    guard session == nil, state != .connecting else { return [] }
    note(now)
    attempts = 0
    return enter(.connecting) + [.connect]
  }

  /// Begins to write as another replica; a connection under the old one ends first.
  ///
  /// After `identityInUse` or a doubt of the own identity, with the id that the host took.
  public mutating func write(as replica: ReplicaID, now: Int64) -> [Output] {
    guard setup.replica != replica else { return [] }
    setup.replica = replica
    acknowledged = 0
    let outputs = stop(now: now)
    return outputs + start(now: now)
  }

  /// Ends the connection in order, and does not come back by itself.
  public mutating func stop(now: Int64) -> [Output] {
    note(now)
    guard var last = session.take() else { return enter(.stopped(.finished)) }
    // Whatever the server still says: all that it acknowledged is told already.
    let outputs = translate(last.end(now: now))
    return outputs + [.disconnect] + enter(.stopped(.finished))
  }

  /// Takes the list after the host has changed it.
  public mutating func listChanged(_ list: ReplicatedList, now: Int64) -> [Output] {
    note(now)
    self.list = list
    return converse { $0.listChanged(list, now: now) }
  }

  /// Takes note that what a ticket asked for was done; answers for an earlier connection only tell
  /// the list.
  public mutating func settled(
    _ ticket: Ticket, outcome: SyncOutcome, list: ReplicatedList, now: Int64
  ) -> [Output] {
    note(now)
    self.list = list
    return converse { $0.settled(ticket, outcome: outcome, list: list, now: now) }
  }

  // MARK: What happens to the connection

  /// Takes note that there is a connection.
  ///
  /// - Parameters:
  ///   - nonce: Random, and never used before.
  ///   - now: Milliseconds of a clock that never goes back.
  /// - Returns: What to do.
  public mutating func connected(nonce: SessionNonce, now: Int64) -> [Output] {
    guard state == .connecting else { return [] }
    note(now)
    session = SyncSession(setupByNow, list: list, nonce: nonce, now: now)
    session?.ticketCount = ticketCount
    return enter(.connected) + converse { $0.start(now: now) }
  }

  /// Takes note that the clock was set, for this connection and the next ones; see
  /// ``SyncSession/clockWasSet(to:now:)``.
  ///
  /// - Parameters:
  ///   - wallClock: Milliseconds since 1970 now; without effect where the setup has no clock.
  ///   - now: Milliseconds of a clock that never goes back.
  public mutating func clockWasSet(to wallClock: Int64, now: Int64) {
    note(now)
    clockStart = self.now
    if setup.wallClock != nil { setup.wallClock = wallClock }
    if setup.admission.now != nil { setup.admission.now = wallClock }
    session?.clockWasSet(to: wallClock, now: now)
  }

  /// The setup with the clock as it is now: a client lasts for weeks, and has many sessions.
  private var setupByNow: SyncSetup {
    let (elapsed, isFar) = now.subtractingReportingOverflow(clockStart ?? now)
    guard !isFar, elapsed > 0 else { return setup }
    func later(_ time: Int64) -> Int64 {
      let (sum, overflow) = time.addingReportingOverflow(elapsed)
      return overflow ? time : sum
    }
    var setup = setup
    setup.wallClock = setup.wallClock.map(later)
    setup.admission.now = setup.admission.now.map(later)
    return setup
  }

  /// Takes bytes that came from the server.
  public mutating func receive(_ bytes: some Collection<UInt8>, now: Int64) -> [Output] {
    note(now)
    return converse { $0.receive(bytes, now: now) }
  }

  /// Takes note that the connection has ended, or that there is none to be had.
  public mutating func connectionEnded(now: Int64) -> [Output] {
    note(now)
    if session != nil { return converse { $0.inputEnded(now: now) } }
    return state == .connecting ? comeBack() : []
  }

  /// Takes note of the time.
  public mutating func tick(now: Int64) -> [Output] {
    note(now)
    if case .waiting(let time) = state, self.now >= time {
      return enter(.connecting) + [.connect]
    }
    return converse { $0.tick(now: now) }
  }

  /// When `tick` has something to do at the earliest.
  public var nextDeadline: Int64? {
    if case .waiting(let time) = state { return time }
    return session?.nextDeadline
  }

  // MARK: Inside

  private mutating func note(_ time: Int64) {
    now = max(now, time)
    clockStart = clockStart ?? now
  }

  private mutating func enter(_ state: State) -> [Output] {
    guard self.state != state else { return [] }
    self.state = state
    return [.state(state)]
  }

  private mutating func converse(_ body: (inout SyncSession) -> [SyncOutput]) -> [Output] {
    guard var current = session.take() else { return [] }
    let outputs = body(&current)
    ticketCount = current.ticketCount
    session = current
    return translate(outputs)
  }

  private mutating func translate(_ outputs: [SyncOutput]) -> [Output] {
    var result: [Output] = []
    for output in outputs {
      switch output {
      case .send(let bytes): result.append(.send(bytes))
      case .merge(let delta, let ticket): result.append(.merge(delta, ticket))
      case .makeDurable(let number, let ticket):
        result.append(.makeDurable(upTo: number, ticket))
      case .event(let event):
        // Lists that were equal once show that the connection was worth something.
        if case .synced = event { attempts = 0 }
        if case .acknowledged(let number) = event { acknowledged = max(acknowledged, number) }
        result.append(.event(event))
      case .close(let end):
        session = nil
        result.append(.disconnect)
        result += ended(end)
      }
    }
    return result
  }

  private mutating func ended(_ end: SyncEnd) -> [Output] {
    switch end {
    // The server has ended it in order, as when it stops: it may be back soon.
    case .finished, .cut: comeBack()
    case .failed(let failure), .peerFailed(let failure):
      failure.code.isForGood ? enter(.stopped(end)) : comeBack()
    }
  }

  private mutating func comeBack() -> [Output] {
    attempts += 1
    let (time, overflow) = now.addingReportingOverflow(
      backOff.wait(after: attempts, spread: spread))
    return enter(.waiting(until: overflow ? .max : time))
  }
}

extension SyncFailure.Code {
  /// Whether connecting again by itself would change nothing.
  var isForGood: Bool {
    switch self {
    case .replaced, .identityInUse, .notAuthorised, .documentUnknown, .versionRange, .unsupported:
      true
    case .malformed, .checksum, .limitExceeded, .timeout, .noProgress, .notConverged, .storage,
      .unavailable:
      false
    }
  }
}
