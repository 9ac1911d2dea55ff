import Betwixt

/// Reads todo.txt: a task on each line, with a priority, dates, `+projects` and `@contexts`.
///
/// The rules are those of <https://github.com/todotxt/todo.txt>. Projects, contexts and pairs
/// `key:value` stay in the text, where the format has them; `due:` is the date of the task. A zero
/// width space guards a text that begins like a mark, or like a line of another format.
struct TodoTxtReader {
  static func read(_ bytes: [UInt8]) throws(TextProblem) -> ForeignFile {
    if let problem = UTF8Check.firstProblem(inTextOf: bytes) { throw problem }
    var file = ForeignFile(.todoTxt, in: .tasks)
    var identities = TextIdentities("todo.txt")
    for line in TextLines(bytes) {
      let text = line.text.trimmed
      guard !text.isEmpty else { continue }
      file.items.append(item(text, line: line.number, identities: &identities))
    }
    return file
  }

  /// Whether a line has something that only a task of todo.txt has.
  static func isMarked(_ line: String) -> Bool {
    let words = line.utf8.split(separator: 0x20).map { String(Substring($0)) }
    guard let first = words.first, words.count > 1 else { return false }
    if first.hasSameBytes(as: "x") && words.count > 2 && CivilDate(words[1]) != nil { return true }
    if priority(first) != nil || CivilDate(first) != nil { return true }
    return words.dropFirst().contains { word in
      word.utf8.count > 1
        && (word.utf8.first == UInt8(ascii: "+") || word.utf8.first == UInt8(ascii: "@"))
        || word.utf8.starts(with: "due:".utf8)
    } || first.hasSameBytes(as: "x")
  }

  private static func item(
    _ text: String, line: Int, identities: inout TextIdentities
  ) -> ForeignItem {
    var words = text.utf8.split(separator: 0x20, omittingEmptySubsequences: false)
      .map { String(Substring($0)) }[...]
    var dates: [CivilDate] = []
    var level: String?
    let isDone = words.first?.hasSameBytes(as: "x") ?? false && words.count > 1
    if isDone { words.removeFirst() }
    if let first = words.first, let found = priority(first), words.count > 1 {
      level = found
      words.removeFirst()
    }
    while dates.count < 2, let first = words.first, let date = CivilDate(first), words.count > 1 {
      dates.append(date)
      words.removeFirst()
    }
    // Of several the last one counts: what stands before it may be words of the text.
    let due = words.lastIndex { TodoTxtReader.due($0) != nil }
    let mark = isDone && level == nil ? words.lastIndex { doneLevel($0) != nil } : nil
    level = level ?? mark.flatMap { doneLevel(words[$0]) }
    let kept = words.indices.filter { $0 != due && $0 != mark }.map { words[$0] }
    let rest = OrgWords.unguardedLine(kept.joined(separator: " ").trimmed)
    var item = identities.item(rest.isEmpty ? text : rest, line: line)
    item.set(.taskText, rest.isEmpty ? text : rest)
    item.set(.state, isDone ? "completed" : "notStarted")
    item.set(.priority, level)
    item.date = due.flatMap { TodoTxtReader.due(words[$0]) }
    if isDone {
      item.set(.completedAt, dates.first?.description)
      item.set(.createdAt, dates.dropFirst().first?.description)
      // Programs let go of a priority when a task is done, and one date alone is that of completion.
      item.emptied = [.completedAt]
    } else {
      item.emptied = [.priority, .createdAt, .completedAt]
      item.set(.createdAt, dates.first?.description)
    }
    return item
  }

  /// The date of `due:2026-05-01`.
  static func due(_ word: String) -> CivilDate? {
    word.utf8.starts(with: "due:".utf8)
      ? CivilDate(String(decoding: word.utf8.dropFirst(4), as: UTF8.self)) : nil
  }

  /// The letter of `pri:A`, which a task that is done has in place of `(A)`.
  static func doneLevel(_ word: String) -> String? {
    word.utf8.starts(with: "pri:".utf8)
      ? priority("(\(String(decoding: word.utf8.dropFirst(4), as: UTF8.self)))") : nil
  }

  /// The letter of `(A)`.
  static func priority(_ word: String) -> String? {
    let bytes = Array(word.utf8)
    guard bytes.count == 3, bytes[0] == UInt8(ascii: "("), bytes[2] == UInt8(ascii: ")"),
      (0x41...0x5a).contains(bytes[1])
    else { return nil }
    return String(decoding: bytes[1...1], as: UTF8.self)
  }
}

/// Writes tasks as todo.txt.
struct TodoTxtWriter {
  private(set) var text = ""
  private(set) var omissions: [Omission] = []

