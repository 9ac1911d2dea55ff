extension [UInt8] {
  /// Appends an unsigned LEB128 number in as few bytes as it needs.
  package mutating func appendVarint(_ number: UInt64) {
    var rest = number
    while rest >= 0x80 {
      append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    append(UInt8(truncatingIfNeeded: rest))
  }

  package mutating func appendVarint(_ number: Int) {
    appendVarint(UInt64(bitPattern: Int64(number)))
  }

  /// Appends a signed number: 0, -1, 1, -2 and so on are written as 0, 1, 2, 3.
  package mutating func appendZigzag(_ number: Int64) {
    appendVarint(UInt64(bitPattern: number << 1 ^ number >> 63))
  }

  package mutating func appendBigEndian(_ number: UInt16) {
    append(UInt8(truncatingIfNeeded: number >> 8))
    append(UInt8(truncatingIfNeeded: number))
  }
}
