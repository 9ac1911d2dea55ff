import Betwixt

/// Sorts the fields of an item into those that a plain file shows and those that it cannot.
struct PlainMemberBuilder {
  let item: ItemID
  let dialect: PlainDialect
  // nil for the root.
  let kind: ItemKind?
  private var members: [PlainViewItem.Member] = []
  private var carried = Fields()
  private var omissions: [Omission] = []

  init(item: ItemID, dialect: PlainDialect, kind: ItemKind?) {
    self.item = item
    self.dialect = dialect
    self.kind = kind
  }

  mutating func add(_ entry: Entry) {
    guard case .field(let field) = entry.register, case .field(let value) = entry.value
    else { return }
    if isCarriedElsewhere(field, value: value) {
      carried[field] = value
      return
    }
    guard let name = memberName(of: field) else {
      if value != nil { omit(field, because: .structuralName) }
      return
    }
    if let value, let reason = refusal(of: value, in: field, member: name) {
      omit(field, because: reason)
      return
    }
    members.append(
      PlainViewItem.Member(
        name: name, register: field, value: value, time: entry.stamp.time,
        replica: entry.stamp.replica))
  }

  /// The members, what shows without being one, and what was left out; all rising by name.
  mutating func finish() -> (
    members: [PlainViewItem.Member], carried: Fields, omissions: [Omission]
  ) {
    // Fields come by name, and only `json:NAME` stands elsewhere as a member than as a field.
    guard members.contains(where: { $0.isJSON }) else { return (members, carried, sortedOmissions) }
    // `NAME` and `json:NAME` are one member: the later write is the one that the file shows.
    let members = members.sorted { left, right in
      left.name.hasSameBytes(as: right.name)
        ? left.isShown(before: right) : left.name.precedesInBytes(right.name)
    }
    var shown: [PlainViewItem.Member] = []
    for member in members {
      if let last = shown.last, last.name.hasSameBytes(as: member.name) {
        if member.value != nil { omit(member.register, because: .hidden) }
      } else {
        shown.append(member)
      }
    }
    return (shown, carried, sortedOmissions)
  }

  private var sortedOmissions: [Omission] {
    omissions.sorted { left, right in
      (left.field?.text ?? "").precedesInBytes(right.field?.text ?? "")
    }
  }

  private mutating func omit(_ field: FieldName, because reason: Omission.Reason) {
    omissions.append(Omission(item: item, field: field, reason: reason))
  }

  private func isCarriedElsewhere(_ field: FieldName, value: FieldValue?) -> Bool {
    if field == .foreignID { return true }
    if kind == nil, field.isDeviceName { return true }
    guard kind == nil, field == .type else { return false }
    guard let text = value?.string else { return value == nil }
    return text.hasSameBytes(as: dialect == .tasks ? "tasks" : "trip")
  }

  // The member that shows a field; nil if its name is taken.
  private func memberName(of field: FieldName) -> String? {
    let isRoot = kind == nil
    guard field.text.hasBytePrefix(PlainDialect.jsonPrefix) else {
      let isTaken =
        isRoot
        ? dialect.isStructuralOfRoot(field) || field == .type : dialect.isStructuralOfItem(field)
      return isTaken ? nil : field.text
    }
    guard
      let name = String(field.text.utf8.dropFirst(PlainDialect.jsonPrefix.utf8.count)).flatMap({
        FieldName($0)
      })
    else { return nil }
    let isTaken = isRoot ? dialect.isStructuralOfRoot(name) : dialect.isStructuralOfItem(name)
    return isTaken ? nil : name.text
  }

  private func refusal(
    of value: FieldValue, in field: FieldName, member: String
  ) -> Omission.Reason? {
    if !field.text.hasSameBytes(as: member) { return refusal(ofJSON: value, member: member) }
    if let form = form(of: field) { return form.accepts(value) ? nil : .badField }
    if let refusal = value.refusal { return refusal }
    // Such a file would be taken for another format.
    guard kind == nil, field == .format, let text = value.string else { return nil }
    return PlainDialect.formatWords.contains(text) ? .structuralName : nil
  }

  private func refusal(ofJSON value: FieldValue, member: String) -> Omission.Reason? {
    guard let name = FieldName(member) else { return .noJSON }
    let isForced = kind == nil ? dialect.isForced(ofRoot: name) : dialect.isForced(ofItem: name)
    // A member of a known name has its type; JSON of any kind would be refused.
    if !isForced, form(of: name) != nil { return .badField }
    guard case .string(let text) = value else {
      if case .bytes = value { return .bytes }
      return .noJSON
    }
    // The file's own objects and arrays stand around the value.
    let allowed = JSONScanner.maximumDepth - (kind == nil ? 1 : 3)
    guard let json = try? JSONScanner.scan(Array(text.utf8)), json.depth <= allowed else {
      return .noJSON
    }
    return nil
  }

  private func form(of field: FieldName) -> FieldForm? {
    kind.map { dialect.form(ofItem: field, kind: $0) } ?? dialect.form(ofRoot: field)
  }
}

extension PlainViewItem.Member {
  fileprivate func isShown(before other: Self) -> Bool {
    if time != other.time { return time > other.time }
    if replica != other.replica { return replica > other.replica }
    return register > other.register
  }
}
