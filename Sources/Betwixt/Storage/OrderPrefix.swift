/// So much of an item's place that most comparisons of two places end here: the first twelve bytes
/// of its ``OrderCode``.
///
/// It never orders two places the wrong way round; it only ties where they agree.
struct OrderPrefix: Hashable, Sendable {
  let first: UInt64
  let second: UInt32

  init(_ code: OrderCode) {
    first = code.high
    second = UInt32(truncatingIfNeeded: code.low >> 32)
  }

  init(first: UInt64, second: UInt32) {
    self.first = first
    self.second = second
  }

  /// The section, if the prefix tells it.
  var section: Int64? {
    let bits = first >> 48
    return bits == 0 || bits == 0xffff ? nil : Int64(bits) - 32_768
  }
}

extension OrderPrefix: Comparable {
  @inline(__always)
  static func < (left: OrderPrefix, right: OrderPrefix) -> Bool {
    left.first != right.first ? left.first < right.first : left.second < right.second
  }
}

/// The first 16 bytes of the code of a place: 16 bits of the section, and the key with one byte for
/// its first author, if that is one of ``OrderAuthors``.
///
/// The parts of a key are prefix-free and so are the codes of authors, so that codes compare as
/// places do as far as they go. A section that does not fit is all zeros or all ones, also where the
/// key would be: that must not speak before its section has.
struct OrderCode {
  private(set) var high: UInt64 = 0
  private(set) var low: UInt64 = 0
  private var count = 0

  /// How many bytes the code has.
  private static let byteCount = 16

  /// The code of no place.
  init() {}

  /// Codes a place.
  ///
  /// - Parameters:
  ///   - section: The section.
  ///   - key: A valid key, or no bytes for the start of the section.
  ///   - authors: Whose names are short.
  init(section: Int64, key: Span<UInt8>, authors: inout OrderAuthors.Recent) {
    if section < -32_768 { return }
    if section > 32_767 {
      high = .max
      low = .max
      return
    }
    high = UInt64(truncatingIfNeeded: section + 32_768) << 48
    count = 2
    // The bytes stay in here.
    self = SortKeyBytes.with(key) { bytes in
      var code = self
      code.append(bytes, authors: &authors)
      return code
    }
  }

  /// Codes a place whose key is a part of some bytes.
  init(section: Int64, key: ArraySlice<UInt8>, authors: OrderAuthors) {
    var authors = OrderAuthors.Recent(authors)
    self.init(section: section, key: key.span, authors: &authors)
  }

  @inline(__always)
  private mutating func append(_ key: SortKeyBytes, authors: inout OrderAuthors.Recent) {
    guard key.count > 0 else { return }
    var offset = 0
    // The number: all its bytes but the last are odd.
    while true {
      let word = key.word(at: offset)
      let even = ~word & 0x0101_0101_0101_0101
      let length = even == 0 ? 8 : even.leadingZeroBitCount / 8 + 1
      append(first: length, of: word)
      offset += length
      if even != 0 { break }
    }
    let author = authors.code(of: key.bigEndian(at: offset))
    offset += 8
    append(UInt64(author.byte) << 56, bytes: 1)
    if let name = author.name { append(name, bytes: 8) }
    while count < OrderCode.byteCount {
      append(key.word(at: offset), bytes: 8)
      offset += 8
    }
  }

  /// Appends the most significant bytes of a word.
  @inline(__always)
  private mutating func append(first byteCount: Int, of word: UInt64) {
    append(word & ~0 &<< UInt64(64 - 8 * byteCount), bytes: byteCount)
  }

  /// Appends the most significant bytes of a word, all others of which are 0, as far as there is
  /// room.
  @inline(__always)
  private mutating func append(_ word: UInt64, bytes byteCount: Int) {
    if count < 8 {
      high |= word &>> UInt64(8 * count)
      // At least two bytes were there: the section's.
      low |= word &<< UInt64(64 - 8 * count)
    } else if count < OrderCode.byteCount {
      low |= word &>> UInt64(8 * count - 64)
    }
    count += byteCount
  }
}
