extension Array {
  /// The same elements in other memory, where they have just the room that they need.
  ///
  /// What grew by doubling may be twice as large. A slice of the whole array made an array again
  /// would be the same memory.
  ///
  /// - Returns: The elements.
  /// - Complexity: O(*n*)
  func moved() -> [Element] {
    guard !isEmpty else { return [] }
    var result: [Element] = []
    result.reserveCapacity(count)
    result.append(contentsOf: self)
    return result
  }
}

extension Array {
  /// Whether this is the same array as another, as copies are until one of them is written.
  ///
  /// - Complexity: O(1)
  func isSameArray(as other: [Element]) -> Bool {
    guard count == other.count else { return false }
    return unsafe withUnsafeBufferPointer { elements in
      unsafe other.withUnsafeBufferPointer { others in
        unsafe elements.isEmpty || elements.baseAddress == others.baseAddress
      }
    }
  }
}
