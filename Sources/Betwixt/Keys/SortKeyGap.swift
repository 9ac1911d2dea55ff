/// Two neighbours, read, with the place where they part.
struct SortKeyGap {
  /// The bytes of the left neighbour; none at the start of the list.
  let left: ArraySlice<UInt8>

  /// The bytes of the right neighbour; none at the end of the list.
  let right: ArraySlice<UInt8>

  /// Whether the left neighbour is below the right one; an end of the list always is.
  let isInOrder: Bool

  /// The steps that both have.
  let shared: SortKeyPath

  /// The steps of the left neighbour.
  let leftPath: SortKeyPath

  /// The steps of the right neighbour.
  let rightPath: SortKeyPath

  /// Reads two neighbours.
  ///
  /// - Complexity: O(*b*) for *b* bytes of both
  init(_ left: ArraySlice<UInt8>, _ right: ArraySlice<UInt8>) throws(MalformedSortKey) {
    self.left = left
    self.right = right
    let sameBytes = Self.commonPrefixCount(left, right)
    // No key is the start of another, so the first byte that differs decides.
    isInOrder =
      left.isEmpty || right.isEmpty
      || sameBytes < Swift.min(left.count, right.count)
        && left[left.startIndex + sameBytes] < right[right.startIndex + sameBytes]
    var parting = SortKeyCursor()
    var shared = SortKeyPath()
    var path = SortKeyPath()
    if !left.isEmpty {
      var cursor = SortKeyCursor()
      while let step = try cursor.next(in: left) {
        if step.end <= sameBytes {
          path.append(shared: step)
          shared = path
          parting = cursor
        } else {
          path.append(step)
        }
      }
    }
    leftPath = path
    self.shared = shared
    path = shared
    if !right.isEmpty {
      while let step = try parting.next(in: right) { path.append(step) }
    }
    rightPath = path
  }

  private static func commonPrefixCount(
    _ left: ArraySlice<UInt8>, _ right: ArraySlice<UInt8>
  ) -> Int {
    let count = Swift.min(left.count, right.count)
    var same = 0
    while same < count, left[left.startIndex + same] == right[right.startIndex + same] { same += 1 }
    return same
  }
}

/// What the making of a key has to know about a neighbour's steps.
struct SortKeyPath {
  /// How many steps there are.
  private(set) var count = 0

  /// How many steps at the end stand after a node, in a row.
  private(set) var afterCount = 0

  /// The last step; `nil` for an end of the list.
  private(set) var last: SortKeyStep?

  /// The first step that the other neighbour does not have.
  private(set) var first: SortKeyStep?

  /// The step below ``first``.
  private(set) var second: SortKeyStep?

  /// Whether a step below ``second`` stands before a node.
  private(set) var hasDeepBefore = false

  /// Takes a step that the other neighbour has too.
  mutating func append(shared step: SortKeyStep) {
    count += 1
    afterCount = step.zone == SortKeyLink.after ? afterCount + 1 : 0
    last = step
  }

  /// Takes a step that the other neighbour does not have.
  mutating func append(_ step: SortKeyStep) {
    append(shared: step)
    if first == nil {
      first = step
    } else if second == nil {
      second = step
    } else if step.zone == SortKeyLink.before {
      hasDeepBefore = true
    }
  }
}
