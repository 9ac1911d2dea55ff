import Betwixt
import BetwixtTrips
import Testing

/// Files that count days and say the date of one, beside what counts from another first day.
@Suite struct CountedDaysTests {
  enum Kind: CaseIterable {
    case trek, table, points

    /// Whether such a file is written from a document.
    var isOurs: Bool { self != .trek }
  }

  /// A file whose day 1 is of a date in May, with what stands on its days.
  private static func file(
    _ kind: Kind, from first: Int, _ stops: (day: Int, title: String)...
  ) throws -> TripFile {
    func date(_ day: Int) -> String {
      (CivilDate("2026-05-01").flatMap { $0 + Int64(first + day - 2) })?.description ?? ""
    }
    let days = Set(stops.map { $0.day }).sorted()
    func joined(_ day: Int, _ separator: String, _ line: (String) -> String) -> String {
      stops.filter { $0.day == day }.map { line($0.title) }.joined(separator: separator)
    }
    let text =
      switch kind {
      case .trek:
        #"{"trip":{"id":7,"title":"Rome","start_date":"\#(date(1))"},"days":["#
          + days.map { day in
            let places = joined(day, ",") { title in
              let id = title.utf8.reduce(0) { $0 * 7 + Int($1) }
              return #"{"id":\#(id),"place":{"id":\#(id),"name":"\#(title)"}}"#
            }
            return #"{"day_number":\#(day),"date":"\#(date(day))","assignments":[\#(places)]}"#
          }.joined(separator: ",") + "]}"
      case .table:
        "day,date,order,id,kind,title\n"
          + stops.map { stop in
            let id = ForeignIdentity.item(stop.title).uuid
            return "\(stop.day),\(date(stop.day)),1,\(id),custom,\(stop.title)\n"
          }.joined()
      case .points:
        #"<gpx version="1.1" creator="Betwixt"><metadata><name>Rome</name></metadata>"#
          + days.map { day in
            "<rte><name>Day \(day), \(date(day))</name><number>\(day)</number>"
              + joined(day, "") { title in
                #"<rtept lat="1" lon="2"><name>\#(title)</name><type>custom</type></rtept>"#
              } + "</rte>"
          }.joined() + "</gpx>"
      }
    return try Plain.file(text, "\(kind)")
  }

  private static func flight(_ date: String) throws -> TripFile {
    try Plain.file("title,date\nFlight,\(date)\n", "flight.csv")
  }

  private static func dates(_ list: ReplicatedList) -> [String] {
    let start = Trip(list).startDate
    return list.map { item in
      let date = start.flatMap { start in item.section.flatMap { start + ($0 - 1) } }
      return (item["title"]?.string ?? "") + (date.map { " " + "\($0)".suffix(5) } ?? "")
    }
  }

  private static let dated = ["Flight 04-28", "Forum 05-01", "Vatican 05-02"]

  private static func rome(_ kind: Kind) throws -> TripFile {
    try file(kind, from: 1, (1, "Forum"), (2, "Vatican"))
  }

  @Test(arguments: Kind.allCases) func filesThatAreJoined(_ kind: Kind) throws {
    let (file, flight) = try (Self.rome(kind), Self.flight("2026-04-28"))
    for files in [[file, flight], [flight, file], [file, flight, file]] {
      let merge = try TripMerge(files)
      #expect(Self.dates(merge.list) == Self.dated)
      #expect(Trip(merge.list).dayCount == 5 && merge.notes == [])
    }
    let later = try TripMerge([file, Self.flight("2026-05-03")]).list
    #expect(Self.dates(later) == ["Forum 05-01", "Vatican 05-02", "Flight 05-03"])
    let document = TripFile(list: flight.list(), name: "d.trip")
    for files in [[file, document], [document, file]] {
      #expect(try Self.dates(TripMerge(files).list) == Self.dated)
    }
  }

