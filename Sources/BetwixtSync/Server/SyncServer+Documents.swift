package import Betwixt

// From a connection's first message to the hub of its document, and back.

extension SyncServer {
  /// One connection.
  struct Connection {
    let principal: String
    let nonce: SessionNonce
    var wallClock: Int64?
    let since: Int64
    /// The document that it means, once it has said so.
    var list: ListID?
    /// What it said before there was a hub to hear it.
    var waiting: [UInt8] = []

    static let patience: Int64 = 10_000
    /// An honest client says hello and opens a round before it hears anything.
    static let waitingLimit = 256 << 10
  }

  /// A document that is open, or asked for.
  struct OpenDocument {
    var hub: SyncHub?
    /// Who waits for it.
    var expected: [ConnectionID] = []
    /// Since when nobody has used it.
    var idleSince: Int64?
    /// The time of its entry among the timers that counts.
    var alarm = Int64.max
  }

  /// What a time is for.
  enum Alarm: Comparable, Sendable {
    case greeting(ConnectionID)
    case document(ListID)

    static func < (left: Alarm, right: Alarm) -> Bool {
      switch (left, right) {
      case (.greeting(let left), .greeting(let right)): left < right
      case (.greeting, .document): true
      case (.document, .greeting): false
      case (.document(let left), .document(let right)): left < right
      }
    }
  }

  // MARK: Coming in

  /// The most that a connection says before it is known which document it means.
  package static let greetingLimit = Connection.waitingLimit

  /// The document that is named by the first message of a connection.
  ///
  /// - Parameter said: All that it has said.
  /// - Returns: The document; `nil` if there is more to come.
  /// - Throws: `DecodeFailure` if that is no greeting.
  /// - Complexity: O(1) while there is more to come: who says it byte by byte takes nobody's time
  package static func document(meantBy said: [UInt8]) throws(DecodeFailure) -> ListID? {
    guard let frame = try FrameStream.first(in: said) else { return nil }
    guard frame.type == .hello else { throw DecodeFailure(.badOrder, at: 0) }
    return try Hello(decoding: frame.payload).list
  }

  /// Lets a connection go that has not said which document it means, without a word; returns whether
  /// it was there.
  package mutating func release(_ id: ConnectionID) -> Bool {
    guard let connection = connections[id], connection.list == nil else { return false }
    forget(id)
    return true
  }

  /// Finds out which document a connection means.
  mutating func choose(_ id: ConnectionID, now: Int64) -> [Output] {
    guard let connection = connections[id] else { return [] }
    let list: ListID
    do throws(DecodeFailure) {
      guard let meant = try SyncServer.document(meantBy: connection.waiting) else { return [] }
      list = meant
    } catch {
      return turnAway(id, because: SyncFailure(error), now: now)
    }
    guard mayOpen(connection.principal, list, id) else {
      return turnAway(id, because: SyncFailure(.notAuthorised, "this list"), now: now)
    }
    return bring(id, to: list, now: now)
  }

  private mutating func bring(_ id: ConnectionID, to list: ListID, now: Int64) -> [Output] {
    connections[id]?.list = list
    if let document = documents[list] {
      if document.hub != nil { return enter(id, in: list, now: now) }
      documents[list]?.expected.append(id)
      return []
    }
    var outputs: [Output] = []
    if documents.count >= limits.documents { outputs += evictOldest() }
    guard documents.count < limits.documents, let principal = connections[id]?.principal else {
      return outputs + turnAway(id, because: .tooManyDocuments, now: now)
    }
    documents[list] = OpenDocument(expected: [id])
    return outputs + [.open(list, principal: principal)]
  }

  /// Hands a connection to the hub of its document, with what it has said.
  mutating func enter(_ id: ConnectionID, in list: ListID, now: Int64) -> [Output] {
    guard let connection = connections[id] else { return [] }
    connections[id]?.waiting = []
    let outputs = work(list, now: now) {
      $0.connect(
        id, principal: connection.principal, nonce: connection.nonce,
        wallClock: connection.wallClock, now: now)
    }
    return outputs + work(list, now: now) { $0.receive(connection.waiting, from: id, now: now) }
  }

  // MARK: Going away

