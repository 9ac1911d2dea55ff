import Betwixt
import BetwixtTrips
import Testing

/// What a file could not say is not gone, and what it names is known again.
@Suite struct SkippedItemTests {
  private func tasks(_ lines: [String]...) throws -> TripFile {
    let all = lines.flatMap { ["BEGIN:VTODO"] + $0 + ["END:VTODO"] }
    let text = (["BEGIN:VCALENDAR"] + all + ["END:VCALENDAR", ""]).joined(separator: "\r\n")
    return try TripFile(decoding: Array(text.utf8), name: "t.ics")
  }

  @Test(arguments: ["DUE:someday", "LAST-MODIFIED:00010101T000000Z"])
  func aTaskThatCannotBeReadIsNotRemoved(_ bad: String) throws {
    let sent = try tasks(["UID:a", "SUMMARY:A"], ["UID:b", "SUMMARY:B"], ["UID:c", "SUMMARY:C"])
    let list = try TripImport(sent).list
    let back = try tasks(["UID:a", "SUMMARY:A", bad], ["UID:b", "SUMMARY:B"])
    let result = try TripImport(back, into: list, base: sent)
    #expect(result.list.map { $0["text"] } == ["A", "B"])
    #expect(result.counts.removed == 1)
    #expect(result.notes.count == 1)
    // One without a UID may be any.
    let unknown = try tasks(["SUMMARY:A", bad], ["UID:b", "SUMMARY:B"])
    let kept = try TripImport(unknown, into: list, base: sent)
    #expect(kept.list == list)
    #expect(
      kept.notes.last == "t.ics:1: 2 × missing item stays: what could not be read has no id")
  }

  /// A task that stands in the file twice, and can be read once, is in the file: what it says as its
  /// base does is no edit.
  @Test func whatIsReadOnceIsNotSkipped() throws {
    var me = Replica(test: 7)
    let note = "DESCRIPTION:n"
    let sent = try tasks(["UID:a", "SUMMARY:A", note], ["UID:b", "SUMMARY:B"])
    var list = try TripImport(sent).list
    let id = try #require(list.first { $0["text"] == "A" }?.id)
    try list.set("note", of: id, to: "mine", by: &me)
    let bad = ["UID:a", "SUMMARY:A", "DUE:someday"]
    let edited = ["UID:a", "SUMMARY:edited", note, "LAST-MODIFIED:20990101T000000Z"]
    let back = try tasks(edited, bad, ["UID:b", "SUMMARY:B"])
    let result = try TripImport(back, into: list, base: sent)
    #expect(result.list[id: id]?["text"] == "edited")
    #expect(result.list[id: id]?["note"] == "mine")
    #expect(result.counts == .init(updated: 1, unchanged: 1))
  }

  @Test func aReservationWithoutATimeMayBeAny() throws {
    func file(_ times: String...) throws -> TripFile {
      let all = times.enumerated().map { index, time in
        #"{"@context":"http://schema.org","@type":"FoodEstablishmentReservation","#
          + #""reservationFor":{"@type":"FoodEstablishment","name":"R\#(index)"}\#(time)}"#
      }
      return try Plain.file("[" + all.joined(separator: ",") + "]", "r.json")
    }
    let (first, second) = (
      #","startTime":"2026-05-03T18:00:00""#, #","startTime":"2026-05-04T18:00:00""#
    )
    let sent = try file(first, second)
    let list = try TripImport(sent).list
    #expect(try TripImport(file(first), into: list, base: sent).counts.removed == 1)
    let result = try TripImport(file(first, ""), into: list, base: sent)
    #expect(result.list == list)
    #expect(
      result.notes == [
        "r.json:1: skipped: it has no time",
        "r.json:1: 1 × missing item stays: what could not be read has no id",
      ])
    // What was removed here does not stay.
    var me = Replica(test: 9)
    var less = list
    try less.remove(list[1].id, by: &me)
    let unknown = try TripImport(file(first, ""), into: less, base: sent)
    #expect(unknown.list == less)
    #expect(unknown.notes == ["r.json:1: skipped: it has no time"])
  }

  /// A row whose id was emptied is another item, wherever it stands.
  @Test(arguments: [true, false]) func anIDComesBeforeATitle(_ isFirst: Bool) throws {
    var me = Replica(test: 4)
    var list = try Plain.list(Plain.trip())
    let lunch = try list.append(
      ["kind": "custom", "title": "Lunch", "secret": "x"], toSection: 2, by: &me)
    let sent = try TripFile(decoding: CSVExport(list).bytes, name: "s.csv")
    let own = "2026-06-12,1,\(lunch.uuid),custom,Lunch"
    let copy = "2026-06-11,1,,custom,Lunch"
    let rows = ["date,order,id,kind,title"] + (isFirst ? [copy, own] : [own, copy])
    let file = try Plain.file(rows.joined(separator: "\n") + "\n", "r.csv")
    for base in [nil, sent] {
      let result = try TripImport(file, into: list, base: base)
      #expect(result.counts.added == 1)
      #expect(result.list[id: lunch]?.entries == list[id: lunch]?.entries)
      #expect(result.list.map { $0.section } == [1, 2])
      #expect(result.losses.isEmpty)
    }
  }

  @Test func whatWasRemovedHereStaysRemoved() throws {
    var me = Replica(test: 5)
    var list = try Plain.list(
      Plain.trip(
        Plain.item("a", #""title":"A","latitude":1,"longitude":2"#),
        Plain.item("b", #""title":"B","sortOrder":2,"latitude":1,"longitude":3"#)))
    let file = try TripFile(decoding: GPXExport(list).bytes, name: "r.gpx")
    try list.remove(Plain.itemB, by: &me)
    let result = try TripImport(file, into: list)
    #expect(result.counts == .init(unchanged: 1, keptRemoved: 1))
    #expect(result.list == list)
    // With a base, a text that the base lacks is a new one.
    let base = try TripFile(decoding: GPXExport(list).bytes, name: "b.gpx")
    #expect(try TripImport(file, into: list, base: base).counts.added == 1)
    let document = TripFile(list: list, name: "b")
    #expect(try TripImport(file, into: list, base: document).counts.added == 1)
  }
  /// What was removed from one day says nothing of a new row of another.
  @Test func aTitleThatWasRemovedCanComeAgain() throws {
    var me = Replica(test: 6)
    func file(_ day: Int) throws -> TripFile {
      try Plain.file("Date,Title\n2026-06-\(day),Lunch\n", "r.csv")
    }
    var list = try TripImport(file(11), into: Plain.list(Plain.trip())).list
    let first = try #require(list.first?.id)
    try list.remove(first, by: &me)
    #expect(try TripImport(file(11), into: list).list == list)
    let result = try TripImport(file(12), into: list)
    #expect(result.counts == .init(added: 1))
    #expect(result.list.map { $0.section } == [2])
    #expect(result.list[id: first]?.isRemoved == true)
    let again = try TripImport(file(12), into: result.list)
    #expect(again.list == result.list && again.counts == .init(unchanged: 1))
    // A file that says no day means what was removed anywhere.
    var options = ReadingOptions()
    options.startDate = CivilDate("2026-06-11")
    let point = #"<gpx><wpt lat="1" lon="2"><name>Lunch</name></wpt></gpx>"#
    let points = try TripFile(decoding: Array(point.utf8), name: "p.gpx", options: options)
    var empty = try TripImport(file(12), into: Plain.list(Plain.trip())).list
    let second = try #require(empty.first?.id)
    try empty.remove(second, by: &me)
    #expect(try TripImport(points, into: empty).counts == .init(keptRemoved: 1))
    // In the base as well, it is neither new nor gone.
    let known = try TripImport(file(12), into: list, base: file(12)).list
    #expect(known.allItems().map { $0.id } == list.allItems().map { $0.id })
  }

  /// On which day it came is not known of what was moved before it was removed.
  @Test func whatWasMovedAndRemovedStaysSo() throws {
    var me = Replica(test: 8)
    let file = try Plain.file("Date,Title\n2026-06-11,Lunch\n", "r.csv")
    var list = try TripImport(file, into: Plain.list(Plain.trip())).list
    let lunch = try #require(list.first?.id)
    try list.move(lunch, toOffset: 0, inSection: 2, by: &me)
    try list.remove(lunch, by: &me)
    for base in [nil, file] {
      #expect(try TripImport(file, into: list, base: base).list == list)
    }
    #expect(try TripImport(file, into: list).counts == .init(keptRemoved: 1))
    list.forget(below: list.version)
    #expect(try TripImport(file, into: list).list == list)
  }

  /// A new title does not hide that it was moved.
  @Test func whatWasMovedAndRenamedAndRemovedStaysSo() throws {
    var me = Replica(test: 10)
    let file = try Plain.file("Date,Title\n2026-06-11,Lunch\n", "r.csv")
    var list = try TripImport(file, into: Plain.list(Plain.trip())).list
    let lunch = try #require(list.first?.id)
    try list.move(lunch, toOffset: 0, inSection: 2, by: &me)
    try list.set("title", of: lunch, to: "Late lunch", by: &me)
    try list.remove(lunch, by: &me)
    let result = try TripImport(file, into: list)
    #expect(result.list == list)
    #expect(result.counts == .init(keptRemoved: 1))
  }

  /// A drag within a day cannot be told from one to it, so the row that may be a new one is named.
  @Test func whatMayBeNewIsNamed() throws {
    var me = Replica(test: 11)
    func file(_ day: Int) throws -> TripFile {
      try Plain.file("Date,Title\n2026-06-\(day),Lunch\n2026-06-11,Tour\n", "r.csv")
    }
    var list = try TripImport(file(11), into: Plain.list(Plain.trip())).list
    let lunch = try #require(list.first { $0["title"] == "Lunch" }?.id)
    try list.move(lunch, toOffset: 2, inSection: 1, by: &me)
    try list.remove(lunch, by: &me)
    let result = try TripImport(file(12), into: list)
    #expect(result.list == list)
    #expect(result.counts == .init(unchanged: 1, keptRemoved: 1))
    let words = "r.csv:2: skipped: “Lunch” was removed here; 'betwixt restore' brings it back"
    #expect(result.notes == [words])
    #expect(try TripImport(file(11), into: list).notes == [])
  }

  /// What a person does to the first day makes no new row of a table an old one.
  @Test func aFirstDayWrittenByHandTakesNoNewRow() throws {
    var me = Replica(test: 9)
    func file(_ day: Int) throws -> TripFile {
      try Plain.file("Date,Title\n2026-06-\(day),Lunch\n", "r.csv")
    }
    var list = try Plain.list(Plain.trip())
    try list.set("startDate", of: .root, to: "2026-06-10", by: &me)
    list = try TripImport(file(11), into: list).list
    try list.remove(#require(list.first?.id), by: &me)
    #expect(try TripImport(file(11), into: list).counts == .init(keptRemoved: 1))
    #expect(try TripImport(file(12), into: list).counts == .init(added: 1))
  }

  /// Nor where the item was made here, or taken in as somebody's own edits, before the day was written.
  @Test(arguments: [true, false]) func aFirstDayWrittenLaterTakesNoNewRow(isOwn: Bool) throws {
    var me = Replica(test: 12)
    func file(_ day: Int) throws -> TripFile {
      try Plain.file("Date,Title\n2026-06-\(day),Lunch\n", "r.csv")
    }
    var list = try Plain.list(Plain.trip())
    if isOwn {
      list = try TripImport(file(11), into: list).edits(of: list, by: &me)
    } else {
      try list.append(["kind": "custom", "title": "Lunch"], toSection: 1, by: &me)
    }
    for date in ["2026-06-10", "2026-06-11"] as [FieldValue] {
      try list.set("startDate", of: .root, to: date, by: &me)
    }
    try list.remove(#require(list.first?.id), by: &me)
    #expect(try TripImport(file(11), into: list).counts == .init(keptRemoved: 1))
    #expect(try TripImport(file(12), into: list).counts == .init(added: 1))
  }
}
