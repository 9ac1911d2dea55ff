import Betwixt

/// The zone that a calendar shows its times of UTC in, as a list keeps it.
///
/// An event of UTC that is moved keeps the wall time that people see: over a change of summer time its
/// moment moves by an hour more or less than they see.
struct ShownZone {
  private let name: String
  private var zones: CalendarZones

  /// The zone of the calendar that a list came from; `nil` if nobody said one.
  init?(of list: ReplicatedList) {
    guard let kept = list.metadata["ics:X-WR-TIMEZONE"]?.string,
      kept.utf8.first == UInt8(ascii: ":")
    else { return nil }
    name = CalendarText.unescaped(String(Substring(kept.utf8.dropFirst())))
    zones = CalendarZones(name, definedAs: KnownZones(of: list).text(of: name))
  }

  /// The line of an event that is moved, if the zone showed it where it was.
  ///
  /// - Parameters:
  ///   - line: Its line.
  ///   - old: Where it was shown.
  ///   - new: Where it is to be shown.
  /// - Returns: The line at its new moment; `nil` for one that another clock showed.
  mutating func moved(
    _ line: CalendarTimeLine, shownAt old: CalendarTime, to new: CalendarTime
  ) -> CalendarTimeLine? {
    guard line.time.isUTC, old.clock != nil, new.clock != nil,
      let offset = zones.offset(of: name, atUTC: line.time.minutes),
      old.minutes - line.time.minutes == Int64(offset)
    else { return nil }
    // A wall time that the clock shows twice is meant as it was: by the offset that the line had.
    let kept = new.minutes - Int64(offset)
    if zones.offset(of: name, atUTC: kept) == offset {
      return line.later(by: kept - line.time.minutes)
    }
    guard let later = zones.offset(of: name, atLocal: new.minutes) else { return nil }
    return line.later(by: new.minutes - Int64(later) - line.time.minutes)
  }
}
