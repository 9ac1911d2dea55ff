import Betwixt

/// A list of tasks as a Markdown file that takes the place of another one: what is as it was keeps its
/// line, its place among others and its mark.
struct MarkdownRewrite {
  /// A task, and the date that is told by its heading.
  private struct Entry {
    let item: ListItem
    let depth: Int
    let old: MarkdownLayout.Task?
  }

  private let list: ReplicatedList
  private let layout: MarkdownLayout
  private var children: [ItemID: [ListItem]] = [:]
  // Which task of the old file an item is.
  private var old: [ItemID: Int] = [:]
  private var output: [UInt8] = []
  // Blank lines before what comes next, and those between the last two tasks.
  private var blankCount = 0
  private var gap = 0

  /// The bytes of a list over those of a file; `nil` if there is nothing to keep, or if the file would
  /// not say the same as one that is made anew.
  ///
  /// - Complexity: O(*n* log *n*)
  static func bytes(of list: ReplicatedList, over old: [UInt8]) -> [UInt8]? {
    guard let layout = MarkdownLayout(old) else { return nil }
    var rewrite = MarkdownRewrite(list, layout)
    let entries = rewrite.write()
    let bytes = rewrite.output
    return says(bytes, entries, of: list) ? bytes : nil
  }

  private init(_ list: ReplicatedList, _ layout: MarkdownLayout) {
    self.list = list
    self.layout = layout
    var found = Set<Int>()
    for alike in Alike.allCases {
      // Of tasks alike the first ones come first.
      var places: [[UInt8]: [Int]] = [:]
      for (place, task) in layout.tasks.enumerated().reversed() where !found.contains(place) {
        places[MarkdownRewrite.key(task, alike), default: []].append(place)
      }
      for item in list where old[item.id] == nil {
        guard let place = places[key(item, alike)]?.popLast() else { continue }
        old[item.id] = place
        found.insert(place)
      }
    }
  }

  /// What a task and an item have in common that are one, the surest first.
  private enum Alike: CaseIterable {
    case inAll
    case inWordsAndPlace
    case inWords
    // It was called otherwise, or is new where another one was.
    case inAllButWords
  }

  private static func key(_ task: MarkdownLayout.Task, _ alike: Alike) -> [UInt8] {
    key(
      alike, task.words, place: [task.date?.description ?? "", task.project ?? ""],
      rest: [task.isTicked ? "x" : "", task.noteLines.joined(separator: "\n")],
      parent: task.parent ?? "")
  }

  private func key(_ item: ListItem, _ alike: Alike) -> [UInt8] {
    let parent = TaskOutline.parent(of: item, in: list).flatMap { list[id: $0] }
    let note = NoteLines(item.words(.note) ?? "").lines
    return MarkdownRewrite.key(
      alike, item.summary,
      place: [
        date(of: item)?.description ?? "", parent == nil ? item.words(.project) ?? "" : "",
      ], rest: [TaskList.isCompleted(item) ? "x" : "", note.joined(separator: "\n")],
      parent: parent?.summary ?? "")
  }

  private static func key(
    _ alike: Alike, _ words: String, place: [String], rest: [String], parent: String
  ) -> [UInt8] {
    switch alike {
    case .inAll: key([words, parent] + place + rest)
    case .inWordsAndPlace: key([words] + place)
    case .inWords: key([words])
    case .inAllButWords: key([parent] + place + rest)
    }
  }

  private static func key(_ parts: [String]) -> [UInt8] {
    parts.reduce(into: []) { $0 += Array($1.utf8) + [0] }
  }

  // MARK: What stands where

