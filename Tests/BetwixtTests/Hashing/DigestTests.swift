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
