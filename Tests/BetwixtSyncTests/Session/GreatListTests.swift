import Betwixt
import BetwixtSync
import TestSupport
import Testing

/// Sessions between great lists: bytes and counted work, never a stopwatch.
///
/// Of 100,000 items in the long form; neither bytes nor counts depend on that.
@Suite(.serialized) struct GreatListTests {
  static let count = runsLong ? 100_000 : 20_000

  /// A list of items behind each other, its digest settled, as a host keeps it.
  static func list(_ count: Int) throws -> ReplicatedList {
    let replica = ReplicaID(rawValue: 0x51)
    var rows: [Delta.Row] = []
    var bytes: [UInt8] = []
    var key: SortKey?
    for number in 0..<count {
      let sequence = Int64(number) * 2 + 1
      let next = try SortKey.between(key, nil, replica: replica, counter: sequence + 1)
      key = next
      let values: [[UInt8]] = [[0, 0, 0, 1], [0x80, 0, 0, 0, 0, 0, 0, 0] + next.bytes]
      for (index, value) in values.enumerated() {
        rows.append(
          Delta.Row(
            item: ItemID(high: replica.rawValue, low: UInt64(sequence)),
            time: (1_777_000_000_000 + UInt64(number)) << 16, sequence: sequence + Int64(index),
            replica: 0, register: index == 0 ? .life : .position, start: bytes.count,
            count: value.count))
        bytes += value
      }
    }
    let all = CoveredRange(replica: replica, after: 0, through: Int64(count) * 2)
    var list = ReplicatedList(id: Sample.listID)
    list.merge(
      Delta(rows: rows, bytes: bytes, registers: [], replicas: [replica], ranges: [all]))
    list.settleDigest()
    return list
  }

  static let great = Result { try list(count) }

  /// Two copies that each made some writes at places spread over the list.
  static func fork(
    _ base: ReplicatedList, writes: Int
  ) throws -> (ReplicatedList, ReplicatedList) {
    var me = Replica(id: ReplicaID(rawValue: 0x7fff_ffff_ffff_ff0a)) { 1_777_100_000_000 }
    var you = Replica(id: ReplicaID(rawValue: 0x7fff_ffff_ffff_ff0b)) { 1_777_100_000_007 }
    var (left, right) = (base, base)
    let step = base.count / (2 * writes)
    for number in 0..<writes {
      try left.set("n", of: base[number * step].id, to: .int64(-1), by: &me)
      try right.move(base[base.count / 2 + number * step].id, toOffset: number, by: &you)
    }
    return (left, right)
  }

  private static func setup(_ replica: UInt64) -> SyncSetup {
    SyncSetup(
      replica: ReplicaID(rawValue: 0x7fff_ffff_ffff_ff00 + replica),
      implementation: "betwixt 0.1.0",
      wallClock: 1_777_100_000_000)
  }

  /// By their dots all places and lives would come behind everything else.
  @Test("a list all of whose items were moved, and most removed, comes to a new device")
  func movedAndRemoved() throws {
    let count = runsLong ? 70_000 : 4_000
    var list = ReplicatedList(id: Sample.listID)
    var me = Replica(id: ReplicaID(rawValue: 7)) { 1_777_000_000_000 }
    for number in 0..<count {
      try list.append(["title": "Museum", "n": .int64(Int64(number))], by: &me)
    }
    for item in list.map(\.id) { try list.move(item, toOffset: list.count, by: &me) }
    for item in list.map(\.id).dropFirst(100) { try list.remove(item, by: &me) }
    list.settleDigest()
    var setup = Self.setup(0xb)
    // With the usual number of 65,536 in the long form.
    if !runsLong { setup.admission.incompleteItemCount = 100 }
    var pair = SyncPair(list, ReplicatedList(id: list.id), Self.setup(0xa), setup)
    pair.run()
    SyncSessionTests.expectSynced(pair, list)
    #expect(pair.b.list.count == 100)
  }

