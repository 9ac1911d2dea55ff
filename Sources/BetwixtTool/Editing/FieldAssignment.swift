import Betwixt
import BetwixtTrips

/// A field and what it is to hold, as an argument says it.
///
/// `NAME=TEXT` gives a field a value in the form that the field has: a number, a time, a text.
/// `NAME=` takes its value away. `NAME:=JSON` gives a field that no rule knows a number, a bool or a
/// text.
struct FieldAssignment {
  /// Which field.
  private(set) var name: FieldName

  private let text: String
  private let isJSON: Bool

  /// Takes an argument apart; `nil` if it names no field.
  init?(_ argument: String) {
    let bytes = Array(argument.utf8)
    guard let equals = bytes.firstIndex(of: UInt8(ascii: "=")) else { return nil }
    isJSON = equals > 0 && bytes[equals - 1] == UInt8(ascii: ":")
    let end = isJSON ? equals - 1 : equals
    guard let name = FieldName(String(decoding: bytes[..<end], as: UTF8.self)) else { return nil }
    self.name = name
    text = String(decoding: bytes[(equals + 1)...], as: UTF8.self)
  }

  /// The value in the form of the field, if a rule knows the field; `nil` clears it.
  ///
  func value(as form: FieldForm?) throws(ToolFailure) -> FieldValue? {
    if text.isEmpty { return nil }
    let value: FieldValue? =
      if isJSON {
        jsonValue(as: form)
      } else {
        switch form {
        case .int: Int64(text).map { .int64($0) }
        case .double, .latitude, .longitude:
          // Zero has no sign.
          Double(decimal: text).map { .double($0 == 0 ? 0 : $0) }
        case .clock: ClockTime(spoken: text).map { .string("\($0)") }
        case .string, .start, .date, nil: .string(text)
        }
      }
    guard let value, form?.accepts(value) ?? true else {
      let meaning = form?.meaning ?? "a JSON text, number, true or false"
      throw ToolFailure(
        .usage, "Error: field '\(name)' is \(meaning), not '\(text.printable)'")
    }
    // A file may say what it likes; nobody types that on purpose.
    let isMeasure = name == .duration || name == .distance
    guard !isMeasure || (value.int64 ?? 0) >= 0 && (value.double ?? 0) >= 0 else {
      throw ToolFailure(
        .usage, "Error: field '\(name)' is a number from 0, not '\(text.printable)'")
    }
    return value
  }

  /// The form of a field of an item of a trip, as it is typed: one that the rules give to items of other
  /// kinds means the same.
  static func form(ofItem name: FieldName, kind: ItemKind) -> FieldForm? {
    if let form = FieldForm.ofItem(name, kind: kind) { return form }
    return switch name {
    case .distance, .duration, .time: FieldForm.ofItem(name, kind: .travel)
    default: nil
    }
  }

  private func jsonValue(as form: FieldForm?) -> FieldValue? {
    guard let value = try? JSONScanner.scan(Array(text.utf8)) else { return nil }
    switch (value.content, form) {
    case (.number(let number), .double), (.number(let number), .latitude),
      (.number(let number), .longitude):
      return .double(number.double == 0 ? 0 : number.double)
    case (.string(let text), _): return .string(text)
    case (.bool(let value), _): return .bool(value)
    case (.number(.integer(let value)), _): return .int64(value)
    case (.number(.double(let value)), _): return .double(value)
    default: return nil
    }
  }
}

extension FieldAssignment {
  /// The assignments of arguments.
  ///
  /// - Throws: ``ToolFailure``: usage, also for what is no field of an item.
  static func all(
    _ arguments: some Sequence<String>, in session: borrowing Session
  ) throws(ToolFailure) -> [FieldAssignment] {
    var assignments: [FieldAssignment] = []
    for argument in arguments {
      guard let assignment = FieldAssignment(argument) else {
        throw session.usage(
          "'\(argument.printable)' is no FIELD=VALUE; a title is title='\(argument.printable)'")
      }
      if let cure = cures[assignment.name] {
        throw session.usage("'\(assignment.name)' is no field that is set: \(cure)")
      }
      assignments.append(assignment)
    }
    return assignments
  }

