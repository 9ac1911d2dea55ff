public import Betwixt

/// A trip as a Markdown text: a heading for each day and a numbered list under it.
///
/// Tasks are a heading for each date and a list with boxes, ticked where they are done.
public struct MarkdownExport: Sendable {
  /// The file.
  public let bytes: [UInt8]

  /// Writes a trip or a list of tasks.
  ///
  /// - Complexity: O(*n* + *d*) for *d* days
  public init(_ list: ReplicatedList) {
    let text =
      PlainDialect(of: list) == .tasks
      ? Markdown.tasks(TaskListing(list)) : Markdown.trip(Trip(list))
    bytes = Array(text.utf8)
  }
}

extension Markdown {
  fileprivate static func tasks(_ listing: TaskListing) -> String {
    var text = "# " + escaped(listing.name ?? "Tasks") + "\n"
    for section in listing.sections {
      text += "\n## \(section.date ?? "Inbox")\n\n"
      for task in section.tasks {
        let box = TaskList.isCompleted(task) ? "[x]" : "[ ]"
        text += "- \(box) \(escaped(task.summary))\n"
      }
    }
    return text
  }

  fileprivate static func trip(_ trip: Trip) -> String {
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
      }
    }
    return text
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
      let isFirst = last == nil
      if scalar == "\n", last == "\r" {
        last = scalar
        continue
      }
      last = scalar
      switch scalar {
      case "\n", "\r": result.append(" ")
      case "\\", "`", "*", "_", "[", "]", "<", ">", "#", "|", "~":
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
