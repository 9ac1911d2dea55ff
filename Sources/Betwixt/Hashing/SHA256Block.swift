/// The blocks of SHA-256, one message at a time.
///
/// Tuned by hand, because each file that is read or written is hashed: without checks of indices,
/// and without moving eight words in each round, a block takes half as long. It is tested on the
/// published digests.
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
          for block in 0..<blockCount {
            unsafe SHA256.State.load(message, start + block * 64, schedule)
            unsafe compress(schedule, constants)
          }
        }
      }
    }
  }

  /// Reads a block, and makes the other 48 words of its schedule.
  @inline(__always)
  private static func load(
    _ bytes: UnsafeRawBufferPointer, _ start: Int,
    _ schedule: UnsafeMutableBufferPointer<UInt32>
  ) {
    for index in 0..<16 {
      let word = unsafe bytes.loadUnaligned(fromByteOffset: start + index * 4, as: UInt32.self)
      unsafe schedule[index] = word.bigEndian
    }
    for index in 16..<64 {
      let early = unsafe schedule[index - 15]
      let late = unsafe schedule[index - 2]
      let small0 = rotate(early, 7) ^ rotate(early, 18) ^ early >> 3
      let small1 = rotate(late, 17) ^ rotate(late, 19) ^ late >> 10
      unsafe schedule[index] = schedule[index - 16] &+ small0 &+ schedule[index - 7] &+ small1
    }
  }

  @inline(__always)
  private mutating func compress(
    _ schedule: UnsafeMutableBufferPointer<UInt32>, _ constants: UnsafeBufferPointer<UInt32>
  ) {
    var now = self
    var index = 0
    // Eight rounds bring each word back to where it was, so none is ever moved.
    while index < 64 {
      @inline(__always) func next() -> UInt32 {
        defer { index += 1 }
        return unsafe schedule[index] &+ constants[index]
      }
      round(now.a, now.b, now.c, &now.d, now.e, now.f, now.g, &now.h, next())
      round(now.h, now.a, now.b, &now.c, now.d, now.e, now.f, &now.g, next())
      round(now.g, now.h, now.a, &now.b, now.c, now.d, now.e, &now.f, next())
      round(now.f, now.g, now.h, &now.a, now.b, now.c, now.d, &now.e, next())
      round(now.e, now.f, now.g, &now.h, now.a, now.b, now.c, &now.d, next())
      round(now.d, now.e, now.f, &now.g, now.h, now.a, now.b, &now.c, next())
      round(now.c, now.d, now.e, &now.f, now.g, now.h, now.a, &now.b, next())
      round(now.b, now.c, now.d, &now.e, now.f, now.g, now.h, &now.a, next())
    }
    a &+= now.a
    b &+= now.b
    c &+= now.c
    d &+= now.d
    e &+= now.e
    f &+= now.f
    g &+= now.g
    h &+= now.h
  }
}

@inline(__always)
private func round(
  _ a: UInt32, _ b: UInt32, _ c: UInt32, _ d: inout UInt32, _ e: UInt32, _ f: UInt32,
  _ g: UInt32, _ h: inout UInt32, _ word: UInt32
) {
  let big1 = rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25)
  let first = h &+ big1 &+ (g ^ e & (f ^ g)) &+ word
  let big0 = rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)
  d &+= first
  h = first &+ big0 &+ (a & b | c & (a | b))
}

@inline(__always)
private func rotate(_ word: UInt32, _ count: UInt32) -> UInt32 {
  word &>> count | word &<< (32 &- count)
}
