import Betwixt
import TestSupport
import Testing

@testable import BetwixtSync

/// What everything costs in bytes, against the targets; printed as a table.
@Suite(.serialized) struct ByteCostTests {
  #if DEBUG
  private static let sizes = runsLong ? [1_000, 10_000] : [1_000]
  #else
  private static let sizes = [1_000, 10_000, 100_000]
  #endif

  /// Lives of `count` items, written in turn by some replicas.
  static func entries(_ count: Int, replicas: Int) -> Delta {
    let ids = (0..<replicas).map { ReplicaID(rawValue: 0x0101_0000_0000_0000 * UInt64($0 + 1)) }
    let rows = (0..<count).map { number in
      Delta.Row(
        item: ItemID(high: 1, low: UInt64(number)),
        time: (1_777_000_000_000 + UInt64(number)) << 16,
        sequence: Int64(number / replicas) + 1, replica: UInt32(number % replicas),
        register: .life, start: number * 4, count: 4)
    }
    var bytes: [UInt8] = []
    for _ in 0..<count { bytes += [0, 0, 0, 1] }
    let ranges = (0..<replicas).map { index in
      CoveredRange(
        replica: ids[index], after: 0,
        through: Int64((count - 1 - index) / replicas) + 1)
    }
    return Delta(rows: rows, bytes: bytes, registers: [], replicas: ids, ranges: ranges)
  }

  /// A list of a delta's entries, some left out; without a version, so that contents are compared.
  private static func list(
    _ delta: Delta, claims: Bool, where isKept: (Int) -> Bool = { _ in true }
  ) -> ReplicatedList {
    let rows = delta.rows.indices.filter(isKept).map { delta.rows[$0] }
    var list = ReplicatedList(id: Sample.listID)
    list.merge(delta.selecting(rows, ranges: claims ? delta.ranges : []))
    list.settleDigest()
    return list
  }

  /// The bytes of RANGES and WANT, both ways, that find what one list lacks.
  private static func located(
    _ all: ReplicatedList, _ part: ReplicatedList
  ) -> (bytes: Int, frames: Int) {
    // These items have a life alone, and more of them than a stranger may send.
    var admission = AdmissionPolicy(now: nil)
    admission.incompleteItemCount = .max
    let setup = SyncSetup(admission: admission)
    var pair = SyncPair(all, part, setup, setup)
    var streams = [FrameStream(), FrameStream()]
    var (bytes, count) = (0, 0)
    while !(pair.a.sent.isEmpty && pair.b.sent.isEmpty) {
      let sent = [pair.a.sent, pair.b.sent]
      (pair.a.sent, pair.b.sent) = ([], [])
      pair.b.receive(sent[0])
      pair.a.receive(sent[1])
      for index in 0..<2 {
        streams[index].append(sent[index])
        while let frame = try? streams[index].next() {
          guard frame.type == .ranges || frame.type == .want else { continue }
          bytes += frame.payload.count + Frame.overhead
          count += frame.type == .ranges ? 1 : 0
        }
      }
    }
    #expect(pair.a.end == .finished && pair.b.end == .finished)
    #expect(pair.b.list.digest == all.digest)
    return (bytes, count)
  }

