// Keys as ranges of bytes in a larger array, for storage that keeps no object per key.

extension SortKey {
  /// Appends the bytes of an imported item's key; on a refusal `output` is left as it was.
  package static func appendImported(
    _ sortOrder: Double, _ id: ItemID, to output: inout [UInt8]
  ) throws(SortKeyRefusal) {
    guard sortOrder.isFinite else { throw .notFinite }
    output.appendNumber(SortKeyNumber.code(sortOrder))
    output.appendSortKeyAuthor(id.high, in: nil, of: nil)
    output.appendCounter(Int64(bitPattern: id.low))
    output.append(SortKeyLink.end)
  }

  /// Reads a whole key and checks it.
  ///
  /// - Parameter bytes: The bytes of one key, with nothing before or behind it.
  /// - Returns: Whose write the key is.
  /// - Throws: Why the bytes are no key, with an offset that counts from their start.
  /// - Complexity: O(*b*) for *b* bytes
  @discardableResult
  package static func validate(_ bytes: ArraySlice<UInt8>) throws(MalformedSortKey) -> SortKeyTie {
    guard bytes.count <= maximumByteCount else {
      throw MalformedSortKey(reason: .tooLong, offset: maximumByteCount)
    }
    var cursor = SortKeyCursor()
    var last: SortKeyStep?
    while let step = try cursor.next(in: bytes) { last = step }
    guard cursor.offset == bytes.count, let last else {
      throw MalformedSortKey(reason: .trailing, offset: cursor.offset)
    }
    return SortKeyTie(last)
  }

  /// The ``sortOrder`` of a valid key.
  package static func sortOrder(of bytes: ArraySlice<UInt8>) -> Double {
    var cursor = SortKeyCursor()
    guard let number = try? cursor.readNumber(bytes) else { return 0 }
    return number.double
  }
}

extension [UInt8] {
  /// Appends the author of a step as its zone needs it; `above` is the author of the zone's node.
  mutating func appendSortKeyAuthor(_ author: UInt64, in zone: UInt8?, of above: UInt64?) {
    switch zone {
    case nil:
      appendBigEndian(author)
    case SortKeyLink.before? where author == above:
      append(SortKeyAuthor.same)
    case SortKeyLink.before?:
      append(SortKeyAuthor.other)
      appendBigEndian(author)
    default:
      break
    }
  }
}