  /// The assignments with the names that the items of a list have.
  ///
  /// The title of a task is its text: a field `title` beside it would be a second one, and a later
  /// edit of one of them would not be seen in the other.
  ///
  /// - Parameters:
  ///   - assignments: What is to be set.
  ///   - list: The list.
  ///   - id: The item, if it is there already.
  ///   - options: Fields that options of the command give a value.
  /// - Returns: The same assignments in the same order.
  /// - Throws: ``ToolFailure``: usage, if a field is given two values.
  static func named(
    _ assignments: [FieldAssignment], in list: ReplicatedList, of id: ItemID?,
    besides options: [FieldName] = []
  ) throws(ToolFailure) -> [FieldAssignment] {
    let isTask = id != .root && PlainDialect(of: list) == .tasks
    func meant(_ name: FieldName) -> FieldName { isTask && name == .title ? .taskText : name }
    var names = Set(options.map(meant))
    var named = assignments
    for index in named.indices {
      named[index].name = meant(named[index].name)
      guard names.insert(named[index].name).inserted else {
        throw ToolFailure(
          .usage, "Error: field '\(named[index].name.text.printable)' is given two values")
      }
    }
    return named
  }

  /// Questions names that are probably others mistyped, and states that no rule knows.
  ///
  /// - Parameters:
  ///   - assignments: What is to be set.
  ///   - list: The list; a field that any of its items has is no mistake, nor is one of the list's
  ///     own.
  ///   - id: The item, if it is there already.
  ///   - isInsisting: Whether new names are meant.
  /// - Throws: ``ToolFailure``: usage.
  static func check(
    _ assignments: [FieldAssignment], in list: ReplicatedList, of id: ItemID?, isInsisting: Bool
  ) throws(ToolFailure) {
    let dialect = PlainDialect(of: list)
    for assignment in assignments {
      try assignment.checkState(dialect)
      let name = assignment.name
      let known = known(dialect, isRoot: id == .root)
      guard !isInsisting, !known.contains(name), !isThere(name, in: list, isRoot: id == .root),
        let meant = (id == .root ? otherNames[name] : nil)
          ?? NearestName.of(
            name.text.lowercased(), among: known.map { $0.text }.filter { $0.utf8.count > 3 })
      else { continue }
      throw ToolFailure(
        .usage,
        """
        Error: there is no field '\(name.text.printable)'; did you mean '\(meant)'? --new-field \
        makes one of that name
        """)
    }
  }

  /// What the options of 'new' are called, and what the list itself calls the same.
  private static let otherNames: [FieldName: String] = [
    .title: "name", .taskText: "name", .start: "startDate",
  ]

  private static func isThere(_ name: FieldName, in list: ReplicatedList, isRoot: Bool) -> Bool {
    isRoot
      ? list[id: .root]?[name] != nil : list.allItems().contains { $0[name] != nil }
  }

  private static let states = ["notStarted", "active", "completed", "cancelled"]

  private func checkState(_ dialect: PlainDialect) throws(ToolFailure) {
    guard dialect == .tasks, name == .state, !isJSON, !text.isEmpty,
      !FieldAssignment.states.contains(text)
    else { return }
    throw ToolFailure(
      .usage,
      """
      Error: a state is one of \(FieldAssignment.states.joined(separator: ", ")), not \
      '\(text.printable)'; 'betwixt done FILE TASK' ticks a task off
      """)
  }

  private static func known(_ dialect: PlainDialect, isRoot: Bool) -> [FieldName] {
    if isRoot { return [.name, .startDate, .days] }
    switch dialect {
    case .tasks:
      return [
        .taskText, .state, .note, .priority, .project, .tags, .parent, .createdAt, .updatedAt,
        .completedAt,
      ]
    case .trip:
      return [
        .title, .note, .time, .duration, .address, .icon, .latitude, .longitude, .from, .to,
        .fromID, .toID, .mode, .distance, .gameID, .start, .city, .cityID, .venue, .home, .away,
        .round,
      ]
    }
  }

  /// What is no field, or written once, and how it is changed.
  private static let cures: [FieldName: String] = [
    .id: "an id never changes", .foreignID: "an id never changes", .tripID: "an id never changes",
    .type: "a list stays what it is",
    .kind: "an item stays what it is; give a new one its --kind",
    .day: "'betwixt move' moves items", .sortOrder: "'betwixt move' moves items",
    .scheduledDate: "'betwixt add --day' gives a task a date, and 'betwixt move --day' another one",
    .modifiedAt: "each write has its own time",
  ]
}

extension OptionSpec {
  /// Insists on a field of a name that is much like a known one.
  static let newField = OptionSpec(
    "new-field", help: "Take a FIELD for what it is, even if its name is almost that of another.")
}
