import Betwixt

/// Whether bytes are well-formed UTF-8: no overlong forms, surrogates or numbers beyond U+10FFFF.
///
/// - Complexity: O(*b*) for *b* bytes
package func isUTF8(_ bytes: ArraySlice<UInt8>) -> Bool { isUTF8(bytes.span) }

/// The same of bytes in place.
func isUTF8(_ bytes: Span<UInt8>) -> Bool {
  if bytes.isASCII { return true }
  var offset = 0
  while offset < bytes.count {
    let lead = bytes[offset]
    offset += 1
    if lead < 0x80 { continue }
    // The second byte is what tells overlong forms, surrogates and too great numbers.
    let second: ClosedRange<UInt8>
    let count: Int
    switch lead {
    case 0xc2...0xdf: (count, second) = (1, 0x80...0xbf)
    case 0xe0: (count, second) = (2, 0xa0...0xbf)
    case 0xed: (count, second) = (2, 0x80...0x9f)
    case 0xe1...0xef: (count, second) = (2, 0x80...0xbf)
    case 0xf0: (count, second) = (3, 0x90...0xbf)
    case 0xf1...0xf3: (count, second) = (3, 0x80...0xbf)
    case 0xf4: (count, second) = (3, 0x80...0x8f)
    default: return false
    }
    guard bytes.count - offset >= count, second.contains(bytes[offset]) else { return false }
    for next in offset + 1..<offset + count where bytes[next] & 0xc0 != 0x80 { return false }
    offset += count
  }
  return true
}

/// The UTF-8 of a text, of one that is too long as many whole scalars as there is room for.
///
/// - Complexity: O(*b*) for *b* bytes
func textBytes(_ text: String, atMost count: Int) -> [UInt8] {
  var bytes = Array(text.utf8.prefix(count))
  // A text is well-formed, so that only its last scalar can be cut: three bytes at most.
  while !isUTF8(bytes[...]) { bytes.removeLast() }
  return bytes
}
