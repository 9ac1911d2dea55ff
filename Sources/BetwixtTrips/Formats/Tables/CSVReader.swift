import Betwixt

/// Reads a table of comma-separated values: ours, or one whose headings say what the columns are.
struct CSVReader {
  private var file: ForeignFile
  private let columns: [Column]
  private let headings: [String]
  private let isOurs: Bool
  private var identities = TextIdentities("csv")
  private let separator: UInt8
  // How many cells of each column nothing has room for.
  private var lostCounts: [Int]
  // How many times of UTC were taken as they stand.
  private var unresolvedCount = 0

  static func read(
    _ bytes: [UInt8], options: ReadingOptions
  ) throws(TextProblem) -> ForeignFile {
    if let problem = UTF8Check.firstProblem(inTextOf: bytes) { throw problem }
    var rows = CSVRows(bytes)
    guard let head = try rows.next() else {
      throw TextProblem(.truncated, at: bytes.count, "a table has a line of headings")
    }
    var reader = try CSVReader(head, above: rows, options: options)
    while let row = try rows.next() { try reader.take(row, options: options) }
    return try reader.finished(options)
  }

  private init(
    _ head: CSVRows.Row, above rows: CSVRows, options: ReadingOptions
  ) throws(TextProblem) {
    guard head.cells.count <= PlainReader.maximumFieldCount else {
      throw TextProblem(.tooLarge, at: head.offset, "a table has at most 1,024 columns")
    }
    separator = rows.separator
    headings = head.cells
    lostCounts = Array(repeating: 0, count: head.cells.count)
    var (columns, taken) = CSVReader.columns(head.cells, options: options)
    for (field, heading) in options.columns
    where !head.cells.contains(where: { $0.hasSameBytes(as: heading) }) {
      throw TextProblem(
        .missing, at: head.offset,
        "there is no column “\(heading.excerpt)” for \(field): the columns are "
          + head.cells.map { "“\($0.excerpt)”" }.joined(separator: ", "))
    }
    isOurs =
      head.cells.starts(with: ["day", "date", "order", "id", "kind"])
      || head.cells.starts(with: ["date", "order", "id", "state", "text"])
    let isTasks = CSVReader.holdsTasks(head.cells, columns: columns, options: options)
    file = ForeignFile(.csv, in: isTasks ? .tasks : .trip)
    if !isTasks, !taken.contains(.date), !taken.contains(.day),
      let index = CSVReader.dateColumn(among: columns, below: rows)
    {
      columns[index] = .date
      taken.append(.date)
    }
    self.columns = columns
    var missing: [String] = []
    if !taken.contains(.field(.title)), !taken.contains(.field(.taskText)) { missing = ["title"] }
    if !isTasks, !taken.contains(.date), !taken.contains(.day) { missing.append("date") }
    guard missing.isEmpty else { throw CSVReader.problem(head, missing: missing) }
  }
}

extension CSVReader {
  private mutating func take(
    _ row: CSVRows.Row, options: ReadingOptions
  ) throws(TextProblem) {
    guard row.cells.contains(where: { !$0.isEmpty }) else { return }
    guard row.cells.count <= columns.count else {
      throw TextProblem(
        .syntax, at: row.offset, "the line has more cells than there are headings")
    }
    var texts: [FieldName: String] = [:]
    var others: [(Column, String)] = []
    var emptied: Set<FieldName> = []
    for (index, cell) in row.cells.enumerated() {
      guard !cell.isEmpty else {
        if isOurs, case .field(let name) = columns[index] { emptied.insert(name) }
        continue
      }
      let cell = isOurs ? CSVReader.withoutGuard(cell) : cell
      switch columns[index] {
      case .field(let name): texts[name] = cell
      case .lost: lostCounts[index] += 1
      case let column: others.append((column, cell))
      }
    }
    func other(_ column: Column) -> String? { others.first { $0.0 == column }?.1 }
    let isTasks = file.dialect == .tasks
    // A task of ours is one by its id, also without words.
    let unnamed = isOurs && isTasks && other(.id) != nil ? "" : nil
    guard let title = texts[isTasks ? .taskText : .title] ?? texts[.title] ?? unnamed else {
      throw TextProblem(.missing, at: row.offset, "the line has no title")
    }
    var item = identified(
      other(.id), title: title, kind: texts[.kind], gameID: texts[.gameID], row: row)
    if let text = other(.date) {
      item.date = try CSVReader.date(text, at: row.offset)
      try takeTime(behind: text, of: &item, fields: &texts, row: row, options: options)
    }
    // Without an id, and without what tells which item it is, nobody knows what was emptied.
    if other(.id) != nil { item.emptied = emptied.subtracting([.kind, .gameID]) }
    item.day = other(.day).flatMap { Int64($0) }
    item.number = other(.order).flatMap { Double(decimal: $0) }.flatMap { $0.isFinite ? $0 : nil }
    noteCounts(of: item, day: other(.day), order: other(.order))
    if isTasks, texts[.taskText] == nil, !title.isEmpty {
      texts[.taskText] = title
      texts[.title] = nil
    }
    // What the other fields may hold depends on the kind.
    if let kind = texts[.kind] { item.set(.kind, kind) }
    for (name, text) in texts.sorted(by: { $0.key < $1.key }) { fill(&item, name, text) }
    if isTasks { fillState(&item, done: other(.done)) }
    if isOurs, !isTasks { dropDerivedTitle(&item) }
    if !isTasks, item.date == nil, item.day == nil {
      throw TextProblem(.missing, at: row.offset, "the line has neither a date nor a day")
    }
    file.items.append(item)
  }

