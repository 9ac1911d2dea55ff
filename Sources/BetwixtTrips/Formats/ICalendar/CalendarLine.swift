/// One unfolded line of an iCalendar file.
struct CalendarLine: Sendable {
  /// The name in upper case.
  let name: String

  /// The line without its folds.
  let bytes: [UInt8]

  /// Where it starts in the file.
  let offset: Int

  /// Its number, counted from 1.
  let number: Int

  // Where the name and the parameters end.
  private let nameEnd: Int
  private let colon: Int

  /// Takes a line apart, or `nil` if it has no colon or no name.
  init?(_ bytes: [UInt8], offset: Int, number: Int) {
    var isQuoted = false
    var colon: Int?
    for (index, byte) in bytes.enumerated() {
      if byte == UInt8(ascii: "\"") { isQuoted.toggle() }
      guard byte == UInt8(ascii: ":"), !isQuoted else { continue }
      colon = index
      break
    }
    guard let colon else { return nil }
    let nameEnd = bytes[..<colon].firstIndex(of: UInt8(ascii: ";")) ?? colon
    guard nameEnd > 0 else { return nil }
    name = CalendarLine.upperCased(bytes[..<nameEnd])
    self.bytes = bytes
    self.offset = offset
    self.number = number
    self.nameEnd = nameEnd
    self.colon = colon
  }

  /// What stands behind the colon.
  var value: String { String(decoding: bytes[(colon + 1)...], as: UTF8.self) }

  /// The value, in upper case.
  var word: String { CalendarLine.upperCased(bytes[(colon + 1)...]) }

  /// The value of a parameter without its quotes; `nil` if there is no such parameter.
  func parameter(_ name: String) -> String? {
    var start = nameEnd
    while start < colon {
      var end = start + 1
      var isQuoted = false
      while end < colon, isQuoted || bytes[end] != UInt8(ascii: ";") {
        if bytes[end] == UInt8(ascii: "\"") { isQuoted.toggle() }
        end += 1
      }
      let parameter = bytes[(start + 1)..<end]
      if let equals = parameter.firstIndex(of: UInt8(ascii: "=")),
        CalendarLine.upperCased(parameter[..<equals]).hasSameBytes(as: name)
      {
        let value = parameter[(equals + 1)...].filter { $0 != UInt8(ascii: "\"") }
        return String(decoding: value, as: UTF8.self)
      }
      start = end
    }
    return nil
  }

  private static func upperCased(_ bytes: ArraySlice<UInt8>) -> String {
    let letters = UInt8(ascii: "a")...UInt8(ascii: "z")
    return String(
      decoding: bytes.map { letters.contains($0) ? $0 - 0x20 : $0 }, as: UTF8.self)
  }
}

extension CalendarLine {
  /// The lines of a file, unfolded; lines may end with LF alone, and empty ones are skipped.
  ///
  /// - Throws: The first bad UTF-8, else the first line without a colon.
  static func scan(_ bytes: [UInt8]) throws(TextProblem) -> [CalendarLine] {
    guard bytes.count <= JSONScanner.maximumByteCount else {
      throw TextProblem(.tooLarge, at: JSONScanner.maximumByteCount, "a text has at most 32 MiB")
    }
    if let problem = UTF8Check.firstProblem(in: bytes) { throw problem }
    var lines: [CalendarLine] = []
    var open: (bytes: [UInt8], offset: Int, number: Int)?
    func close() throws(TextProblem) {
      guard let (line, offset, number) = open, !line.isEmpty else { return }
      guard let line = CalendarLine(line, offset: offset, number: number) else {
        throw TextProblem(.syntax, at: offset, "a line is a name, a colon and a value")
      }
      lines.append(line)
    }
    var start = bytes.starts(with: [0xef, 0xbb, 0xbf]) ? 3 : 0
    var number = 0
    while start < bytes.count {
      number += 1
      let lineFeed = bytes[start...].firstIndex(of: UInt8(ascii: "\n")) ?? bytes.count
      var end = lineFeed
      if end > start, bytes[end - 1] == UInt8(ascii: "\r") { end -= 1 }
      let isContinued = bytes[start] == UInt8(ascii: " ") || bytes[start] == UInt8(ascii: "\t")
      if isContinued, open != nil {
        open?.bytes.append(contentsOf: bytes[(start + 1)..<Swift.max(start + 1, end)])
      } else {
        try close()
        open = (Array(bytes[start..<end]), start, number)
      }
      start = lineFeed + 1
    }
    try close()
    return lines
  }
}
