import Betwixt

/// Reads lists of Org mode: headings with a keyword (`* TODO Buy bread`), and lists of boxes.
///
/// Headings without a keyword are projects.
struct OrgReader {
  private var file = ForeignFile(.org, in: .tasks)
  private var identities = TextIdentities("org")
  private var headings = OutlineStack()
  private var projects: [(level: Int, name: String)] = []
  private var boxes = OutlineStack()
  // The lines of the drawer that is open, the first one included.
  private var drawer: [TextLines.Line]?
  // Blank lines before it.
  private var drawerBlankCount = 0
  private var todo = OrgKeywords.open
  private var done = OrgKeywords.closed
  private var looseLines = 0
  private var isTask = false
  // Where the task of the heading is that is open, which boxes may follow.
  private var headingIndex: Int?
  // Blank lines since the last line of a note.
  private var blankCount = 0
  // The ids that tasks are given, which may stand below others of the same text: they are known when
  // all is read.
  private var given: [Int: ItemID] = [:]
  private var givenIDs: Set<ItemID> = []

  static func read(_ bytes: [UInt8]) throws(TextProblem) -> ForeignFile {
    if let problem = UTF8Check.firstProblem(inTextOf: bytes) { throw problem }
    var reader = OrgReader()
    for line in TextLines(bytes) { reader.take(line) }
    reader.giveBackDrawer()
    reader.takeGivenIDs()
    guard !reader.file.items.isEmpty || reader.looseLines == 0 else {
      throw TextProblem(
        .unsupportedVersion, at: 0,
        "this is a text without tasks of Org mode (* TODO …), which is for people to read")
    }
    reader.file.looseLineCount = reader.looseLines
    if reader.looseLines > 0 {
      reader.file.notes.append(
        (1, "not taken: \(reader.looseLines) × line that belongs to no task"))
    }
    return reader.file
  }

  /// The level and the text of `** Text`; `nil` for any other line.
  static func heading(_ line: String) -> (level: Int, text: String)? {
    let stars = line.utf8.prefix { $0 == UInt8(ascii: "*") }.count
    let rest = line.utf8.dropFirst(stars)
    guard stars > 0, rest.first == 0x20 else { return nil }
    return (stars, String(decoding: rest, as: UTF8.self).trimmed)
  }

  /// Whether a line is a heading with a keyword that every file knows.
  static func isTask(_ line: String) -> Bool {
    guard let (_, text) = heading(line), let word = text.split(separator: " ").first else {
      return false
    }
    return OrgKeywords.open.contains(String(word)) || OrgKeywords.closed.contains(String(word))
  }

  private mutating func take(_ line: TextLines.Line) {
    let text = line.text
    let words = text.trimmed
    if words.isEmpty, drawer == nil {
      blankCount += 1
      return
    }
    defer { blankCount = 0 }
    if let (level, words) = OrgReader.heading(text) {
      giveBackDrawer()
      boxes.close()
      take(heading: words, level: level, line: line.number)
      return
    }
    if drawer != nil {
      if words.hasSameBytes(as: ":END:") { closeDrawer() } else { drawer?.append(line) }
    } else if isTask, words.hasSameBytes(as: ":PROPERTIES:") {
      drawer = [line]
      drawerBlankCount = blankCount
    } else if text.utf8.starts(with: "#+".utf8) {
      setting(words)
    } else {
      takeBody(line, words: words)
    }
  }

  /// Takes the lines of a drawer that has no end as what they are without one.
  private mutating func giveBackDrawer() {
    guard let lines = drawer else { return }
    drawer = nil
    blankCount = drawerBlankCount
    for line in lines {
      let words = line.text.trimmed
      if words.isEmpty {
        blankCount += 1
      } else {
        takeBody(line, words: words)
        blankCount = 0
      }
    }
  }

  private mutating func setting(_ line: String) {
    guard let colon = line.utf8.firstIndex(of: UInt8(ascii: ":")) else { return }
    let name = String(Substring(line.utf8[..<colon]))
    let value = String(Substring(line.utf8[line.utf8.index(after: colon)...])).trimmed
    switch name {
    case "#+TITLE", "#+title": file.name = value
    case "#+TODO", "#+SEQ_TODO", "#+TYP_TODO":
      let sides = value.split(separator: "|", omittingEmptySubsequences: false)
      func words(_ side: Substring) -> [String] {
        side.split(separator: " ").map { word in String(word.prefix { $0 != "(" }) }
      }
      var open = sides.first.map { words($0) } ?? []
      var closed = sides.count > 1 ? words(sides[1]) : []
      // Without a bar the last word is the one that is done.
      if closed.isEmpty, let last = open.popLast() { closed = [last] }
      todo.formUnion(open)
      done.formUnion(closed)
    default: looseLines += 1
    }
  }

