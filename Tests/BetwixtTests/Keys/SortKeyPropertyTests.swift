import Betwixt
import Testing

/// The properties that the scheme promises, as seeded loops.
@Suite("Sort key properties")
struct SortKeyPropertyTests {
  let me = ReplicaID(rawValue: 0x1111_1111_1111_1111)
  let id = ItemID(high: 7, low: 7)

  private func made(_ left: Double?, _ right: Double?) throws -> Double {
    let low = try left.map { try SortKey(importing: $0, of: ItemID(high: 1, low: 1)) }
    let high = try right.map { try SortKey(importing: $0, of: ItemID(high: 2, low: 2)) }
    return try SortKey.between(low, high, replica: me, counter: 1).approximateSortOrder
  }

  /// What holds of every list: strictly rising, no key the start of another, numbers never falling.
  private func check(_ keys: [SortKey]) throws {
    for (left, right) in zip(keys, keys.dropFirst()) {
      #expect(left < right && !right.bytes.starts(with: left.bytes))
      #expect(left.approximateSortOrder <= right.approximateSortOrder)
    }
    for key in keys {
      #expect(key.bytes.count <= SortKey.maximumByteCount)
      #expect(try SortKey(bytes: key.bytes) == key)
    }
  }

  @Test("1: every finite double is a prefix in numeric order and reads back")
  func numbers() throws {
    var history = SortKeyHistory(seed: 1, replicaCount: 1)
    let doubles = Set((0..<5000).map { _ in history.double() }).sorted()
    let keys = try doubles.map { try SortKey(importing: $0, of: id) }
    try check(keys)
    #expect(keys.map(\.approximateSortOrder) == doubles)
    #expect(try SortKey(importing: -0.0, of: id) == SortKey(importing: 0, of: id))
    for double in [Double.nan, .infinity, -.infinity] {
      #expect(throws: SortKeyRefusal.notFinite) { try SortKey(importing: double, of: id) }
    }
  }

  @Test(
    "2: a new key projects to the midpoint",
    arguments: [
      (1.0, 2.0, 1.5), (1.0, 1.5, 1.25), (41.0, nil, 42.0), (nil, -3.0, -4.0),
      (1001.0, 1002.0, 1001.5), (0.0, 1.0, 0.5), (-1.0, 1.0, 0.0), (nil, 0.5, 0.0),
      (-Double.greatestFiniteMagnitude, Double.greatestFiniteMagnitude, 0.0), (-0.5, nil, 0.0),
      (nil, nil, 2.0), (0x1p53 - 1, nil, 0x1p53), (nil, 1 - 0x1p53, -0x1p53),
    ] as [(Double?, Double?, Double)])
  func midpoint(_ left: Double?, _ right: Double?, _ expected: Double) throws {
    #expect(try made(left, right) == expected)
  }

  @Test("2: open ends and chains between any two doubles stay in order")
  func chains() throws {
    var history = SortKeyHistory(seed: 2, replicaCount: 4)
    for _ in 0..<400 {
      let first = history.double()
      let second = history.choices.chance(1, in: 2) ? history.double() : first.nextUp
      guard second.isFinite, first != second else { continue }
      var keys = try [min(first, second), max(first, second)].map {
        try SortKey(importing: $0, of: history.itemID())
      }
      for counter in 1...12 {
        let replica = history.choices.pick(history.replicas)
        let spot = history.choices.next(below: keys.count + 1)
        try keys.insertKey(at: spot, replica: replica, counter: Int64(counter))
      }
      try check(keys)
    }
  }

  @Test(
    "3 and 4: room between any two keys ever made, no key twice", arguments: 0..<3 as Range<UInt64>)
  func density(seed: UInt64) throws {
    var history = SortKeyHistory(seed: seed, replicaCount: 4)
    for _ in 0..<30 { history.keys.append(try SortKey(importing: 0, of: history.itemID())) }
    history.keys = Set(history.keys).sorted()
    try history.edit(turns: 30, size: 40)
    try check(history.keys)
    let every = Set(history.made)
    #expect(every.count == history.made.count)
    for _ in 0..<1500 {
      let pair = [history.choices.pick(history.made), history.choices.pick(history.made)].sorted()
      guard pair[0] != pair[1] else { continue }
      let stranger = ReplicaID(rawValue: history.choices.word())
      let replica = history.choices.pick(history.replicas + [stranger])
      let key = try SortKey.between(pair[0], pair[1], replica: replica, counter: 1 << 20)
      #expect(pair[0] < key && key < pair[1] && !every.contains(key))
    }
  }

