import Betwixt

/// Checks the meaning of a plain file and takes it apart.
///
/// Everything is checked, in whatever order is convenient; the problem that stands first in the
/// file is the one that is thrown.
struct PlainReader {
  let dialect: PlainDialect
  var problems = FirstProblem()

  static let maximumItemCount = 100_000
  static let maximumFieldCount = 1_024

  private init(_ dialect: PlainDialect) { self.dialect = dialect }

  static func read(_ value: JSONValue, in dialect: PlainDialect) throws(TextProblem) -> PlainTrip {
    guard case .object(let members) = value.content else {
      throw TextProblem(.wrongType, at: value.offset, "a trip is an object")
    }
    var reader = PlainReader(dialect)
    let trip = reader.trip(members, at: value.offset)
    try reader.problems.rethrow()
    guard let trip else {
      throw TextProblem(.badValue, at: value.offset, "this is no trip")
    }
    return trip
  }

  private mutating func trip(_ members: [JSONMember], at offset: Int) -> PlainTrip? {
    let members = PlainMembers.named(members, noting: &problems)
    let id = identity(in: members, at: offset)
    var fields = FieldCollector(dialect: dialect, kind: nil)
    for member in members where !dialect.isStructuralOfRoot(member.name) {
      fields.add(member, noting: &problems)
    }
    if dialect == .tasks { fields.add(.type, "tasks") }
    if let id, !id.text.hasSameBytes(as: id.list.uuid) { fields.add(.foreignID, .string(id.text)) }
    let startDate = dialect == .trip ? startDate(in: members) : nil
    let drafts = items(in: members, of: id, startDate: startDate, at: offset)
    let time = PlainMembers.moment(in: members, noting: &problems)
    guard let id else { return nil }
    return PlainTrip(
      listID: id.list, idOffset: id.offset, dialect: dialect,
      root: PlainItem(
        id: .root, time: time, place: .none, fields: fields.finish(at: offset, noting: &problems)),
      items: PlainPlacer.place(drafts))
  }

  private mutating func identity(
    in members: [NamedMember], at offset: Int
  ) -> (text: String, list: ListID, offset: Int)? {
    guard
      let (text, offset) = PlainMembers.identifier(.id, in: members, at: offset, noting: &problems)
    else { return nil }
    return (text, ForeignIdentity.list(text), offset)
  }

  private func startDate(in members: [NamedMember]) -> CivilDate? {
    guard let member = members.present(.startDate) else {
      return nil
    }
    // A bad form is noted where the fields are read.
    return member.value.string.flatMap { CivilDate($0) }
  }

  private mutating func items(
    in members: [NamedMember], of list: (text: String, list: ListID, offset: Int)?,
    startDate: CivilDate?, at offset: Int
  ) -> [PlainDraft] {
    let name = dialect.itemsName
    guard let member = members.present(name) else {
      problems.note(.missing, at: offset, "the list needs “\(name)”")
      return []
    }
    guard case .array(let elements) = member.value.content else {
      problems.note(.wrongType, at: member.value.offset, "“\(name)” is an array")
      return []
    }
    var drafts: [PlainDraft] = []
    var known: Set<ItemID> = []
    let hasStartDate = members.present(.startDate) != nil
    var reader = PlainItemReader(
      dialect: dialect, listID: list?.list, listText: list?.text, startDate: startDate,
      hasStartDate: hasStartDate)
    for (index, element) in elements.enumerated() {
      guard index < PlainReader.maximumItemCount else {
        problems.note(.tooLarge, at: element.offset, "a list has at most 100,000 items")
        break
      }
      let draft = reader.read(element, fileIndex: index, noting: &problems)
      guard let draft else { continue }
      guard known.insert(draft.id).inserted else {
        problems.note(.duplicateID, at: draft.idOffset, "two items have this identity")
        continue
      }
      drafts.append(draft)
    }
    return drafts
  }
}

/// A member whose name can be a field's.
struct NamedMember {
  let name: FieldName
  let nameOffset: Int
  let value: JSONValue
}

extension [NamedMember] {
  /// A member that is there and not `null`.
  func present(_ name: FieldName) -> NamedMember? {
    // By index: a member that is only looked at is not copied, and most are.
    for index in indices where self[index].name == name && !self[index].value.isNull {
      return self[index]
    }
    return nil
  }
}

/// The checks that the root and the items share.
enum PlainMembers {
  static func named(
    _ members: [JSONMember], noting problems: inout FirstProblem
  ) -> [NamedMember] {
    var named: [NamedMember] = []
    named.reserveCapacity(members.count)
    for member in members {
      if let name = FieldName(member.name) {
        named.append(
          NamedMember(name: name, nameOffset: member.nameOffset, value: member.value))
      } else if member.name.isEmpty {
        problems.note(.badValue, at: member.nameOffset, "a name is not empty")
      } else {
        problems.note(.tooLarge, at: member.nameOffset, "a name has at most 255 bytes")
      }
    }
    return named
  }

  /// A text that must not be empty; `nil` and a problem if it is absent or anything else.
  static func identifier(
    _ name: FieldName, in members: [NamedMember], at offset: Int,
    noting problems: inout FirstProblem
  ) -> (text: String, offset: Int)? {
    guard let member = members.present(name) else {
      problems.note(.missing, at: offset, "“\(name)” is missing")
      return nil
    }
    let offset = member.value.offset
    guard let text = member.value.string else {
      problems.note(.wrongType, at: offset, "“\(name)” is a text")
      return nil
    }
    guard !text.isEmpty else {
      problems.note(.badValue, at: offset, "“\(name)” is not empty")
      return nil
    }
    guard text.utf8.count < FieldValue.maximumByteCount else {
      problems.note(.tooLarge, at: offset, "“\(name)” has at most 512 KiB")
      return nil
    }
    return (text, offset)
  }

  /// The time of `modifiedAt`; time 0 if it is absent.
  static func moment(
    in members: [NamedMember], noting problems: inout FirstProblem
  ) -> Timestamp {
    guard let member = members.present(.modifiedAt) else { return .zero }
    guard let text = member.value.string else {
      problems.note(.wrongType, at: member.value.offset, "“modifiedAt” is a text")
      return .zero
    }
    guard let moment = Moment(text) else {
      problems.note(
        .badValue, at: member.value.offset,
        "“modifiedAt” is a time like 2026-06-11T13:00:00Z, from 1970 to 6429")
      return .zero
    }
    return Timestamp(milliseconds: moment.milliseconds)
  }
}
