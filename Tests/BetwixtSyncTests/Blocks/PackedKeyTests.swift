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
    let list = try seed % 2 == 0 ? KeyFormTests.list(seed: seed) : longList(seed: seed)
    let entries = list.delta(since: [:]).entries.filter { $0.register == .position }
    return Sample(names: BlockNames(replicas: entries.map { $0.stamp.replica }), entries: entries)
  }

  /// A list with so many writes that counters take more than a byte.
  private static func longList(seed: UInt64) throws -> ReplicatedList {
    var random = SplitMix64(seed: seed)
    var list = ReplicatedList(id: ListID(high: 0, low: 1))
    var sequences = [Int64](repeating: 0, count: 6)
    for turn in 0..<210 {
      // The last one writes only moves.
      let author = random.next(below: turn < 150 ? 5 : 6)
      var me = Replica(
        id: ReplicaID(rawValue: 10 + UInt64(author)), sequence: sequences[author]
      ) { 1_777_000_000_000 }
      let place = random.next(below: list.count + 1)
      if turn < 150 {
        try list.insert(at: list.count, by: &me)
      } else {
        try list.move(list[random.next(below: list.count)].id, toOffset: place, by: &me)
      }
      sequences[author] = me.sequence
    }
    return list
  }

  /// The packed stem of a key with its head, step by step.
  private static func packed(
    _ key: SortKey, form: SortKeyTie.Form, in names: BlockNames
  ) -> [UInt8] {
    var names = names
    var steps: [SortKeyStep] = []
    let bytes = key.bytes[...]
    _ = SortKey.readSteps(of: bytes.span, into: &steps)
    var stem: [UInt8] = []
    PackedStem.append(steps, of: bytes.span, form: form, in: &names, to: &stem)
    return stem
  }

  /// What a head and the bytes behind it say in one walk, and step by step; `nil` if they are no key,
  /// or not all of it.
  private struct Unpacked {
    var atOnce: [UInt8]?
    var byStep: [UInt8]?

    init?(_ packed: [UInt8], in names: BlockNames, _ tie: (author: ReplicaID, counter: Int64)) {
      var names = names
      let known = names.count
      var reader = Reader(packed)
      guard let head = (try? reader.varint()).map(PackedStemHead.init(rawValue:)),
        head.form != .written, let count = try? PackedStem.skip(head, from: &reader),
        reader.remaining == 0
      else { return nil }
      var key: [UInt8] = []
      let isKey = reader.withLast(count) { packed in
        SortKey.withKey(
          packed: packed, head: head, names: names.replicas, author: tie.author,
          counter: tie.counter, { key.append($0) })
      }
      if isKey { atOnce = key }
      var inner = reader.last(count)
      var (stem, other): ([UInt8], [UInt8]) = ([], [])
      guard (try? PackedStem.read(head, from: &inner, in: &names, into: &stem)) != nil,
        (try? SortKey.append(
          stem: stem[...], author: tie.author, counter: tie.counter, to: &other)) != nil
      else { return }
      // Names that were said in full are left to this way.
      if names.count == known { byStep = other }
    }
  }

  @Test(arguments: 0..<20 as Range<UInt64>) func keysArePackedAlike(seed: UInt64) throws {
    let sample = try Self.sample(seed)
    var node: ShortStem.Node?
    var (shorts, longs) = (0, 0)
    for entry in sample.entries {
      guard case .position(_, let key) = entry.value else { continue }
      let bytes = key.bytes[...]
      var writer = ByteWriter(behind: [7])
      let isPacked = writer.appendPacked(
        bytes.span, names: sample.names.replicas, dot: entry.dot, item: entry.item)
      let output = writer.finish()
      var shortWriter = ByteWriter(behind: [7])
      let isShort = shortWriter.appendShort(
        bytes.span, names: sample.names.replicas, node: &node, dot: entry.dot, item: entry.item)
      #expect(shortWriter.finish() == (isShort ? output : [7]))
      if isShort { shorts += 1 } else { longs += 1 }
      let form = (try? SortKey.validate(bytes))?.form(dot: entry.dot, item: entry.item)
      guard form != .written, let form else {
        #expect(!isPacked && output == [7])
        continue
      }
      let packed = Self.packed(key, form: form, in: sample.names)
      #expect(isPacked && output == [7] + packed)
      let tie = try #require(form.tie(dot: entry.dot, item: entry.item))
      let unpacked = try #require(Unpacked(packed, in: sample.names, tie))
      #expect(unpacked.atOnce == key.bytes && unpacked.byStep == key.bytes)
    }
    #expect(shorts > 0 && (seed % 2 == 0 || longs > 0))
  }

  /// Each key has one packed stem: whatever else is read as one, with some bytes changed, put in or
  /// left out, is written as it was.
  @Test(arguments: 0..<20 as Range<UInt64>) func anyBytesAreUnpackedAlike(seed: UInt64) throws {
    let sample = try Self.sample(seed)
    var random = SplitMix64(seed: seed)
    var (keys, others, nodes, shorts) = (0, 0, 0, 0)
    for entry in sample.entries {
      guard case .position(_, let key) = entry.value else { continue }
      let form: SortKeyTie.Form = random.next(below: 4) == 0 ? .written : .dot
      let stem = Self.packed(key, form: form, in: sample.names)
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
        guard let unpacked = Unpacked(bytes, in: sample.names, tie) else { continue }
        #expect(unpacked.atOnce == unpacked.byStep, "\(bytes)")
        guard let key = unpacked.atOnce else {
          others += 1
          continue
        }
        let head = PackedStemHead(rawValue: UInt64(bytes[0] & 0x7f))
        let again = Self.packed(
          try SortKey(bytes: key), form: head.form, in: sample.names)
        #expect(again == bytes)
        keys += 1
        if head.isNode { nodes += 1 }
        if head.isNode, head.isShort { shorts += 1 }
      }
    }
    #expect(keys > 0 && others > 0 && (seed % 2 == 0 || nodes > 0 && shorts > 0))
  }

  /// A field each of items of which nothing else has come, some of them longer than a piece of memory
  /// in which they are written.
  ///
  /// So there are fewer entries than a list expects of so many records.
  private static func fieldsAlone(count: Int) throws -> Delta {
    var builder = Delta.Builder()
    let stamp = Stamp(
      time: Timestamp(milliseconds: 1_777_000_000_000), replica: ReplicaID(rawValue: 0xddd))
    for number in 1...count {
      let text = String(repeating: "x", count: number % 50 == 0 ? 40_000 : number % 90)
      try builder.add(
        Entry(
          item: ItemID(high: 0xddd, low: UInt64(number)), register: .field("alone"),
          value: .field(.string(text)), stamp: stamp, sequence: Int64(number)))
    }
    return builder.build()
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
    if seed % 3 == 0 { list.merge(try Self.fieldsAlone(count: 60 + Int(seed) * 9)) }
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
