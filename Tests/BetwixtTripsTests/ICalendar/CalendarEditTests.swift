import Betwixt
import BetwixtTrips
import Testing

/// What a calendar's user does to events that were exported from a trip.
@Suite struct CalendarEditTests {
  private let game = ForeignIdentity.game("g")
  private let hotel = ForeignIdentity.item("h")
  private let leg = ForeignIdentity.item("l")

  /// Imports the sample after an edit of the lines of one event.
  private func edited(
    _ id: ItemID, _ changes: [String: String?], isNewer: Bool = true, utcOffset: Int? = nil
  ) throws -> (before: ReplicatedList, result: TripImport) {
    let list = try CalendarExportTests.sample()
    var options = ReadingOptions()
    options.utcOffset = utcOffset
    let bytes = exported(list, id, changes, isNewer: isNewer)
    let file = try TripFile(decoding: bytes, name: "c.ics", options: options)
    return (list, try TripImport(file, into: list))
  }

  private func exported(
    _ list: ReplicatedList, _ id: ItemID, _ changes: [String: String?], isNewer: Bool
  ) -> [UInt8] {
    var changes = changes
    if isNewer, changes["LAST-MODIFIED"] == nil {
      changes["LAST-MODIFIED"] = "LAST-MODIFIED:20260701T000000Z"
      changes["SEQUENCE"] = "SEQUENCE:200000000"
    }
    var isInside = false
    var result: [String] = []
    for line in Calendars.unfolded(CalendarExport(list).bytes) {
      if line.hasPrefix("UID:") { isInside = line == "UID:\(id.uuid)" }
      let name = String(line.prefix { $0 != ":" && $0 != ";" })
      if isInside, line == "END:VEVENT" { result += changes.values.compactMap { $0 }.sorted() }
      if isInside, changes.keys.contains(name) { continue }
      result.append(line)
    }
    return Array(result.joined(separator: "\r\n").utf8)
  }

  @Test(
    arguments: [
      ("SUMMARY", #"SUMMARY:New\, title"#, "title", FieldValue.string("New, title")),
      ("SUMMARY", "SUMMARY:", "title", nil),
      ("DESCRIPTION", #"DESCRIPTION:x\ny"#, "note", "x\ny"),
      ("DESCRIPTION", "DESCRIPTION:", "note", nil),
      ("LOCATION", "LOCATION:Elsewhere", "address", "Elsewhere"),
      ("GEO", "GEO:1.5;-2.25", "latitude", 1.5), ("GEO", "GEO:1.5;-2.25", "longitude", -2.25),
      ("DTEND", "DTEND:20260611T161500", "durationMin", 75),
      ("DTEND", "DURATION:PT1H", "durationMin", 60),
    ] as [(String, String, FieldName, FieldValue?)])
  func oneEditIsOneField(name: String, line: String, field: FieldName, value: FieldValue?) throws {
    let (before, result) = try edited(hotel, [name: line])
    #expect(result.counts == .init(updated: 1, unchanged: 2, skipped: 0))
    #expect(result.list[id: hotel]?[field] == value)
    let changed = before.difference(to: result.list).updated
    #expect(changed.count == 1)
    #expect(result.list.map(\.id) == before.map(\.id))
    let time = result.list[id: hotel]?.newestTime
    #expect(time == Timestamp(milliseconds: 1_782_864_000_000))
  }

  @Test func anotherDateAppendsToThatDay() throws {
    let (_, result) = try edited(
      hotel, ["DTSTART": "DTSTART:20260612T150000", "DTEND": "DTEND:20260612T153000"])
    let item = try #require(result.list[id: hotel])
    #expect(item.section == 3)
    #expect(result.list.map(\.id) == [game, leg, hotel])
    #expect(item.key?.approximateSortOrder == 2)
    #expect(item["time"] == "15:00")
    #expect(item["durationMin"] == 30)
  }

  @Test func anotherTimeKeepsThePlace() throws {
    let (before, result) = try edited(
      hotel, ["DTSTART": "DTSTART;TZID=Europe/Berlin:20260611T081000", "DTEND": nil])
    #expect(result.list[id: hotel]?["time"] == "08:10")
    #expect(result.list[id: hotel]?.key == before[id: hotel]?.key)
    #expect(result.list[id: hotel]?["durationMin"] == 30)
    #expect(result.notes == ["c.ics:25: 1 × an event lacks DTEND, and takes as long as before"])
    #expect(
      Calendars.unfolded(CalendarExport(result.list).bytes)
        .contains("DTSTART;TZID=Europe/Berlin:20260611T081000"))
    let day = try edited(hotel, ["DTSTART": "DTSTART;VALUE=DATE:20260611", "DTEND": nil])
      .result
    #expect(day.list[id: hotel]?["time"] == nil)
  }

  @Test func timesOfUTCUseTheOffset() throws {
    let change = ["DTSTART": "DTSTART:20260612T020000Z", "DTEND": "DTEND:20260612T023000Z"]
    let there = try edited(hotel, change, utcOffset: -360).result
    #expect(there.list[id: hotel]?["time"] == "20:00")
    #expect(there.list[id: hotel]?.section == 2)
    #expect(there.notes == [])
    let unknown = try edited(hotel, change).result
    #expect(unknown.list[id: hotel]?["time"] == "02:00")
    #expect(unknown.list[id: hotel]?.section == 3)
    #expect(
      unknown.notes == [
        "c.ics:1: 1 × a time of UTC is shown as it stands: --utc-offset ±HH:MM says which clock "
          + "to show"
      ])
  }

