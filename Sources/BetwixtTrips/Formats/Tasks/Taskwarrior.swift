import Betwixt

/// Reads what `task export` of Taskwarrior writes.
///
/// Attributes that Betwixt has no field for are kept under their own names, as plain JSON has them.
struct TaskwarriorReader {
  private var file = ForeignFile(.taskwarrior, in: .tasks)
  private let lines: LineIndex
  private let utcOffset: Int?
  private var problems = FirstProblem()
  private var utcCount = 0

  /// Attributes with a field of another name, and those that Taskwarrior computes.
  private static let known: Set<String> = [
    "uuid", "description", "status", "entry", "modified", "end", "due", "id", "urgency",
  ]

  /// Fields of the attributes that Taskwarrior itself has: one that is not written is not set.
  ///
  /// Another program may drop those that it does not know, such as somebody's own.
  private static let ofTaskwarrior: Set<FieldName> = [
    .createdAt, .completedAt, .priority, .project, .tags, "json:tags", "tw:due", "start", "wait",
    "scheduled", "until", "recur", "depends", "json:depends", "json:annotations",
  ]

  static func read(
    _ value: JSONValue, bytes: [UInt8], utcOffset: Int?
  ) throws(TextProblem) -> ForeignFile {
    var reader = TaskwarriorReader(lines: LineIndex(bytes), utcOffset: utcOffset)
    var known: Set<ItemID> = []
    for task in value.elements ?? [] {
      guard let item = reader.item(task) else { continue }
      if !known.insert(item.id).inserted {
        reader.problems.note(.duplicateID, at: task.offset, "two tasks have this uuid")
      }
      reader.file.items.append(item)
    }
    try reader.problems.rethrow()
    if reader.utcCount > 0, utcOffset == nil {
      reader.file.notes.append(
        (
          1,
          "\(reader.utcCount) × a time of UTC gives its date as it stands: "
            + "--utc-offset ±HH:MM says which clock to show"
        ))
    }
    return reader.file
  }

  private init(lines: LineIndex, utcOffset: Int?) {
    self.lines = lines
    self.utcOffset = utcOffset
  }

  private mutating func item(_ task: JSONValue) -> ForeignItem? {
    guard case .object(let members) = task.content else {
      problems.note(.wrongType, at: task.offset, "a task is an object")
      return nil
    }
    let line = lines.line(of: task.offset)
    guard let uuid = task.text("uuid"), let text = task.text("description") else {
      problems.note(.missing, at: task.offset, "a task has “uuid” and “description”")
      return nil
    }
    let status = task.text("status") ?? "pending"
    guard status != "deleted" else {
      file.notes.append((line, "skipped: it is deleted"))
      return nil
    }
    var item = ForeignItem("task", id: uuid, line: line)
    if ItemID(uuid: uuid) == nil { item.foreignID = uuid }
    item.set(.taskText, text)
    item.set(
      .state, status == "completed" ? "completed" : task["start"] == nil ? "notStarted" : "active")
    if ["pending", "completed"].contains(status) {
      item.cleared = ["tw:status"]
    } else {
      item.set("tw:status", status)
    }
    item.set(.createdAt, moment(task, named: "entry"))
    item.set(.completedAt, moment(task, named: "end"))
    if let modified = task.text("modified").flatMap({ CalendarTime.seconds($0) }), modified >= 0,
      let moment = Moment(milliseconds: modified * 1_000)
    {
      item.time = Timestamp(milliseconds: moment.milliseconds)
    }
    takeDue(task, of: &item)
    var fields = FieldCollector(dialect: .tasks, kind: .custom)
    for member in members where !TaskwarriorReader.known.contains(member.name) {
      guard let name = FieldName(member.name), !PlainDialect.tasks.isStructuralOfItem(name),
        PlainDialect.tasks.form(ofItem: name, kind: .custom) == nil
      else {
        file.notes.append((line, "its attribute “\(member.name.excerpt)” is not kept"))
        continue
      }
      fields.add(
        NamedMember(name: name, nameOffset: member.nameOffset, value: member.value),
        noting: &problems
      )
    }
    for field in fields.finish(at: task.offset, noting: &problems) {
      item.fields[field.name] = .some(field.value)
    }
    // Of a member in its other form nothing was taken off.
    item.emptied = TaskwarriorReader.ofTaskwarrior.filter { name in
      !members.contains { PlainDialect.jsonPrefix + $0.name == name.text || $0.name == name.text }
    }
    return item
  }

  private func moment(_ task: JSONValue, named name: String) -> String? {
    guard let text = task.text(name), let seconds = CalendarTime.seconds(text) else { return nil }
    return Moment(milliseconds: seconds * 1_000)?.description
  }

