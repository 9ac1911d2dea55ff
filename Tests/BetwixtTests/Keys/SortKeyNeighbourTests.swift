import Betwixt
import Testing

/// Keys between keys that no list would have all at once: every pair of a family in which numbers,
/// counters and authors tie.
@Suite("Sort keys between any two of a family")
struct SortKeyNeighbourTests {
  private static let me = ReplicaID(rawValue: 0x1111_1111_1111_1111)
  private static let you = ReplicaID(rawValue: 0x2222_2222_2222_2222)
  private static let stranger = ReplicaID(rawValue: 0x3333_3333_3333_3333)

  private enum Link: UInt8 {
    case before = 0
    case after = 2
  }

  /// The bytes of a number, from its digits.
  private static func number(_ digits: [UInt8]) -> [UInt8] {
    digits.enumerated().map { $0.element << 1 | ($0.offset < digits.count - 1 ? 1 : 0) }
  }

  /// A step below a key.
  private static func key(
    _ parent: SortKey, _ link: Link, _ digits: [UInt8], _ author: ReplicaID, _ counter: Int64
  ) throws -> SortKey {
    let node = parent.bytes.dropLast() + [link.rawValue]
    let stem = node + number(digits)
    var bytes: [UInt8] = []
    try SortKey.append(stem: stem[...], author: author, counter: counter, to: &bytes)
    return try SortKey(bytes: bytes)
  }

  /// Numbers that lie close to each other, or leave room for a long one only.
  private static let numbers: [[UInt8]] = [[63, 127, 127], [64], [64, 0, 1], [64, 64], [65]]

  private static func family() throws -> [SortKey] {
    let mine = try SortKey.between(nil, nil, replica: me, counter: 3)
    let twin = try SortKey.between(nil, nil, replica: me, counter: 4)
    let yours = try SortKey.between(nil, nil, replica: you, counter: 3)
    var keys = [mine, twin, yours]
    for digits in numbers {
      for counter in [-9, -3, 2, 7] as [Int64] {
        keys.append(try key(mine, .after, digits, me, counter))
      }
      for (author, counter) in [(me, 2), (me, -9), (you, 5)] as [(ReplicaID, Int64)] {
        keys.append(try key(mine, .before, digits, author, counter))
      }
    }
    let parents = keys.suffix(numbers.count * 7).enumerated().filter { $0.offset % 3 == 0 }
    for parent in parents.map(\.element) {
      guard let author = (try? SortKey.validate(parent.bytes[...]))?.author else { continue }
      keys.append(try key(parent, .after, [64], author, 8))
      keys.append(try key(parent, .before, [64], author, 8))
      keys.append(try key(parent, .before, [64, 1], stranger, 1))
    }
    return keys.sorted()
  }

  @Test("the new one is a key and lies between, whoever makes it and whatever its counter")
  func between() throws {
    let keys = try Self.family()
    #expect(Set(keys).count == keys.count && keys.count > 70)
    for (place, right) in keys.enumerated() {
      for left in keys[..<place] {
        for replica in [Self.me, Self.you, Self.stranger] {
          for counter in [1, 5, 40] as [Int64] {
            let key = try SortKey.between(left, right, replica: replica, counter: counter)
            let isBetween = left < key && key < right
            guard !isBetween || (try? SortKey(bytes: key.bytes)) == nil else { continue }
            Issue.record("\(key) of \(replica), \(counter) for \(left) and \(right)")
          }
        }
      }
    }
  }

  @Test("before and behind each of them there is room")
  func ends() throws {
    for key in try Self.family() {
      for replica in [Self.me, Self.you, Self.stranger] {
        for counter in [1, 5, 40] as [Int64] {
          let first = try SortKey.between(nil, key, replica: replica, counter: counter)
          let last = try SortKey.between(key, nil, replica: replica, counter: counter)
          #expect(first < key && key < last)
          #expect(try SortKey(bytes: first.bytes) == first && SortKey(bytes: last.bytes) == last)
        }
      }
    }
  }

  /// A key with a number that starts with some digits and goes on with digits near their limits.
  private static func key(
    startingWith digits: [UInt8], _ source: inout ChoiceSource
  ) -> SortKey? {
    var digits = digits
    for _ in 0..<source.next(below: 10) {
      digits.append(source.pick([0, 0, 1, 63, 64, 126, 127, 127, 127]))
    }
    while digits.last == 0 { digits.removeLast() }
    var bytes: [UInt8] = []
    // Some of these numbers are infinite, which no key is.
    try? SortKey.append(stem: number(digits)[...], author: you, counter: 1, to: &bytes)
    return try? SortKey(bytes: bytes)
  }

  private static func digitCount(_ key: SortKey) -> Int {
    key.bytes.prefix { $0 & 1 == 1 }.count + 1
  }

  // Where doubles have no fractions, digits are counted instead.
  @Test(
    "numbers near infinity leave room on both sides, and only there take more than three digits")
  func farNumbers() throws {
    var source = ChoiceSource(seed: 4)
    let starts: [(digits: [UInt8], isNearInfinity: Bool)] = [
      ([127, 123], true), ([127, 123, 127, 127, 127], true), ([127, 122], false), ([127], false),
      ([110, 127, 127], false), ([97, 40], false), ([0, 4], true), ([0, 4, 0, 0, 0], true),
      ([0, 5], false), ([1], false), ([20, 0, 0], false), ([64], false), ([63], false),
    ]
    var made = 0
    for _ in 0..<3_000 {
      let start = source.pick(starts)
      guard let key = Self.key(startingWith: start.digits, &source) else { continue }
      made += 1
      let above = try SortKey.between(key, nil, replica: Self.me, counter: 1)
      let below = try SortKey.between(nil, key, replica: Self.me, counter: 1)
      #expect(below < key && key < above, "\(key)")
      #expect(try SortKey(bytes: above.bytes) == above && SortKey(bytes: below.bytes) == below)
      if abs(key.approximateSortOrder) >= 0x1p53, !start.isNearInfinity {
        #expect(Self.digitCount(above) <= 3, "\(above) above \(key)")
        #expect(Self.digitCount(below) <= 3, "\(below) below \(key)")
      }
      // The gaps beside the new keys are gaps too.
      let upper = try SortKey.between(key, above, replica: Self.me, counter: 2)
      let lower = try SortKey.between(below, key, replica: Self.stranger, counter: 2)
      #expect(below < lower && lower < key && key < upper && upper < above)
    }
    #expect(made > 2_000)
  }
}
