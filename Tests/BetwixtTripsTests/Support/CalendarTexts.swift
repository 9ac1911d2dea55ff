import Betwixt
import BetwixtTrips

/// Calendars with little around the part that a test is about.
enum Calendars {
  /// A calendar of events, each given as its lines.
  static func file(_ events: [String]..., head: [String] = []) throws -> TripFile {
    try TripFile(decoding: Array(text(events, head).utf8), name: "c.ics")
  }

  static func text(_ events: [[String]], _ head: [String] = []) -> String {
    let lines =
      ["BEGIN:VCALENDAR"] + head
      + events.flatMap { ["BEGIN:VEVENT"] + $0 + ["END:VEVENT"] } + ["END:VCALENDAR", ""]
    return lines.joined(separator: "\r\n")
  }

  static func failure(_ text: String) -> DocumentFailure? { failure(Array(text.utf8)) }

  static func failure(_ bytes: [UInt8]) -> DocumentFailure? {
    do {
      _ = try CalendarFile(bytes, file: "f")
      return nil
    } catch {
      return error
    }
  }

  /// The lines of a file without folds.
  static func unfolded(_ bytes: [UInt8]) -> [String] {
    var lines: [[UInt8]] = []
    for line in bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: true) {
      let line = line.last == UInt8(ascii: "\r") ? line.dropLast() : line
      if line.first == UInt8(ascii: " "), !lines.isEmpty {
        lines[lines.count - 1] += line.dropFirst()
      } else {
        lines.append(Array(line))
      }
    }
    return lines.map { BetwixtTripsTests.text($0) }
  }
}
