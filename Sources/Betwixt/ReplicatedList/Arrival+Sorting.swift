extension [Arrival] {
  /// Sorts by place.
  ///
  /// Comparisons are what takes long, so arrivals are sorted first by some bits of their codes, from
  /// the first one on in which any two differ, and only those that agree in these are compared.
  ///
  /// - Complexity: O(*n*) for places that lie spread or are sorted, and at most O(*n* log *n*)
  mutating func sortByPlace(in store: ItemStore) {
    var scratch: [Arrival] = []
    sort(indices, through: &scratch, in: store)
  }

  /// Sorts a part; the scratch is as long once it is needed, and what it holds there is lost.
  private mutating func sort(
    _ part: Range<Int>, through scratch: inout [Arrival], in store: ItemStore
  ) {
    guard part.count >= CodeDigits.leastCount else { return insert(part, in: store) }
    guard let digits = CodeDigits(self[part]) else { return compare(part, in: store) }
    if digits.rise { return }
    if scratch.isEmpty { scratch = self }
    deal(part, by: digits.low, to: &scratch)
    scratch.deal(part, by: digits.high, to: &self)
    var start = part.lowerBound
    while start < part.upperBound {
      let digit = digits.both.of(self[start])
      var end = start + 1
      while end < part.upperBound, digits.both.of(self[end]) == digit { end += 1 }
      if end > start + 1 { sort(start..<end, through: &scratch, in: store) }
      start = end
    }
  }

  /// Copies a part in the order of a digit; those that agree in it stay in their order.
  private func deal(_ part: Range<Int>, by digit: CodeDigit, to output: inout [Arrival]) {
    var next = [Int](repeating: 0, count: digit.limit)
    for index in part { next[digit.of(self[index])] += 1 }
    var sum = part.lowerBound
    for value in next.indices { (next[value], sum) = (sum, sum + next[value]) }
    for index in part {
      let value = digit.of(self[index])
      output[next[value]] = self[index]
      next[value] += 1
    }
  }

  /// Sorts a part whose codes begin alike.
  private mutating func compare(_ part: Range<Int>, in store: ItemStore) {
    replaceSubrange(part, with: self[part].sorted { $0.stands(before: $1, in: store) })
  }

  /// Sorts a few.
  private mutating func insert(_ part: Range<Int>, in store: ItemStore) {
    for index in part.dropFirst() {
      let new = self[index]
      var place = index
      while place > part.lowerBound, new.stands(before: self[place - 1], in: store) {
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

  /// There are none for codes that begin alike.
  init?(_ arrivals: ArraySlice<Arrival>) {
    guard var last = arrivals.first?.entry.prefix else { return nil }
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
