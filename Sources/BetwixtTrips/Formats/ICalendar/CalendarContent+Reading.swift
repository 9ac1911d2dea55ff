extension CalendarContent {
  /// Reads the standard properties of an event.
  ///
  /// - Parameters:
  ///   - lines: The lines of the event.
  ///   - doubts: Takes what is legal and cannot be trusted.
  /// - Throws: ``CalendarSkip`` for a bad date.
  init(_ lines: [CalendarLine], _ doubts: inout [String]) throws(CalendarSkip) {
    guard let line = lines.first(named: "DTSTART") else {
      throw CalendarSkip(text: "it has no DTSTART")
    }
    let start = try CalendarContent.time(line)
    self.start = start
    minutes = try CalendarContent.minutes(lines, from: start, zone: line.zone, &doubts)
    if let zone = line.zone, start.clock != nil {
      doubts.append("the zone \(zone) is not resolved, the wall clock counts")
    }
    summary = lines.text("SUMMARY")
    location = lines.text("LOCATION")
    note = lines.text("DESCRIPTION")
    if let line = lines.first(named: "GEO") {
      point = Point(line.value)
      if point == nil { doubts.append("GEO in line \(line.number) is no place") }
    }
  }

  private static func time(_ line: CalendarLine) throws(CalendarSkip) -> CalendarTime {
    guard let time = CalendarTime(line.value) else {
      throw CalendarSkip(text: "\(line.name) in line \(line.number) is no date")
    }
    return time
  }

  private static func minutes(
    _ lines: [CalendarLine], from start: CalendarTime, zone: String?, _ doubts: inout [String]
  ) throws(CalendarSkip) -> Int64? {
    let minutes: Int64
    if let line = lines.first(named: "DTEND") {
      let end = try time(line)
      let isSameClock = end.isUTC == start.isUTC && line.zone == zone
      guard (end.clock == nil) == (start.clock == nil) else {
        throw CalendarSkip(text: "DTEND in line \(line.number) is of another kind than DTSTART")
      }
      guard isSameClock || start.clock == nil else {
        doubts.append("it ends in another zone, so its duration is not read")
        return nil
      }
      minutes = end.minutes - start.minutes
    } else if let line = lines.first(named: "DURATION") {
      guard let duration = CalendarDuration.minutes(line.value) else {
        throw CalendarSkip(text: "DURATION in line \(line.number) is no duration")
      }
      minutes = duration
    } else {
      return nil
    }
    guard minutes >= 0 else {
      doubts.append("it ends before it starts, so its duration is not read")
      return nil
    }
    // One whole day is what an event without an end means, too.
    let isWholeDay = start.clock == nil && minutes <= 1_440
    return minutes == 0 || isWholeDay ? nil : minutes
  }
}

extension CalendarLine {
  /// The zone that the value's clock belongs to.
  fileprivate var zone: String? { parameter("TZID") }
}

extension CalendarContent.Point {
  /// Reads `latitude;longitude`; some writers escape the semicolon.
  fileprivate init?(_ text: String) {
    let parts = CalendarText.unescaped(text).utf8.split(
      separator: UInt8(ascii: ";"), omittingEmptySubsequences: false)
    guard parts.count == 2, let latitude = Double(String(Substring(parts[0]))),
      let longitude = Double(String(Substring(parts[1]))), (-90.0...90.0).contains(latitude),
      (-180.0...180.0).contains(longitude)
    else { return nil }
    self.init(latitude: latitude, longitude: longitude)
  }
}

/// Reads the durations of RFC 5545.
enum CalendarDuration {
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
