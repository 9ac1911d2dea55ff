import Betwixt
import BetwixtFiles

extension String {
  /// The text in a form that is safe on a terminal and stays on one line.
  ///
  /// Titles and names come from files of strangers: an escape sequence in one could recolour,
  /// erase or retitle the reader's terminal, and a bidirectional override could show other words
  /// than are stored. Such characters are shown as U+FFFD; line breaks and tabs become a space, and
  /// a byte of a file's name that is no UTF-8 is shown as `\xff`.
  ///
  /// - Complexity: O(*n*) in the length of the text.
  package var printable: String {
    var result = String.UnicodeScalarView()
    for scalar in unicodeScalars {
      switch scalar.value {
      case 0x09, 0x0a, 0x0d, 0x85, 0x2028, 0x2029: result.append(" ")
      case 0x00...0x1f, 0x7f...0x9f, 0x202a...0x202e, 0x2066...0x2069: result.append("\u{fffd}")
      default:
        guard let byte = PathText.byte(scalar) else {
          result.append(scalar)
          continue
        }
        result.append(contentsOf: "\\x\(String(byte, radix: 16))".unicodeScalars)
      }
    }
    return String(result)
  }

  /// A text of JSON in which what ``printable`` would change is written as an escape: in a string of it,
  /// and nowhere else can it stand, that is the same.
  ///
  /// - Complexity: O(*n*) in the length of the text.
  package var printableJSON: String {
    guard utf8.contains(where: { $0 >= 0x7f }) else { return self }
    var result = String.UnicodeScalarView()
    for scalar in unicodeScalars {
      let text = String(scalar)
      guard scalar.value >= 0x7f, !text.printable.hasSameBytes(as: text) else {
        result.append(scalar)
        continue
      }
      for unit in UTF16.encode(scalar) ?? UTF16.encodedReplacementCharacter {
        let digits = String(unit, radix: 16)
        let zeros = String(repeating: "0", count: 4 - digits.count)
        result.append(contentsOf: "\\u\(zeros)\(digits)".unicodeScalars)
      }
    }
    return String(result)
  }
}
