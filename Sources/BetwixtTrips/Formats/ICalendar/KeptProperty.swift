import Betwixt

/// A property of an event that Betwixt has no field for, kept as it stands.
///
/// It lives in a field of the item: `ics:` and the property's name, and what stands behind the
/// name in the file, parameters too. Properties that an event may have several of (attendees,
/// attachments, alarms) have a field each, told apart by a hash of their value, so that two
/// calendars that each add one both keep theirs.
enum KeptProperty {
  static let prefix = "ics:"

  /// The start of the event as its line says it, see ``KeptTime``.
  static let start: FieldName = "ics:DTSTART"

  /// The end of the event.
  static let end: FieldName = "ics:DTEND"

  /// How long the event lasts, where it says that in place of its end.
  static let duration: FieldName = "ics:DURATION"

  /// Whether a field is one of these.
  static func isKept(_ name: FieldName) -> Bool {
    name.text.hasBytePrefix(prefix)
  }

  /// Whether a field says when the event is, or when a task is due.
  static func isTime(_ name: FieldName) -> Bool {
    name == start || name == end || name == duration || name == CalendarTask.due
  }

  /// Properties and components that an event may have any number of.
  private static let repeatable: Set<String> = [
    "ATTACH", "ATTENDEE", "CATEGORIES", "COMMENT", "CONTACT", "CONFERENCE", "EXDATE", "IMAGE",
    "RDATE", "RELATED-TO", "REQUEST-STATUS", "RESOURCES", "VALARM", "PARTICIPANT", "VLOCATION",
    "VRESOURCE",
  ]

  /// What Betwixt writes from fields of its own; of these only the parameters are kept.
  enum Written: String {
    case summary = "SUMMARY"
    case location = "LOCATION"
    case description = "DESCRIPTION"
    case geo = "GEO"

    /// The name of the property.
    var name: String { rawValue }

    /// The field that keeps its parameters.
    var field: FieldName {
      switch self {
      case .summary: "ics:SUMMARY"
      case .location: "ics:LOCATION"
      case .description: "ics:DESCRIPTION"
      case .geo: "ics:GEO"
      }
    }
  }

  /// What a field that is kept is for.
  enum Role: Hashable, Sendable {
    /// Says when the event is, or when a task is due.
    case time
    /// A zone of the calendar.
    case zone
    /// A property, and whether Betwixt writes one of that name from a field of its own.
    case property(String, isWritten: Bool)
    /// None that a file came with.
    case none
  }

  /// What a field is for whose name says that it is kept.
  static func role(of name: FieldName) -> Role {
    if isTime(name) { return .time }
    if isFamily("ics:VTIMEZONE", of: name) { return .zone }
    guard let property = property(name) else { return .none }
    return .property(property, isWritten: Written(rawValue: property) != nil)
  }

  /// What export makes anew, or keeps in another way.
  private static let reserved: Set<String> = [
    "BEGIN", "END", "UID", "DTSTAMP", "LAST-MODIFIED", "SEQUENCE", "DTSTART", "DTEND", "DURATION",
    "DUE", "COMPLETED",
  ]

  static func isReserved(_ name: String) -> Bool {
    reserved.contains(name) || name.hasBytePrefix("X-BETWIXT-")
  }

  /// The part of a field's name that all fields of one property share: `ics:ATTENDEE`.
  static func family(_ name: FieldName) -> String {
    let bytes = name.text.utf8
    guard let end = bytes.firstIndex(of: UInt8(ascii: "#")) else { return name.text }
    return String(Substring(bytes[..<end]))
  }

  /// Whether the part of a field's name that all fields of one property share is this one.
  static func isFamily(_ family: String, of name: FieldName) -> Bool {
    guard name.text.hasBytePrefix(family) else { return false }
    let rest = name.text.utf8.dropFirst(family.utf8.count)
    return rest.isEmpty || rest.first == UInt8(ascii: "#")
  }

  /// The name of the property that a field keeps; `nil` if it could not be one.
  static func property(_ name: FieldName) -> String? {
    let property = String(Substring(family(name).utf8.dropFirst(prefix.utf8.count)))
    return isProperty(property) ? property : nil
  }

  /// Whether a name is one that a property which is kept can have.
  fileprivate static func isProperty(_ name: String) -> Bool {
    let isName =
      !name.isEmpty
      && name.utf8.allSatisfy { byte in
        (0x41...0x5a).contains(byte) || (0x30...0x39).contains(byte) || byte == UInt8(ascii: "-")
      }
    return isName && !isReserved(name)
  }

