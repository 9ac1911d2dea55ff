import Betwixt
import Testing

@Suite("Canonical bytes are read")
struct EntryReadingTests {
  private static func entries() -> [Entry] {
    var source = ChoiceSource(seed: 11)
    var generator = EntryGenerator()
    return generator.entries(300, from: &source)
  }

  @Test("every entry comes back from its bytes, and its parts from theirs")
  func roundTrip() throws {
    for entry in Self.entries() {
      #expect(try Entry(canonicalBytes: entry.canonicalBytes) == entry)
      let register = try Register(kind: entry.register.kind, name: entry.register.nameBytes)
      #expect(register == entry.register)
      #expect(
        try RegisterValue(canonicalBytes: entry.value.canonicalBytes, of: register) == entry.value)
    }
  }

  @Test("no other bytes are taken for an entry: what is read is written again")
  func otherBytes() {
    var random = ChoiceSource(seed: 4)
    var refused = 0
    for entry in Self.entries() {
      var bytes = entry.canonicalBytes
      switch random.next(below: 3) {
      case 0: bytes.removeLast(1 + random.next(below: bytes.count - 1))
      case 1: bytes.append(UInt8(random.next(below: 256)))
      default: bytes[random.next(below: bytes.count)] ^= 1 << UInt8(random.next(below: 8))
      }
      if let read = try? Entry(canonicalBytes: bytes) {
        #expect(read.canonicalBytes == bytes && read != entry)
      } else {
        refused += 1
      }
    }
    #expect(refused > 200)
  }

  static let refusals: [(Register, [UInt8], EntryFailure.Code)] = [
    (.life, [0, 0, 0, 0, 0, 0, 1], .notCanonical),
    (.life, [0, 0, 0, 0, 0, 0, 0, 0], .badLength),
    (.life, [0x80, 0, 0, 0, 0, 0, 0, 0], .badLength),
    (.position, [1, 2, 3, 4, 5, 6, 7, 8], .notCanonical),
    (.position, [128, 0, 0, 0, 0, 0, 0, 0, 1], .notCanonical),
    (.field("a"), [], .notCanonical),
    (.field("a"), [0, 0], .notCanonical),
    (.field("a"), [3, 1], .notCanonical),
    (.field("a"), [4, 0x7f, 0xf8, 0, 0, 0, 0, 0, 1], .notCanonical),
    (.field("a"), [5, 0xff], .notCanonical),
    (.field("a"), [0x80], .needsUpgrade),
    (.other(kind: 3, name: []), [UInt8](repeating: 0, count: 524_289), .badValue),
  ]

  @Test("a value that is none is refused, with the reason", arguments: refusals)
  func refusal(register: Register, bytes: [UInt8], code: EntryFailure.Code) {
    let failure = #expect(throws: EntryFailure.self) {
      try RegisterValue(canonicalBytes: bytes, of: register)
    }
    #expect(failure?.code == code)
  }

  @Test("positions sort by their bytes as the list does")
  func order() throws {
    var me = Replica(id: ReplicaID(rawValue: 3)) { World.startOfTime }
    var list = ReplicatedList(id: World.listID)
    var random = ChoiceSource(seed: 5)
    for _ in 0..<200 {
      let section = Int64(random.next(below: 5)) - 2
      let offset = random.next(below: list.indices(inSection: section).count + 1)
      try list.insert([:], at: offset, inSection: section, by: &me)
    }
    let positions = list.delta(since: [:]).entries.filter { $0.register == .position }
    let sorted = positions.sorted {
      let (left, right) = ($0.value.canonicalBytes, $1.value.canonicalBytes)
      return left == right ? $0.item < $1.item : left.lexicographicallyPrecedes(right)
    }
    #expect(sorted.map(\.item) == list.map(\.id))
  }

  @Test("the sum of the entries is what the digest is made of, by lanes too")
  func sums() throws {
    var sum = EntrySum()
    var list = ReplicatedList(id: World.listID)
    var builder = Delta.Builder()
    for entry in Self.entries() { try builder.add(entry) }
    list.merge(builder.build())
    let entries = list.delta(since: [:]).entries
    var lanes = [Int64](repeating: 0, count: 8)
    var (minuend, subtrahend) = (lanes, lanes)
    for (number, entry) in entries.enumerated() {
      sum.add(entry)
      let digest = SHA256.hash(entry.canonicalBytes)
      for lane in 0..<8 {
        let word = Int64(UInt64(bigEndianBytes: digest[lane * 4..<lane * 4 + 4]))
        lanes[lane] += word
        minuend[lane] += word * 3
        subtrahend[lane] -= word * (number % 2 == 0 ? 3 : 2)
      }
    }
    #expect(Digest(sum) == list.digest && Int(sum.count) == entries.count)
    #expect(EntrySum(count: sum.count, lanes: lanes) == sum)
    #expect(EntrySum(count: 1, lanes: []) == nil)
    var expected = EntrySum()
    for (number, entry) in entries.enumerated() where number % 2 == 1 { expected.add(entry) }
    let mixed = zip(minuend, subtrahend).map { $0 + $1 }
    #expect(EntrySum(count: expected.count, lanes: mixed) == expected)
    let negative = try #require(EntrySum(count: 0, lanes: lanes.map { -$0 }))
    var nothing = try #require(EntrySum(count: 0, lanes: lanes))
    nothing.add(negative)
    #expect(nothing == EntrySum())
    for entry in entries { sum.subtract(entry) }
    #expect(sum == EntrySum())
  }
}
