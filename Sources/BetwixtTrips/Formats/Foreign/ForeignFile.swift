public import Betwixt

/// What a file of another program says, before it belongs to a list.
///
/// Dates are kept as dates: which day of a trip one is, the trip says that takes the file in.
public struct ForeignFile: Sendable {
  /// What the file is.
  public let format: DocumentFormat

  /// The title that the file gives to what it holds.
  public internal(set) var name: String?

  /// The list that the file was exported from; `nil` for one of another program.
  var ownID: ListID?

  let dialect: PlainDialect

  /// Further fields of the list.
  var rootFields: [(name: FieldName, value: FieldValue)] = []

  /// The zones that a calendar of tasks speaks of, which are fields of the list too.
  var zones = CalendarZones()

  /// How a list names them.
  var zoneNames = ZoneNames()

  /// The date of day 1, if the file says it.
  var startDate: CivilDate?

  /// The date of day 1 by which the file counts the days of its items, if it says it.
  var countedStart: CivilDate?

  /// Whether an item whose day is not that of its date stands on the date, wherever it stood before.
  var isOnItsDates = false

  /// The number of days, if the file says it.
  var dayCount: Int64?

  var items: [ForeignItem] = []

  /// The items that the file names and that could not be read: they are not gone.
  var skippedIDs: Set<ItemID> = []

  /// Whether there is something that could not be read and has no id, so that nobody knows what is
  /// gone.
  var hasUnknownSkips = false

  /// What the items make of a file that calls its list nothing; `nil` until it is checked.
  private var contentID: ListID?

  /// What was not taken, or is doubtful, with the line where it stands.
  var notes: [(line: Int, text: String)] = []

  /// How many lines of a text are nothing that a list has room for.
  var looseLineCount = 0

  init(_ format: DocumentFormat, in dialect: PlainDialect) {
    self.format = format
    self.dialect = dialect
  }

  /// The list that the file belongs to, or one that is made from its format and title; without a title
  /// from what it holds, for most files have none and are of different trips.
  public var listID: ListID {
    let title = name ?? ""
    return ownID ?? (title.isEmpty ? contentID : nil)
      ?? ForeignIdentity.hashed(in: format.rawValue, title)
  }
}

/// One item of a file of another program.
struct ForeignItem: Sendable {
  /// Its identity.
  var id: ItemID

  /// The id that it has in the file, where that is not its identity.
  var foreignID: String?

  /// Whether the file has ids; where it has none, an item is the one of the same text.
  var hasOwnID: Bool

  /// What its identity is made of, where the file has no ids.
  private(set) var textIdentity: TextIdentity?

  /// The line where it stands.
  var line: Int

  /// When it was last edited; 0 where the file does not say.
  var time: Timestamp = .zero

  /// Its date; for a task `nil` is the inbox.
  var date: CivilDate?

  /// Its day, where the file counts days.
  var day: Int64?

  /// Whether the file says neither a day nor a date, and the day is only where it is put.
  var isDayAssumed = false

  /// Where it stands on its day.
  var number: Double?

  /// The item that it is a part of.
  var parent: ItemID?

  var fields: [FieldName: FieldValue?] = [:]

  /// The lines of its note, in a file that has one line after the other.
  var noteLines: [String] = []

  /// The fields that the file has room for and nothing in.
  var emptied: Set<FieldName> = []

  /// The fields that the file says are empty, if the item has them.
  var cleared: Set<FieldName> = []

  /// What a new item begins with, and one that is known keeps as it is.
  var defaults: [FieldName: FieldValue] = [:]

  /// The date of day 1, if the item has both a day and a date.
  var countedStart: CivilDate? {
    day.flatMap { day in date.flatMap { $0 - day }.flatMap { $0 + 1 } }
  }

  /// A text by which an item without an id is known.
  var text: String {
    (fields[.taskText] ?? fields[.title] ?? nil)?.string ?? ""
  }

  /// An item whose id in the file is a text.
  init(_ space: String, id: String, line: Int) {
    let uuid = ItemID(uuid: id)
    self.id = uuid ?? ForeignIdentity.hashed(in: space, id)
    hasOwnID = true
    self.line = line
  }

  /// An item of a file without ids.
  init(_ identity: TextIdentity, line: Int) {
    id = identity.id
    hasOwnID = false
    textIdentity = identity
    self.line = line
  }

  /// Takes another identity, as long as it is another item's.
  mutating func giveWay(where isOthers: (ItemID) -> Bool) {
    while isOthers(id) { id = TextIdentity.again(id) }
  }

  /// Sets a text, unless there is none; how large it is, is asked when all is read.
  mutating func set(_ name: FieldName, _ text: String?) {
    guard let text, !text.isEmpty else { return }
    fields[name] = .some(.string(text))
  }

