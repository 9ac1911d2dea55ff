import Betwixt
import BetwixtSync
import TestSupport
import Testing

/// A hub tells its host which writes lost, where they met.
@Suite struct HubLossTests {
  @Test func changedNamesWhatLost() throws {
    var me = Replica(id: ReplicaID(rawValue: 9)) { 1_777_000_000_000 }
    var list = HubTests.empty
    let lunch = try list.append(["title": "Lunch"], by: &me)
    let walk = try list.append(["title": "Walk"], by: &me)
    // Two people who have not heard of each other: the second one titles later, and edits what the
    // first one removes.
    var (first, second) = (list, list)
    var anna = Replica(id: ReplicaID(rawValue: 1)) { 1_777_000_001_000 }
    var ben = Replica(id: ReplicaID(rawValue: 2)) { 1_777_000_002_000 }
    try first.set("title", of: lunch, to: "Brunch", by: &anna)
    try first.remove(walk, by: &anna)
    try second.set("title", of: lunch, to: "Dinner", by: &ben)
    try second.set("note", of: walk, to: "short", by: &ben)

    var hub = SyncHub(list: list)
    var told: [(UInt64, ListChanges)] = []
    for (number, copy) in [(1 as UInt64, first), (2, second)] {
      told += Self.visit(&hub, with: copy, as: number).map { (number, $0) }
    }
    #expect(told.map(\.0) == [1, 2])
    #expect(told[0].1.conflicts.isEmpty && told[0].1.removalConflicts.isEmpty)
    let conflict = try #require(told[1].1.conflicts.first)
    #expect(told[1].1.conflicts.count == 1)
    #expect(conflict.item == lunch && conflict.register == .field("title"))
    #expect(conflict.winner.value == .field("Dinner") && conflict.loser.value == .field("Brunch"))
    #expect(told[1].1.removalConflicts.map(\.item) == [walk])
    #expect(hub.list[id: lunch]?["title"] == "Dinner")
  }

  /// A session of a client with a copy; what the hub says has changed.
  private static func visit(
    _ hub: inout SyncHub, with copy: ReplicatedList, as number: UInt64
  ) -> [ListChanges] {
    let peer = SyncHub.PeerID(number)
    var client = SyncPeer(
      copy, SyncSetup(replica: ReplicaID(rawValue: number)), nonce: number + 10)
    var changes: [ListChanges] = []
    var outputs = hub.connect(
      peer, principal: "user\(number)", nonce: SessionNonce(high: 7, low: number), now: 0)[...]
    while true {
      while let output = outputs.popFirst() {
        switch output {
        case .send(let bytes, _): client.receive(bytes)
        case .store(_, let ticket): outputs += hub.stored(ticket, succeeded: true, now: 0)
        case .changed(let change, let who):
          #expect(who == peer)
          changes.append(change)
        default: break
        }
      }
      guard !client.sent.isEmpty else { return changes }
      let bytes = client.sent
      client.sent = []
      outputs += hub.receive(bytes, from: peer, now: 0)
    }
  }
}
