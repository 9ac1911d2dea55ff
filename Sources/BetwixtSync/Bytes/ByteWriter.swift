import Betwixt

/// Writes bytes behind those of an array, a piece at a time.
///
/// To append to an array is to ask whether it is shared and whether it has room, for each byte. This
/// writes to a piece of memory of its own and asks once for each number; the array gets whole pieces.
/// It checks every access itself.
///
///     var writer = ByteWriter(behind: head)
///     writer.appendVarint(300)
///     let bytes = writer.finish()  // head + [0xac, 0x02]
@safe
struct ByteWriter: ~Copyable {
  private var output: [UInt8]
  private let piece: UnsafeMutablePointer<UInt8>
  private var count = 0

  // What stays in the processor's nearest cache.
  private static let pieceSize = 16 << 10

  /// Begins behind some bytes.
  init(behind output: consuming [UInt8]) {
    self.output = output
    unsafe piece = .allocate(capacity: ByteWriter.pieceSize)
  }

  deinit { unsafe piece.deallocate() }

  /// All bytes: those it began with, and those that were written.
  consuming func finish() -> [UInt8] {
    flush()
    return output
  }

  @inline(never)
  private mutating func flush() {
    unsafe output.append(contentsOf: UnsafeBufferPointer(start: piece, count: count))
    count = 0
  }

  @inline(__always)
  private mutating func makeRoom(for byteCount: Int) {
    if ByteWriter.pieceSize - count < byteCount { flush() }
  }

  // MARK: Numbers

  @inline(__always)
  mutating func append(_ byte: UInt8) {
    makeRoom(for: 1)
    put(byte)
  }

  // There is room.
  @inline(__always)
  private mutating func put(_ byte: UInt8) {
    unsafe piece[count] = byte
    count += 1
  }

  /// Appends an unsigned LEB128 number in as few bytes as it needs.
  @inline(__always)
  mutating func appendVarint(_ number: UInt64) {
    makeRoom(for: 10)
    guard number >= 0x80 else { return put(UInt8(truncatingIfNeeded: number)) }
    putVarint(number)
  }

  // There is room. Most numbers have one byte, for which nothing is called.
  @inline(never)
  private mutating func putVarint(_ number: UInt64) {
    var rest = number
    while rest >= 0x80 {
      put(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    put(UInt8(truncatingIfNeeded: rest))
  }

  @inline(__always)
  mutating func appendVarint(_ number: Int) {
    appendVarint(UInt64(bitPattern: Int64(number)))
  }

  /// Appends a signed number: 0, -1, 1, -2 and so on are written as 0, 1, 2, 3.
  @inline(__always)
  mutating func appendZigzag(_ number: Int64) {
    appendVarint(UInt64(bitPattern: number << 1 ^ number >> 63))
  }

  mutating func appendBigEndian(_ number: UInt64) { appendFirst(8, of: number) }

  /// Appends the most significant bytes of a number, at most eight.
  @inline(__always)
  mutating func appendFirst(_ byteCount: Int, of number: UInt64) {
    makeRoom(for: 8)
    // Bytes beyond those that count are written again by what follows.
    unsafe UnsafeMutableRawPointer(piece)
      .storeBytes(of: number.bigEndian, toByteOffset: count, as: UInt64.self)
    count += min(byteCount, 8)
  }

  // MARK: Runs

  /// Appends the bytes of a span.
  mutating func append(_ bytes: Span<UInt8>) {
    guard bytes.count <= ByteWriter.pieceSize else {
      flush()
      return output.append(bytes)
    }
    makeRoom(for: bytes.count)
    unsafe bytes.withUnsafeBytes { unsafe copy($0) }
    count += bytes.count
  }

  // There is room. Most texts and keys have a few words, of which the last two overlap: to copy those
  // takes half of what a call of memcpy does.
  private func copy(_ bytes: UnsafeRawBufferPointer) {
    let target = unsafe UnsafeMutableRawPointer(piece + count)
    if bytes.count > 64, let base = bytes.baseAddress {
      unsafe target.copyMemory(from: base, byteCount: bytes.count)
    } else if bytes.count >= 8 {
      var offset = 0
      while offset < bytes.count {
        offset = min(offset, bytes.count - 8)
        let word = unsafe bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
        unsafe target.storeBytes(of: word, toByteOffset: offset, as: UInt64.self)
        offset += 8
      }
    } else {
      for offset in 0..<bytes.count {
        unsafe target.storeBytes(of: bytes[offset], toByteOffset: offset, as: UInt8.self)
      }
    }
  }
}
