import Betwixt
import BetwixtSync
import TestSupport
import Testing

@Suite struct SealedBlockTests {
  @Test func roundTrips() throws {
    for seed in 0..<12 {
      let list = Sample.list(seed: UInt64(seed), edits: 60)
      let bytes = try SealedBlock.encode(list)
      let copy = try SealedBlock.decode(bytes)
      #expect(copy == list)
      #expect(copy.id == list.id)
      #expect(copy.version == list.version)
      #expect(copy.digest == list.digest)
      #expect(copy.map(\.id) == list.map(\.id))
      #expect(try SealedBlock.encode(copy) == bytes)
    }
  }

  @Test func equalListsHaveEqualBytesWhateverWayTheyCame() throws {
    let list = Sample.list(seed: 7, edits: 80)
    var other = ReplicatedList(id: list.id)
    let everything = list.delta(since: VersionVector())
    var builder = Delta.Builder()
    for entry in everything.entries.reversed() { try builder.add(entry) }
    for range in everything.ranges {
      builder.cover(range.replica, after: range.after, through: range.through)
    }
    other.merge(builder.build())
    #expect(try SealedBlock.encode(other) == SealedBlock.encode(list))
  }
}