  private static func fieldName(_ property: String, value: String) -> FieldName? {
    guard repeatable.contains(property) else { return FieldName(prefix + property) }
    let hash = Hex.encode(Array(SHA256.hash(Array(value.utf8))[..<4]))
    return FieldName(prefix + property + "#" + hash)
  }
}

/// The properties of one component that are kept, while they are read.
struct KeptProperties: Sendable {
  /// By name, in the order of the file.
  private(set) var fields: [(name: FieldName, text: String)] = []

  /// The names of properties that could not be kept.
  private(set) var lost: [String] = []

  /// Whether the event is the first of a series, by a rule or by dates.
  var isSeries: Bool {
    fields.contains { $0.name == "ics:RRULE" || KeptProperty.isFamily("ics:RDATE", of: $0.name) }
  }

  /// The most properties of one event that have a field each.
  private static let maximumCount = 512

  /// Keeps a property of which nothing else is known.
  mutating func add(_ line: CalendarLine, named name: String) {
    add(name, KeptProperty.name(name, value: line.value), line.remainder)
  }

  /// Keeps the parameters of a property whose value is a field.
  mutating func addParameters(of line: CalendarLine, named name: String) {
    let parameters = line.parameters
    if !parameters.isEmpty { add(name, KeptProperty.name(name, value: ""), parameters) }
  }

  /// Keeps a component in the event, such as an alarm.
  mutating func add(_ lines: [CalendarLine]) {
    guard let name = lines.first?.word else { return }
    var texts: [String] = []
    // The words that say where it begins and ends may be written in any case.
    for line in lines {
      let isFrame = line.isNamed("BEGIN") || line.isNamed("END")
      texts.append(isFrame ? "\(line.name):\(line.word)" : line.text)
    }
    let text = texts.joined(separator: "\n")
    add(name, KeptProperty.name(name, value: text), text)
  }

  mutating func add(_ name: FieldName, _ text: String) { fields.append((name, text)) }

  /// Gives the zones of dates other names, and the zone that a calendar is shown in.
  mutating func renameZones(by name: (String) -> String?) {
    for index in fields.indices {
      let text = fields[index].text
      let isShown = fields[index].name == ShownZone.field
      guard isShown || ZonedLines.mayBe(in: text) else { continue }
      let lines = text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        .map { part in
          let line = String(Substring(part))
          if isShown { return ShownZone.renaming(line, by: name) }
          guard part.first == UInt8(ascii: ";") else { return line }
          return CalendarLine.replacingParameter("TZID", in: line, by: name)
        }
      let renamed = lines.joined(separator: "\n")
      if renamed.utf8.count < FieldValue.maximumByteCount { fields[index].text = renamed }
    }
  }

  private mutating func add(_ property: String, _ name: FieldName?, _ text: String) {
    guard let name, KeptProperty.isProperty(property), fields.count < KeptProperties.maximumCount
    else {
      lost.append(property)
      return
    }
    guard let index = fields.firstIndex(where: { $0.name == name }) else {
      guard text.utf8.count < FieldValue.maximumByteCount else {
        lost.append(property)
        return
      }
      fields.append((name, text))
      return
    }
    // The same value twice, or a property that stands there twice though it should not.
    let count = fields[index].text.utf8.count + 1 + text.utf8.count
    guard count < FieldValue.maximumByteCount else {
      lost.append(property)
      return
    }
    // In place: there can be any number of them.
    fields[index].text += "\n"
    fields[index].text += text
  }
}

extension KeptProperty {
  fileprivate static func name(_ property: String, value: String) -> FieldName? {
    fieldName(property, value: value)
  }