  private mutating func take(heading text: String, level: Int, line: Int) {
    // Blanks of the text are kept, but not those around keywords and tags.
    var words = text.utf8.split(separator: 0x20, omittingEmptySubsequences: false)
      .map { String(Substring($0)) }[...]
    while let last = projects.last, last.level >= level { projects.removeLast() }
    guard let keyword = words.first, todo.contains(keyword) || done.contains(keyword) else {
      isTask = false
      headingIndex = nil
      headings.close()
      projects.append((level, OrgWords.unguarded(text)))
      return
    }
    isTask = true
    words = words.dropFirst().drop { $0.isEmpty }
    var priority: String?
    if let first = words.first, OrgWords.isPriority(first) {
      priority = String(first.dropFirst(2).dropLast())
      words = words.dropFirst().drop { $0.isEmpty }
    }
    var tags: String?
    if let last = words.last, OrgWords.isTags(last), words.count > 1 {
      tags = String(last.dropFirst().dropLast())
      words.removeLast()
    }
    let title = OrgWords.unguarded(words.joined(separator: " ").trimmed)
    var item = identities.item(title, line: line)
    item.parent = headings.parent(at: level, opening: item.id)
    if item.parent == nil, !projects.isEmpty {
      item.set(.project, projects.map { $0.name }.joined(separator: ": "))
    }
    item.set(.taskText, title.isEmpty ? "task" : title)
    item.set(.priority, priority)
    item.set(.tags, tags)
    item.set(.state, OrgKeywords.state(of: keyword, isClosed: done.contains(keyword)))
    item.emptied = OrgReader.placesOfHeading
    if keyword == "TODO" || keyword == "DONE" {
      item.cleared = ["org:keyword"]
    } else {
      // As in `#+TODO: TODO | DONE`: behind a bar stand those that are done.
      let isFurther = done.contains(keyword) && !OrgKeywords.closed.contains(keyword)
      item.set("org:keyword", isFurther ? OrgKeywords.closedMark + keyword : keyword)
    }
    headingIndex = file.items.count
    file.items.append(item)
  }

  private mutating func takeBody(_ line: TextLines.Line, words: String) {
    let (width, rest) = TaskOutline.indent(line.bytes)
    if let box = MarkdownReader.box(rest) {
      let title = String(decoding: box.text, as: UTF8.self).trimmed
      var item = identities.item(title, line: line.number)
      item.parent = boxes.parent(at: width, opening: item.id)
      if item.parent == nil {
        if isTask, let id = headings.innermostID { item.parent = id }
        if !isTask, !projects.isEmpty {
          item.set(.project, projects.map { $0.name }.joined(separator: ": "))
        }
      }
      item.set(.taskText, title.isEmpty ? "task" : title)
      item.set(.state, box.isTicked ? "completed" : "notStarted")
      item.emptied = [.project, .parent]
      file.items.append(item)
      return
    }
    guard isTask, let last = headingIndex else {
      looseLines += 1
      return
    }
    if takePlanning(words, at: last) { return }
    file.items[last].addNoteLine(OrgWords.unguardedLine(words), afterBlank: blankCount)
  }

  /// What a heading and the lines below it have places for.
  private static let placesOfHeading: Set<FieldName> = [
    .priority, .tags, .note, .project, .parent, .completedAt, "org:SCHEDULED", "org:DEADLINE",
    "org:PROPERTIES",
  ]

  /// What a line of planning begins with.
  static let planningWords = ["SCHEDULED: ", "DEADLINE: ", "CLOSED: "]

  /// Takes `SCHEDULED: <…> DEADLINE: <…> CLOSED: […]`.
  private mutating func takePlanning(_ words: String, at index: Int) -> Bool {
    var rest = words
    var isPlanning = false
    while true {
      let name = OrgReader.planningWords.first { rest.utf8.starts(with: $0.utf8) }
      guard let name else { break }
      let value = rest.utf8.dropFirst(name.utf8.count)
      let close: UInt8 = value.first == UInt8(ascii: "<") ? UInt8(ascii: ">") : UInt8(ascii: "]")
      guard let end = value.firstIndex(of: close) else { break }
      let stamp = String(Substring(value[...end]))
      rest = String(Substring(value[value.index(after: end)...])).trimmed
      isPlanning = true
      let date = ISOTime(String(stamp.utf8.dropFirst().prefix(10)) ?? "")?.date
      if name == "CLOSED: " {
        file.items[index].set(.completedAt, OrgReader.moment(stamp) ?? date?.description)
        continue
      }
      guard let date else { continue }
      if name == "SCHEDULED: " || file.items[index].date == nil { file.items[index].date = date }
      file.items[index].set(
        name == "SCHEDULED: " ? "org:SCHEDULED" : "org:DEADLINE", "\(date) \(stamp)")
    }
    return isPlanning && rest.isEmpty
  }

