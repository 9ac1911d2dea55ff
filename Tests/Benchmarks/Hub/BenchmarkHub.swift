import Betwixt
import BetwixtSync

/// A hub with clients in this process, and what went to and fro; only the hub's work is timed.
struct BenchmarkHub {
  /// A client that takes all and reads as fast as it can.
  private struct Client {
    var list: ReplicatedList
    var session: SyncSession
    var outgoing: [UInt8] = []
    var pending: [SyncOutput] = []

    init(_ list: ReplicatedList, replica: UInt64?, nonce: UInt64) {
      self.list = list
      let setup = SyncSetup(replica: replica.map { ReplicaID(rawValue: $0) }, isLive: true)
      session = SyncSession(
        setup, list: list, nonce: SessionNonce(high: 1, low: nonce), now: 0)
      take(session.start(now: 0))
    }

    mutating func take(_ outputs: [SyncOutput]) {
      pending += outputs
      while !pending.isEmpty {
        switch pending.removeFirst() {
        case .send(let bytes): outgoing += bytes
        case .merge(let delta, let ticket):
          list.merge(delta)
          list.settleDigest()
          pending += session.settled(ticket, outcome: .done(), list: list, now: 0)
        case .makeDurable(_, let ticket):
          pending += session.settled(ticket, outcome: .done(), list: list, now: 0)
        case .event, .close: break
        }
      }
    }
  }

  private var clients: [Client] = []
  private var mail: [[UInt8]]
  private var now: Int64 = 0
  private(set) var hub: SyncHub
  private(set) var byteCount = 0
  private(set) var timing = Timing()

  /// Connects clients that hold what the hub holds; the first one writes.
  init(_ list: ReplicatedList, clientCount: Int) {
    hub = SyncHub(list: list, relay: .allow)
    mail = Array(repeating: [], count: clientCount)
    for number in 0..<clientCount {
      let id = UInt64(number)
      // Replicas of their own for all but those who only read.
      clients.append(
        Client(list, replica: number == 0 ? 1 : nil, nonce: id + 1))
      work {
        $0.connect(
          .init(id), principal: "\(number)", nonce: SessionNonce(high: 7, low: id), now: 0)
      }
    }
    run()
  }

  /// Whether every client has what the hub has.
  var isEqual: Bool { clients.allSatisfy { $0.list.digest == hub.list.digest } }

  var first: ReplicatedList { clients[0].list }

  mutating func forget() {
    timing = Timing()
    byteCount = 0
  }

  /// One client hands in a list, and all get it.
  mutating func edit(_ list: ReplicatedList) {
    clients[0].list = list
    clients[0].list.settleDigest()
    clients[0].take(clients[0].session.listChanged(clients[0].list, now: now))
    run()
  }

  private mutating func run() {
    var isQuiet = false
    while !isQuiet {
      now += 60
      isQuiet = true
      for number in clients.indices {
        let outgoing = clients[number].outgoing
        if !outgoing.isEmpty {
          clients[number].outgoing = []
          isQuiet = false
          byteCount += outgoing.count
          let time = now
          work { $0.receive(outgoing, from: .init(UInt64(number)), now: time) }
        }
      }
      let time = now
      work { $0.tick(now: time) }
      for number in clients.indices where !mail[number].isEmpty {
        let incoming = mail[number]
        mail[number] = []
        isQuiet = false
        byteCount += incoming.count
        clients[number].take(clients[number].session.receive(incoming, now: now))
      }
    }
  }

  private mutating func work(_ body: (inout SyncHub) -> [SyncHub.Output]) {
    let watch = Stopwatch()
    var outputs = body(&hub)
    var place = 0
    while place < outputs.count {
      switch outputs[place] {
      case .send(let bytes, let peer): mail[Int(peer.rawValue)] += bytes
      case .store(_, let ticket):
        outputs += hub.stored(ticket, succeeded: true, now: now)
      default: break
      }
      place += 1
    }
    timing = timing + watch.lap()
  }
}
