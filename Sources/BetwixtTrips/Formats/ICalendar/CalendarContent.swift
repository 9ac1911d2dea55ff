import Betwixt

/// What the standard properties of an event say.
struct CalendarContent: Sendable {
  var start: CalendarTimeLine?

  /// The line of the end, or of the duration; `nil` if there is none.
  var end: CalendarEndLine?

  /// From start to end; `nil` without an end, and where the zones are not known.
  var minutes: Int64?

  var summary: String?
  var location: String?
  var note: String?
  var point: Point?

  /// What is said of a `GEO` that is no place; `nil` if there is none.
  var pointDoubt: String?

  /// What Betwixt has no field for.
  var kept = KeptProperties()

  /// A place on the map.
  struct Point: Hashable, Sendable {
    var latitude: Double
    var longitude: Double
  }
}

/// How an event says when it ends.
struct CalendarEndLine: Hashable, Sendable {
  /// Whether it is `DURATION` and not `DTEND`.
  let isDuration: Bool

  /// Parameters, colon and value.
  let remainder: String
}

extension CalendarContent {
  /// What export says about an item.
  ///
  /// Texts are as they come back, so that an event which nobody edited equals its item.
  ///
  /// - Parameters:
  ///   - item: The item.
  ///   - startDate: The date of day 1.
  ///   - zone: The zone that times of UTC are shown in, if the list knows it.
  init(_ item: ListItem, startDate: CivilDate?, zone: inout ShownZone?) {
    let kind = ItemKind(item[.kind])
    let day = item.section ?? 1
    setTimes(of: item, kind: kind, on: startDate.flatMap { $0 + (day &- 1) }, zone: &zone)
    // What a calendar left open stays open.
    let isNamed = item[.calendarUID] == nil || item.words(.title) != nil
    summary = isNamed ? CalendarText.plain(item.summary) : nil
    let place =
      switch kind {
      case .game: [item.words(.venue), item.words(.city)]
      case .travel: [item.words(.from)]
      case .custom, .other: [item.words(.address)]
      }
    let places = place.compactMap { $0 }
    location = places.isEmpty ? nil : CalendarText.plain(places.joined(separator: ", "))
    note = item.words(.note).map { CalendarText.plain($0) }
    if let latitude = item[.latitude], FieldForm.latitude.accepts(latitude),
      let longitude = item[.longitude], FieldForm.longitude.accepts(longitude),
      let north = latitude.double, let east = longitude.double
    {
      point = Point(latitude: north, longitude: east)
    }
  }

  private mutating func setTimes(
    of item: ListItem, kind: ItemKind, on date: CivilDate?, zone: inout ShownZone?
  ) {
    if kind == .game, let game = item.words(.start).flatMap({ GameStart($0) }) {
      let time =
        game.utcMinutes.map { CalendarTime(utcMinutes: $0) }
        ?? CalendarTime(game.date, clock: game.time)
      start = time.map { CalendarTimeLine($0) }
      setEnd(after: item[.duration]?.int64 ?? (game.time == nil ? nil : 120))
      return
    }
    guard let date else { return }
    let shown = CalendarTime(date, clock: item.clock)
    start = CalendarContent.start(of: item, shownAt: shown, zone: &zone)
    setEnd(after: item[.duration]?.int64)
    keepEnd(of: item, shownAt: shown)
  }

  /// The line of an item's start: that of its event, moved as the item was.
  private static func start(
    of item: ListItem, shownAt shown: CalendarTime, zone: inout ShownZone?
  ) -> CalendarTimeLine {
    guard let kept = KeptTime(item[KeptProperty.start]),
      let line = CalendarTimeLine(kept.remainder),
      (kept.shown.clock == nil) == (shown.clock == nil),
      (line.time.clock == nil) == (shown.clock == nil),
      let later = zone?.moved(line, shownAt: kept.shown, to: shown)
        ?? line.later(by: shown.minutes - kept.shown.minutes)
    else { return CalendarTimeLine(shown) }
    return later
  }

  /// Sets the minutes, and the end as export writes it for an item of its own.
  private mutating func setEnd(after duration: Int64?) {
    guard let start else { return }
    var minutes = duration.flatMap { $0 > 0 ? $0 : nil }
    if start.time.clock == nil {
      // A whole day ends with the next one.
      let length = Swift.max(minutes ?? 0, 1_440)
      let days = length / 1_440 + (length % 1_440 > 0 ? 1 : 0)
      let (product, overflow) = days.multipliedReportingOverflow(by: 1_440)
      minutes = overflow || start.later(by: product) == nil ? 1_440 : product
    }
    self.minutes = minutes.flatMap { start.later(by: $0) == nil ? nil : $0 }
    end = self.minutes.flatMap { start.later(by: $0) }
      .map { CalendarEndLine(isDuration: false, remainder: $0.remainder) }
  }

  /// Takes the end that the event came with, as long as it still says what the item says.
  private mutating func keepEnd(of item: ListItem, shownAt shown: CalendarTime) {
    if let kept = KeptTime(item[KeptProperty.duration]) {
      guard kept.minutes == minutes, CalendarDuration.isValue(kept.remainder) else { return }
      end = CalendarEndLine(isDuration: true, remainder: kept.remainder)
      return
    }
    guard let kept = KeptTime(item[KeptProperty.end]),
      (kept.shown.clock == nil) == (shown.clock == nil)
    else { return }
    var shift = shown.minutes - kept.shown.minutes
    if kept.minutes != minutes {
      guard let old = kept.minutes, let new = minutes else { return }
      let (change, isOver) = new.subtractingReportingOverflow(old)
      let (sum, isFurtherOver) = shift.addingReportingOverflow(change)
      guard !isOver, !isFurtherOver else { return }
      shift = sum
    } else if kept.remainder.isEmpty {
      end = nil
      return
    }
    guard let old = CalendarTimeLine(kept.remainder) else { return }
    if old.time.isUTC, let start, start.time.isUTC,
      let first = KeptTime(item[KeptProperty.start]).flatMap({ CalendarTimeLine($0.remainder) }),
      first.time.isUTC
    {
      // It moves as its start does.
      let moved = start.time.minutes - first.time.minutes
      shift += moved - (shown.minutes - kept.shown.minutes)
    }
    guard let line = old.later(by: shift) else { return }
    end = CalendarEndLine(isDuration: false, remainder: line.remainder)
  }
}
