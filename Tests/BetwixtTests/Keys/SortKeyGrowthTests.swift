import Betwixt
import Testing

/// How long keys get, and that they are the reference model's keys to the last bit.
///
/// The model made the same keys from the same choices, so total, maximum and digest are exact. The
/// averages of the scheme's own table come from other choices: where places are drawn at random,
/// an average may be a quarter off; elsewhere half a byte, for the replica ids are others.
@Suite("Sort key growth")
struct SortKeyGrowthTests {
  struct Row: Sendable, CustomTestStringConvertible {
    let name: String
    let average: Double
    let isRandom: Bool
    let total: Int
    let maximum: Int
    let digest: String
    let make: @Sendable () throws -> [SortKey]

    var testDescription: String { name }
  }

  static let replicas = (1...10 as ClosedRange<UInt64>).map {
    ReplicaID(rawValue: 0x1111_1111_1111_1111 * $0)
  }

  /// Keys inserted one by one; `place` gives a writer and an index from the number of keys.
  static func grow(
    _ count: Int, _ place: (inout ChoiceSource, Int) -> (writer: Int, index: Int)
  ) throws -> [SortKey] {
    var choices = ChoiceSource(seed: 1)
    var counters = [Int64](repeating: 0, count: replicas.count)
    var keys: [SortKey] = []
    for _ in 0..<count {
      let (writer, index) = place(&choices, keys.count)
      counters[writer] += 1
      try keys.insertKey(at: index, replica: replicas[writer], counter: counters[writer])
    }
    return keys
  }

  /// A thousand keys between the imported numbers 1 and 2, by several writers in turns.
  static func turns(of writers: Int, _ place: (Int) -> Int) throws -> [SortKey] {
    var counters = [Int64](repeating: 0, count: replicas.count)
    var keys = [
      try SortKey(importing: 1, of: ItemID(high: 1, low: 1)),
      try SortKey(importing: 2, of: ItemID(high: 2, low: 2)),
    ]
    for turn in 0..<1000 {
      let writer = turn % writers
      counters[writer] += 1
      try keys.insertKey(
        at: place(keys.count), replica: replicas[writer], counter: counters[writer])
    }
    return keys
  }

  /// Keys of a list of which random items are moved to random places.
  static func move(writers: Int, items: Int, moves: Int) throws -> [SortKey] {
    var choices = ChoiceSource(seed: 3)
    var counters = [Int64](repeating: 0, count: replicas.count)
    var keys: [SortKey] = []
    for step in 0..<items + moves {
      let writer = step < items ? 0 : choices.next(below: writers)
      counters[writer] += 1
      if step >= items { keys.remove(at: choices.next(below: items)) }
      let index = step < items ? step : choices.next(below: items)
      try keys.insertKey(at: index, replica: replicas[writer], counter: counters[writer])
    }
    return keys
  }