  @Test("3: imported ids that look like writes leave room too")
  func lookAlikes() throws {
    var history = SortKeyHistory(seed: 6, replicaCount: 3)
    for _ in 0..<500 {
      var keys: Set<SortKey> = []
      for _ in 0..<4 {
        let number = history.choices.pick([1.0, 2.0])
        keys.insert(try SortKey(importing: number, of: history.itemID()))
      }
      var list = keys.sorted()
      for counter in [1, 2, 1 << 40, Int64.max] {
        let spot = history.choices.next(below: list.count + 1)
        let replica = history.choices.pick(history.replicas)
        try list.insertKey(at: spot, replica: replica, counter: counter)
      }
      try check(list)
    }
    // Such an id can even be a key that a write makes; then the item id decides and no key fits.
    let twin = try SortKey(importing: 2, of: ItemID(family: me.rawValue, sequence: 5))
    #expect(try SortKey.between(nil, nil, replica: me, counter: 5) == twin)
    #expect(throws: SortKeyRefusal.order) {
      try SortKey.between(twin, twin, replica: me, counter: 6)
    }
  }

  @Test("6: hexadecimal text orders like the keys and reads back")
  func text() throws {
    var history = SortKeyHistory(seed: 7, replicaCount: 3)
    try history.edit(turns: 40, size: 100)
    #expect(history.keys.map(\.description) == history.keys.map(\.description).sorted())
    for key in history.keys {
      #expect(SortKey(hex: key.description) == key)
      #expect(SortKey(hex: key.description.uppercased()) == nil)
    }
    #expect(SortKey(hex: "c0") == nil)
    #expect(SortKey(hex: "") == nil)
  }

  @Test("7: a key is a function of bytes alone, wherever in memory they are")
  func stateless() throws {
    var history = SortKeyHistory(seed: 8, replicaCount: 3)
    try history.edit(turns: 40, size: 50)
    for _ in 0..<500 {
      let pair = [history.choices.pick(history.made), history.choices.pick(history.made)].sorted()
      guard pair[0] != pair[1] else { continue }
      let left = [9] + pair[0].bytes + [9, 9]
      let right = pair[1].bytes + [255]
      var output: [UInt8] = [1, 2, 3]
      try SortKey.append(
        between: left[1..<left.count - 2], and: right[..<(right.count - 1)], replica: me,
        counter: 9, to: &output)
      let key = try SortKey.between(pair[0], pair[1], replica: me, counter: 9)
      #expect(output == [1, 2, 3] + key.bytes)
      #expect(SortKey.sortOrder(of: output[3...]) == key.approximateSortOrder)
    }
  }

  @Test("8: the worst case is refused at the limit, and only there")
  func limit() throws {
    var left = try SortKey.between(nil, nil, replica: me, counter: 1)
    var right: SortKey?
    var counter: Int64 = 1
    do throws(SortKeyRefusal) {
      while counter < 20_000 {
        counter += 1
        let key = try SortKey.between(left, right, replica: me, counter: counter)
        if counter % 2 == 1 { left = key } else { right = key }
      }
    } catch {
      #expect(error == .exhausted)
    }
    #expect(counter == 6919)
    var output: [UInt8] = [5]
    #expect(throws: SortKeyRefusal.exhausted) {
      try SortKey.append(
        between: left.bytes[...], and: right?.bytes[...], replica: me, counter: counter,
        to: &output)
    }
    #expect(output == [5])
    let stranger = ReplicaID(rawValue: 0x2222_2222_2222_2222)
    #expect(try SortKey.between(left, nil, replica: stranger, counter: 1).bytes.count < 40)
    #expect(try SortKey.between(nil, right, replica: stranger, counter: 1).bytes.count < 40)
    #expect(throws: SortKeyRefusal.order) {
      try SortKey.between(right, left, replica: me, counter: 1)
    }
  }

  @Test("A counter below 1 is the caller's mistake")
  func badCounter() async {
    await #expect(processExitsWith: .failure) {
      _ = try SortKey.between(nil, nil, replica: ReplicaID(rawValue: 1), counter: 0)
    }
  }
}
