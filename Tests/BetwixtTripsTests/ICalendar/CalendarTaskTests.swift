import Betwixt
import BetwixtTrips
import Testing

/// What programs make of tasks of a calendar.
@Suite struct CalendarTaskTests {
  private static func file(_ lines: [String], _ head: [String] = []) throws -> TripFile {
    let all =
      ["BEGIN:VCALENDAR"] + head + ["BEGIN:VTODO", "UID:a", "SUMMARY:Pay"] + lines
      + ["END:VTODO", "END:VCALENDAR", ""]
    return try TripFile(decoding: Array(all.joined(separator: "\r\n").utf8), name: "t.ics")
  }

  private static let lines = [
    "LAST-MODIFIED:20260501T000000Z", "DUE;TZID=Europe/Berlin:20260611T100000", "DESCRIPTION:note",
    "STATUS:IN-PROCESS",
  ]

  private static func edited(_ changes: [String: String?]) -> [String] {
    var lines = lines
    lines[0] = "LAST-MODIFIED:20260502T000000Z"
    for (name, line) in changes {
      lines.removeAll { $0.hasPrefix(name) }
      if let line { lines.append(line) }
    }
    return lines
  }

  /// With a base and without, and whether the file carries what we wrote into it or not.
  private static func results(_ changes: [String: String?]) throws -> [ListItem] {
    let sent = try file(lines)
    let list = try TripImport(sent).list
    let back = try file(edited(changes))
    var items = try [nil, sent].compactMap { base in
      try TripImport(back, into: list, base: base).list.first
    }
    // The same edit of what we exported.
    let ours = CalendarExport(list).bytes
    var text = Calendars.unfolded(ours).map { line in
      line.hasPrefix("LAST-MODIFIED:") ? "LAST-MODIFIED:20260502T000000Z" : line
    }
    for (name, line) in changes {
      let index = try #require(text.firstIndex { $0.hasPrefix(name) })
      if let line { text[index] = line } else { text.remove(at: index) }
    }
    let marked = try TripFile(
      decoding: Array(text.joined(separator: "\r\n").utf8), name: "m.ics")
    for base in [nil, try TripFile(decoding: ours, name: "o.ics")] {
      items += try TripImport(marked, into: list, base: base).list.prefix(1)
    }
    #expect(items.count == 4)
    return items
  }

  @Test func aWholeDayTakesThePlaceOfATime() throws {
    for item in try Self.results(["DUE": "DUE;VALUE=DATE:20260612"]) {
      #expect(item["ics:DUE"] == nil)
      #expect(item.section == CivilDate("2026-06-12")?.dayNumber)
    }
  }

  @Test func anEmptyDescriptionClearsTheNote() throws {
    for item in try Self.results(["DESCRIPTION": "DESCRIPTION:"]) { #expect(item["note"] == nil) }
    for item in try Self.results(["DESCRIPTION": nil]) { #expect(item["note"] == "note") }
  }

  @Test func aStatusThatIsNotThereChangesNothing() throws {
    for item in try Self.results(["STATUS": nil]) { #expect(item["state"] == "active") }
    let done = ["STATUS": "COMPLETED:20260502T000000Z"]
    for item in try Self.results(done) { #expect(item["state"] == "completed") }
    // A new one has one.
    let new = try Self.file(["DUE;VALUE=DATE:20260612"]).list()
    #expect(new[0]["state"] == "notStarted")
    #expect(registers(new, new[0].id)["note"] == nil)
    #expect(registers(new, new[0].id)["ics:DUE"] == nil)
  }
}
