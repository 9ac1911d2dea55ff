// The stem of a key as blocks have it, with a row of a table in place of each author: see "Byte
// format". These are the ways that nearly all keys of a list take; what they leave is done step by
// step, with a name for each thing that may be wrong.

extension SortKey {
  /// Calls a closure with the key whose packed stem and tie are given, if its authors are among some
  /// names.
  ///
  /// - Parameters:
  ///   - packed: The bytes behind the head.
  ///   - head: The head of the stem.
  ///   - names: The rows.
  ///   - author: The author of the last step.
  ///   - counter: The counter of the last step.
  ///   - body: Called with the key's bytes, or not at all.
  /// - Returns: Whether there is such a key.
  /// - Complexity: O(*b*) for *b* bytes
  package static func withKey(
    packed: Span<UInt8>, head: PackedStemHead, names: [ReplicaID], author: ReplicaID,
    counter: Int64, _ body: (Span<UInt8>) -> Void
  ) -> Bool {
    SortKeyBytes.with(packed) { packed in
      SortKeyWriter.with(
        { writer -> Void? in
          var reader = PackedStemReader(bytes: packed)
          guard let zone = reader.copyStem(head, names, to: &writer) else { return nil }
          guard zone != .after || reader.author == author.rawValue else { return nil }
          writer.appendAuthor(author.rawValue, in: zone, of: reader.author)
          writer.appendCounter(counter)
          writer.append(SortKeyLink.end)
          return ()
        }, { _, key in body(key) })
    }
  }

  /// Calls a closure with the packed stem of a valid key and its head, if the key's tie has a form
  /// that is not written and its authors are among some names.
  ///
  /// - Parameters:
  ///   - key: A valid key.
  ///   - names: The rows, which rise.
  ///   - dot: The dot of the entry.
  ///   - item: The item of the entry.
  ///   - body: Called once or not at all. In a block the count of the stem's bytes stands between both,
  ///     unless the head tells it.
  /// - Returns: Whether it was called.
  /// - Complexity: O(*b*) for *b* bytes
  package static func withPackedStem(
    of key: Span<UInt8>, names: [ReplicaID], dot: Dot, item: ItemID,
    _ body: (PackedStemHead, Span<UInt8>) -> Void
  ) -> Bool {
    SortKeyBytes.with(key) { key in
      SortKeyWriter.with(
        { $0.appendPackedStem(of: key, names: names, dot: dot, item: item) }, body)
    }
  }
}

/// Reads a packed stem, and nothing that is not as it should be.
private struct PackedStemReader {
  let bytes: SortKeyBytes
  private var offset = 0
  /// The author of the step read last.
  private(set) var author: UInt64 = 0

  init(bytes: SortKeyBytes) { self.bytes = bytes }

  /// Copies all up to and with the last number.
  ///
  /// - Returns: Where that stands; `nil` if anything is not as it should be.
  mutating func copyStem(
    _ head: PackedStemHead, _ names: [ReplicaID], to writer: inout SortKeyWriter
  ) -> SortKeyZone? {
    guard head.isNode else { return copySteps(from: .top, names, to: &writer) }
    guard head.hasRow, head.row < UInt64(names.count) else { return nil }
    author = names[Int(truncatingIfNeeded: head.row)].rawValue
    writer.append(PackedStemHead.openingNumber)
    writer.appendBigEndian(author)
    guard copyCounter(to: &writer) else { return nil }
    writer.append(head.link)
    let zone: SortKeyZone = head.link == SortKeyLink.before ? .before : .after
    guard !head.isShort else {
      guard offset > 1, bytes.count == offset else { return nil }
      writer.append(PackedStemHead.openingNumber)
      return zone
    }
    // What could be left out has to be.
    let couldBeShort = PackedStemHead.isShort(
      counterCount: offset, restCount: bytes.count - offset, first: bytes[offset])
    return couldBeShort ? nil : copySteps(from: zone, names, to: &writer)
  }

  private mutating func copySteps(
    from start: SortKeyZone, _ names: [ReplicaID], to writer: inout SortKeyWriter
  ) -> SortKeyZone? {
    var zone = start
    while true {
      let number = offset
      guard copyNumber(to: &writer) else { return nil }
      if offset == bytes.count { return zone }
      if zone == .top, offset == number + 1, bytes[number] == PackedStemHead.openingNumber {
        // It has another head.
        return nil
      }
      guard copyAuthor(in: zone, names, to: &writer), copyCounter(to: &writer) else { return nil }
      switch bytes[offset] {
      case SortKeyLink.before: zone = .before
      case SortKeyLink.after: zone = .after
      default: return nil
      }
      writer.append(bytes, from: offset, to: offset + 1)
      offset += 1
    }
  }

  private mutating func copyNumber(to writer: inout SortKeyWriter) -> Bool {
    let start = offset
    while bytes[offset] & 1 == 1 { offset += 1 }
    // Beyond the end all bytes are 0, which ends no number.
    guard bytes[offset] != 0 else { return false }
    offset += 1
    guard SortKeyNumber(start: start, end: offset, in: bytes).isInRange else { return false }
    writer.append(bytes, from: start, to: offset)
    return true
  }

