import Betwixt
import BetwixtTrips
import TestSupport
import Testing

@Suite struct FileRobustnessTests {
  private let small = Plain.trip(
    Plain.item("a", #""title":"A","x":{"y":[1]},"n":null,"modifiedAt":"2026-01-05T00:00:00Z""#),
    Plain.item("g", #""kind":"game","gameId":"f","start":"2026-06-11T13:00Z""#),
    Plain.item("c", #""kind":"travel","day":2,"distanceKm":1e2,"json:q":7"#),
    #"{"id":"d","day":2}"#, members: #""name":"T""#)

  // Whatever is accepted becomes a list that keeps all of it through every form.
  private func check(_ bytes: [UInt8], base: TripFile) throws {
    guard let file = try? TripFile(decoding: bytes, name: "f") else { return }
    let list = file.list()
    let state = TripJSON.encode(list)
    #expect(TripJSON.encode(try TripJSON.decode(state, file: "f")) == state)
    let export = PlainExport(list).bytes
    let again = try PlainTrip(export, file: "export").list()
    #expect(PlainExport(again).bytes == export)
    #expect(again.map(\.id) == list.map(\.id))
    _ = Trip(list).rows
    guard file.listID == base.listID else { return }
    let joined = try TripMerge([file], base: base)
    #expect(
      try TripJSON.encode(TripMerge([base, file], base: base).list)
        == TripJSON.encode(joined.list))
    _ = joined.report.lines + joined.report.jsonLines
    _ = TripComparison(from: base.list(), to: joined.list).jsonLines
  }

  @Test func damagedPlainFiles() throws {
    var random = SplitMix64(seed: 4)
    let base = try Plain.file(small)
    for _ in 0..<1_500 { try check(damaged(Array(small.utf8), using: &random), base: base) }
    try check(Array(small.utf8), base: base)
  }

  @Test func truncationsAreRefused() throws {
    let bytes = Array(small.utf8)
    for count in 0..<bytes.count {
      #expect(throws: DocumentFailure.self) {
        try TripFile(decoding: Array(bytes[..<count]), name: "f")
      }
    }
  }

  @Test func damagedCopies() throws {
    var random = SplitMix64(seed: 5)
    let bytes = try Resources.bytes("copies/east-coast-june/base.json")
    let base = try TripFile(decoding: bytes, name: "base")
    for _ in 0..<40 { try check(damaged(bytes, using: &random), base: base) }
  }
}
