/// Finds the first byte sequence of a text that is no UTF-8.
package enum UTF8Check {
  /// Where the first bad sequence starts, or `nil` if there is none.
  ///
  /// Overlong forms, surrogates and everything above U+10FFFF are bad.
  ///
  /// - Complexity: O(*n*) for *n* bytes
  package static func firstProblem(in bytes: [UInt8]) -> TextProblem? {
    var offset = 0
    while offset < bytes.count {
      let first = bytes[offset]
      if first < 0x80 {
        offset += 1
        continue
      }
      guard let form = form(of: first) else {
        return TextProblem(.invalidUTF8, at: offset, "this byte cannot start a character")
      }
      for index in 1...form.continuations {
        let at = offset + index
        guard at < bytes.count else {
          return TextProblem(.invalidUTF8, at: offset, "the text ends within a character")
        }
        let allowed = index == 1 ? form.second : 0x80...0xbf
        guard allowed.contains(bytes[at]) else {
          return TextProblem(.invalidUTF8, at: offset, "these bytes are no character")
        }
      }
      offset += 1 + form.continuations
    }
    return nil
  }

  private static func form(
    of first: UInt8
  ) -> (continuations: Int, second: ClosedRange<UInt8>)? {
    switch first {
    case 0xc2...0xdf: (1, 0x80...0xbf)
    case 0xe0: (2, 0xa0...0xbf)
    case 0xed: (2, 0x80...0x9f)
    case 0xe1...0xef: (2, 0x80...0xbf)
    case 0xf0: (3, 0x90...0xbf)
    case 0xf1...0xf3: (3, 0x80...0xbf)
    case 0xf4: (3, 0x80...0x8f)
    default: nil
    }
  }
}
