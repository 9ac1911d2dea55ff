import Betwixt

/// One event of a calendar file.
struct CalendarEvent: Sendable {
  let id: ItemID

  /// The `UID`; `nil` if it has none.
  let uid: String?

  /// The line that begins it.
  let line: Int

  var content: CalendarContent
  let pair: CalendarPair
  var isCancelled: Bool

  /// The item as export wrote it, if the event carries it.
  let own: PlainItem?

  /// What a reader should know before trusting it.
  let doubts: [String]

  /// When it was written.
  var time: Timestamp { Timestamp(milliseconds: pair.modified * 1_000) }
}

/// Why an event is not read.
struct CalendarSkip: Error {
  let text: String
}

extension CalendarParser.Component {
  /// Throws if a value is larger than a field may be, which refuses the whole file.
  ///
  /// Of a time the whole line is a value, with its parameters and what it stood for in the trip.
  func checkSizes() throws(TextProblem) {
    let limit = FieldValue.maximumByteCount - KeptTime.maximumPrefixByteCount
    for line in lines where line.byteCount > limit {
      let isTime = ["DTSTART", "DTEND", "DUE", "DURATION"].contains { line.isNamed($0) }
      let isLarger =
        isTime || CalendarText.unescaped(line.value).utf8.count >= FieldValue.maximumByteCount
      if isLarger { throw TextProblem(.tooLarge, at: line.offset, "a value has at most 512 KiB") }
    }
  }

  /// The item that the component stands for.
  ///
  /// One day of a series that differs from the others has the series' UID, and an id of its own.
  var itemID: ItemID {
    guard let uid = lines.text("UID"), !uid.isEmpty else { return CalendarEvent.identity(lines) }
    return ForeignIdentity.event(
      uid, recurrence: lines.first(named: "RECURRENCE-ID")?.remainder)
  }
}

extension CalendarEvent {
  /// Reads an event.
  ///
  /// - Throws: ``CalendarSkip`` for one that cannot be read.
  init(
    _ component: CalendarParser.Component, zones: inout CalendarZones
  ) throws(CalendarSkip) {
    let lines = component.lines
    var doubts: [String] = []
    let uid = lines.text("UID").flatMap { $0.isEmpty ? nil : $0 }
    if uid == nil { doubts.append("it has no UID, so an edit makes another item") }
    id = component.itemID
    guard id != .root else { throw CalendarSkip(text: "its UID is reserved") }
    self.uid = uid
    self.line = component.line
    pair = try CalendarEvent.pair(lines)
    content = try CalendarContent(component, zones: &zones, doubts: &doubts)
    isCancelled = lines.first(named: "STATUS")?.word.hasSameBytes(as: "CANCELLED") ?? false
    if lines.contains(where: { $0.isNamed("RRULE") || $0.isNamed("RDATE") }) {
      doubts.append("it repeats: the trip shows its first time, and its rule is kept")
    }
    let isMarked = lines.first(named: "X-BETWIXT-FIELDS") != nil
    own = isMarked ? PlainItem(lines, id: id) : nil
    if isMarked, own == nil { doubts.append("its X-BETWIXT properties are damaged") }
    self.doubts = doubts
  }

  // What changes with each publication takes no part.
  fileprivate static func identity(_ lines: [CalendarLine]) -> ItemID {
    let volatile: Set<String> = ["DTSTAMP", "LAST-MODIFIED", "SEQUENCE"]
    let texts = lines.filter { !volatile.contains($0.name) }.map { Array($0.text.utf8) }
      .sorted { $0.lexicographicallyPrecedes($1) }
    let joined = texts.joined(separator: [UInt8(ascii: "\n")])
    return ForeignIdentity.hashed(in: "ics", String(decoding: Array(joined), as: UTF8.self))
  }

  static func pair(_ lines: [CalendarLine]) throws(CalendarSkip) -> CalendarPair {
    let written = lines.first(named: "SEQUENCE").flatMap { Int64($0.value) } ?? 0
    let sequence = Swift.min(written, CalendarPair.greatest)
    for name in ["LAST-MODIFIED", "DTSTAMP"] {
      guard let line = lines.first(named: name) else { continue }
      guard let seconds = CalendarTime.seconds(line.value), seconds >= 0,
        Moment(milliseconds: seconds * 1_000) != nil
      else { throw CalendarSkip(text: "\(name) in line \(line.number) is no time") }
      return CalendarPair(sequence: sequence, modified: seconds)
    }
    return CalendarPair(sequence: sequence, modified: 0)
  }
}

extension PlainItem {
  /// The item that the `X-BETWIXT` properties describe; `nil` if they are damaged.
  fileprivate init?(_ lines: [CalendarLine], id: ItemID) {
    guard let day = lines.first(named: "X-BETWIXT-DAY").flatMap({ Int64($0.value) }),
      let sort = lines.first(named: "X-BETWIXT-SORT"),
      let number = try? JSONScanner.scan(Array(sort.value.utf8)).number,
      let fields = CalendarMarks.fields(lines, id: id, in: .trip)
    else { return nil }
    self.init(
      id: id, time: .zero,
      place: PlainPlace(section: day, number: number.double, origin: .given, fileIndex: 0),
      fields: fields)
  }
}

/// The fields of an item, which an exported event or task carries whole.
enum CalendarMarks {
  /// The fields of `X-BETWIXT-FIELDS`; `nil` if they are damaged.
  static func fields(
    _ lines: [CalendarLine], id: ItemID, in dialect: PlainDialect
  ) -> [PlainField]? {
    guard let text = lines.text("X-BETWIXT-FIELDS"),
      let value = try? JSONScanner.scan(Array(text.utf8)),
      case .object(let plainMembers) = value.content
    else { return nil }
    var problems = FirstProblem()
    let members = PlainMembers.named(plainMembers, noting: &problems)
    let kind =
      dialect == .trip
      ? ItemKind(members.present(.kind)?.value.string.map { .string($0) }) : .custom
    var fields = FieldCollector(dialect: dialect, kind: kind)
    for member in members where !dialect.isStructuralOfItem(member.name) {
      fields.add(member, noting: &problems)
    }
    if let text = members.present(.id)?.value.string,
      dialect.identity(
        kind: kind, gameID: members.present(.gameID)?.value.string, id: text) == id
    {
      fields.add(.foreignID, .string(text))
    }
    let finished = fields.finish(at: 0, noting: &problems)
    return problems.problem == nil ? finished : nil
  }
}
