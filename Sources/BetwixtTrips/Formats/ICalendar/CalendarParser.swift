import Betwixt

/// Sorts the lines of a calendar into its own and those of its components.
struct CalendarParser {
  /// One component that stands in the calendar itself.
  struct Component: Sendable {
    /// Its name in upper case.
    let name: String

    /// The number of the line that begins it.
    let line: Int

    /// Its own lines, without those of the components in it.
    fileprivate(set) var lines: [CalendarLine] = []

    /// The components in it, each from its `BEGIN` to its `END`.
    fileprivate(set) var inner: [[CalendarLine]] = []
  }

  /// The lines of the calendar itself.
  private(set) var head: [CalendarLine] = []

  private var open: [CalendarLine] = []
  private var component: Component?
  private var isClosed = false
  private var count = 0

  private var zoneCount = 0

  static let maximumComponentCount = 100_000

  static let maximumZoneCount = 1_000

  private init() {}

  /// Reads a whole file.
  ///
  /// - Parameters:
  ///   - source: Its lines.
  ///   - take: Takes each component as it ends, so that none is kept here.
  /// - Returns: The lines of the calendar itself.
  /// - Throws: The first problem of the file's structure.
  static func parse(
    _ source: CalendarSource,
    _ take: (Component) throws(TextProblem) -> Void
  ) throws(TextProblem) -> [CalendarLine] {
    var parser = CalendarParser()
    for index in 0..<source.count {
      let line = source[index]
      if line.isNamed("BEGIN") {
        try parser.begin(line)
      } else if line.isNamed("END") {
        if let component = try parser.end(line) { try take(component) }
      } else {
        try parser.add(line)
      }
    }
    guard parser.isClosed else {
      throw parser.open.isEmpty
        ? CalendarParser.noCalendar(at: 0)
        : TextProblem(.truncated, at: source.byteCount, "the calendar does not end")
    }
    return parser.head
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
    } else if open.count == 1 {
      guard count < CalendarParser.maximumComponentCount else {
        throw TextProblem(.tooLarge, at: line.offset, "a calendar has at most 100,000 events")
      }
      if name.hasSameBytes(as: "VTIMEZONE") {
        // Each is a field of the list; the world has some hundreds.
        zoneCount += 1
        guard zoneCount <= CalendarParser.maximumZoneCount else {
          throw TextProblem(.tooLarge, at: line.offset, "a calendar has at most 1,000 zones")
        }
      } else {
        count += 1
      }
      component = Component(name: name, line: line.number)
    } else if open.count == 2 {
      component?.inner.append([line])
    } else {
      addInner(line)
    }
    guard open.count < JSONScanner.maximumDepth else {
      throw TextProblem(.tooDeep, at: line.offset, "components are nested at most 16 deep")
    }
    open.append(line)
  }

  private mutating func end(_ line: CalendarLine) throws(TextProblem) -> Component? {
    guard let begin = open.popLast(), begin.word.hasSameBytes(as: line.word) else {
      throw TextProblem(.syntax, at: line.offset, "this END has no BEGIN")
    }
    isClosed = open.isEmpty
    if open.count >= 2 { addInner(line) }
    guard open.count == 1 else { return nil }
    defer { component = nil }
    return component
  }

  private mutating func add(_ line: CalendarLine) throws(TextProblem) {
    guard !open.isEmpty else {
      throw isClosed
        ? TextProblem(.syntax, at: line.offset, "nothing follows the end of the calendar")
        : CalendarParser.noCalendar(at: line.offset)
    }
    switch open.count {
    case 1: head.append(line)
    case 2: component?.lines.append(line)
    default: addInner(line)
    }
  }

  private mutating func addInner(_ line: CalendarLine) {
    guard let last = component?.inner.indices.last else { return }
    component?.inner[last].append(line)
  }
}
