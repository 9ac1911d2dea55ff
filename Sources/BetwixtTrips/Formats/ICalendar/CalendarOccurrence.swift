import Betwixt

/// Which day of a series an event stands for, as its `RECURRENCE-ID` says it.
///
/// Programs spell one day in several ways: by the wall clock of the series, with its zone or without,
/// and in UTC. The identity of the event is made of what they all say.
enum CalendarOccurrence {
  static let field: FieldName = "ics:RECURRENCE-ID"

  /// What the identity of an event is made of.
  ///
  /// It is the wall clock of the series, whatever that calls its zone. Of a time of UTC the event's own
  /// start says which clock that is; in the hour that this clock shows twice UTC alone says which one is
  /// meant.
  ///
  /// - Parameters:
  ///   - remainder: What stands behind `RECURRENCE-ID`.
  ///   - zone: That of the event's own start, as the zones know it; `nil` without one.
  ///   - zones: The zones that the calendar speaks of.
  /// - Returns: One text for all of the spellings; what is no time stays as it is.
  static func name(
    _ remainder: String, startingIn zone: String?, zones: inout CalendarZones
  ) -> String {
    guard let line = CalendarTimeLine(remainder) else { return remainder }
    var time = line.time
    if time.isUTC, let zone, let offset = zones.offset(of: zone, atUTC: time.minutes),
      let local = time.later(by: Int64(offset)),
      zones.offset(of: zone, atLocal: local.minutes) == offset
    {
      time = local.wall
    } else if !time.isUTC {
      time = time.wall
    }
    // This day and all that follow it are something else than this day.
    let range = line.parameter("RANGE").map { ";RANGE=" + $0 } ?? ""
    return range + time.remainder
  }
}

extension CalendarTime {
  /// The same digits by the clock of wherever one is, to the second.
  fileprivate var wall: CalendarTime { CalendarTime(date, clock: clock, second: second) }

  /// The name of its zone; `nil` for a time of none.
  var zoneName: String? { if case .named(let name) = zone { name } else { nil } }
}

extension CalendarTimeLine {
  /// The value of a parameter; `nil` if there is no such parameter.
  fileprivate func parameter(_ name: String) -> String? {
    let bytes = Array(remainder.utf8)
    return CalendarTimeLine.colon(in: bytes).flatMap {
      CalendarLine.parameter(name, in: bytes[..<$0])
    }
  }
}

extension ListItem {
  /// The `UID` that its event is written with, and whether the event must say its identity besides.
  ///
  /// It is that of the calendar which the item came from, else its own id. A remote writer can put any
  /// text into the field: only one that leads back to the item is written, else reading the file would
  /// make another item.
  ///
  /// - Parameters:
  ///   - start: The zone of the start that is written.
  ///   - zones: The zones of the list.
  /// - Returns: Both.
  func calendarUID(
    startingIn start: String?, zones: inout WrittenZones
  ) -> (text: String, saysIdentity: Bool) {
    let recurrence = self[CalendarOccurrence.field]?.string
    guard let recurrence else {
      guard let uid = ownUID, ForeignIdentity.event(uid) == id else { return (id.uuid, false) }
      return (uid, false)
    }
    let written = zones.occurrence(recurrence, startingIn: start)
    guard let uid = ownUID else {
      return (id.uuid, ForeignIdentity.event(id.uuid, recurrence: written) != id)
    }
    if ForeignIdentity.event(uid, recurrence: written) == id { return (uid, false) }
    // As it came: where the event was made one of a whole day here, its start names no zone any more.
    let first = KeptTime(self[KeptProperty.start]) ?? KeptTime(self[CalendarTask.due])
    let zone = first.flatMap { CalendarTimeLine($0.remainder)?.time.zoneName }
    let own = zones.occurrence(recurrence, startingIn: zone)
    // Earlier versions made the identity of the spelling.
    let isOwn = [own, recurrence].contains { ForeignIdentity.event(uid, recurrence: $0) == id }
    return (isOwn ? uid : id.uuid, true)
  }

  /// The `UID` of its calendar, if a file can say it.
  private var ownUID: String? {
    guard let uid = self[.calendarUID]?.string, CalendarText.plain(uid).hasSameBytes(as: uid) else {
      return nil
    }
    return uid
  }
}
