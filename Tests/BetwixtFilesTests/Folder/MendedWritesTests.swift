import Betwixt
import BetwixtSync
import TestSupport
import Testing

@testable import BetwixtFiles

/// Which own writes of a clock that was ahead are void in shared folders, and what may be claimed of who
/// wrote them.
@Suite struct MendedWritesTests {
  private static let now: Int64 = 1_780_000_000_000
  private let ids = (1...3).map { ReplicaID(rawValue: $0) }

  private func append(_ count: Int, to list: inout ReplicatedList, by id: ReplicaID) throws {
    var me = Replica(id: id, sequence: list.version[id]) { Self.now }
    for _ in 0..<count { try list.append(["title": "a"], by: &me) }
  }

  private func ranges(of id: ReplicaID, in delta: Delta) -> [Int64] {
    delta.ranges.filter { $0.replica == id }.map(\.through)
  }

  @Test func ofWhoWroteNothingNothingIsVoid() throws {
    var list = ReplicatedList(id: ListID(high: 1, low: 1))
    try append(1, to: &list, by: ids[0])
    var mended = MendedWrites()
    mended.note(list, writtenBy: [ids[1], ids[0]], from: Self.now, by: ids[2])
    #expect(mended.names(ids[0]) && !mended.names(ids[1]))
  }

  /// A document that was moved away may come back, and go on being written under the id that was given up
  /// for it elsewhere.
  @Test func whoGoesOnIsBelieved() throws {
    var list = ReplicatedList(id: ListID(high: 1, low: 1))
    try append(2, to: &list, by: ids[0])
    var mended = MendedWrites()
    mended.note(list, writtenBy: [ids[0]], from: Self.now + 1, by: ids[2])
    var there = list
    try append(2, to: &there, by: ids[0])
    try append(1, to: &list, by: ids[2])
    let delta = there.delta(since: VersionVector())
    let rest = mended.known(to: list).rest(of: delta, isOwn: true, holding: list)
    #expect(rest.count == delta.count)
    #expect(ranges(of: ids[0], in: rest) == [there.version[ids[0]]])
  }

  /// Who was put back to before does not know the void numbers, and claims none of them.
  @Test func whatIsVoidIsNotClaimedByWhoDoesNotKnowIt() throws {
    var list = ReplicatedList(id: ListID(high: 1, low: 1))
    try append(1, to: &list, by: ids[0])
    var later = list
    try append(2, to: &later, by: ids[0])
    var mended = MendedWrites()
    mended.note(later, writtenBy: [ids[0]], from: Self.now + 1, by: ids[2])
    try append(1, to: &list, by: ids[2])
    let rest = mended.known(to: list).rest(
      of: later.delta(since: VersionVector()), isOwn: false, holding: list)
    #expect(ranges(of: ids[0], in: rest) == [list.version[ids[0]]])
  }
}
