import Betwixt

extension CalendarContent {
  /// Reads the properties of an event, or says why it is skipped.
  ///
  /// - Parameters:
  ///   - component: The event.
  ///   - zones: The zones that the calendar speaks of.
  ///   - doubts: Takes what is legal and cannot be trusted.
  /// - Throws: ``CalendarSkip`` for a bad date.
  init(
    _ component: CalendarParser.Component, zones: inout CalendarZones,
    doubts: inout [String]
  ) throws(CalendarSkip) {
    var endLine: CalendarLine?
    let kind = component.lines.first(named: "X-BETWIXT-KIND")?.value
    for line in component.lines {
      let name = line.name
      switch name {
      case "SUMMARY" where summary == nil: summary = readText(line, named: name)
      case "LOCATION" where location == nil: location = readText(line, named: name)
      case "DESCRIPTION" where note == nil: note = readText(line, named: name)
      case "GEO" where point == nil: readPoint(line)
      case "DTSTART":
        guard start == nil else { continue }
        guard let time = CalendarTimeLine(line.remainder) else {
          throw CalendarSkip(text: "DTSTART in line \(line.number) is no date")
        }
        start = time
      case "DTEND", "DURATION": endLine = endLine ?? line
      // What export made of the kind.
      case "CATEGORIES" where kind.map { line.value.hasSameBytes(as: $0) } ?? false: continue
      default:
        if !KeptProperty.isReserved(name) { kept.add(line, named: name) }
      }
    }
    guard let start else { throw CalendarSkip(text: "it has no DTSTART") }
    for inner in component.inner { kept.add(inner) }
    for name in kept.lost { doubts.append("its property \(name.excerpt) is not kept") }
    if let endLine { try readEnd(endLine, from: start.time, zones: &zones, doubts: &doubts) }
    if start.time.clock == nil, endLine == nil { minutes = 1_440 }
  }

  private mutating func readText(_ line: CalendarLine, named name: String) -> String {
    kept.addParameters(of: line, named: name)
    return CalendarText.unescaped(line.value)
  }

  private mutating func readPoint(_ line: CalendarLine) {
    point = Point(line.value)
    if point == nil {
      pointDoubt = pointDoubt ?? "GEO in line \(line.number) is no place"
    } else {
      kept.addParameters(of: line, named: "GEO")
    }
  }

  private mutating func readEnd(
    _ line: CalendarLine, from start: CalendarTime, zones: inout CalendarZones,
    doubts: inout [String]
  ) throws(CalendarSkip) {
    let isDuration = line.name.hasSameBytes(as: "DURATION")
    let length: Int64?
    if isDuration {
      guard let duration = CalendarDuration.minutes(line.value) else {
        throw CalendarSkip(text: "DURATION in line \(line.number) is no duration")
      }
      length = duration
    } else {
      guard let time = CalendarTimeLine(line.remainder)?.time else {
        throw CalendarSkip(text: "DTEND in line \(line.number) is no date")
      }
      guard (time.clock == nil) == (start.clock == nil) else {
        throw CalendarSkip(text: "DTEND in line \(line.number) is of another kind than DTSTART")
      }
      length = CalendarContent.minutes(from: start, to: time, zones: &zones)
      if length == nil {
        doubts.append("it ends in a zone whose clock is not known; how long it takes is not shown")
      }
    }
    end = CalendarEndLine(isDuration: isDuration, remainder: line.remainder)
    guard let length else { return }
    if length < 0 { doubts.append("it ends before it starts") }
    if start.clock == nil {
      // Days are whole ones, and there is at least one.
      minutes = Swift.max(1_440, (length / 1_440 + (length % 1_440 > 0 ? 1 : 0)) * 1_440)
    } else {
      minutes = length > 0 ? length : nil
    }
  }

  private static func minutes(
    from start: CalendarTime, to end: CalendarTime, zones: inout CalendarZones
  ) -> Int64? {
    if start.zone == end.zone {
      // Across a change of the clock an hour is more or less than the wall shows.
      guard case .named = start.zone, let from = zones.utcMinutes(of: start),
        let to = zones.utcMinutes(of: end)
      else { return end.minutes - start.minutes }
      return to - from
    }
    guard let from = zones.utcMinutes(of: start), let to = zones.utcMinutes(of: end) else {
      return nil
    }
    return to - from
  }
}

extension CalendarContent.Point {
  /// Reads `latitude;longitude`; some writers escape the semicolon.
  fileprivate init?(_ text: String) {
    let parts = CalendarText.unescaped(text).utf8.split(
      separator: UInt8(ascii: ";"), omittingEmptySubsequences: false)
    guard parts.count == 2, let latitude = Double(decimal: parts[0]),
      let longitude = Double(decimal: parts[1]), (-90.0...90.0).contains(latitude),
      (-180.0...180.0).contains(longitude)
    else { return nil }
    self.init(latitude: latitude, longitude: longitude)
  }
}

/// Reads the durations of RFC 5545.
enum CalendarDuration {
  /// Whether a text is `:PT2H` and the like, with parameters or without.
  static func isValue(_ remainder: String) -> Bool {
    guard let colon = remainder.utf8.lastIndex(of: UInt8(ascii: ":")) else { return false }
    let value = remainder.utf8[remainder.utf8.index(after: colon)...]
    return minutes(String(Substring(value))) != nil
      && (KeptProperty.lines("DURATION", remainder)?.count == 1)
  }

  /// The whole minutes of `P2W`, `P1DT2H30M` and the like, or `nil` for anything else.
  static func minutes(_ text: String) -> Int64? {
    var rest = text.utf8[...]
    let isNegative = rest.first == UInt8(ascii: "-")
    if isNegative || rest.first == UInt8(ascii: "+") { rest.removeFirst() }
    guard rest.popFirst() == UInt8(ascii: "P"), !rest.isEmpty else { return nil }
    var units: [(UInt8, Int64)] = [(UInt8(ascii: "W"), 604_800), (UInt8(ascii: "D"), 86_400)]
    var seconds: Int64 = 0
    var isInTime = false
    while !rest.isEmpty {
      if !isInTime, rest.first == UInt8(ascii: "T") {
        rest.removeFirst()
        isInTime = true
        units = [(UInt8(ascii: "H"), 3_600), (UInt8(ascii: "M"), 60), (UInt8(ascii: "S"), 1)]
        guard !rest.isEmpty else { return nil }
      }
      let digits = rest.prefix { (0x30...0x39).contains($0) }
      guard let count = Int64(String(Substring(digits))), digits.endIndex < rest.endIndex
      else { return nil }
      let letter = rest[digits.endIndex]
      guard let unit = units.firstIndex(where: { $0.0 == letter }) else { return nil }
      let (product, isTooLong) = count.multipliedReportingOverflow(by: units[unit].1)
      let (sum, isTooLongInAll) = seconds.addingReportingOverflow(product)
      guard !isTooLong, !isTooLongInAll else { return nil }
      seconds = sum
      units.removeSubrange(...unit)
      rest = rest[rest.index(after: digits.endIndex)...]
    }
    return (isNegative ? -seconds : seconds) / 60
  }
}
