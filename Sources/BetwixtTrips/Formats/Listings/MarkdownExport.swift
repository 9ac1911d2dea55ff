public import Betwixt

/// A trip as a Markdown text: a heading for each day and a numbered list under it.
///
/// Tasks are a heading for each date and a list with boxes, ticked where they are done.
public struct MarkdownExport: Sendable {
  /// The file.
  public let bytes: [UInt8]

  /// Every field that the text does not show, or shows on one line.
  public let omissions: [Omission]

  /// Writes a trip or a list of tasks.
  ///
  /// - Parameters:
  ///   - list: The list.
  ///   - old: A file of tasks that this one takes the place of. What is as it was keeps its line: of
  ///     two edits two lines are others.
  /// - Complexity: O(*n* log *n* + *d*) for *d* days
  public init(_ list: ReplicatedList, over old: [UInt8]? = nil) {
    var omissions: [Omission] = []
    let isTasks = PlainDialect(of: list) == .tasks
    let text =
      isTasks
      ? Markdown.tasks(list, noting: &omissions) : Markdown.trip(Trip(list), noting: &omissions)
    let rewritten = isTasks ? old.flatMap { MarkdownRewrite.bytes(of: list, over: $0) } : nil
    bytes = rewritten ?? Array(text.utf8)
    self.omissions = omissions
  }
}

extension Markdown {
  fileprivate static func tasks(_ list: ReplicatedList, noting omissions: inout [Omission])
    -> String
  {
    let listing = TaskListing(list)
    var text = "# " + escaped(listing.name ?? "Tasks") + "\n"
    let isOutline = list.contains { $0.words(.project) != nil || $0.words(.parent) != nil }
    if isOutline {
      for project in TaskOutline(list).projects {
        text += "\n## \(project.name.map { escaped($0) } ?? "Inbox")\n\n"
        for entry in project.entries {
          let date = entry.item.section.flatMap { CivilDate(dayNumber: $0) }
          text += task(entry.item, depth: entry.depth, due: date, noting: &omissions)
        }
      }
      return text
    }
    for section in listing.sections {
      text += "\n## \(section.date ?? "Inbox")\n\n"
      for item in section.tasks { text += task(item, depth: 0, due: nil, noting: &omissions) }
    }
    return text
  }

  private static func task(
    _ item: ListItem, depth: Int, due: CivilDate?, noting omissions: inout [Omission]
  ) -> String {
    let isDone = TaskList.isCompleted(item)
    let indent = String(repeating: "  ", count: depth)
    var words = escaped(item.summary)
    if due == nil, MarkdownReader.dueDate(words) != nil { words = words.dropLast() + "\\)" }
    var text = "\(indent)- \(isDone ? "[x]" : "[ ]") \(words)"
    text += due.map { " (due \($0))" } ?? ""
    text += "\n"
    let note = NoteLines(item.words(.note) ?? "")
    for line in note.lines {
      text += line.isEmpty ? "\n" : "\(indent)  \(escaped(line, startsLine: true))\n"
    }
    // Blanks at the ends of a line, at its start of whatever kind, and control characters do not come
    // back.
    let isChanged = note.lines.contains { line in
      !line.onOneLine.trimmed.hasSameBytes(as: line)
        || line.unicodeScalars.first?.properties.isWhitespace ?? false
    }
    if note.isCut || isChanged {
      omissions.append(Omission(item: item.id, field: .note, reason: .simplified))
    }
    omissions.note(item, except: [.taskText, .state, .note, .project, .parent])
    omissions.noteSimplified(item, fields: [.taskText])
    omissions.noteUnnamed(item)
    let state = item.words(.state) ?? "notStarted"
    if !isDone, !state.hasSameBytes(as: "notStarted") {
      omissions.append(Omission(item: item.id, field: .state, reason: .noRoom))
    }
    return text
  }

  fileprivate static func trip(_ trip: Trip, noting omissions: inout [Omission]) -> String {
    var text = "# " + escaped(trip.name ?? "Trip") + "\n"
    var number = 0
    for row in trip.rows {
      switch row {
      case .header(let day, let date):
        number = 0
        text += "\n## Day \(day)"
        if let date { text += ", \(date.weekday.abbreviation) \(date)" }
        text += "\n"
      case .item(let id, _, _):
        guard let item = trip.list[id: id] else { continue }
        if number == 0 { text += "\n" }
        number += 1
        text += "\(number). \(line(of: item))\n"
        noteLosses(of: item, noting: &omissions)
      }
    }
    return text
  }

