/// The frozen form of HELLO and OPEN: tag 1, length 2, bytes, with tags that rise.
///
/// A reader skips tags below 80 that it does not know.
struct TagList {
  private var values: [UInt8: ArraySlice<UInt8>] = [:]

  private static let firstCritical: UInt8 = 0x80

  init(_ bytes: [UInt8], known: ClosedRange<UInt8>) throws(DecodeFailure) {
    var reader = Reader(bytes)
    var last: UInt8?
    while reader.remaining > 0 {
      let start = reader.offset
      let tag = try reader.byte()
      if let last, tag <= last { throw reader.failure(.badOrder, at: start) }
      last = tag
      let value = try reader.take(Int(try reader.uint16()))
      if known.contains(tag) {
        values[tag] = value
      } else if tag >= TagList.firstCritical {
        throw reader.failure(.criticalContent, at: start)
      }
    }
  }

  /// Reads the whole of a value; `nil` if the tag is absent.
  func read<Value>(
    _ tag: UInt8, _ body: (inout Reader) throws(DecodeFailure) -> Value
  ) throws(DecodeFailure) -> Value? {
    guard let slice = values[tag] else { return nil }
    var reader = Reader(Array(slice))
    let value = try body(&reader)
    try reader.finish()
    return value
  }

  /// As ``read(_:_:)``, for a tag that must be there.
  func require<Value>(
    _ tag: UInt8, _ body: (inout Reader) throws(DecodeFailure) -> Value
  ) throws(DecodeFailure) -> Value {
    guard let value = try read(tag, body) else { throw DecodeFailure(.truncated, at: 0) }
    return value
  }

  /// Appends a tag with what `body` writes, which has less than 64 KiB.
  static func append(
    _ tag: UInt8, to output: inout [UInt8], _ body: (inout [UInt8]) -> Void
  ) {
    var value: [UInt8] = []
    body(&value)
    output.append(tag)
    output.appendBigEndian(UInt16(truncatingIfNeeded: value.count))
    output.append(contentsOf: value)
  }
}
