import Betwixt
import BetwixtTrips

/// What an edit did to one item, for a person and for a program.
struct EditReport {
  /// What was done, in one word: `added`.
  let verb: String

  /// The item.
  let id: ItemID

  /// Whether anything was written.
  let isChange: Bool

  /// Compares an item before and after an edit.
  init(_ verb: String, of id: ItemID, from before: ReplicatedList, to after: ReplicatedList) {
    self.verb = verb
    self.id = id
    isChange = before[id: id]?.entries != after[id: id]?.entries
  }

  /// A line for a person.
  func text(in list: ReplicatedList, rows: RowNumbers) -> String {
    let words = isChange ? verb : "unchanged"
    guard let item = list[id: id] else { return "\(words) \(id.uuid)\n" }
    if id == .root { return "\(words) the list “\(item.summary.printable)”\n" }
    let row = rows[id].map { "\($0) " } ?? ""
    return "\(words) \(row)“\(item.summary.printable)”, id \(id.uuid)\n"
  }

  /// One JSON object and a line break.
  func json(in list: ReplicatedList, rows: RowNumbers) -> String {
    var line = JSONLine()
    line.add("edit", verb)
    line.add("changed", isChange)
    line.add("id", id == .root ? "root" : id.uuid)
    line.add("label", list[id: id]?.summary ?? "")
    if let row = rows[id] {
      line.add("day", row.day)
      line.add("row", Int64(row.place))
    }
    return line.text
  }
}

extension Session {
  /// Prints what was done, and what is out of order about the items now.
  mutating func show(
    _ reports: [EditReport], in list: ReplicatedList, arguments: ParsedArguments
  ) {
    let rows = RowNumbers(list, of: reports.map(\.id))
    for edit in reports {
      print(
        arguments.isSet(.json) ? edit.json(in: list, rows: rows) : edit.text(in: list, rows: rows))
    }
    guard PlainDialect(of: list) == .trip else { return }
    let trip = Trip(list)
    let items = Set(reports.map(\.id))
    for violation in Constraints.violations(of: items, in: trip) {
      report("note: \(ViolationText(violation, in: trip).sentence.printable)\n")
    }
  }
}

extension ToolFailure {
  /// An edit that the rules of trips do not allow, in the words of the one who asked for it.
  init(_ failure: TripFailure, id: ItemID?, in trip: Trip, of fileName: String) {
    let label = id.flatMap { trip.list[id: $0]?.summary.printable }.map { "“\($0)”" } ?? "the item"
    switch failure.code {
    case .notMovable:
      self.init(
        .negative,
        """
        Error: \(label) is a game, which stands where its start says; change that with \
        'betwixt set \(fileName.shellPath) ITEM start=DATE'
        """)
    case .invalidGap:
      let isLeg = id.map { trip.kind(of: $0) == .travel } ?? false
      let ranges = isLeg ? id.map { Constraints(trip).validDayRanges($0) } ?? [] : []
      let days = ranges.map {
        $0.count == 1 ? "\($0.lowerBound)" : "\($0.lowerBound) to \($0.upperBound)"
      }
      self.init(
        .negative,
        "Error: \(label) cannot stand there"
          + (days.isEmpty
            ? "" : "; the games of its cities allow parts of day \(days.joined(separator: ", "))"))
    case .notAGame:
      self.init(
        .negative,
        "Error: a game needs a gameId and a start, such as gameId=final start=2026-07-19T15:00-04:00"
      )
    case .noStartDate:
      self.init(
        .negative,
        """
        Error: \(fileName) has no start date, so a game has no day; set one with \
        'betwixt set \(fileName.shellPath) trip startDate=DATE'
        """)
    case .unknownItem: self.init(.negative, "Error: \(fileName): \(failure)")
    case .refused(let failure): self.init(failure, of: fileName)
    }
  }

  /// An edit that the list refuses: what it was, and of what is too large how much is not.
  init(_ failure: EditFailure, of fileName: String) {
    let limits = EditLimits()
    let cure =
      switch failure.code {
      case .valueTooLarge:
        "; a field holds up to \(limits.valueByteCount >> 10) KiB: shorten it, or divide it among fields"
      case .nameTooLong: "; it has up to \(limits.nameByteCount) bytes: take a shorter one"
      default: ""
      }
    self.init(.negative, "Error: \(fileName): \("\(failure)".printable)\(cure)")
  }
}