  /// Appends a line of the note; blank lines between two of them are a part of it.
  mutating func addNoteLine(_ line: String, afterBlank blankCount: Int) {
    if !noteLines.isEmpty { noteLines += Array(repeating: "", count: blankCount) }
    noteLines.append(line)
  }

  /// Lets go what is kept of the entry of a file besides what is read of it, if that is too large.
  fileprivate mutating func dropLargeSource() -> Bool {
    let large = fields.filter { name, value in
      name.text.hasBytePrefix(PlainDialect.jsonPrefix)
        && (value?.canonicalByteCount ?? 0) > FieldValue.maximumByteCount
    }
    for name in large.keys { fields[name] = nil }
    return !large.isEmpty
  }

  /// Makes the note of its lines, which are kept apart until all are there.
  fileprivate mutating func takeNoteLines() {
    guard !noteLines.isEmpty else { return }
    set(.note, noteLines.joined(separator: "\n"))
    noteLines = []
  }
}

extension ForeignFile {
  /// Checks the file against the limits of every format.
  ///
  /// - Returns: The file, with the notes of its items whole.
  /// - Throws: `too-large` for more than 100,000 items, more than 1,024 fields or a value of more
  ///   than 512 KiB, `reserved-id`, `duplicate-id`.
  func checked() throws(ForeignProblem) -> ForeignFile {
    guard items.count <= PlainReader.maximumItemCount else {
      throw ForeignProblem(
        .tooLarge, line: items[PlainReader.maximumItemCount].line,
        "a list has at most 100,000 items")
    }
    var lines: [ItemID: Int] = [:]
    // One that has its identity by its text gives way to those that are called so.
    for item in items where item.hasOwnID {
      guard item.id != .root else {
        throw ForeignProblem(.reservedID, line: item.line, "the nil UUID is no item's")
      }
      if let line = lines.updateValue(item.line, forKey: item.id) {
        let cure = format == .csv ? "; empty the id of one that was copied" : ""
        throw ForeignProblem(
          .duplicateID, line: item.line, "the item of line \(line) has this identity too\(cure)")
      }
    }
    var file = self
    for index in file.items.indices {
      if !file.items[index].hasOwnID { file.items[index].giveWay { lines[$0] != nil } }
      file.items[index].takeNoteLines()
      if file.items[index].dropLargeSource() {
        let line = file.items[index].line
        file.notes.append((line, "what nobody reads of an entry of more than 512 KiB is left out"))
      }
    }
    try file.checkFields()
    file.contentID = ForeignIdentity.list(of: format.rawValue, holding: file.items.map { $0.id })
    return file
  }

  private func checkFields() throws(ForeignProblem) {
    func check(
      _ values: [FieldValue], count: Int, line: Int, of whose: String
    ) throws(ForeignProblem) {
      guard count <= PlainReader.maximumFieldCount else {
        throw ForeignProblem(.tooLarge, line: line, "\(whose) has at most 1,024 fields")
      }
      for value in values where value.canonicalByteCount > FieldValue.maximumByteCount {
        throw ForeignProblem(.tooLarge, line: line, "a value has at most 512 KiB")
      }
    }
    let words = rootFields.map { $0.value } + (name.map { [.string($0)] } ?? [])
    try check(words, count: words.count, line: 1, of: "a list")
    for item in items {
      let id: [FieldValue] = item.foreignID.map { [.string($0)] } ?? []
      let values = item.fields.values.compactMap { $0 } + id
      // The id and the parent are fields too.
      try check(values, count: item.fields.count + 2, line: item.line, of: "an item")
    }
  }

