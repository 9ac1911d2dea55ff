import Betwixt
import BetwixtTrips
import TestSupport
import Testing

@Suite struct TaskTests {
  private let today = CivilDate(dayNumber: 20_000) ?? .min
  private var tomorrow: CivilDate { today + 1 ?? .max }

  private func device() -> Replica {
    Replica(id: ReplicaID(rawValue: 3)) { 1_780_000_000_000 }
  }

  private func tasks(
    _ texts: [String], on date: CivilDate?, by me: inout Replica
  ) throws -> (list: TaskList, ids: [ItemID]) {
    var list = try TaskList(id: ListID(high: 1, low: 1), by: &me)
    var ids: [ItemID] = []
    for text in texts { ids.append(try list.add(text, on: date, by: &me)) }
    return (list, ids)
  }

  /// The registers that differ between two states.
  private func writes(_ before: TaskList, _ after: TaskList) -> [Entry] {
    Array(after.list.delta(since: before.list.version).entries)
  }

  @Test func oneWritePerMove() throws {
    var me = device()
    var (list, ids) = try tasks(["a", "b", "c"], on: nil, by: &me)
    let moves: [(inout TaskList, inout Replica) throws -> Void] = [
      { try $0.schedule(ids[0], on: today, by: &$1) },
      { try $0.schedule(ids[0], on: tomorrow, by: &$1) },
      { try $0.schedule(ids[1], on: tomorrow, by: &$1) },
      { try $0.drop(ids[1], on: tomorrow, above: nil, below: ids[0], by: &$1) },
      { try $0.drop(ids[2], on: tomorrow, above: ids[1], below: ids[0], by: &$1) },
      { try $0.schedule(ids[2], on: nil, by: &$1) },
      { try $0.dropOnUpcoming(ids[2], at: nil, today: today, by: &$1) },
    ]
    for move in moves {
      let before = list
      try move(&list, &me)
      let entries = writes(before, list)
      #expect(entries.map(\.register) == [.position])
    }
    #expect(list.group(of: tomorrow, today: today).tasks == [ids[1], ids[0], ids[2]])
    #expect(list.list.allSatisfy { ($0.key?.approximateSortOrder ?? -1) >= 0 })
  }

  @Test func aMoveToWhereATaskStandsWritesNothing() throws {
    var me = device()
    var (list, ids) = try tasks(["a", "b", "c"], on: today, by: &me)
    let before = list
    try list.schedule(ids[0], on: today, by: &me)
    try list.drop(ids[1], on: today, above: ids[0], below: ids[2], by: &me)
    try list.drop(ids[0], on: today, above: nil, below: ids[1], by: &me)
    #expect(list == before)
    #expect(writes(before, list).isEmpty)
  }

  /// Completed tasks are shown apart, so one of them below shows nothing.
  @Test func theLastOpenTaskOfTomorrowStaysThere() throws {
    var me = device()
    var (list, ids) = try tasks(["a", "b", "c"], on: tomorrow, by: &me)
    try list.complete(ids[2], at: Moment("2026-06-11T10:00:00Z"), by: &me)
    let before = list
    try list.dropOnUpcoming(ids[1], at: nil, today: today, by: &me)
    #expect(list == before)
    try list.dropOnUpcoming(ids[0], at: nil, today: today, by: &me)
    #expect(list.group(of: tomorrow, today: today).tasks == [ids[1], ids[0], ids[2]])
  }

  @Test func completedLast() throws {
    var me = device()
    var (list, ids) = try tasks(["a", "b", "c", "d"], on: today, by: &me)
    let before = list
    try list.complete(ids[1], at: Moment("2026-06-11T10:00:00Z"), by: &me)
    try list.complete(ids[0], at: Moment("2026-06-11T11:00:00Z"), by: &me)
    let group = list.group(of: today, today: today)
    #expect(group.tasks == [ids[2], ids[3], ids[0], ids[1]])
    #expect(group.openCount == 2)
    #expect(list.sortOrders(in: group) == [0, 1, 2, 3])
    #expect(Set(writes(before, list).map(\.register)) == [.field("state"), .field("completedAt")])

    try list.complete(ids[1], at: nil, by: &me)
    #expect(list.group(of: today, today: today).tasks == [ids[1], ids[2], ids[3], ids[0]])
    // Neighbours of the other class do not count: `d` goes above the open `b`, not below `a`.
    try list.drop(ids[3], on: today, above: ids[0], below: ids[1], by: &me)
    #expect(list.group(of: today, today: today).tasks == [ids[3], ids[1], ids[2], ids[0]])
  }

  @Test func anUnknownStateIsOpen() throws {
    var me = device()
    var list = try TaskList(id: ListID(high: 1, low: 1), by: &me)
    let id = try list.add("a", fields: ["state": "paused"], by: &me)
    #expect(!list.isCompleted(id))
    #expect(list.group(of: nil, today: today).openCount == 1)
  }

