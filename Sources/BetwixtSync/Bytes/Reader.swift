/// The only thing that touches input bytes: each step checks what it reads and takes at least one
/// byte, so that reading ends, allocates nothing of its own and cannot trap.
package struct Reader {
  private let bytes: [UInt8]

  /// The next byte to read.
  package private(set) var offset: Int

  /// Where the input ends.
  package let end: Int

  #if DEBUG
  /// How many steps were taken, for a test that there are no more of them than bytes allow.
  package private(set) var stepCount = 0
  #endif

  /// Reads a range of some bytes; offsets count from the start of `bytes`.
  package init(_ bytes: [UInt8], in range: Range<Int>? = nil) {
    self.bytes = bytes
    let range = (range ?? 0..<bytes.count).clamped(to: 0..<bytes.count)
    offset = range.lowerBound
    end = range.upperBound
  }

  /// How many bytes are left.
  package var remaining: Int { end - offset }

  @inline(__always)
  private mutating func countStep() {
    #if DEBUG
    stepCount += 1
    #endif
  }

  /// A failure that points at a place in the input.
  package func failure(_ reason: DecodeFailure.Reason, at start: Int? = nil) -> DecodeFailure {
    DecodeFailure(reason, at: start ?? offset)
  }

  /// Demands that nothing is left.
  package func finish() throws(DecodeFailure) {
    guard remaining == 0 else { throw failure(.trailing) }
  }

  // MARK: Fixed widths

  @inline(__always)
  package mutating func byte() throws(DecodeFailure) -> UInt8 {
    countStep()
    guard offset < end else { throw failure(.truncated) }
    defer { offset += 1 }
    return bytes[offset]
  }

  /// A big-endian number of at most eight bytes.
  package mutating func bigEndian(_ count: Int) throws(DecodeFailure) -> UInt64 {
    countStep()
    guard remaining >= count else { throw failure(.truncated, at: end) }
    var number: UInt64 = 0
    for index in offset..<offset + count { number = number << 8 | UInt64(bytes[index]) }
    offset += count
    return number
  }

  package mutating func uint64() throws(DecodeFailure) -> UInt64 { try bigEndian(8) }

  package mutating func uint32() throws(DecodeFailure) -> UInt32 {
    UInt32(truncatingIfNeeded: try bigEndian(4))
  }

  package mutating func uint16() throws(DecodeFailure) -> UInt16 {
    UInt16(truncatingIfNeeded: try bigEndian(2))
  }

  /// Some bytes as they are.
  package mutating func take(_ count: Int) throws(DecodeFailure) -> ArraySlice<UInt8> {
    countStep()
    guard count >= 0, remaining >= count else { throw failure(.truncated, at: end) }
    defer { offset += count }
    return bytes[offset..<offset + count]
  }

  /// Passes over some bytes, which ``withLast(_:_:)`` gives in place.
  @inline(__always)
  package mutating func skip(_ count: Int) throws(DecodeFailure) {
    countStep()
    guard count >= 0, remaining >= count else { throw failure(.truncated, at: end) }
    offset += count
  }

  /// Calls a closure with the bytes that were read last, where they lie.
  @inline(__always)
  package func withLast<Result>(_ count: Int, _ body: (Span<UInt8>) -> Result) -> Result {
    // Only a slice has a span on older systems.
    let last = bytes[max(0, offset - max(0, count))..<offset]
    return body(last.span)
  }

  /// A byte that is not read yet; 0 beyond the end.
  package func peek(_ distance: Int) -> UInt8 {
    distance >= 0 && distance < remaining ? bytes[offset + distance] : 0
  }

  /// Demands certain bytes.
  package mutating func expect(
    _ expected: [UInt8], because reason: DecodeFailure.Reason
  ) throws(DecodeFailure) {
    let start = offset
    for wanted in expected {
      guard try byte() == wanted else { throw failure(reason, at: start) }
    }
  }

  // MARK: Numbers of variable width

  /// An unsigned LEB128 number of at most 64 bits in as few bytes as it needs.
  @inline(__always)
  package mutating func varint() throws(DecodeFailure) -> UInt64 {
    let first = try byte()
    return first < 0x80 ? UInt64(first) : try longVarint(UInt64(first & 0x7f))
  }

  private mutating func longVarint(_ first: UInt64) throws(DecodeFailure) -> UInt64 {
    let start = offset - 1
    var number = first
    var shift: UInt64 = 7
    while true {
      let next = try byte()
      if shift == 63, next > 1 { throw failure(.longNumber, at: start) }
      number |= UInt64(next & 0x7f) << shift
      guard next >= 0x80 else {
        if next == 0 { throw failure(.longNumber, at: start) }
        return number
      }
      shift += 7
    }
  }

  /// A signed number: 0, -1, 1, -2 and so on are written as 0, 1, 2, 3.
  @inline(__always)
  package mutating func zigzag() throws(DecodeFailure) -> Int64 {
    let code = try varint()
    return Int64(bitPattern: code >> 1) ^ -Int64(bitPattern: code & 1)
  }

  /// A number below 2^63.
  @inline(__always)
  package mutating func positive() throws(DecodeFailure) -> Int64 {
    let start = offset
    guard let number = Int64(exactly: try varint()) else { throw failure(.badNumber, at: start) }
    return number
  }

  /// A count of things of which each takes at least `minimum` bytes.
  package mutating func count(ofAtLeast minimum: Int) throws(DecodeFailure) -> Int {
    let number = try varint()
    guard number <= UInt64(remaining / max(minimum, 1)) else {
      throw failure(.truncated, at: end)
    }
    return Int(truncatingIfNeeded: number)
  }

  /// The index of one of `count` rows.
  @inline(__always)
  package mutating func index(below count: Int) throws(DecodeFailure) -> Int {
    let start = offset
    let number = try varint()
    guard number < UInt64(count) else { throw failure(.badIndex, at: start) }
    return Int(truncatingIfNeeded: number)
  }
}

extension Reader {
  /// A reader of the bytes that were read last.
  package func last(_ count: Int) -> Reader {
    Reader(bytes, in: max(0, offset - max(0, count))..<offset)
  }
}
