import Betwixt
import BetwixtTrips
import TestSupport
import Testing

@Suite struct CalendarFailureTests {
  @Test(arguments: [
    ("", "f:1:1: syntax"), ("BEGIN:VEVENT\nEND:VEVENT\n", "f:1:1: syntax"),
    ("X:1\nBEGIN:VCALENDAR\nEND:VCALENDAR\n", "f:1:1: syntax"),
    ("BEGIN:VCALENDAR\n", "f:2:1: truncated"),
    ("BEGIN:VCALENDAR\nBEGIN:VEVENT\nEND:VCALENDAR\n", "f:3:1: syntax"),
    ("BEGIN:VCALENDAR\nEND:VEVENT\nEND:VCALENDAR\n", "f:2:1: syntax"),
    ("BEGIN:VCALENDAR\nEND:VCALENDAR\nEND:VCALENDAR\n", "f:3:1: syntax"),
    ("BEGIN:VCALENDAR\nEND:VCALENDAR\nBEGIN:VCALENDAR\nEND:VCALENDAR\n", "f:3:1: syntax"),
    ("BEGIN:VCALENDAR\nBEGIN:VCALENDAR\nEND:VCALENDAR\nEND:VCALENDAR\n", "f:2:1: syntax"),
    ("BEGIN:VCALENDAR\nno colon\nEND:VCALENDAR\n", "f:2:1: syntax"),
    ("BEGIN:VCALENDAR\nA;B=\"x:y\nEND:VCALENDAR\n", "f:2:1: syntax"),
    ("BEGIN:VCALENDAR\n:x\nEND:VCALENDAR\n", "f:2:1: syntax"),
    (
      "BEGIN:VCALENDAR\n" + String(repeating: "BEGIN:X\n", count: 16), "f:17:1: too-deep"
    ),
  ])
  func refused(_ text: String, _ start: String) {
    let line = Calendars.failure(text)?.description ?? "none"
    #expect(line.prefix(start.count + 2) == start + ": ")
  }

  @Test func badUTF8ComesFirst() {
    let bytes = Array("BEGIN:VCALENDAR\nno colon\nA:".utf8) + [0xff]
    let failure = Calendars.failure(bytes)
    #expect(failure?.reason == .invalidUTF8)
    #expect(failure?.place == .text(line: 3, column: 3))
  }

  @Test func aValueHasALimit() {
    let long = String(repeating: "x", count: FieldValue.maximumByteCount)
    let text = Calendars.text([["UID:a", "DTSTART:20260611", "SUMMARY:\(long)"]])
    #expect(Calendars.failure(text)?.reason == .tooLarge)
  }

  @Test func damagedCalendars() throws {
    var random = SplitMix64(seed: 8)
    let list = try CalendarExportTests.sample()
    let bytes = CalendarExport(list).bytes
    for _ in 0..<500 {
      let file: TripFile
      do {
        file = try TripFile(decoding: damaged(bytes, using: &random), name: "f")
      } catch {
        continue
      }
      guard file.format == .iCalendar else { continue }
      let fresh = file.list()
      #expect(try TripJSON.decode(TripJSON.encode(fresh), file: "x") == fresh)
      guard let once = try? TripImport(file, into: list) else { continue }
      let twice = try TripImport(file, into: once.list)
      #expect(TripJSON.encode(twice.list) == TripJSON.encode(once.list))
    }
  }
}
