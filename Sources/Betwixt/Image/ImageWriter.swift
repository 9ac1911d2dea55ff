/// Writes numbers and runs of them as they lie in memory, in sections that are checked and read one by
/// one.
struct ImageWriter {
  private let write: (_ bytes: [UInt8]) -> Bool
  // The section that is being written, behind room for its head.
  private var section = [UInt8](repeating: 0, count: headSize)
  /// Whether all sections so far were taken.
  private(set) var isWhole = true

  // Larger, and memory for a section would come from the system, and go back to it, each time.
  private static let sectionSize = 48 << 10
  /// What stands before a section: how many bytes it has, and their checksum.
  static let headSize = 16

  /// Begins an image.
  ///
  /// - Parameter write: Takes bytes that follow those before; false if it cannot.
  init(to write: @escaping (_ bytes: [UInt8]) -> Bool) { self.write = write }

  mutating func append(_ number: UInt64) {
    unsafe withUnsafeBytes(of: number) { word in unsafe section.append(contentsOf: word) }
  }

  mutating func append(_ number: Int) { append(UInt64(number)) }

  /// Appends a run of words, its length first.
  mutating func append(_ words: [UInt64]) {
    append(words.count)
    unsafe words.withUnsafeBytes { run in unsafe section.append(contentsOf: run) }
  }

  /// Appends a run of bytes, its length first, and zeros up to the next whole word.
  mutating func append(_ run: [UInt8]) {
    append(run.count)
    section.append(contentsOf: run)
    let rest = section.count % 8
    if rest > 0 { section.append(contentsOf: repeatElement(0, count: 8 - rest)) }
  }

  /// Ends the section here, if it is large enough.
  ///
  /// Numbers and runs never lie in two.
  mutating func pause() {
    if section.count >= ImageWriter.sectionSize { endSection() }
  }

  /// Ends the section, which may be the last one.
  mutating func endSection() {
    let count = section.count - ImageWriter.headSize
    put(ImageWriter.code(UInt32(truncatingIfNeeded: count)), at: 0)
    put(XXH64.hash(section[ImageWriter.headSize...]), at: 8)
    isWhole = isWhole && count <= Int(UInt32.max) && write(section)
    section.removeLast(count)
  }

  private mutating func put(_ number: UInt64, at offset: Int) {
    unsafe section.withUnsafeMutableBytes { bytes in
      unsafe bytes.storeBytes(of: number, toByteOffset: offset, as: UInt64.self)
    }
  }

  // MARK: Numbers that check themselves

  private static func code(_ count: UInt32) -> UInt64 { UInt64(~count) << 32 | UInt64(count) }

  /// The number that a code stands for, if it does.
  static func count(_ code: UInt64) -> Int? {
    let count = UInt32(truncatingIfNeeded: code)
    return ImageWriter.code(count) == code ? Int(count) : nil
  }
}
