import Betwixt
import BetwixtSync

@testable import BetwixtFiles

/// A client on a line of two streams, in a task of its own.
actor StreamDevice {
  var list: ReplicatedList
  private var client: SyncClient
  private let connect: @Sendable () -> Line
  private let note: @Sendable (Int64) -> Void
  private var line: Line?
  // Of connections; the replica stands in the upper half.
  private var count: UInt64

  struct Line: Sendable {
    let inbound: AsyncStream<[UInt8]>
    let outbound: AsyncThrowingStream<[UInt8], any Error>.Continuation
  }

  init(
    _ list: ReplicatedList, replica: UInt64, note: @escaping @Sendable (Int64) -> Void = { _ in },
    connect: @escaping @Sendable () -> Line
  ) {
    self.list = list
    self.note = note
    self.connect = connect
    count = replica << 32
    client = SyncClient(
      SyncSetup(replica: ReplicaID(rawValue: replica)), list: list,
      backOff: BackOff(first: 20, longest: 100), spread: replica)
  }

  var state: SyncClient.State { client.state }
  var acknowledged: Int64 { client.acknowledged }

  func start() { perform(client.start(now: PipeDriver.now())) }

  func stop() { perform(client.stop(now: PipeDriver.now())) }

  func edit(_ body: @Sendable (inout ReplicatedList) throws -> Void) rethrows {
    try body(&list)
    perform(client.listChanged(list, now: PipeDriver.now()))
  }

  func tick() { perform(client.tick(now: PipeDriver.now())) }

  // What an earlier connection still says must not be taken for the present one's.
  private func receive(_ bytes: [UInt8]?, from connection: UInt64) {
    guard connection == count else { return }
    let now = PipeDriver.now()
    perform(bytes.map { client.receive($0, now: now) } ?? client.connectionEnded(now: now))
  }

  private func perform(_ outputs: [SyncClient.Output]) {
    var outputs = outputs[...]
    let now = PipeDriver.now()
    while let output = outputs.popFirst() {
      switch output {
      case .connect:
        let line = connect()
        self.line = line
        count += 1
        let connection = count
        outputs += client.connected(nonce: SessionNonce(high: 9, low: count), now: now)
        Task {
          for await bytes in line.inbound { receive(bytes, from: connection) }
          receive(nil, from: connection)
        }
      case .send(let bytes): line?.outbound.yield(bytes)
      case .merge(let delta, let ticket):
        list.merge(delta)
        list.settleDigest()
        outputs += client.settled(ticket, outcome: .done(), list: list, now: now)
      case .makeDurable(_, let ticket):
        outputs += client.settled(ticket, outcome: .done(), list: list, now: now)
      case .disconnect: line?.outbound.finish()
      case .event(.acknowledged(let number)): note(number)
      case .event, .state: break
      }
    }
  }
}

/// A listener whose sockets are pairs of streams.
struct StreamListener: Sendable {
  let sockets: AsyncStream<Socket>
  let continuation: AsyncStream<Socket>.Continuation

  init() { (sockets, continuation) = AsyncStream.makeStream(of: Socket.self) }

  func connect(_ token: String) -> StreamDevice.Line {
    let (toServer, outbound) = AsyncThrowingStream.makeStream(
      of: [UInt8].self, throwing: (any Error).self)
    let (toClient, answers) = AsyncStream.makeStream(of: [UInt8].self)
    let result = continuation.yield(
      Socket(
        token: token, inbound: toServer, write: { answers.yield($0) },
        close: {
          answers.finish()
          outbound.finish()
        }))
    if case .terminated = result { answers.finish() }
    return StreamDevice.Line(inbound: toClient, outbound: outbound)
  }
}
