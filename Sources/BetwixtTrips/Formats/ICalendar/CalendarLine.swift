import Betwixt

/// An iCalendar text without its folds, and where its lines are.
///
/// Lines are kept as numbers into one buffer: a calendar of 100,000 events has millions of them.
struct CalendarSource: Sendable {
  /// The lines one behind the other, without folds and line ends.
  private let bytes: [UInt8]

  private let spans: [Span]

  /// How many bytes the file has.
  let byteCount: Int

  /// Where a line is in the buffer and in the file.
  private struct Span: Sendable {
    let start: UInt32
    let nameEnd: UInt32
    let colon: UInt32
    let end: UInt32
    let offset: UInt32
    let number: UInt32
  }

  var count: Int { spans.count }

  subscript(index: Int) -> CalendarLine {
    let span = spans[index]
    return CalendarLine(
      source: bytes, start: Int(span.start), nameEnd: Int(span.nameEnd), colon: Int(span.colon),
      end: Int(span.end), offset: Int(span.offset), number: Int(span.number))
  }
}

extension CalendarSource {
  /// The lines of a file, unfolded; lines may end with LF alone, and empty ones are skipped.
  ///
  /// - Throws: The first bad UTF-8, else the first line without a colon.
  /// - Complexity: O(*n*) for *n* bytes
  init(_ file: [UInt8]) throws(TextProblem) {
    guard file.count <= JSONScanner.maximumByteCount else { throw JSONScanner.tooLarge }
    if let problem = CalendarSource.firstProblem(in: file) { throw problem }
    var buffer: [UInt8] = []
    buffer.reserveCapacity(file.count)
    var spans: [Span] = []
    var open: (start: Int, offset: Int, number: Int)?
    func close() throws(TextProblem) {
      guard let line = open, line.start < buffer.count else { return }
      spans.append(try CalendarSource.span(of: line, in: buffer))
    }
    var start = file.starts(with: [0xef, 0xbb, 0xbf]) ? 3 : 0
    var number = 0
    while start < file.count {
      number += 1
      let lineFeed = file[start...].firstIndex(of: UInt8(ascii: "\n")) ?? file.count
      var end = lineFeed
      if end > start, file[end - 1] == UInt8(ascii: "\r") { end -= 1 }
      let isContinued = file[start] == UInt8(ascii: " ") || file[start] == UInt8(ascii: "\t")
      if isContinued, open != nil {
        buffer.append(contentsOf: file[(start + 1)..<Swift.max(start + 1, end)])
      } else {
        try close()
        open = (buffer.count, start, number)
        buffer.append(contentsOf: file[start..<end])
      }
      start = lineFeed + 1
    }
    try close()
    self.bytes = buffer
    self.spans = spans
    byteCount = file.count
  }

  /// The first byte that is no UTF-8, with what helps: folds may stand within a character.
  private static func firstProblem(in file: [UInt8]) -> TextProblem? {
    // Most files are well-formed as they stand.
    guard UTF8Check.firstProblem(in: file) != nil else { return nil }
    var bytes: [UInt8] = []
    var folds: [(place: Int, count: Int)] = []
    var (index, count) = (0, 0)
    while index < file.count {
      let next = index + 1 < file.count ? file[index + 1] : 0
      if file[index] == UInt8(ascii: "\n"), next == UInt8(ascii: " ") || next == UInt8(ascii: "\t")
      {
        count += 2
        if bytes.last == UInt8(ascii: "\r") {
          bytes.removeLast()
          count += 1
        }
        folds.append((bytes.count, count))
        index += 2
      } else {
        bytes.append(file[index])
        index += 1
      }
    }
    guard var problem = UTF8Check.firstProblem(in: bytes) else { return nil }
    let place = problem.offset
    problem.offset += folds.last { $0.place <= place }?.count ?? 0
    problem.text += ": save the file as UTF-8"
    return problem
  }

  private static func span(
    of line: (start: Int, offset: Int, number: Int), in buffer: [UInt8]
  ) throws(TextProblem) -> Span {
    var isQuoted = false
    var nameEnd: Int?
    var index = line.start
    while index < buffer.count {
      let byte = buffer[index]
      if byte == UInt8(ascii: "\"") { isQuoted.toggle() }
      if byte == UInt8(ascii: ";"), nameEnd == nil { nameEnd = index }
      if byte == UInt8(ascii: ":"), !isQuoted { break }
      index += 1
    }
    let end = nameEnd ?? index
    guard index < buffer.count, end > line.start else {
      throw TextProblem(.syntax, at: line.offset, "a line is a name, a colon and a value")
    }
    return Span(
      start: UInt32(line.start), nameEnd: UInt32(end), colon: UInt32(index),
      end: UInt32(buffer.count), offset: UInt32(line.offset), number: UInt32(line.number))
  }
}

/// One unfolded line of an iCalendar file.
struct CalendarLine: Sendable {
  fileprivate let source: [UInt8]
  fileprivate let start: Int
  // Where the name and the parameters end.
  fileprivate let nameEnd: Int
  fileprivate let colon: Int
  fileprivate let end: Int

