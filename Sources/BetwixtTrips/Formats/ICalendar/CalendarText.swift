/// How texts are written in iCalendar values.
enum CalendarText {
  /// A text as it comes back from a calendar: line breaks are `\n`, other control characters are
  /// spaces.
  static func plain(_ text: String) -> String {
    var result = String.UnicodeScalarView()
    var last: Unicode.Scalar?
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\n" where last == "\r": break
      case "\n", "\r": result.append("\n")
      case "\u{0}"..."\u{1f}", "\u{7f}": result.append(" ")
      default: result.append(scalar)
      }
      last = scalar
    }
    return String(result)
  }

  /// A text with `\`, `;`, `,` and line breaks escaped.
  static func escaped(_ text: String) -> String {
    var result = String.UnicodeScalarView()
    for scalar in plain(text).unicodeScalars {
      switch scalar {
      case "\n": result.append(contentsOf: "\\n".unicodeScalars)
      case "\\", ";", ",":
        result.append("\\")
        result.append(scalar)
      default: result.append(scalar)
      }
    }
    return String(result)
  }

  /// What an escaped text means; a backslash before anything else stays.
  static func unescaped(_ text: String) -> String {
    var result = String.UnicodeScalarView()
    var isEscaped = false
    for scalar in text.unicodeScalars {
      guard isEscaped else {
        if scalar == "\\" { isEscaped = true } else { result.append(scalar) }
        continue
      }
      isEscaped = false
      switch scalar {
      case "n", "N": result.append("\n")
      case "\\", ";", ",", ":", "\"": result.append(scalar)
      default:
        result.append("\\")
        result.append(scalar)
      }
    }
    if isEscaped { result.append("\\") }
    return plain(String(result))
  }
}
