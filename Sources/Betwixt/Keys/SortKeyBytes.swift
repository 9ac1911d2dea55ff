// The only unsafe code of the keys. Keys are made for every insertion and every move; reading and
// writing them through arrays, with a reference count and a bounds check for each byte, takes three
// times as long. Both types check every access themselves and must not leave the closure that they
// are handed to.

/// The bytes of one key to read from; beyond the end all bytes are 0.
@safe
struct SortKeyBytes {
  private let base: UnsafePointer<UInt8>?

  /// How many bytes there are.
  let count: Int

  private init(_ buffer: UnsafeBufferPointer<UInt8>) {
    unsafe base = buffer.baseAddress
    count = buffer.count
  }

  /// Calls a closure with the bytes of a slice, in place; `nil` has none.
  @inline(__always)
  static func with<Result>(
    _ slice: ArraySlice<UInt8>?, _ body: (SortKeyBytes) -> Result
  ) -> Result {
    guard let slice else {
      return body(unsafe SortKeyBytes(UnsafeBufferPointer(start: nil, count: 0)))
    }
    return unsafe slice.withUnsafeBufferPointer { body(unsafe SortKeyBytes($0)) }
  }

  /// Calls a closure with the bytes of a span, in place.
  @inline(__always)
  static func with<Result>(_ span: Span<UInt8>, _ body: (SortKeyBytes) -> Result) -> Result {
    unsafe span.withUnsafeBufferPointer { body(unsafe SortKeyBytes($0)) }
  }

  subscript(offset: Int) -> UInt8 {
    guard UInt(bitPattern: offset) < UInt(bitPattern: count), let base = unsafe base else {
      return 0
    }
    return unsafe base[offset]
  }

  /// Eight bytes as one number; 0 if there are fewer.
  func bigEndian(at offset: Int) -> UInt64 {
    guard offset >= 0, count - 8 >= offset, let base = unsafe base else { return 0 }
    return UInt64(bigEndian: unsafe UnsafeRawPointer(base + offset).loadUnaligned(as: UInt64.self))
  }

  /// Eight bytes as one number, with 0 for those beyond the end; 0 if the key has fewer than eight.
  @inline(__always)
  func word(at offset: Int) -> UInt64 {
    let missing = offset - (count - 8)
    guard missing > 0 else { return bigEndian(at: offset) }
    return missing < 8 ? bigEndian(at: count - 8) &<< UInt64(8 * missing) : 0
  }

  /// The same also where there are fewer than eight.
  func shortWord(at offset: Int) -> UInt64 {
    guard count < 8 else { return word(at: offset) }
    guard UInt(bitPattern: offset) < 8, let base = unsafe base else { return 0 }
    var word: UInt64 = 0
    for index in 0..<count { word |= UInt64(unsafe base[index]) &<< UInt64(56 - 8 * index) }
    return word &<< UInt64(8 * offset)
  }

  /// How many bytes at the start are the same.
  func commonPrefixCount(with other: SortKeyBytes) -> Int {
    let limit = Swift.min(count, other.count)
    var same = 0
    while same <= limit - 8 {
      let difference = bigEndian(at: same) ^ other.bigEndian(at: same)
      if difference != 0 { return same + difference.leadingZeroBitCount / 8 }
      same += 8
    }
    while same < limit, self[same] == other[same] { same += 1 }
    return same
  }

  /// Copies the first bytes; there must be as many.
  @unsafe
  fileprivate func copyPrefix(_ prefixCount: Int, to target: UnsafeMutableRawPointer) {
    guard let source = unsafe UnsafeRawPointer(base) else { return }
    guard prefixCount >= 8 else {
      for offset in 0..<prefixCount {
        unsafe target.storeBytes(of: self[offset], toByteOffset: offset, as: UInt8.self)
      }
      return
    }
    // Keys are short: a few words, of which the last two overlap, beat the call of memcpy.
    var offset = 0
    while offset < prefixCount {
      offset = Swift.min(offset, prefixCount - 8)
      let word = unsafe source.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
      unsafe target.storeBytes(of: word, toByteOffset: offset, as: UInt64.self)
      offset += 8
    }
  }
}

