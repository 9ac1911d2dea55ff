import Betwixt
import TestSupport
import Testing

@testable import BetwixtTrips

/// Files that went out, were changed, and came back with what they were as their base.
@Suite struct ReturnedTwinTests {
  /// Somebody who writes by a clock that goes on.
  private struct Desk {
    var tasks: TaskList
    private var time: Int64 = 1_777_000_000_000
    private var sequence: Int64

    init() throws {
      let start = time
      var me = Replica(id: ReplicaID(rawValue: 5)) { start }
      tasks = try TaskList(id: ListID(high: 5, low: 5), by: &me)
      sequence = me.sequence
    }

    /// Writes something a minute later.
    private mutating func write<Value>(
      _ body: (inout ReplicatedList, inout Replica) throws -> Value
    ) rethrows -> Value {
      time += 60_000
      let now = time
      var me = Replica(id: ReplicaID(rawValue: 5), sequence: sequence) { now }
      defer { sequence = me.sequence }
      return try body(&tasks.list, &me)
    }

    @discardableResult
    mutating func add(
      _ text: FieldValue, note: FieldValue? = nil, due: String? = nil
    ) throws -> ItemID {
      let section = due.flatMap { CivilDate($0) }.map { TaskList.section(of: $0) }
      let fields: Fields =
        if let note {
          ["text": text, "state": "notStarted", "note": note]
        } else {
          ["text": text, "state": "notStarted"]
        }
      return try write { list, me in
        try list.append(fields, toSection: section ?? TaskList.inbox, by: &me)
      }
    }

    mutating func finish(_ id: ItemID) throws {
      try write { list, me in try list.set("state", of: id, to: "completed", by: &me) }
    }

    mutating func write(_ note: FieldValue, inNoteOf id: ItemID) throws {
      try write { list, me in try list.set("note", of: id, to: note, by: &me) }
    }

    mutating func rename(_ id: ItemID, to text: FieldValue) throws {
      try write { list, me in try list.set("text", of: id, to: text, by: &me) }
    }

    func sent() throws -> TripFile {
      try ReturnedTwinTests.file(
        BetwixtTripsTests.text(try tasks.list.encoded(as: .todoTxt).bytes))
    }

    /// Takes a file in that was made of one that went out.
    mutating func take(_ lines: [String], base: TripFile) throws -> TripImport {
      let result = try TripImport(
        ReturnedTwinTests.file(lines.map { $0 + "\n" }.joined()), into: tasks.list, base: base)
      tasks.list = result.list
      return result
    }

    var seen: [String] {
      tasks.list.map { item in
        let mark = item["state"] == "completed" ? "x " : ""
        let note = (item["note"]?.string).map { " (\($0))" } ?? ""
        let due = tasks.date(of: item.id).map { " \($0)" } ?? ""
        return mark + (item["text"]?.string ?? "") + note + due
      }.sorted()
    }
  }

  private static func file(_ text: String) throws -> TripFile {
    var options = ReadingOptions()
    options.format = .todoTxt
    return try TripFile(decoding: Array(text.utf8), name: "f", options: options)
  }

  @Test func aReturnOfTwinsIsTakenOnce() throws {
    var desk = try Desk()
    for _ in 0..<2 { try desk.add("A") }
    let base = try desk.sent()
    for _ in 0..<3 {
      _ = try desk.take(["x A", "A"], base: base)
      #expect(desk.seen == ["A", "x A"])
    }
  }

  @Test func whatAReturnAddedIsNoneOfItsBase() throws {
    var desk = try Desk()
    try desk.add("A")
    try desk.add("A", due: "2026-05-02")
    let base = try desk.sent()
    for _ in 0..<3 {
      _ = try desk.take(["A", "A", "A due:2026-05-02"], base: base)
      #expect(desk.seen == ["A", "A", "A 2026-05-02"])
    }
  }

  @Test func whatWasAddedHereSinceIsNoneOfTheBase() throws {
    for (lines, after) in [
      (["Other"], ["Call (ask for Eva)", "Other"]),
      (["x Call"], ["Call (ask for Eva)", "x Call"]),
      (["Call", "Other"], ["Call (ask for Eva)", "Other", "x Call"]),
    ] {
      var desk = try Desk()
      let call = try desk.add("Call")
      let base = try desk.sent()
      try desk.finish(call)
      try desk.add("Call", note: "ask for Eva")
      _ = try desk.take(lines, base: base)
      #expect(desk.seen == after)
      _ = try desk.take(lines, base: base)
      #expect(desk.seen == after)
    }
  }