  /// Ends a connection that has no hub, and tells it why.
  mutating func turnAway(
    _ id: ConnectionID, because failure: SyncFailure, now: Int64
  ) -> [Output] {
    guard let connection = connections[id] else { return [] }
    forget(id)
    var session = SyncSession(setup, list: nil, nonce: connection.nonce, now: now)
    let said = session.start(now: now) + session.refuse(failure, now: now)
    return said.compactMap { output in
      switch output {
      case .send(let bytes): .send(bytes, to: id)
      case .close(let end): .close(id, end)
      default: nil
      }
    }
  }

  mutating func forget(_ id: ConnectionID) {
    guard let connection = connections.removeValue(forKey: id) else { return }
    let count = principals[connection.principal, default: 1] - 1
    principals[connection.principal] = count > 0 ? count : nil
    if let list = connection.list { documents[list]?.expected.removeAll { $0 == id } }
    if timers.count > 2 * (connections.count + documents.count) + 64 { cleanTimers() }
  }

  private mutating func cleanTimers() {
    timers.keep { alarm, time in
      switch alarm {
      case .greeting(let id): connections[id].map { $0.list == nil } ?? false
      case .document(let list): documents[list]?.alarm == time
      }
    }
  }

  // MARK: At work

  /// Lets the hub of a document do something, and says what it asks for.
  mutating func work(
    _ list: ListID, now: Int64, _ body: (inout SyncHub) -> [SyncHub.Output]
  ) -> [Output] {
    guard let index = documents.index(forKey: list), documents.values[index].hub != nil else {
      return []
    }
    var outputs: [SyncHub.Output] = []
    if var hub = documents.values[index].hub.take() {
      outputs = body(&hub)
      documents.values[index].hub = hub
    }
    let translated = outputs.map { translate($0, in: list) }
    rest(list, now: now)
    return translated
  }

  private mutating func translate(_ output: SyncHub.Output, in list: ListID) -> Output {
    switch output {
    case .send(let bytes, let id): return .send(bytes, to: id)
    case .own(let replica, let principal, let ticket):
      return .own(replica, principal: principal, StoreTicket(list: list, ticket: ticket))
    case .store(let delta, let ticket):
      return .store(delta, StoreTicket(list: list, ticket: ticket))
    case .changed(let changes, let id): return .changed(list, changes, id)
    case .event(let event, let id): return .event(event, id)
    case .close(let id, let end):
      forget(id)
      return .close(id, end)
    }
  }

  /// Notes when a document has something to do next, and since when nobody uses it.
  mutating func rest(_ list: ListID, now: Int64) {
    guard let index = documents.index(forKey: list), let hub = documents.values[index].hub else {
      return
    }
    if hub.isUsed {
      documents.values[index].idleSince = nil
    } else if documents.values[index].idleSince == nil {
      documents.values[index].idleSince = now
    }
    let (end, overflow) = (documents.values[index].idleSince ?? .max)
      .addingReportingOverflow(limits.idleTime)
    let time = min(hub.nextDeadline ?? .max, overflow ? .max : end)
    if time < documents.values[index].alarm {
      documents.values[index].alarm = time
      timers.insert(.document(list), at: time)
    }
  }

  // MARK: Closing documents

  /// Closes a document that nobody has used for long enough.
  mutating func evict(_ list: ListID, now: Int64) -> [Output] {
    guard let since = documents[list]?.idleSince, now - since >= limits.idleTime else { return [] }
    documents[list] = nil
    return [.evict(list)]
  }

  /// Since when nobody has used the document that nobody has used for longest; `nil` if all are used.
  ///
  /// - Complexity: O(*d*) for *d* documents
  package var idleSince: Int64? { documents.values.lazy.compactMap { $0.idleSince }.min() }

  /// Makes room for another document by closing the one that nobody has used for longest.
  ///
  /// - Complexity: O(*d*) for *d* documents
  package mutating func evictOldest() -> [Output] {
    let oldest = documents.filter { $0.value.idleSince != nil }.min { left, right in
      let (since, other) = (left.value.idleSince ?? 0, right.value.idleSince ?? 0)
      return since != other ? since < other : left.key < right.key
    }
    guard let oldest else { return [] }
    documents[oldest.key] = nil
    return [.evict(oldest.key)]
  }
}

extension SyncHub {
  /// Whether anybody is connected, or something is being stored.
  var isUsed: Bool { !peers.isEmpty || !pending.isEmpty }
}
