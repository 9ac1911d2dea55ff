import Betwixt

/// What the standard properties of an event say.
struct CalendarContent: Sendable {
  var start: CalendarTime?

  /// From start to end; `nil` without an end, and for an event of one whole day.
  var minutes: Int64?

  var summary: String?
  var location: String?
  var note: String?
  var point: Point?

  /// A place on the map.
  struct Point: Hashable, Sendable {
    var latitude: Double
    var longitude: Double
  }
}

extension CalendarContent {
  /// What export says about an item.
  ///
  /// Texts are as they come back, so that an event which nobody edited equals its item.
  init(_ item: ListItem, startDate: CivilDate?) {
    let kind = ItemKind(item[.kind])
    let day = item.section ?? 1
    start = CalendarContent.start(of: item, kind, on: startDate.flatMap { $0 + (day &- 1) })
    if start?.clock != nil {
      let duration = item[.duration]?.int64 ?? (kind == .game ? 120 : nil)
      minutes = duration.flatMap { $0 > 0 && start?.later(by: $0) != nil ? $0 : nil }
    }
    summary = CalendarText.plain(item.summary)
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

  private static func start(
    of item: ListItem, _ kind: ItemKind, on date: CivilDate?
  ) -> CalendarTime? {
    if kind == .game, let start = item.words(.start).flatMap({ GameStart($0) }) {
      if let minutes = start.utcMinutes { return CalendarTime(utcMinutes: minutes) }
      return start.time.map { .local(start.date, $0) } ?? .date(start.date)
    }
    guard let date else { return nil }
    return item.clock.map { .local(date, $0) } ?? .date(date)
  }

  /// When the event ends; a whole day ends with the next one.
  var end: CalendarTime? {
    guard let start else { return nil }
    if case .date = start { return start.later(by: 1_440) }
    return minutes.flatMap { start.later(by: $0) }
  }
}
