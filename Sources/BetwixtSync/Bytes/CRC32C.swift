/// The Castagnoli checksum, eight bytes at a step: against accidents, not against people.
package enum CRC32C {
  /// The checksum of some bytes behind others whose checksum is `seed`.
  ///
  /// - Complexity: O(*b*) for *b* bytes
  package static func checksum(_ bytes: ArraySlice<UInt8>, seed: UInt32 = 0) -> UInt32 {
    var state = ~seed
    var index = bytes.startIndex
    let tables = tables
    while bytes.endIndex - index >= 8 {
      let low =
        state ^ UInt32(bytes[index]) ^ UInt32(bytes[index + 1]) << 8
        ^ UInt32(bytes[index + 2]) << 16 ^ UInt32(bytes[index + 3]) << 24
      state =
        tables[1792 + Int(low & 255)] ^ tables[1536 + Int(low >> 8 & 255)]
        ^ tables[1280 + Int(low >> 16 & 255)] ^ tables[1024 + Int(low >> 24)]
      state ^=
        tables[768 + Int(bytes[index + 4])] ^ tables[512 + Int(bytes[index + 5])]
        ^ tables[256 + Int(bytes[index + 6])] ^ tables[Int(bytes[index + 7])]
      index += 8
    }
    while index < bytes.endIndex {
      state = state >> 8 ^ tables[Int((state ^ UInt32(bytes[index])) & 255)]
      index += 1
    }
    return ~state
  }

  // Row k: the checksum of a byte with k zero bytes behind it.
  private static let tables: [UInt32] = {
    var tables = [UInt32](repeating: 0, count: 8 * 256)
    for byte in 0..<256 {
      var state = UInt32(byte)
      for _ in 0..<8 { state = state >> 1 ^ (state & 1 == 1 ? 0x82f6_3b78 : 0) }
      tables[byte] = state
    }
    for index in 256..<tables.count {
      let before = tables[index - 256]
      tables[index] = before >> 8 ^ tables[Int(before & 255)]
    }
    return tables
  }()
}
