import Testing

@testable import Betwixt

@Suite struct XXH64Tests {
  /// The published values, and of each way through the function one that the reference
  /// implementation gave (xxHash 0.8).
  @Test func valuesOfTheReference() {
    #expect(XXH64.hash([]) == 0xef46_db37_51d8_e999)
    #expect(XXH64.hash(Array("a".utf8)[...]) == 0xd24e_c4f1_a98c_6e5b)
    #expect(XXH64.hash(Array("abc".utf8)[...]) == 0x44bc_2cf5_ad77_0999)
    let reference: [(count: Int, hash: UInt64)] = [
      (3, 0x9ff7_0a63_5a62_09ab),
      (4, 0xae5a_cdc0_0a55_ac41),
      (7, 0xd734_a6b2_6f3d_a63e),
      (8, 0x8711_6b33_65b9_24eb),
      (12, 0x14b8_433b_9a14_e611),
      (31, 0x0f18_7c62_b1e7_22b7),
      (32, 0x91b0_cb09_31a8_c629),
      (39, 0x39c2_0d6f_000a_8ff7),
      (63, 0x2191_10bf_13e2_fa26),
      (64, 0xbf30_52e3_4457_75d0),
      (77, 0xc4ce_4e3a_d65f_6de0),
      (1000, 0x2527_5608_a9cf_c168),
    ]
    for (count, hash) in reference {
      let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 * 7) }
      #expect(XXH64.hash(bytes[...]) == hash, "\(count) bytes")
    }
  }

  /// A part of an array is hashed where it lies.
  @Test func sliceIsWhatItHolds() {
    let bytes = (0..<200).map { UInt8(truncatingIfNeeded: $0 * 7) }
    for start in 0..<9 {
      for end in stride(from: start, to: bytes.count, by: 13) {
        #expect(XXH64.hash(bytes[start..<end]) == XXH64.hash(Array(bytes[start..<end])[...]))
      }
    }
  }

  /// Each bit of a message counts.
  @Test func oneBitChangesIt() {
    let bytes = (0..<77).map { UInt8(truncatingIfNeeded: $0) }
    let whole = XXH64.hash(bytes[...])
    for bit in 0..<bytes.count * 8 {
      var other = bytes
      other[bit / 8] ^= 1 << UInt8(bit % 8)
      #expect(XXH64.hash(other[...]) != whole)
    }
  }
}
