import Betwixt

/// The wall clocks of zones that something speaks of.
struct WallClocks: Sendable {
  /// By the zones, in minutes since 1970.
  private(set) var all: [(zone: String, minutes: [Int64])] = []

  // Where each zone is.
  private var places: [[UInt8]: Int] = [:]

  /// Takes in what an event speaks of.
  mutating func add(_ content: CalendarContent) {
    let isSeries = content.kept.isSeries
    if let start = content.start { add(start.remainder, isSeries: isSeries) }
    if let end = content.end { add(end.remainder, isSeries: isSeries) }
    for field in content.kept.fields { add(lines: field.text) }
  }

  /// Takes in the lines that a field keeps.
  mutating func add(lines text: String) {
    guard text.utf8.first == UInt8(ascii: ";") else { return }
    for line in text.utf8.split(separator: UInt8(ascii: "\n")) {
      add(String(Substring(line)), isSeries: false)
    }
  }

  /// Takes in the times of a line of a zone.
  ///
  /// - Parameters:
  ///   - remainder: What stands behind the name of the property.
  ///   - isSeries: Whether it is the first time of a series, which has others in the years after it.
  mutating func add(_ remainder: String, isSeries: Bool) {
    guard let zone = CalendarLine.zone(in: remainder) else { return }
    let bytes = Array(remainder.utf8)
    guard let colon = CalendarTimeLine.colon(in: bytes) else { return }
    var minutes: [Int64] = []
    for part in bytes[(colon + 1)...].split(separator: UInt8(ascii: ",")) {
      let start = part.prefix { $0 != UInt8(ascii: "/") }
      guard let time = CalendarTime(String(decoding: start, as: UTF8.self)), !time.isUTC else {
        continue
      }
      minutes.append(time.minutes)
      if isSeries {
        // Each week of a year, and each month of ten.
        for week in 1..<53 { minutes.append(time.minutes + Int64(week) * 10_080) }
        for month in 13..<130 { minutes.append(time.minutes + Int64(month) * 40_320) }
      }
    }
    add(zone, minutes)
  }

  /// Takes in a zone, and times of it.
  mutating func add(_ zone: String, _ minutes: [Int64] = []) {
    let name = Array(zone.utf8)
    if let index = places[name] {
      all[index].minutes += minutes
    } else {
      places[name] = all.count
      all.append((zone, minutes))
    }
  }

  /// The times of a zone.
  func minutes(of zone: String) -> [Int64] {
    places[Array(zone.utf8)].map { all[$0].minutes } ?? []
  }
}

extension CalendarLine {
  /// The zone of a time; `nil` for one without.
  ///
  /// - Parameter remainder: What stands behind the name of a property.
  /// - Returns: Its name.
  static func zone(in remainder: String) -> String? {
    guard remainder.utf8.first == UInt8(ascii: ";") else { return nil }
    let bytes = Array(remainder.utf8)
    return CalendarTimeLine.colon(in: bytes).flatMap { parameter("TZID", in: bytes[..<$0]) }
  }
}

extension ListItem {
  /// The lines of times that are kept of its event.
  private var timeLines: [String] {
    var lines: [String] = []
    for entry in entries {
      guard case .field(let name) = entry.register, KeptProperty.isKept(name),
        case .field(let value?) = entry.value, let text = value.string
      else { continue }
      if KeptProperty.isTime(name) {
        let line = text.utf8.drop { $0 != UInt8(ascii: " ") }.dropFirst()
        if line.first == UInt8(ascii: ";") { lines.append(String(Substring(line))) }
      } else if text.utf8.first == UInt8(ascii: ";") {
        for line in text.utf8.split(separator: UInt8(ascii: "\n")) {
          lines.append(String(Substring(line)))
        }
      }
    }
    return lines
  }

  /// The zones that what is kept of its event speaks of.
  var zoneNames: [String] { timeLines.compactMap { CalendarLine.zone(in: $0) } }

  /// Whether it is the first of a series.
  private var isSeries: Bool {
    entries.contains { entry in
      guard case .field(let name) = entry.register, self[name] != nil else { return false }
      return name == "ics:RRULE" || KeptProperty.isFamily("ics:RDATE", of: name)
    }
  }

  /// The wall clocks of zones that its event speaks of where it stands.
  ///
  /// - Parameters:
  ///   - startDate: The date of day 1; `nil` for a task, which stands on its date.
  ///   - zone: The zone that times of UTC are shown in.
  /// - Returns: The clocks.
  func clocks(startDate: CivilDate?, zone: inout ShownZone?) -> WallClocks {
    var clocks = WallClocks()
    for line in timeLines { clocks.add(line, isSeries: isSeries) }
    if startDate != nil {
      let content = CalendarContent(self, startDate: startDate, zone: &zone)
      if let start = content.start { clocks.add(start.remainder, isSeries: isSeries) }
      if let end = content.end { clocks.add(end.remainder, isSeries: isSeries) }
      return clocks
    }
    guard let date = section.flatMap({ CivilDate(dayNumber: $0) }) else { return clocks }
    for name in [KeptProperty.start, CalendarTask.due] {
      guard let kept = KeptTime(self[name]),
        let line = CalendarTimeLine(kept.remainder)?.later(by: (date - kept.shown.date) * 1_440)
      else { continue }
      clocks.add(line.remainder, isSeries: isSeries)
    }
    return clocks
  }
}
