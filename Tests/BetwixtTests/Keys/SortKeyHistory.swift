import Betwixt

/// Lists of keys with a past, for tests.
struct SortKeyHistory {
  var choices: ChoiceSource
  var replicas: [ReplicaID]
  var counter: Int64 = 0

  /// The keys that are in the list, rising.
  var keys: [SortKey] = []

  /// All keys that were ever in it.
  var made: [SortKey] = []

  init(seed: UInt64, replicaCount: Int) {
    choices = ChoiceSource(seed: seed)
    replicas = []
    for _ in 0..<replicaCount { replicas.append(ReplicaID(rawValue: choices.word())) }
  }

  /// A list edited in turns: in each everyone edits a copy, then all copies are merged.
  mutating func edit(turns: Int, size: Int) throws {
    for _ in 0..<turns {
      var added: Set<SortKey> = []
      var removed: Set<SortKey> = []
      for replica in replicas {
        var copy = keys
        var spot = choices.next(below: copy.count + 1)
        for step in 1...Int64(1 + choices.next(below: 6)) {
          if copy.count > size, choices.chance(9, in: 10) {
            let gone = choices.next(below: copy.count)
            removed.insert(copy.remove(at: gone))
            spot -= gone < spot ? 1 : 0
          }
          if choices.chance(3, in: 10) { spot = choices.next(below: copy.count + 1) }
          spot = min(spot, copy.count)
          let key = try copy.insertKey(at: spot, replica: replica, counter: counter + step)
          added.insert(key)
          spot += choices.pick([0, 1, 1])
        }
      }
      counter += 6
      made += added.sorted()
      keys = Set(keys).union(added).subtracting(removed).sorted()
    }
  }

  /// A double of any kind: whole, fractional, subnormal, extreme.
  mutating func double() -> Double {
    let edges = [0, 0x1p-1022, 1, 2, 0x1p53, .greatestFiniteMagnitude, .leastNonzeroMagnitude]
    let double =
      switch choices.next(below: 5) {
      case 0: Double(choices.next(below: 2000) - 1000)
      case 1: Double(choices.next(below: 1_000_000)) / 977
      case 2: Double(bitPattern: choices.word() >> 12)
      case 3: choices.chance(1, in: 2) ? choices.pick(edges).nextUp : choices.pick(edges).nextDown
      default: Double(bitPattern: choices.word())
      }
    guard double.isFinite else { return 0.5 }
    return choices.chance(1, in: 2) ? double : -double
  }

  /// An id whose halves may look like a replica and its counter.
  mutating func itemID() -> ItemID {
    let lows = [0, 1, 5, .max, 1 << 63, choices.word(), choices.word() >> 44]
    let high = choices.chance(1, in: 2) ? choices.word() : choices.pick(replicas).rawValue
    return ItemID(high: high, low: choices.pick(lows))
  }
}

extension ChoiceSource {
  /// 64 bits.
  mutating func word() -> UInt64 {
    var word: UInt64 = 0
    for _ in 0..<4 { word = word << 16 | UInt64(next(below: 1 << 16)) }
    return word
  }
}

extension [SortKey] {
  /// Makes a key between those at `index - 1` and `index` and inserts it there.
  @discardableResult
  mutating func insertKey(at index: Int, replica: ReplicaID, counter: Int64) throws -> SortKey {
    let key = try SortKey.between(
      index > 0 ? self[index - 1] : nil, index < count ? self[index] : nil, replica: replica,
      counter: counter)
    insert(key, at: index)
    return key
  }
}
