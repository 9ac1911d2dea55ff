import Betwixt
import BetwixtTrips
import TestSupport
import Testing

/// What a merge says to a reader.
@Suite struct MergeReportTests {
  private static let early = #""modifiedAt":"2026-05-01T08:00:00Z""#
  private static let late = #""modifiedAt":"2026-05-02T09:30:00Z""#

  private func lines(
    _ base: String?, _ files: [(name: String, text: String)]
  ) throws -> [String] {
    let files = try files.map { try Plain.file($0.text, $0.name) }
    let merge = try TripMerge(files, base: try base.map { try Plain.file($0, "base.json") })
    // The order of the files changes no word.
    #expect(
      try TripMerge(files.reversed(), base: base.map { try Plain.file($0) }).report.lines
        == merge.report.lines)
    #expect(merge.report.lines.count == merge.report.jsonLines.count)
    return merge.report.lines
  }

  @Test func aTripOfThreeDevices() throws {
    let merge = try TripMerge(
      Copies.devices(of: "follow-mexico"), base: Copies.file("follow-mexico", "base"))
    #expect(
      merge.report.lines == [
        "from laptop: 1 added, 3 edited, 1 moved, 1 removed",
        "from phone: 2 added, 1 edited, 1 moved, 1 removed",
        "from tablet: 2 added, 1 edited, 1 moved, 1 removed",
        "conflict: title of “Dinner in Roma Norte” (day 1): kept “Dinner in Roma Norte” from phone "
          + "(2026-06-01 08:09 UTC); tablet had “Late dinner” (2026-06-01 08:07 UTC)",
        "conflict: “Buy presents”: moved to day 22 after “Lunch” on phone (2026-06-01 08:12 UTC); "
          + "tablet had moved it to day 25 after “Way to the stadium” (2026-06-01 08:10 UTC)",
        "removed on phone: “Museo de Historia Mexicana” (day 5); laptop had set its note to "
          + "“Closed on Mondays: go before 18:00” (2026-06-02 21:36 UTC)",
        "removed on laptop: “Buy presents” (day 22); phone had moved it to day 22 after “Lunch” "
          + "(2026-06-01 08:12 UTC)",
      ])
  }

  @Test func everyLostWriteHasALine() throws {
    var random = SplitMix64(seed: 91)
    for _ in 0..<200 {
      var devices = Devices(3, try Plain.list(Plain.trip(Plain.item("a"), Plain.item("b"))))
      for _ in 0..<12 { devices.edit(random.next(below: 3), using: &random) }
      let files = devices.trips.enumerated().map { number, trip in
        TripFile(list: trip.list, name: "\(number).trip.json", format: .tripJSON)
      }
      let report = try TripMerge(files).report
      let lines = report.lines
      #expect(lines.count { $0.hasPrefix("conflict: ") } == report.lostEdits.count)
      #expect(lines.count { $0.hasPrefix("removed on ") } == report.removedEdits.count)
      // What went with a removed item is named there, or as a conflict of its own.
      for removed in report.removedEdits {
        let named = Set(removed.edits.map(\.register))
        for register in removed.registers where !named.contains(register) {
          #expect(report.lostEdits.contains { $0.item == removed.item && $0.register == register })
        }
      }
      #expect(lines.allSatisfy { !$0.contains("sortOrder") && !$0.contains("{") })
    }
  }

  @Test func valuesHaveUnits() throws {
    func leg(_ members: String) -> String {
      Plain.trip(Plain.item("a", #""kind":"travel","from":"X","to":"Y","# + members))
    }
    let found = try lines(
      leg(#""durationMin":30,"distanceKm":1.0,"mode":"bus""#),
      [
        ("a.json", leg(#""durationMin":125,"distanceKm":7.5,"mode":"car","# + Self.early)),
        ("b.json", leg(#""durationMin":45,"distanceKm":12.0,"mode":null,"# + Self.late)),
      ])
    #expect(
      Array(found.dropFirst(2)) == [
        "conflict: distance of “X → Y” (day 1): kept 12 km from b (2026-05-02 09:30 UTC); "
          + "a had 7.5 km (2026-05-01 08:00 UTC)",
        "conflict: duration of “X → Y” (day 1): kept 45 min from b (2026-05-02 09:30 UTC); "
          + "a had 2 h 5 min (2026-05-01 08:00 UTC)",
        "conflict: means of travel of “X → Y” (day 1): cleared on b (2026-05-02 09:30 UTC); "
          + "a had “car” (2026-05-01 08:00 UTC)",
      ])
  }

  @Test func theTripItselfAndUnknownFields() throws {
    let found = try lines(
      Plain.trip(Plain.item("a", #""title":"Lunch""#), members: #""name":"T""#),
      [
        (
          "/copies/my phone.trip.json",
          Plain.trip(
            Plain.item("a", #""title":"Lunch","group":"A\nB","# + Self.early),
            members: #""name":"U","# + Self.early)
        ),
        (
          "-",
          Plain.trip(
            Plain.item("a", #""title":"Lunch","group":true,"# + Self.late),
            members: #""name":"V","# + Self.late)
        ),
      ])
    #expect(
      found == [
        "from standard input: 2 edited", "from my phone: nothing new",
        "conflict: name of the trip: kept “V” from standard input (2026-05-02 09:30 UTC); "
          + "my phone had “U” (2026-05-01 08:00 UTC)",
        "conflict: “group” of “Lunch” (day 1): kept yes from standard input "
          + "(2026-05-02 09:30 UTC); my phone had “A B” (2026-05-01 08:00 UTC)",
      ])
  }

  @Test func timesThatAreCloseAreToldApart() throws {
    func trip(_ title: String, _ time: String) -> String {
      Plain.trip(Plain.item("a", "\"title\":\"\(title)\"\(time)"))
    }
    let base = trip("A", "")
    let seconds = try lines(
      base,
      [
        ("p.json", trip("B", #","modifiedAt":"2026-05-01T08:00:07Z""#)),
        ("q.json", trip("C", #","modifiedAt":"2026-05-01T08:00:41Z""#)),
      ])
    #expect(
      seconds.last
        == "conflict: title of “C” (day 1): kept “C” from q (2026-05-01 08:00:41 UTC); "
        + "p had “B” (2026-05-01 08:00:07 UTC)")
    let ties = try lines(
      nil, [("p.json", trip("B", "")), ("q.json", trip("C", "")), ("r/q.json", trip("B", ""))])
    let tie = try #require(ties.last)
    #expect(tie.hasSuffix("(no time given); neither is later, so a fixed rule chose"))
    // Two files of one name keep their folders.
    #expect(ties.contains("from r/q.json: nothing new") || ties.contains("from r/q.json: 1 edited"))
  }

  @Test func placesWithoutABaseAreNoMoves() throws {
    func trip(_ day: Int, _ time: String) -> String {
      Plain.trip(
        Plain.item("a", "\"title\":\"Lunch\",\"day\":\(day),\(time)"),
        Plain.item("b", #""title":"Museum","day":3,"sortOrder":9"#))
    }
    #expect(
      try lines(nil, [("p.json", trip(2, Self.early)), ("q.json", trip(3, Self.late))]).last
        == "conflict: “Lunch”: stays on day 3 before “Museum” as on q (2026-05-02 09:30 UTC); "
        + "p had it on day 2 (2026-05-01 08:00 UTC)")
  }

  @Test func tasksHaveDatesAndAnInbox() throws {
    func tasks(_ date: String, _ time: String) -> String {
      #"{"format":"betwixt-tasks","id":"t","tasks":[{"id":"a","text":"Pack","sortOrder":0"#
        + "\(date)\(time)}]}"
    }
    #expect(
      try lines(
        tasks(#","scheduledDate":"2026-02-01""#, ""),
        [
          ("p.json", tasks("", "," + Self.early)),
          ("q.json", tasks(#","scheduledDate":"2026-02-13""#, "," + Self.late)),
        ]
      ).last
        == "conflict: “Pack”: moved to 2026-02-13 on q (2026-05-02 09:30 UTC); "
        + "p had moved it to the inbox (2026-05-01 08:00 UTC)")
  }

  /// Files say a time in milliseconds, and what counts writes within one is no reason for a reader.
  @Test func oneMillisecondIsATie() throws {
    let base = try Plain.list(Plain.trip(Plain.item("a", #""title":"A""#)))
    var (ours, theirs) = (base, base)
    var me = Replica(test: 1)
    var you = Replica(test: 2)
    try ours.set("title", of: Plain.itemA, to: "B", by: &me)
    for title in ["C", "D"] as [FieldValue] {
      try theirs.set("title", of: Plain.itemA, to: title, by: &you)
    }
    let report = try TripMerge([
      TripFile(list: ours, name: "ours"), TripFile(list: theirs, name: "theirs"),
    ]).report
    #expect(report.hasTies)
    let line = report.lines.last ?? ""
    #expect(line.hasSuffix("; neither is later, so a fixed rule chose"), "\(line)")
  }

  @Test func aRemovalThatLostIsToldToo() throws {
    let base = try Plain.list(Plain.trip(Plain.item("a", #""title":"Lunch""#)))
    func device(_ id: UInt64, _ minute: Int64) -> Replica {
      Replica(id: ReplicaID(rawValue: id)) { 1_780_000_000_000 + minute * 60_000 }
    }
    var left = base
    var right = base
    var me = device(1, 0)
    var you = device(2, 5)
    try left.remove(Plain.itemA, by: &me)
    try right.remove(Plain.itemA, by: &you)
    try right.restore(Plain.itemA, by: &you)
    let report = try TripMerge([
      TripFile(list: left, name: "phone.trip"), TripFile(list: right, name: "tablet.trip"),
    ]).report
    #expect(
      report.lines.last
        == "conflict: “Lunch” (day 1): brought back on tablet (2026-05-28 20:31 UTC); "
        + "phone had removed it (2026-05-28 20:26 UTC)")
  }
}
