import Betwixt
import BetwixtTrips
import Testing

/// Files that name no trip and are joined into one.
@Suite struct FilesOfNoTripTests {
  private static func table(_ date: String, _ title: String) throws -> TripFile {
    try Plain.file("Date,Title\n\(date),\(title)\n", "\(title).csv")
  }

  private static func calendar(_ date: String, _ title: String) throws -> TripFile {
    try Calendars.file(
      ["UID:\(title)", "SUMMARY:\(title)", "DTSTART;VALUE=DATE:\(date.replacing("-", with: ""))"])
  }

  /// Whatever identities their contents make: the first day is the earliest one, and the last date of
  /// all is a day of the trip.
  @Test(arguments: [[true, true], [false, false], [true, false], [false, true]])
  func theEarliestFileIsTheTrip(areTables: [Bool]) throws {
    for (one, other) in [("A", "B"), ("B", "A"), ("C", "D"), ("D", "C"), ("E", "F"), ("F", "E")] {
      let early =
        try areTables[0]
        ? Self.table("2026-05-01", one) : Self.calendar("2026-05-01", one)
      let late =
        try areTables[1]
        ? Self.table("2026-05-21", other) : Self.calendar("2026-05-21", other)
      let merges = try [[early, late], [late, early]].map { try TripMerge($0) }
      #expect(merges[0].list == merges[1].list)
      for merge in merges {
        #expect(merge.list.map { $0["title"]?.string } == [one, other])
        #expect(merge.list.map { $0.section } == [1, 21])
        #expect(Trip(merge.list).startDate == CivilDate("2026-05-01"))
        #expect(Trip(merge.list).dayCount == 21)
        #expect(merge.notes == [])
      }
    }
  }

  /// Files of the same titles are of one list, and count from one day.
  @Test func filesOfOneListWithOtherDates() throws {
    func table(_ date: String) throws -> TripFile {
      try Plain.file("Date,Title\n2026-05-\(date),A\n2026-05-09,B\n", "\(date).csv")
    }
    let (early, late) = try (table("01"), table("03"))
    #expect(early.listID == late.listID)
    let merges = try [[early, late], [late, early], [early, late, early]].map { try TripMerge($0) }
    for merge in merges {
      #expect(merge.list == merges[0].list)
      #expect(merge.list.first { $0["title"] == "B" }?.section == 9)
      #expect(Trip(merge.list).startDate == CivilDate("2026-05-01"))
      #expect(Trip(merge.list).dayCount == 9)
    }
    #expect(try TripMerge([early, early]).list == early.list())
  }

  /// Nothing in the file that a document was made of is news to it, whatever became of it since.
  @Test func theFileADocumentWasMadeOfIsNoNews() throws {
    var me = Replica(test: 7)
    let file = try Plain.file("Date,Title\n2026-06-11,Lunch\n2026-06-12,Tour\n", "r.csv")
    var list = file.list()
    let lunch = try #require(list.first?.id)
    try list.move(lunch, toOffset: 0, inSection: 3, by: &me)
    try list.set("title", of: lunch, to: "Dinner", by: &me)
    for isRemoved in [false, true] {
      if isRemoved { try list.remove(lunch, by: &me) }
      let document = TripFile(list: list, name: "r.trip")
      #expect(try TripMerge([document, file]).list == list)
      #expect(try TripMerge([file, document]).list == list)
    }
  }

  private static func feed(_ events: (title: String, day: Int, month: Int)...) throws -> TripFile {
    let lines = events.map { event in
      [
        "UID:\(event.title)", "SUMMARY:\(event.title)", "DTSTART;VALUE=DATE:202606\(event.day)",
        "LAST-MODIFIED:20260\(event.month)01T000000Z",
      ]
    }
    let text = Calendars.text(lines, ["X-WR-CALNAME:Rome"])
    return try TripFile(decoding: Array(text.utf8), name: "c.ics")
  }

  private static func dates(_ list: ReplicatedList) -> [String] {
    let start = Trip(list).startDate
    return list.map { item in
      let date = start.flatMap { start in item.section.flatMap { start + ($0 - 1) } }
      return (item["title"]?.string ?? "") + " " + (date.map { $0.description } ?? "")
    }
  }

  /// A newer version of the calendar that a document was made of counts from the document's first day,
  /// wherever its own events begin.
  @Test func aNewerCalendarKeepsItsDates() throws {
    let (a, b) = ((title: "A", day: 11, month: 1), (title: "B", day: 13, month: 1))
    let old = try Self.feed(a, b)
    let list = old.list()
    let document = TripFile(list: list, name: "r.trip")
    for (new, dates) in [
      (try Self.feed(("B", 13, 2)), ["A 2026-06-11", "B 2026-06-13"]),
      (try Self.feed(("B", 14, 2)), ["A 2026-06-11", "B 2026-06-14"]),
      (try Self.feed(("Z", 10, 2), a, b), ["Z 2026-06-10", "A 2026-06-11", "B 2026-06-13"]),
      (old, ["A 2026-06-11", "B 2026-06-13"]),
    ] {
      #expect(new.listID == list.id)
      let merges = try [[document, new], [new, document]].map { try TripMerge($0) }
      #expect(merges[0].list == merges[1].list)
      #expect(Self.dates(merges[0].list) == dates)
      #expect(try merges[0].list == TripImport(new, into: list).list)
      #expect(Trip(merges[0].list).startDate == CivilDate("2026-06-11"))
    }
    var me = Replica(test: 8)
    var edited = list
    try edited.set("title", of: #require(list.first?.id), to: "a", by: &me)
    try edited.move(#require(list.last?.id), toOffset: 0, inSection: 1, by: &me)
    for isRemoved in [false, true] {
      if isRemoved { try edited.remove(#require(list.first?.id), by: &me) }
      let document = TripFile(list: edited, name: "r.trip")
      #expect(try TripMerge([document, old]).list == edited)
      #expect(try TripMerge([old, document]).list == edited)
    }
  }

  /// What one file says of its days stays.
  @Test func oneFileStaysAsItIs() throws {
    for file in try [Self.table("2026-05-01", "A"), Self.calendar("2026-05-01", "A")] {
      #expect(try TripMerge([file]).list == file.list())
    }
  }
}
