import Betwixt

/// What the columns of a table hold, told by their headings.
extension CSVReader {
  /// What a column holds.
  enum Column: Equatable {
    case field(FieldName)
    case date, day, order, id, done
    /// Without a name, or with that of a field which another column has.
    case lost
  }

  /// What stands between the cells of a table, told by its headings; `nil` if it is no table.
  static func separator(of head: String) -> UInt8? {
    for separator in [UInt8(ascii: ","), UInt8(ascii: ";"), 0x09] {
      let cells = head.utf8.split(separator: separator, omittingEmptySubsequences: false)
      guard cells.count >= 2 else { continue }
      var known = 0
      for cell in cells {
        let name = String(Substring(cell)).trimmed.withoutQuotes
        guard name.utf8.count <= 64 else { return nil }
        if column(named: name) != nil { known += 1 }
      }
      if known >= 2 { return separator }
    }
    return nil
  }

  /// What each column holds, and which things there are columns for.
  ///
  /// Of two columns for one thing the first counts; the other keeps its own name, if that is free.
  static func columns(
    _ headings: [String], options: ReadingOptions
  ) -> (columns: [Column], taken: [Column]) {
    var taken: [Column] = []
    let known = headings.map { heading in
      let given = options.columns.first { $0.heading.hasSameBytes(as: heading) }
      let column =
        given.map { CSVReader.column(named: $0.field) ?? FieldName($0.field).map { .field($0) } }
        ?? CSVReader.column(named: heading)
      guard let column, !taken.contains(column) else { return Column?.none }
      taken.append(column)
      return column
    }
    var names = taken
    let columns = zip(headings, known).map { heading, column in
      if let column { return column }
      guard let name = FieldName(heading), !names.contains(.field(name)) else { return .lost }
      names.append(.field(name))
      return .field(name)
    }
    return (columns, taken)
  }

  /// Whether a table holds tasks, by its headings.
  ///
  /// What has a time of day can have a state too, such as “booked”; a task has none. A start is that of
  /// what has sides, or a place and no day when it is due; else it may be the day when a task begins.
  static func holdsTasks(
    _ headings: [String], columns: [Column], options: ReadingOptions
  ) -> Bool {
    let sides: [FieldName] = [.home, .away, .venue, .gameID]
    let places: [FieldName] = [.address, .city, .latitude, .longitude, .from, .to, .kind]
    // Whoever says that a start is the date says no less of it.
    let named = zip(headings, columns).map { heading, column in
      let own = column == .date ? CSVReader.column(named: heading) : nil
      return own == .field(.start) || own == .field(.time) ? own ?? column : column
    }
    func hasColumn(of fields: [FieldName]) -> Bool {
      fields.contains { named.contains(.field($0)) }
    }
    let hasDue = headings.contains(where: isDue) || options.columns.contains { isDue($0.field) }
    let hasTime =
      hasColumn(of: [.time])
      || hasColumn(of: [.start]) && (hasColumn(of: sides) || hasColumn(of: places) && !hasDue)
    return hasColumn(of: [.taskText]) || columns.contains(.done)
      || hasColumn(of: [.state]) && !hasTime
  }

  /// Which column has the dates of a table without one for them: that of a start or of a time, if the
  /// first cell in it says one.
  static func dateColumn(among columns: [Column], below rows: CSVRows) -> Int? {
    [.start, .time].lazy.compactMap { columns.firstIndex(of: .field($0)) }.first { index in
      var rows = rows
      while let row = try? rows.next() {
        guard row.cells.indices.contains(index), !row.cells[index].isEmpty else { continue }
        return isDate(row.cells[index])
      }
      return false
    }
  }

  /// What helps where columns are missing.
  static func problem(_ head: CSVRows.Row, missing: [String]) -> TextProblem {
    guard !head.cells.contains(where: isDate) else {
      return TextProblem(
        .missing, at: head.offset,
        "the table has no line of headings: add one above the first, such as date,time,title")
    }
    let options = missing.map { "\($0)=HEADING" }.joined(separator: ",")
    return TextProblem(
      .missing, at: head.offset,
      "which columns hold the \(missing.joined(separator: " and the ")) cannot be told: say it "
        + "(--columns \(options)); the columns are "
        + head.cells.map { "“\($0.excerpt)”" }.joined(separator: ", "))
  }

  /// A heading without capitals and what parts its words.
  private static func word(of heading: String) -> String {
    let letters = heading.utf8.map { (0x41...0x5a).contains($0) ? $0 | 0x20 : $0 }
    return String(
      decoding: letters.filter { $0 != 0x20 && $0 != 0x5f && $0 != 0x2d }, as: UTF8.self)
  }

  /// Whether a date is called what that of a task is.
  private static func isDue(_ heading: String) -> Bool {
    let word = word(of: heading)
    return ["due", "duedate", "scheduled", "scheduleddate"].contains { word.hasSameBytes(as: $0) }
  }

  /// What a column holds whose heading is known.
  static func column(named name: String) -> Column? {
    let word = word(of: name)
    if let field = fields[word] { return .field(field) }
    switch word {
    case "date", "startdate", "when", "due", "duedate", "scheduled", "scheduleddate": return .date
    case "day", "daynumber": return .day
    case "order", "sortorder", "position": return .order
    case "id", "uid", "uuid": return .id
    case "done", "completed", "checked", "iscompleted": return .done
    default: return nil
    }
  }

  private static let fields: [String: FieldName] = [
    "title": .title, "name": .title, "subject": .title, "summary": .title, "event": .title,
    "activity": .title, "text": .taskText, "task": .taskText, "todo": .taskText,
    "content": .taskText, "note": .note, "notes": .note, "description": .note,
    "details": .note, "comment": .note, "address": .address, "location": .address,
    "place": .address, "time": .time, "starttime": .time, "start": .start, "city": .city,
    "from": .from, "origin": .from, "to": .to, "destination": .to, "distancekm": .distance,
    "durationmin": .duration, "duration": .duration, "latitude": .latitude, "lat": .latitude,
    "longitude": .longitude, "lon": .longitude, "lng": .longitude, "kind": .kind, "mode": .mode,
    "home": .home, "away": .away, "venue": .venue, "icon": .icon, "gameid": .gameID,
    "state": .state, "status": .state, "createdat": .createdAt, "updatedat": .updatedAt,
    "completedat": .completedAt, "priority": .priority, "project": .project, "tags": .tags,
  ]
}

extension String {
  fileprivate var withoutQuotes: String {
    guard utf8.count >= 2, utf8.first == UInt8(ascii: "\""), utf8.last == UInt8(ascii: "\"") else {
      return self
    }
    return String(decoding: utf8.dropFirst().dropLast(), as: UTF8.self)
  }
}
