/// Text files, told by their lines.
enum TextShape {
  /// The first byte that is no white space and no byte order mark.
  static func start(_ bytes: [UInt8]) -> Int {
    var index = bytes.starts(with: [0xef, 0xbb, 0xbf]) ? 3 : 0
    while index < bytes.count, [0x20, 0x09, 0x0a, 0x0d].contains(bytes[index]) { index += 1 }
    return index
  }

  /// The format of a text that is no JSON; `nil` if it may be JSON that is broken.
  ///
  /// - Parameters:
  ///   - bytes: The text.
  ///   - start: Where it begins, behind blanks.
  ///   - likely: What it is if it can be that: a guess does not stand against it.
  /// - Returns: The format.
  /// - Throws: For text that is known and not read, or not known, what can be done.
  static func format(
    _ bytes: [UInt8], from start: Int, otherwise likely: DocumentFormat?
  ) throws(TextProblem) -> DocumentFormat? {
    if isCalendar(bytes) { return .iCalendar }
    if bytes[start] == UInt8(ascii: "<") {
      guard let name = XMLScanner.outermostElement(of: bytes, from: start) else { return nil }
      if name == "gpx" { return .gpx }
      throw TextProblem(
        .unsupportedVersion, at: start, "this is \(UnreadFormat.name(ofElement: name))")
    }
    if let problem = UTF8Check.firstProblem(inTextOf: bytes) { throw problem }
    let lines = TextLines(bytes)
    // Headings of a table, with a line of cells for them, say more than any line of a cell could.
    if let format = csv(lines) ?? org(lines) { return format }
    if let likely, hasMark(of: likely, lines) { return likely }
    if let format = taskPaper(lines) ?? markdown(lines, otherwise: likely) { return format }
    // Any line is a task there.
    if likely == .todoTxt { return .todoTxt }
    if likely == .csv, hasHeadings(lines) || isTable(lines) { return .csv }
    if let format = marked(lines) { return format }
    // Reading it says what its columns are.
    if hasHeadings(lines) || isTable(lines) { return .csv }
    // What could be a JSON value, whole or broken, is reported as one.
    let isNegative = bytes[start] == UInt8(ascii: "-")
    let next = isNegative ? start + 1 : start
    if next < bytes.count, (0x30...0x39).contains(bytes[next]) { return nil }
    if "\"'".utf8.contains(bytes[start]) { return nil }
    for word in ["true", "false", "null"] where bytes[start...].starts(with: word.utf8) {
      return nil
    }
    throw TextProblem(
      .syntax, at: start,
      "this is none of the formats that are read, as far as can be told by its first lines: "
        + "if it is one of them, name it (--input FORMAT)")
  }

  static func isCalendar(_ bytes: [UInt8]) -> Bool {
    let start = bytes.starts(with: [0xef, 0xbb, 0xbf]) ? 3 : 0
    let word = "BEGIN:".utf8
    guard bytes.count - start >= word.count else { return false }
    return zip(bytes[start...], word).allSatisfy { byte, letter in
      byte == letter || byte == letter | 0x20 && (0x41...0x5a).contains(letter)
    }
  }

  private static func org(_ lines: TextLines) -> DocumentFormat? {
    for line in lines {
      if line.bytes.starts(with: "#+".utf8) { return .org }
      if line.bytes.starts(with: "** ".utf8) || OrgReader.isTask(line.text) { return .org }
    }
    return nil
  }

  /// Whether a line is one that the format alone gives a meaning, or shares with few others.
  private static func hasMark(of format: DocumentFormat, _ lines: TextLines) -> Bool {
    switch format {
    case .markdown: markdown(lines, otherwise: nil) != nil
    case .org: lines.contains { OrgReader.heading($0.text) != nil && !beginsWithBox($0.bytes) }
    case .taskPaper: outline(lines).map { $0.hasTask || $0.hasProject } ?? false
    default: false
    }
  }

  /// The first mark of a conflict that version control left; `nil` without one.
  static func conflict(in bytes: [UInt8]) -> Int? {
    let marks = ["<<<<<<< ", "=======", ">>>>>>> "].map { Array($0.utf8) }
    var place: Int?
    var count = 0
    for line in TextLines(bytes) where line.bytes.starts(with: marks[count]) {
      if count == 0 { place = line.bytes.startIndex }
      count += 1
      if count == marks.count { return place }
    }
    return nil
  }

  private static func taskPaper(_ lines: TextLines) -> DocumentFormat? {
    guard let outline = outline(lines), outline.hasTask else { return nil }
    return outline.hasProject || lines.contains(where: isTagged) ? .taskPaper : nil
  }

