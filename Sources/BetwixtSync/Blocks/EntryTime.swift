import Betwixt

/// The time of an entry as a difference to another.
///
/// A write that follows one of the same millisecond, or of a clock that is ahead, has that one's
/// milliseconds and a small counter, so such a time has codes of its own: 0 for none, 2 to 4 for
/// the counters 1 to 3, and 1 for one that follows.
enum EntryTime {
  /// The greatest counter with a code of its own.
  static let shortCounter: UInt64 = 3
  static let counterFollows: UInt64 = 1

  /// Reads a time; `nil` if there is no such time, or a shorter way to write it.
  static func read(
    after base: UInt64, from reader: inout Reader
  ) throws(DecodeFailure) -> UInt64? {
    let code = try reader.varint()
    guard code > shortCounter + 1 else {
      let counter =
        code == counterFollows ? try reader.varint() : code == 0 ? 0 : code - 1
      guard code != counterFollows || counter > shortCounter && counter <= 0xffff else {
        return nil
      }
      return base & ~0xffff | counter
    }
    let rest = code - shortCounter
    let difference = Int64(bitPattern: rest >> 2) ^ -Int64(bitPattern: rest >> 1 & 1)
    let (now, overflow) = Int64(bitPattern: base >> 16).addingReportingOverflow(difference)
    guard !overflow, now >= 0, now < 1 << 47 else { return nil }
    guard rest & 1 == 1 else { return UInt64(bitPattern: now) << 16 }
    let counter = try reader.varint()
    guard counter > 0, counter <= 0xffff else { return nil }
    return UInt64(bitPattern: now) << 16 | counter
  }

  static func append(_ time: UInt64, after base: UInt64, to output: inout ByteWriter) {
    let difference = Int64(bitPattern: time >> 16) - Int64(bitPattern: base >> 16)
    let counter = time & 0xffff
    if difference == 0, counter <= shortCounter {
      output.appendVarint(counter == 0 ? 0 : counter + 1)
    } else if difference == 0 {
      output.appendVarint(counterFollows)
      output.appendVarint(counter)
    } else {
      let code = UInt64(bitPattern: difference << 1 ^ difference >> 63)
      output.appendVarint((code << 1 | (counter == 0 ? 0 : 1)) + shortCounter)
      if counter != 0 { output.appendVarint(counter) }
    }
  }
}
