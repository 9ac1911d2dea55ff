import Betwixt
import BetwixtSync

/// Two devices that talk to each other until both are silent.
struct Conversation {
  struct Device {
    var list: ReplicatedList
    private var session: SyncSession
    var outgoing: [UInt8] = []

    init(_ list: ReplicatedList, nonce: UInt64) {
      self.list = list
      session = SyncSession(
        SyncSetup(), list: list, nonce: SessionNonce(high: nonce, low: nonce), now: 0)
      perform(session.start(now: 0))
    }

    mutating func receive(_ bytes: [UInt8]) { perform(session.receive(bytes, now: 0)) }

    private mutating func perform(_ outputs: [SyncOutput]) {
      var pending = outputs[...]
      while let output = pending.popFirst() {
        switch output {
        case .send(let bytes): outgoing += bytes
        case .merge(let delta, let ticket):
          list.merge(delta)
          pending += session.settled(ticket, outcome: .done(), list: list, now: 0)
        case .makeDurable(_, let ticket):
          pending += session.settled(ticket, outcome: .done(), list: list, now: 0)
        case .event, .close: break
        }
      }
    }
  }

  var left: Device
  var right: Device

  init(_ left: ReplicatedList, _ right: ReplicatedList) {
    self.left = Device(left, nonce: 1)
    self.right = Device(right, nonce: 2)
  }

  mutating func run() {
    while !left.outgoing.isEmpty || !right.outgoing.isEmpty {
      let (fromLeft, fromRight) = (left.outgoing, right.outgoing)
      left.outgoing = []
      right.outgoing = []
      right.receive(fromLeft)
      left.receive(fromRight)
    }
  }
}
