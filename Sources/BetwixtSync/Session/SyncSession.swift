public import Betwixt

/// One conversation about one list with one peer: bytes and times in, bytes and wishes out.
///
/// It does no I/O and reads no clock; a driver moves the bytes and does what each ``SyncOutput``
/// asks for, in order:
///
///     var session = SyncSession(setup, list: list, nonce: nonce, now: now)
///     perform(session.start(now: now))
///     perform(session.receive(bytes, now: now))        // whenever bytes came
///     perform(session.settled(ticket, outcome: .done(), list: list, now: now))  // after a merge was stored
///
/// However the bytes of the peer are cut into calls of `receive`, the outputs are the same; only the
/// sessions of a hub store together what has come together.
///
/// # Rounds
/// A round compares two lists once: both sides say their digest and version; if the digests differ
/// each sends what the other lacks, and at the end both compare digests again. Versions that do not
/// tell the truth (a cloned replica) are noticed there, and contents are compared range by range.
///
/// # Interruptions
/// Nothing of a session is kept. After a cut a new one goes on from what has arrived.
public struct SyncSession: Sendable {
  package internal(set) var setup: SyncSetup
  let nonce: SessionNonce

  /// The list as the host has it.
  package internal(set) var list: ReplicatedList?

  /// The list as it was at the start of the round, joined with what arrived in it.
  var view: ReplicatedList?

  /// Whether nothing but what the round brought has changed the list since its start.
  var viewIsList = false

  var hasNews = false
  private var outputs: [SyncOutput] = []
  var flow: SessionFlow
  var refusals = SessionRefusals()

  // MARK: What is known of the peer

  var roundNumber: UInt32 = 0
  /// What this side knew when a round last ended equal: the peer then had it all, but for what was
  /// refused.
  var agreed = VersionVector()
  /// What the peer has said that it has forgotten.
  var peerFloor = VersionVector()
  /// What both sides said of the last round, what was refused left out; `nil` before its end, and from
  /// when the next one is under way, or is needed as the lists were seen to differ.
  var agreedDigest: Digest?
  var hasDoubtedIdentity = false

  /// What became of the list; that of the hub, lent while the session is at work, if it has one.
  var log = EditLog()
  var live = LiveState()
  /// The name in the log of what this session brought.
  let origin: UInt64

  /// Deltas that other sessions of a hub have encoded; `nil` for a session that stands alone.
  var encodings: EncodedDeltas?
  /// Whether a hub merges, and notes in the log what it has merged.
  let isOfHub: Bool
  /// How much the peer may make a hub do; `nil` where that is not bounded.
  var share: PeerShare?

  // MARK: Waiting

  enum Waiting {
    case merge(Delta, withheld: [Refusal], byteCount: Int, isLast: Bool)
    case push(Delta, withheld: [Refusal], byteCount: Int)
    case join(Delta)
    case durable(Int64)
  }

  private var waiting: (ticket: Ticket, what: Waiting)?
  var ticketCount: UInt64 = 0
  private(set) var durable: Int64 = 0

  // MARK: Where it stands

  /// Where the conversation stands, with what there is to know there and nowhere else.
  private enum State {
    case unstarted
    /// One side, or both, has said hello and opened the first round.
    case greeting(Hello?, Round?)
    /// Both have, and agree on a list.
    case running(Hello, Round?)
    /// This side has said that it ends; in order if no round was under way.
    case ending(isInOrder: Bool)
    case closed
  }

  private var state = State.unstarted
  var timing: SessionTiming

  /// Makes a session that has not sent anything yet.
  ///
  /// - Parameters:
  ///   - setup: Who takes part and how much it takes.
  ///   - list: The list; `nil` for a server that learns from the peer which one is meant.
  ///   - nonce: Random, and never used before.
  ///   - now: Milliseconds of a clock that never goes back.
  public init(_ setup: SyncSetup, list: ReplicatedList?, nonce: SessionNonce, now: Int64) {
    self.init(setup, list: list, nonce: nonce, now: now, hubOrigin: nil)
  }

  init(
    _ setup: SyncSetup, list: ReplicatedList?, nonce: SessionNonce, now: Int64, hubOrigin: UInt64?
  ) {
    self.setup = setup
    origin = hubOrigin ?? 0
    isOfHub = hubOrigin != nil
    self.list = list
    self.nonce = nonce
    flow = SessionFlow(setup)
    timing = SessionTiming(now: now, silence: setup.silence)
  }

  /// The replica that the peer said it writes as, once it opened a round.
  public internal(set) var peerReplica: ReplicaID?

  /// Whether the session has ended: it then ignores everything.
  public var isClosed: Bool { if case .closed = state { true } else { false } }

