import Betwixt

/// One event of a calendar file.
struct CalendarEvent: Sendable {
  let id: ItemID

  /// The `UID`; `nil` if it has none.
  let uid: String?

  /// The line that begins it.
  let line: Int

  let content: CalendarContent
  let pair: CalendarPair
  let isCancelled: Bool

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

extension CalendarEvent {
  /// Reads an event, or says why it is skipped.
  ///
  /// - Throws: ``TextProblem`` if a value is too large, which refuses the whole file.
  static func read(
    _ lines: [CalendarLine], line: Int
  ) throws(TextProblem) -> Result<CalendarEvent, CalendarSkip> {
    for line in lines where line.bytes.count > FieldValue.maximumByteCount {
      let isLarger = CalendarText.unescaped(line.value).utf8.count >= FieldValue.maximumByteCount
      if isLarger { throw TextProblem(.tooLarge, at: line.offset, "a value has at most 512 KiB") }
    }
    do {
      return .success(try CalendarEvent(lines, line: line))
    } catch {
      return .failure(error)
    }
  }

  private init(_ lines: [CalendarLine], line: Int) throws(CalendarSkip) {
    for name in ["RRULE", "RDATE", "RECURRENCE-ID"] {
      if let line = lines.first(named: name) {
        throw CalendarSkip(text: "\(name) in line \(line.number): it repeats")
      }
    }
    var doubts: [String] = []
    let uid = lines.text("UID").flatMap { $0.isEmpty ? nil : $0 }
    if uid == nil { doubts.append("it has no UID, so an edit makes another item") }
    id = uid.map { ForeignIdentity.event($0) } ?? CalendarEvent.identity(withoutUID: lines)
    guard id != .root else { throw CalendarSkip(text: "its UID is reserved") }
    self.uid = uid
    self.line = line
    pair = try CalendarEvent.pair(lines)
    content = try CalendarContent(lines, &doubts)
    isCancelled = lines.first(named: "STATUS")?.word.hasSameBytes(as: "CANCELLED") ?? false
    let isMarked = lines.first(named: "X-BETWIXT-FIELDS") != nil
    own = isMarked ? PlainItem(lines, id: id) : nil
    if isMarked, own == nil { doubts.append("its X-BETWIXT properties are damaged") }
    self.doubts = doubts
  }

  // What changes with each publication takes no part.
  private static func identity(withoutUID lines: [CalendarLine]) -> ItemID {
    let volatile: Set<String> = ["DTSTAMP", "LAST-MODIFIED", "SEQUENCE"]
    let texts = lines.filter { !volatile.contains($0.name) }.map(\.bytes)
      .sorted { $0.lexicographicallyPrecedes($1) }
    let joined = texts.joined(separator: [UInt8(ascii: "\n")])
    return ForeignIdentity.hashed(in: "ics", String(decoding: Array(joined), as: UTF8.self))
  }

  private static func pair(_ lines: [CalendarLine]) throws(CalendarSkip) -> CalendarPair {
    let sequence = lines.first(named: "SEQUENCE").flatMap { Int64($0.value) } ?? 0
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
      let text = lines.text("X-BETWIXT-FIELDS"),
      let value = try? JSONScanner.scan(Array(text.utf8)),
      case .object(let plainMembers) = value.content
    else { return nil }
    var problems = FirstProblem()
    let dialect = PlainDialect.trip
    let members = PlainMembers.named(plainMembers, &problems)
    let kind = ItemKind(members.present(.kind)?.value.string.map { .string($0) })
    var fields = FieldCollector(dialect: dialect, kind: kind)
    for member in members where !dialect.isStructuralOfItem(member.name) {
      fields.add(member, &problems)
    }
    if let text = members.present(.id)?.value.string,
      dialect.identity(
        kind: kind, gameID: members.present(.gameID)?.value.string, id: text) == id
    {
      fields.add(.foreignID, .string(text))
    }
    let finished = fields.finish(at: 0, &problems)
    guard problems.problem == nil else { return nil }
    self.init(
      id: id, time: .zero,
      place: PlainPlace(section: day, number: number.double, origin: .given, fileIndex: 0),
      fields: finished)
  }
}
