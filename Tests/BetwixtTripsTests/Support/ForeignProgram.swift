import Betwixt
import BetwixtTrips
import TestSupport

/// Another program that keeps a plan and writes it out as a whole now and then.
///
/// A spreadsheet, a calendar, a list of boxes: it knows nothing of documents.
struct ForeignProgram {
  /// What it writes.
  enum Shape: CaseIterable {
    case table, dated, feed, boxes, todo

    var isOfTasks: Bool { self == .boxes || self == .todo }
    /// Whether the file knows its rows by more than what they say.
    var hasIDs: Bool { self == .dated || self == .feed }
    /// Whether the file tells when a row was changed.
    var hasTimes: Bool { self == .dated }
    var hasNotes: Bool { self != .todo }
  }

  struct Row: Equatable {
    var uid: Int
    var title: String
    var day: Int
    var note: String?
    /// When it was changed last, in seconds.
    var changed: Int64
  }

  let shape: Shape
  var rows: [Row] = []
  private var serial = 0

  init(_ shape: Shape) { self.shape = shape }

  static func date(_ day: Int) -> String {
    CivilDate("2026-06-11").flatMap { $0 + Int64(day) }?.description ?? "?"
  }

  mutating func add(_ title: String, day: Int, note: String? = nil, at time: Int64, to index: Int) {
    serial += 1
    rows.insert(
      Row(uid: serial, title: title, day: day, note: shape.hasNotes ? note : nil, changed: time),
      at: index)
  }

  /// The file, as of now.
  var text: String {
    switch shape {
    case .table: table
    case .dated, .feed: calendar
    case .boxes: boxes
    case .todo: rows.map { "\($0.title) due:\(Self.date($0.day))\n" }.joined()
    }
  }

  func file(_ name: String) throws -> TripFile {
    try TripFile(decoding: Array(text.utf8), name: name)
  }

  private var table: String {
    "Title,Date,Notes\n"
      + rows.map { "\($0.title),\(Self.date($0.day)),\($0.note ?? "")\n" }.joined()
  }

  private var calendar: String {
    let events = rows.map { row in
      let date = Self.date(row.day).filter { $0 != "-" }
      var lines = ["UID:\(row.uid)@plan", "SUMMARY:\(row.title)", "DTSTART:\(date)T090000"]
      if let note = row.note { lines.append("DESCRIPTION:\(note)") }
      if shape.hasTimes, let changed = Self.utc(row.changed) {
        lines.append("LAST-MODIFIED:\(changed)")
      }
      return lines
    }
    return Calendars.text(events, ["X-WR-CALNAME:Plan"])
  }

  private static func utc(_ time: Int64) -> String? {
    guard let date = CivilDate(dayNumber: time / 86_400) else { return nil }
    let second = time % 86_400
    let clock = [second / 3_600, second / 60 % 60, second % 60].map { number in
      number < 10 ? "0\(number)" : "\(number)"
    }
    return "\(date.description.filter { $0 != "-" })T\(clock.joined())Z"
  }

  private var boxes: String {
    var text = ""
    for day in Set(rows.map(\.day)).sorted() {
      text += "# \(Self.date(day))\n\n"
      for row in rows where row.day == day {
        text += "- [ ] \(row.title)\n"
        if let note = row.note { text += "  \(note)\n" }
      }
      text += "\n"
    }
    return text
  }
}

/// What is seen of an item: the parts that every shape has.
struct SeenRow: Hashable, Comparable, CustomStringConvertible {
  var title: String
  var date: String
  var note: String?

  var description: String { "\(title) \(date) \(note ?? "")" }

  static func < (left: SeenRow, right: SeenRow) -> Bool {
    (left.title, left.date, left.note ?? "") < (right.title, right.date, right.note ?? "")
  }
}

extension ForeignProgram {
  /// What must be seen of its rows in a document that is made of its file.
  var seen: [SeenRow] {
    rows.map { SeenRow(title: $0.title, date: Self.date($0.day), note: $0.note) }.sorted()
  }

  /// What is seen of a document.
  func seen(_ list: ReplicatedList) -> [SeenRow] { list.map { seen($0, in: list) }.sorted() }

  func seen(_ item: ListItem, in list: ReplicatedList) -> SeenRow {
    let title = item[shape.isOfTasks ? "text" : "title"]?.string ?? ""
    return SeenRow(
      title: title, date: date(of: item, in: list) ?? "none", note: item["note"]?.string)
  }

  private func date(of item: ListItem, in list: ReplicatedList) -> String? {
    if shape.isOfTasks { return TaskList(list).date(of: item.id)?.description }
    guard let start = Trip(list).startDate, let section = item.section else { return nil }
    return (start + (section - 1))?.description
  }

  /// The section of a date in a document.
  func section(_ day: Int, in list: ReplicatedList) -> Int64 {
    guard let date = CivilDate(Self.date(day)) else { return 1 }
    if shape.isOfTasks { return TaskList.section(of: date) }
    return (Trip(list).startDate.map { date - $0 } ?? 0) + 1
  }
}
