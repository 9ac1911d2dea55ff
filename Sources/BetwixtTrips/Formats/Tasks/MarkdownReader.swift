import Betwixt

/// Reads lists of boxes to tick, as Markdown has them: `- [ ] Buy bread`.
///
/// A heading that is a date says when its tasks are due; any other one is their project.
struct MarkdownReader {
  private var file = ForeignFile(.markdown, in: .tasks)
  private var identities = TextIdentities("md")
  private var stack = OutlineStack()
  private var project: String?
  private var date: CivilDate?
  // How many headings there were.
  private var headingCount = 0
  private var looseLines = 0
  // Whether there is a heading as those of a trip.
  private var hasDays = false
  // What opened the code that the lines are in: it ends with as many of these, or more.
  private var fence: (mark: UInt8, count: Int)?
  // Blank lines since the last line of a note.
  private var blankCount = 0

  static func read(_ bytes: [UInt8]) throws(TextProblem) -> ForeignFile {
    if let problem = UTF8Check.firstProblem(inTextOf: bytes) { throw problem }
    var reader = MarkdownReader()
    for line in TextLines(bytes) { reader.take(line) }
    // Of a list whose last task was taken out the headings are left.
    guard !reader.file.items.isEmpty || reader.looseLines == 0 && !reader.hasDays else {
      throw TextProblem(
        .unsupportedVersion, at: 0,
        "this is Markdown without boxes to tick (- [ ] …), which is for people to read: "
          + "a trip is read as JSON, CSV, GPX or a calendar")
    }
    reader.file.looseLineCount = reader.looseLines
    let headingCount = reader.headingCount - (reader.file.name == nil ? 0 : 1)
    if reader.file.items.isEmpty, headingCount > 0 {
      reader.file.notes.append((1, "not taken: \(headingCount) × heading without tasks"))
    }
    if reader.looseLines > 0 {
      reader.file.notes.append((1, "not taken: \(reader.looseLines) × line that is no task"))
    }
    return reader.file
  }

  /// What stands behind a box, and whether the box is ticked; `nil` if there is none.
  static func box(
    _ line: ArraySlice<UInt8>
  ) -> (isTicked: Bool, text: ArraySlice<UInt8>)? {
    var rest = line
    if let first = rest.first,
      [UInt8(ascii: "-"), UInt8(ascii: "*"), UInt8(ascii: "+")].contains(first)
    {
      rest.removeFirst()
    } else {
      let digits = rest.prefix { (0x30...0x39).contains($0) }
      rest = rest.dropFirst(digits.count)
      guard !digits.isEmpty, let mark = rest.first,
        mark == UInt8(ascii: ".") || mark == UInt8(ascii: ")")
      else { return nil }
      rest.removeFirst()
    }
    guard rest.first == 0x20 else { return nil }
    rest = rest.drop { $0 == 0x20 }
    guard rest.count >= 3, rest.starts(with: "[".utf8),
      rest[rest.startIndex + 2] == UInt8(ascii: "]")
    else { return nil }
    let mark = rest[rest.startIndex + 1]
    guard mark == 0x20 || mark | 0x20 == UInt8(ascii: "x") else { return nil }
    return (mark != 0x20, rest.dropFirst(3))
  }

  private mutating func take(_ line: TextLines.Line) {
    let (width, rest) = TaskOutline.indent(line.bytes)
    guard !rest.isEmpty else {
      blankCount += 1
      return
    }
    defer { blankCount = 0 }
    if isCode(rest) {
      looseLines += 1
      return
    }
    if let box = MarkdownReader.box(rest) {
      add(
        String(decoding: box.text, as: UTF8.self).trimmed, isTicked: box.isTicked, width: width,
        line: line.number)
      return
    }
    let marks = rest.prefix { $0 == UInt8(ascii: "#") }.count
    if (1...6).contains(marks), width < 4, rest.dropFirst(marks).first == 0x20 {
      heading(
        Markdown.unescaped(String(decoding: rest.dropFirst(marks), as: UTF8.self).trimmed),
        level: marks)
      return
    }
    guard let inner = stack.innermost, width > inner, let last = file.items.indices.last else {
      looseLines += 1
      return
    }
    let text = Markdown.unescaped(String(decoding: rest, as: UTF8.self).trimmed)
    file.items[last].addNoteLine(text, afterBlank: blankCount)
  }