  /// Where it starts in the file.
  let offset: Int

  /// Its number, counted from 1.
  let number: Int

  fileprivate init(
    source: [UInt8], start: Int, nameEnd: Int, colon: Int, end: Int, offset: Int, number: Int
  ) {
    self.source = source
    self.start = start
    self.nameEnd = nameEnd
    self.colon = colon
    self.end = end
    self.offset = offset
    self.number = number
  }

  /// The name in upper case.
  var name: String { CalendarLine.upperCased(source[start..<nameEnd]) }

  /// Whether the name is this one, given in upper case.
  func isNamed(_ name: String) -> Bool {
    let wanted = name.utf8
    guard wanted.count == nameEnd - start else { return false }
    var index = start
    for letter in wanted {
      if CalendarLine.upperCased(source[index]) != letter { return false }
      index += 1
    }
    return true
  }

  /// How many bytes the line has without its folds.
  var byteCount: Int { end - start }

  /// The whole line, without its folds.
  var text: String { String(decoding: source[start..<end], as: UTF8.self) }

  /// What stands behind the name: the parameters, the colon and the value.
  var remainder: String { String(decoding: source[nameEnd..<end], as: UTF8.self) }

  /// The parameters with the semicolon before each; empty without any.
  var parameters: String { String(decoding: source[nameEnd..<colon], as: UTF8.self) }

  /// What stands behind the colon.
  var value: String { String(decoding: source[(colon + 1)..<end], as: UTF8.self) }

  /// The value, in upper case.
  var word: String { CalendarLine.upperCased(source[(colon + 1)..<end]) }

  /// The value of a parameter without its quotes; `nil` if there is no such parameter.
  func parameter(_ name: String) -> String? {
    CalendarLine.parameter(name, in: source[nameEnd..<colon])
  }

  /// The value of a parameter in `;NAME=VALUE;…`.
  static func parameter(_ name: String, in bytes: ArraySlice<UInt8>) -> String? {
    guard let range = rangeOfParameter(name, in: bytes) else { return nil }
    return String(decoding: bytes[range].filter { $0 != UInt8(ascii: "\"") }, as: UTF8.self)
  }

  /// Where the value of a parameter in `;NAME=VALUE;…` is, with its quotes.
  private static func rangeOfParameter(
    _ name: String, in bytes: ArraySlice<UInt8>
  ) -> Range<Int>? {
    var start = bytes.startIndex
    while start < bytes.endIndex {
      var end = start + 1
      var isQuoted = false
      while end < bytes.endIndex, isQuoted || bytes[end] != UInt8(ascii: ";") {
        if bytes[end] == UInt8(ascii: "\"") { isQuoted.toggle() }
        end += 1
      }
      let parameter = bytes[(start + 1)..<end]
      if let equals = parameter.firstIndex(of: UInt8(ascii: "=")),
        upperCased(parameter[..<equals]).hasSameBytes(as: name)
      {
        return (equals + 1)..<end
      }
      start = end
    }
    return nil
  }

  /// What stands behind a name, with another value of a parameter.
  ///
  /// - Parameters:
  ///   - name: The parameter, in upper case.
  ///   - remainder: Parameters, a colon and a value.
  ///   - quoting: Whether the new value has quotes where the old one has some, or where it needs them.
  ///   - change: The new value for an old one; `nil` keeps it.
  /// - Returns: The text with the new value.
  static func replacingParameter(
    _ name: String, in remainder: String, quoting: Bool = true, by change: (String) -> String?
  ) -> String {
    var bytes = Array(remainder.utf8)
    guard let colon = CalendarTimeLine.colon(in: bytes),
      let range = rangeOfParameter(name, in: bytes[..<colon]),
      let value = change(
        String(decoding: bytes[range].filter { $0 != UInt8(ascii: "\"") }, as: UTF8.self))
    else { return remainder }
    let isQuoted = bytes[range].first == UInt8(ascii: "\"")
    let needsQuotes = quoting && (isQuoted || value.utf8.contains { ",:;".utf8.contains($0) })
    bytes.replaceSubrange(range, with: (needsQuotes ? "\"\(value)\"" : value).utf8)
    return String(decoding: bytes, as: UTF8.self)
  }

  private static func upperCased(_ bytes: ArraySlice<UInt8>) -> String {
    let letters = UInt8(ascii: "a")...UInt8(ascii: "z")
    guard bytes.contains(where: { letters.contains($0) }) else {
      return String(decoding: bytes, as: UTF8.self)
    }
    return String(decoding: bytes.map { upperCased($0) }, as: UTF8.self)
  }

  private static func upperCased(_ byte: UInt8) -> UInt8 {
    0x61 <= byte && byte <= 0x7a ? byte - 0x20 : byte
  }
}

extension [CalendarLine] {
  /// The first line of a name.
  func first(named name: String) -> CalendarLine? {
    first { $0.isNamed(name) }
  }

  /// The text of the first line of a name.
  func text(_ name: String) -> String? {
    first(named: name).map { CalendarText.unescaped($0.value) }
  }
}
