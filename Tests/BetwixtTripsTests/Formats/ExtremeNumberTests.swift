import Betwixt
import Testing

@testable import BetwixtTrips

/// Numbers at the ends of 64 bits, which any file can hold.
@Suite struct ExtremeNumberTests {
  private static func list(_ text: String) throws -> ReplicatedList {
    try TripImport(TripFile(decoding: Array(text.utf8), name: "f")).list
  }

  @Test(arguments: [Int64.min, .max])
  func daysOfOtherPrograms(day: Int64) throws {
    let route = """
      <gpx creator="Betwixt"><rte><name>Day 1, 2026-05-01</name><number>\(day)</number>\
      <rtept lat="1" lon="1"><time>2026-05-01T10:00:00Z</time></rtept></rte></gpx>
      """
    _ = try? Self.list(route)
    let trek = """
      {"trip":{"title":"T"},"days":[{"id":1,"day_number":\(day),"date":"2026-05-01",\
      "assignments":[{"id":1,"place":{"id":1,"name":"A"}}]}]}
      """
    #expect(try Self.list(trek).count == 1)
  }

  @Test func theDayOfARouteIsNoLength() throws {
    let route = """
      <gpx creator="Betwixt"><rte><name>Day 1, 2026-05-01</name><number>-5</number>\
      <rtept lat="1" lon="1"></rtept></rte></gpx>
      """
    #expect(try Self.list(route).metadata[.days] == 1)
  }

  /// Any writer can put such an end into a list that is shared.
  @Test(arguments: [Int64.min, .max])
  func minutesOfAnEndThatIsKept(minutes: Int64) throws {
    let end = "2026-05-03T10:00/\(minutes) :20260503T120000"
    let list = try Plain.list(
      Plain.trip(Plain.item("a", #""time":"10:00","durationMin":60,"ics:DTEND":"\#(end)""#)))
    #expect(!(try list.encoded(as: .iCalendar).bytes.isEmpty))
  }
}