  /// Whether lines have tasks and projects of TaskPaper; `nil` if they have marks that it has not.
  private static func outline(_ lines: TextLines) -> (hasTask: Bool, hasProject: Bool)? {
    var hasTask = false
    var hasProject = false
    for line in lines {
      let rest = line.bytes.drop { $0 == 0x09 || $0 == 0x20 }
      if rest.starts(with: "- [".utf8) || rest.starts(with: "#".utf8) { return nil }
      if rest.starts(with: "- ".utf8) { hasTask = true }
      if rest.last == UInt8(ascii: ":"), !rest.starts(with: "- ".utf8) { hasProject = true }
    }
    return (hasTask, hasProject)
  }

  private static func isTagged(_ line: TextLines.Line) -> Bool {
    line.bytes.indices.contains { place in
      let rest = line.bytes[place...]
      return rest.starts(with: "@done".utf8) || rest.starts(with: "@due(".utf8)
    }
  }

  private static func markdown(
    _ lines: TextLines, otherwise likely: DocumentFormat?
  ) -> DocumentFormat? {
    for line in lines {
      let rest = line.bytes.drop { $0 == 0x09 || $0 == 0x20 }
      if MarkdownReader.box(rest) != nil { return .markdown }
      // In todo.txt people write remarks so.
      guard likely != .todoTxt else { continue }
      let marks = rest.prefix { $0 == UInt8(ascii: "#") }.count
      if (1...6).contains(marks), rest.dropFirst(marks).first == 0x20 { return .markdown }
    }
    return nil
  }

  private static func csv(_ lines: TextLines) -> DocumentFormat? {
    guard let head = lines.first(where: { !$0.bytes.isEmpty }) else { return nil }
    if CSVRows.separator(named: head.bytes) != nil { return .csv }
    guard hasHeadings(lines), head.bytes.last != UInt8(ascii: ":") else { return nil }
    return hasCells(lines) ? .csv : nil
  }

  /// Whether the first line is one of headings of a table.
  ///
  /// No heading of a column begins as a heading or a point of a list does, and none is guarded; a tab
  /// stands between two cells.
  private static func hasHeadings(_ lines: TextLines) -> Bool {
    guard let head = lines.first(where: { !$0.bytes.isEmpty }) else { return false }
    if head.bytes.starts(with: "#+".utf8) { return false }
    if let first = head.bytes.first, "-*+#".utf8.contains(first) {
      if head.bytes.drop(while: { $0 == first }).first == 0x20 { return false }
    }
    let text = head.text
    return CSVReader.separator(of: text) != nil && !OrgWords.hasGuard(text)
  }

  /// Whether the second line that is not empty has cells for the headings of the first; a table may end
  /// with its headings.
  ///
  /// The last ones may be left out, but not where the line begins as a task does, and a box is one
  /// whatever stands behind it. A cell that is a date is that of a row.
  private static func hasCells(_ lines: TextLines) -> Bool {
    var text: [UInt8] = []
    var last: ArraySlice<UInt8> = []
    for line in lines.lazy.filter({ !$0.bytes.isEmpty }).prefix(2) {
      text += line.bytes + [0x0a]
      last = line.bytes
    }
    var rows = CSVRows(text)
    do throws(TextProblem) {
      guard let head = try rows.next(), let row = try rows.next() else { return true }
      guard row.cells.count > 1, row.cells.count <= head.cells.count else { return false }
      if row.cells.contains(where: CSVReader.isDateAlone) { return true }
      if row.cells.count == head.cells.count { return !beginsWithBox(last) }
      let isDated = head.cells.first.map { CSVReader.column(named: $0) == .date } ?? false
      return !beginsTask(last) && (isDated || !beginsWithDate(last))
    } catch {
      // Quotes are those of cells: one goes on in the next line, or is wrong and named by the reader.
      return true
    }
  }

  /// Whether a line begins as one of a list does, or with a mark of todo.txt.
  private static func beginsTask(_ line: ArraySlice<UInt8>) -> Bool {
    let rest = line.drop { $0 == 0x20 || $0 == 0x09 }
    guard let mark = rest.first else { return false }
    let isMark = "-*+x".utf8.contains(mark) && rest.dropFirst().first == 0x20
    return isMark || mark == UInt8(ascii: "(") && rest.dropFirst(2).starts(with: ") ".utf8)
      || beginsWithBox(line)
  }

  private static func beginsWithBox(_ line: ArraySlice<UInt8>) -> Bool {
    MarkdownReader.box(line.drop { $0 == 0x20 || $0 == 0x09 }) != nil
  }

  /// Whether a line begins with the date of a task: behind it stand words, and no time.
  private static func beginsWithDate(_ line: ArraySlice<UInt8>) -> Bool {
    let rest = line.dropFirst(10)
    guard rest.first == 0x20, CivilDate(String(decoding: line.prefix(10), as: UTF8.self)) != nil
    else { return false }
    let word = rest.dropFirst().prefix { $0 != 0x20 && !CSVRows.separators.contains($0) }
    return CSVReader.clock(String(decoding: word, as: UTF8.self)) == nil
  }

