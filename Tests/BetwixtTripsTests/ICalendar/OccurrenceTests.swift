import Betwixt
import BetwixtTrips
import Testing

/// One day of a series is one item, however its calendar spells which day it is.
@Suite struct OccurrenceTests {
  private static let zone = [
    "BEGIN:VTIMEZONE", "TZID:Club", "BEGIN:STANDARD", "DTSTART:16010101T000000",
    "TZOFFSETFROM:+0500", "TZOFFSETTO:+0500", "END:STANDARD", "END:VTIMEZONE",
  ]

  private static func file(
    _ recurrence: String, zone: String, version: Int = 0, _ more: String...
  ) throws -> TripFile {
    try Calendars.file(
      ["UID:s", "DTSTART;TZID=\(zone):20260501T100000", "RRULE:FREQ=WEEKLY", "SUMMARY:Yoga"],
      [
        "UID:s", "SEQUENCE:\(version)", "RECURRENCE-ID\(recurrence)",
        "DTSTART;TZID=\(zone):20260508T150000", "SUMMARY:Late \(version)",
      ] + more, head: zone == "Club" ? Self.zone : [])
  }

  private static func spellings(_ zone: String) -> [String] {
    [
      ";TZID=\(zone):20260508T100000", ";VALUE=DATE-TIME;TZID=\"\(zone)\":20260508T100000",
      ";X-A=1;TZID=\(zone):20260508T100000", ":20260508T100000",
      zone == "Club" ? ":20260508T050000Z" : ":20260508T080000Z",
    ]
  }

  @Test(arguments: ["Club", "Europe/Rome"]) func aDayIsTheSameInEachSpelling(
    _ zone: String
  ) throws {
    let spellings = Self.spellings(zone)
    for first in spellings {
      let old = try Self.file(first, zone: zone)
      let list = try TripImport(old).list
      // As it came.
      let bytes = CalendarExport(list).bytes
      let lines = Calendars.unfolded(bytes)
      #expect(lines.contains("RECURRENCE-ID" + first))
      #expect(lines.count { $0 == "UID:s" } == 2)
      #expect(!lines.contains { $0.hasPrefix("X-BETWIXT-ID") })
      let back = try TripFile(decoding: bytes, name: "b.ics")
      #expect(CalendarExport(back.list()).bytes == bytes)
      for other in spellings {
        let new = try Self.file(other, zone: zone, version: 1)
        for base in [nil, old] {
          let result = try TripImport(new, into: list, base: base)
          #expect(result.counts.added == 0 && result.counts.removed == 0, "\(first) \(other)")
          #expect(result.list.count == 2)
          let lines = Calendars.unfolded(CalendarExport(result.list).bytes)
          #expect(lines.contains("RECURRENCE-ID" + other) && lines.contains("SUMMARY:Late 1"))
        }
      }
    }
  }

  /// In the hour that a clock shows twice, UTC says which one is meant.
  @Test func theHourThatIsShownTwice() throws {
    let day = ["UID:s", "DTSTART;TZID=Europe/Rome:20261025T120000"]
    let file = try Calendars.file(
      day + ["RECURRENCE-ID:20261025T003000Z"], day + ["RECURRENCE-ID:20261025T013000Z"],
      day + ["RECURRENCE-ID;RANGE=THISANDFUTURE;TZID=Europe/Rome:20261025T023000"])
    let result = try TripImport(file)
    #expect(result.counts.added == 3)
    #expect(try TripImport(file, into: result.list).list == result.list)
  }

  /// The zone of the day goes with that of its series.
  @Test func aDayIsNamedByTheZoneOfItsSeries() throws {
    let other = Self.zone.map { $0.replacing("+0500", with: "+0100") }
    let start = ["UID:o", "DTSTART;TZID=Club:20260501T100000", "SUMMARY:Other"]
    var list = try TripImport(Calendars.file(start, head: other)).list
    list = try TripImport(Self.file(Self.spellings("Club")[0], zone: "Club"), into: list).list
    let lines = Calendars.unfolded(CalendarExport(list).bytes)
    let late = try #require(lines.first { $0.hasSuffix(":20260508T150000") })
    let zone = late.dropFirst("DTSTART".count).prefix { $0 != ":" }
    #expect(zone.hasPrefix(";TZID=Club "))
    #expect(lines.contains("RECURRENCE-ID\(zone):20260508T100000"))
    let back = try TripFile(decoding: CalendarExport(list).bytes, name: "b.ics")
    #expect(try TripImport(back, into: list, base: back).list == list)
  }

  /// A day of UTC whose event has no zone any more says itself which item it is.
  @Test func aDayOfUTCThatLasts() throws {
    var list = try TripImport(Self.file(":20260508T050000Z", zone: "Club")).list
    let late = try #require(list.first { $0["title"] == "Late 0" }).id
    var me = Replica(test: 8)
    try list.clear("time", of: late, by: &me)
    let bytes = CalendarExport(list).bytes
    let lines = Calendars.unfolded(bytes)
    #expect(lines.contains("DTSTART;VALUE=DATE:20260508"))
    #expect(lines.count { $0 == "UID:s" } == 2)
    #expect(lines.contains("X-BETWIXT-ID:\(late.uuid)"))
    let back = try TripFile(decoding: bytes, name: "b.ics")
    for base in [nil, back] { #expect(try TripImport(back, into: list, base: base).list == list) }
    #expect(back.list()[id: late] != nil)
  }

  /// What an earlier version made of the spelling is the item, as long as the list has no other.
  @Test func aDayOfAnEarlierVersion() throws {
    let spelling = ";TZID=Europe/Rome:20260508T100000"
    let file = try Self.file(spelling, zone: "Europe/Rome")
    let new = try TripImport(file).list
    let late = try #require(new.first { $0["title"] == "Late 0" })
    let former = ForeignIdentity.event("s", recurrence: spelling)
    #expect(late.id != former)
    var builder = Delta.Builder()
    for item in new.allItems() {
      let id = item.id == late.id ? former : item.id
      for entry in item.entries {
        try builder.add(
          Entry(
            item: id, register: entry.register, value: entry.value, stamp: entry.stamp,
            sequence: entry.sequence))
      }
    }
    var list = ReplicatedList(id: new.id)
    list.merge(builder.build())
    let bytes = CalendarExport(list).bytes
    let lines = Calendars.unfolded(bytes)
    #expect(lines.count { $0 == "UID:s" } == 2 && lines.contains("X-BETWIXT-ID:\(former.uuid)"))
    let back = try TripFile(decoding: bytes, name: "b.ics")
    for file in [file, back] {
      for base in [nil, file] {
        #expect(try TripImport(file, into: list, base: base).list == list)
      }
    }
  }
}