  // Both say where the item stands, so no field has room for what is no number.
  private mutating func noteCounts(of item: ForeignItem, day: String?, order: String?) {
    if let day, item.day == nil {
      file.notes.append((item.line, "its day “\(day.excerpt)” is no whole number: it is not taken"))
    }
    if let order, item.number == nil {
      file.notes.append((item.line, "its order “\(order.excerpt)” is no number: it is not taken"))
    }
  }

  private mutating func identified(
    _ id: String?, title: String, kind: String?, gameID: String?, row: CSVRows.Row
  ) -> ForeignItem {
    guard let id else {
      var item = identities.item(title, line: row.line)
      if kind == nil, file.dialect == .trip { item.set(.kind, "custom") }
      return item
    }
    var item = ForeignItem("csv", id: id, line: row.line)
    if isOurs {
      item.id = file.dialect.identity(
        kind: ItemKind(kind.map { .string($0) }), gameID: gameID, id: id)
      if !item.id.uuid.hasSameBytes(as: id) { item.foreignID = id }
    }
    return item
  }

  /// A cell as it was before it was made safe for spreadsheets.
  private static func withoutGuard(_ cell: String) -> String {
    guard cell.utf8.first == CSVExport.guardMark, CSVExport.isLikeFormula(cell) else { return cell }
    return String(decoding: cell.utf8.dropFirst(), as: UTF8.self)
  }

  private mutating func fill(_ item: inout ForeignItem, _ name: FieldName, _ text: String) {
    let form =
      file.dialect == .tasks
      ? FieldForm.ofTask(name)
      : FieldForm.ofItem(name, kind: ItemKind(item.fields[.kind] ?? nil))
    let isMeasure = name == .distance || name == .duration
    switch form ?? (name == .latitude || name == .longitude ? .double : .string) {
    case .int: item.fields[name] = Int64(text).map { .some(.int64($0)) }
    case .double, .latitude, .longitude:
      item.fields[name] = number(text).map { .some(.double($0)) }
    case .clock: item.set(name, CSVReader.clock(text)?.description)
    case .start: item.set(name, GameStart(droppingSecondsOf: text)?.description)
    default:
      if form == nil, isMeasure {
        item.fields[name] =
          Int64(text).map { .some(.int64($0)) } ?? number(text).map { .some(.double($0)) }
      } else {
        item.set(name, text)
      }
    }
    guard item.fields[name] == nil, !text.isEmpty else { return }
    item.set(name, text)
    let wanted = form ?? (isMeasure ? .double : nil)
    if let wanted {
      file.notes.append(
        (item.line, "“\(text.excerpt)” is not \(wanted.meaning) for “\(name)”: it is kept as text"))
    }
  }

  /// Reads a number; where a comma ends no cell, it may stand before the fraction.
  private func number(_ text: String) -> Double? {
    var text = text
    if separator != UInt8(ascii: ","), text.utf8.count(where: { $0 == UInt8(ascii: ",") }) == 1 {
      text = text.replacingCommaByPoint
    }
    return Double(decimal: text).flatMap { $0.isFinite ? $0 : nil }
  }