  /// Whether a line is code, or one that such lines begin or end with.
  private mutating func isCode(_ line: ArraySlice<UInt8>) -> Bool {
    let tick = UInt8(ascii: "`")
    guard let mark = line.first, mark == tick || mark == UInt8(ascii: "~") else {
      return fence != nil
    }
    let count = line.prefix { $0 == mark }.count
    let rest = line.dropFirst(count)
    if let open = fence {
      let isEnd = mark == open.mark && count >= open.count
      if isEnd, rest.allSatisfy({ $0 == 0x20 || $0 == 0x09 }) { fence = nil }
      return true
    }
    guard count >= 3, mark != tick || !rest.contains(tick) else { return false }
    fence = (mark, count)
    return true
  }

  private mutating func heading(_ text: String, level: Int) {
    stack.close()
    headingCount += 1
    hasDays = hasDays || isDay(text)
    date = CivilDate(text)
    if level == 1, file.name == nil, file.items.isEmpty {
      file.name = text
      return
    }
    project = date == nil && !text.hasSameBytes(as: "Inbox") ? text : nil
  }

  /// Whether a heading is one of a trip that was written as Markdown: `Day 2, Sat 2026-05-02`.
  private func isDay(_ text: String) -> Bool {
    let word = "Day ".utf8
    guard text.utf8.starts(with: word), let digit = text.utf8.dropFirst(word.count).first else {
      return false
    }
    return (0x30...0x39).contains(digit)
  }

  /// The date that ends a task, ` (due 2026-05-01)`, and what stands before it; `nil` without one.
  ///
  /// The text is as the file has it: of words of the task itself the last bracket is escaped.
  static func dueDate(_ text: String) -> (rest: String, date: CivilDate)? {
    let tail = " (due "
    guard text.utf8.last == UInt8(ascii: ")"), text.utf8.count > tail.utf8.count + 11,
      let date = CivilDate(String(decoding: text.utf8.dropLast().suffix(10), as: UTF8.self)),
      text.utf8.dropLast(11).suffix(tail.utf8.count).elementsEqual(tail.utf8)
    else { return nil }
    return (String(decoding: text.utf8.dropLast(11 + tail.utf8.count), as: UTF8.self), date)
  }

  private mutating func add(_ text: String, isTicked: Bool, width: Int, line: Int) {
    // The first heading is the list's name, but for one that says when the tasks below it are due.
    if headingCount == 1, date != nil { file.name = nil }
    // Ours, where the heading is a project.
    let dated = MarkdownReader.dueDate(text)
    let due = dated?.date ?? date
    let words = Markdown.unescaped(dated?.rest ?? text)
    var item = identities.item(words, line: line)
    item.parent = stack.parent(at: width, opening: item.id)
    if item.parent == nil { item.set(.project, project) }
    item.set(.taskText, words.isEmpty ? "task" : words)
    item.set(.state, isTicked ? "completed" : "notStarted")
    item.date = due
    item.emptied = [.note, .project, .parent]
    file.items.append(item)
  }
}

extension Markdown {
  /// A text without the backslashes that keep its characters from meaning something.
  static func unescaped(_ text: String) -> String {
    var result: [UInt8] = []
    var isEscaped = false
    for byte in text.utf8 {
      if !isEscaped, byte == UInt8(ascii: "\\") {
        isEscaped = true
        continue
      }
      let isMark =
        (0x21...0x2f).contains(byte) || (0x3a...0x40).contains(byte)
        || (0x5b...0x60).contains(byte) || (0x7b...0x7e).contains(byte)
      if isEscaped, !isMark { result.append(UInt8(ascii: "\\")) }
      isEscaped = false
      result.append(byte)
    }
    if isEscaped { result.append(UInt8(ascii: "\\")) }
    return String(decoding: result, as: UTF8.self)
  }
}