  private static let written: Set<FieldName> = [
    .taskText, .state, .priority, .createdAt, .completedAt,
  ]

  // Whether the text would be read as a table but for a guard in its first line.
  private var isLikeTable = false

  init(_ list: ReplicatedList) {
    for item in list { add(item) }
    guard TextShape.isMarkedTable(Array(text.utf8)) else { return }
    (text, omissions, isLikeTable) = ("", [], true)
    for item in list { add(item) }
  }

  private mutating func add(_ item: ListItem) {
    let isDone = TaskList.isCompleted(item)
    let completed = TaskDates.day(item, named: .completedAt)
    let created = TaskDates.day(item, named: .createdAt)
    let level = item.words(.priority).flatMap { TodoTxtReader.priority("(\($0))") }
    var parts: [String] = []
    if isDone {
      parts.append("x")
      if let completed { parts.append(completed) }
      // One date alone is that of completion.
      if let created, completed != nil { parts.append(created) }
    } else {
      if let level { parts.append("(\(level))") }
      if let created { parts.append(created) }
    }
    var line = item.summary.onOneLine.trimmed
    var isChanged = line != item.summary
    if startsLikeMark(line, after: parts) || looksLikeAnotherFormat(line, after: parts) {
      line = OrgWords.guardMark + line
      isChanged = true
    }
    let date = item.section.flatMap { CivilDate(dayNumber: $0) }
    if isChanged || hasPair(line, beside: date, isDone: isDone, level: level) {
      omissions.append(Omission(item: item.id, field: .taskText, reason: .simplified))
    }
    parts.append(line.isEmpty ? "task" : line)
    if isDone, let level { parts.append("pri:\(level)") }
    if let date { parts.append("due:\(date)") }
    text += parts.joined(separator: " ") + "\n"
    noteLosses(item, isDone: isDone, completed: completed, created: created, level: level)
  }

  // A text that begins like a mark of the format would be read as one.
  private func startsLikeMark(_ line: String, after parts: [String]) -> Bool {
    let words = line.utf8.split(separator: 0x20).map { String(Substring($0)) }
    guard let first = words.first else { return false }
    if CivilDate(first) != nil || TodoTxtReader.priority(first) != nil { return true }
    if first.utf8.starts(with: OrgWords.guardMark.utf8) { return true }
    return parts.isEmpty && first.hasSameBytes(as: "x")
  }

  // The format is told by its lines: one alone must not make a file of another format of the whole.
  private func looksLikeAnotherFormat(_ line: String, after parts: [String]) -> Bool {
    if parts.isEmpty, let first = line.utf8.first {
      if "#*".utf8.contains(first) || line.utf8.starts(with: "- ".utf8) { return true }
      if MarkdownReader.box(Array(line.utf8)[...]) != nil { return true }
    }
    guard text.isEmpty else { return false }
    return isLikeTable
      || TextShape.isOfAnotherFormat(firstLine: (parts + [line]).joined(separator: " "))
  }

  // Words of a text that would be read as what the task lacks.
  private func hasPair(
    _ line: String, beside date: CivilDate?, isDone: Bool, level: String?
  ) -> Bool {
    line.utf8.split(separator: 0x20).map { String(Substring($0)) }.contains { word in
      date == nil && TodoTxtReader.due(word) != nil
        || isDone && level == nil && TodoTxtReader.doneLevel(word) != nil
    }
  }

  private mutating func noteLosses(
    _ item: ListItem, isDone: Bool, completed: String?, created: String?, level: String?
  ) {
    omissions.note(item, except: TodoTxtWriter.written)
    omissions.noteUnnamed(item)
    let state = item.words(.state) ?? "notStarted"
    if !isDone, !state.hasSameBytes(as: "notStarted") {
      omissions.append(Omission(item: item.id, field: .state, reason: .noRoom))
    }
    if item.words(.priority) != nil, level == nil {
      omissions.append(Omission(item: item.id, field: .priority, reason: .noRoom))
    }
    if isDone, created != nil, completed == nil {
      omissions.append(Omission(item: item.id, field: .createdAt, reason: .noRoom))
    }
    for (name, day) in [(FieldName.createdAt, created), (.completedAt, completed)] {
      guard let text = item.words(name) else { continue }
      if !isDone, name == .completedAt || day == nil {
        omissions.append(Omission(item: item.id, field: name, reason: .noRoom))
      } else if let day, !text.hasSameBytes(as: day) {
        omissions.append(Omission(item: item.id, field: name, reason: .simplified))
      }
    }
  }
}

/// Dates of tasks.
enum TaskDates {
  /// The date of a field that holds a date or a moment.
  static func day(_ item: ListItem, named name: FieldName) -> String? {
    item.words(name).flatMap { ISOTime($0)?.date.description }
  }
}
