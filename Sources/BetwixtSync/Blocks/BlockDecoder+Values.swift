import Betwixt

// What the entries of each register hold, checked and appended in canonical form.

extension BlockDecoder {
  mutating func readLife(
    _ stamp: EntryStamp, head: EntryHead, from reader: inout Reader
  ) throws(DecodeFailure) {
    let offset = reader.offset
    guard !head.isPlain else { throw reader.failure(.reserved, at: offset) }
    let length = try reader.positive()
    guard length > 0 else { throw reader.failure(.badNumber, at: offset) }
    sink.setLife(stamp, length: UInt64(bitPattern: length))
  }

  mutating func readPosition(
    _ stamp: EntryStamp, head: EntryHead, of item: ItemID, from reader: inout Reader
  ) throws(DecodeFailure) {
    let start = reader.offset
    if !head.isPlain {
      let new = try reader.zigzag()
      guard new != section else { throw reader.failure(.badNumber, at: start) }
      section = new
    }
    let offset = reader.offset
    let stemHead = PackedStemHead(rawValue: try reader.varint())
    let form = stemHead.form
    let count = try PackedStem.skip(stemHead, from: &reader)
    let dot = Dot(replica: names.replicas[stamp.replica], sequence: stamp.sequence)
    // Raw values, as forms are compared through the table of their protocol's functions.
    if let tie = form.tie(dot: dot, item: item),
      SortKeyTie.Form.least(tie, dot: dot, item: item).rawValue == form.rawValue,
      reader.withLast(
        count,
        { packed in
          SortKey.withKey(
            packed: packed, head: stemHead, names: names.replicas, author: tie.author,
            counter: tie.counter, { sink.setPosition(stamp, section: section, key: $0) })
        })
    {
      return
    }
    var inner = reader.last(count)
    stem.removeAll(keepingCapacity: true)
    scratch.removeAll(keepingCapacity: true)
    try PackedStem.read(stemHead, from: &inner, in: &names, into: &stem)
    let least: SortKeyTie.Form
    do throws(MalformedSortKey) {
      least = try appendStem(form, dot: dot, of: item)
    } catch {
      throw reader.failure(error.reason == .tooLong ? .tooLong : .badKey, at: offset)
    }
    guard least == form else { throw reader.failure(.badKey, at: offset) }
    let key = scratch[...]
    sink.setPosition(stamp, section: section, key: key.span)
  }

  /// Makes the key of the stem that was read, and returns the form that it should have.
  private mutating func appendStem(
    _ form: SortKeyTie.Form, dot: Dot, of item: ItemID
  ) throws(MalformedSortKey) -> SortKeyTie.Form {
    guard let tie = form.tie(dot: dot, item: item) else {
      stem.append(SortKeyLink.end)
      let tie = try SortKey.validate(stem[...])
      scratch.append(contentsOf: stem)
      return tie.form(dot: dot, item: item)
    }
    try SortKey.append(
      stem: stem[...], author: tie.author, counter: tie.counter, to: &scratch)
    return SortKeyTie.Form.least(tie, dot: dot, item: item)
  }

  mutating func readField(
    _ stamp: EntryStamp, head: EntryHead, register: Int, from reader: inout Reader
  ) throws(DecodeFailure) {
    if head.isPlain { return try readText(stamp, register: register, from: &reader) }
    let offset = reader.offset
    let count = try reader.varint()
    // A whole number grows when it is read: its canonical form always has nine bytes.
    guard count <= UInt64(FieldValue.maximumByteCount) else {
      throw reader.failure(.tooLong, at: offset)
    }
    let value = try reader.take(Int(truncatingIfNeeded: count))
    if isField[register] {
      guard let tag = value.first else { throw reader.failure(.badValue, at: offset) }
      if tag == FieldValue.Tag.int64 {
        try readNumber(value.count, from: &reader)
        let number = scratch[...]
        return sink.addField(stamp, register: register, tag: tag, value: number.span)
      }
      try BlockDecoder.check(value, tag: tag, from: reader, at: offset)
    }
    sink.addField(stamp, register: register, tag: nil, value: value.span)
  }

  // Static, because a call on the decoder would copy it.

  /// Checks a value of a field that is written as it is.
  private static func check(
    _ value: ArraySlice<UInt8>, tag: UInt8, from reader: Reader, at offset: Int
  ) throws(DecodeFailure) {
    switch tag {
    case FieldValue.Tag.cleared, FieldValue.Tag.false, FieldValue.Tag.true:
      guard value.count == 1 else { throw reader.failure(.badValue, at: offset) }
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
  }

  /// Reads text that is not empty, without its tag.
  private mutating func readText(
    _ stamp: EntryStamp, register: Int, from reader: inout Reader
  ) throws(DecodeFailure) {
    let offset = reader.offset
    guard isField[register] else { throw reader.failure(.reserved, at: offset) }
    let count = try reader.varint()
    guard count > 0 else { throw reader.failure(.badValue, at: offset) }
    guard count < UInt64(FieldValue.maximumByteCount) else {
      throw reader.failure(.tooLong, at: offset)
    }
    try reader.skip(Int(truncatingIfNeeded: count))
    let isText = reader.withLast(Int(truncatingIfNeeded: count)) { text in
      guard isUTF8(text) else { return false }
      sink.addField(stamp, register: register, tag: FieldValue.Tag.string, value: text)
      return true
    }
    guard isText else { throw reader.failure(.badText, at: offset) }
  }

  /// Reads once more, as a number, a value that was taken: its canonical bytes without the tag are
  /// the scratch then.
  private mutating func readNumber(
    _ count: Int, from reader: inout Reader
  ) throws(DecodeFailure) {
    var inner = reader.last(count - 1)
    let number = try inner.zigzag()
    guard inner.remaining == 0 else { throw inner.failure(.badValue) }
    scratch.removeAll(keepingCapacity: true)
    scratch.appendBigEndian(UInt64(bitPattern: number) ^ 1 << 63)
  }

  private static func isCanonicalDouble(_ payload: ArraySlice<UInt8>) -> Bool {
    let bits = UInt64(bigEndianBytes: payload)
    return !Double(bitPattern: bits).isNaN || bits == 0x7ff8_0000_0000_0000
  }
}
