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
    guard let name = ShownZone.name(in: list) else { return nil }
    self.name = name
    zones = KnownZones(of: list).clock(of: name)
  }

  /// The field of a list that says it.
  static let field: FieldName = "ics:X-WR-TIMEZONE"

  /// The name of the zone in a list.
  static func name(in list: ReplicatedList) -> String? { name(in: list.metadata[field]?.string) }

  /// The name of the zone in what the field keeps.
  static func name(in kept: String?) -> String? {
    guard let kept, kept.utf8.first == UInt8(ascii: ":") else { return nil }
    return CalendarText.unescaped(String(Substring(kept.utf8.dropFirst())))
  }

  /// What stands behind the name of the property, with another name of the zone.
  ///
  /// Only the mark behind a name changes, see ``ZoneMark``; what stands before it stays as it is.
  ///
  /// - Parameters:
  ///   - remainder: Parameters, a colon and the name.
  ///   - change: The new name for an old one; `nil` keeps it.
  /// - Returns: The text with the new name.
  static func renaming(_ remainder: String, by change: (String) -> String?) -> String {
    let bytes = Array(remainder.utf8)
    guard let colon = CalendarTimeLine.colon(in: bytes) else { return remainder }
    let old = CalendarText.unescaped(String(decoding: bytes[(colon + 1)...], as: UTF8.self))
    guard let new = change(old), !new.hasSameBytes(as: old) else { return remainder }
    let stem = ZoneMark.stem(of: new)
    guard ZoneMark.stem(of: old).hasSameBytes(as: stem) else { return remainder }
    // What stands behind the name has no escapes.
    let rest = bytes.dropLast(old.utf8.count - stem.utf8.count)
    return String(decoding: rest + new.utf8.dropFirst(stem.utf8.count), as: UTF8.self)
  }

  /// The wall clock at which it shows a time of UTC, in minutes since 1970, and its name; `nil` if it is
  /// not known what it shows.
  mutating func shown(_ time: CalendarTime) -> (zone: String, minutes: Int64)? {
    zones.offset(of: name, atUTC: time.minutes).map { (name, time.minutes + Int64($0)) }
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
