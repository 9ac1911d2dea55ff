/// Spells numbers with the shortest digits that read back exactly.
package enum NumberLayout {
  /// The layout of ECMAScript, an exponent below 1e-6 and from 1e21, with `.0` appended where
  /// neither a point nor an exponent would tell the number from an integer.
  ///
  ///     NumberLayout.json(1180)   // "1180.0"
  ///     NumberLayout.json(1e21)   // "1e+21"
  ///     NumberLayout.json(-0.0)   // "-0.0"
  ///
  /// - Precondition: The number is finite.
  package static func json(_ value: Double) -> String {
    precondition(value.isFinite, "JSON has no word for \(value)")
    let (digits, point) = parts(of: value.magnitude)
    let sign = value.sign == .minus ? "-" : ""
    guard point > -6, point <= 21 else {
      return sign + scientific(digits, exponent: point - 1)
    }
    let text = plain(digits, point: point)
    return sign + (point >= digits.count ? text + ".0" : text)
  }

  /// The digits without exponent, however many zeros that takes.
  ///
  ///     NumberLayout.decimal(-74.5)  // "-74.5"
  ///     NumberLayout.decimal(12)     // "12"
  ///
  /// - Precondition: The number is finite.
  package static func decimal(_ value: Double) -> String {
    precondition(value.isFinite, "there are no digits for \(value)")
    let (digits, point) = parts(of: value.magnitude)
    return (value < 0 ? "-" : "") + plain(digits, point: point)
  }

  // The digits without zeros at either end, and how many of them stand before the point.
  private static func parts(of magnitude: Double) -> (digits: [UInt8], point: Int) {
    var digits: [UInt8] = []
    var exponent = 0
    var point: Int?
    var characters = magnitude.description.utf8[...]
    while let character = characters.popFirst() {
      if character == UInt8(ascii: ".") {
        point = digits.count
      } else if character == UInt8(ascii: "e") {
        exponent = Int(String(Substring(characters))) ?? 0
        break
      } else {
        digits.append(character)
      }
    }
    let zero = UInt8(ascii: "0")
    var whole = (point ?? digits.count) + exponent
    while digits.count > 1, digits.first == zero {
      digits.removeFirst()
      whole -= 1
    }
    while digits.count > 1, digits.last == zero { digits.removeLast() }
    return (digits, digits == [zero] ? 1 : whole)
  }

  private static func plain(_ digits: [UInt8], point: Int) -> String {
    let zero = UInt8(ascii: "0")
    var text: [UInt8] = []
    if point <= 0 {
      text.append(contentsOf: [zero, UInt8(ascii: ".")])
      text.append(contentsOf: repeatElement(zero, count: -point))
      text.append(contentsOf: digits)
    } else if point >= digits.count {
      text.append(contentsOf: digits)
      text.append(contentsOf: repeatElement(zero, count: point - digits.count))
    } else {
      text.append(contentsOf: digits[..<point])
      text.append(UInt8(ascii: "."))
      text.append(contentsOf: digits[point...])
    }
    return String(decoding: text, as: UTF8.self)
  }

  private static func scientific(_ digits: [UInt8], exponent: Int) -> String {
    let first = String(decoding: digits[..<1], as: UTF8.self)
    let rest = String(decoding: digits[1...], as: UTF8.self)
    let sign = exponent < 0 ? "-" : "+"
    return first + (rest.isEmpty ? "" : "." + rest) + "e" + sign + String(exponent.magnitude)
  }
}