  @Test func tomorrowGroup() throws {
    var me = device()
    var (list, ids) = try tasks(["a", "b", "c"], on: tomorrow, by: &me)
    let later = try list.add("d", on: today + 9, by: &me)
    let inbox = try list.add("e", by: &me)
    let groups = list.groups(.upcoming, today: today)
    #expect(groups.map(\.title) == ["Tomorrow", "\((today + 9) ?? .min)"])
    #expect(groups.map(\.tasks) == [ids, [later]])
    #expect(groups.map(\.isTomorrow) == [true, false])

    try list.dropOnUpcoming(inbox, at: (above: ids[0], below: ids[1]), today: today, by: &me)
    #expect(list.groups(.upcoming, today: today)[0].tasks == [ids[0], inbox, ids[1], ids[2]])
    try list.dropOnUpcoming(later, at: nil, today: today, by: &me)
    let merged = list.groups(.upcoming, today: today)
    #expect(merged.map(\.tasks) == [[ids[0], inbox, ids[1], ids[2], later]])
  }

  @Test func dayChangeWritesNothing() throws {
    var me = device()
    var (list, ids) = try tasks(["a"], on: today, by: &me)
    let next = try list.add("b", on: tomorrow, by: &me)
    let before = list
    func shown(_ view: TaskList.View, _ day: CivilDate) -> [ItemID] {
      list.groups(view, today: day).flatMap(\.tasks)
    }
    #expect(shown(.today, today) == ids)
    #expect(shown(.upcoming, today) == [next])
    #expect(shown(.overdue, today) == [])
    #expect(shown(.today, tomorrow) == [next])
    #expect(shown(.upcoming, tomorrow) == [])
    #expect(shown(.overdue, tomorrow) == ids)
    #expect(shown(.inbox, tomorrow) == [])
    #expect(list == before)
    #expect(list.date(of: ids[0]) == today)
  }

  @Test func taskJSONComesBackAsItWas() throws {
    let words = ["a", "é e\u{301}", "line\nbreak", "", "\"quoted\""]
    var random = SplitMix64(seed: 11)
    for _ in 0..<60 {
      var me = device()
      var list = try TaskList(id: ListID(high: 1, low: random.next()), by: &me)
      for _ in 0..<random.next(below: 12) {
        let date = random.next(below: 3) == 0 ? nil : today + Int64(random.next(below: 4))
        let id = try list.add(words[random.next(below: words.count)], on: date, by: &me)
        if random.next(below: 3) == 0 {
          try list.complete(id, at: Moment("2026-06-11T10:00:00Z"), by: &me)
        }
        if let first = list.list.randomElement(using: &random)?.id {
          try list.drop(first, on: date, above: nil, below: id, by: &me)
        }
      }
      let bytes = PlainExport(list.list).bytes
      let file = try TripFile(decoding: bytes, name: "tasks.json")
      #expect(file.format == .tasks)
      let fresh = try TripImport(file).list
      #expect(PlainExport(fresh).bytes == bytes)
      #expect(fresh.map(\.id) == list.list.map(\.id))
      #expect(TaskList(fresh).groups(.today, today: today) == list.groups(.today, today: today))
      let again = try TripImport(file, into: fresh)
      #expect(TripJSON.encode(again.list) == TripJSON.encode(fresh))
      #expect(again.counts == .init(unchanged: fresh.count))
    }
  }

  /// Older versions wrote a title beside the text, which edits of the text did not reach.
  @Test func theTextIsWhatIsShown() throws {
    var me = device()
    var (list, ids) = try tasks(["Cake"], on: nil, by: &me)
    try list.list.set("title", of: ids[0], to: "Rolls", by: &me)
    #expect(list.list[id: ids[0]]?.summary == "Cake")
    #expect(try list.list.encoded(as: .todoTxt).summary == "not written: 1 × “title”")
    try list.list.clear("text", of: ids[0], by: &me)
    #expect(list.list[id: ids[0]]?.summary == "Rolls")
    #expect(try list.list.encoded(as: .todoTxt).summary == nil)
    let table = try list.list.encoded(as: .csv)
    #expect(String(decoding: table.bytes, as: UTF8.self).contains("notStarted,Rolls,"))
    #expect(table.summary == nil)
    // An item of a trip may have a field of that name.
    let trip = try Plain.list(Plain.trip(Plain.item("a", #""title":"A","text":"long""#)))
    #expect(trip.first?.summary == "A")
  }

  @Test(arguments: [
    (#"{"id":"a","text":"t","scheduledDate":"2026-02-13T10:00"}"#, DocumentFailure.Reason.badValue),
    (#"{"id":"a","text":"t","scheduledDate":7}"#, .wrongType), (#"{"id":"a"}"#, .missing),
    (#"{"id":"a","text":"t","sortOrder":"1"}"#, .wrongType),
    (#"{"id":"a","text":"t","sortOrder":1e999}"#, .numberOutOfRange),
    (#"{"id":"a","text":"t"},{"id":"a","text":"u"}"#, .duplicateID),
  ])
  func badTaskJSON(_ tasks: String, _ reason: DocumentFailure.Reason) {
    let file = #"{"format":"betwixt-tasks","id":"t","tasks":[\#(tasks)]}"#
    #expect(Plain.failure(file)?.reason == reason)
  }
}
