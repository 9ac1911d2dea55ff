/// A place behind a step of a key, or at its start, from which the next step is read and checked.
///
/// A cursor does not hold the bytes, so one that has read what two keys share goes on in either.
struct SortKeyCursor {
  /// How many bytes are read.
  private(set) var offset = 0

  /// The author of the step read last.
  private(set) var author: UInt64 = 0

  /// Reads the next step with the link before it; `nil` where the key ends.
  ///
  /// Each part is read whole, then checked, so the first error in reading order counts.
  mutating func next(in bytes: ArraySlice<UInt8>) throws(MalformedSortKey) -> SortKeyStep? {
    let zone = try readLink(bytes)
    if zone == SortKeyLink.end { return nil }
    let number = try readNumber(bytes)
    try readAuthor(bytes, in: zone)
    let counterStart = offset
    let counter = try readCounter(bytes)
    return SortKeyStep(
      zone: zone, number: number, author: author, counter: counter, counterStart: counterStart,
      end: offset)
  }

  /// Reads the byte behind a step; there is none before the first.
  private mutating func readLink(_ bytes: ArraySlice<UInt8>) throws(MalformedSortKey) -> UInt8? {
    guard offset > 0 else { return nil }
    let link = try byte(at: offset, bytes)
    guard link <= SortKeyLink.after else {
      throw MalformedSortKey(reason: .badLink, offset: offset)
    }
    offset += 1
    return link
  }

  /// Reads a key that ends behind its last number, and returns the link before that number.
  ///
  /// It is `nil` if the number is that of the first step.
  mutating func readStem(_ bytes: ArraySlice<UInt8>) throws(MalformedSortKey) -> UInt8? {
    while true {
      let zone = try readLink(bytes)
      guard zone != SortKeyLink.end else {
        throw MalformedSortKey(reason: .trailing, offset: offset)
      }
      _ = try readNumber(bytes)
      if offset == bytes.count { return zone }
      try readAuthor(bytes, in: zone)
      _ = try readCounter(bytes)
    }
  }

  /// Reads the number of the next step.
  mutating func readNumber(_ bytes: ArraySlice<UInt8>) throws(MalformedSortKey) -> SortKeyNumber {
    let start = offset
    var code: UInt64 = 0
    var shift: UInt64 = 64
    var isLonger = false
    var last: UInt8
    repeat {
      last = try byte(at: offset, bytes)
      offset += 1
      let digit = UInt64(last >> 1)
      if shift >= 7 {
        shift -= 7
        code |= digit << shift
      } else {
        // Of the tenth digit one bit is left; what does not fit into 64 bits stays in the bytes.
        isLonger = shift == 0 || digit & 63 != 0
        code |= digit >> 6 & shift
        shift = 0
      }
    } while last & 1 == 1
    guard last != 0 else { throw MalformedSortKey(reason: .zeroDigit, offset: offset - 1) }
    let number = SortKeyNumber(code: code, isLonger: isLonger, start: start, end: offset)
    guard number.isInRange else { throw MalformedSortKey(reason: .numberRange, offset: start) }
    return number
  }

  private mutating func readAuthor(
    _ bytes: ArraySlice<UInt8>, in zone: UInt8?
  ) throws(MalformedSortKey) {
    guard let zone else {
      author = try readBigEndian(8, bytes)
      return
    }
    // A step after a node has the node's author.
    guard zone == SortKeyLink.before else { return }
    let start = offset
    let form = try byte(at: start, bytes)
    guard form <= SortKeyAuthor.other else {
      throw MalformedSortKey(reason: .badAuthor, offset: start)
    }
    offset += 1
    guard form == SortKeyAuthor.other else { return }
    let named = try readBigEndian(8, bytes)
    guard named != author else { throw MalformedSortKey(reason: .longAuthor, offset: start) }
    author = named
  }

  private mutating func readCounter(_ bytes: ArraySlice<UInt8>) throws(MalformedSortKey) -> Int64 {
    let start = offset
    let first = try byte(at: start, bytes)
    let inversion: UInt64 = first < 0x80 ? .max : 0
    var length = SortKeyCounter.length(first)
    if length == 8, (try byte(at: start + 1, bytes) < 0x80) == (inversion == .max) { length = 9 }
    if length == 9 { offset += 1 }
    let code = try readBigEndian(Swift.min(length, 8), bytes) ^ inversion
    let magnitude = code & (1 << UInt64(length == 9 ? 63 : 7 * length - 1) - 1)
    guard length == 1 || magnitude >= 1 << UInt64(7 * length - 8) else {
      throw MalformedSortKey(reason: .longCounter, offset: start)
    }
    return Int64(bitPattern: magnitude ^ inversion)
  }

  private mutating func readBigEndian(
    _ count: Int, _ bytes: ArraySlice<UInt8>
  ) throws(MalformedSortKey) -> UInt64 {
    guard bytes.count - offset >= count else {
      throw MalformedSortKey(reason: .truncated, offset: bytes.count)
    }
    var value: UInt64 = 0
    let start = bytes.startIndex + offset
    for index in start..<start + count { value = value << 8 | UInt64(bytes[index]) }
    offset += count
    return value
  }

  private func byte(
    at offset: Int, _ bytes: ArraySlice<UInt8>
  ) throws(MalformedSortKey) -> UInt8 {
    guard offset < bytes.count else {
      throw MalformedSortKey(reason: .truncated, offset: bytes.count)
    }
    return bytes[bytes.startIndex + offset]
  }
}