  @Test func equalListsCostLessThan600Bytes() throws {
    let list = try Self.great.get()
    #expect(list.count == Self.count)
    var pair = SyncPair(list, list, Self.setup(0xa), Self.setup(0xb))
    pair.run()
    SyncSessionTests.expectSynced(pair, list)
    #expect(pair.byteCount < 600)
    print("equal lists of \(Self.count) items: \(pair.byteCount) bytes both ways")
  }

  @Test(arguments: [(5, 1_000), (10, 1_500)])
  func aFewWritesEachCostLittle(writes: Int, limit: Int) throws {
    let (left, right) = try Self.fork(try Self.great.get(), writes: writes)
    var pair = SyncPair(left, right, Self.setup(0xa), Self.setup(0xb))
    pair.run()
    #expect(pair.a.end == .finished && pair.b.end == .finished)
    #expect(pair.a.list.digest == pair.b.list.digest)
    #expect(pair.a.list.version == pair.b.list.version)
    #expect(pair.byteCount < limit)
    print("\(writes) writes each into \(Self.count) items: \(pair.byteCount) bytes both ways")
  }

  // The invariant checks of the list count, too.
  #if DEBUG && !BETWIXT_CHECKS
  @Test func workFollowsTheDifference() throws {
    for size in [1_000, 5_000, Self.count] {
      let base = size == Self.count ? try Self.great.get() : try Self.list(size)
      let logarithm = Int.bitWidth - size.leadingZeroBitCount
      for writes in [1, 10] {
        let (left, right) = try Self.fork(base, writes: writes)
        let ((), cost) = Cost.measure {
          var pair = SyncPair(left, right, Self.setup(0xa), Self.setup(0xb))
          pair.run()
          #expect(pair.a.end == .finished)
        }
        // Each side hashes the pages of 64 items that changed, for its list and for what it
        // compares, whatever the size of the list.
        let changed = 2 * writes
        #expect(cost[.entryHash] <= 16 * 64 * 2 * changed, "\(size) items, \(changed) writes")
        #expect(cost[.pageVisit] <= 8 * changed, "\(size) items, \(changed) writes")
        #expect(cost[.comparison] <= 16 * changed * logarithm, "\(size) items, \(changed) writes")
        #expect(cost[.nodeVisit] <= 16 * changed * logarithm, "\(size) items, \(changed) writes")
        print(
          "\(size) items, \(changed) writes: \(cost[.entryHash]) hashes, \(cost[.pageVisit]) pages, "
            + "\(cost[.comparison]) comparisons, \(cost[.nodeVisit]) nodes")
      }
    }
  }
  #endif

  /// A version that needs several windows, to a peer that says at once that it holds the same.
  @Test(arguments: [false, true]) func aGreatVersionTakesNoMoreThanTheWindow(isLive: Bool) throws {
    let setup = SyncSetup(isLive: isLive, window: 128 << 10)
    var me = Replica(id: ReplicaID(rawValue: 7)) { 1_777_000_000_000 }
    var few = ReplicatedList(id: Sample.listID)
    try few.append(["title": "Same"], by: &me)
    var many = few
    var builder = Delta.Builder()
    for number in 0..<20_000 as Range<UInt64> {
      builder.cover(ReplicaID(rawValue: 1_000 + number), after: 0, through: 1_000)
    }
    many.merge(builder.build())
    many.settleDigest()
    var pair = SyncPair(many, few, setup, setup)
    pair.run(piece: 32 << 10)
    if isLive {
      #expect(pair.a.end == nil && pair.b.end == nil)
      // What is written now comes behind the rest of the version.
      try pair.a.list.append(["title": "More"], by: &me)
      pair.a.take(pair.a.session.listChanged(pair.a.list, now: 0))
      pair.run()
      #expect(pair.a.session.isIdle && pair.b.session.isIdle && pair.b.list.count == 2)
    } else {
      #expect(pair.a.end == .finished && pair.b.end == .finished)
    }
    #expect(pair.a.list == pair.b.list)
  }
}