  private mutating func copyAuthor(
    in zone: SortKeyZone, _ names: [ReplicaID], to writer: inout SortKeyWriter
  ) -> Bool {
    guard zone != .after else { return true }
    let code = Int(bytes[offset])
    offset += 1
    if code == 0 {
      writer.append(SortKeyAuthor.same)
      return zone == .before
    }
    guard code >= 2, code < 0x80, code - 2 < names.count else { return false }
    let named = names[code - 2].rawValue
    if zone == .before {
      guard named != author else { return false }
      writer.append(SortKeyAuthor.other)
    }
    author = named
    writer.appendBigEndian(named)
    return true
  }

  private mutating func copyCounter(to writer: inout SortKeyWriter) -> Bool {
    let start = offset
    let length = SortKeyCounter.length(at: start, in: bytes)
    guard length <= bytes.count - start else { return false }
    offset += length
    guard length <= 8 else { return copyLongCounter(from: start, to: &writer) }
    let inversion: UInt64 = bytes[start] < 0x80 ? .max : 0
    let first = bytes.shortWord(at: start)
    let magnitude =
      (first &>> UInt64(64 - 8 * length) ^ inversion) & (1 &<< UInt64(7 * length - 1) - 1)
    guard length == 1 || magnitude >= 1 &<< UInt64(7 * length - 8) else { return false }
    writer.appendFirst(length, of: first)
    return true
  }

  /// Copies a counter of nine bytes, which has one in each of the 63 bits or is too long.
  private func copyLongCounter(from start: Int, to writer: inout SortKeyWriter) -> Bool {
    let inversion: UInt64 = bytes[start] < 0x80 ? .max : 0
    let magnitude = (bytes.bigEndian(at: start + 1) ^ inversion) & (1 << 63 - 1)
    guard magnitude >= 1 << 55 else { return false }
    writer.append(bytes, from: start, to: start + 9)
    return true
  }
}

extension SortKeyWriter {
  /// Appends the packed stem of a key and returns its head; `nil` if it takes more than one walk.
  @inline(__always)
  fileprivate mutating func appendPackedStem(
    of key: SortKeyBytes, names: [ReplicaID], dot: Dot, item: ItemID
  ) -> PackedStemHead? {
    var cursor = SortKeyCursor()
    guard let first = cursor.next(in: key) else { return nil }
    guard let second = cursor.next(in: key) else {
      append(key, from: first.start, to: first.numberEnd)
      let form = SortKeyTie(first, in: key).form(dot: dot, item: item)
      return form == .written ? nil : PackedStemHead(form, byteCount: count)
    }
    let isNode = first.numberEnd == 1 && key[0] == PackedStemHead.openingNumber
    if !isNode {
      append(key, from: first.start, to: first.numberEnd)
      guard appendRow(ofAuthorOf: first, in: key, names: names) else { return nil }
    }
    append(key, from: first.counterStart, to: isNode ? first.end : second.start)
    append(key, from: second.start, to: second.numberEnd)
    guard let last = appendSteps(behind: second, of: key, from: &cursor, names: names) else {
      return nil
    }
    let form = SortKeyTie(last, in: key).form(dot: dot, item: item)
    guard form != .written else { return nil }
    guard isNode else { return PackedStemHead(form, byteCount: count) }
    guard let row = names.row(of: first.author) else { return nil }
    let counterCount = first.end - first.counterStart
    let isShort = PackedStemHead.isShort(
      counterCount: counterCount, restCount: count - counterCount, first: key[second.start])
    if isShort { remove(from: counterCount) }
    return PackedStemHead(form, nodeOf: row, isAfter: second.zone == .after, isShort: isShort)
  }

  /// Appends all behind the number of a step up to and with the last number.
  ///
  /// - Returns: The last step; `nil` if some author has no row, or one of more than a byte.
  fileprivate mutating func appendSteps(
    behind step: SortKeyStep, of key: SortKeyBytes, from cursor: inout SortKeyCursor,
    names: [ReplicaID]
  ) -> SortKeyStep? {
    var last = step
    while let next = cursor.next(in: key) {
      guard appendRow(ofAuthorOf: last, in: key, names: names) else { return nil }
      append(key, from: last.counterStart, to: next.start)
      append(key, from: next.start, to: next.numberEnd)
      last = next
    }
    return last
  }

  /// Appends what stands for the author of a step in a packed stem.
  ///
  /// - Returns: Whether that is one byte.
  fileprivate mutating func appendRow(
    ofAuthorOf step: SortKeyStep, in key: SortKeyBytes, names: [ReplicaID]
  ) -> Bool {
    if step.zone == .after { return true }
    if step.zone == .before, key[step.numberEnd] == SortKeyAuthor.same {
      append(0)
      return true
    }
    guard let row = names.row(of: step.author), row + 2 < 0x80 else { return false }
    append(UInt8(truncatingIfNeeded: row + 2))
    return true
  }
}

extension [ReplicaID] {
  /// The row of an author in an array that rises; `nil` if it has none.
  func row(of author: UInt64) -> Int? {
    var low = 0
    var high = count
    while low < high {
      let middle = (low + high) / 2
      if self[middle].rawValue < author { low = middle + 1 } else { high = middle }
    }
    return low < count && self[low].rawValue == author ? low : nil
  }
}
