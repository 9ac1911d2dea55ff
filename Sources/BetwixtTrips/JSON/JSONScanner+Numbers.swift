extension JSONScanner {
  /// Reads a number literal.
  mutating func number() throws(TextProblem) -> JSONNumber {
    let start = place
    if bytes[place] == UInt8(ascii: "-") { place += 1 }
    if try peek("the digits of a number") == UInt8(ascii: "0") {
      place += 1
      guard !isDigit() else {
        throw TextProblem(.syntax, at: place, "no digit follows a 0 that starts a number")
      }
    } else {
      try digits()
    }
    var isInteger = true
    if place < bytes.count, bytes[place] == UInt8(ascii: ".") {
      isInteger = false
      place += 1
      try digits()
    }
    if place < bytes.count, bytes[place] | 0x20 == UInt8(ascii: "e") {
      isInteger = false
      place += 1
      let sign = try peek("the exponent of a number")
      if sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-") { place += 1 }
      try digits()
    }
    let text = String(decoding: bytes[start..<place], as: UTF8.self)
    if isInteger, let value = Int64(text) { return .integer(value) }
    guard let value = Double(decimal: text), value.isFinite else {
      throw TextProblem(.numberOutOfRange, at: start, "this number is too great")
    }
    return isInteger ? .largeInteger(text) : .double(value)
  }

  private mutating func digits() throws(TextProblem) {
    _ = try peek("the digits of a number")
    guard isDigit() else { throw TextProblem(.syntax, at: place, "a digit is expected here") }
    while isDigit() { place += 1 }
  }

  private func isDigit() -> Bool {
    place < bytes.count && (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(bytes[place])
  }
}
