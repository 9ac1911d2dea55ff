// Keys as ranges of bytes in a larger array, for storage that keeps no object per key.

extension SortKey {
  /// Appends the bytes of an imported item's key; on a refusal `output` is left as it was.
  package static func appendImported(
    _ sortOrder: Double, of id: ItemID, to output: inout [UInt8]
  ) throws(SortKeyRefusal) {
    guard sortOrder.isFinite else { throw .notFinite }
    let refusal = SortKeyWriter.append(to: &output) { writer -> SortKeyRefusal? in
      writer.appendNumber(SortKeyNumber.code(sortOrder))
      writer.appendAuthor(id.high, in: .top, of: 0)
      writer.appendCounter(Int64(bitPattern: id.low))
      writer.append(SortKeyLink.end)
      return nil
    }
    if let refusal { throw refusal }
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
    let result = SortKeyBytes.with(bytes) { bytes in
      Result { () throws(MalformedSortKey) in try parse(bytes) }
    }
    return try result.get()
  }

  private static func parse(_ bytes: SortKeyBytes) throws(MalformedSortKey) -> SortKeyTie {
    var parser = SortKeyParser(bytes)
    var last: SortKeyStep?
    while let step = try parser.nextStep() { last = step }
    guard parser.offset == bytes.count, let last else {
      throw MalformedSortKey(reason: .trailing, offset: parser.offset)
    }
    return SortKeyTie(last, in: bytes)
  }

  /// The ``sortOrder`` of a valid key.
  package static func sortOrder(of bytes: ArraySlice<UInt8>) -> Double {
    SortKeyBytes.with(bytes) { bytes in
      var cursor = SortKeyCursor()
      guard let step = cursor.next(in: bytes) else { return 0 }
      return SortKeyNumber(step, in: bytes).double
    }
  }
}

extension SortKeyWriter {
  /// Appends the author of a step as its zone needs it; `above` is the author of the zone's node.
  mutating func appendAuthor(_ author: UInt64, in zone: SortKeyZone, of above: UInt64) {
    switch zone {
    case .top:
      appendBigEndian(author)
    case .before where author == above:
      append(SortKeyAuthor.same)
    case .before:
      append(SortKeyAuthor.other)
      appendBigEndian(author)
    case .after:
      break
    }
  }
}
