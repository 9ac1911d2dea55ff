import Betwixt

/// Makes fields of the members of a plain file.
struct FieldCollector {
  private let dialect: PlainDialect
  // Of an item; nil for the root.
  private let kind: ItemKind?
  private var fields: [PlainField] = []

  init(dialect: PlainDialect, kind: ItemKind?) {
    self.dialect = dialect
    self.kind = kind
  }

  /// Adds a field that is no member of its own.
  mutating func add(_ name: FieldName, _ value: FieldValue) {
    fields.append(PlainField(name: name, value: value, member: name.text))
  }

  /// Adds what a member says, or takes note of why it cannot be kept.
  mutating func add(_ member: NamedMember, noting problems: inout FirstProblem) {
    let isForced =
      kind == nil ? dialect.isForced(ofRoot: member.name) : dialect.isForced(ofItem: member.name)
    let form =
      kind.map { dialect.form(ofItem: member.name, kind: $0) }
      ?? dialect.form(ofRoot: member.name)
    if member.value.isNull {
      // It says who an item is; nothing else says that it is nobody.
      guard kind == nil || dialect == .tasks || member.name != .gameID else { return }
      append(member, isJSON: isForced, value: nil, noting: &problems)
    } else if isForced {
      append(member, isJSON: true, value: .string(member.value.canonicalText), noting: &problems)
    } else if let form {
      guard let value = FieldCollector.known(member, form: form, noting: &problems) else { return }
      append(member, isJSON: false, value: value, noting: &problems)
    } else {
      addUnknown(member, noting: &problems)
    }
  }

  private mutating func addUnknown(_ member: NamedMember, noting problems: inout FirstProblem) {
    switch member.value.content {
    case .null: append(member, isJSON: false, value: nil, noting: &problems)
    case .bool(let value): append(member, isJSON: false, value: .bool(value), noting: &problems)
    case .string(let text): append(member, isJSON: false, value: .string(text), noting: &problems)
    case .number(.integer(let value)):
      append(member, isJSON: false, value: .int64(value), noting: &problems)
    case .number(.double(let value)):
      append(member, isJSON: false, value: .double(value), noting: &problems)
    case .number(.largeInteger), .array, .object:
      append(member, isJSON: true, value: .string(member.value.canonicalText), noting: &problems)
    }
  }

  private mutating func append(
    _ member: NamedMember, isJSON: Bool, value: FieldValue?, noting problems: inout FirstProblem
  ) {
    if let value, value.canonicalByteCount > FieldValue.maximumByteCount {
      problems.note(.tooLarge, at: member.value.offset, "a value has at most 512 KiB")
      return
    }
    let name = isJSON ? FieldName(PlainDialect.jsonPrefix + member.name.text) : member.name
    guard let name else {
      problems.note(
        .tooLarge, at: member.nameOffset, "a name has at most 255 bytes, “json:” included")
      return
    }
    fields.append(PlainField(name: name, value: value, member: member.name.text))
  }

  /// The fields, rising by name.
  func finish(at offset: Int, noting problems: inout FirstProblem) -> [PlainField] {
    if fields.count > PlainReader.maximumFieldCount {
      problems.note(.tooLarge, at: offset, "an item has at most 1,024 fields")
    }
    return fields.sorted { $0.name < $1.name }
  }
}

extension FieldCollector {
  /// The value of a known field, or `nil` and a problem.
  static func known(
    _ member: NamedMember, form: FieldForm, noting problems: inout FirstProblem
  ) -> FieldValue? {
    let value: FieldValue?
    let expected: String
    switch form {
    case .int:
      value = member.value.integer.map { .int64($0) }
      expected = "a whole number"
    case .double, .latitude, .longitude:
      value = member.value.number.map { .double($0.double) }
      expected = "a number"
    case .string, .clock, .start, .date:
      value = member.value.string.map { .string(withoutSeconds($0, form: form)) }
      expected = "a text"
    }
    let offset = member.value.offset
    guard let value else {
      problems.note(.wrongType, at: offset, "“\(member.name)” is \(expected)")
      return nil
    }
    guard form.accepts(value) else {
      problems.note(.badValue, at: offset, "“\(member.name)” is \(form.meaning)")
      return nil
    }
    return value
  }

  private static func withoutSeconds(_ text: String, form: FieldForm) -> String {
    switch form {
    case .clock: ClockTime(droppingSecondsOf: text)?.description ?? text
    case .start: GameStart(droppingSecondsOf: text)?.description ?? text
    default: text
    }
  }
}
