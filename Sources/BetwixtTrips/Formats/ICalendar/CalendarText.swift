import Betwixt

/// How texts are written in iCalendar values.
///
/// All characters that mean something are ASCII, so the bytes are looked at and not the characters;
/// most texts hold none of them and are as they stand.
enum CalendarText {
  private static let backslash = UInt8(ascii: "\\")
  private static let lineFeed = UInt8(ascii: "\n")
  private static let carriageReturn = UInt8(ascii: "\r")

  /// A text as it comes back from a calendar: line breaks are `\n`, other control characters are
  /// spaces.
  ///
  /// - Complexity: O(*n*)
  static func plain(_ text: String) -> String {
    guard text.hasByte(where: { isControl($0) && $0 != lineFeed }) else { return text }
    return String(decoding: plain(Array(text.utf8)), as: UTF8.self)
  }

  private static func isControl(_ byte: UInt8) -> Bool { byte < 0x20 || byte == 0x7f }

  private static func plain(_ bytes: [UInt8]) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count)
    var last: UInt8 = 0
    for byte in bytes {
      switch byte {
      case lineFeed where last == carriageReturn: break
      case lineFeed, carriageReturn: result.append(lineFeed)
      case _ where isControl(byte): result.append(UInt8(ascii: " "))
      default: result.append(byte)
      }
      last = byte
    }
    return result
  }

  /// Appends a text with `\`, `;`, `,` and line breaks escaped.
  ///
  /// - Complexity: O(*n*)
  static func append(_ text: some Sequence<UInt8>, to output: inout [UInt8]) {
    let start = output.count
    output.append(contentsOf: text)
    escape(from: start, in: &output)
  }

  // The bytes are where they belong already; most need no more than that.
  private static func escape(from start: Int, in output: inout [UInt8]) {
    guard output[start...].contains(where: { isEscaped($0) || isControl($0) }) else { return }
    var bytes = Array(output[start...])
    if bytes.contains(where: { isControl($0) && $0 != lineFeed }) { bytes = plain(bytes) }
    output.removeSubrange(start...)
    for byte in bytes {
      if isEscaped(byte) { output.append(backslash) }
      output.append(byte == lineFeed ? UInt8(ascii: "n") : byte)
    }
  }

  private static func isEscaped(_ byte: UInt8) -> Bool {
    byte == backslash || byte == UInt8(ascii: ";") || byte == UInt8(ascii: ",")
      || byte == lineFeed
  }

  /// What an escaped text means; a backslash before anything else stays.
  ///
  /// - Complexity: O(*n*)
  static func unescaped(_ text: String) -> String {
    guard text.hasByte(where: { $0 == backslash }) else { return plain(text) }
    var result: [UInt8] = []
    result.reserveCapacity(text.utf8.count)
    var isAfterBackslash = false
    for byte in text.utf8 {
      guard isAfterBackslash else {
        if byte == backslash { isAfterBackslash = true } else { result.append(byte) }
        continue
      }
      isAfterBackslash = false
      switch byte {
      case UInt8(ascii: "n"), UInt8(ascii: "N"): result.append(lineFeed)
      case backslash, UInt8(ascii: ";"), UInt8(ascii: ","), UInt8(ascii: ":"), UInt8(ascii: "\""):
        result.append(byte)
      default:
        result.append(backslash)
        result.append(byte)
      }
    }
    if isAfterBackslash { result.append(backslash) }
    return String(decoding: plain(result), as: UTF8.self)
  }
}