  var isUnstarted: Bool { if case .unstarted = state { true } else { false } }
  var isGreeting: Bool { if case .greeting = state { true } else { false } }
  var isRunning: Bool { if case .running = state { true } else { false } }
  var isEnding: Bool { if case .ending = state { true } else { false } }

  /// Whether the host was asked for something that is not done yet.
  var isWaiting: Bool { waiting != nil }

  /// What the peer said first, until the end.
  var peer: Hello? {
    switch state {
    case .greeting(let peer, _): peer
    case .running(let peer, _): peer
    case .unstarted, .ending, .closed: nil
    }
  }

  /// Whether this side can end, or has ended, with no round under way.
  ///
  /// An OPEN that is not answered begins none: the peer may have ended before it came there.
  var isInOrder: Bool {
    switch state {
    case .running(_, let round): round.map { $0.peer == nil && agreedDigest != nil } ?? true
    case .ending(let isInOrder): isInOrder
    case .unstarted, .greeting, .closed: false
    }
  }

  /// The round that is under way; only while there is a conversation.
  var round: Round? {
    get {
      switch state {
      case .greeting(_, let round), .running(_, let round): round
      case .unstarted, .ending, .closed: nil
      }
    }
    _modify {
      // It is taken out of the state meanwhile, so that what it holds has one owner.
      switch state {
      case .greeting(let peer, var round):
        state = .closed
        defer { state = .greeting(peer, round) }
        yield &round
      case .running(let peer, var round):
        state = .closed
        defer { state = .running(peer, round) }
        yield &round
      case .unstarted, .ending, .closed:
        var none: Round?
        yield &none
      }
    }
  }

  /// Where in the log it stands; what is in a round comes to it.
  var place: Int { isRunning ? live.place : log.end }

  /// What the session keeps of what the peer sent and of what waits to be sent, beside its lists.
  var heldByteCount: Int {
    flow.input.pendingByteCount + flow.queuedByteCount + refusals.byteCount
      + 16 * (live.unanswered.count + peerFloor.count + (round?.rows.count ?? 0))
  }

  /// Whether no round is under way and everything is sent.
  public var isIdle: Bool {
    isRunning && round == nil && !flow.hasQueued && !isWaiting && isLevel
  }

  // MARK: What happens

  /// Starts: the first bytes go out without waiting for the peer's.
  ///
  /// What came before is looked at now.
  public mutating func start(now: Int64) -> [SyncOutput] {
    guard isUnstarted else { return [] }
    state = .greeting(nil, nil)
    timing.note(now)
    if list != nil { greet() }
    advance()
    return take()
  }

  /// Takes bytes that came from the peer.
  ///
  /// - Complexity: O(the bytes), and what merging takes
  public mutating func receive(_ bytes: some Collection<UInt8>, now: Int64) -> [SyncOutput] {
    guard !isClosed else { return [] }
    timing.note(now)
    flow.input.append(bytes)
    advance()
    // Honest peers stop at the window; what is beyond is not kept.
    let limit = setup.window + setup.maximumFrame + 2 * SyncSetup.plainFrame
    if !isClosed, flow.input.pendingByteCount > limit {
      fail(SyncFailure(.limitExceeded, "more bytes than were granted"))
    }
    return take()
  }

  /// Takes note that no more bytes will come.
  public mutating func inputEnded(now: Int64) -> [SyncOutput] {
    timing.note(now)
    close(.cut)
    return take()
  }

  /// Takes the list after the host has changed it.
  ///
  /// A live session pushes the change as soon as no round is under way; another one starts a round.
  ///
  /// - Complexity: O(*k* log *n* + *r* log *r*) for *k* changes and *r* replicas, and O(*f*) for each
  ///   item with *f* fields that was changed
  public mutating func listChanged(_ list: ReplicatedList, now: Int64) -> [SyncOutput] {
    guard !isClosed else { return [] }
    timing.note(now)
    let old = self.list
    self.list = list
    if let old, setup.isLive {
      note(changeFrom: old)
    } else {
      hasNews = true
    }
    if old == nil, isGreeting { meetLate() }
    seekFloor()
    advance()
    return take()
  }

  private mutating func note(changeFrom old: ReplicatedList) {
    list?.settleDigest()
    guard let list else { return }
    viewIsList = false
    let position = EditLog.Position(
      from: old, to: list, restoredWhole: log.sendsRestoredWhole)
    if !position.isEmpty { log.append(position) }
  }

  /// Goes on with what the log of the hub has got meanwhile.
  mutating func resume(now: Int64) -> [SyncOutput] {
    guard !isClosed else { return [] }
    timing.note(now)
    seekFloor()
    advance()
    return take()
  }

  /// Ends the session with an error that the peer gets to know.
  public mutating func refuse(_ failure: SyncFailure, now: Int64) -> [SyncOutput] {
    guard !isClosed else { return [] }
    timing.note(now)
    fail(failure)
    return take()
  }

