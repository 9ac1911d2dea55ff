// A text is compared by its bytes: `é` has two spellings, which are equal as texts and differ as
// values. All of these look at the bytes where they lie, which takes a tenth of the time of the
// same question to a sequence.

extension String {
  /// Whether two texts have the same bytes.
  ///
  /// - Complexity: O(*n*), O(1) where the lengths differ
  package func hasSameBytes(as other: String) -> Bool {
    guard utf8.count == other.utf8.count else { return false }
    return hasSameBytesAsPrefix(other)
  }

  /// Whether the bytes begin with those of another text.
  ///
  /// - Complexity: O(*p*) for a prefix of *p* bytes
  package func hasBytePrefix(_ prefix: String) -> Bool {
    utf8.count >= prefix.utf8.count && hasSameBytesAsPrefix(prefix)
  }

  /// The order of the bytes.
  ///
  /// - Complexity: O(*n*)
  package func precedesInBytes(_ other: String) -> Bool {
    let precedes = unsafe utf8.withContiguousStorageIfAvailable { bytes in
      unsafe other.utf8.withContiguousStorageIfAvailable { others in
        unsafe TextBytes.precedes(bytes, others)
      }
    }
    return precedes.flatMap { $0 } ?? utf8.lexicographicallyPrecedes(other.utf8)
  }

  /// Whether there is a byte that a condition holds for.
  ///
  /// - Complexity: O(*n*)
  package func hasByte(where condition: (UInt8) -> Bool) -> Bool {
    let found = unsafe utf8.withContiguousStorageIfAvailable { bytes in
      for index in bytes.indices {
        if condition(unsafe bytes[index]) { return true }
      }
      return false
    }
    return found ?? utf8.contains(where: condition)
  }

  // The other text is not longer.
  private func hasSameBytesAsPrefix(_ other: String) -> Bool {
    let isSame = unsafe utf8.withContiguousStorageIfAvailable { bytes in
      unsafe other.utf8.withContiguousStorageIfAvailable { others in
        unsafe TextBytes.begins(bytes, with: others)
      }
    }
    // Texts from other runtimes may lie in pieces.
    return isSame.flatMap { $0 } ?? utf8.starts(with: other.utf8)
  }
}

extension Span<UInt8> {
  /// Whether the bytes are those of another span.
  ///
  /// - Complexity: O(*n*), O(1) where the lengths differ
  func hasSameBytes(as other: Span<UInt8>) -> Bool {
    guard count == other.count else { return false }
    return unsafe withUnsafeBufferPointer { bytes in
      unsafe other.withUnsafeBufferPointer { others in
        unsafe TextBytes.isSame(UnsafeRawBufferPointer(bytes), as: UnsafeRawBufferPointer(others))
      }
    }
  }

  /// Whether no byte has its highest bit set.
  ///
  /// - Complexity: O(*n*)
  package var isASCII: Bool {
    unsafe withUnsafeBufferPointer { bytes in
      let bytes = UnsafeRawBufferPointer(bytes)
      var bits: UInt64 = 0
      var offset = 0
      while bytes.count - offset >= 8 {
        bits |= unsafe bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
        offset += 8
      }
      while offset < bytes.count {
        bits |= UInt64(unsafe bytes[offset]) << 56
        offset += 1
      }
      return bits & 0x8080_8080_8080_8080 == 0
    }
  }
}

private enum TextBytes {
  // Both are as long.
  static func isSame(_ bytes: UnsafeRawBufferPointer, as others: UnsafeRawBufferPointer) -> Bool {
    var offset = 0
    while bytes.count - offset >= 8 {
      let word = unsafe bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
      let other = unsafe others.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
      if word != other { return false }
      offset += 8
    }
    while offset < bytes.count {
      if unsafe bytes[offset] != others[offset] { return false }
      offset += 1
    }
    return true
  }

  static func begins(
    _ bytes: UnsafeBufferPointer<UInt8>, with others: UnsafeBufferPointer<UInt8>
  ) -> Bool {
    for index in others.indices {
      if unsafe bytes[index] != others[index] { return false }
    }
    return true
  }

  static func precedes(
    _ bytes: UnsafeBufferPointer<UInt8>, _ others: UnsafeBufferPointer<UInt8>
  ) -> Bool {
    for index in 0..<min(bytes.count, others.count) {
      let (byte, other) = unsafe (bytes[index], others[index])
      if byte != other { return byte < other }
    }
    return bytes.count < others.count
  }
}
