/// Where every choice of a generated test comes from: a seed, or the bytes of a recorded case.
///
/// One source, so that a seed replays a whole run and bytes from a fuzzer or a file can take its
/// place.
struct ChoiceSource {
  private var state: UInt64
  private var bytes: ArraySlice<UInt8>?

  /// Choices drawn from SplitMix64.
  init(seed: UInt64) { state = seed }

  /// Choices read from bytes; when they run out, every choice is 0.
  init(bytes: [UInt8]) {
    state = 0
    self.bytes = bytes[...]
  }

  /// A number in `0..<bound`; 0 if the bound is below 2.
  mutating func next(below bound: Int) -> Int {
    guard bound > 1 else { return 0 }
    return Int(word(byteCount: bound <= 256 ? 1 : 8) % UInt64(bound))
  }

  /// True in `numerator` of `denominator` cases.
  mutating func chance(_ numerator: Int, in denominator: Int) -> Bool {
    next(below: denominator) < numerator
  }

  /// One of the elements; the collection is not empty.
  mutating func pick<Elements: RandomAccessCollection>(_ elements: Elements) -> Elements.Element {
    elements[elements.index(elements.startIndex, offsetBy: next(below: elements.count))]
  }

  /// The elements in some order.
  mutating func shuffled<Element>(_ elements: [Element]) -> [Element] {
    var result = elements
    for last in stride(from: result.count - 1, to: 0, by: -1) {
      result.swapAt(last, next(below: last + 1))
    }
    return result
  }

  private mutating func word(byteCount: Int) -> UInt64 {
    guard bytes != nil else { return step() }
    var word: UInt64 = 0
    for _ in 0..<byteCount { word = word << 8 | UInt64(bytes?.popFirst() ?? 0) }
    return word
  }

  private mutating func step() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var mixed = state
    mixed = (mixed ^ mixed >> 30) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ mixed >> 27) &* 0x94d0_49bb_1331_11eb
    return mixed ^ mixed >> 31
  }
}
