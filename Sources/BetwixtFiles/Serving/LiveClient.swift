public import Betwixt
public import BetwixtSync

/// A document that stays in step with a server: a `SyncClient` at work, and the other side of
/// ``LiveServer``.
///
/// It edits in memory at once, stores, sends, takes what others write, and connects again when the
/// connection is cut:
///
///     let client = LiveClient(
///       list, by: me, storage: storage, random: random,
///       note: { if case .merged(let changes) = $0 { show(changes) } })
///     async let end = client.run { client in
///       let socket = try await SocketConnection.open(address)
///       await client.converse(
///         reading: socket.inbound, writing: { try await socket.write($0) },
///         closing: { socket.close() })
///     }
///     try await client.edit { list, me in try list.append(["title": "Lunch"], by: &me) }
///
/// # What is where
/// An edit is in ``list`` when ``edit(_:)`` returns; it goes to the storage, and from there to the
/// server. Nothing leaves the device before it is stored here, and what ``acknowledged`` counts is
/// stored there.
public actor LiveClient {
  /// What a client tells, in the order in which it happens.
  public enum Event: Sendable {
    /// What others have written is stored and in the list; which of the own writes lost is in it.
    case merged(ListChanges)
    /// The server holds the own writes up to a number.
    case acknowledged(upTo: Int64)
    /// The client waits, connects, is connected or has stopped.
    case state(SyncClient.State)
    /// The storage has failed; it is asked again with the next write or connection.
    case notStored
    /// What the session tells besides, such as what the server has refused.
    case session(SyncEvent)
  }

  /// The list as it is now, with the edits that are not stored yet.
  public private(set) var list: ReplicatedList

  private var me: Replica
  private var client: SyncClient
  private let storage: any ClientStorage
  private let random: @Sendable () -> UInt64
  private let note: @Sendable (Event) -> Void

  private var line: OutgoingLine?
  private var hasConversed = false
  // Whether a run is about to open a connection, or uses it: there is one at a time.
  private var isConnecting = false
  // Which conversation the line is that of.
  private var conversation = 0
  // What is to be stored; that of others with the question that it answers.
  private var waiting: [(delta: Delta, ticket: Ticket?)] = []
  private var isStoring = false
  // Up to which number the own writes are stored, and who asks for more.
  private var stored: Int64
  private var asking: (number: Int64, ticket: Ticket)?

  private var alarm: (time: Int64, task: Task<Void, Never>)?
  // Rings for the last run when the state has changed.
  private var bell: AsyncStream<Void>.Continuation?
  private(set) var runCount = 0

  /// Makes a client that does not connect yet.
  ///
  /// - Parameters:
  ///   - list: The list as it is stored.
  ///   - replica: Who writes here.
  ///   - setup: How much the sessions take; the replica in it is that of `replica`.
  ///   - storage: Where the document is.
  ///   - backOff: How long to wait before connecting again.
  ///   - random: Random bits, never the same ones again.
  ///   - note: Is told what happens, one after another.
  public init(
    _ list: ReplicatedList, by replica: consuming Replica, setup: SyncSetup = SyncSetup(),
    storage: any ClientStorage, backOff: BackOff = BackOff(),
    random: @escaping @Sendable () -> UInt64,
    note: @escaping @Sendable (Event) -> Void = { _ in }
  ) {
    var setup = setup
    setup.replica = replica.id
    self.list = list
    self.list.settleDigest()
    client = SyncClient(setup, list: self.list, backOff: backOff, spread: random())
    stored = max(replica.sequence, list.known(of: replica.id))
    me = replica
    self.storage = storage
    self.random = random
    self.note = note
  }

  /// Takes note that the clock was set by which the client judges what is ahead of it.
  ///
  /// - Parameter wallClock: Milliseconds since 1970 now.
  public func clockWasSet(to wallClock: Int64) {
    client.clockWasSet(to: wallClock, now: PipeDriver.now())
  }

  /// What the client is doing.
  public var state: SyncClient.State { client.state }

  /// Up to which number the server holds the own writes, but for those that it refused; 0 before it
  /// has said so.
  public var acknowledged: Int64 { client.acknowledged }

  /// Who writes here.
  public var replica: ReplicaID { me.id }

  // MARK: Editing

  /// Edits the list, all or nothing.
  ///
  /// - Parameter body: Edits.
  /// - Returns: What the body returned.
  /// - Throws: What the body threw; the list is then as before.
  @discardableResult
  public func edit<Value: Sendable, Failure: Error>(
    _ body: @Sendable (inout ReplicatedList, inout Replica) throws(Failure) -> Value
  ) throws(Failure) -> Value {
    let (before, floor) = (list.version, list.floor)
    let value = try list.transaction(by: &me, body)
    let delta = list.delta(since: before, floor: floor)
    guard !delta.isEmpty else { return value }
    list.settleDigest()
    gather(delta, ticket: nil)
    perform(client.listChanged(list, now: PipeDriver.now()))
    return value
  }

  /// Begins to write as another replica, after `identityInUse` or a doubt of the own identity.
  ///
  /// A connection under the old one ends; if ``run(connecting:)`` has returned, call it again.
  public func write(as replica: consuming Replica) {
    let id = replica.id
    guard id != me.id else { return }
    stored = max(replica.sequence, list.known(of: id))
    me = replica
    perform(client.write(as: id, now: PipeDriver.now()))
  }

  // MARK: Connections

  /// Stays connected until it is stopped, the task is cancelled, or coming back would change
  /// nothing.
  ///
  /// It may be called again then. A run that has not ended yet ends when its connection has, and only
  /// then the new one opens another.
  ///
  /// - Parameter connect: Opens one connection and has ``converse(reading:writing:closing:)`` use
  ///   it; returns, or throws, when there is none to be had or it has ended.
  /// - Returns: How the last connection ended: `finished` after ``stop()``.
  public func run(
    connecting connect: @escaping @Sendable (LiveClient) async throws -> Void
  ) async -> SyncEnd {
    // Each run listens to a bell of its own: one that was listened to in a task that was cancelled
    // rings no more.
    let (rings, ring) = AsyncStream.makeStream(
      of: Void.self, bufferingPolicy: .bufferingNewest(1))
    bell?.finish()
    bell = ring
    runCount += 1
    let run = runCount
    perform(client.start(now: PipeDriver.now()))
    // It may have been connecting already.
    ring.yield()
    for await _ in rings {
      while run == runCount, !isConnecting, client.state == .connecting {
        (isConnecting, hasConversed) = (true, false)
        try? await connect(self)
        isConnecting = false
        if !hasConversed { perform(client.connectionEnded(now: PipeDriver.now())) }
        // It may be the next run's turn.
        bell?.yield()
      }
      if case .stopped(let end) = client.state { return end ?? .finished }
    }
    if run == runCount { stop() }
    return .finished
  }

  /// Uses one connection to its end.
  ///
  /// - Parameters:
  ///   - input: The bytes that come, cut anyhow.
  ///   - write: Sends bytes, and returns when there is room for more.
  ///   - close: Closes the connection, so that `input` ends; may be called twice.
  public func converse(
    reading input: some AsyncSequence<[UInt8], any Error> & Sendable,
    writing write: @escaping @Sendable ([UInt8]) async throws -> Void,
    closing close: @escaping @Sendable () async -> Void
  ) async {
    let line = OutgoingLine()
    let writer = Task { await line.run(writing: write, closing: close, wrote: { _ in }) }
    if client.state == .connecting, self.line == nil {
      conversation += 1
      let number = conversation
      self.line = line
      hasConversed = true
      perform(
        client.connected(
          nonce: SessionNonce(high: random(), low: random()), now: PipeDriver.now()))
      do {
        for try await bytes in input where isConversing(number) {
          perform(client.receive(bytes, now: PipeDriver.now()))
        }
      } catch {
        // A connection that breaks has ended like one that is closed.
      }
      // It may have ended already, and the next one may be there.
      if isConversing(number) {
        self.line = nil
        perform(client.connectionEnded(now: PipeDriver.now()))
      }
    }
    line.finish()
    await writer.value
  }

  /// Whether a conversation has not been ended from this side.
  private func isConversing(_ number: Int) -> Bool { line != nil && conversation == number }

  /// Ends the connection in order; ``run(connecting:)`` returns.
  ///
  /// It stops a run that has begun. One whose task is yet to begin goes on as if nobody had stopped the
  /// client: whoever may be so early cancels that task.
  public func stop() { perform(client.stop(now: PipeDriver.now())) }

  // MARK: What the client asks for

  private func perform(_ outputs: [SyncClient.Output]) {
    var rest = outputs[...]
    while let output = rest.popFirst() {
      switch output {
      case .connect: bell?.yield()
      case .send(let bytes): line?.send(bytes)
      case .merge(let delta, let ticket): gather(delta, ticket: ticket)
      case .makeDurable(let number, let ticket):
        guard number > stored else {
          rest += client.settled(ticket, outcome: .done(), list: list, now: PipeDriver.now())
          continue
        }
        asking = (number, ticket)
        storeSoon()
      case .event(.acknowledged(let number)): note(.acknowledged(upTo: number))
      case .event(let event): note(.session(event))
      case .disconnect:
        line?.finish()
        line = nil
      case .state(let state):
        note(.state(state))
        bell?.yield()
      }
    }
    setAlarm()
  }

  private func setAlarm() {
    guard let deadline = client.nextDeadline else {
      alarm?.task.cancel()
      alarm = nil
      return
    }
    if let alarm, alarm.time <= deadline { return }
    alarm?.task.cancel()
    let task = Task { [weak self] in
      let wait = max(1, deadline - PipeDriver.now())
      try? await Task.sleep(for: .milliseconds(wait))
      guard !Task.isCancelled else { return }
      await self?.alarmRings()
    }
    alarm = (deadline, task)
  }

  private func alarmRings() {
    alarm = nil
    perform(client.tick(now: PipeDriver.now()))
  }

  // MARK: Storing

  private func gather(_ delta: Delta, ticket: Ticket?) {
    waiting.append((delta, ticket))
    storeSoon()
  }

  private func storeSoon() {
    guard !isStoring, !waiting.isEmpty else { return }
    isStoring = true
    Task { await storeAll() }
  }

  private func storeAll() async {
    while !waiting.isEmpty {
      let group = waiting
      waiting = []
      let (id, number) = (me.id, me.sequence)
      do {
        try await storage.store(group.map { $0.delta })
        if me.id == id { stored = max(stored, number) }
        for case (let delta, let ticket?) in group { take(delta, ticket: ticket) }
        answer()
      } catch {
        fail(group)
        break
      }
    }
    isStoring = false
  }

  private func take(_ delta: Delta, ticket: Ticket) {
    let changes = list.mergeSettling(delta)
    if !changes.isEmpty { note(.merged(changes)) }
    perform(client.settled(ticket, outcome: .done(), list: list, now: PipeDriver.now()))
  }

  private func answer() {
    guard let (number, ticket) = asking, number <= stored else { return }
    asking = nil
    perform(client.settled(ticket, outcome: .done(), list: list, now: PipeDriver.now()))
  }

  private func fail(_ group: [(delta: Delta, ticket: Ticket?)]) {
    note(.notStored)
    waiting.insert(contentsOf: group.filter { $0.ticket == nil }, at: 0)
    var tickets = group.compactMap { $0.ticket }
    if let asking { tickets.append(asking.ticket) }
    asking = nil
    for ticket in tickets {
      perform(
        client.settled(ticket, outcome: .failed("not stored"), list: list, now: PipeDriver.now()))
    }
  }
}
