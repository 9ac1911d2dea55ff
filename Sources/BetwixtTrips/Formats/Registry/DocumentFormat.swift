import Betwixt

/// The forms in which a trip or a list of tasks can be stored or passed on.
///
/// This is the one register of formats: what each is called, which ending it has, and which way it
/// goes. ``TripFile/init(decoding:name:options:)`` reads them, `ReplicatedList.encoded(as:options:)` writes.
public enum DocumentFormat: String, CaseIterable, Sendable {
  /// Everything, binary.
  case trip

  /// Everything, as text.
  case tripJSON = "trip.json"

  /// Plain trip JSON: one state without history.
  case json

  /// Tasks without history.
  case tasks

  /// An iCalendar file: events of a trip, or tasks.
  case iCalendar = "ics"

  /// A text for people; lists of boxes to tick are read.
  case markdown = "md"

  /// A table.
  case csv

  /// Points for maps.
  case gpx

  /// Tasks, one on each line, by the rules of todo.txt.
  case todoTxt = "todo.txt"

  /// Tasks as Taskwarrior exports them.
  case taskwarrior

  /// Tasks and projects of TaskPaper.
  case taskPaper = "taskpaper"

  /// Headings with keywords of Org mode.
  case org

  /// Reservations as KDE Itinerary and many mails have them: schema.org in JSON-LD.
  case reservations = "schema.org"

  /// A trip of the planner TREK; read only.
  case trek

  /// A backup of AdventureLog; read only.
  case adventureLog = "adventurelog"
}

extension DocumentFormat {
  /// What the format is called.
  public var title: String {
    switch self {
    case .trip: "Betwixt document"
    case .tripJSON: "Betwixt document as text"
    case .json: "plain trip JSON"
    case .tasks: "task JSON"
    case .iCalendar: "iCalendar"
    case .markdown: "Markdown"
    case .csv: "CSV"
    case .gpx: "GPX"
    case .todoTxt: "todo.txt"
    case .taskwarrior: "Taskwarrior JSON"
    case .taskPaper: "TaskPaper"
    case .org: "Org mode"
    case .reservations: "schema.org reservations"
    case .trek: "TREK"
    case .adventureLog: "AdventureLog"
    }
  }

  /// Whether lists can be written in the format.
  public var isWritten: Bool {
    switch self {
    case .reservations, .trek, .adventureLog: false
    default: true
    }
  }

  /// Whether the format has room for trips.
  public var holdsTrips: Bool {
    switch self {
    case .tasks, .todoTxt, .taskwarrior, .taskPaper, .org: false
    default: true
    }
  }

  /// Whether the format has room for tasks.
  public var holdsTasks: Bool {
    switch self {
    case .gpx, .reservations, .trek, .adventureLog: false
    default: true
    }
  }

  /// Whether the format keeps the history, so that what passes through it can be merged again.
  public var isComplete: Bool { self == .trip || self == .tripJSON }

  /// Whether a file of the format is lines of text that may have no mark of it, so that the ending of its
  /// name says more than a guess.
  package var isOfLines: Bool {
    switch self {
    case .markdown, .csv, .todoTxt, .taskPaper, .org: true
    default: false
    }
  }

  /// Whether the format is lines of text that hold tasks, and may hold more.
  package var isTaskText: Bool { isOfLines && self != .csv }

  /// The endings of file names that ask for the format, the usual one first.
  public var endings: [String] {
    switch self {
    case .trip: [".trip"]
    case .tripJSON: [".trip.json"]
    case .json: [".json"]
    case .iCalendar: [".ics", ".ical"]
    case .markdown: [".md", ".markdown"]
    case .csv: [".csv"]
    case .gpx: [".gpx"]
    case .todoTxt: ["todo.txt", ".todo.txt", ".todo"]
    case .taskwarrior: [".taskwarrior.json"]
    case .taskPaper: [".taskpaper"]
    case .org: [".org"]
    // Those are names of plain JSON.
    case .tasks, .reservations, .trek, .adventureLog: []
    }
  }

  /// The format that the ending of an output's name asks for; `nil` if the ending is unknown.
  ///
  ///     DocumentFormat(fileName: "rome.trip.json")  // .tripJSON, not .json
  public init?(fileName: String) {
    var best: (ending: String, format: DocumentFormat)?
    for format in DocumentFormat.allCases where format.isWritten {
      for ending in format.endings
      where fileName.utf8.reversed().starts(with: ending.utf8.reversed())
        && best.map({ $0.ending.utf8.count < ending.utf8.count }) ?? true
      {
        best = (ending, format)
      }
    }
    guard let best else { return nil }
    self = best.format
  }

  /// Recognises a document by its content alone.
  ///
  /// Whatever is nothing that is known is taken for JSON; reading it says what is wrong.
  ///
  /// - Complexity: O(*n*) for *n* bytes
  public static func recognize(_ bytes: [UInt8]) -> DocumentFormat {
    (try? FormatSample(bytes))?.format ?? .json
  }

  /// The format of the output where neither an option nor a name says it: the fullest of the
  /// inputs' formats, so that the order of the inputs does not matter.
  public static func fullest(of formats: some Sequence<DocumentFormat>) -> DocumentFormat {
    let formats = Set(formats)
    for format in [DocumentFormat.trip, .tripJSON, .json, .tasks] where formats.contains(format) {
      return format
    }
    return .tripJSON
  }

  static func isBinary(_ bytes: [UInt8]) -> Bool {
    bytes.starts(with: [0x89, UInt8(ascii: "B"), UInt8(ascii: "T")])
  }

  static func recognize(_ value: JSONValue) -> DocumentFormat {
    if let format = JSONShape.format(of: value) { return format }
    guard case .object(let members) = value.content else { return .json }
    for member in members where member.name.hasSameBytes(as: "format") {
      guard let word = member.value.string else { return .json }
      if word.hasSameBytes(as: TripJSON.formatWord) { return .tripJSON }
      if word.hasSameBytes(as: PlainDialect.tasksWord) { return .tasks }
    }
    return .json
  }
}