  /// Ends a live session in order.
  public mutating func end(now: Int64) -> [SyncOutput] {
    guard isRunning || isGreeting else { return [] }
    timing.note(now)
    sendEnd()
    return take()
  }

  /// Takes note that what a ticket asked for was done.
  ///
  /// A live session compares the list with what it should be by now: a host that settles the digest
  /// of its list keeps that cheap.
  ///
  /// - Parameters:
  ///   - ticket: That of the output.
  ///   - outcome: How it went.
  ///   - list: The list as it is now.
  ///   - now: Milliseconds of a clock that never goes back.
  /// - Returns: What to do next.
  public mutating func settled(
    _ ticket: Ticket, outcome: SyncOutcome, list: ReplicatedList, now: Int64
  ) -> [SyncOutput] {
    guard !isClosed, let (expected, what) = waiting, expected == ticket else { return [] }
    timing.note(now)
    timing.noteSettled()
    waiting = nil
    // A live session follows the changes one by one, and hears of those of the host by themselves.
    if isOfHub || !setup.isLive || self.list == nil { self.list = list }
    switch outcome {
    case .failed(let reason): fail(SyncFailure(.storage, reason))
    case .done(let refusals):
      switch what {
      case .merge(let delta, let withheld, let byteCount, let isLast):
        merged(delta, refusals: withheld + refusals, byteCount: byteCount, isLast: isLast)
      case .push(let delta, let withheld, let byteCount):
        pushed(delta, refusals: withheld + refusals, byteCount: byteCount, storedIn: list)
      case .join(let claim):
        follow(claim)
        endRound()
      case .durable(let sequence): durable = max(durable, sequence)
      }
      advance()
    }
    return take()
  }

  /// Takes note of the time.
  public mutating func tick(now: Int64) -> [SyncOutput] {
    guard !isClosed, !isUnstarted else { return [] }
    switch timing.due(now, stage) {
    case .nothing: break
    case .ping: emit(Frame(.ping))
    case .pong: emit(Frame(.pong))
    case .timeout: fail(SyncFailure(.timeout))
    }
    checkIfDue()
    if share != nil { advance() }
    return take()
  }

  /// When `tick` has something to do at the earliest.
  public var nextDeadline: Int64? {
    guard !isClosed, !isUnstarted else { return nil }
    let deadline = timing.deadline(stage)
    return [liveDeadline, heldBackDeadline].compactMap { $0 }.reduce(deadline, min)
  }

  /// Who has to do something.
  private var stage: SessionTiming.Stage {
    switch state {
    case .unstarted, .greeting: .greeting
    case .running where isWaiting, .ending where isWaiting: .waiting
    case .running(_, let round): round != nil || !setup.isLive ? .busy : .idle
    case .ending, .closed: .busy
    }
  }
}

// MARK: - Outputs

extension SyncSession {
  private mutating func take() -> [SyncOutput] {
    defer { outputs = [] }
    return outputs
  }

  mutating func emit(_ frame: Frame) {
    outputs.append(.send(flow.bytes(of: frame)))
  }

  mutating func tell(_ event: SyncEvent) { outputs.append(.event(event)) }

  mutating func ask(_ what: Waiting, _ output: (Ticket) -> SyncOutput) {
    let ticket = Ticket(number: ticketCount)
    ticketCount += 1
    waiting = (ticket, what)
    timing.noteAsked()
    outputs.append(output(ticket))
  }

  mutating func fail(_ failure: SyncFailure) {
    guard !isClosed else { return }
    if !isUnstarted {
      var payload = [failure.code.rawValue]
      payload += textBytes(failure.detail, atMost: 256)
      emit(Frame(.error, payload: payload, isCritical: true))
    }
    close(.failed(failure))
  }

  mutating func close(_ end: SyncEnd) {
    guard !isClosed else { return }
    state = .closed
    waiting = nil
    view = nil
    flow.close()
    outputs.append(.close(end))
  }

  // MARK: From one state to the next

  /// Takes note of the peer's hello.
  mutating func hear(_ hello: Hello) {
    if case .greeting(nil, let round) = state { state = .greeting(hello, round) }
  }

  /// Both sides have said hello, and agree.
  mutating func run(with peer: Hello) {
    flow.agree(with: peer)
    state = .running(peer, round)
    timing.noteProgress()
  }

  mutating func sendEnd() {
    let isInOrder = isInOrder
    state = .ending(isInOrder: isInOrder)
    flow.clearQueue()
    timing.noteProgress()
    let digest = isInOrder ? agreedDigest?.bytes : nil
    emit(Frame(.end, payload: digest ?? [], isCritical: true))
  }
}
