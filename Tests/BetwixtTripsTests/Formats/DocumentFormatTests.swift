import Betwixt
import BetwixtTrips
import Testing

@Suite struct DocumentFormatTests {
  @Test(arguments: [
    ("{\"format\":\"betwixt-trip\",\"x\":[1]}", DocumentFormat.tripJSON),
    ("\u{feff} {\"a\":1,\"f\\u006frmat\":\"betwixt-trip\"}", .tripJSON),
    ("{\"format\":\"betwixt-tasks\"}", .tasks), ("{\"format\":\"other\"}", .json),
    ("{\"format\":7}", .json), ("{}", .json), ("[]", .taskwarrior), ("[1]", .json), ("", .json),
    ("rubbish", .json),
    ("{\"items\":[{\"format\":\"betwixt-trip\"}]}", .json),
    ("BEGIN:VCALENDAR\r\n", .iCalendar), ("begin:vcalendar\n", .iCalendar),
    ("\u{feff}BEGIN:VCALENDAR\r\n", .iCalendar), ("BEGIN:VCARD\r\n", .json),
  ])
  func contentDecides(_ text: String, _ format: DocumentFormat) {
    #expect(DocumentFormat.recognize(Array(text.utf8)) == format)
  }

  @Test func binaryIsRecognisedByItsFirstBytes() {
    #expect(DocumentFormat.recognize([0x89, 0x42, 0x54, 0x42, 0x0d]) == .trip)
    #expect(DocumentFormat.recognize([0x89, 0x42, 0x54, 0x44, 0x0d]) == .trip)
    #expect(DocumentFormat.recognize([0x89, 0x42]) == .json)
    let failure = #expect(throws: DocumentFailure.self) {
      try TripFile(decoding: [0x89, 0x42, 0x54, 0x42], name: "a.trip")
    }
    #expect(failure?.place == .binary(offset: 0))
  }

  @Test(arguments: [
    ("a.trip", DocumentFormat.trip), ("a.trip.json", .tripJSON), ("a.json", .json),
    (".trip.json", .tripJSON), ("dir/a.ics", .iCalendar), ("a.md", .markdown), ("a.csv", .csv),
    ("a.gpx", .gpx),
  ])
  func endings(_ name: String, _ format: DocumentFormat) {
    #expect(DocumentFormat(fileName: name) == format)
  }

  @Test func otherEndingsSayNothing() {
    for name in ["", "a", "trip", "json", "a.txt", "a.trip.bak", "a.JSON"] {
      #expect(DocumentFormat(fileName: name) == nil)
    }
  }

  @Test func theFullestInputDecides() {
    #expect(DocumentFormat.fullest(of: [.json, .tripJSON, .trip]) == .trip)
    #expect(DocumentFormat.fullest(of: [.json, .tripJSON]) == .tripJSON)
    #expect(DocumentFormat.fullest(of: [.iCalendar, .json]) == .json)
    #expect(DocumentFormat.fullest(of: [.tasks]) == .tasks)
    #expect(DocumentFormat.fullest(of: [.iCalendar]) == .tripJSON)
    #expect(DocumentFormat.fullest(of: []) == .tripJSON)
  }
}
