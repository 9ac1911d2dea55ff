import Betwixt

// What the entries of each register hold, checked and appended in canonical form.

extension BlockDecoder {
  mutating func readLife(
    _ head: EntryHead, from reader: inout Reader
  ) throws(DecodeFailure) {
    let offset = reader.offset
    guard !head.isPlain else { throw reader.failure(.reserved, at: offset) }
    let length = try reader.positive()
    guard length > 0 else { throw reader.failure(.badNumber, at: offset) }
    bytes.appendBigEndian(UInt64(bitPattern: length))
  }

  mutating func readPosition(
    _ head: EntryHead, dot: Dot, of item: ItemID, from reader: inout Reader
  ) throws(DecodeFailure) {
    let start = reader.offset
    if !head.isPlain {
      let new = try reader.zigzag()
      guard new != section else { throw reader.failure(.badNumber, at: start) }
      section = new
    }
    bytes.appendBigEndian(UInt64(bitPattern: section) ^ 1 << 63)
    let offset = reader.offset
    let extent = try reader.varint()
    guard extent >> 2 <= UInt64(SortKey.maximumByteCount) else {
      throw reader.failure(.tooLong, at: offset)
    }
    guard let form = SortKeyTie.Form(rawValue: UInt8(truncatingIfNeeded: extent & 3)) else {
      throw reader.failure(.reserved, at: offset)
    }
    let count = try reader.take(Int(truncatingIfNeeded: extent >> 2)).count
    stem.removeAll(keepingCapacity: true)
    var inner = reader.last(count)
    try PackedStem.read(from: &inner, in: &names, isWhole: form == .written, into: &stem)
    do throws(MalformedSortKey) {
      guard try appendKey(form, dot: dot, of: item) == form else {
        throw MalformedSortKey(reason: .badAuthor, offset: 0)
      }
    } catch {
      throw reader.failure(error.reason == .tooLong ? .tooLong : .badKey, at: offset)
    }
  }

  /// Appends the key that was packed, and returns the form that it should have.
  private mutating func appendKey(
    _ form: SortKeyTie.Form, dot: Dot, of item: ItemID
  ) throws(MalformedSortKey) -> SortKeyTie.Form {
    guard let tie = form.tie(dot: dot, item: item) else {
      stem.append(SortKeyLink.end)
      let tie = try SortKey.validate(stem[...])
      bytes.append(contentsOf: stem)
      return tie.form(dot: dot, item: item)
    }
    try SortKey.append(stem: stem[...], author: tie.author, counter: tie.counter, to: &bytes)
    return SortKeyTie.Form.least(tie, dot: dot, item: item)
  }

  mutating func readField(
    _ head: EntryHead, isField: Bool, from reader: inout Reader
  ) throws(DecodeFailure) {
    if head.isPlain { return try readText(isField: isField, from: &reader) }
    let offset = reader.offset
    let count = try reader.varint()
    // A whole number grows when it is read: its canonical form always has nine bytes.
    guard count <= UInt64(FieldValue.maximumByteCount) else {
      throw reader.failure(.tooLong, at: offset)
    }
    let value = try reader.take(Int(truncatingIfNeeded: count))
    guard isField else {
      bytes.append(contentsOf: value)
      return
    }
    guard let tag = value.first else { throw reader.failure(.badValue, at: offset) }
    switch tag {
    case FieldValue.Tag.cleared, FieldValue.Tag.false, FieldValue.Tag.true:
      guard value.count == 1 else { throw reader.failure(.badValue, at: offset) }
    case FieldValue.Tag.int64:
      try readNumber(value.count, from: &reader)
      return
    case FieldValue.Tag.double:
      guard value.count == 9, isCanonicalDouble(value.dropFirst()) else {
        throw reader.failure(.badValue, at: offset)
      }
    case FieldValue.Tag.string:
      // Any text but the empty one has a shorter form.
      guard value.count == 1 else { throw reader.failure(.badValue, at: offset) }
    case FieldValue.Tag.firstCritical...:
      throw reader.failure(.criticalContent, at: offset)
    default: break
    }
    bytes.append(contentsOf: value)
  }

  /// Reads text that is not empty, without its tag.
  private mutating func readText(
    isField: Bool, from reader: inout Reader
  ) throws(DecodeFailure) {
    let offset = reader.offset
    guard isField else { throw reader.failure(.reserved, at: offset) }
    let count = try reader.varint()
    guard count > 0 else { throw reader.failure(.badValue, at: offset) }
    guard count < UInt64(FieldValue.maximumByteCount) else {
      throw reader.failure(.tooLong, at: offset)
    }
    let text = try reader.take(Int(truncatingIfNeeded: count))
    guard isUTF8(text) else { throw reader.failure(.badText, at: offset) }
    bytes.append(FieldValue.Tag.string)
    bytes.append(contentsOf: text)
  }

  /// Reads once more, as a number, a value that was taken.
  private mutating func readNumber(
    _ count: Int, from reader: inout Reader
  ) throws(DecodeFailure) {
    var inner = reader.last(count - 1)
    let number = try inner.zigzag()
    guard inner.remaining == 0 else { throw inner.failure(.badValue) }
    bytes.append(FieldValue.Tag.int64)
    bytes.appendBigEndian(UInt64(bitPattern: number) ^ 1 << 63)
  }

  private func isCanonicalDouble(_ payload: ArraySlice<UInt8>) -> Bool {
    let bits = UInt64(bigEndianBytes: payload)
    return !Double(bitPattern: bits).isNaN || bits == 0x7ff8_0000_0000_0000
  }
}
