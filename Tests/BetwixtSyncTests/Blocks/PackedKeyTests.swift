import Betwixt
import TestSupport
import Testing

@testable import BetwixtSync

/// Keys are packed and unpacked in one walk where that can be, and else step by step: both ways say
/// the same of every key and of all bytes that may be none.
@Suite struct PackedKeyTests {
  private struct Sample {
    let names: BlockNames
    let entries: [Entry]
  }

  private static func sample(_ seed: UInt64) throws -> Sample {
    let list = try KeyFormTests.list(seed: seed)
    let entries = list.delta(since: [:]).entries.filter { $0.register == .position }
    return Sample(names: BlockNames(replicas: entries.map { $0.stamp.replica }), entries: entries)
  }

  /// The packed stem of a key, step by step.
  private static func packed(_ key: SortKey, in names: BlockNames, isWhole: Bool) -> [UInt8] {
    var names = names
    var steps: [SortKeyStep] = []
    let bytes = key.bytes[...]
    _ = SortKey.readSteps(of: bytes.span, into: &steps)
    var stem: [UInt8] = []
    PackedStem.append(steps, of: bytes.span, in: &names, isWhole: isWhole, to: &stem)
    return stem
  }

  /// The key of a packed stem, step by step; `nil` if there is none.
  private static func unpacked(
    _ packed: [UInt8], in names: BlockNames, _ tie: (author: ReplicaID, counter: Int64)
  ) -> [UInt8]? {
    var names = names
    let known = names.count
    var reader = Reader(packed)
    var stem: [UInt8] = []
    var key: [UInt8] = []
    guard
      (try? PackedStem.read(from: &reader, in: &names, isWhole: false, into: &stem)) != nil,
      (try? SortKey.append(stem: stem[...], author: tie.author, counter: tie.counter, to: &key))
        != nil
    else { return nil }
    // Names that were said in full are left to this way.
    return names.count == known ? key : nil
  }

  @Test(arguments: 0..<20 as Range<UInt64>) func keysArePackedAlike(seed: UInt64) throws {
    let sample = try Self.sample(seed)
    for entry in sample.entries {
      guard case .position(_, let key) = entry.value else { continue }
      let bytes = key.bytes[...]
      var output: [UInt8] = [7]
      let isPacked = SortKey.appendPacked(
        bytes.span, names: sample.names.replicas, dot: entry.dot, item: entry.item, to: &output)
      let form = SortKey.lastTie(of: bytes)?.form(dot: entry.dot, item: entry.item)
      guard form != .written, let form else {
        #expect(!isPacked && output == [7])
        continue
      }
      let stem = Self.packed(key, in: sample.names, isWhole: false)
      var expected: [UInt8] = [7]
      expected.appendVarint(stem.count << 2 | Int(form.rawValue))
      #expect(isPacked && output == expected + stem)
      var again: [UInt8] = [7]
      let tie = try #require(form.tie(dot: entry.dot, item: entry.item))
      let isThere = SortKey.append(
        packed: stem[...], names: sample.names.replicas, author: tie.author, counter: tie.counter,
        to: &again)
      #expect(isThere && again == [7] + key.bytes)
    }
  }

  /// Packed stems with some bytes changed, put in or left out.
  @Test(arguments: 0..<20 as Range<UInt64>) func anyBytesAreUnpackedAlike(seed: UInt64) throws {
    let sample = try Self.sample(seed)
    var random = SplitMix64(seed: seed)
    var (keys, others) = (0, 0)
    for entry in sample.entries {
      guard case .position(_, let key) = entry.value else { continue }
      let stem = Self.packed(key, in: sample.names, isWhole: random.next(below: 4) == 0)
      for _ in 0..<40 {
        var bytes = stem
        for _ in 0...random.next(below: 2) {
          let place = random.next(below: bytes.count + 1)
          switch random.next(below: 3) {
          case 0: bytes.insert(UInt8(random.next(below: 256)), at: place)
          case 1 where place < bytes.count: bytes.remove(at: place)
          case _ where place < bytes.count: bytes[place] ^= 1 << UInt8(random.next(below: 8))
          default: break
          }
        }
        let tie = (entry.stamp.replica, entry.sequence)
        let expected = Self.unpacked(bytes, in: sample.names, tie)
        var output: [UInt8] = []
        let isThere = SortKey.append(
          packed: bytes[...], names: sample.names.replicas, author: tie.0, counter: tie.1,
          to: &output)
        #expect(isThere == (expected != nil), "\(bytes)")
        #expect(output == expected ?? [], "\(bytes)")
        if isThere { keys += 1 } else { others += 1 }
      }
    }
    #expect(keys > 0 && others > 0)
  }

  /// A list is written as the block of its entries, whether its tables have rows that nothing uses or
  /// not, and read as it was.
  @Test(arguments: 0..<20 as Range<UInt64>) func listsAreWrittenAsTheirBlocks(seed: UInt64) throws {
    var list = try KeyFormTests.list(seed: seed)
    if seed % 2 == 0 {
      // Writes that claim nothing, by somebody and of a field, and then others in their place.
      var stranger = Replica(id: ReplicaID(rawValue: 0xfff)) { 1_777_000_000_000 }
      var copy = list
      let item = list[0].id
      try copy.set("passing", of: item, to: 1, by: &stranger)
      list.merge(copy.delta(since: list.version).withoutRanges)
      var me = Replica(id: ReplicaID(rawValue: 0xeee)) { 1_777_000_000_001 }
      try list.set("passing", of: item, to: 2, by: &me)
    }
    for kind in [Block.Kind.export, .snapshot] {
      let bytes = try SealedBlock.encode(list, as: kind)
      let block = Block(kind, of: list.id, holding: list.delta(since: [:]))
      #expect(try SealedBlock.encode(block: block) == bytes)
      let copy = try SealedBlock.decode(bytes)
      #expect(copy == list && copy.version == list.version && copy.digest == list.digest)
      #expect(try SealedBlock.encode(copy, as: kind) == bytes)
      var merged = ReplicatedList(id: list.id)
      merged.merge(try SealedBlock.decodeBlock(bytes).delta)
      #expect(merged == list && merged.map(\.id) == copy.map(\.id))
      for item in list { #expect(copy[id: item.id]?.entries == item.entries) }
    }
  }
}
