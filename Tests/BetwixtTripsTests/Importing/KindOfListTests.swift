import Betwixt
import BetwixtTrips
import Testing

/// A list of tasks takes in tasks, and a trip what a trip holds.
@Suite struct KindOfListTests {
  private static let tasks = [
    ("t.txt", "Buy bread\n"), ("t.csv", "date,text,state\n2026-05-01,Buy bread,notStarted\n"),
    (
      "t.ics",
      "BEGIN:VCALENDAR\r\nBEGIN:VTODO\r\nUID:a\r\nDUE:20260501\r\nEND:VTODO\r\nEND:VCALENDAR\r\n"
    ),
  ]
  private static let trips = [
    ("c.csv", "date,title\n2026-05-01,Lunch\n"),
    ("c.ics", Calendars.text([["UID:a", "DTSTART:20260501T100000"]])),
  ]
  private static let list =
    #"{"format":"betwixt-tasks","id":"t","tasks":[{"id":"a","text":"Pack"}]}"#

  private static func file(
    _ file: (name: String, text: String), columns: [(field: String, heading: String)] = []
  ) throws -> TripFile {
    var options = ReadingOptions()
    options.columns = columns
    if file.name == "t.txt" { options.format = .todoTxt }
    return try TripFile(decoding: Array(file.text.utf8), name: file.name, options: options)
  }

  @Test(arguments: [0, 1, 2]) func tasksDoNotGoIntoATrip(_ index: Int) throws {
    let trip = try Plain.file(Plain.trip(Plain.item("a")))
    let tasks = try Self.file(Self.tasks[index])
    let failure = #expect(throws: DocumentFailure.self) {
      try TripImport(tasks, into: trip.list())
    }
    #expect(failure?.reason == .wrongTrip)
    #expect(failure?.text.hasPrefix("this holds tasks, and the list is a trip") == true)
    for files in [[trip, tasks], [tasks, trip]] {
      #expect(throws: DocumentFailure.self) { try TripMerge(files) }
    }
    #expect(throws: DocumentFailure.self) { try TripMerge([tasks], base: trip) }
    #expect(throws: DocumentFailure.self) { try tasks.list(base: trip.list()) }
    // Whatever is all that is known of it.
    var named = ReplicatedList(id: trip.listID)
    var me = Replica(test: 3)
    try named.set("days", of: .root, to: 3, by: &me)
    #expect(throws: DocumentFailure.self) { try TripImport(tasks, into: named) }
  }

  @Test(arguments: [0, 1]) func aTripDoesNotGoIntoTasks(_ index: Int) throws {
    let tasks = try Plain.file(Self.list)
    let trip = try Self.file(Self.trips[index])
    let failure = #expect(throws: DocumentFailure.self) {
      try TripImport(trip, into: tasks.list())
    }
    #expect(failure?.text.hasPrefix("this holds a trip, and the list is one of tasks") == true)
    for files in [[trip, tasks], [tasks, trip]] {
      #expect(throws: DocumentFailure.self) { try TripMerge(files) }
    }
  }

  @Test func anEmptyListBecomesEither() throws {
    for file in Self.tasks {
      let list = ReplicatedList(id: ListID(high: 1, low: 2))
      let result = try TripImport(Self.file(file), into: list).list
      #expect(result.metadata["type"] == "tasks")
      #expect(try TripImport(Self.file(file), into: result).counts.unchanged == 1)
    }
    for file in Self.trips {
      let list = ReplicatedList(id: ListID(high: 1, low: 2))
      #expect(try TripImport(Self.file(file), into: list).list.metadata["type"] == nil)
    }
  }

  @Test("a column that says a state makes no tasks of a table of what has a time")
  func bookedTours() throws {
    let text = "Date,Time,Title,Status\n2026-06-12,10:00,Tour,booked\n"
    let result = try TripImport(Self.file(("t.csv", text)), into: Plain.list(Plain.trip()))
    #expect(result.list.map { $0.section } == [2])
    #expect(result.list[0]["time"] == "10:00")
    #expect(result.list[0]["state"] == "booked")
    let tasks = try Self.file(("t.csv", "Date,Title,Status\n2026-06-12,Tour,done\n"))
    #expect(tasks.list().metadata["type"] == "tasks")
    // A start is a time only of games, and of what has a place.
    for heading in ["Location", "City", "From", "Kind"] {
      let tours = "Date,Start,Title,\(heading),Status\n2026-06-12,10:00,Tour,x,booked\n"
      #expect(try Self.file(("t.csv", tours)).list().metadata["type"] == nil)
    }
    let begun = try Self.file(("t.csv", "Title,Start,Due,Status\nPay,2026-06-01,2026-06-12,open\n"))
    #expect(begun.list().metadata["type"] == "tasks")
    let errands = "Title,Status,Start,Due,Location\nPay,open,2026-06-01,,Office\n"
    #expect(try Self.file(("t.csv", errands)).list().metadata["type"] == "tasks")
    let late = "Title,Start,Location,Status\nPay,2026-06-01,Bank,open\n"
    let due = try Self.file(("t.csv", late), columns: [("due", "Start")])
    #expect(due.list().metadata["type"] == "tasks")
    let games = "Date,Title,Home,Start,Status\n2026-06-12,G,Roma,2026-06-12T18:00,booked\n"
    #expect(try Self.file(("g.csv", games)).list().metadata["type"] == nil)
  }

  /// A table without dates of their own has those of its starts or times, whether that is said or not.
  @Test(arguments: ["Start", "Time"], [true, false])
  func aStartIsADateToo(heading: String, isNamed: Bool) throws {
    let text = "Title,\(heading),Location,Status\nTour,2026-06-12T10:00,Rome,booked\n"
    let file = try Self.file(("t.csv", text), columns: isNamed ? [("date", heading)] : [])
    let result = try TripImport(file, into: Plain.list(Plain.trip()))
    #expect(result.list.map { $0.section } == [2] && result.notes == [])
    #expect(result.list.map { $0["time"] } == ["10:00"])
    #expect(result.list.map { $0["state"] } == ["booked"])
  }

  /// Most files have no title, and are of different trips.
  @Test func filesWithoutATitleAreDifferentLists() throws {
    let files = try ["Buy bread\n", "Pay rent\n"].map { try Self.file(("t.txt", $0)) }
    #expect(files[0].listID != files[1].listID)
    #expect(try Self.file(("t.txt", "Buy bread\n")).listID == files[0].listID)
    let events = try ["a", "b"].map { try Calendars.file(["UID:\($0)", "DTSTART:20260501"]) }
    #expect(events[0].listID != events[1].listID)
    let named = try ["a", "b"].map {
      try Calendars.file(["UID:\($0)", "DTSTART:20260501"], head: ["X-WR-CALNAME:N"])
    }
    #expect(named[0].listID == named[1].listID)
  }
}
