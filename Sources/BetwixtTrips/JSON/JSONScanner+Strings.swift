extension JSONScanner {
  /// Reads a string from its first quote to behind its last.
  mutating func string() throws(TextProblem) -> String {
    place += 1
    var start = place
    var unescaped: [UInt8] = []
    while true {
      let byte = try peek("the end of a string")
      if byte == UInt8(ascii: "\"") {
        let rest = bytes[start..<place]
        place += 1
        if unescaped.isEmpty { return String(decoding: rest, as: UTF8.self) }
        unescaped.append(contentsOf: rest)
        return String(decoding: unescaped, as: UTF8.self)
      }
      guard byte >= 0x20 else {
        throw TextProblem(.syntax, at: place, "a control character must be escaped")
      }
      guard byte == UInt8(ascii: "\\") else {
        place += 1
        continue
      }
      unescaped.append(contentsOf: bytes[start..<place])
      unescaped.append(contentsOf: try escape().utf8)
      start = place
    }
  }

  private mutating func escape() throws(TextProblem) -> String {
    let offset = place
    place += 1
    let letter = try peek("the end of an escape")
    place += 1
    switch letter {
    case UInt8(ascii: "\""): return "\""
    case UInt8(ascii: "\\"): return "\\"
    case UInt8(ascii: "/"): return "/"
    case UInt8(ascii: "b"): return "\u{8}"
    case UInt8(ascii: "f"): return "\u{c}"
    case UInt8(ascii: "n"): return "\n"
    case UInt8(ascii: "r"): return "\r"
    case UInt8(ascii: "t"): return "\t"
    case UInt8(ascii: "u"): return String(try escapedScalar(from: offset))
    default: throw TextProblem(.syntax, at: offset, "this escape is unknown")
    }
  }

  private mutating func escapedScalar(from offset: Int) throws(TextProblem) -> Unicode.Scalar {
    let first = try escapedUnit(from: offset)
    guard (0xd800...0xdbff).contains(first) else {
      guard let scalar = Unicode.Scalar(first) else {
        throw TextProblem(.syntax, at: offset, "this escapes half a character")
      }
      return scalar
    }
    for expected in [UInt8(ascii: "\\"), UInt8(ascii: "u")] {
      guard try peek("the second half of a character") == expected else {
        throw TextProblem(.syntax, at: offset, "this escapes half a character")
      }
      place += 1
    }
    let second = try escapedUnit(from: offset)
    guard (0xdc00...0xdfff).contains(second),
      let scalar = Unicode.Scalar(0x10000 + (first - 0xd800) << 10 + (second - 0xdc00))
    else {
      throw TextProblem(.syntax, at: offset, "this escapes half a character")
    }
    return scalar
  }

  private mutating func escapedUnit(from offset: Int) throws(TextProblem) -> UInt32 {
    var unit: UInt32 = 0
    for _ in 0..<4 {
      let digit = try peek("the end of an escape")
      guard let value = hexValue(digit) else {
        throw TextProblem(.syntax, at: offset, "four hexadecimal digits are expected")
      }
      unit = unit << 4 | value
      place += 1
    }
    return unit
  }

  private func hexValue(_ digit: UInt8) -> UInt32? {
    switch digit {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(digit) - 48
    case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt32(digit) - 87
    case UInt8(ascii: "A")...UInt8(ascii: "F"): UInt32(digit) - 55
    default: nil
    }
  }
}