  // `[2026-02-12 Thu 10:00]` as a moment, whose zone nobody knows.
  private static func moment(_ stamp: String) -> String? {
    let words = stamp.utf8.dropFirst().dropLast().split(separator: 0x20).map {
      String(Substring($0))
    }
    guard let date = words.first.flatMap({ CivilDate($0) }),
      let clock = words.last.flatMap({ ClockTime($0) })
    else { return nil }
    return "\(date)T\(clock)"
  }

  private mutating func closeDrawer() {
    let lines = drawer?.dropFirst() ?? []
    drawer = nil
    guard let index = headingIndex else { return }
    var kept: [String] = []
    for line in lines.map({ $0.text.trimmed }) {
      if line.utf8.starts(with: ":ID:".utf8) {
        let id = String(line.dropFirst(4)).trimmed
        name(index, id)
      } else if !line.isEmpty {
        kept.append(line)
      }
    }
    if !kept.isEmpty { file.items[index].set("org:PROPERTIES", kept.joined(separator: "\n")) }
  }

  private mutating func name(_ index: Int, _ text: String) {
    // The first one counts, and of two tasks of one id the first.
    guard !text.isEmpty, given[index] == nil else { return }
    let id = ItemID(uuid: text) ?? ForeignIdentity.hashed(in: "org", "id\u{0}" + text)
    guard givenIDs.insert(id).inserted else { return }
    given[index] = id
    if ItemID(uuid: text) == nil { file.items[index].set("org:ID", text) }
  }

  /// Gives tasks their ids, and those that are known by their texts none of these.
  private mutating func takeGivenIDs() {
    guard !given.isEmpty else { return }
    var names: [ItemID: ItemID] = [:]
    for index in file.items.indices {
      let old = file.items[index].id
      if let id = given[index] {
        file.items[index].id = id
        file.items[index].hasOwnID = true
      } else {
        file.items[index].giveWay { givenIDs.contains($0) }
      }
      names[old] = file.items[index].id
      if let parent = file.items[index].parent { file.items[index].parent = names[parent] }
    }
  }
}

/// Writes tasks as headings of Org mode.
struct OrgWriter {
  private(set) var text = ""
  private(set) var omissions: [Omission] = []
  private let keywords: OrgKeywordList

  private static let written: Set<FieldName> = [
    .taskText, .state, .completedAt, .note, .project, .parent, .priority, .tags, "org:keyword",
    "org:SCHEDULED", "org:DEADLINE", "org:PROPERTIES", "org:ID",
  ]

  init(_ list: ReplicatedList) {
    keywords = OrgKeywordList(list)
    if let name = list.metadata[.name]?.string, !name.isEmpty {
      text += "#+TITLE: \(name.onOneLine)\n"
    }
    text += keywords.line
    for project in TaskOutline(list).projects {
      if let name = project.name {
        // A heading without a keyword must not look as if it had one.
        text += "* \(OrgWords.guarded(name.onOneLine.trimmed) { keywords.contains($0) })\n"
      }
      let base = project.name == nil ? 1 : 2
      for entry in project.entries { add(entry.item, level: entry.depth + base) }
    }
  }

  private mutating func add(_ item: ListItem, level: Int) {
    let title = item.summary.onOneLine.trimmed
    if title != item.summary {
      omissions.append(Omission(item: item.id, field: .taskText, reason: .simplified))
    }
    let isDone = TaskList.isCompleted(item)
    var line = String(repeating: "*", count: level) + " \(keyword(of: item, isDone: isDone))"
    if let priority = item.words(.priority), priority.utf8.count == 1 {
      line += " [#\(priority)]"
    } else if item.words(.priority) != nil {
      omissions.append(Omission(item: item.id, field: .priority, reason: .noRoom))
    }
    line += " \(OrgWords.guarded(title) { OrgWords.isPriority($0) })"
    if let tags = item.words(.tags) {
      let kept = tags.onOneLine.filter { $0 != " " }
      line += " :\(kept):"
      if kept != tags {
        omissions.append(Omission(item: item.id, field: .tags, reason: .simplified))
      }
    }
    text += line + "\n"
    addPlanning(item, isDone: isDone)
    addDrawer(item)
    let note = NoteLines(item.words(.note) ?? "")
    for part in note.lines {
      let words = part.onOneLine.trimmed
      // Stars at the start would make it a heading.
      text += words.isEmpty ? "\n" : "  \(OrgWords.guardedLine(words))\n"
      if words != part {
        omissions.append(Omission(item: item.id, field: .note, reason: .simplified))
      }
    }
    if note.isCut { omissions.append(Omission(item: item.id, field: .note, reason: .simplified)) }
    omissions.note(item, except: OrgWriter.written)
    omissions.noteUnnamed(item)
  }

