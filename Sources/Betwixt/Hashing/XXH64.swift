/// XXH64 with the seed 0 ("xxHash fast digest algorithm", version 0.1.1), for what only has to show
/// damage.
///
/// Whole lists are sealed by it. It takes a twentieth of the time of ``SHA256``, and of random
/// damage one in 2^64 goes unnoticed; who wants to can make other bytes of one checksum, as anybody
/// can seal what they like.
package enum XXH64 {
  private static let prime1: UInt64 = 0x9e37_79b1_85eb_ca87
  private static let prime2: UInt64 = 0xc2b2_ae3d_27d4_eb4f
  private static let prime3: UInt64 = 0x1656_67b1_9e37_79f9
  private static let prime4: UInt64 = 0x85eb_ca77_c2b2_ae63
  private static let prime5: UInt64 = 0x27d4_eb2f_1656_67c5

  /// The checksum of some bytes.
  ///
  ///     XXH64.hash(Array("abc".utf8)[...])  // 0x44bc2cf5ad770999
  ///
  /// - Complexity: O(*b*) for *b* bytes
  package static func hash(_ bytes: ArraySlice<UInt8>) -> UInt64 {
    unsafe bytes.withUnsafeBytes { unsafe hash($0) }
  }

  private static func hash(_ bytes: UnsafeRawBufferPointer) -> UInt64 {
    func word(_ offset: Int) -> UInt64 {
      UInt64(littleEndian: unsafe bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
    }
    var offset = 0
    var state = prime5
    if bytes.count >= 32 {
      var first = prime1 &+ prime2
      var second = prime2
      var third: UInt64 = 0
      var fourth = 0 &- prime1
      while bytes.count - offset >= 32 {
        first = round(first, word(offset))
        second = round(second, word(offset + 8))
        third = round(third, word(offset + 16))
        fourth = round(fourth, word(offset + 24))
        offset += 32
      }
      state = rotate(first, 1) &+ rotate(second, 7) &+ rotate(third, 12) &+ rotate(fourth, 18)
      for lane in [first, second, third, fourth] {
        state = (state ^ round(0, lane)) &* prime1 &+ prime4
      }
    }
    state &+= UInt64(bytes.count)
    while bytes.count - offset >= 8 {
      state = rotate(state ^ round(0, word(offset)), 27) &* prime1 &+ prime4
      offset += 8
    }
    if bytes.count - offset >= 4 {
      let half = unsafe bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self)
      state ^= UInt64(UInt32(littleEndian: half)) &* prime1
      state = rotate(state, 23) &* prime2 &+ prime3
      offset += 4
    }
    while offset < bytes.count {
      state = rotate(state ^ UInt64(unsafe bytes[offset]) &* prime5, 11) &* prime1
      offset += 1
    }
    state = (state ^ state >> 33) &* prime2
    state = (state ^ state >> 29) &* prime3
    return state ^ state >> 32
  }

  @inline(__always)
  private static func round(_ lane: UInt64, _ word: UInt64) -> UInt64 {
    rotate(lane &+ word &* prime2, 31) &* prime1
  }

  @inline(__always)
  private static func rotate(_ number: UInt64, _ count: UInt64) -> UInt64 {
    number &<< count | number &>> (64 - count)
  }
}
