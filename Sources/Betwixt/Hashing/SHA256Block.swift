/// The blocks of SHA-256, one message at a time.
///
/// Tuned by hand, because each file that is read or written is hashed: without checks of indices,
/// and without moving eight words in each round, a block takes half as long. Pointers, `while` and
/// whole expressions, because without optimization each subscript of a buffer, each step of a range
/// and each small function is a call, and tests hash much. It is tested on the published digests.
extension SHA256.State {
  /// Takes blocks of a message.
  ///
  /// - Precondition: The message has so many from there.
  mutating func absorb(_ message: [UInt8], from start: Int = 0, blockCount: Int) {
    precondition(start >= 0 && start + blockCount * 64 <= message.count)
    var schedule = [UInt32](repeating: 0, count: 64)
    unsafe message.withUnsafeBytes { message in
      unsafe schedule.withUnsafeMutableBufferPointer { schedule in
        unsafe SHA256.constants.withUnsafeBufferPointer { constants in
          guard let bytes = message.baseAddress, let words = schedule.baseAddress,
            let constants = constants.baseAddress
          else { return }
          var offset = start
          let end = start &+ blockCount &* 64
          while offset < end {
            unsafe SHA256.State.load(bytes + offset, words: words)
            unsafe compress(words, constants: constants)
            offset = offset &+ 64
          }
        }
      }
    }
  }

  /// Reads a block, and makes the other 48 words of its schedule.
  @inline(__always)
  private static func load(_ bytes: UnsafeRawPointer, words: UnsafeMutablePointer<UInt32>) {
    var index = 0
    while index < 16 {
      unsafe words[index] =
        bytes.loadUnaligned(fromByteOffset: index &* 4, as: UInt32.self).bigEndian
      index = index &+ 1
    }
    while index < 64 {
      let early = unsafe words[index &- 15]
      let late = unsafe words[index &- 2]
      let small0 = (early &>> 7 | early &<< 25) ^ (early &>> 18 | early &<< 14) ^ early &>> 3
      let small1 = (late &>> 17 | late &<< 15) ^ (late &>> 19 | late &<< 13) ^ late &>> 10
      unsafe words[index] = words[index &- 16] &+ small0 &+ words[index &- 7] &+ small1
      index = index &+ 1
    }
  }

  @inline(__always)
  private mutating func compress(
    _ words: UnsafeMutablePointer<UInt32>, constants: UnsafePointer<UInt32>
  ) {
    var (a, b, c, d, e, f, g, h) = (a, b, c, d, e, f, g, h)
    var index = 0
    // Eight rounds bring each word back to where it was, so none is ever moved.
    while index < 64 {
      unsafe round(a, b, c, &d, e, f, g, &h, word: words[index] &+ constants[index])
      unsafe round(h, a, b, &c, d, e, f, &g, word: words[index &+ 1] &+ constants[index &+ 1])
      unsafe round(g, h, a, &b, c, d, e, &f, word: words[index &+ 2] &+ constants[index &+ 2])
      unsafe round(f, g, h, &a, b, c, d, &e, word: words[index &+ 3] &+ constants[index &+ 3])
      unsafe round(e, f, g, &h, a, b, c, &d, word: words[index &+ 4] &+ constants[index &+ 4])
      unsafe round(d, e, f, &g, h, a, b, &c, word: words[index &+ 5] &+ constants[index &+ 5])
      unsafe round(c, d, e, &f, g, h, a, &b, word: words[index &+ 6] &+ constants[index &+ 6])
      unsafe round(b, c, d, &e, f, g, h, &a, word: words[index &+ 7] &+ constants[index &+ 7])
      index = index &+ 8
    }
    self.a = self.a &+ a
    self.b = self.b &+ b
    self.c = self.c &+ c
    self.d = self.d &+ d
    self.e = self.e &+ e
    self.f = self.f &+ f
    self.g = self.g &+ g
    self.h = self.h &+ h
  }
}

@inline(__always)
private func round(
  _ a: UInt32, _ b: UInt32, _ c: UInt32, _ d: inout UInt32, _ e: UInt32, _ f: UInt32,
  _ g: UInt32, _ h: inout UInt32, word: UInt32
) {
  let big1 = (e &>> 6 | e &<< 26) ^ (e &>> 11 | e &<< 21) ^ (e &>> 25 | e &<< 7)
  let first = h &+ big1 &+ (g ^ e & (f ^ g)) &+ word
  let big0 = (a &>> 2 | a &<< 30) ^ (a &>> 13 | a &<< 19) ^ (a &>> 22 | a &<< 10)
  d = d &+ first
  h = first &+ big0 &+ (a & b | c & (a | b))
}
