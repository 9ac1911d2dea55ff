/// Lower-case hexadecimal text, the one text form of ids, keys and digests.
package enum Hex {
  /// The bytes as two lower-case digits each.
  package static func encode(_ bytes: some Collection<UInt8>) -> String {
    var text: [UInt8] = []
    text.reserveCapacity(bytes.count * 2)
    for byte in bytes {
      text.append(digit(byte >> 4))
      text.append(digit(byte & 15))
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// A number as 16 lower-case digits.
  package static func encode(_ number: UInt64) -> String {
    var text: [UInt8] = []
    text.reserveCapacity(16)
    for shift in stride(from: 60, through: 0, by: -4) {
      text.append(digit(UInt8(truncatingIfNeeded: number >> UInt64(shift)) & 15))
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// The bytes of a text of lower-case digits in pairs, or `nil` for any other text.
  package static func decode(_ text: some Collection<UInt8>) -> [UInt8]? {
    guard text.count % 2 == 0 else { return nil }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.count / 2)
    var high: UInt8?
    for character in text {
      guard let value = value(character, uppercase: false) else { return nil }
      if let first = high {
        bytes.append(first << 4 | value)
        high = nil
      } else {
        high = value
      }
    }
    return bytes
  }

  /// The number that exactly 16 lower-case digits make, or `nil`.
  package static func decodeUInt64(_ text: some Collection<UInt8>) -> UInt64? {
    guard text.count == 16 else { return nil }
    var number: UInt64 = 0
    for character in text {
      guard let value = value(character, uppercase: false) else { return nil }
      number = number << 4 | UInt64(value)
    }
    return number
  }

  /// The digit of a number below 16.
  static func digit(_ value: UInt8) -> UInt8 { value < 10 ? 48 + value : 87 + value }

  /// What a digit stands for; `nil` for any other character.
  static func value(_ character: UInt8, uppercase: Bool) -> UInt8? {
    switch character {
    case 48...57: character - 48
    case 97...102: character - 87
    case 65...70 where uppercase: character - 55
    default: nil
    }
  }
}
