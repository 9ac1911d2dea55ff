/// Sorts the lines of a calendar into its own and those of its events.
struct CalendarParser {
  /// The lines of the calendar itself.
  private(set) var head: [CalendarLine] = []

  /// The lines of each event, with the line that begins it.
  private(set) var events: [(begin: CalendarLine, lines: [CalendarLine])] = []

  /// The names of the components that are no events.
  private(set) var skipped: [String] = []

  private var open: [CalendarLine] = []
  private var isClosed = false

  static let maximumEventCount = 100_000

  /// Reads a whole file.
  init(_ bytes: [UInt8]) throws(TextProblem) {
    for line in try CalendarLine.scan(bytes) {
      switch line.name {
      case "BEGIN": try begin(line)
      case "END": try end(line)
      default: try add(line)
      }
    }
    guard isClosed else {
      throw open.isEmpty
        ? CalendarParser.noCalendar(at: 0)
        : TextProblem(.truncated, at: bytes.count, "the calendar does not end")
    }
  }

  private static func noCalendar(at offset: Int) -> TextProblem {
    TextProblem(.syntax, at: offset, "a calendar begins with BEGIN:VCALENDAR")
  }

  private mutating func begin(_ line: CalendarLine) throws(TextProblem) {
    guard !isClosed else {
      throw TextProblem(.syntax, at: line.offset, "a file holds one calendar")
    }
    let name = line.word
    if open.isEmpty {
      guard name.hasSameBytes(as: "VCALENDAR") else {
        throw CalendarParser.noCalendar(at: line.offset)
      }
    } else if name.hasSameBytes(as: "VCALENDAR") {
      throw TextProblem(.syntax, at: line.offset, "a calendar holds no other one")
    } else if open.count == 1, name.hasSameBytes(as: "VEVENT") {
      guard events.count < CalendarParser.maximumEventCount else {
        throw TextProblem(.tooLarge, at: line.offset, "a calendar has at most 100,000 events")
      }
      events.append((line, []))
    } else {
      skipped.append(name)
    }
    guard open.count < JSONScanner.maximumDepth else {
      throw TextProblem(.tooDeep, at: line.offset, "components are nested at most 16 deep")
    }
    open.append(line)
  }

  private mutating func end(_ line: CalendarLine) throws(TextProblem) {
    guard let begin = open.popLast(), begin.word.hasSameBytes(as: line.word) else {
      throw TextProblem(.syntax, at: line.offset, "this END has no BEGIN")
    }
    isClosed = open.isEmpty
  }

  private mutating func add(_ line: CalendarLine) throws(TextProblem) {
    guard let last = open.last else {
      throw isClosed
        ? TextProblem(.syntax, at: line.offset, "nothing follows the end of the calendar")
        : CalendarParser.noCalendar(at: line.offset)
    }
    if open.count == 1 {
      head.append(line)
    } else if open.count == 2, last.word.hasSameBytes(as: "VEVENT") {
      events[events.count - 1].lines.append(line)
    }
  }
}

extension [CalendarLine] {
  /// The first line of a name.
  func first(named name: String) -> CalendarLine? {
    first { $0.name.hasSameBytes(as: name) }
  }

  /// The text of the first line of a name.
  func text(_ name: String) -> String? {
    first(named: name).map { CalendarText.unescaped($0.value) }
  }
}
