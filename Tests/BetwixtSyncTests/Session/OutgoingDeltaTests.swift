import Betwixt
import TestSupport
import Testing

@testable import BetwixtSync

/// How the entries of one side are cut into frames.
@Suite struct OutgoingDeltaTests {
  /// Entries go by rising dot, and an item's life and place with the first of its entries.
  @Test func entriesRiseFromFrameToFrame() throws {
    var maker = Replica(id: ReplicaID(rawValue: 9)) { 1_777_000_000_000 }
    var writer = Replica(id: ReplicaID(rawValue: 1)) { 1_777_000_000_001 }
    var list = ReplicatedList(id: Sample.listID)
    let items = try (0..<30).map { _ in try list.append(by: &maker) }
    let text = FieldValue.string(String(repeating: "w", count: 10_000))
    for item in items.reversed() { try list.set("note", of: item, to: text, by: &writer) }
    let delta = list.delta(since: VersionVector())
    var outgoing = OutgoingDelta(delta, rows: delta.rows, of: list.id, own: nil)
    var placed: [ItemID: Int] = [:]
    var notes: [Int64] = []
    var frameCount = 0
    while notes.count < items.count, frameCount < items.count {
      let block = try Block(decoding: try outgoing.frame().payload)
      outgoing.advance()
      frameCount += 1
      let (fields, others) = (
        block.delta.entries.filter { $0.register == .field("note") },
        block.delta.entries.filter { $0.register != .field("note") }
      )
      for entry in others { placed[entry.item, default: 0] += 1 }
      #expect(fields.allSatisfy { placed[$0.item] == 2 })
      notes += fields.map { $0.sequence }.sorted()
    }
    #expect(frameCount > 3 && notes == Array(1...30))
  }
}
