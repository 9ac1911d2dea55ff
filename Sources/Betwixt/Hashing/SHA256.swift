/// SHA-256 (FIPS 180-4), for digests and for ids made from foreign ids.
package struct SHA256: Sendable {
  // Eight words in a row: a fixed set of properties keeps the state in registers.
  private var h0: UInt32 = 0x6a09_e667
  private var h1: UInt32 = 0xbb67_ae85
  private var h2: UInt32 = 0x3c6e_f372
  private var h3: UInt32 = 0xa54f_f53a
  private var h4: UInt32 = 0x510e_527f
  private var h5: UInt32 = 0x9b05_688c
  private var h6: UInt32 = 0x1f83_d9ab
  private var h7: UInt32 = 0x5be0_cd19
  private var pending: [UInt8] = []
  private var byteCount: UInt64 = 0
  private var schedule = [UInt32](repeating: 0, count: 64)

  package init() { pending.reserveCapacity(128) }

  /// The digest of one message.
  package static func hash(_ message: some Sequence<UInt8>) -> [UInt8] {
    var hasher = SHA256()
    hasher.update(message)
    return hasher.finalize()
  }

  /// Takes more of the message.
  package mutating func update(_ bytes: some Sequence<UInt8>) {
    pending.append(contentsOf: bytes)
    absorbWholeBlocks()
  }

  /// The digest of all that was taken; the hasher is as new afterwards.
  package mutating func finalize() -> [UInt8] {
    let bitCount = (byteCount + UInt64(pending.count)) * 8
    pending.append(0x80)
    while pending.count % 64 != 56 { pending.append(0) }
    pending.appendBigEndian(bitCount)
    absorbWholeBlocks()
    var digest: [UInt8] = []
    digest.reserveCapacity(32)
    for word in [h0, h1, h2, h3, h4, h5, h6, h7] { digest.appendBigEndian(word) }
    self = SHA256()
    return digest
  }

  private mutating func absorbWholeBlocks() {
    var start = 0
    while pending.count - start >= 64 {
      compress(start)
      start += 64
    }
    byteCount += UInt64(start)
    pending.removeFirst(start)
  }

  private mutating func compress(_ start: Int) {
    for index in 0..<16 {
      let at = start + index * 4
      schedule[index] =
        UInt32(pending[at]) << 24 | UInt32(pending[at + 1]) << 16
        | UInt32(pending[at + 2]) << 8 | UInt32(pending[at + 3])
    }
    for index in 16..<64 {
      let early = schedule[index - 15]
      let late = schedule[index - 2]
      let small0 = rotate(early, 7) ^ rotate(early, 18) ^ early >> 3
      let small1 = rotate(late, 17) ^ rotate(late, 19) ^ late >> 10
      schedule[index] = schedule[index - 16] &+ small0 &+ schedule[index - 7] &+ small1
    }
    var (a, b, c, d, e, f, g, h) = (h0, h1, h2, h3, h4, h5, h6, h7)
    for index in 0..<64 {
      let big1 = rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25)
      let choice = e & f ^ ~e & g
      let first = h &+ big1 &+ choice &+ SHA256.constants[index] &+ schedule[index]
      let big0 = rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)
      let second = big0 &+ (a & b ^ a & c ^ b & c)
      (h, g, f, e, d, c, b, a) = (g, f, e, d &+ first, c, b, a, first &+ second)
    }
    h0 &+= a
    h1 &+= b
    h2 &+= c
    h3 &+= d
    h4 &+= e
    h5 &+= f
    h6 &+= g
    h7 &+= h
  }

  private func rotate(_ word: UInt32, _ count: UInt32) -> UInt32 {
    word >> count | word << (32 - count)
  }

  private static let constants: [UInt32] = {
    // The first 32 bits of the fractional parts of the cube roots of the first 64 primes.
    [
      0x428a_2f98, 0x7137_4491, 0xb5c0_fbcf, 0xe9b5_dba5, 0x3956_c25b, 0x59f1_11f1, 0x923f_82a4,
      0xab1c_5ed5, 0xd807_aa98, 0x1283_5b01, 0x2431_85be, 0x550c_7dc3, 0x72be_5d74, 0x80de_b1fe,
      0x9bdc_06a7, 0xc19b_f174, 0xe49b_69c1, 0xefbe_4786, 0x0fc1_9dc6, 0x240c_a1cc, 0x2de9_2c6f,
      0x4a74_84aa, 0x5cb0_a9dc, 0x76f9_88da, 0x983e_5152, 0xa831_c66d, 0xb003_27c8, 0xbf59_7fc7,
      0xc6e0_0bf3, 0xd5a7_9147, 0x06ca_6351, 0x1429_2967, 0x27b7_0a85, 0x2e1b_2138, 0x4d2c_6dfc,
      0x5338_0d13, 0x650a_7354, 0x766a_0abb, 0x81c2_c92e, 0x9272_2c85, 0xa2bf_e8a1, 0xa81a_664b,
      0xc24b_8b70, 0xc76c_51a3, 0xd192_e819, 0xd699_0624, 0xf40e_3585, 0x106a_a070, 0x19a4_c116,
      0x1e37_6c08, 0x2748_774c, 0x34b0_bcb5, 0x391c_0cb3, 0x4ed8_aa4a, 0x5b9c_ca4f, 0x682e_6ff3,
      0x748f_82ee, 0x78a5_636f, 0x84c8_7814, 0x8cc7_0208, 0x90be_fffa, 0xa450_6ceb, 0xbef9_a3f7,
      0xc671_78f2,
    ]
  }()
}