  /// The lines of a property as export writes them; `nil` if the text is none that was kept, for
  /// any writer can put any text into a field.
  ///
  /// They are lines of that property, or components of that name and nothing beside them.
  static func lines(_ property: String, _ text: String) -> [String]? {
    if text.hasBytePrefix("BEGIN:") { return components(property, text) }
    var lines: [String] = []
    for part in text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
      let line = property + String(Substring(part))
      guard isRemainder(Array(part)) else { return nil }
      lines.append(line)
    }
    return lines
  }

  /// Whether a text is parameters, a colon outside of quotes and a value, on one line.
  static func isRemainder(_ bytes: [UInt8]) -> Bool {
    (bytes.first == UInt8(ascii: ":") || bytes.first == UInt8(ascii: ";"))
      && !bytes.contains { isForbidden($0) } && CalendarTimeLine.colon(in: bytes) != nil
  }

  /// The lines of components of one name as the reader of a file would take them; `nil` if it would
  /// find anything else.
  static func components(
    _ name: String, _ text: String, atMost limit: Int = .max
  ) -> [String]? {
    var lines: [String] = []
    var open: [String] = []
    var count = 0
    for part in text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
      let text = String(Substring(part))
      // A space or a tab goes on with the line before.
      guard let first = part.first, first != UInt8(ascii: " "), first != 0x09,
        !part.contains(where: { isForbidden($0) }), let source = try? CalendarSource(Array(part)),
        source.count == 1, source[0].byteCount == part.count
      else { return nil }
      let line = source[0]
      if line.isNamed("BEGIN") {
        if open.isEmpty {
          count += 1
          guard count <= limit, line.word.hasSameBytes(as: name) else { return nil }
        }
        guard open.count < 8, !line.word.hasSameBytes(as: "VCALENDAR") else { return nil }
        open.append(line.word)
      } else if line.isNamed("END") {
        guard let begun = open.popLast(), begun.hasSameBytes(as: line.word) else { return nil }
      } else if open.isEmpty {
        return nil
      }
      lines.append(text)
    }
    return open.isEmpty ? lines : nil
  }

  /// Whether a text is a colon and a value on one line, as most are that were kept.
  static func isValue(_ text: String) -> Bool {
    text.utf8.first == UInt8(ascii: ":") && !text.hasByte(where: { isForbidden($0) })
  }

  // What no line of a file may hold.
  private static func isForbidden(_ byte: UInt8) -> Bool {
    byte < 0x20 && byte != 0x09 || byte == 0x7f
  }

  /// Whether a text is parameters alone, which belong to a property that is written from another
  /// field.
  static func isParameters(_ text: String, of property: String) -> Bool {
    lines(property, text) == nil && lines(property, text + ":") != nil
  }

  /// The parameters that are kept for a property which export writes itself.
  static func parameters(_ property: Written, of item: ListItem) -> String {
    guard let text = item[property.field]?.string, text.utf8.first == UInt8(ascii: ";"),
      isParameters(text, of: property.name), lines(property.name, text + ":")?.count == 1
    else { return "" }
    return text
  }
}

/// The line of a start or an end, and what it stood for in the trip when it was read.
///
/// As a field: `2026-05-03T10:00 ;TZID=Europe/Berlin:20260503T100000` for a start; for an end
/// the minutes are added, `2026-05-03T10:00/195 ;TZID=…`, or `-` where they are not known.
struct KeptTime: Hashable, Sendable {
  /// The most bytes that stand before the line.
  static let maximumPrefixByteCount = 64

  /// Where the trip shows the start.
  let shown: CalendarTime

  /// How many minutes the event lasts there.
  let minutes: Int64?

  /// What stands behind the name of the property; empty if the event has no such line.
  let remainder: String

  init(shown: CalendarTime, minutes: Int64? = nil, remainder: String) {
    self.shown = shown.floating
    self.minutes = minutes
    self.remainder = remainder
  }

  init?(_ value: FieldValue?) {
    guard let text = value?.string, let space = text.utf8.firstIndex(of: UInt8(ascii: " "))
    else { return nil }
    let words = text.utf8[..<space].split(separator: UInt8(ascii: "/"))
    guard let first = words.first, let start = GameStart(String(Substring(first))),
      start.utcOffset == nil
    else { return nil }
    shown = CalendarTime(start.date, clock: start.time)
    minutes = words.count > 1 ? Int64(String(Substring(words[1]))) : nil
    remainder = String(Substring(text.utf8[text.utf8.index(after: space)...]))
  }

  /// The field of a start.
  var startValue: FieldValue { .string("\(shownText) \(remainder)") }

  /// The field of an end or a duration.
  var endValue: FieldValue {
    .string("\(shownText)/\(minutes.map { String($0) } ?? "-") \(remainder)")
  }

  private var shownText: String {
    "\(shown.date)" + (shown.clock.map { "T\($0)" } ?? "")
  }
}
