import Betwixt
import Testing

@Suite("Digests")
struct DigestTests {
  @Test("32 bytes are a digest, and no other number of them")
  func bytes() throws {
    let digest = ReplicatedList(id: World.listID).digest
    #expect(digest.bytes.count == 32)
    #expect(Digest(bytes: digest.bytes) == digest)
    #expect(Digest(bytes: digest.bytes.dropLast()) == nil)
    #expect(Digest(bytes: digest.bytes + [0]) == nil)
    #expect(digest.description.utf8.count == 64)
  }

  @Test("whether two lists hold the same entries is what their digests say, whatever they share")
  func sameEntries() throws {
    var (same, other) = (0, 0)
    for seed in 0..<40 as Range<UInt64> {
      var random = ChoiceSource(seed: seed)
      var writer = Replica(id: ReplicaID(rawValue: 1)) { World.startOfTime }
      var list = ReplicatedList(id: World.listID)
      for number in 0..<200 { try list.append(["n": .int64(Int64(number))], by: &writer) }
      var lists = [list]
      // Pages that were loaded are packed, which is how copies have them in common.
      var loaded = ReplicatedList(id: World.listID)
      loaded.join(list.delta(since: [:]))
      lists.append(loaded)
      for number in 2..<7 as Range<UInt64> {
        var copy = lists[random.next(below: lists.count)]
        var me = Replica(id: ReplicaID(rawValue: number)) { World.startOfTime }
        let item = copy[random.next(below: copy.count)].id
        switch random.next(below: 7) {
        case 0: try copy.set("n", of: item, to: 7, by: &me)
        case 1: try copy.move(item, toOffset: 0, by: &me)
        case 2: try copy.append(["n": 8], by: &me)
        case 3: copy.merge(lists[random.next(below: lists.count)])
        case 4: copy.settleDigest()
        case 5: copy.pack()
        default: break
        }
        lists.append(copy)
      }
      for left in lists {
        for right in lists {
          let isSame = left.digest == right.digest
          #expect(left.holdsSameEntries(as: right) == isSame, "seed \(seed)")
          if isSame { same += 1 } else { other += 1 }
        }
      }
      #expect(!list.holdsSameEntries(as: ReplicatedList(id: World.listID)))
    }
    #expect(same > 100 && other > 100)
  }

  // Hashing takes fifty times as long without optimization; there are all of them with it.
  #if DEBUG
  private let settlingRuns: UInt64 = 6
  #else
  private let settlingRuns: UInt64 = 60
  #endif

  @Test("a merge that settles leads to the digest of all entries, and to settled pages")
  func settlingMerges() throws {
    for seed in 0..<settlingRuns as Range<UInt64> {
      var random = ChoiceSource(seed: seed)
      var writer = Replica(id: ReplicaID(rawValue: 1)) { World.startOfTime }
      var source = ReplicatedList(id: World.listID)
      let items = try (0..<150).map { _ in try source.append(["n": 0], by: &writer) }
      var follower = source
      follower.settleDigest()
      for step in 0..<40 {
        let before = source.version
        for _ in 0...random.next(below: 12) {
          let item = items[random.next(below: items.count)]
          switch random.next(below: 8) {
          case 0: try source.append(["n": .int64(Int64(step))], by: &writer)
          case 1 where source.contains(id: item): try source.remove(item, by: &writer)
          case 2: try source.set("long", of: item, to: .string("\(seed) \(step)"), by: &writer)
          case 3 where source.contains(id: item):
            try source.move(item, toOffset: random.next(below: source.count), by: &writer)
          default: try source.set("n", of: item, to: .int64(Int64(step)), by: &writer)
          }
        }
        // Some come twice, and some only later.
        guard random.next(below: 4) > 0 else { continue }
        let delta = source.delta(since: random.next(below: 2) == 0 ? before : follower.version)
        follower.mergeSettling(delta)
        var anew = ReplicatedList(id: World.listID)
        anew.merge(try Delta(follower.entries))
        #expect(follower.digest == anew.digest, "seed \(seed), step \(step)")
        #expect(follower.entryCount == anew.entryCount)
        // Also when pages are hashed again.
        var later = follower
        try later.set("n", of: items[step], to: -1, by: &writer)
        anew = ReplicatedList(id: World.listID)
        anew.merge(try Delta(later.entries))
        #expect(later.digest == anew.digest, "seed \(seed), step \(step)")
      }
    }
  }
}