  private static func noteLosses(of item: ListItem, noting omissions: inout [Omission]) {
    var written: Set<FieldName> = [.kind, .title, .note, .time]
    switch ItemKind(item[.kind]) {
    case .game:
      written = [.kind, .title, .note, .venue, .city]
      if item.words(.title) == nil { written.formUnion([.home, .away]) }
      // Of a start only the time of day is shown beside the day.
      if item.clock != nil || item.words(.start).flatMap({ GameStart($0) })?.time == nil {
        written.insert(.start)
      }
    case .travel:
      written.formUnion([.distance, .duration])
      if item.words(.title) == nil { written.formUnion([.from, .to]) }
    case .custom, .other: break
    }
    omissions.note(item, except: written)
    let shown: [(FieldName, Bool)] = [
      (.time, item.clock != nil), (.distance, item.digits(.distance) != nil),
      (.duration, item.digits(.duration) != nil),
    ]
    for (name, isShown) in shown where written.contains(name) && item[name] != nil && !isShown {
      omissions.append(Omission(item: item.id, field: name, reason: .badField))
    }
    omissions.noteSimplified(
      item, fields: [.title, .note, .venue, .city, .home, .away, .from, .to])
  }
}

extension [Omission] {
  /// Notes texts that do not stand in a line as they are.
  mutating func noteSimplified(_ item: ListItem, fields names: [FieldName]) {
    for name in names {
      guard let text = item.words(name), text.onOneLine != text else { continue }
      append(Omission(item: item.id, field: name, reason: .simplified))
    }
  }
}

extension Weekday {
  /// The first three letters of the English name.
  package var abbreviation: String {
    switch self {
    case .monday: "Mon"
    case .tuesday: "Tue"
    case .wednesday: "Wed"
    case .thursday: "Thu"
    case .friday: "Fri"
    case .saturday: "Sat"
    case .sunday: "Sun"
    }
  }
}

/// How items and texts are written in Markdown.
enum Markdown {
  /// One item without its number.
  static func line(of item: ListItem) -> String {
    let summary = escaped(item.summary, startsLine: item.clock == nil)
    var text = item.clock.map { "\($0) " } ?? ""
    switch ItemKind(item[.kind]) {
    case .game:
      text += "**\(summary)**"
      let place = [item.words(.venue), item.words(.city)].compactMap { $0 }
      if !place.isEmpty {
        text += " (\(place.map { escaped($0) }.joined(separator: ", ")))"
      }
    case .travel:
      text += summary
      if let distance = item.digits(.distance) { text += ", \(distance) km" }
      if let duration = item.digits(.duration) { text += ", \(duration) min" }
    case .custom, .other: text += summary
    }
    if let note = item.words(.note) { text += ": " + escaped(note) }
    return text
  }

  /// A text on one line that Markdown shows as it is.
  static func escaped(_ text: String, startsLine: Bool = false) -> String {
    var result = String.UnicodeScalarView()
    var isOnlyDigits = startsLine
    var last: Unicode.Scalar?
    for scalar in text.unicodeScalars {
      // What only blanks stand before begins the line.
      let isFirst = startsLine ? result.isEmpty : last == nil
      if scalar == "\n", last == "\r" {
        last = scalar
        continue
      }
      last = scalar
      if startsLine, isFirst, scalar.properties.isWhitespace { continue }
      switch scalar {
      case "\n", "\r", "\t", "\u{85}", "\u{2028}", "\u{2029}": result.append(" ")
      // What a terminal could take for a command has no meaning in a text.
      case "\u{0}"..."\u{1f}", "\u{7f}"..."\u{9f}": result.append("\u{fffd}")
      case "\\", "`", "*", "_", "[", "]", "<", ">", "#", "|", "~", "&":
        result.append("\\")
        result.append(scalar)
      case "+", "-":
        if isFirst, startsLine { result.append("\\") }
        result.append(scalar)
      case ".", ")":
        if isOnlyDigits, !isFirst { result.append("\\") }
        result.append(scalar)
      default: result.append(scalar)
      }
      if !("0"..."9").contains(scalar) { isOnlyDigits = false }
    }
    return String(result)
  }
}