  /// The file as a plain one of a list.
  ///
  /// - Parameters:
  ///   - document: The list that takes it in; its first day counts, and where the file has no ids
  ///     its items of the same text are the ones meant. `nil` makes a new list.
  ///   - base: What the file was made from.
  ///   - counted: How the days of the base are those of the list.
  ///   - isBaseKnown: Whether the file was made from the base, so that it empties what that had.
  ///   - origin: Where its rows come from, if it was not made from the base.
  ///   - past: What of the list was there when the base was made.
  ///   - zones: The zones that are known; `nil` for those of the list.
  /// - Returns: The plain file, with the days of that list, what is doubtful in it as that, which items
  ///   it has anew that were removed here, perhaps since, and how each of its own is called there.
  /// - Complexity: O(*n* log *n*)
  func reading(
    for document: ReplicatedList?, base: ReplicatedList? = nil,
    countedAs counted: CountedDays? = nil, isBaseKnown: Bool = false,
    from origin: RowOrigin = .elsewhere, past: ListPast = ListPast(), zones: KnownZones? = nil
  ) -> (
    plain: PlainTrip, notes: [(line: Int, text: String)], removedHere: Set<ItemID>,
    names: [ItemID: ItemID]
  ) {
    let knownZones = zones ?? KnownZones(of: document)
    if let held = holdingZones(of: base ?? document, besides: knownZones) {
      return held.reading(
        for: document, base: base, countedAs: counted, isBaseKnown: isBaseKnown,
        from: origin, past: past, zones: zones)
    }
    let days = days(in: document, comparedWith: base ?? document, countedAs: counted)
    let known = origin.isItself ? nil : base ?? document
    let (ids, doubts, removedHere) = identities(
      in: known, on: days, of: isBaseKnown ? document : nil, past: past, from: origin)
    var names: [ItemID: ItemID] = [:]
    for (item, id) in zip(items, ids) { names[item.id] = id }
    var drafts: [PlainDraft] = []
    drafts.reserveCapacity(items.count)
    for (index, item) in items.enumerated() {
      let id = ids[index]
      var item = item
      if let parent = item.parent { item.set(.parent, (names[parent] ?? parent).uuid) }
      if let foreign = item.foreignID { item.set(.foreignID, foreign) }
      for name in isBaseKnown ? item.emptied : []
      where item.fields[name] == nil && base?[id: id]?[name] != nil {
        item.fields[name] = .some(nil)
      }
      for name in item.cleared
      where item.fields[name] == nil && known?[id: id]?[name] != nil {
        item.fields[name] = .some(nil)
      }
      if !item.defaults.isEmpty, known?[id: id] == nil {
        for (name, value) in item.defaults where item.fields[name] == nil {
          item.fields[name] = .some(value)
        }
      }
      var fields: [PlainField] = []
      for (name, value) in item.fields.sorted(by: { $0.key < $1.key }) {
        fields.append(PlainField(name: name, value: value, member: name.memberText))
      }
      drafts.append(
        PlainDraft(
          id: id, idOffset: 0, time: item.time,
          section: section(of: item, on: days, held: known?[id: id]?.section),
          number: item.number, anchor: nil, fileIndex: index, fields: fields))
    }
    let plain = PlainTrip(
      listID: document?.id ?? listID, idOffset: 0, dialect: dialect,
      root: root(of: document, zones: knownZones, days: days),
      items: PlainPlacer.place(drafts))
    return (plain, doubts, removedHere, names)
  }

  /// The file as a plain one of a list, without what is doubtful in it.
  func plain(
    for document: ReplicatedList?, from origin: RowOrigin = .elsewhere, zones: KnownZones? = nil
  ) -> PlainTrip {
    reading(for: document, from: origin, zones: zones).plain
  }

  /// What the file says of the list itself; nothing where the list says it already, nor of a zone that
  /// is known in other words.
  private func root(
    of document: ReplicatedList?, zones known: KnownZones, days: CountedDays
  ) -> PlainItem {
    var written: Set<Register> = []
    for entry in document?[id: .root]?.entries ?? [] { written.insert(entry.register) }
    var values = rootFields.filter { name, value in
      known.text(of: name).map { $0.hasSameBytes(as: value.string ?? "") } ?? true
    }
    if let name, !name.isEmpty, name.utf8.count < FieldValue.maximumByteCount {
      values.append((.name, .string(name)))
    }
    if dialect == .tasks {
      if document.map({ PlainDialect(ifKnownOf: $0) != .trip }) ?? true {
        values.append((.type, "tasks"))
      }
    } else if let startDate = days.start, !written.contains(.field(.startDate)) {
      values.append((.startDate, .string("\(startDate)")))
      var last: Int64 = 1
      for item in items { last = Swift.max(last, section(of: item, on: days)) }
      // A file may count its days from anywhere.
      let count = Swift.max(1, dayCount.map { days.shifted($0) } ?? last)
      values.append((.days, .int64(Swift.min(count, Trip.maximumDayCount))))
    }
    var fields: [PlainField] = []
    for (name, value) in values.sorted(by: { $0.name < $1.name })
    where !written.contains(.field(name)) {
      fields.append(PlainField(name: name, value: value, member: name.text))
    }
    return PlainItem(id: .root, time: .zero, place: .none, fields: fields)
  }
}

/// A problem of a file at a line, before the bytes of the line are known.
struct ForeignProblem: Error {
  let reason: DocumentFailure.Reason
  let line: Int
  let text: String

  init(_ reason: DocumentFailure.Reason, line: Int, _ text: String) {
    self.reason = reason
    self.line = line
    self.text = text
  }
}
