/// Where every choice of a generated test comes from: a seed, some bytes, or recorded choices.
///
/// One source, so that a seed replays a whole run, bytes of a fuzzer can take its place, and a
/// failing run can be made smaller by making its choices smaller.
///
///     var source = ChoiceSource(seed: 7)
///     let day = source.next(below: 5)
///     source.choices  // [3]: what was chosen, to be replayed
public struct ChoiceSource: Sendable {
  private enum Origin: Sendable {
    case seed(UInt64)
    case bytes(ArraySlice<UInt8>)
    case choices(ArraySlice<UInt64>)
  }

  private var origin: Origin

  /// What was chosen so far, each below the bound that was asked for.
  public private(set) var choices: [UInt64] = []

  /// Choices drawn from SplitMix64.
  public init(seed: UInt64) { origin = .seed(seed) }

  /// Choices read from bytes; when they run out, every choice is 0.
  ///
  /// - Complexity: O(*n*) for *n* bytes
  public init(bytes: some Sequence<UInt8>) { origin = .bytes(Array(bytes)[...]) }

  /// Choices made before; when they run out, every choice is 0.
  public init(replaying choices: [UInt64]) { origin = .choices(choices[...]) }

  /// Whether every further choice is 0, because the bytes or the recorded choices have run out.
  public var isExhausted: Bool {
    switch origin {
    case .seed: false
    case .bytes(let bytes): bytes.isEmpty
    case .choices(let choices): choices.isEmpty
    }
  }

  /// A number in `0..<bound`; 0 if the bound is below 2.
  public mutating func next(below bound: Int) -> Int {
    guard bound > 1 else { return 0 }
    let choice = word(byteCount: bound <= 256 ? 1 : 8) % UInt64(bound)
    choices.append(choice)
    return Int(choice)
  }

  /// True in `numerator` of `denominator` cases.
  public mutating func chance(_ numerator: Int, in denominator: Int) -> Bool {
    // 0 must be the simple case, which is "no": then smaller choices are smaller runs.
    next(below: denominator) >= denominator - numerator
  }

  /// One of the elements.
  ///
  /// - Precondition: The collection is not empty.
  public mutating func pick<Elements: RandomAccessCollection>(
    _ elements: Elements
  ) -> Elements.Element {
    elements[elements.index(elements.startIndex, offsetBy: next(below: elements.count))]
  }

  /// The elements in some order.
  ///
  /// - Complexity: O(*n*)
  public mutating func shuffled<Element>(_ elements: [Element]) -> [Element] {
    var result = elements
    for last in stride(from: result.count - 1, to: 0, by: -1) {
      result.swapAt(last, last - next(below: last + 1))
    }
    return result
  }

  private mutating func word(byteCount: Int) -> UInt64 {
    switch origin {
    case .seed(let state):
      let next = state &+ 0x9e37_79b9_7f4a_7c15
      origin = .seed(next)
      return TraceHash.mix(next)
    case .bytes(var bytes):
      var word: UInt64 = 0
      for _ in 0..<byteCount { word = word << 8 | UInt64(bytes.popFirst() ?? 0) }
      origin = .bytes(bytes)
      return word
    case .choices(var choices):
      let choice = choices.popFirst() ?? 0
      origin = .choices(choices)
      return choice
    }
  }
}

extension ChoiceSource: RandomNumberGenerator {
  /// 64 bits, for functions that take a generator.
  public mutating func next() -> UInt64 {
    let bits = word(byteCount: 8)
    choices.append(bits)
    return bits
  }
}