  private mutating func takeDue(_ task: JSONValue, of item: inout ForeignItem) {
    guard let text = task.text("due"), let time = CalendarTime(text) else { return }
    var shown = time
    if time.isUTC {
      utcCount += 1
      shown = time.later(by: Int64(utcOffset ?? 0)) ?? time
    }
    item.date = shown.date
    item.set("tw:due", "\(shown.date) \(text)")
  }
}

/// Writes tasks as Taskwarrior imports them.
struct TaskwarriorWriter {
  private(set) var bytes: [UInt8] = []
  private(set) var omissions: [Omission] = []

  init(_ list: ReplicatedList) {
    var writer = JSONWriter()
    writer.raw("[\n")
    for (index, shown) in PlainView(list).items.enumerated() {
      guard let item = list[id: shown.id] else { continue }
      if index > 0 { writer.raw(",\n") }
      writer.value(object(item, shown: shown))
    }
    writer.raw("\n]\n")
    bytes = writer.bytes
  }

  private mutating func object(_ item: ListItem, shown: PlainViewItem) -> JSONValue {
    var members: [(String, JSONValue)] = [
      ("uuid", .text(item.id.uuid)), ("description", .text(item.summary.onOneLine)),
      ("status", .text(status(of: item))),
    ]
    if item.summary.onOneLine != item.summary {
      omissions.append(Omission(item: item.id, field: .taskText, reason: .simplified))
    }
    omissions.noteUnnamed(item)
    for (name, field) in [("entry", FieldName.createdAt), ("end", .completedAt)] {
      guard let text = item.words(field) else { continue }
      if let stamp = TaskwarriorWriter.stamp(text) {
        members.append((name, .text(stamp)))
      } else {
        omissions.append(Omission(item: item.id, field: field, reason: .noRoom))
      }
    }
    if let time = item.newestTime, time != .zero {
      members.append(("modified", .text(CalendarTime.stamp(seconds: time.milliseconds / 1_000))))
    }
    if let due = due(of: item) { members.append(("due", .text(due))) }
    addRest(of: item, shown: shown, members: &members)
    return .object(members)
  }

  private func status(of item: ListItem) -> String {
    if TaskList.isCompleted(item) { return "completed" }
    let kept = item.words("tw:status") ?? "pending"
    return ["pending", "waiting", "recurring"].contains(kept) ? kept : "pending"
  }

  private static func stamp(_ text: String) -> String? {
    if let moment = Moment(text) { return CalendarTime.stamp(seconds: moment.milliseconds / 1_000) }
    return ISOTime(text).map {
      CalendarTime.stamp(seconds: ($0.minutes - Int64($0.utcOffset ?? 0)) * 60)
    }
  }

  private func due(of item: ListItem) -> String? {
    guard let date = item.section.flatMap({ CivilDate(dayNumber: $0) }) else { return nil }
    if let kept = item.words("tw:due"), kept.utf8.count > 11,
      let was = CivilDate(String(decoding: kept.utf8.prefix(10), as: UTF8.self)),
      let time = CalendarTime(String(decoding: kept.utf8.dropFirst(11), as: UTF8.self))?
        .later(by: (date - was) * 1_440)
    {
      return time.description
    }
    return CalendarTime(date, clock: ClockTime(hour: 0, minute: 0), zone: .utc).description
  }

  /// Appends the other fields under their own names, which Taskwarrior keeps.
  private mutating func addRest(
    of item: ListItem, shown: PlainViewItem, members: inout [(String, JSONValue)]
  ) {
    let written: Set<FieldName> = [
      .taskText, .state, .createdAt, .completedAt, .foreignID, "tw:due", "tw:status", .updatedAt,
    ]
    omissions.append(contentsOf: shown.omissions)
    var isStarted = false
    for member in shown.members where !written.contains(member.register) {
      guard let value = member.value else { continue }
      guard !members.contains(where: { $0.0.hasSameBytes(as: member.name) }) else {
        omissions.append(Omission(item: item.id, field: member.register, reason: .structuralName))
        continue
      }
      if member.name.hasSameBytes(as: "start") {
        guard item.words(.state)?.hasSameBytes(as: "active") ?? false else { continue }
        isStarted = true
      }
      members.append((member.name, TaskwarriorWriter.json(value, isJSON: member.isJSON)))
    }
    guard let state = item.words(.state) else { return }
    if state.hasSameBytes(as: "active"), !isStarted {
      let time = (item.newestTime ?? .zero).milliseconds / 1_000
      members.append(("start", .text(CalendarTime.stamp(seconds: time))))
    } else if !["notStarted", "completed", "active"].contains(state) {
      omissions.append(Omission(item: item.id, field: .state, reason: .noRoom))
    }
  }

  private static func json(_ value: FieldValue, isJSON: Bool) -> JSONValue {
    if isJSON, let text = value.string, let json = try? JSONScanner.scan(Array(text.utf8)) {
      return json
    }
    return .field(value)
  }
}