  private mutating func write() -> [ItemID] {
    let tree = TaskOutline.tree(of: list)
    children = tree.children
    var sections: [MarkdownLayout.Section: [ListItem]] = [:]
    var order = layout.headings.map { $0.section }
    if !order.contains(.inbox) { order.insert(.inbox, at: 0) }
    var added: [MarkdownLayout.Section] = []
    for root in ordered(tree.roots) {
      let section = section(of: root)
      if sections[section] == nil, !order.contains(section) { added.append(section) }
      sections[section, default: []].append(root)
    }
    writeTitle()
    var written: [ItemID] = []
    for section in order + added {
      // Below a heading that had no tasks there may be some one day.
      guard let roots = sections[section] ?? (layout.isEmpty(section) ? [] : nil) else {
        continue
      }
      writeHeading(of: section)
      var isFirst = true
      for root in roots { write(root, below: section, isFirst: &isFirst, noting: &written) }
    }
    if !layout.endsWithNewline, output.count > layout.start.count {
      output.removeLast(layout.endsLines.count)
    }
    return written
  }

  private func section(of root: ListItem) -> MarkdownLayout.Section {
    if let project = root.words(.project) { return .project(Array(project.utf8)) }
    guard layout.usesDates, let date = date(of: root) else { return .inbox }
    // What has no date cannot stand below one.
    var open = [root]
    while let item = open.popLast() {
      if self.date(of: item) == nil { return .inbox }
      open += children[item.id] ?? []
    }
    return .date(date)
  }

  private func date(of item: ListItem) -> CivilDate? {
    item.section.flatMap { CivilDate(dayNumber: $0) }
  }

  /// The tasks in the order of the list on each date, and otherwise as the old file had them.
  private func ordered(_ items: [ListItem]) -> [ListItem] {
    var byDate: [Int64: [(place: Int, item: ListItem)]] = [:]
    for item in items {
      let section = item.section ?? TaskList.inbox
      // What is new stands behind what it comes after.
      let place = old[item.id] ?? byDate[section]?.last?.place ?? -1
      let last = byDate[section]?.last?.place ?? -1
      byDate[section, default: []].append((Swift.max(place, last), item))
    }
    let all = byDate.keys.sorted().flatMap { byDate[$0] ?? [] }
    return all.enumerated().sorted {
      $0.element.place != $1.element.place
        ? $0.element.place < $1.element.place : $0.offset < $1.offset
    }.map { $0.element.item }
  }

  // MARK: Lines

  private mutating func writeTitle() {
    output += layout.start
    let name = list.metadata[.name]?.string
    if let title = layout.title, let name, name.hasSameBytes(as: layout.name ?? "") {
      writeBlanks(title.blanksBefore)
      writeLine(title.line)
      blankCount = title.blanksBehind
    } else if let name {
      writeLine(Array("# \(Markdown.escaped(name))".utf8)[...])
      blankCount = 1
    }
  }

  private mutating func writeHeading(of section: MarkdownLayout.Section) {
    if let heading = layout.headings.first(where: { $0.section == section }) {
      let isFirst = output.count == layout.start.count
      writeBlanks(isFirst ? 0 : Swift.max(blankCount, heading.blanksBefore))
      writeLine(heading.line)
      blankCount = heading.blanksBehind
      return
    }
    let text: String
    switch section {
    case .inbox:
      // Before all headings they need none.
      writeBlanks(blankCount)
      blankCount = 0
      return
    case .date(let date): text = date.description
    case .project(let name): text = Markdown.escaped(String(decoding: name, as: UTF8.self))
    }
    let isFirst = output.count == layout.start.count
    let model = layout.headings.first
    let marks = model.map { TaskOutline.indent($0.line).rest.prefix { $0 == UInt8(ascii: "#") } }
    writeBlanks(isFirst ? 0 : Swift.max(blankCount, model?.blanksBefore ?? 1))
    writeLine((marks.map { Array($0) } ?? Array("##".utf8))[...] + Array(" \(text)".utf8))
    blankCount = model?.blanksBehind ?? 1
  }

  private mutating func write(
    _ root: ListItem, below section: MarkdownLayout.Section, isFirst: inout Bool,
    noting written: inout [ItemID]
  ) {
    var open = [Entry(item: root, depth: 0, old: old[root.id].map { layout.tasks[$0] })]
    while let entry = open.popLast() {
      if isFirst {
        writeBlanks(blankCount)
      } else {
        gap = entry.old?.blanksBefore ?? gap
        writeBlanks(gap)
      }
      blankCount = 0
      isFirst = false
      write(entry, below: section)
      written.append(entry.item.id)
      for child in ordered(children[entry.item.id] ?? []).reversed() {
        open.append(
          Entry(
            item: child, depth: entry.depth + 1, old: old[child.id].map { layout.tasks[$0] }))
      }
    }
  }