  /// The keyword that a task came with, as long as it is in the state that the word says.
  private mutating func keyword(of item: ListItem, isDone: Bool) -> String {
    if let kept = OrgKeptKeyword(item) {
      if keywords.writes(kept) { return kept.word }
      omissions.append(Omission(item: item.id, field: "org:keyword", reason: .noRoom))
    }
    if isDone { return "DONE" }
    let state = item.words(.state) ?? "notStarted"
    if state.hasSameBytes(as: "active") { return "STARTED" }
    if !state.hasSameBytes(as: "notStarted") {
      omissions.append(Omission(item: item.id, field: .state, reason: .noRoom))
    }
    return "TODO"
  }

  private mutating func addPlanning(_ item: ListItem, isDone: Bool) {
    var parts: [String] = []
    let date = item.section.flatMap { CivilDate(dayNumber: $0) }
    if let closed = item.words(.completedAt) {
      if isDone, let time = ISOTime(closed) {
        let clock = time.clock.map { " \($0)" } ?? ""
        parts.append("CLOSED: [\(time.date) \(time.date.weekday.abbreviation)\(clock)]")
        let read = time.clock.map { "\(time.date)T\($0)" } ?? "\(time.date)"
        if !read.hasSameBytes(as: closed) {
          omissions.append(Omission(item: item.id, field: .completedAt, reason: .simplified))
        }
      } else {
        omissions.append(Omission(item: item.id, field: .completedAt, reason: .noRoom))
      }
    }
    parts += dates(of: item, on: date)
    if !parts.isEmpty { text += "  " + parts.joined(separator: " ") + "\n" }
  }

  /// The stamps of a task: one of them gives it the date that it has, and without one it has none.
  private mutating func dates(of item: ListItem, on date: CivilDate?) -> [String] {
    let schedule = OrgWriter.stamp(item, named: "org:SCHEDULED", on: date)
    let deadline = OrgWriter.stamp(
      item, named: "org:DEADLINE", on: schedule == nil ? date : nil)
    guard let date else {
      // A deadline alone would be the date of the task.
      if schedule != nil, deadline != nil {
        omissions.append(Omission(item: item.id, field: "org:DEADLINE", reason: .noRoom))
      }
      return []
    }
    var parts = deadline.map { ["DEADLINE: \($0)"] } ?? []
    if let schedule {
      parts.append("SCHEDULED: \(schedule)")
    } else if deadline == nil {
      parts.append("SCHEDULED: <\(date) \(date.weekday.abbreviation)>")
    }
    return parts
  }

  /// A stamp as it stood, with the date that the task has now.
  private static func stamp(_ item: ListItem, named name: FieldName, on date: CivilDate?) -> String?
  {
    guard let words = item.words(name), words.utf8.count > 12,
      let was = CivilDate(String(decoding: words.utf8.prefix(10), as: UTF8.self))
    else { return nil }
    let stamp = String(decoding: words.utf8.dropFirst(11), as: UTF8.self).onOneLine
    guard stamp.utf8.first == UInt8(ascii: "<"), stamp.utf8.last == UInt8(ascii: ">") else {
      return nil
    }
    guard let date, date != was else { return stamp }
    let rest = stamp.utf8.dropFirst(11).drop { $0 == 0x20 }
    let isNamed =
      rest.first.map { !(0x30...0x39).contains($0) && $0 != 0x3e && $0 != 0x2b } ?? false
    let tail = isNamed ? rest.drop { $0 != 0x20 && $0 != 0x3e } : rest
    return "<\(date) \(date.weekday.abbreviation)" + String(Substring(tail))
  }

  private mutating func addDrawer(_ item: ListItem) {
    var lines = [":ID: " + (item.words("org:ID")?.onOneLine ?? item.id.uuid)]
    for line in (item.words("org:PROPERTIES") ?? "").split(separator: "\n") {
      guard line.utf8.first == UInt8(ascii: ":"), line != ":END:" else { continue }
      lines.append(String(line).onOneLine)
    }
    text += "  :PROPERTIES:\n" + lines.map { "  \($0)\n" }.joined() + "  :END:\n"
  }
}
