extension [Arrival] {
  /// Sorts by place.
  ///
  /// Comparisons are what takes long, so arrivals are sorted first by some bits of their codes, from
  /// the first one on in which any two differ, and only those that agree in these are compared.
  ///
  /// - Complexity: O(*n*) for places that lie spread or are sorted, and at most O(*n* log *n*)
  mutating func sortByPlace(in store: ItemStore) {
    guard let digits = CodeDigits(self) else {
      return sort { $0.stands(before: $1, in: store) }
    }
    if digits.rise { return }
    self = dealt(by: digits.low)
    self = dealt(by: digits.high)
    var start = 0
    while start < count {
      let digit = digits.both.of(self[start])
      var end = start + 1
      while end < count, digits.both.of(self[end]) == digit { end += 1 }
      sortHeap(start..<end, in: store)
      start = end
    }
  }

  /// The same in the order of a digit; those that agree in it stay in their order.
  private func dealt(by digit: CodeDigit) -> [Arrival] {
    var next = [Int](repeating: 0, count: digit.limit)
    for arrival in self { next[digit.of(arrival)] += 1 }
    var sum = 0
    for value in next.indices { (next[value], sum) = (sum, sum + next[value]) }
    var dealt = self
    for arrival in self {
      let value = digit.of(arrival)
      dealt[next[value]] = arrival
      next[value] += 1
    }
    return dealt
  }

  /// Sorts those whose digits agree.
  private mutating func sortHeap(_ heap: Range<Int>, in store: ItemStore) {
    guard heap.count < CodeDigits.leastCount else {
      var part = Array(self[heap])
      part.sortByPlace(in: store)
      return replaceSubrange(heap, with: part)
    }
    for index in heap.dropFirst() {
      let new = self[index]
      var place = index
      while place > heap.lowerBound, new.stands(before: self[place - 1], in: store) {
        self[place] = self[place - 1]
        place -= 1
      }
      self[place] = new
    }
  }
}

/// Some bits of the codes of arrivals.
private struct CodeDigit {
  let shift: Int
  let bitCount: Int

  /// What is greater than any value.
  var limit: Int { 1 << bitCount }

  @inline(__always)
  func of(_ arrival: Arrival) -> Int {
    Int(truncatingIfNeeded: arrival.entry.prefix.first &>> UInt64(shift)) & (limit - 1)
  }
}

/// The first bits in which the codes of some arrivals differ, as two digits.
private struct CodeDigits {
  /// Fewer arrivals are sorted sooner by comparing them.
  static let leastCount = 24
  // So many counts stay in the nearest cache.
  private static let mostBits = 11

  let low: CodeDigit
  let high: CodeDigit
  /// Both as one.
  let both: CodeDigit
  /// Whether the arrivals are sorted, as their codes tell.
  let rise: Bool

  /// There are none for few arrivals, or for codes that begin alike.
  init?(_ arrivals: [Arrival]) {
    guard arrivals.count >= CodeDigits.leastCount else { return nil }
    var last = arrivals[0].entry.prefix
    var rise = true
    var differences: UInt64 = 0
    for arrival in arrivals.dropFirst() {
      let prefix = arrival.entry.prefix
      differences |= prefix.first ^ last.first
      rise = rise && last < prefix
      last = prefix
    }
    guard differences != 0 else { return nil }
    let bitCount = Swift.min(
      CodeDigits.mostBits, Int.bitWidth - arrivals.count.leadingZeroBitCount)
    let shift = Swift.max(0, 64 - differences.leadingZeroBitCount - 2 * bitCount)
    low = CodeDigit(shift: shift, bitCount: bitCount)
    high = CodeDigit(shift: shift + bitCount, bitCount: bitCount)
    both = CodeDigit(shift: shift, bitCount: 2 * bitCount)
    self.rise = rise
  }
}