  /// Reads `9:30`, `9:30 AM`, `9pm`, `09.30` and `09:30:00`.
  static func clock(_ text: String) -> ClockTime? {
    if let clock = ClockTime(droppingSecondsOf: text) ?? ClockTime(spoken: text) { return clock }
    let parts = text.utf8.split { $0 == UInt8(ascii: ":") || $0 == 0x20 || $0 == UInt8(ascii: ".") }
      .map { String(Substring($0)) }
    guard parts.count >= 2, let hour = Int(parts[0]), let minute = Int(parts[1]),
      (0...23).contains(hour)
    else { return nil }
    let half = parts.last.map { Array($0.utf8).map { $0 & 0xdf } } ?? []
    if half == Array("PM".utf8) { return ClockTime(hour: hour % 12 + 12, minute: minute) }
    if half == Array("AM".utf8) { return ClockTime(hour: hour % 12, minute: minute) }
    return parts.count == 2 || Int(parts[2]) != nil ? ClockTime(hour: hour, minute: minute) : nil
  }

  private func fillState(_ item: inout ForeignItem, done: String?) {
    if let done {
      let word = done.utf8.map { (0x41...0x5a).contains($0) ? $0 | 0x20 : $0 }
      let no = ["false", "no", "0", "n", "-"].contains { $0.utf8.elementsEqual(word) }
      item.set(.state, no ? "notStarted" : "completed")
    } else if item.fields[.state] == nil {
      item.set(.state, "notStarted")
    }
  }

  // The column `title` shows what an item is called, also where it has no title of its own.
  private func dropDerivedTitle(_ item: inout ForeignItem) {
    func text(_ name: FieldName) -> String? { (item.fields[name] ?? nil)?.string }
    let derived = ItemKind(item.fields[.kind] ?? nil).summary(text)
    if let title = text(.title), title.hasSameBytes(as: derived) { item.fields[.title] = nil }
  }

  /// Reads `2026-05-03`, `2026/05/03`, `20260503`, and `3.5.2026`, whose parts no one can confuse.
  private static func date(_ text: String, at offset: Int) throws(TextProblem) -> CivilDate {
    if let date = ISOTime(text)?.date ?? CalendarTime(text)?.date { return date }
    let parts = text.utf8.split { !(0x30...0x39).contains($0) }.compactMap {
      Int(String(Substring($0)))
    }
    if parts.count >= 3 {
      if parts[0] > 31, let date = CivilDate(year: parts[0], month: parts[1], day: parts[2]) {
        return date
      }
      let isGerman = text.utf8.dropLast(tail(of: text).count).contains(UInt8(ascii: "."))
      let (first, second, year) = (parts[0], parts[1], parts[2])
      if year > 31 {
        if isGerman || first > 12 {
          if let date = CivilDate(year: year, month: second, day: first) { return date }
        } else if second > 12 || first == second {
          if let date = CivilDate(year: year, month: first, day: second) { return date }
        } else {
          throw TextProblem(
            .badValue, at: offset,
            "“\(text.excerpt)” can be two dates: write them like 2026-05-03")
        }
      }
    }
    throw TextProblem(
      .badValue, at: offset, "“\(text.excerpt)” is no date like 2026-05-03: write dates so")
  }

  /// Whether a cell is a date.
  static func isDate(_ cell: String) -> Bool { (try? date(cell, at: 0)) != nil }

  /// Whether a cell is a date, or one with a time of day, and has no further words.
  static func isDateAlone(_ cell: String) -> Bool {
    if ISOTime(cell) != nil || CalendarTime(cell) != nil { return true }
    guard let first = cell.utf8.first, (0x30...0x39).contains(first), isDate(cell) else {
      return false
    }
    let tail = String(Substring(tail(of: cell).drop { " ,T".utf8.contains($0) })).trimmed
    return tail.isEmpty || clock(tail) != nil
  }

  /// What stands behind the three numbers of a date.
  private static func tail(of text: String) -> Substring.UTF8View {
    let digits: ClosedRange<UInt8> = 0x30...0x39
    var rest = Substring(text).utf8
    for _ in 0..<3 { rest = rest.drop { !digits.contains($0) }.drop { digits.contains($0) } }
    return rest
  }

