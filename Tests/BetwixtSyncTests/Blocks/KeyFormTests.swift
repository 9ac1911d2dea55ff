import Betwixt
import BetwixtSync
import TestSupport
import Testing

/// Keys that are there again: the form of a position that says its author and counter itself.
@Suite struct KeyFormTests {
  /// A list in which moves were taken back, also by others than those who had made the keys, and
  /// keys before and after nodes, with and without an author of their own.
  static func list(seed: UInt64) throws -> ReplicatedList {
    var random = SplitMix64(seed: seed)
    var list = ReplicatedList(id: Sample.listID)
    var history = UndoHistory()
    var sequences = [Int64](repeating: 0, count: 3)
    for _ in 0..<30 {
      let author = random.next(below: 3)
      var me = Replica(
        id: ReplicaID(rawValue: 0x00c0_ffee_0000_0000 + UInt64(author) * 77),
        sequence: sequences[author]
      ) { 1_777_000_000_000 }
      if random.next(below: 3) == 0 {
        try history.undo(in: &list, by: &me)
      } else {
        try history.record("", in: &list, by: &me) { (list, me) throws(EditFailure) in
          if list.count < 2 || random.next(below: 3) == 0 {
            try list.insert(at: random.next(below: list.count + 1), by: &me)
          } else {
            let place = random.next(below: list.count)
            try list.move(list[place].id, toOffset: random.next(below: list.count + 1), by: &me)
          }
        }
      }
      sequences[author] = me.sequence
    }
    return list
  }

  @Test func listsWithKeysThatAreThereAgainRoundTrip() throws {
    var again = 0
    for seed in 0..<60 as Range<UInt64> {
      let list = try Self.list(seed: seed)
      for entry in list.delta(since: [:]).entries {
        guard case .position(_, let key) = entry.value,
          let tie = try? SortKey.validate(key.bytes[...])
        else { continue }
        if tie.form(dot: entry.dot, item: entry.item) == .written { again += 1 }
      }
      let sealed = try SealedBlock.encode(list)
      #expect(try SealedBlock.decode(sealed) == list)
      for kind in [Block.Kind.snapshot, .delta] {
        let block = Block(kind, of: list.id, holding: list.delta(since: [:]))
        let copy = try Block(decoding: try block.encoded())
        #expect(copy.delta.entries == block.delta.entries)
      }
    }
    #expect(again > 50)
  }

  @Test func anAcceptedKeyHasNoOtherForm() throws {
    var (accepted, refused) = (0, 0)
    for seed in 0..<(runsLong ? 12 : 2) as Range<UInt64> {
      let list = try Self.list(seed: seed)
      let bytes = try Block(.snapshot, of: list.id, holding: list.delta(since: [:])).encoded()
      for bit in 0..<bytes.count * 8 {
        let damaged = BlockDamageTests.flipped(bytes, bit)
        do throws(DecodeFailure) {
          let copy = try Block(decoding: damaged)
          #expect((try? copy.encoded()) == damaged)
          accepted += 1
        } catch {
          refused += 1
        }
      }
    }
    #expect(accepted > 0 && refused > 0)
  }

  /// A moves an item of B's and takes that back: the position is A's, the key is B's.
  @Test func theFormHasItsBytes() throws {
    var a = Replica(id: ReplicaID(rawValue: 0xa)) { 1_777_000_000_001 }
    var b = Replica(id: ReplicaID(rawValue: 0xb)) { 1_777_000_000_000 }
    var list = ReplicatedList(id: ListID(high: 1, low: 2))
    let first = try list.append(by: &b)
    let key = try #require(list[id: first]?.key)
    try list.move(first, toOffset: 0, inSection: 4, by: &a)
    try list.place(first, at: key, inSection: 0, by: &a)
    let bytes = try Block(.snapshot, of: list.id, holding: list.delta(since: [:])).encoded()
    let digits = bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }
    #expect(digits.joined() == Self.hex)
    #expect(try Block(decoding: bytes).delta.entries == list.delta(since: [:]).entries)
  }

  static let hex = """
    010100000000000000000001000000000000000202000000000000000a00000000000000\
    0b020000020100020001020601000183d0c2aeefce01000149000801021bc00382
    """

  @Test func aKeyInAFormThatIsNotTheLeastIsRefused() throws {
    // The same list with the position written by B itself: form 0 says author and counter.
    let bytes = Self.bytes(Self.hex)
    for place in bytes.indices {
      for value in 0...255 as ClosedRange<UInt8> where value != bytes[place] {
        var damaged = bytes
        damaged[place] = value
        guard let copy = try? Block(decoding: damaged) else { continue }
        #expect((try? copy.encoded()) == damaged)
      }
    }
  }

  private static func bytes(_ hex: String) -> [UInt8] {
    let digits = Array(hex.utf8)
    return stride(from: 0, to: digits.count - 1, by: 2).compactMap {
      UInt8(String(decoding: digits[$0...$0 + 1], as: UTF8.self), radix: 16)
    }
  }
}
