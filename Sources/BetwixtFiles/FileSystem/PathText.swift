/// Paths as texts, whatever their bytes are.
///
/// Names of files are bytes, and some are no UTF-8. A byte that is no part of a character stands in
/// the text as a character of a private area, so that no two names become one text and each text
/// leads back to its name. A name that holds such a character itself has its bytes stand so too.
package enum PathText {
  // U+10FE80 to U+10FEFF are the bytes 0x80 to 0xff.
  private static let area: UInt32 = 0x10_fe00

  /// The byte that a character of a text stands for; `nil` for one that stands for itself.
  package static func byte(_ scalar: Unicode.Scalar) -> UInt8? {
    scalar.value >= area + 0x80 && scalar.value <= area + 0xff
      ? UInt8(truncatingIfNeeded: scalar.value) : nil
  }

  /// A name as a text.
  package static func text(_ bytes: some Collection<UInt8>) -> String {
    let name = Array(bytes)
    var text = String.UnicodeScalarView()
    var place = 0
    var rest = name.makeIterator()
    var parser = Unicode.UTF8.ForwardParser()
    while place < name.count {
      let end: Int
      switch parser.parseScalar(from: &rest) {
      case .valid(let encoded):
        end = place + encoded.count
        let scalar = Unicode.UTF8.decode(encoded)
        if byte(scalar) == nil {
          text.append(scalar)
          place = end
        }
      case .error(let length): end = place + length
      case .emptyInput: end = name.count
      }
      for byte in name[place..<end] {
        if let scalar = Unicode.Scalar(area + UInt32(byte)) { text.append(scalar) }
      }
      place = end
    }
    return String(text)
  }

  /// The name that a text stands for, with a zero at its end, as the C library takes it.
  package static func name(_ text: String) -> [CChar] {
    var name: [CChar] = []
    name.reserveCapacity(text.utf8.count + 1)
    for scalar in text.unicodeScalars {
      if let byte = byte(scalar) {
        name.append(CChar(bitPattern: byte))
      } else {
        for unit in UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter {
          name.append(CChar(bitPattern: unit))
        }
      }
    }
    name.append(0)
    return name
  }
}
