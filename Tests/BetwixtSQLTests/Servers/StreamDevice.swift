import Betwixt
import BetwixtFiles
import BetwixtSync
import Dispatch

/// Milliseconds of a clock that never goes back.
func milliseconds() -> Int64 {
  Int64(truncatingIfNeeded: DispatchTime.now().uptimeNanoseconds / 1_000_000)
}

/// A client on a line of two streams to a server of this process.
actor StreamDevice {
  private(set) var list: ReplicatedList
  private let replica: ReplicaID
  private let principal: String
  private var client: SyncClient
  private var server: LiveServer
  private let note: @Sendable (Int64, Delta) -> Void
  // Its own writes that nobody has acknowledged.
  private var written: [Entry] = []
  private var outgoing: AsyncThrowingStream<[UInt8], any Error>.Continuation?
  // Of connections; the replica stands in the upper half.
  private var count: UInt64

  // `note` is told up to which number all is acknowledged, and the writes for which that is new.
  init(
    _ list: ListID, replica: ReplicaID, principal: String = "ann", server: LiveServer,
    note: @escaping @Sendable (Int64, Delta) -> Void
  ) {
    self.list = ReplicatedList(id: list)
    self.replica = replica
    self.principal = principal
    self.server = server
    self.note = note
    count = replica.rawValue << 32
    client = SyncClient(
      SyncSetup(replica: replica), list: self.list, backOff: BackOff(first: 20, longest: 100),
      spread: replica.rawValue)
  }

  /// Whether all that it wrote was acknowledged.
  var isAcknowledged: Bool { client.acknowledged >= list.known(of: replica) }

  /// Why the server sent it away for good.
  var failure: SyncFailure.Code? {
    if case .stopped(.peerFailed(let failure)?) = client.state { failure.code } else { nil }
  }

  /// How far it is, for a test that failed.
  var described: String {
    "replica \(replica): \(client.state), acknowledged \(client.acknowledged) of "
      + "\(list.known(of: replica)), connected \(count & 0xffff_ffff) times"
  }

  func start() { perform(client.start(now: milliseconds())) }

  func tick() { perform(client.tick(now: milliseconds())) }

  /// From its next connection on it talks to another server.
  func turn(to server: LiveServer) {
    self.server = server
    outgoing?.finish()
  }

  func edit() {
    let before = list.version
    var me = Replica(id: replica, sequence: list.known(of: replica)) { 1_777_000_000_000 }
    if list.count > 2, list.known(of: replica) % 4 == 0 {
      _ = try? list.move(list[0].id, toOffset: list.count, by: &me)
    } else {
      _ = try? list.append(["title": "x"], by: &me)
    }
    written += list.delta(since: before).entries.filter { $0.dot.replica == replica }
    perform(client.listChanged(list, now: milliseconds()))
  }

  /// Makes items, which go with the first round if it has not started yet.
  func fill(_ count: Int) {
    var me = Replica(id: replica, sequence: list.known(of: replica)) { 1_777_000_000_000 }
    for number in 0..<count {
      _ = try? list.append(["title": .string("Item number \(number)")], by: &me)
    }
    perform(client.listChanged(list, now: milliseconds()))
  }

  /// Changes the list as its user does.
  func change(_ body: @Sendable (inout ReplicatedList, inout Replica) throws -> Void) rethrows {
    var me = Replica(id: replica, sequence: list.known(of: replica)) { 1_777_000_000_000 }
    try body(&list, &me)
    perform(client.listChanged(list, now: milliseconds()))
  }

  private func noteAcknowledged(_ number: Int64) {
    var builder = Delta.Builder()
    for entry in written where entry.sequence <= number { try? builder.add(entry) }
    written.removeAll { $0.sequence <= number }
    note(number, builder.build())
  }

  // What an earlier connection still says must not be taken for the present one's: each end would
  // end the next connection, for ever where the server answers late.
  private func receive(_ bytes: [UInt8]?, from connection: UInt64) {
    guard connection == count else { return }
    let now = milliseconds()
    perform(bytes.map { client.receive($0, now: now) } ?? client.connectionEnded(now: now))
  }

  private func connect() {
    count += 1
    let connection = count
    let (toServer, outgoing) = AsyncThrowingStream.makeStream(
      of: [UInt8].self, throwing: (any Error).self)
    let (toClient, answers) = AsyncStream.makeStream(of: [UInt8].self)
    self.outgoing = outgoing
    Task { [server, principal] in
      await server.serve(
        principal, reading: toServer, writing: { answers.yield($0) },
        closing: { answers.finish() })
    }
    Task {
      for await bytes in toClient { receive(bytes, from: connection) }
      receive(nil, from: connection)
    }
  }

  private func perform(_ outputs: [SyncClient.Output]) {
    var outputs = outputs[...]
    let now = milliseconds()
    while let output = outputs.popFirst() {
      switch output {
      case .connect:
        connect()
        outputs += client.connected(nonce: SessionNonce(high: 9, low: count), now: now)
      case .send(let bytes): outgoing?.yield(bytes)
      case .merge(let delta, let ticket):
        list.merge(delta)
        list.settleDigest()
        outputs += client.settled(ticket, outcome: .done(), list: list, now: now)
      case .makeDurable(_, let ticket):
        outputs += client.settled(ticket, outcome: .done(), list: list, now: now)
      case .disconnect: outgoing?.finish()
      case .event(.acknowledged(let number)): noteAcknowledged(number)
      case .event, .state: break
      }
    }
  }
}
