import Betwixt
import BetwixtTrips
import Testing

@Suite struct CalendarExportTests {
  static func sample() throws -> ReplicatedList {
    try Plain.list(
      #"""
      {"id":"t","startDate":"2026-06-10","days":3,"name":"Trip, 1","items":[
      {"id":"g","kind":"game","start":"2026-06-11T13:00-06:00","home":"Mexico","away":"South Africa",
      "venue":"Estadio Azteca","city":"Mexico City","latitude":19.30306,"longitude":-99.15056,
      "modifiedAt":"2026-01-02T03:04:05.600Z"},
      {"id":"h","day":2,"sortOrder":1301,"time":"15:00","title":"Hotel\ncheck-in","note":"a;b",
      "durationMin":30,"address":"Main St 1"},
      {"id":"l","kind":"travel","day":3,"from":"A","to":"B"}]}
      """#)
  }

  @Test func oneEventForEachItem() throws {
    let list = try CalendarExportTests.sample()
    let ids = list.map(\.id.uuid)
    #expect(
      Calendars.unfolded(CalendarExport(list).bytes) == [
        "BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Betwixt//Betwixt 1//EN", #"NAME:Trip\, 1"#,
        #"X-WR-CALNAME:Trip\, 1"#, "X-BETWIXT-TRIP:\(list.id.uuid)", "X-BETWIXT-START:2026-06-10",
        "X-BETWIXT-DAYS:3", "BEGIN:VEVENT", "UID:\(ids[0])", "DTSTAMP:20260102T030405Z",
        "LAST-MODIFIED:20260102T030405Z", "SEQUENCE:0", "DTSTART:20260611T190000Z",
        "DTEND:20260611T210000Z", "SUMMARY:Mexico – South Africa",
        #"LOCATION:Estadio Azteca\, Mexico City"#, "GEO:19.30306;-99.15056", "CATEGORIES:game",
        "X-BETWIXT-KIND:game", "X-BETWIXT-DAY:2", "X-BETWIXT-SORT:880.0",
        #"X-BETWIXT-FIELDS:{"away":"South Africa"\,"city":"Mexico City"\,"home":"Mexico"\,"id":"g"\,"#
          + #""kind":"game"\,"latitude":19.30306\,"longitude":-99.15056\,"#
          + #""start":"2026-06-11T13:00-06:00"\,"venue":"Estadio Azteca"}"#,
        "END:VEVENT", "BEGIN:VEVENT", "UID:\(ids[1])", "DTSTAMP:19700101T000000Z",
        "LAST-MODIFIED:19700101T000000Z", "SEQUENCE:0", "DTSTART:20260611T150000",
        "DTEND:20260611T153000", #"SUMMARY:Hotel\ncheck-in"#, "LOCATION:Main St 1",
        #"DESCRIPTION:a\;b"#, "CATEGORIES:custom", "X-BETWIXT-KIND:custom", "X-BETWIXT-DAY:2",
        "X-BETWIXT-SORT:1301.0",
        #"X-BETWIXT-FIELDS:{"address":"Main St 1"\,"durationMin":30\,"id":"h"\,"note":"a\;b"\,"#
          + #""time":"15:00"\,"title":"Hotel\\ncheck-in"}"#,
        "END:VEVENT", "BEGIN:VEVENT", "UID:\(ids[2])", "DTSTAMP:19700101T000000Z",
        "LAST-MODIFIED:19700101T000000Z", "SEQUENCE:0", "DTSTART;VALUE=DATE:20260612",
        "DTEND;VALUE=DATE:20260613", "SUMMARY:A → B", "LOCATION:A", "CATEGORIES:travel",
        "X-BETWIXT-KIND:travel", "X-BETWIXT-DAY:3", "X-BETWIXT-SORT:1.0",
        #"X-BETWIXT-FIELDS:{"from":"A"\,"id":"l"\,"kind":"travel"\,"to":"B"}"#, "END:VEVENT",
        "END:VCALENDAR",
      ])
  }

  @Test func linesFoldAtSeventyFiveBytesBetweenCharacters() throws {
    for seed in 0..<40 as Range<UInt64> {
      let bytes = CalendarExport(try RandomTrip.list(seed: seed)).bytes
      let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
      #expect(lines.last == [])
      for line in lines.dropLast() {
        #expect(line.last == UInt8(ascii: "\r"))
        #expect(line.count - 1 <= 75)
        #expect(String(validating: line, as: UTF8.self) != nil)
      }
    }
  }

  @Test(
    arguments: [
      ("9999-12-31", 1, 0, "DTSTART;VALUE=DATE:99991231"), ("9999-12-31", 2, 1, nil),
      ("2026-06-10", .max, 1, nil), ("2026-06-10", .min, 1, nil),
      ("0001-01-01", 1, 0, "DTSTART;VALUE=DATE:00010101"),
    ] as [(String, Int64, Int, String?)])
  func datesOutsideTheCalendarAreLeftOut(
    start: String, day: Int64, omitted: Int, line: String?
  ) throws {
    let list = try Plain.list(
      #"{"id":"t","startDate":"\#(start)","items":[{"id":"a","day":\#(day)}]}"#)
    let export = CalendarExport(list)
    #expect(export.omittedCount == omitted)
    let lines = Calendars.unfolded(export.bytes)
    #expect(lines.first { $0.hasPrefix("DTSTART") } == line)
  }

  @Test func theNewestWriteMakesTheVersion() throws {
    var list = try CalendarExportTests.sample()
    let before = Calendars.unfolded(CalendarExport(list).bytes)
    #expect(before.contains("SEQUENCE:0"))
    var me = Replica(id: ReplicaID(rawValue: 9)) { 1_577_836_805_999 }
    try list.set(.startDate, of: .root, to: "2026-06-11", by: &me)
    let after = Calendars.unfolded(CalendarExport(list).bytes)
    #expect(after.filter { $0 == "SEQUENCE:1" }.count == 3)
    #expect(after.filter { $0 == "LAST-MODIFIED:20200101T000005Z" }.count == 2)
  }
}
