/// Reads what ``ImageWriter`` wrote, section by section, each run into memory of its own.
struct ImageReader {
  private let read: (_ offset: Int, _ count: Int) -> [UInt8]?
  // The section that is being read, and where the next one begins.
  private var section: [UInt8] = []
  private var offset = 0
  private var next = 0

  /// Begins with the first section.
  ///
  /// - Parameter read: The bytes from an offset on, exactly so many; `nil` if there are fewer.
  init(reading read: @escaping (_ offset: Int, _ count: Int) -> [UInt8]?) { self.read = read }

  mutating func number() throws(ImageFailure) -> UInt64 {
    let start = try take(8)
    return unsafe section.withUnsafeBytes { bytes in
      unsafe bytes.loadUnaligned(fromByteOffset: start, as: UInt64.self)
    }
  }

  /// A number of things.
  mutating func count() throws(ImageFailure) -> Int {
    guard let count = Int32(exactly: try number()) else { throw ImageFailure() }
    return Int(count)
  }

  /// A run of words.
  mutating func words() throws(ImageFailure) -> [UInt64] {
    let count = try count()
    let start = try take(count * 8)
    guard count > 0 else { return [] }
    return unsafe [UInt64](unsafeUninitializedCapacity: count) { words, initializedCount in
      unsafe section.withUnsafeBytes { bytes in
        let run = unsafe bytes[start..<start + count * 8]
        unsafe UnsafeMutableRawBufferPointer(words).copyMemory(
          from: UnsafeRawBufferPointer(rebasing: run))
      }
      initializedCount = count
    }
  }

  /// A run of bytes.
  mutating func bytes() throws(ImageFailure) -> [UInt8] {
    let count = try count()
    let start = try take((count + 7) / 8 * 8)
    return count == 0 ? [] : Array(section[start..<start + count])
  }

  /// Goes on behind some bytes, and says where they start.
  @inline(__always)
  private mutating func take(_ count: Int) throws(ImageFailure) -> Int {
    if offset == section.count { try readSection() }
    guard count <= section.count - offset else { throw ImageFailure() }
    defer { offset += count }
    return offset
  }

  @inline(never)
  private mutating func readSection() throws(ImageFailure) {
    guard let head = read(next, ImageWriter.headSize) else { throw ImageFailure() }
    let (count, checksum) = unsafe head.withUnsafeBytes { bytes in
      unsafe (
        bytes.loadUnaligned(as: UInt64.self),
        bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self)
      )
    }
    // A number that is damaged must not ask for memory.
    guard let count = ImageWriter.count(count),
      let bytes = read(next + ImageWriter.headSize, count), XXH64.hash(bytes[...]) == checksum
    else { throw ImageFailure() }
    section = bytes
    offset = 0
    next += ImageWriter.headSize + bytes.count
  }
}

/// Bytes that are no image.
struct ImageFailure: Error {}