  static let rows = [
    Row(
      name: "append", average: 12.2, isRandom: false, total: 121_746, maximum: 13,
      digest: "64d4502911797f43", make: { try grow(10_000) { _, count in (0, count) } }),
    Row(
      name: "prepend", average: 12.2, isRandom: false, total: 121_744, maximum: 13,
      digest: "cc2d32e60b86cb74", make: { try grow(10_000) { _, _ in (0, 0) } }),
    Row(
      name: "same spot forwards", average: 16.3, isRandom: false, total: 162_725, maximum: 17,
      digest: "e45b38f8ba85a7a9",
      make: { try grow(10_000) { _, count in (0, max(count - 1, min(count, 1))) } }),
    Row(
      name: "same spot backwards", average: 16.3, isRandom: false, total: 162_722, maximum: 17,
      digest: "867f4d4b7383acd1", make: { try grow(10_000) { _, count in (0, min(count, 1)) } }),
    Row(
      name: "two writers alternate, append", average: 14.7, isRandom: false, total: 147_154,
      maximum: 15, digest: "4d1ac9116695b0c8",
      make: { try grow(10_000) { _, count in (count % 2, count) } }),
    Row(
      name: "two writers alternate, same spot forwards", average: 22.7, isRandom: false,
      total: 227_127, maximum: 27, digest: "2f77dec72d04c2ce",
      make: { try grow(10_000) { _, count in (count % 2, max(count - 1, 0)) } }),
    Row(
      name: "two writers alternate, same spot backwards", average: 24.0, isRandom: false,
      total: 240_350, maximum: 31, digest: "49a0bac037938ec1",
      make: { try grow(10_000) { _, count in (count % 2, min(count, 1)) } }),
    Row(
      name: "random, one writer", average: 19.3, isRandom: true, total: 196_919, maximum: 25,
      digest: "da44d766dfe47efa",
      make: { try grow(10_000) { choices, count in (0, choices.next(below: count + 1)) } }),
    Row(
      name: "random, ten writers", average: 25.8, isRandom: true, total: 269_529, maximum: 84,
      digest: "137df3b050fa5481",
      make: {
        try grow(10_000) { choices, count in
          (choices.next(below: 10), choices.next(below: count + 1))
        }
      }),
    Row(
      name: "30 random moves per item, one writer", average: 25.1, isRandom: true, total: 74_942,
      maximum: 30, digest: "c90f7bb16e581652",
      make: { try move(writers: 1, items: 3000, moves: 90_000) }),
    Row(
      name: "30 random moves per item, two writers", average: 53.7, isRandom: true, total: 172_447,
      maximum: 173, digest: "d2da2068a61eb7a9",
      make: { try move(writers: 2, items: 3000, moves: 90_000) }),
    Row(
      name: "30 random moves per item, ten writers", average: 37.6, isRandom: true, total: 115_138,
      maximum: 118, digest: "204bf75a5ee9dd97",
      make: { try move(writers: 10, items: 3000, moves: 90_000) }),
    Row(
      name: "1,600 moves per item, two writers, 100 items", average: 42.4, isRandom: true,
      total: 5123, maximum: 139, digest: "f2e31ce29a8b5c9f",
      make: { try move(writers: 2, items: 100, moves: 160_000) }),
    Row(
      name: "adversarial zigzag", average: 172.3, isRandom: false, total: 344_651, maximum: 318,
      digest: "b19acab52ac39f6b",
      make: { try grow(2000) { _, count in (0, (count + 1) / 2) } }),
    Row(
      name: "two writers alternate between imported numbers, forwards", average: 25.2,
      isRandom: false, total: 25_297, maximum: 26, digest: "a46410b86c27d2a1",
      make: { try turns(of: 2) { $0 - 1 } }),
    Row(
      name: "two writers alternate between imported numbers, backwards", average: 35.1,
      isRandom: false, total: 35_191, maximum: 41, digest: "146eb7b6a44311d9",
      make: { try turns(of: 2) { _ in 1 } }),
    Row(
      name: "three writers between imported numbers, backwards", average: 36.3, isRandom: false,
      total: 36_328, maximum: 41, digest: "8a717c4eeac63b0d",
      make: { try turns(of: 3) { _ in 1 } }),
    Row(
      name: "three writers, zigzag between imported numbers", average: 118.7, isRandom: false,
      total: 118_970, maximum: 220, digest: "9e4efd91bfd38eff",
      make: { try turns(of: 3) { ($0 + 1) / 2 } }),
  ]

  @Test("Bytes per key", arguments: rows)
  func growth(row: Row) throws {
    let keys = try row.make()
    let bytes = keys.flatMap(\.bytes)
    #expect(bytes.count == row.total)
    #expect(keys.map(\.bytes.count).max() == row.maximum)
    #expect(Hex.encode(SHA256.hash(bytes).prefix(8)) == row.digest)
    let average = Double(bytes.count) / Double(keys.count)
    #expect(abs(average - row.average) <= (row.isRandom ? row.average / 4 : 0.5))
  }
}
