import Betwixt
import BetwixtTrips
import Testing

@Suite struct CalendarRoundTripTests {
  private func check(_ list: ReplicatedList) throws {
    let export = CalendarExport(list)
    let file = try TripFile(decoding: export.bytes, name: "trip.ics")
    #expect(file.format == .iCalendar)
    #expect(file.listID == list.id)
    let again = try TripImport(file, into: list)
    #expect(TripJSON.encode(again.list) == TripJSON.encode(list))
    #expect(again.counts == .init(unchanged: list.count - export.omittedCount, skipped: 0))
    #expect(again.notes == [])

    let fresh = try TripImport(file)
    #expect(CalendarExport(fresh.list).bytes == export.bytes)
    #expect(fresh.counts == .init(added: list.count - export.omittedCount, skipped: 0))
    let twice = try TripImport(file, into: fresh.list)
    #expect(TripJSON.encode(twice.list) == TripJSON.encode(fresh.list))
    #expect(TripJSON.encode(file.list()) == TripJSON.encode(fresh.list))
  }

  @Test(arguments: PlainRoundTripTests.files)
  func worldCupTrips(_ path: String) throws {
    let list = try PlainTrip(Resources.bytes(path), file: path).list()
    try check(list)
    // A fresh document has everything that plain JSON shows, but for the times of writing.
    let fresh = try TripFile(decoding: CalendarExport(list).bytes, name: "trip.ics").list()
    #expect(fresh.map(\.id) == list.map(\.id))
    #expect(fresh.map(\.fields) == list.map(\.fields))
  }

  @Test func randomTrips() throws {
    for seed in 0..<100 as Range<UInt64> { try check(try RandomTrip.list(seed: seed)) }
  }

  @Test func lineFeedsAndLowerCaseAreRead() throws {
    let list = try CalendarExportTests.sample()
    let text = Calendars.unfolded(CalendarExport(list).bytes).map { line in
      let colon = line.firstIndex(of: ":") ?? line.endIndex
      return line[..<colon].lowercased() + line[colon...]
    }
    let file = try TripFile(decoding: Array(text.joined(separator: "\n").utf8), name: "c.ics")
    #expect(try TripImport(file, into: list).counts == .init(unchanged: 3, skipped: 0))
  }
}