  /// Whether lines have cells, whatever they are called: the first two have as many, or the only one
  /// has a date.
  private static func isTable(_ lines: TextLines) -> Bool {
    var head: [ArraySlice<UInt8>] = []
    for line in lines where !line.bytes.isEmpty && head.count < 2 { head.append(line.bytes) }
    guard let first = head.first else { return false }
    return CSVRows.separators.contains { separator in
      guard !head.contains(where: { isProse($0, around: separator) }) else { return false }
      let counts = head.map { line in line.count { $0 == separator } }
      guard let count = counts.first, count > 0 else { return false }
      if counts.count == 2 { return counts[1] == count }
      return first.split(separator: separator).contains { cell in
        CSVReader.isDate(String(decoding: cell, as: UTF8.self))
      }
    }
  }

  // Commas before blanks are those of a sentence.
  private static func isProse(_ line: ArraySlice<UInt8>, around separator: UInt8) -> Bool {
    zip(line, line.dropFirst()).contains { $0 == separator && $1 == 0x20 }
  }

  /// Whether a text that begins with a line is taken for something else than a list of tasks, whatever
  /// stands in its other lines.
  static func isOfAnotherFormat(firstLine line: String) -> Bool {
    let bytes = Array(line.utf8)
    guard let first = bytes.first else { return false }
    return "{[<".utf8.contains(first) || isCalendar(bytes) || UnreadFormat.name(bytes) != nil
      || CSVRows.separator(named: bytes[...]) != nil || CSVReader.separator(of: line) != nil
  }

  /// A list of todo.txt, or a table with cells that look marked as its tasks are.
  private static func marked(_ lines: TextLines) -> DocumentFormat? {
    guard lines.contains(where: { TodoTxtReader.isMarked($0.text) }) else { return nil }
    return isTable(throughout: lines) ? .csv : .todoTxt
  }

  /// Whether a text is read as a table though it has marks of todo.txt.
  static func isMarkedTable(_ text: [UInt8]) -> Bool { marked(TextLines(text)) == .csv }

  /// Whether every line is a row of one table, whatever its columns are called.
  ///
  /// Tasks have commas too: what has no cell that is a date needs more of them, and headings. Rows have
  /// no blanks behind their commas, and do not begin as tasks do.
  private static func isTable(throughout lines: TextLines) -> Bool {
    var rows = CSVRows(lines.bytes)
    var head: [String]?
    var (count, hasDate) = (0, false)
    do throws(TextProblem) {
      while let row = try rows.next() {
        if row.cells.count == 1, row.cells[0].isEmpty { continue }
        count += 1
        head = head ?? row.cells
        guard row.cells.count > 1, row.cells.count == head?.count else { return false }
        let line = lines.bytes[row.offset...].prefix { $0 != 0x0a }
        guard !beginsTask(line), !beginsWithDate(line) else { return false }
        guard !row.cells.contains(where: { $0.utf8.first == 0x20 || hasDue($0) }) else {
          return false
        }
        hasDate = hasDate || row.cells.contains(where: CSVReader.isDateAlone)
      }
    } catch {
      return false
    }
    guard let head, !head.contains(where: OrgWords.hasGuard) else { return false }
    let isWide = head.count > 2 || rows.separator == 0x09
    return hasDate || count > 1 && isWide && !head.contains(where: TodoTxtReader.isMarked)
  }

  private static func hasDue(_ cell: String) -> Bool {
    cell.utf8.split(separator: 0x20).contains { TodoTxtReader.due(String(Substring($0))) != nil }
  }
}

/// The lines of a text that is UTF-8; they may end with CR LF, LF or CR LF mixed.
struct TextLines: Sequence {
  /// One line.
  struct Line {
    let bytes: ArraySlice<UInt8>

    /// Its number, counted from 1.
    let number: Int

    var text: String { String(decoding: bytes, as: UTF8.self) }
  }

  fileprivate let bytes: [UInt8]

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  struct Iterator: IteratorProtocol {
    private let bytes: [UInt8]
    private var place: Int
    private var number = 0

    init(_ bytes: [UInt8]) {
      self.bytes = bytes
      place = bytes.starts(with: [0xef, 0xbb, 0xbf]) ? 3 : 0
    }

    mutating func next() -> Line? {
      guard place < bytes.count else { return nil }
      let lineFeed = bytes[place...].firstIndex(of: UInt8(ascii: "\n")) ?? bytes.count
      var end = lineFeed
      if end > place, bytes[end - 1] == UInt8(ascii: "\r") { end -= 1 }
      defer { place = lineFeed + 1 }
      number += 1
      return Line(bytes: bytes[place..<end], number: number)
    }
  }

  func makeIterator() -> Iterator { Iterator(bytes) }
}

extension UTF8Check {
  /// The first byte of a text of another program that is no UTF-8, with what helps.
  static func firstProblem(inTextOf bytes: [UInt8]) -> TextProblem? {
    guard var problem = firstProblem(in: bytes) else { return nil }
    problem.text += ": save the file as UTF-8 (of a spreadsheet “CSV UTF-8”)"
    return problem
  }
}