  private mutating func write(_ entry: Entry, below section: MarkdownLayout.Section) {
    let item = entry.item
    let isTicked = TaskList.isCompleted(item)
    var line: [UInt8]
    let isInPlace = entry.old?.depth == entry.depth
    line = isInPlace ? entry.old.map { Array($0.start) } ?? [] : layout.start(atDepth: entry.depth)
    if let old = entry.old, old.isTicked == isTicked {
      line.append(old.mark)
    } else {
      line.append(isTicked ? layout.tick : UInt8(ascii: " "))
    }
    line += rest(of: item, old: entry.old, below: section)
    writeLine(line[...])
    let note = NoteLines(item.words(.note) ?? "").lines
    if isInPlace, let old = entry.old,
      note.elementsEqual(old.noteLines, by: { $0.hasSameBytes(as: $1) })
    {
      for line in old.notes { writeLine(line) }
      return
    }
    let indent = Array(line.prefix { $0 == 0x20 || $0 == 0x09 }) + Array("  ".utf8)
    for line in note {
      let words = Array(Markdown.escaped(line, startsLine: true).utf8)
      writeLine(line.isEmpty ? [] : (indent + words)[...])
    }
  }

  /// What stands behind the mark of a task: its words, and its date unless the heading says that.
  private func rest(
    of item: ListItem, old: MarkdownLayout.Task?, below section: MarkdownLayout.Section
  ) -> [UInt8] {
    let date = date(of: item)
    let isTold = date.map { section == .date($0) } ?? true
    let suffix = isTold ? "" : date.map { " (due \($0))" } ?? ""
    guard let old, old.words.hasSameBytes(as: item.summary) else {
      var words = Markdown.escaped(item.summary)
      if suffix.isEmpty, MarkdownReader.dueDate(words) != nil { words = words.dropLast() + "\\)" }
      return Array("] \(words)\(suffix)".utf8)
    }
    let text = String(decoding: old.rest.dropFirst(), as: UTF8.self).trimmed
    guard let dated = MarkdownReader.dueDate(text) else {
      return suffix.isEmpty ? Array(old.rest) : Array("] \(text)\(suffix)".utf8)
    }
    return dated.date == date && !isTold
      ? Array(old.rest) : Array("] \(dated.rest)\(suffix)".utf8)
  }

  private mutating func writeBlanks(_ count: Int) {
    for _ in 0..<count { output += layout.endsLines }
  }

  private mutating func writeLine(_ line: ArraySlice<UInt8>) {
    output += line
    output += layout.endsLines
  }

  // MARK: Comparing

  /// Whether a file says of each task what the list does.
  private static func says(
    _ bytes: [UInt8], _ written: [ItemID], of list: ReplicatedList
  ) -> Bool {
    guard let file = try? MarkdownReader.read(bytes), file.looseLineCount == 0,
      file.items.count == written.count, written.count == list.count,
      (file.name ?? "").hasSameBytes(as: list.metadata[.name]?.string ?? "")
    else { return false }
    var ids: [ItemID: ItemID] = [:]
    for (task, id) in zip(file.items, written) {
      guard let item = list[id: id] else { return false }
      ids[task.id] = id
      let parent = TaskOutline.parent(of: item, in: list)
      let note = NoteLines(item.words(.note) ?? "").lines
      let project = parent == nil ? item.words(.project) ?? "" : ""
      guard task.text.hasSameBytes(as: item.summary), task.parent.flatMap({ ids[$0] }) == parent,
        (task.fields[.state] == .some("completed")) == TaskList.isCompleted(item),
        task.date == item.section.flatMap({ CivilDate(dayNumber: $0) }),
        task.noteLines.elementsEqual(note, by: { $0.hasSameBytes(as: $1) }),
        ((task.fields[.project] ?? nil)?.string ?? "").hasSameBytes(as: project)
      else { return false }
    }
    return true
  }
}