  /// Taken in again, and on another device, it says nothing else; and what was moved in it is moved.
  @Test(arguments: Kind.allCases) func aDocumentThatCountsFromAnotherDay(_ kind: Kind) throws {
    let list = try Self.flight("2026-04-28").list()
    let file = try Self.rome(kind)
    // The day that it is on there is the number of the one that it was on here.
    let moved = try Self.file(kind, from: 1, (2, "Vatican"), (4, "Forum"), (5, "Trevi"))
    let once = try TripImport(file, into: list).list
    #expect(Self.dates(once) == Self.dated)
    var other = try TripImport(file, into: list).list
    other.merge(once.delta(since: other.version))
    #expect(other.digest == once.digest)
    for base in [nil, file] {
      #expect(try TripImport(file, into: once, base: base).list == once)
      let result = try TripImport(moved, into: once, base: base).list
      #expect(
        Self.dates(result) == ["Flight 04-28", "Vatican 05-02", "Forum 05-04", "Trevi 05-05"])
      #expect(try TripImport(moved, into: result, base: base).list == result)
    }
  }

  /// A day is added in front there: nothing is on another date.
  @Test(arguments: [Kind.trek, .points]) func aFileThatCountsFromAnotherDay(_ kind: Kind) throws {
    let file = try Self.rome(kind)
    let new = try Self.file(kind, from: 0, (1, "Train"), (2, "Forum"), (3, "Vatican"))
    let dates = ["Train 04-30", "Forum 05-01", "Vatican 05-02"]
    let list = try TripImport(file).list
    let document = TripFile(list: list, name: "d.trip")
    for result in [
      try TripImport(new, into: list).list, try TripImport(new, into: list, base: file).list,
      try TripMerge([file, new]).list, try TripMerge([new, file]).list,
      try TripMerge([file, new], base: file).list, try TripMerge([new, document]).list,
      try TripMerge([document, new], base: file).list,
    ] {
      #expect(Self.dates(result) == dates)
    }
  }

  /// The trip is on other dates there: with a base that is an edit, and it is one of what tells dates.
  @Test(arguments: [Kind.trek, .points, .table]) func aFileThatIsPutOff(_ kind: Kind) throws {
    let file = try Self.rome(kind)
    let new = try Self.file(kind, from: 8, (1, "Forum"), (2, "Vatican"))
    let list = try TripImport(file).list
    #expect(
      try Self.dates(TripImport(new, into: list, base: file).list)
        == ["Forum 05-08", "Vatican 05-09"])
  }

  /// The first day was moved here: a file that was written before is as it was, and what was done in it
  /// is done on the days that it counted.
  @Test(arguments: [Kind.table, .points]) func aDocumentWhoseFirstDayWasMoved(_ kind: Kind) throws {
    let file = try Self.rome(kind)
    var list = try TripImport(file).list
    var me = Replica(test: 6)
    try list.set("startDate", of: .root, to: "2026-04-29", by: &me)
    let new = try Self.file(kind, from: 1, (1, "Forum"), (2, "Vatican"), (3, "Trevi"))
    for base in [nil, file] {
      #expect(try TripImport(file, into: list, base: base).list == list)
      let result = try TripImport(new, into: list, base: base).list
      #expect(Self.dates(result) == ["Forum 04-29", "Vatican 04-30", "Trevi 05-01"])
    }
    let document = TripFile(list: list, name: "d.trip")
    #expect(try TripMerge([document, file]).list == list)
    #expect(try TripMerge([file, document]).list == list)
  }

  /// A file of dates stays on them: only its base says that nothing was moved in it.
  @Test func aFirstDayThatWasMovedBesideTREK() throws {
    let file = try Self.rome(.trek)
    var list = try TripImport(file).list
    var me = Replica(test: 6)
    try list.set("startDate", of: .root, to: "2026-04-29", by: &me)
    #expect(try TripImport(file, into: list, base: file).list == list)
    let result = try TripImport(file, into: list).list
    #expect(Self.dates(result) == ["Forum 05-01", "Vatican 05-02"])
    #expect(try TripImport(file, into: result).list == result)
  }

  /// Days without a date of their own are counted from the first one.
  @Test func daysOfTREKWithoutDates() throws {
    let days = #"[{"day_number":2,"places":[{"id":1,"name":"Lake"}]}]"#
    let dated = try Plain.file(
      #"{"title":"T","start_date":"2026-05-01","days":\#(days)}"#, "t.json")
    let flight = try Self.flight("2026-04-28")
    #expect(
      try Self.dates(TripMerge([dated, flight]).list) == ["Flight 04-28", "Lake 05-02"])
    #expect(Trip(dated.list()).dayCount == 2)
    let other = try Plain.file(#"{"title":"T","days":\#(days)}"#, "t.json")
    #expect(try Self.dates(TripImport(other, into: flight.list()).list).last == "Lake 04-29")
  }
}