  @Test func aGameIsRescheduled() throws {
    let (_, result) = try edited(
      game, ["DTSTART": "DTSTART:20260613T013000Z", "DTEND": "DTEND:20260613T033000Z"])
    let item = try #require(result.list[id: game])
    #expect(item["start"] == "2026-06-12T19:30-06:00")
    #expect(item.section == 3)
    #expect(item.key?.approximateSortOrder == 1_270)
    #expect(item["durationMin"] == nil)
    let moved = try edited(game, ["LOCATION": #"LOCATION:Elsewhere\, Mexico City"#]).result
    #expect(moved.list[id: game]?["venue"] == "Elsewhere")
    #expect(moved.list[id: game]?["city"] == "Mexico City")
  }

  @Test func aLegKeepsItsRoute() throws {
    let (_, result) = try edited(leg, ["LOCATION": "LOCATION:Elsewhere"])
    #expect(result.list[id: leg]?["from"] == "A")
    #expect(result.counts == .init(unchanged: 3, skipped: 0))
  }

  @Test func whatTheEventLacksIsUnchanged() throws {
    let (before, result) = try edited(
      hotel,
      [
        "SUMMARY": nil, "LOCATION": nil, "DESCRIPTION": nil,
        "DTEND": nil,
      ])
    #expect(TripJSON.encode(result.list) == TripJSON.encode(before))
    let bare = try edited(
      hotel,
      [
        "X-BETWIXT-FIELDS": nil, "X-BETWIXT-DAY": nil, "X-BETWIXT-SORT": nil,
        "SUMMARY": "SUMMARY:T",
      ])
    #expect(bare.result.list[id: hotel]?["title"] == "T")
    #expect(bare.result.list[id: hotel]?["icsUid"] == nil)
    #expect(bare.before.difference(to: bare.result.list).updated.count == 1)
  }

  @Test func anEditWithoutANewVersionIsReported() throws {
    let (before, result) = try edited(hotel, ["SUMMARY": "SUMMARY:T"], isNewer: false)
    #expect(TripJSON.encode(result.list) == TripJSON.encode(before))
    #expect(result.counts == .init(unchanged: 3, skipped: 0))
    #expect(result.notes.count == 1)
  }

  @Test func aGreaterSequenceAloneWins() throws {
    let (_, result) = try edited(
      game, ["SUMMARY": "SUMMARY:T", "SEQUENCE": "SEQUENCE:189486246"], isNewer: false)
    #expect(result.list[id: game]?["title"] == "T")
    #expect(result.counts == .init(updated: 1, unchanged: 2, skipped: 0))
  }

  @Test func aSecondImportChangesNothing() throws {
    for change in ["DTSTART": "DTSTART:20260612T110000", "SUMMARY": "SUMMARY:T"] {
      let list = try CalendarExportTests.sample()
      let file = try TripFile(
        decoding: exported(list, hotel, [change.key: change.value], isNewer: true), name: "c.ics")
      let once = try TripImport(file, into: list)
      let twice = try TripImport(file, into: once.list)
      #expect(once.counts == .init(updated: 1, unchanged: 2, skipped: 0))
      #expect(twice.counts == .init(unchanged: 3, skipped: 0))
      #expect(TripJSON.encode(twice.list) == TripJSON.encode(once.list))
    }
  }

  @Test func whatIsNewerHereStays() throws {
    var list = try CalendarExportTests.sample()
    let old = exported(list, hotel, ["SUMMARY": "SUMMARY:Theirs"], isNewer: true)
    var me = Replica(id: ReplicaID(rawValue: 9)) { 1_790_000_000_000 }
    try list.set("title", of: hotel, to: "Mine", by: &me)
    let result = try TripImport(TripFile(decoding: old, name: "c.ics"), into: list)
    #expect(result.list == list)
    #expect(result.counts == .init(unchanged: 2, skipped: 1))
    #expect(result.notes == ["c.ics:25: skipped: it is newer here"])
  }

  @Test func cancelledEventsAreRemovedOnce() throws {
    let change = ["STATUS": "STATUS:CANCELLED"]
    let (before, result) = try edited(hotel, change)
    #expect(result.counts == .init(unchanged: 2, removed: 1, skipped: 0))
    #expect(result.list[id: hotel]?.isRemoved == true)
    let file = try TripFile(decoding: exported(before, hotel, change, isNewer: true), name: "c.ics")
    let twice = try TripImport(file, into: result.list)
    #expect(TripJSON.encode(twice.list) == TripJSON.encode(result.list))
    #expect(twice.counts == .init(unchanged: 3, skipped: 0))
    let same = try edited(hotel, change, isNewer: false)
    #expect(same.result.list == same.before)
    #expect(same.result.counts == .init(unchanged: 2, skipped: 1))
  }

  @Test func whatWasRemovedHereStaysRemoved() throws {
    var list = try CalendarExportTests.sample()
    let bytes = exported(list, hotel, ["SUMMARY": "SUMMARY:T"], isNewer: true)
    var me = Replica(id: ReplicaID(rawValue: 9)) { 5 }
    try list.remove(hotel, by: &me)
    let result = try TripImport(TripFile(decoding: bytes, name: "c.ics"), into: list)
    #expect(result.list == list)
    #expect(
      result.notes == [
        "c.ics:25: skipped: “Hotel check-in” was removed here; 'betwixt restore' brings it back"
      ])
  }
}
