import Betwixt

/// Reads TaskPaper: projects that end with a colon, tasks behind a dash, notes, tags `@name(value)`.
struct TaskPaperReader {
  private var file = ForeignFile(.taskPaper, in: .tasks)
  private var identities = TextIdentities("taskpaper")
  private var stack = OutlineStack()
  private var projects: [(width: Int, name: String)] = []
  private var looseNotes = 0
  // Blank lines since the last line of a note.
  private var blankCount = 0

  static func read(_ bytes: [UInt8]) throws(TextProblem) -> ForeignFile {
    if let problem = UTF8Check.firstProblem(inTextOf: bytes) { throw problem }
    var reader = TaskPaperReader()
    for line in TextLines(bytes) { reader.take(line) }
    guard !reader.file.items.isEmpty || reader.looseNotes == 0 else {
      throw TextProblem(
        .unsupportedVersion, at: 0,
        "this is a text without tasks of TaskPaper (- …), which is for people to read")
    }
    reader.file.looseLineCount = reader.looseNotes
    if reader.looseNotes > 0 {
      reader.file.notes.append(
        (1, "not taken: \(reader.looseNotes) × line of a note that belongs to no task"))
    }
    return reader.file
  }

  private mutating func take(_ line: TextLines.Line) {
    let (width, rest) = TaskOutline.indent(line.bytes)
    guard !rest.isEmpty else {
      blankCount += 1
      return
    }
    defer { blankCount = 0 }
    let text = String(decoding: rest, as: UTF8.self).trimmed
    if rest.starts(with: "- ".utf8) {
      add(String(text.dropFirst(2)), width: width, line: line.number)
    } else if text.utf8.last == UInt8(ascii: ":") {
      while let last = projects.last, last.width >= width { projects.removeLast() }
      let name = String(decoding: text.utf8.dropLast(), as: UTF8.self)
      projects.append((width, OrgWords.unguardedLine(name)))
      stack.close()
    } else if let inner = stack.innermost, width > inner || width == inner, !file.items.isEmpty {
      file.items[file.items.count - 1]
        .addNoteLine(TaskPaperWords.unguardedLine(text), afterBlank: blankCount)
    } else {
      looseNotes += 1
    }
  }

  private mutating func add(_ text: String, width: Int, line: Int) {
    var words: [String] = []
    var done: String?
    var isDone = false
    var due: CivilDate?
    var left = text.utf8.split(separator: 0x20, omittingEmptySubsequences: false)
      .map { String(Substring($0)) }[...]
    while let word = left.first {
      if !isDone, let (value, count) = TaskPaperReader.value(left, tag: "@done") {
        isDone = true
        done = value.isEmpty ? nil : value
        left.removeFirst(count)
      } else if due == nil, let (value, count) = TaskPaperReader.value(left, tag: "@due"),
        let time = ISOTime(value)
      {
        due = time.date
        if let clock = time.clock {
          file.notes.append((line, "the time \(clock) of its date is not taken: tasks have a day"))
        }
        left.removeFirst(count)
      } else {
        words.append(OrgWords.unguardedLine(word))
        left.removeFirst()
      }
    }
    let rest = words.joined(separator: " ").trimmed
    var item = identities.item(rest, line: line)
    item.parent = stack.parent(at: width, opening: item.id)
    while let last = projects.last, last.width >= width, last.width > 0 { projects.removeLast() }
    if item.parent == nil, !projects.isEmpty {
      item.set(.project, projects.map { $0.name }.joined(separator: ": "))
    }
    item.set(.taskText, rest.isEmpty ? "task" : rest)
    item.set(.state, isDone ? "completed" : "notStarted")
    item.set(.completedAt, done)
    item.date = due
    item.emptied = [.note, .project, .parent, .completedAt]
    file.items.append(item)
  }

  /// What stands between the brackets of the tag that some words begin with, and how many words that
  /// takes, as a date has a time behind it; empty without brackets, `nil` for another word.
  fileprivate static func value(
    _ words: ArraySlice<String>, tag: String
  ) -> (text: String, wordCount: Int)? {
    guard let first = words.first, first.utf8.starts(with: tag.utf8) else { return nil }
    if first.utf8.count == tag.utf8.count { return ("", 1) }
    guard first.utf8.dropFirst(tag.utf8.count).first == UInt8(ascii: "(") else { return nil }
    let some = words.prefix(maximumWordCount)
    guard let end = some.firstIndex(where: { $0.utf8.last == UInt8(ascii: ")") }) else {
      return nil
    }
    let text = some[...end].joined(separator: " ")
    let value = text.utf8.dropFirst(tag.utf8.count + 1).dropLast()
    return (String(decoding: value, as: UTF8.self), end - words.startIndex + 1)
  }

  /// The most words that a tag reaches over, so that each line is read once.
  private static let maximumWordCount = 4
}

/// Words and lines that mean something in TaskPaper, which has no sign that they do not.
///
/// A text of the user's that looks like one gets a zero width space where that would be told, as in
/// Org; reading takes it away again. It counts as changed, for other programs show what they show.
enum TaskPaperWords {
  /// A title no word of which is a tag that is read, and which begins with no box.
  static func guardedTags(_ title: String) -> String {
    let words = title.utf8.split(separator: 0x20, omittingEmptySubsequences: false)
      .map { String(Substring($0)) }
    return words.enumerated().map { index, word in
      // A bracket that is open would reach to that of the tags which are written behind the title.
      let meansMore =
        word.utf8.starts(with: OrgWords.guardMark.utf8) || word.hasSameBytes(as: "@done")
        || word.utf8.starts(with: "@done(".utf8) || isDueTag(word)
        || index == 0 && word.utf8.first == UInt8(ascii: "[")
      return meansMore ? OrgWords.guardMark + word : word
    }.joined(separator: " ")
  }

