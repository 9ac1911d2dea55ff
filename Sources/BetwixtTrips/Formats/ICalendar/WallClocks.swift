import Betwixt

/// Wall clocks of one zone, in minutes since 1970.
struct ClockTimes: Sendable {
  /// Each one that is named.
  private(set) var all: Set<Int64> = []

  /// When the earliest series starts, which goes on for years; `nil` without one.
  private(set) var seriesStart: Int64?

  /// Takes a time in, and whether a series starts then.
  mutating func add(_ minutes: Int64, isSeries: Bool) {
    all.insert(minutes)
    if isSeries { seriesStart = min(seriesStart ?? minutes, minutes) }
  }

  /// Takes other times in.
  mutating func add(_ others: ClockTimes) {
    all.formUnion(others.all)
    if let start = others.seriesStart { seriesStart = min(seriesStart ?? start, start) }
  }
}

/// The wall clocks of zones that something speaks of.
struct WallClocks: Sendable {
  /// By the zones.
  private(set) var all: [(zone: String, times: ClockTimes)] = []

  // Where each zone is.
  private var places: [[UInt8]: Int] = [:]

  /// Takes in what an event speaks of.
  mutating func add(_ content: CalendarContent) {
    let isSeries = content.kept.isSeries
    if let start = content.start { add(start, isSeries: isSeries) }
    if let end = content.end { add(end.remainder, isSeries: isSeries) }
    for field in content.kept.fields { add(lines: field.text) }
  }

  /// Takes in what a component speaks of that is not read further.
  mutating func add(_ component: CalendarParser.Component) {
    let isSeries = component.lines.contains { $0.isNamed("RRULE") || $0.isNamed("RDATE") }
    for line in component.lines {
      let isTime = ["DTSTART", "DTEND", "DUE"].contains { line.isNamed($0) }
      add(line.remainder, isSeries: isSeries && isTime)
    }
  }

  /// Takes in the lines that a field keeps.
  mutating func add(lines text: String) {
    for line in ZonedLines.all(in: text) { add(line, isSeries: false) }
  }

  /// Takes in the line of a start, which is read already.
  mutating func add(_ line: CalendarTimeLine, isSeries: Bool) {
    guard case .named(let zone) = line.time.zone else {
      return add(line.remainder, isSeries: isSeries)
    }
    add(zone, at: line.time.minutes, isSeries: isSeries)
  }

  /// Takes in a time of a zone.
  mutating func add(_ zone: String, at minutes: Int64, isSeries: Bool) {
    all[place(of: zone)].times.add(minutes, isSeries: isSeries)
  }

  /// Takes in the times of a line of a zone.
  ///
  /// - Parameters:
  ///   - remainder: What stands behind the name of the property.
  ///   - isSeries: Whether a series starts or ends then for the first time.
  mutating func add(_ remainder: String, isSeries: Bool) {
    guard let zone = CalendarLine.zone(in: remainder) else { return }
    let place = place(of: zone)
    let bytes = Array(remainder.utf8)
    guard let colon = CalendarTimeLine.colon(in: bytes) else { return }
    for part in bytes[(colon + 1)...].split(separator: UInt8(ascii: ",")) {
      let start = part.prefix { $0 != UInt8(ascii: "/") }
      guard let time = CalendarTime(String(decoding: start, as: UTF8.self)), !time.isUTC else {
        continue
      }
      all[place].times.add(time.minutes, isSeries: isSeries)
    }
  }

  /// Takes in a zone, and times of it.
  mutating func add(_ zone: String, _ times: ClockTimes = ClockTimes()) {
    all[place(of: zone)].times.add(times)
  }

  private mutating func place(of zone: String) -> Int {
    let name = Array(zone.utf8)
    if let index = places[name] { return index }
    places[name] = all.count
    all.append((zone, ClockTimes()))
    return all.count - 1
  }

  /// The times of a zone; `nil` for one that nothing names.
  func times(of zone: String) -> ClockTimes? { places[Array(zone.utf8)].map { all[$0].times } }
}

/// The lines of properties that have parameters, and may name a zone.
enum ZonedLines {
  /// Those of a text that is kept.
  static func all(in text: String) -> [String] {
    guard mayBe(in: text) else { return [] }
    return text.utf8.split(separator: UInt8(ascii: "\n"))
      .filter { $0.first == UInt8(ascii: ";") }.map { String(Substring($0)) }
  }

  /// Whether a text may have one, wherever it stands.
  static func mayBe(in text: String) -> Bool {
    text.utf8.first == UInt8(ascii: ";") || text.hasByte { $0 == UInt8(ascii: "\n") }
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
  /// The lines of times that are kept of its event, and whether they say when it is.
  private var timeLines: [(text: String, isTime: Bool)] {
    var lines: [(text: String, isTime: Bool)] = []
    for entry in entries {
      guard case .field(let name) = entry.register, KeptProperty.isKept(name),
        case .field(let value?) = entry.value, let text = value.string
      else { continue }
      if KeptProperty.isTime(name) {
        let line = text.utf8.drop { $0 != UInt8(ascii: " ") }.dropFirst()
        if line.first == UInt8(ascii: ";") { lines.append((String(Substring(line)), true)) }
      } else {
        for line in ZonedLines.all(in: text) { lines.append((line, false)) }
      }
    }
    return lines
  }

  /// The zones that what is kept of its event speaks of.
  var zoneNames: [String] { timeLines.compactMap { CalendarLine.zone(in: $0.text) } }

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
    let isSeries = isSeries
    for (text, isTime) in timeLines { clocks.add(text, isSeries: isTime && isSeries) }
    if startDate != nil {
      let content = CalendarContent(self, startDate: startDate, zone: &zone)
      if let start = content.start {
        clocks.add(start, isSeries: isSeries)
        if start.time.isUTC, let (name, minutes) = zone?.shown(start.time) {
          clocks.add(name, at: minutes, isSeries: isSeries)
        }
      }
      if let end = content.end { clocks.add(end.remainder, isSeries: isSeries) }
      return clocks
    }
    guard let date = section.flatMap({ CivilDate(dayNumber: $0) }) else { return clocks }
    for name in [KeptProperty.start, CalendarTask.due] {
      guard let kept = KeptTime(self[name]),
        let line = CalendarTimeLine(kept.remainder)?.later(by: (date - kept.shown.date) * 1_440)
      else { continue }
      clocks.add(line, isSeries: isSeries)
    }
    return clocks
  }
}
