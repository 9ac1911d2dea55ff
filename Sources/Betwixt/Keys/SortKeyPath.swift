/// What the making of a key has to know about a neighbour's steps.
struct SortKeyPath {
  let bytes: SortKeyBytes

  /// How many steps there are; none for an end of the list.
  private(set) var count = 0

  /// How many steps at the end stand after a node, in a row.
  private(set) var afterCount = 0

  /// The last step.
  private(set) var last: SortKeyStep?

  /// How many steps the other neighbour has too.
  private(set) var sharedCount = 0

  /// Stands behind the steps that the other neighbour has too.
  private(set) var parting = SortKeyCursor()

  /// Whether a step before a node is among those from the third on that the other neighbour lacks.
  private(set) var hasDeepBefore = false

  /// Reads a key whose first `sharedBytes` bytes the other neighbour has too.
  ///
  /// - Complexity: O(*b*) for *b* bytes
  init(_ bytes: SortKeyBytes, sharedBytes: Int) {
    self.bytes = bytes
    var cursor = SortKeyCursor()
    while let step = cursor.next(in: bytes) {
      count += 1
      afterCount = step.zone == .after ? afterCount + 1 : 0
      last = step
      if step.end <= sharedBytes {
        sharedCount = count
        parting = cursor
      } else if step.zone == .before, count > sharedCount + 2 {
        hasDeepBefore = true
      }
    }
  }

  /// The step where the other neighbour parts; `nil` if that one goes on below this one's last.
  var first: SortKeyStep? {
    var cursor = parting
    return cursor.next(in: bytes)
  }

  /// The number of the step below ``first``, if it stands in a certain zone.
  func secondNumber(in zone: SortKeyZone) -> SortKeyNumber? {
    var cursor = parting
    guard cursor.next(in: bytes) != nil, let second = cursor.next(in: bytes), second.zone == zone
    else { return nil }
    return number(of: second)
  }

  func number(of step: SortKeyStep) -> SortKeyNumber {
    SortKeyNumber(step, in: bytes)
  }

  func counter(of step: SortKeyStep) -> Int64 {
    SortKeyCounter.read(start: step.counterStart, end: step.end, in: bytes) ?? 0
  }

  func link(behind step: SortKeyStep) -> UInt8 {
    bytes[step.end]
  }
}
