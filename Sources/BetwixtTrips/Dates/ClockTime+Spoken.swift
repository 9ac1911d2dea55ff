extension ClockTime {
  /// Reads a time as people type it.
  ///
  ///     ClockTime(spoken: "8:30")     // 08:30
  ///     ClockTime(spoken: "9pm")      // 21:00
  ///     ClockTime(spoken: "12.15 AM") // 00:15
  ///     ClockTime(spoken: "9")        // nil: it may be either
  package init?(spoken text: String) {
    var letters = text.lowercased().filter { $0 != " " }
    var half: Int?
    if letters.hasSuffix("am") { half = 0 }
    if letters.hasSuffix("pm") { half = 12 }
    if half != nil { letters.removeLast(2) }
    let parts = letters.split(omittingEmptySubsequences: false) { $0 == ":" || $0 == "." }
    guard (half == nil ? 2...2 : 1...2).contains(parts.count),
      parts.allSatisfy({ (1...2).contains($0.utf8.count) && $0.utf8.allSatisfy(isDigit) }),
      parts.count == 1 || parts[1].utf8.count == 2, let hour = Int(parts[0])
    else { return nil }
    if half != nil, !(1...12).contains(hour) { return nil }
    self.init(
      hour: half.map { hour % 12 + $0 } ?? hour, minute: parts.count == 1 ? 0 : Int(parts[1]) ?? 60)
  }
}

private func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