  /// Takes the time of day that stands in one cell with the date, for a row without another one.
  ///
  /// Midnight is what many programs write behind each date.
  private mutating func takeTime(
    behind text: String, of item: inout ForeignItem, fields texts: inout [FieldName: String],
    row: CSVRows.Row, options: ReadingOptions
  ) throws(TextProblem) {
    guard let date = item.date, let tail = try time(behind: text, at: row.offset) else { return }
    var shown = CalendarTime(date, clock: tail.clock)
    if let wanted = options.utcOffset, let offset = tail.utcOffset {
      shown = shown.later(by: Int64(wanted - offset)) ?? shown
    } else if tail.clock.minuteOfDay == 0 {
      return
    } else if tail.utcOffset == 0 {
      unresolvedCount += 1
    }
    guard let clock = shown.clock else { return }
    if file.dialect == .tasks {
      file.notes.append((row.line, "the time \(clock) of its date is not taken: tasks have a day"))
      return
    }
    let isGame = ItemKind(texts[.kind].map { .string($0) }) == .game
    let name: FieldName = isGame ? .start : .time
    if let given = texts[name] {
      if !isGame, CSVReader.clock(given) != clock {
        file.notes.append(
          (row.line, "its date says \(clock): the time “\(given.excerpt)” of its own column counts")
        )
      }
      return
    }
    item.date = shown.date
    // That of a game keeps its offset, unless another clock is wanted.
    let whole = options.utcOffset == nil ? GameStart(droppingSecondsOf: text)?.description : nil
    texts[name] = isGame ? whole ?? "\(shown.date)T\(clock)" : "\(clock)"
  }

  /// The time of day behind a date; `nil` if nothing stands there but words, such as a weekday.
  private func time(
    behind text: String, at offset: Int
  ) throws(TextProblem) -> (clock: ClockTime, utcOffset: Int?)? {
    if let time = ISOTime(text) { return time.clock.map { ($0, time.utcOffset) } }
    if let time = CalendarTime(text) { return time.clock.map { ($0, time.isUTC ? 0 : nil) } }
    let rest = CSVReader.tail(of: text).drop { " ,T".utf8.contains($0) }
    guard rest.contains(where: { (0x30...0x39).contains($0) }) else { return nil }
    let tail = String(Substring(rest)).trimmed
    guard let clock = CSVReader.clock(tail) else {
      throw TextProblem(
        .badValue, at: offset, "“\(tail.excerpt)” behind the date is no time like 18:00")
    }
    return (clock, nil)
  }

  private func finished(_ options: ReadingOptions) throws(TextProblem) -> ForeignFile {
    var file = file
    // Ours give the date of each day beside its number.
    if file.dialect == .trip { file.takeCountedStart(isOurs: isOurs) }
    if unresolvedCount > 0 {
      file.notes.append(
        (
          1,
          "\(unresolvedCount) × a time of UTC is shown as it stands: --utc-offset ±HH:MM says which "
            + "clock to show"
        ))
    }
    for (index, count) in lostCounts.enumerated() where count > 0 {
      let why =
        FieldName(headings[index]) == nil
        ? "which has no name of at most 255 bytes" : "whose name another one has"
      file.notes.append((1, "not taken: \(count) × a cell of column \(index + 1), \(why)"))
    }
    if let startDate = options.startDate(of: file) { file.startDate = startDate }
    guard file.isDated || file.dialect == .tasks || file.items.isEmpty else {
      throw TextProblem(
        .missing, at: 0, "the table has days and no date: say the first (--start 2026-05-01)")
    }
    return file
  }
}

extension ForeignFile {
  /// Takes the date of day 1 that most rows count from, and names the rows whose day is not their
  /// date.
  ///
  /// In a table that is not ours such a row stands on its date: nothing says which of both was changed,
  /// and it is not to go to and fro.
  ///
  /// - Parameter isOurs: Whether a day is that of a trip for sure; in another table one may be anything,
  ///   if not most count from one date.
  fileprivate mutating func takeCountedStart(isOurs: Bool) {
    var counts: [CivilDate: Int] = [:]
    for item in items {
      if let start = item.countedStart { counts[start, default: 0] += 1 }
    }
    let best = counts.max { ($0.value, $1.key) < ($1.value, $0.key) }
    guard let start = best?.key, let count = best?.value,
      isOurs || 2 * count > counts.values.reduce(0, +)
    else { return }
    startDate = startDate ?? start
    countedStart = start
    isOnItsDates = !isOurs
    for item in items {
      guard let own = item.countedStart, own != start, let day = item.day, let date = item.date
      else { continue }
      notes.append(
        (
          item.line,
          "its day \(day) is not its date \(date): the one that was changed counts, else the day"
        ))
    }
  }
}

extension String {
  /// The text with its comma written as a point.
  fileprivate var replacingCommaByPoint: String {
    String(decoding: utf8.map { $0 == UInt8(ascii: ",") ? UInt8(ascii: ".") : $0 }, as: UTF8.self)
  }
}
