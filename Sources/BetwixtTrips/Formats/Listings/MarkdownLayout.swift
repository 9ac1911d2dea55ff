import Betwixt

/// How a Markdown file of tasks is laid out, line by line: what a file that takes its place keeps.
struct MarkdownLayout {
  /// A task with the lines that it takes.
  struct Task {
    let words: String
    let isTicked: Bool
    let date: CivilDate?
    let depth: Int
    let noteLines: [String]
    let project: String?
    /// The words of the task that it is a part of.
    let parent: String?

    /// What stands before the mark in its box, and what behind the box.
    let (start, rest): (ArraySlice<UInt8>, ArraySlice<UInt8>)
    let mark: UInt8
    let notes: [ArraySlice<UInt8>]

    /// Blank lines between the task before, below the same heading, and this one.
    let blanksBefore: Int
  }

  /// What the tasks below a heading have in common.
  enum Section: Hashable {
    case inbox
    case date(CivilDate)
    // By the bytes: names that only look alike are two.
    case project([UInt8])

    init(heading text: String) {
      if let date = CivilDate(text) {
        self = .date(date)
      } else {
        self = text.hasSameBytes(as: "Inbox") ? .inbox : .project(Array(text.utf8))
      }
    }
  }

  struct Heading {
    let line: ArraySlice<UInt8>
    let section: Section
    /// How many tasks stand before it.
    let taskCount: Int
    let (blanksBefore, blanksBehind): (Int, Int)
  }

  /// The heading that is the list's name, if there is one.
  private(set) var title: Heading?
  private(set) var name: String?
  private(set) var headings: [Heading] = []
  private(set) var tasks: [Task] = []
  private(set) var endsLines: [UInt8] = [UInt8(ascii: "\n")]
  private(set) var start: ArraySlice<UInt8> = []
  private(set) var endsWithNewline = true

  /// Looks at a file; `nil` if it has more than tasks, their notes and headings, if it has no task, or
  /// if tasks of one heading stand in two places.
  ///
  /// - Complexity: O(*n*) for *n* bytes
  init?(_ bytes: [UInt8]) {
    guard let file = try? MarkdownReader.read(bytes), !file.items.isEmpty, file.looseLineCount == 0
    else { return nil }
    name = file.name
    if bytes.starts(with: [0xef, 0xbb, 0xbf]) { start = bytes[..<3] }
    if let end = bytes.firstIndex(of: UInt8(ascii: "\n")) {
      if end > 0, bytes[end - 1] == UInt8(ascii: "\r") { endsLines = Array("\r\n".utf8) }
    }
    endsWithNewline = bytes.last == UInt8(ascii: "\n")
    collect(Array(TextLines(bytes)).map { $0.bytes }, of: file)
    guard !isDivided else { return nil }
  }

  /// Whether the tasks of one section stand in two places, which no list tells apart.
  private var isDivided: Bool {
    var sections: Set<Section> = headings.first.map { $0.taskCount > 0 } ?? false ? [.inbox] : []
    return headings.contains { !sections.insert($0.section).inserted }
  }

  /// Whether a heading has no tasks.
  func isEmpty(_ section: Section) -> Bool {
    guard let place = headings.firstIndex(where: { $0.section == section }) else { return false }
    let next = place + 1 < headings.count ? headings[place + 1].taskCount : tasks.count
    return headings[place].taskCount == next
  }

  private mutating func collect(_ lines: [ArraySlice<UInt8>], of file: ForeignFile) {
    func isBlank(_ index: Int) -> Bool { TaskOutline.indent(lines[index]).rest.isEmpty }
    func blanks(before index: Int) -> Int {
      lines[..<index].reversed().prefix { TaskOutline.indent($0).rest.isEmpty }.count
    }
    var depths: [ItemID: (depth: Int, words: String)] = [:]
    var isBehindTask = false
    var item = 0
    var index = 0
    while index < lines.count {
      defer { index += 1 }
      guard !isBlank(index) else { continue }
      guard item < file.items.count, file.items[item].line == index + 1 else {
        let behind = lines[(index + 1)...].prefix { TaskOutline.indent($0).rest.isEmpty }.count
        addHeading(lines[index], blanks: (blanks(before: index), behind))
        isBehindTask = false
        continue
      }
      let task = file.items[item]
      item += 1
      let parent = task.parent.flatMap { depths[$0] }
      let depth = parent.map { $0.depth + 1 } ?? 0
      depths[task.id] = (depth, task.text)
      let line = index
      // The lines of its note, and blank ones between them.
      let noteCount = task.noteLines.count
      index += noteCount > 0 ? blanksBehind(line, in: lines) + noteCount : 0
      add(
        task, at: lines[line], notes: Array(lines[(line + 1)..<(index + 1)]), below: parent?.words,
        depth: depth, blanks: isBehindTask ? blanks(before: line) : 0)
      isBehindTask = true
    }
  }

  private func blanksBehind(_ index: Int, in lines: [ArraySlice<UInt8>]) -> Int {
    lines[(index + 1)...].prefix { TaskOutline.indent($0).rest.isEmpty }.count
  }

  private mutating func addHeading(_ line: ArraySlice<UInt8>, blanks: (before: Int, behind: Int)) {
    let rest = TaskOutline.indent(line).rest
    let marks = rest.prefix { $0 == UInt8(ascii: "#") }.count
    let text = Markdown.unescaped(String(decoding: rest.dropFirst(marks), as: UTF8.self).trimmed)
    let heading = Heading(
      line: line, section: Section(heading: text), taskCount: tasks.count,
      blanksBefore: blanks.before, blanksBehind: blanks.behind)
    let isFirst = title == nil && headings.isEmpty && tasks.isEmpty
    if isFirst, marks == 1, let name, name.hasSameBytes(as: text) {
      title = heading
    } else {
      headings.append(heading)
    }
  }

  private mutating func add(
    _ item: ForeignItem, at line: ArraySlice<UInt8>, notes: [ArraySlice<UInt8>],
    below parent: String?, depth: Int, blanks: Int
  ) {
    guard let open = line.firstIndex(of: UInt8(ascii: "[")) else { return }
    tasks.append(
      Task(
        words: item.text, isTicked: item.fields[.state] == .some("completed"), date: item.date,
        depth: depth, noteLines: item.noteLines,
        project: (item.fields[.project] ?? nil)?.string, parent: parent, start: line[...open],
        rest: line[(open + 2)...],
        mark: line[open + 1], notes: notes, blanksBefore: blanks))
  }
}

extension MarkdownLayout {
  /// Whether the dates of tasks stand in headings.
  var usesDates: Bool {
    headings.contains { heading in
      if case .date = heading.section { true } else { false }
    }
  }

  /// What new tasks of a depth begin with, up to their mark.
  func start(atDepth depth: Int) -> [UInt8] {
    if let task = tasks.first(where: { $0.depth == depth }) { return Array(task.start) }
    let first = tasks.first { $0.depth == 0 }.map { Array($0.start) } ?? Array("- [".utf8)
    let nested = tasks.first { $0.depth == 1 }.map { Array($0.start) }
    let width = nested.map { TaskOutline.indent($0[...]).width } ?? 2
    let indent = Array(repeating: UInt8(ascii: " "), count: Swift.max(width, 1) * depth)
    return indent + first.drop { $0 == 0x20 || $0 == 0x09 }
  }

  /// What ticks a box.
  var tick: UInt8 { tasks.first { $0.isTicked }?.mark ?? UInt8(ascii: "x") }
}
