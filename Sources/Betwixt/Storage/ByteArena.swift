/// The bytes of the keys and values of one page, one after the other.
///
/// A value of its own per key and field would be one heap object each; here a page has one array
/// for all. What is overwritten becomes garbage until the page compacts.
struct ByteArena: Sendable {
  /// Where a run of bytes lies.
  struct Reference: Sendable {
    /// Its offset, or its index among the large values.
    var start: UInt32 = 0
    /// Its length; the highest bit marks a large value.
    var lengthAndKind: UInt32 = 0

    var length: Int { Int(lengthAndKind & ~Reference.largeMark) }
    var isLarge: Bool { lengthAndKind & Reference.largeMark != 0 }

    /// Where the bytes of one lie that is not large.
    @inline(__always)
    var range: Range<Int> { Int(start)..<Int(start) + length }

    static let largeMark: UInt32 = 1 << 31
  }

  private(set) var bytes: [UInt8] = []
  private(set) var large: [[UInt8]] = []
  private(set) var garbage: UInt32 = 0
  // Whether some large one may be empty, so that nobody looks for one in vain.
  private(set) var hasFree = false

  // A value above this size gets an array of its own, so that copying a page stays cheap.
  private static let largeByteCount = 2048
  // The offsets are 32 bits wide.
  private static let capacity = Int(Int32.max)

  init() {}

  /// An arena as one was once.
  init(bytes: [UInt8], large: [[UInt8]], garbage: UInt32, hasFree: Bool) {
    self.bytes = bytes
    self.large = large
    self.garbage = garbage
    self.hasFree = hasFree
  }

  /// How many of the bytes are no garbage.
  var liveByteCount: Int { bytes.count - Int(garbage) }

  /// Whether so much is garbage that the owner should move everything to a new arena.
  var isWasteful: Bool { garbage > 512 && Int(garbage) * 2 > bytes.count }

  subscript(reference: Reference) -> ArraySlice<UInt8> {
    if reference.isLarge { return large[Int(reference.start)][...] }
    let start = Int(reference.start)
    return bytes[start..<start + reference.length]
  }

  /// Whether what a reference names has the bytes of what one of another arena names.
  func isSame(_ reference: Reference, in other: ByteArena, _ counterpart: Reference) -> Bool {
    guard reference.length == counterpart.length else { return false }
    let bytes = self[reference]
    let others = other[counterpart]
    return bytes.span.hasSameBytes(as: others.span)
  }

  /// Whether this is the same arena as another: neither was written since one was copied.
  func isSameArena(as other: ByteArena) -> Bool {
    bytes.isSameArray(as: other.bytes) && large.isSameArray(as: other.large)
  }

  /// Whether the same bytes lie at the same places.
  func isSame(as other: ByteArena) -> Bool {
    let (mine, theirs) = (bytes[...], other.bytes[...])
    return mine.span.hasSameBytes(as: theirs.span) && large == other.large
  }

  /// Appends what a reference names to an array.
  func append(_ reference: Reference, to output: inout [UInt8]) {
    guard !reference.isLarge else { return output.append(contentsOf: self[reference]) }
    let start = Int(reference.start)
    output.append(bytes[start..<start + reference.length].span)
  }

  /// Appends a number, big endian, and what a reference names to an array.
  ///
  /// At once if that is short: to append to an array takes longer than to copy a key.
  func append(_ number: UInt64, _ reference: Reference, to output: inout [UInt8]) {
    let length = reference.length
    guard !reference.isLarge, length <= ByteArena.shortByteCount else {
      output.appendBigEndian(number)
      return append(reference, to: &output)
    }
    let range = reference.range
    unsafe withUnsafeTemporaryAllocation(byteCount: 8 + ByteArena.shortByteCount, alignment: 8) {
      let target = unsafe $0
      unsafe target.storeBytes(of: number.bigEndian, as: UInt64.self)
      unsafe bytes[range].withUnsafeBytes { source in
        unsafe UnsafeMutableRawBufferPointer(rebasing: target[8...]).copyMemory(from: source)
      }
      unsafe output.append(contentsOf: UnsafeRawBufferPointer(rebasing: target[..<(8 + length)]))
    }
  }

  private static let shortByteCount = 120

  mutating func reserve(_ count: Int) { bytes.reserveCapacity(count) }

  /// Forgets everything, and keeps the memory for what is not large.
  mutating func removeAll() {
    bytes.removeAll(keepingCapacity: true)
    large = []
    garbage = 0
    hasFree = false
  }

  /// The same in as much memory as it needs.
  var fitting: ByteArena {
    var copy = self
    copy.bytes = bytes.moved()
    return copy
  }

  mutating func store(_ value: Span<UInt8>) -> Reference {
    let count = value.count
    if count > ByteArena.largeByteCount || bytes.count > ByteArena.capacity - count {
      return storeLarge(value)
    }
    let start = UInt32(truncatingIfNeeded: bytes.count)
    makeRoom(for: count)
    bytes.append(value)
    return Reference(start: start, lengthAndKind: UInt32(truncatingIfNeeded: count))
  }

  /// Stores a value that begins with one more byte.
  mutating func store(_ first: UInt8, _ rest: Span<UInt8>) -> Reference {
    let count = rest.count + 1
    guard count <= ByteArena.largeByteCount, bytes.count <= ByteArena.capacity - count else {
      var value: [UInt8] = [first]
      value.append(rest)
      return storeLarge(value)
    }
    let start = UInt32(truncatingIfNeeded: bytes.count)
    makeRoom(for: count)
    bytes.append(first)
    bytes.append(rest)
    return Reference(start: start, lengthAndKind: UInt32(truncatingIfNeeded: count))
  }

  /// Puts a value in the place of another, where it fits, else elsewhere.
  mutating func replace(_ old: Reference, with value: Span<UInt8>) -> Reference {
    if !old.isLarge, value.count <= old.length {
      let start = Int(old.start)
      for index in value.indices { bytes[start + index] = value[index] }
      garbage += UInt32(truncatingIfNeeded: old.length - value.count)
      return Reference(
        start: old.start, lengthAndKind: UInt32(truncatingIfNeeded: value.count))
    }
    discard(old)
    return store(value)
  }

  /// Lets a page that holds much grow by a quarter: arrays double, and half of one would stay empty.
  private mutating func makeRoom(for count: Int) {
    guard bytes.count >= ByteArena.largeByteCount, bytes.capacity - bytes.count < count else {
      return
    }
    bytes.reserveCapacity(bytes.count + max(count, bytes.count / 4))
  }

  mutating func discard(_ reference: Reference) {
    if reference.isLarge {
      large[Int(reference.start)] = []
      hasFree = true
    } else {
      garbage += UInt32(truncatingIfNeeded: reference.length)
    }
  }

  private mutating func storeLarge(_ value: Span<UInt8>) -> Reference {
    var copy: [UInt8] = []
    copy.append(value)
    return storeLarge(copy)
  }

  private mutating func storeLarge(_ value: [UInt8]) -> Reference {
    let index: Int
    if hasFree, let free = large.firstIndex(where: { $0.isEmpty }) {
      large[free] = value
      index = free
    } else {
      hasFree = false
      index = large.count
      large.append(value)
    }
    return Reference(
      start: UInt32(truncatingIfNeeded: index),
      lengthAndKind: UInt32(truncatingIfNeeded: value.count) | Reference.largeMark)
  }
}
