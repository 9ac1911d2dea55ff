import Betwixt
import Testing

@Suite("A part of a delta")
struct DeltaSelectionTests {
  private static let me = ReplicaID(rawValue: 1)
  private static let you = ReplicaID(rawValue: 2)

  private static func delta() throws -> (Delta, ReplicatedList) {
    var me = Replica(id: me) { World.startOfTime }
    var you = Replica(id: you) { World.startOfTime }
    var list = ReplicatedList(id: World.listID)
    for number in 0..<4 as Range<Int64> { try list.append(["n": .int64(number)], by: &me) }
    let known = list.version
    try list.set("n", of: list[2].id, to: 9, by: &you)
    try list.append(["m": 1], by: &you)
    return (list.delta(since: known), list)
  }

  @Test("it has the rows that were chosen, in order, and claims what it is told and no more")
  func selection() throws {
    let (delta, _) = try Self.delta()
    let claim = CoveredRange(replica: Self.you, after: 0, through: 3)
    let part = delta.selecting([delta.rows[2], delta.rows[0]], ranges: [claim])
    #expect(part.entries == [delta.entries[0], delta.entries[2]])
    #expect(part.ranges == [claim] && part.context == [Self.you: 3])
    #expect(part.premise.isEmpty && !delta.premise.isEmpty)
    var stranger = ReplicatedList(id: World.listID)
    stranger.merge(part)
    #expect(stranger.version == [Self.you: 3] && stranger.entryCount == 2)
    let unclaimed = delta.selecting(delta.rows)
    #expect(unclaimed.entries == delta.entries)
    #expect(unclaimed.ranges.isEmpty && unclaimed.context.isEmpty)
  }

  @Test("of more names than rows only those are kept that the rows use")
  func names() throws {
    var list = ReplicatedList(id: World.listID)
    for number in 0..<20 as Range<UInt64> {
      var me = Replica(id: ReplicaID(rawValue: number + 1)) { World.startOfTime }
      try list.append([try #require(FieldName("n\(number)")): 1, "title": "one"], by: &me)
    }
    let delta = list.delta(since: [:])
    for start in stride(from: 0, to: delta.count, by: 7) {
      let rows = Array(delta.rows[start..<min(start + 7, delta.count)])
      let part = delta.selecting(rows.reversed())
      #expect(part.entries == Array(delta.entries[start..<start + rows.count]))
      #expect(part.registerTable.count <= rows.count && part.replicaTable.count <= rows.count)
    }
    #expect(delta.selecting(delta.rows).registerTable == delta.registerTable)
  }

  @Test("without ranges the entries stay and nothing is claimed")
  func withoutRanges() throws {
    let (delta, list) = try Self.delta()
    var other = ReplicatedList(id: World.listID)
    other.merge(delta.withoutRanges)
    #expect(other.version.isEmpty && other.entryCount == delta.count)
    #expect(delta.withoutRanges.premise == delta.premise)
    #expect(delta.withoutRanges.context == list.version)
  }

  @Test("without knowledge the ranges stay, for whoever knows what came before")
  func withoutKnowledge() throws {
    let (delta, list) = try Self.delta()
    let bare = delta.withoutKnowledge
    #expect(bare.entries == delta.entries && bare.ranges == delta.ranges)
    #expect(bare.premise.isEmpty && bare.context == [Self.you: list.version[Self.you]])
    var stranger = ReplicatedList(id: World.listID)
    stranger.merge(bare)
    #expect(stranger.version == [Self.you: list.version[Self.you]])
  }

  @Test("a few rows are in order among many names, however the names came")
  func fewRowsOfManyNames() throws {
    var me = Replica(id: Self.me) { World.startOfTime }
    var list = ReplicatedList(id: World.listID)
    let names = try (10..<60).reversed().map { try #require(FieldName("f\($0)")) }
    // The later item has the lesser id, so that the rows have to be sorted.
    let items = [ItemID(high: 9, low: 9), ItemID(high: 1, low: 1)]
    for item in items { try list.create(item, by: &me) }
    for name in names { try list.set(name, of: items[0], to: 1, by: &me) }
    let known = list.version
    for name in [names[7], names[40], names[2]] {
      for item in items { try list.set(name, of: item, to: 2, by: &me) }
    }
    try list.remove(items[0], by: &me)
    let entries = list.delta(since: known).entries
    let fields = [names[40], names[7], names[2]].map { Register.field($0) }
    #expect(entries.map(\.item) == (0..<7).map { items[$0 < 3 ? 1 : 0] })
    #expect(entries.map(\.register) == fields + [.life] + fields)
    var builder = Delta.Builder()
    for entry in entries.reversed() { try builder.add(entry) }
    #expect(builder.build().entries == entries)
  }

  @Test("rows, tables and claims make the delta they came from")
  func tables() throws {
    let (delta, list) = try Self.delta()
    let copy = Delta(
      rows: delta.rows, bytes: delta.bytes, registers: delta.registerTable,
      replicas: delta.replicaTable, ranges: delta.ranges, premise: delta.premise,
      known: [Self.me: list.version[Self.me]])
    #expect(copy.entries == delta.entries && copy.ranges == delta.ranges)
    #expect(copy.premise == delta.premise && copy.context == delta.context)
    for (row, entry) in zip(delta.rows, delta.entries) {
      #expect(delta.register(of: row) == entry.register)
      #expect(delta.entryDigest(row) == SHA256.hash(entry.canonicalBytes))
    }
  }
}