  /// Only a file with more rows of a text can have made the second.
  @Test func whatAReturnMadeIsLaterThanItsBase() throws {
    var desk = try Desk()
    let first = try desk.add("A")
    let base = try desk.sent()
    try desk.finish(first)
    for _ in 0..<3 {
      _ = try desk.take(["A", "A"], base: base)
      #expect(desk.seen == ["A", "x A"])
    }
  }

  /// Who got the text later was not in the base under it.
  @Test func whatWasRenamedSinceIsNoneOfTheBase() throws {
    for (lines, after) in [(["Buy"], ["Call"]), (["Buy", "x Call"], ["Call", "x Call"])] {
      var desk = try Desk()
      let buy = try desk.add("Buy")
      try desk.add("Call", note: "the old one")
      let base = try desk.sent()
      try desk.rename(buy, to: "Call")
      _ = try desk.take(lines, base: base)
      let marked = after.map { $0 == "x Call" ? "x Call (the old one)" : $0 }
      #expect(desk.seen == marked, "\(lines)")
    }
  }

  /// What a return took out and somebody wrote again is not taken out by the same return.
  @Test func whatWasWrittenAgainStays() throws {
    var desk = try Desk()
    try desk.add("Call")
    try desk.add("Other")
    let base = try desk.sent()
    #expect(try desk.take(["Other"], base: base).counts.removed == 1)
    try desk.add("Call")
    for _ in 0..<2 {
      let result = try desk.take(["Other"], base: base)
      #expect(desk.seen == ["Call", "Other"] && result.counts.removed == 0)
      #expect(
        result.notes == [
          "f:1: stays: “Call” may have been written here since; 'betwixt remove' takes it out"
        ])
    }
    // But by one that was made later, as what else is in its base shows.
    try desk.add("Salt")
    let later = try desk.sent()
    let result = try desk.take(["Other", "Salt"], base: later)
    #expect(desk.seen == ["Other", "Salt"] && result.counts.removed == 1 && result.notes.isEmpty)
  }

  /// Also where it took out all there was, so that the file has no row any more.
  @Test func whatWasWrittenAgainStaysBesideAnEmptyFile() throws {
    var desk = try Desk()
    try desk.add("Call")
    let base = try desk.sent()
    #expect(try desk.take([], base: base).counts.removed == 1)
    try desk.add("Call")
    let result = try desk.take([], base: base)
    #expect(desk.seen == ["Call"] && result.counts.removed == 0 && result.notes.count == 1)
  }

  /// Tasks of one text, which a file had or somebody wrote, and a return of them.
  private static let returns = [
    ("- [ ] B\n", "- [x] B\n- [ ] B\n  n2\n"), ("- [ ] B\n", "- [ ] B\n  n2\n- [x] B\n"),
    ("- [ ] B\n  a\n- [ ] B\n  b\n", "- [ ] B\n  b\n- [ ] B\n  a\n"),
    ("- [ ] B\n- [ ] B\n", "- [ ] B\n- [x] B\n- [ ] B\n  n2\n"),
  ]

  /// The two files say what is new, wherever it stands and whatever is edited here.
  @Test(arguments: returns, [true, false])
  func aReturnThatComesAgainSaysNothing(files: (String, String), isByHand: Bool) throws {
    let (base, back) = (try Self.boxes(files.0), try Self.boxes(files.1))
    for index in 0..<3 {
      var desk = try Desk()
      if isByHand {
        for item in base.list() { try desk.add("B", note: item["note"]) }
      } else {
        desk.tasks.list = try TripImport(base, into: desk.tasks.list).list
      }
      for isTicked in [false, true] {
        desk.tasks.list = try TripImport(back, into: desk.tasks.list, base: base).list
        guard index < desk.tasks.list.count else { break }
        let id = desk.tasks.list[index].id
        if isTicked { try desk.finish(id) } else { try desk.write("mine", inNoteOf: id) }
        let seen = desk.tasks.list
        for _ in 0..<2 {
          desk.tasks.list = try TripImport(back, into: desk.tasks.list, base: base).list
          #expect(Self.rows(desk.tasks.list) == Self.rows(seen), "\(index)")
        }
      }
    }
  }

  private static func boxes(_ text: String) throws -> TripFile {
    var options = ReadingOptions()
    options.format = .markdown
    return try TripFile(decoding: Array(text.utf8), name: "f", options: options)
  }

  private static func rows(_ list: ReplicatedList) -> [String] {
    list.map { "\($0.id) \($0["state"]?.string ?? "") \($0["note"]?.string ?? "")" }
  }

  /// A list without tasks is written as nothing, and can be a base.
  @Test func nothingIsABase() throws {
    var options = ReadingOptions()
    options.likelyFormat = .todoTxt
    let base = try TripFile(decoding: [], name: "sent.txt", options: options)
    #expect(base.format == .todoTxt)
    var desk = try Desk()
    let result = try desk.take(["Buy milk"], base: base)
    #expect(result.counts == .init(added: 1) && desk.seen == ["Buy milk"])
    #expect(throws: DocumentFailure.self) { try TripFile(decoding: [], name: "sent.txt") }
  }

  // MARK: Days beside dates

  private static let week =
    "day,date,title\n1,2026-06-11,Rome\n2,2026-06-12,Lunch\n3,2026-06-13,Boat\n"

  private static func days(_ list: ReplicatedList) -> [String] {
    list.map { "\($0.section ?? 0) \($0["title"]?.string ?? "")" }
  }

  /// Any table with both is one whose days are those of a trip, and not only one of ours.
  @Test func anUnchangedTableMovesNothing() throws {
    let file = try Plain.file(Self.week, "v1.csv")
    var me = Replica(test: 3)
    var list = try TripImport(file, into: Plain.list(Plain.trip())).list
    let days = Self.days(list)
    #expect(days == ["1 Rome", "2 Lunch", "3 Boat"])
    try list.set("startDate", of: .root, to: "2026-06-12", by: &me)
    for base in [nil, file] {
      let result = try TripImport(file, into: list, base: base)
      #expect(Self.days(result.list) == days && result.list == list)
    }
  }

  /// A row that disagrees with itself stands where its date says, however often it is taken in.
  @Test(arguments: ["2026-06-09", "2026-06-10", "2026-06-20"])
  func aRowThatDisagreesStaysWhereItIs(start: FieldValue) throws {
    let text = "day,date,title\n3,2026-06-12,Boat\n3,2026-06-12,Tea\n1,2026-06-11,Rome\n"
    let file = try Plain.file(text, "v1.csv")
    var me = Replica(test: 3)
    var list = try Plain.list(Plain.trip())
    try list.set("startDate", of: .root, to: start, by: &me)
    list = try TripImport(file, into: list).list
    for base in [nil, nil, file, file] {
      let again = try TripImport(file, into: list, base: base).list
      #expect(Self.days(again) == Self.days(list), "\(start)")
      list = again
    }
  }

  /// Rows that count from different dates say nothing of the days of the trip.
  @Test(arguments: [
    "1,2026-06-11,Rome\n2,2026-06-13,Lunch\n",
    "1,2026-06-11,Rome\n1,2026-06-12,Lunch\n1,2026-06-13,Boat\n",
  ])
  func aFileThatIsItsOwnBaseMovesNothing(rows: String) throws {
    let file = try Plain.file("day,date,title\n" + rows, "v1.csv")
    var me = Replica(test: 3)
    var list = try Plain.list(Plain.trip())
    try list.set("startDate", of: .root, to: "2026-06-01", by: &me)
    list = try TripImport(file, into: list).list
    #expect(try TripImport(file, into: list, base: file).list == list)
  }

  @Test func aTableStandsOnItsDates() throws {
    var me = Replica(test: 3)
    var list = try Plain.list(Plain.trip())
    try list.set("startDate", of: .root, to: "2026-06-09", by: &me)
    let result = try TripImport(Plain.file(Self.week, "v1.csv"), into: list)
    #expect(Self.days(result.list) == ["3 Rome", "4 Lunch", "5 Boat"])
  }

  /// Of two rows one has another day: that of the trip says which.
  @Test func oneOfTwoDaysIsChanged() throws {
    let head = "day,date,order,id,kind,title\n"
    let rows = ["1,2026-06-11,1,,custom,Rome\n", "2,2026-06-12,1,,custom,Lunch\n"]
    let list = try TripImport(
      Plain.file(head + rows.joined(), "v1.csv"), into: Plain.list(Plain.trip())
    ).list
    for (row, day, after) in [(1, "3", ["1 Rome", "3 Lunch"]), (0, "2", ["2 Rome", "2 Lunch"])] {
      var changed = rows
      changed[row] = day + changed[row].dropFirst()
      let file = try Plain.file(head + changed.joined(), "v2.csv")
      #expect(Self.days(try TripImport(file, into: list).list).sorted() == after.sorted())
    }
  }
}
