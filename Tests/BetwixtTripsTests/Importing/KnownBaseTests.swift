import Betwixt
import BetwixtTrips
import Testing

/// A base is there to be compared with: what it says comes into no document.
@Suite struct KnownBaseTests {
  private static func event(
    _ uid: String, _ start: String, title: String? = nil, modified: String = "20260301",
    _ more: String...
  ) -> [String] {
    [
      "UID:\(uid)", "DTSTAMP:\(modified)T000000Z", "LAST-MODIFIED:\(modified)T000000Z",
      "DTSTART:\(start)", "SUMMARY:\(title ?? uid)",
    ] + more
  }

  /// A calendar's first and last event say how long the trip is, which only counts for a new one.
  @Test func aBaseSaysNothingOfTheTripItself() throws {
    let first = Self.event("a", "20260505T100000")
    let zone = ["BEGIN:VTIMEZONE", "TZID:Club", "COMMENT:", "END:VTIMEZONE"]
    let old = try Calendars.file(
      first, Self.event("b", "20260511T100000"), head: ["NAME:A", "X-WR-TIMEZONE:Europe/Berlin"])
    let new = try Calendars.file(
      first, Self.event("b", "20260506T100000"),
      head: ["NAME:B", "X-WR-TIMEZONE:Europe/Rome"] + zone)
    let list = try TripImport(new, into: TripImport(old).list, base: old).list
    #expect(list.metadata[.days] == 7)
    let again = try TripImport(new, into: list, base: new).list
    #expect(TripJSON.encode(again) == TripJSON.encode(list))
    let merge = try TripMerge([TripFile(list: list, name: "here"), new], base: new)
    #expect(TripJSON.encode(merge.list) == TripJSON.encode(list))
  }

  /// A table shows a kind for every item, also where none was written.
  @Test func whatOnlyAFormatSaysIsNoEdit() throws {
    let list = try Plain.list(Plain.trip(Plain.item("a", #""title":"A","note":"n""#)))
    let sent = try TripFile(decoding: CSVExport(list).bytes, name: "sent.csv")
    let result = try TripImport(sent, into: list, base: sent)
    #expect(TripJSON.encode(result.list) == TripJSON.encode(list))
    #expect(result.counts == .init(unchanged: 1))
    let merge = try TripMerge([TripFile(list: list, name: "here"), sent], base: sent)
    #expect(TripJSON.encode(merge.list) == TripJSON.encode(list))
  }

  /// What the document never knew comes in whole, with what the file did to it.
  @Test func whatTheDocumentNeverKnewComesWithTheBase() throws {
    let old = Plain.trip(Plain.item("a", #""title":"A","note":"n""#))
    let new = Plain.trip(Plain.item("a", #""title":"B","note":"n""#))
    let list = try Plain.list(Plain.trip(Plain.item("b", #""title":"C""#)))
    let result = try TripImport(Plain.file(new), into: list, base: Plain.file(old)).list
    #expect(result[id: Plain.itemA]?["title"] == "B")
    #expect(result[id: Plain.itemA]?["note"] == "n")
    #expect(result[id: Plain.itemB]?["title"] == "C")
  }
}
