/// The forms in which a trip can be stored or passed on.
public enum DocumentFormat: String, CaseIterable, Sendable {
  /// Everything, binary.
  case trip

  /// Everything, as text.
  case tripJSON = "trip.json"

  /// Plain trip JSON: one state without history.
  case json

  /// Tasks without history.
  case tasks

  /// An iCalendar file.
  case iCalendar = "ics"

  /// A text for people; written only.
  case markdown = "md"

  /// A table; written only.
  case csv

  /// Points for maps; written only.
  case gpx
}

extension DocumentFormat {
  /// The format that the ending of an output's name asks for; `nil` if the ending is unknown.
  public init?(fileName: String) {
    // The longer ending stands before the one that ends like it.
    let endings: [(String, DocumentFormat)] = [
      (".trip.json", .tripJSON), (".trip", .trip), (".json", .json), (".ics", .iCalendar),
      (".md", .markdown), (".csv", .csv), (".gpx", .gpx),
    ]
    for (ending, format) in endings
    where fileName.utf8.reversed().starts(with: ending.utf8.reversed()) {
      self = format
      return
    }
    return nil
  }

  /// Whether the format keeps the history, so that what passes through it can be merged again.
  public var isComplete: Bool { self == .trip || self == .tripJSON }

  /// Recognises a document by its content, never by its name.
  ///
  /// Whatever is neither binary nor a calendar is taken for JSON; reading it says what is wrong.
  ///
  /// - Complexity: O(*n*) for *n* bytes
  public static func recognize(_ bytes: [UInt8]) -> DocumentFormat {
    if isBinary(bytes) { return .trip }
    if isCalendar(bytes) { return .iCalendar }
    guard let value = try? JSONScanner.scan(bytes) else { return .json }
    return recognize(value)
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

  static func isCalendar(_ bytes: [UInt8]) -> Bool {
    let start = bytes.starts(with: [0xef, 0xbb, 0xbf]) ? 3 : 0
    let word = "BEGIN:VCALENDAR".utf8
    guard bytes.count - start >= word.count else { return false }
    return zip(bytes[start...], word).allSatisfy { byte, letter in
      byte == letter || byte == letter | 0x20 && (0x41...0x5a).contains(letter)
    }
  }

  static func recognize(_ value: JSONValue) -> DocumentFormat {
    guard case .object(let members) = value.content else { return .json }
    for member in members where member.name.hasSameBytes(as: "format") {
      guard let word = member.value.string else { return .json }
      if word.hasSameBytes(as: TripJSON.formatWord) { return .tripJSON }
      if word.hasSameBytes(as: PlainDialect.tasksWord) { return .tasks }
    }
    return .json
  }
}
