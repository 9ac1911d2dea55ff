/// The rows of a table (RFC 4180); what separates its cells is told by its first line.
struct CSVRows {
  struct Row {
    var cells: [String] = []
    let line: Int
    let offset: Int
  }

  private let bytes: [UInt8]

  /// What stands between two cells.
  let separator: UInt8

  private var place: Int
  private var line = 1

  /// What may stand between two cells.
  static let separators = [UInt8(ascii: ","), UInt8(ascii: ";"), 0x09]

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
    place = bytes.starts(with: [0xef, 0xbb, 0xbf]) ? 3 : 0
    let head = bytes[place...].prefix { $0 != 0x0a && $0 != 0x0d }
    if let named = CSVRows.separator(named: head) {
      separator = named
      place = head.endIndex
      // The line before the headings.
      _ = try? next()
      return
    }
    separator =
      CSVReader.separator(of: String(decoding: head, as: UTF8.self))
      ?? CSVRows.separators.max { left, right in
        head.count { $0 == left } < head.count { $0 == right }
      } ?? UInt8(ascii: ",")
  }

  /// What a first line `sep=;` says, as spreadsheets write it; `nil` for any other line.
  static func separator(named line: ArraySlice<UInt8>) -> UInt8? {
    let line = line.starts(with: [0xef, 0xbb, 0xbf]) ? line.dropFirst(3) : line
    guard line.count == 5, line.starts(with: "sep=".utf8), let last = line.last,
      separators.contains(last)
    else { return nil }
    return last
  }

  mutating func next() throws(TextProblem) -> Row? {
    guard place < bytes.count else { return nil }
    var row = Row(line: line, offset: place)
    while true {
      row.cells.append(try cell())
      guard place < bytes.count else { return row }
      let byte = bytes[place]
      place += 1
      if byte == separator { continue }
      if byte == 0x0d, place < bytes.count, bytes[place] == 0x0a { place += 1 }
      line += 1
      return row
    }
  }

  private mutating func cell() throws(TextProblem) -> String {
    guard place < bytes.count, bytes[place] == UInt8(ascii: "\"") else {
      let start = place
      while place < bytes.count, ![separator, 0x0a, 0x0d].contains(bytes[place]) { place += 1 }
      return String(decoding: bytes[start..<place], as: UTF8.self)
    }
    let start = place
    place += 1
    var text: [UInt8] = []
    while place < bytes.count {
      let byte = bytes[place]
      place += 1
      if byte == 0x0a { line += 1 }
      guard byte == UInt8(ascii: "\"") else {
        text.append(byte)
        continue
      }
      guard place < bytes.count, bytes[place] == UInt8(ascii: "\"") else {
        guard place == bytes.count || [separator, 0x0a, 0x0d].contains(bytes[place]) else {
          throw TextProblem(.syntax, at: place, "a cell in quotes ends with its quote")
        }
        return String(decoding: text, as: UTF8.self)
      }
      text.append(byte)
      place += 1
    }
    throw TextProblem(.truncated, at: start, "the quote of this cell does not end")
  }
}
