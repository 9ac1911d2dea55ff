import Betwixt
import Testing

@Suite("What a delta takes")
struct DeltaBuilderTests {
  private static let item = ItemID(high: 3, low: 4)
  private static let replica = ReplicaID(rawValue: 5)

  private static func entry(
    _ register: Register, _ value: RegisterValue, sequence: Int64 = 7
  ) -> Entry {
    let stamp = Stamp(time: Timestamp(milliseconds: 1000), replica: replica)
    return Entry(item: item, register: register, value: value, stamp: stamp, sequence: sequence)
  }

  private static func other(_ kind: UInt8, name: [UInt8] = [], raw: [UInt8] = [1]) -> Entry {
    entry(.other(kind: kind, name: name), .other(raw))
  }

  private static func field(_ value: FieldValue) -> Entry { entry(.field("a"), .field(value)) }

  private static let most = FieldValue.maximumByteCount

  @Test("entries that the format has no place for")
  func refused() throws {
    let cases: [(Entry, EntryFailure.Code)] = [
      (Self.entry(.life, .life(1), sequence: 0), .badSequence),
      (Self.entry(.life, .life(1), sequence: -1), .badSequence),
      (Self.entry(.life, .life(0)), .badLength),
      (Self.entry(.life, .field(nil)), .wrongKind),
      (Self.entry(.field("a"), .life(1)), .wrongKind),
      (Self.other(0x80), .needsUpgrade),
      (Self.other(0x02), .wrongKind),
      (Self.other(0x03, name: [UInt8](repeating: 0x61, count: 256)), .badName),
      (Self.other(0x03, name: [0xff]), .badName),
      (Self.other(0x03, raw: [UInt8](repeating: 1, count: Self.most + 1)), .badValue),
      (Self.field(.bytes([UInt8](repeating: 1, count: Self.most))), .badValue),
      (Self.field(.unknown(tag: 0x80, payload: [])), .needsUpgrade),
      (Self.field(.unknown(tag: 0x06, payload: [])), .badValue),
    ]
    for (entry, code) in cases {
      var builder = Delta.Builder()
      let failure = #expect(throws: EntryFailure.self) { try builder.add(entry) }
      #expect(failure?.code == code, "\(entry.register)")
      #expect(builder.count == 0 && builder.build().isEmpty)
    }
  }

  @Test("entries at the limits of the format")
  func taken() throws {
    let own = try SortKey(importing: 1, of: Self.item)
    let older = try SortKey.between(nil, nil, replica: Self.replica, counter: 3)
    let entries = [
      Self.entry(.life, .life(1), sequence: 1),
      Self.entry(.position, .position(section: 0, key: own)),
      Entry(
        item: ItemID(high: 3, low: 5), register: .position,
        value: .position(section: 0, key: older),
        stamp: Stamp(time: .zero, replica: Self.replica), sequence: 9),
      Self.other(0x7f), Self.other(0x03, name: [UInt8](repeating: 0x61, count: 255)),
      Self.other(0x04, raw: [UInt8](repeating: 1, count: Self.most)),
      Self.field(.bytes([UInt8](repeating: 1, count: Self.most - 1))),
      Self.entry(.field("b"), .field(.unknown(tag: 0x7f, payload: []))),
      Self.entry(.field("c"), .field(.unknown(tag: 0x07, payload: [2]))),
    ]
    var builder = Delta.Builder()
    for entry in entries { try builder.add(entry) }
    #expect(builder.count == entries.count)
    #expect(Set(builder.build().entries) == Set(entries))
  }

  @Test("ranges that claim nothing are left out, and the others rise")
  func ranges() {
    let other = ReplicaID(rawValue: 2)
    var builder = Delta.Builder()
    builder.cover(Self.replica, after: 4, through: 4)
    builder.cover(Self.replica, after: 4, through: 3)
    builder.cover(Self.replica, after: -1, through: 3)
    builder.cover(Self.replica, after: 6, through: 9)
    builder.cover(Self.replica, after: 0, through: 2)
    builder.cover(other, after: 0, through: 1)
    let delta = builder.build()
    #expect(
      delta.ranges == [
        CoveredRange(replica: other, after: 0, through: 1),
        CoveredRange(replica: Self.replica, after: 0, through: 2),
        CoveredRange(replica: Self.replica, after: 6, through: 9),
      ])
    #expect(delta.context == [other: 1, Self.replica: 9])
  }

  @Test("entries alone and claims alone are something; knowledge is not")
  func emptiness() throws {
    var entries = Delta.Builder()
    try entries.add(Self.entry(.life, .life(1)))
    #expect(!entries.build().isEmpty)
    var claims = Delta.Builder()
    claims.cover(Self.replica, after: 0, through: 1)
    #expect(!claims.build().isEmpty)
    var knowledge = Delta.Builder()
    knowledge.know([Self.replica: 4])
    #expect(knowledge.build().isEmpty && knowledge.build().context == [Self.replica: 4])
  }

  @Test("of several writes of one register the greatest stays, in whatever order they come")
  func greatest() throws {
    func write(_ register: Register, _ value: RegisterValue, _ time: Int64, _ sequence: Int64)
      -> Entry
    {
      let stamp = Stamp(time: Timestamp(milliseconds: time), replica: Self.replica)
      return Entry(
        item: Self.item, register: register, value: value, stamp: stamp, sequence: sequence)
    }
    // Rising. The causal length of a life counts more than its time, and the number decides last.
    let writes = [
      write(.life, .life(1), 9, 1), write(.life, .life(2), 3, 2), write(.life, .life(2), 4, 1),
      write(.field("a"), .field(1), 5, 1), write(.field("a"), .field(2), 5, 1),
      write(.field("a"), .field(2), 5, 3), write(.field("b"), .field(9), 1, 1),
      write(.field("b"), .field(1), 2, 1),
    ]
    var source = ChoiceSource(seed: 8)
    for _ in 0..<40 {
      let delta = try Delta(source.shuffled(writes + source.shuffled(writes).prefix(3)))
      #expect(delta.entries == [writes[2], writes[5], writes[7]])
    }
    for (place, entry) in writes.enumerated() {
      for other in writes[..<place] where other.register == entry.register {
        #expect(other.isLess(than: entry) && !entry.isLess(than: other))
      }
      #expect(!entry.isLess(than: entry))
    }
  }
}
