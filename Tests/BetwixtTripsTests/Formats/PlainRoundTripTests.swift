import Betwixt
import BetwixtTrips
import Testing

@Suite struct PlainRoundTripTests {
  static let files =
    Copies.trips.flatMap { trip in
      (["base"] + Copies.devices).map { "copies/\(trip)/\($0).json" }
    } + [
      "trips/pacific-coast.json", "trips/road-to-the-final.json", "trips/southern-triangle.json",
      "trips/texas-and-the-plains.json",
    ]

  @Test(arguments: files)
  func canonicalFilesComeBackAsTheyWere(_ path: String) throws {
    let bytes = try Resources.bytes(path)
    let list = try PlainTrip(bytes, file: path).list()
    let export = PlainExport(list)
    #expect(export.bytes == bytes)
    #expect(export.omissions.isEmpty)
    #expect(export.omissions == [])
  }

  @Test(arguments: files)
  func importIsTheSameEverywhereAndTwice(_ path: String) throws {
    let bytes = try Resources.bytes(path)
    let one = try PlainTrip(bytes, file: "here.json").list()
    let other = try PlainTrip(bytes, file: "there.json").list()
    #expect(TripJSON.encode(one) == TripJSON.encode(other))
    #expect(TripJSON.encode(one.merging(other)) == TripJSON.encode(one))
    let file = try TripFile(decoding: bytes, name: path)
    let again = try TripImport(file, into: one)
    #expect(TripJSON.encode(again.list) == TripJSON.encode(one))
    #expect(again.counts == .init(unchanged: one.count))
  }

  @Test(arguments: files)
  func tripJSONKeepsEverything(_ path: String) throws {
    let list = try PlainTrip(Resources.bytes(path), file: path).list()
    let bytes = TripJSON.encode(list)
    let again = try TripJSON.decode(bytes, file: "x")
    #expect(again == list)
    #expect(again.version == list.version)
    #expect(TripJSON.encode(again) == bytes)
  }
}
