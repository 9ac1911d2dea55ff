extension String {
  /// Whether two texts have the same bytes: `é` has two spellings, which are equal as texts.
  func hasSameBytes(as other: String) -> Bool {
    guard utf8.count == other.utf8.count else { return false }
    let isSame = unsafe utf8.withContiguousStorageIfAvailable { bytes in
      unsafe other.utf8.withContiguousStorageIfAvailable { others in
        unsafe areEqual(bytes, others)
      }
    }
    // Texts from other runtimes may lie in pieces.
    return isSame.flatMap { $0 } ?? utf8.elementsEqual(other.utf8)
  }
}

private func areEqual(
  _ bytes: UnsafeBufferPointer<UInt8>, _ others: UnsafeBufferPointer<UInt8>
) -> Bool {
  for index in bytes.indices {
    if unsafe bytes[index] != others[index] { return false }
  }
  return true
}
