import Betwixt

/// Reads TaskPaper: projects that end with a colon, tasks behind a dash, notes, tags `@name(value)`.
struct TaskPaperReader {
  private var file = ForeignFile(.taskPaper, in: .tasks)
  private var identities = TextIdentities("taskpaper")
  private var stack = OutlineStack()
  private var projects: [(width: Int, name: String)] = []
  private var looseNotes = 0

  static func read(_ bytes: [UInt8]) throws(TextProblem) -> ForeignFile {
    if let problem = UTF8Check.firstProblem(in: bytes) { throw problem }
    var reader = TaskPaperReader()
    for line in TextLines(bytes) { reader.take(line) }
    if reader.looseNotes > 0 {
      reader.file.notes.append(
        (1, "not taken: \(reader.looseNotes) × line of a note that belongs to no task"))
    }
    return reader.file
  }

  private mutating func take(_ line: TextLines.Line) {
    let (width, rest) = TaskOutline.indent(line.bytes)
    guard !rest.isEmpty else { return }
    let text = String(decoding: rest, as: UTF8.self).trimmed
    if rest.starts(with: "- ".utf8) {
      add(String(text.dropFirst(2)), width: width, line: line.number)
    } else if text.utf8.last == UInt8(ascii: ":") {
      while let last = projects.last, last.width >= width { projects.removeLast() }
      projects.append((width, String(text.dropLast())))
      stack.close()
    } else if let inner = stack.innermost, width > inner || width == inner, !file.items.isEmpty {
      let index = file.items.count - 1
      let note = (file.items[index].fields[.note] ?? nil)?.string
      file.items[index].set(.note, note.map { $0 + "\n" + text } ?? text)
    } else {
      looseNotes += 1
    }
  }

  private mutating func add(_ text: String, width: Int, line: Int) {
    var words: [String] = []
    var done: String?
    var isDone = false
    var due: CivilDate?
    for word in text.utf8.split(separator: 0x20, omittingEmptySubsequences: false) {
      let word = String(Substring(word))
      if !isDone, word.utf8.starts(with: "@done".utf8),
        let value = TaskPaperReader.value(word, tag: "@done")
      {
        isDone = true
        done = value.isEmpty ? nil : value
      } else if due == nil, let value = TaskPaperReader.value(word, tag: "@due"),
        let date = CivilDate(value)
      {
        due = date
      } else {
        words.append(word)
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
    file.items.append(item)
  }

  /// What stands between the brackets of a tag; empty without brackets, `nil` for another word.
  private static func value(_ word: String, tag: String) -> String? {
    guard word.utf8.starts(with: tag.utf8) else { return nil }
    let rest = word.dropFirst(tag.count)
    if rest.isEmpty { return "" }
    guard rest.first == "(", rest.last == ")" else { return nil }
    return String(rest.dropFirst().dropLast())
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
      if let name = project.name { text += name.onOneLine.trimmed + ":\n" }
      let base = project.name == nil ? 0 : 1
      for entry in project.entries { add(entry.item, depth: entry.depth + base) }
    }
  }

  private mutating func add(_ item: ListItem, depth: Int) {
    let indent = String(repeating: "\t", count: depth)
    let title = item.summary.onOneLine.trimmed
    if title != item.summary {
      omissions.append(Omission(item: item.id, field: .taskText, reason: .simplified))
    }
    var line = "\(indent)- \(title)"
    if let date = item.section.flatMap({ CivilDate(dayNumber: $0) }) { line += " @due(\(date))" }
    if TaskList.isCompleted(item) {
      let day = item.words(.completedAt).map { $0.onOneLine.filter { $0 != " " && $0 != ")" } }
      line += day.map { " @done(\($0))" } ?? " @done"
    } else {
      noteState(item)
    }
    text += line + "\n"
    for part in (item.words(.note) ?? "").split(separator: "\n") {
      let words = String(part).onOneLine.trimmed
      // A note that looks like a task or a project would be read as one.
      let isSafe = !words.utf8.starts(with: "- ".utf8) && words.utf8.last != UInt8(ascii: ":")
      text += "\(indent)\t\(isSafe ? words : words + " .")\n"
      if !isSafe || words != part {
        omissions.append(Omission(item: item.id, field: .note, reason: .simplified))
      }
    }
    omissions.note(item, except: TaskPaperWriter.written)
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
