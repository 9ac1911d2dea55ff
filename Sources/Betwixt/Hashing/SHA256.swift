/// SHA-256 (FIPS 180-4), for digests and for ids made from foreign ids.
///
///     var hasher = SHA256()
///     hasher.update("ab".utf8)
///     hasher.update("c".utf8)
///     Hex.encode(hasher.finalize())  // "ba7816bf8f01cfea…"
package struct SHA256: Sendable {
  private var state = State()
  // Less than a block after each update.
  private var pending: [UInt8] = []
  private var byteCount: UInt64 = 0

  package init() {}

  /// Takes more of the message.
  package mutating func update(_ bytes: some Sequence<UInt8>) {
    pending.append(contentsOf: bytes)
    let taken = SHA256.absorb(pending, into: &state)
    pending.removeFirst(taken)
    byteCount += UInt64(taken)
  }

  /// The digest of all that was taken, 32 bytes.
  package consuming func finalize() -> [UInt8] {
    SHA256.finish(pending[...], byteCount + UInt64(pending.count), &state)
    return state.bytes
  }

  /// The digest of a message, 32 bytes.
  ///
  /// - Complexity: O(*b*) for *b* bytes
  package static func hash(_ message: some Sequence<UInt8>) -> [UInt8] { hash(Array(message)) }

  /// The digest of a message, 32 bytes.
  ///
  /// - Complexity: O(*b*) for *b* bytes
  package static func hash(_ message: [UInt8]) -> [UInt8] { digest(message).bytes }

  /// The words before the first block.
  static let initial = State()

  /// The eight words of a digest.
  struct State: Sendable {
    var a: UInt32 = 0x6a09_e667
    var b: UInt32 = 0xbb67_ae85
    var c: UInt32 = 0x3c6e_f372
    var d: UInt32 = 0xa54f_f53a
    var e: UInt32 = 0x510e_527f
    var f: UInt32 = 0x9b05_688c
    var g: UInt32 = 0x1f83_d9ab
    var h: UInt32 = 0x5be0_cd19

    var bytes: [UInt8] {
      var bytes: [UInt8] = []
      bytes.reserveCapacity(32)
      for word in [a, b, c, d, e, f, g, h] { bytes.appendBigEndian(word) }
      return bytes
    }
  }

  /// The digest of a message as words.
  static func digest(_ message: [UInt8]) -> State {
    var state = State()
    let taken = absorb(message, into: &state)
    finish(message[taken...], UInt64(message.count), &state)
    return state
  }

  /// Takes the whole blocks of a message; returns how many bytes they are.
  private static func absorb(_ message: [UInt8], into state: inout State) -> Int {
    let blockCount = message.count / 64
    if blockCount > 0 { state.absorb(message, blockCount: blockCount) }
    return blockCount * 64
  }

  /// Takes what is left of a message, less than a block, and the padding.
  private static func finish(
    _ rest: ArraySlice<UInt8>, _ byteCount: UInt64, _ state: inout State
  ) {
    var last: [UInt8] = []
    last.reserveCapacity(128)
    last.append(contentsOf: rest)
    last.append(0x80)
    while last.count % 64 != 56 { last.append(0) }
    last.appendBigEndian(byteCount * 8)
    _ = absorb(last, into: &state)
  }

  // The first 32 bits of the fractional parts of the cube roots of the first 64 primes.
  static let constants: [UInt32] = [
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
}
