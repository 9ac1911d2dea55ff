extension Unicode.Scalar {
  /// Whether this is white space, as Unicode has it for good: the property `White_Space` is stable.
  ///
  /// What the standard library answers is the same, from tables of 20 kB that a page would carry for
  /// the sake of this alone.
  package var isWhiteSpace: Bool {
    switch value {
    case 0x09...0x0d, 0x20, 0x85, 0xa0, 0x1680, 0x2000...0x200a, 0x2028, 0x2029, 0x202f, 0x205f,
      0x3000:
      true
    default: false
    }
  }
}
