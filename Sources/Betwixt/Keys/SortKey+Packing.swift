// The stem of a key as blocks have it, with a row of a table in place of each author: see "Byte
// format". These are the ways that nearly all keys of a list take; what they leave is done step by
// step, with a name for each thing that may be wrong.

extension SortKey {
  /// Appends the key whose packed stem and tie are given, if its authors are among some names.
  ///
  /// - Parameters:
  ///   - packed: The stem, with rows in place of authors.
  ///   - names: The rows.
  ///   - author: The author of the last step.
  ///   - counter: The counter of the last step.
  ///   - output: What the key is appended to.
  /// - Returns: Whether there is such a key; if not, `output` is left as it was.
  /// - Complexity: O(*b*) for *b* bytes
  package static func append(
    packed: ArraySlice<UInt8>, names: [ReplicaID], author: ReplicaID, counter: Int64,
    to output: inout [UInt8]
  ) -> Bool {
    SortKeyBytes.with(packed) { packed in
      let refusal = SortKeyWriter.append(to: &output) { writer, _ -> SortKeyRefusal? in
        var reader = PackedStemReader(bytes: packed)
        guard let zone = reader.copySteps(names, to: &writer) else { return .order }
        guard zone != .after || reader.author == author.rawValue else { return .order }
        writer.appendAuthor(author.rawValue, in: zone, of: reader.author)
        writer.appendCounter(counter)
        writer.append(SortKeyLink.end)
        return writer.isTooLong ? .exhausted : nil
      }
      return refusal == nil
    }
  }

  /// Appends the packed stem of a valid key behind its length and form, if its tie has a form that is
  /// not written and its authors are among some names.
  ///
  /// - Parameters:
  ///   - key: A valid key.
  ///   - names: The rows, which rise.
  ///   - dot: The dot of the entry.
  ///   - item: The item of the entry.
  ///   - output: What the stem is appended to.
  /// - Returns: Whether it was; if not, `output` is left as it was.
  /// - Complexity: O(*b*) for *b* bytes
  package static func appendPacked(
    _ key: Span<UInt8>, names: [ReplicaID], dot: Dot, item: ItemID, to output: inout [UInt8]
  ) -> Bool {
    SortKeyBytes.with(key) { key in
      var cursor = SortKeyCursor()
      guard let first = cursor.next(in: key) else { return false }
      var last = first
      return SortKeyWriter.appendMeasured(to: &output) { writer in
        writer.append(key, from: first.start, to: first.numberEnd)
        while let next = cursor.next(in: key) {
          guard writer.appendRow(ofAuthorOf: last, in: key, names: names) else { return nil }
          writer.append(key, from: last.counterStart, to: next.start)
          writer.append(key, from: next.start, to: next.numberEnd)
          last = next
        }
        let tie = SortKeyTie(last, in: key)
        let form = tie.form(dot: dot, item: item)
        return form == .written ? nil : form.rawValue
      }
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
  mutating func copySteps(_ names: [ReplicaID], to writer: inout SortKeyWriter) -> SortKeyZone? {
    var zone = SortKeyZone.top
    while true {
      guard copyNumber(to: &writer) else { return nil }
      if offset == bytes.count { return zone }
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
    let inversion: UInt8 = bytes[start] < 0x80 ? 0xff : 0
    var magnitude: UInt64 = 0
    for index in start..<start + length {
      magnitude = magnitude << 8 | UInt64(bytes[index] ^ inversion)
    }
    magnitude &= 1 << UInt64(length == 9 ? 63 : 7 * length - 1) - 1
    guard length == 1 || magnitude >= 1 << UInt64(7 * length - 8) else { return false }
    offset += length
    writer.append(bytes, from: start, to: offset)
    return true
  }
}

extension SortKeyWriter {
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
    var low = 0
    var high = names.count
    while low < high {
      let middle = (low + high) / 2
      if names[middle].rawValue < step.author { low = middle + 1 } else { high = middle }
    }
    guard low < names.count, names[low].rawValue == step.author, low + 2 < 0x80 else {
      return false
    }
    append(UInt8(truncatingIfNeeded: low + 2))
    return true
  }
}