/// The bytes of one key to write.
///
/// Bytes beyond the greatest length of a key are counted but not kept.
@safe
struct SortKeyWriter {
  private let base: UnsafeMutablePointer<UInt8>

  /// How many bytes were written.
  private(set) var count = 0

  private init(_ base: UnsafeMutablePointer<UInt8>) {
    unsafe self.base = base
  }

  /// Calls a closure that writes a key, and appends the key to an array, if it does not refuse.
  ///
  /// - Returns: What the closure returns: why there is no key, or `nil`.
  @inline(__always)
  static func append<Refusal>(
    to output: inout [UInt8], _ body: (inout SortKeyWriter) -> Refusal?
  ) -> Refusal? {
    let capacity = SortKey.maximumByteCount
    return unsafe withUnsafeTemporaryAllocation(of: UInt8.self, capacity: capacity) { buffer in
      guard let base = buffer.baseAddress else { return nil }
      var writer = unsafe SortKeyWriter(base)
      if let refusal = body(&writer) { return refusal }
      let count = Swift.min(writer.count, capacity)
      unsafe output.append(contentsOf: UnsafeBufferPointer(start: base, count: count))
      return nil
    }
  }

  /// Whether there are more bytes than a key may have.
  var isTooLong: Bool { count > SortKey.maximumByteCount }

  mutating func append(_ byte: UInt8) {
    if count < SortKey.maximumByteCount { unsafe base[count] = byte }
    count += 1
  }

  mutating func appendBigEndian(_ number: UInt64) {
    appendFirst(8, of: number)
  }

  /// Appends the most significant bytes of a number, at most eight.
  mutating func appendFirst(_ byteCount: Int, of number: UInt64) {
    if count <= SortKey.maximumByteCount - 8 {
      // Bytes beyond those that count are written again by what follows.
      unsafe UnsafeMutableRawPointer(base)
        .storeBytes(of: number.bigEndian, toByteOffset: count, as: UInt64.self)
      count += byteCount
    } else {
      for byte in 0..<byteCount {
        append(UInt8(truncatingIfNeeded: number >> UInt64(56 - 8 * byte)))
      }
    }
  }

  /// Appends the first bytes of a key, at most all of them.
  mutating func append(_ bytes: SortKeyBytes, prefix: Int) {
    let prefix = Swift.min(prefix, bytes.count)
    if prefix <= SortKey.maximumByteCount - count {
      unsafe bytes.copyPrefix(prefix, to: base + count)
    }
    count += prefix
  }

  /// Appends the bytes at a range of offsets of a key, as far as it has them.
  @inline(__always)
  mutating func append(_ bytes: SortKeyBytes, from start: Int, to end: Int) {
    let byteCount = end - start
    if byteCount <= 8 {
      // One word, of which only the first bytes count.
      appendFirst(byteCount, of: bytes.shortWord(at: start))
    } else {
      for offset in start..<end { append(bytes[offset]) }
    }
  }

  /// Calls a closure that writes some bytes and says what else belongs to them, and then another one
  /// with both, unless the first refuses or writes more than a key may have.
  ///
  /// - Returns: Whether the second one was called.
  @inline(__always)
  static func with<Head>(
    _ make: (inout SortKeyWriter) -> Head?, _ body: (Head, Span<UInt8>) -> Void
  ) -> Bool {
    let capacity = SortKey.maximumByteCount
    return unsafe withUnsafeTemporaryAllocation(of: UInt8.self, capacity: capacity) { buffer in
      guard let base = buffer.baseAddress else { return false }
      var writer = unsafe SortKeyWriter(base)
      guard let head = make(&writer), !writer.isTooLong else { return false }
      let bytes = unsafe UnsafeBufferPointer(start: base, count: writer.count)
      body(head, unsafe Span(_unsafeElements: bytes))
      return true
    }
  }

  /// Takes back all bytes from an offset on.
  mutating func remove(from offset: Int) {
    count = Swift.min(count, offset)
  }
}