  @Test func comparingContents() {
    print("RECONCILE, 8 replicas: bytes to locate (RANGES frames)")
    for size in Self.sizes {
      let delta = Self.entries(size, replicas: 8)
      let all = Self.list(delta, claims: true)
      var random = SplitMix64(seed: UInt64(size))
      for (name, missing) in Self.scenarios(size, &random) {
        let part = Self.list(delta, claims: false) { !missing.contains($0) }
        let (bytes, frames) = Self.located(all, part)
        print("| \(size) | \(name) | \(bytes) | \(frames) |")
        // What does not fit into a plain frame goes on in two more.
        let joined = bytes / (SyncSetup.plainFrame / 2)
        #expect(
          frames <= ReconciliationTests.frameBound(size) + 2 * joined, "\(size), \(name)")
      }
    }
  }

  private static func scenarios(
    _ size: Int, _ random: inout SplitMix64
  ) -> [(String, Set<Int>)] {
    var scenarios: [(String, Set<Int>)] = []
    for count in [10, 100, 1_000] where count * 10 <= size {
      let newest = (0..<count).map { size - 8 - $0 * 8 + size % 8 }
      scenarios.append(("last \(count) of one replica", Set(newest)))
      var scattered: Set<Int> = []
      while scattered.count < count { scattered.insert(random.next(below: size)) }
      scenarios.append(("\(count) scattered", scattered))
    }
    // Rising by dot, the last two in five of what was sent.
    let order = (0..<size).sorted { ($0 % 8, $0) < ($1 % 8, $1) }
    scenarios.append(("DELTA cut at 60 %", Set(order.dropFirst(size * 6 / 10))))
    return scenarios
  }

  @Test func nothingToDo() {
    for replicas in [1, 8, 64] {
      let list = Self.list(Self.entries(640, replicas: replicas), claims: true)
      var pair = SyncPair(
        list, list,
        SyncSetup(replica: ReplicaID(rawValue: 1), implementation: "betwixt", wallClock: 1 << 40),
        SyncSetup(replica: ReplicaID(rawValue: 2), implementation: "betwixt", wallClock: 1 << 40))
      pair.run()
      #expect(pair.byteCount <= 2 * (260 + 13 * replicas))
      print("nothing to do, \(replicas) replicas: \(pair.byteCount) bytes both ways")
    }
  }

  @Test func oneEditOnTheWire() throws {
    var me = Replica(id: ReplicaID(rawValue: 0xa1b2_c3d4_e5f6_0718)) { 1_777_000_000_000 }
    var list = ReplicatedList(id: Sample.listID)
    for _ in 0..<200 { try list.append(["title": "Museum of Pop Culture"], by: &me) }
    var later = Replica(id: me.id, sequence: me.sequence) { 1_777_000_900_000 }
    let known = list.version
    var moved = list
    try moved.move(fromOffset: 150, toOffset: 20, by: &later)
    var edited = list
    try edited.set("title", of: list[7].id, to: "Space Needle", by: &later)
    for (name, changed, target) in [("one move", moved, 90), ("one field edit", edited, 85 + 13)] {
      var outgoing = OutgoingDelta(
        changed.delta(since: known), rows: changed.delta(since: known).rows, of: list.id, own: nil)
      let bytes = try outgoing.frame().payload.count + Frame.overhead
      #expect(bytes <= target, "\(name)")
      print("\(name): \(bytes) bytes as a frame")
    }
  }

  /// What random families cost: items that were each made in a commit of their own have ids that
  /// share nothing, and lie in a block in no order of time.
  @Test(arguments: [1, 20]) func familiesOfCommits(itemsPerCommit: Int) throws {
    let count = 1_000
    let random = SharedRandom(seed: 7)
    var sizes: [Int] = []
    for isRandom in [false, true] {
      var list = ReplicatedList(id: Sample.listID)
      let families: (@Sendable () -> UInt64)? = isRandom ? { @Sendable in random.next() } : nil
      for commit in 0..<(count / itemsPerCommit) {
        let time = 1_777_000_000_000 + Int64(commit) * 40_000
        var me = Replica(
          id: ReplicaID(rawValue: 0xa1b2_c3d4_e5f6_0718), families: families, clock: { time })
        for _ in 0..<itemsPerCommit { try list.append(["title": "Museum"], by: &me) }
      }
      let bytes = try SealedBlock.encode(list)
      #expect(try SealedBlock.decode(bytes) == list)
      sizes.append(bytes.count)
    }
    let price = Double((sizes[1] - sizes[0]) * 100 / count) / 100
    print("\(count) items, \(itemsPerCommit) a commit: \(sizes) bytes, \(price) an item more")
    #expect(price <= (itemsPerCommit == 1 ? 14 : 1.5))
  }

  @Test func snapshots() throws {
    let trip = Sample.list(seed: 6, edits: 400)
    let delta = trip.delta(since: VersionVector())
    let bytes = try Block(.snapshot, of: trip.id, holding: delta).encoded().count
    let values = delta.rows.reduce(0) { $0 + $1.count }
    let overhead = Double((bytes - values) * 100 / delta.count) / 100
    print("snapshot: \(delta.count) entries, \(bytes) bytes, \(overhead) per entry beside values")
    #expect(overhead <= 9)
  }
}
