import Betwixt
import BetwixtTrips
import Testing

@Suite struct BaseImportTests {
  private let baseText = Plain.trip(
    Plain.item("a", #""title":"A","note":"n","sortOrder":5,"modifiedAt":"2026-01-05T00:00:00Z""#),
    Plain.item("b", #""title":"B","sortOrder":10"#),
    Plain.item("c", #""day":2,"x":{"y":1}"#), members: #""name":"T""#)

  /// The writes that a file adds to the base.
  private func changes(_ text: String, base: String? = nil) throws -> [Entry] {
    let base = try Plain.list(base ?? baseText)
    let joined = try Plain.file(text).list(base: base)
    let known = Set(base.allItems().flatMap(\.entries))
    return joined.allItems().flatMap(\.entries).filter { !known.contains($0) }
  }

  private func words(_ entries: [Entry]) -> [String] {
    let names: [ItemID: String] = [
      .root: "t", Plain.itemA: "a", Plain.itemB: "b", Plain.itemC: "c",
    ]
    return entries.map { "\(names[$0.item] ?? "?") \($0.register)" }
  }

  @Test func anUneditedFileChangesNothing() throws {
    #expect(try changes(baseText).isEmpty)
    for trip in Copies.trips {
      let base = try Copies.file(trip, "base").list()
      let export = try TripFile(decoding: PlainExport(base).bytes, name: "export")
      #expect(try TripJSON.encode(export.list(base: base)) == TripJSON.encode(base))
    }
  }

  @Test func onlyWhatChangedBecomesWrites() throws {
    let edited = try changes(
      Plain.trip(
        Plain.item("a", #""title":"New","note":"n","sortOrder":5,"icon":"i""#),
        Plain.item("b", #""title":"B","sortOrder":11"#), Plain.item("c", #""day":2,"x":{"y":2}"#),
        members: #""name":"U""#))
    // Entries come by item id.
    #expect(words(edited) == ["t name", "a icon", "a title", "c json:x", "b position"])
  }

  @Test func whatTheFileLacksIsUnchangedButItemsAreRemoved() throws {
    let edited = try changes(
      Plain.trip(#"{"id":"a","day":1,"sortOrder":5}"#, #"{"id":"c","day":2,"sortOrder":1}"#))
    #expect(words(edited) == ["b life"])
    #expect(edited.first?.value == .life(2))
  }

  @Test func everyChangeBeatsTheBase() throws {
    let forgetful = try changes(
      Plain.trip(
        Plain.item("a", #""title":"New","sortOrder":5"#),
        Plain.item("b", #""sortOrder":10"#), Plain.item("c", #""day":2"#)))
    let baseTime = Timestamp(milliseconds: 1_767_571_200_000)
    #expect(forgetful.map(\.stamp.time) == [baseTime.successor])
    let honest = try changes(
      Plain.trip(
        Plain.item("a", #""title":"New","sortOrder":5,"modifiedAt":"2026-02-01T00:00:00Z""#),
        Plain.item("b", #""sortOrder":10"#), Plain.item("c", #""day":2"#)))
    #expect(honest.map(\.stamp.time) == [Timestamp(milliseconds: 1_769_904_000_000)])
  }

  @Test func nullClearsWhatTheBaseHas() throws {
    let edited = try changes(
      Plain.trip(
        Plain.item("a", #""title":null,"icon":null,"sortOrder":5"#),
        Plain.item("b", #""sortOrder":10"#), Plain.item("c", #""day":2,"x":null"#)))
    #expect(Set(words(edited)) == ["a title", "c json:x"])
    #expect(edited.allSatisfy { $0.value == .field(nil) })
  }

  @Test func aMemberThatChangesItsFormClearsTheOther() throws {
    let edited = try changes(
      Plain.trip(
        Plain.item("a", #""sortOrder":5"#), Plain.item("b", #""sortOrder":10"#),
        Plain.item("c", #""day":2,"x":7"#)))
    #expect(edited.map(\.value) == [.field(nil), .field(7)])
    #expect(edited.map { "\($0.register)" } == ["json:x", "x"])
    let list = try Plain.file(
      Plain.trip(
        Plain.item("a", #""sortOrder":5"#), Plain.item("b", #""sortOrder":10"#),
        Plain.item("c", #""day":2,"x":7"#))
    ).list(base: Plain.list(baseText))
    #expect(text(PlainExport(list).bytes).contains(#""x":7}"#))
  }

  @Test func aToolThatDropsTheNumbersMovesNothing() throws {
    let kept = Plain.trip(
      #"{"id":"a","day":1}"#, #"{"id":"b","day":1}"#, #"{"id":"c","day":2}"#)
    #expect(try changes(kept).isEmpty)
    // Another order in the file is a change, and so is another day.
    let swapped = Plain.trip(
      #"{"id":"b","day":1}"#, #"{"id":"a","day":1}"#, #"{"id":"c","day":2}"#)
    #expect(try changes(swapped).count == 1)
    let moved = Plain.trip(
      #"{"id":"a","day":1}"#, #"{"id":"c","day":2}"#, #"{"id":"b","day":2}"#)
    let list = try Plain.file(moved).list(base: Plain.list(baseText))
    #expect(list.map(\.id) == [Plain.itemA, Plain.itemC, Plain.itemB])
    let added = Plain.trip(
      #"{"id":"a","day":1}"#, #"{"id":"n","day":1}"#, #"{"id":"b","day":1}"#,
      #"{"id":"c","day":2}"#)
    let withNew = try Plain.file(added).list(base: Plain.list(baseText))
    #expect(
      withNew.map(\.id) == [Plain.itemA, ForeignIdentity.item("n"), Plain.itemB, Plain.itemC])
  }

  @Test func aGameWithoutNumberFollowsItsStart() throws {
    func game(_ start: String) -> String {
      Plain.trip(#"{"id":"g","kind":"game","day":1,"start":"\#(start)"}"#)
    }
    let base = Plain.trip(
      #"{"id":"g","kind":"game","day":1,"sortOrder":7,"start":"2026-06-11T13:00"}"#)
    #expect(try changes(game("2026-06-11T13:00"), base: base).isEmpty)
    let moved = try changes(game("2026-06-11T14:00"), base: base)
    #expect(moved.map { "\($0.register)" } == ["position", "start"])
  }

  @Test func aRemovedItemOfTheBaseStaysRemoved() throws {
    let base = try Plain.file(baseText)
    let removed = try Plain.file(
      Plain.trip(Plain.item("a", #""sortOrder":5"#), Plain.item("c", #""day":2"#)))
    let document = TripFile(list: try removed.list(base: base.list()), name: "doc")
    let result = try TripImport(base, base: document)
    #expect(result.counts.keptRemoved == 1)
    #expect(!result.list.contains(id: Plain.itemB))
  }

  @Test func theReplicaIsMadeFromTheChanges() throws {
    let edited = try changes(
      Plain.trip(
        Plain.item("a", #""title":"New","sortOrder":5"#), Plain.item("b", #""sortOrder":10"#),
        Plain.item("c", #""day":2"#)))
    let entry = try #require(edited.first)
    let nobody = Entry(
      item: entry.item, register: entry.register, value: entry.value,
      stamp: Stamp(time: entry.stamp.time, replica: ReplicaID(rawValue: 0)), sequence: 1)
    let digest = SHA256.hash(Array("import\0".utf8) + nobody.canonicalBytes)
    #expect(edited.count == 1)
    #expect(entry.stamp.replica.rawValue == UInt64(bigEndianBytes: digest[..<8]))
    #expect(entry.sequence == 1)
  }

  @Test func addedOnBothSidesJoinsTheFields() throws {
    let base = try Plain.file(Plain.trip())
    let ours = try Plain.file(
      Plain.trip(
        Plain.item("a", #""title":"ours","icon":"i","modifiedAt":"2026-01-01T00:00:00Z""#)),
      "ours")
    let theirs = try Plain.file(
      Plain.trip(
        Plain.item("a", #""title":"theirs","note":"n","modifiedAt":"2026-01-02T00:00:00Z""#)),
      "theirs")
    let merge = try TripMerge([ours, theirs], base: base)
    let item = try #require(merge.list[id: Plain.itemA])
    #expect(item["title"] == "theirs")
    #expect(item["icon"] == "i")
    #expect(item["note"] == "n")
    #expect(merge.report.lostEdits.map { "\($0.register)" } == ["title"])
    #expect(merge.report.sources.map(\.added) == [1, 1])
  }

  @Test func changedAlikeIsNoConflict() throws {
    let base = try Plain.file(Plain.trip(Plain.item("a", #""title":"A""#)))
    let files = try ["2026-01-01", "2026-01-02"].map { day in
      try Plain.file(
        Plain.trip(Plain.item("a", #""title":"B","modifiedAt":"\#(day)T00:00:00Z""#)), day)
    }
    let merge = try TripMerge(files, base: base)
    #expect(!merge.report.hasConflicts)
    #expect(merge.report.sources.map(\.updated) == [1, 1])
    #expect(merge.list[id: Plain.itemA]?["title"] == "B")
  }

  /// What was cleared goes out as `null`, and comes back as that.
  @Test func nullClears() throws {
    let base = Plain.trip(
      Plain.item("a", #""kind":"travel","from":"A""#), members: #""name":"Rome""#)
    let list = try Plain.list(base)
    var edited = list
    var me = Replica(test: 6)
    let fields: [FieldName] = ["name", "startDate", "days"]
    try edited.set(fields.map { ($0, FieldValue?.none) }, of: .root, by: &me)
    try edited.set([("kind", nil)], of: Plain.itemA, by: &me)
    let file = try TripFile(decoding: PlainExport(edited).bytes, name: "edited")
    let sent = try Plain.file(base)
    for result in [
      try TripMerge([sent, file], base: sent).list, try file.list(base: list),
      try TripImport(file, into: list, base: sent).list,
    ] {
      for name in fields { #expect(result.metadata[name] == nil) }
      #expect(result[id: Plain.itemA]?["kind"] == nil)
      #expect(result[id: Plain.itemA]?["from"] == "A")
    }
  }

  /// A list that is new has nothing to clear, and takes a first day from the next file.
  @Test(arguments: ["", #","modifiedAt":"2026-05-01T00:00:00Z""#])
  func nullOfANewListIsNothing(time: String) throws {
    let text = #"{"id":"t","name":null,"startDate":null,"days":null\#(time),"items":[]}"#
    let list = try Plain.list(text)
    #expect(list[id: .root]?.entries.map { $0.register } == [.field("foreignId")])
    let events = try Calendars.file(["UID:a", "DTSTART:20260503"])
    let rows = try Plain.file("Date,Title\n2026-05-03,A\n", "r.csv")
    let file = try Plain.file(text)
    for next in [events, rows] {
      for result in [
        try TripImport(next, into: list).list,
        try TripImport(next, into: TripImport(file).list).list, try TripMerge([file, next]).list,
      ] {
        #expect(Trip(result).startDate == CivilDate("2026-05-03"))
      }
    }
  }

  /// Many programs write `null` where nothing is.
  ///
  /// Only a file that says when it was edited, or what it was made from, says that it was cleared.
  @Test(arguments: ["Rome", "Oslo", "Bern", "Lima", "Bonn", "Graz", "Kyiv", "Riga"])
  func nullOfAListClearsWhereTheFileSaysWhen(name: String) throws {
    // Which of two writes of one time counts depends on what they say.
    let sent = try Plain.file(Plain.trip(members: #""name":"\#(name)""#))
    let list = sent.list()
    let fields: [FieldName] = ["name", "startDate", "days"]
    for time in ["", #","modifiedAt":"2026-05-01T00:00:00Z""#] {
      let text = #"{"id":"t","name":null,"startDate":null,"days":null\#(time),"items":[]}"#
      let file = try Plain.file(text)
      let history = TripFile(list: list, name: "here")
      for result in [
        try TripImport(file, into: list).list, try TripMerge([sent, file]).list,
        try TripMerge([history, file]).list,
      ] {
        for name in fields {
          #expect((result.metadata[name] == nil) == !time.isEmpty, "\(name) \(time)")
        }
      }
      let based = try TripImport(file, into: list, base: sent).list
      for name in fields { #expect(based.metadata[name] == nil) }
    }
  }
}
