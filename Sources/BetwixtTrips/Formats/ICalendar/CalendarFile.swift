public import Betwixt

/// What an iCalendar file says.
///
/// A calendar that was exported from a trip names it and carries each item whole. Any other
/// calendar belongs to no trip, and can be taken into each.
public struct CalendarFile: Sendable {
  /// The trip that the calendar was exported from; `nil` for a foreign one.
  public let tripID: ListID?

  /// The trip's id, or for a foreign calendar one that is made from its name.
  public var listID: ListID { tripID ?? ForeignIdentity.hashed(in: "ics", name ?? "") }

  /// The name of the calendar.
  public let name: String?

  /// The byte where the file names its trip.
  let idOffset: Int

  /// The date of day 1, if the file says it.
  let exportedStartDate: CivilDate?

  /// The number of days, if the file says it.
  let days: Int64?

  /// The events that can be read, of each item the newest, in the order of the file.
  let events: [CalendarEvent]

  /// The events that cannot, with the lines where they begin.
  let skips: [(line: Int, text: String)]

  /// How many components are no events.
  let foreignComponentCount: Int

  /// Reads a calendar.
  ///
  /// - Parameters:
  ///   - bytes: The whole file.
  ///   - file: The name of the file, for errors.
  /// - Throws: The first problem in the file; an event with a bad date is no problem of the file.
  /// - Complexity: O(*n* log *n*) for *n* bytes
  public init(_ bytes: [UInt8], file: String) throws(DocumentFailure) {
    do {
      try self.init(bytes)
    } catch {
      throw DocumentFailure(file: file, bytes: bytes, problem: error)
    }
  }

  init(_ bytes: [UInt8]) throws(TextProblem) {
    let parser = try CalendarParser(bytes)
    let head = parser.head
    let trip = head.first(named: "X-BETWIXT-TRIP")
    tripID = trip.map { ForeignIdentity.list(CalendarText.unescaped($0.value)) }
    idOffset = trip?.offset ?? 0
    name = [head.text("NAME"), head.text("X-WR-CALNAME")].compactMap { $0 }
      .first { !$0.isEmpty && $0.utf8.count < FieldValue.maximumByteCount }
    exportedStartDate = head.text("X-BETWIXT-START").flatMap { CivilDate($0) }
    days = head.text("X-BETWIXT-DAYS").flatMap { Int64($0) }
    foreignComponentCount = parser.skipped.count
    var events: [CalendarEvent] = []
    var skips: [(line: Int, text: String)] = []
    for (begin, lines) in parser.events {
      switch try CalendarEvent.read(lines, line: begin.number) {
      case .success(let event): events.append(event)
      case .failure(let skip): skips.append((begin.number, skip.text))
      }
    }
    self.events = CalendarFile.newest(of: events, &skips)
    self.skips = skips
  }

  /// The events without those of which the file has a newer version.
  private static func newest(
    of events: [CalendarEvent], _ skips: inout [(line: Int, text: String)]
  ) -> [CalendarEvent] {
    var best: [ItemID: Int] = [:]
    for (index, event) in events.enumerated() {
      guard let other = best[event.id] else {
        best[event.id] = index
        continue
      }
      let isNewer = events[other].pair < event.pair
      let loser = isNewer ? other : index
      if isNewer { best[event.id] = index }
      skips.append((events[loser].line, "the file has another version of it"))
    }
    return events.enumerated().filter { best[$1.id] == $0 }.map(\.element)
  }
}
