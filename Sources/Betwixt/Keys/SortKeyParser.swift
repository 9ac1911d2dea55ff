/// Reads bytes that may be no key.
///
/// Each part is read whole, then checked, so the first error in reading order counts.
struct SortKeyParser {
  let bytes: SortKeyBytes

  /// How many bytes are read.
  private(set) var offset = 0

  /// The author of the step read last.
  private(set) var author: UInt64 = 0

  init(_ bytes: SortKeyBytes) {
    self.bytes = bytes
  }

  /// Reads the next step with the link before it; `nil` where the key ends.
  mutating func nextStep() throws(MalformedSortKey) -> SortKeyStep? {
    guard let zone = try readZone() else { return nil }
    let start = offset
    try readNumber()
    let numberEnd = offset
    try readAuthor(in: zone)
    let counterStart = offset
    try readCounter()
    return SortKeyStep(
      zone: zone, author: author, start: start, numberEnd: numberEnd, counterStart: counterStart,
      end: offset)
  }

  /// Reads a key that ends behind its last number, and returns where that number stands.
  mutating func readStem() throws(MalformedSortKey) -> SortKeyZone {
    while let zone = try readZone() {
      try readNumber()
      if offset == bytes.count { return zone }
      try readAuthor(in: zone)
      try readCounter()
    }
    throw MalformedSortKey(reason: .trailing, offset: offset - 1)
  }

  /// Reads the byte behind a step; there is none before the first.
  private mutating func readZone() throws(MalformedSortKey) -> SortKeyZone? {
    guard offset > 0 else { return .top }
    let link = offset
    try skip(1)
    switch bytes[link] {
    case SortKeyLink.before: return .before
    case SortKeyLink.end: return nil
    case SortKeyLink.after: return .after
    default: throw MalformedSortKey(reason: .badLink, offset: link)
    }
  }

  private mutating func readNumber() throws(MalformedSortKey) {
    let start = offset
    repeat { try skip(1) } while bytes[offset - 1] & 1 == 1
    guard bytes[offset - 1] != 0 else {
      throw MalformedSortKey(reason: .zeroDigit, offset: offset - 1)
    }
    guard SortKeyNumber(start: start, end: offset, in: bytes).isInRange else {
      throw MalformedSortKey(reason: .numberRange, offset: start)
    }
  }

  private mutating func readAuthor(in zone: SortKeyZone) throws(MalformedSortKey) {
    let start = offset
    switch zone {
    case .top:
      try skip(8)
      author = bytes.bigEndian(at: start)
    case .before:
      try skip(1)
      guard bytes[start] != SortKeyAuthor.same else { return }
      guard bytes[start] == SortKeyAuthor.other else {
        throw MalformedSortKey(reason: .badAuthor, offset: start)
      }
      try skip(8)
      let named = bytes.bigEndian(at: start + 1)
      guard named != author else { throw MalformedSortKey(reason: .longAuthor, offset: start) }
      author = named
    case .after:
      break
    }
  }

  private mutating func readCounter() throws(MalformedSortKey) {
    let start = offset
    // Bytes beyond the end are 0, the start of a counter of nine bytes.
    try skip(SortKeyCounter.length(at: start, in: bytes))
    guard SortKeyCounter.read(start: start, end: offset, in: bytes) != nil else {
      throw MalformedSortKey(reason: .longCounter, offset: start)
    }
  }

  private mutating func skip(_ count: Int) throws(MalformedSortKey) {
    guard bytes.count - offset >= count else {
      throw MalformedSortKey(reason: .truncated, offset: bytes.count)
    }
    offset += count
  }
}