  // A tag whose value is no date is read as a word.
  private static func isDueTag(_ word: String) -> Bool {
    guard word.utf8.starts(with: "@due(".utf8) else { return false }
    guard let (value, _) = TaskPaperReader.value([word], tag: "@due") else { return true }
    return ISOTime(value) != nil
  }

  /// A line that begins like no task and no heading.
  static func guardedStart(_ line: String) -> String {
    let meansMore =
      line.utf8.starts(with: OrgWords.guardMark.utf8) || line.utf8.starts(with: "- ".utf8)
      || line.utf8.first == UInt8(ascii: "#")
    return meansMore ? OrgWords.guardMark + line : line
  }

  /// A name of a project that begins like no task, nor as a heading of another format.
  static func guardedProject(_ name: String, isFirstLine: Bool) -> String {
    let meansMore =
      name.utf8.first == UInt8(ascii: "*")
      || isFirstLine && TextShape.isOfAnotherFormat(firstLine: name + ":")
    return meansMore ? OrgWords.guardMark + name : guardedStart(name)
  }

  /// A line of a note that is neither a task nor a project.
  static func guardedLine(_ line: String) -> String {
    let meansMore = line.utf8.last == UInt8(ascii: ":") || line.endsWithGuard
    return guardedStart(line) + (meansMore ? OrgWords.guardMark : "")
  }

  /// The line of a note that was guarded.
  static func unguardedLine(_ line: String) -> String {
    let line = OrgWords.unguardedLine(line)
    guard line.endsWithGuard else { return line }
    return String(decoding: line.utf8.dropLast(OrgWords.guardMark.utf8.count), as: UTF8.self)
  }
}

extension String {
  fileprivate var endsWithGuard: Bool {
    utf8.suffix(OrgWords.guardMark.utf8.count).elementsEqual(OrgWords.guardMark.utf8)
  }
}

/// Writes tasks as TaskPaper.
struct TaskPaperWriter {
  private(set) var text = ""
  private(set) var omissions: [Omission] = []

  private static let written: Set<FieldName> = [
    .taskText, .state, .completedAt, .note, .project, .parent,
  ]

  init(_ list: ReplicatedList) {
    for project in TaskOutline(list).projects {
      if let name = project.name?.onOneLine.trimmed {
        let guarded = TaskPaperWords.guardedProject(name, isFirstLine: text.isEmpty)
        text += guarded + ":\n"
        if guarded != name {
          omissions += project.entries.map {
            Omission(item: $0.item.id, field: .project, reason: .simplified)
          }
        }
      }
      let base = project.name == nil ? 0 : 1
      for entry in project.entries { add(entry.item, depth: entry.depth + base) }
    }
  }

  private mutating func add(_ item: ListItem, depth: Int) {
    let indent = String(repeating: "\t", count: depth)
    let title = TaskPaperWords.guardedTags(item.summary.onOneLine.trimmed)
    if title != item.summary {
      omissions.append(Omission(item: item.id, field: .taskText, reason: .simplified))
    }
    var line = "\(indent)- \(title)"
    if let date = item.section.flatMap({ CivilDate(dayNumber: $0) }) { line += " @due(\(date))" }
    if TaskList.isCompleted(item) {
      line += " @done" + (item.words(.completedAt).map { doneValue($0, of: item) } ?? "")
    } else {
      noteState(item)
    }
    text += line + "\n"
    let note = NoteLines(item.words(.note) ?? "")
    for part in note.lines {
      let words = part.onOneLine.trimmed
      let line = TaskPaperWords.guardedLine(words)
      text += line.isEmpty ? "\n" : "\(indent)\t\(line)\n"
      if line != part {
        omissions.append(Omission(item: item.id, field: .note, reason: .simplified))
      }
    }
    if note.isCut { omissions.append(Omission(item: item.id, field: .note, reason: .simplified)) }
    omissions.note(item, except: TaskPaperWriter.written)
    omissions.noteUnnamed(item)
  }

  // When a task was done, if the format can tell it from the words around it.
  private mutating func doneValue(_ words: String, of item: ListItem) -> String {
    let value = "(\(words.onOneLine))"
    let parts = ("@done" + value).utf8.split(separator: 0x20, omittingEmptySubsequences: false)
      .map { String(Substring($0)) }
    let read = TaskPaperReader.value(parts[...], tag: "@done")
    if let read, read.wordCount == parts.count, read.text.hasSameBytes(as: words) { return value }
    omissions.append(Omission(item: item.id, field: .completedAt, reason: .noRoom))
    return ""
  }

  private mutating func noteState(_ item: ListItem) {
    if !(item.words(.state) ?? "notStarted").hasSameBytes(as: "notStarted") {
      omissions.append(Omission(item: item.id, field: .state, reason: .noRoom))
    }
    if item.words(.completedAt) != nil {
      omissions.append(Omission(item: item.id, field: .completedAt, reason: .noRoom))
    }
  }
}
