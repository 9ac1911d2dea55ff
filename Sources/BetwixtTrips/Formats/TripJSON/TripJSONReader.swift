import Betwixt

/// Checks the meaning of a `.trip.json` file and makes the list.
struct TripJSONReader {
  private var problems = FirstProblem()
  private var builder = Delta.Builder()
  private var replicas: Set<ReplicaID> = []

  static let maximumReplicaCount = 65_536

  private init() {}

  /// The list, and the byte where the file names its id.
  static func read(
    _ value: JSONValue
  ) throws(TextProblem) -> (list: ReplicatedList, idOffset: Int) {
    guard case .object(let members) = value.content else {
      throw TextProblem(.wrongType, at: value.offset, "a state is an object")
    }
    try checkVersion(members, at: value.offset)
    var reader = TripJSONReader()
    let id = reader.document(members, at: value.offset)
    if reader.replicas.count > maximumReplicaCount {
      reader.problems.note(
        .tooLarge, at: value.offset, "a list has at most 65,536 replicas")
    }
    try reader.problems.rethrow()
    guard let id else { throw TextProblem(.missing, at: value.offset, "“id” is missing") }
    var list = ReplicatedList(id: id.list)
    list.join(reader.builder.build())
    return (list, id.offset)
  }

  // Comes first: what a newer version holds is nothing to complain about.
  private static func checkVersion(
    _ members: [JSONMember], at offset: Int
  ) throws(TextProblem) {
    guard let member = members.first(where: { $0.name.hasSameBytes(as: "version") }) else {
      throw TextProblem(.missing, at: offset, "“version” is missing")
    }
    let version = member.value
    guard let number = version.integer else {
      throw TextProblem(.wrongType, at: version.offset, "“version” is a whole number")
    }
    guard number >= 1 else {
      throw TextProblem(.badValue, at: version.offset, "versions count from 1")
    }
    guard number == TripJSON.version else {
      throw TextProblem(
        .unsupportedVersion, at: version.offset, "this is version \(number), not 1")
    }
  }

  private mutating func document(
    _ members: [JSONMember], at offset: Int
  ) -> (list: ListID, offset: Int)? {
    var object = ObjectReader(members, at: offset)
    _ = object.take("version")
    let format = object.require("format", noting: &problems)
    if let format, format.string == nil {
      problems.note(.wrongType, at: format.offset, "“format” is a text")
    }
    var id: (list: ListID, offset: Int)?
    if let value = object.require("id", noting: &problems) {
      if let text = value.text("id", noting: &problems) {
        id = ListID(text).map { ($0, value.offset) }
        if id == nil {
          problems.note(.badValue, at: value.offset, "“id” has 32 lower-case hex digits")
        }
      }
    }
    if let value = object.require("items", noting: &problems) { items(value) }
    if let value = object.require("vector", noting: &problems) { vector(value) }
    object.finish(&problems)
    return id
  }

  private mutating func vector(_ value: JSONValue) {
    guard let members = value.members("vector", noting: &problems) else { return }
    for member in members {
      guard let replica = ReplicaID(member.name) else {
        problems.note(
          .badValue, at: member.nameOffset, "a replica has 16 lower-case hex digits")
        continue
      }
      guard let sequence = member.value.positive("a sequence number", noting: &problems) else {
        continue
      }
      replicas.insert(replica)
      builder.cover(replica, after: 0, through: sequence)
    }
  }

  private mutating func items(_ value: JSONValue) {
    guard let elements = value.elements("items", noting: &problems) else { return }
    var known: Set<ItemID> = []
    for element in elements {
      guard let members = element.members("an item", noting: &problems) else { continue }
      var object = ObjectReader(members, at: element.offset)
      guard let id = itemID(&object) else { continue }
      guard known.insert(id.item).inserted else {
        problems.note(.duplicateID, at: id.offset, "two items have this id")
        continue
      }
      let itemCount = known.count - (known.contains(.root) ? 1 : 0)
      guard itemCount <= PlainReader.maximumItemCount else {
        problems.note(.tooLarge, at: element.offset, "a list has at most 100,000 items")
        break
      }
      registers(of: id.item, object: &object, at: element.offset)
      object.finish(&problems)
    }
  }

  private mutating func itemID(_ object: inout ObjectReader) -> (item: ItemID, offset: Int)? {
    guard let value = object.require("id", noting: &problems),
      let text = value.text("id", noting: &problems)
    else { return nil }
    if text.hasSameBytes(as: "root") { return (.root, value.offset) }
    guard let id = ItemID(text) else {
      problems.note(.badValue, at: value.offset, "an item's id has 32 lower-case hex digits")
      return nil
    }
    guard id != .root else {
      problems.note(.reservedID, at: value.offset, "the root item is written “root”")
      return nil
    }
    return (id, value.offset)
  }

  private mutating func registers(
    of item: ItemID, object: inout ObjectReader, at offset: Int
  ) {
    var count = 0
    if let value = object.take("life") {
      count += 1
      add(value, to: .life, of: item)
    }
    if let value = object.take("position") {
      count += 1
      add(value, to: .position, of: item)
    }
    for member in members("fields", of: &object, count: &count) {
      guard let name = FieldName(member.name) else {
        let isEmpty = member.name.isEmpty
        problems.note(
          isEmpty ? .badValue : .tooLarge, at: member.nameOffset, "a name has 1 to 255 bytes")
        continue
      }
      add(member.value, to: .field(name), of: item)
    }
    for member in members("other", of: &object, count: &count) {
      guard let register = other(member) else { continue }
      add(member.value, to: register, of: item)
    }
    if count == 0 {
      problems.note(.missing, at: offset, "an item has at least one register")
    } else if count > PlainReader.maximumFieldCount {
      problems.note(.tooLarge, at: offset, "an item has at most 1,024 registers")
    }
  }

  private mutating func members(
    _ name: String, of object: inout ObjectReader, count: inout Int
  ) -> [JSONMember] {
    guard let value = object.take(name) else { return [] }
    let members = value.members(name, noting: &problems)
    count += members?.count ?? 1
    return members ?? []
  }

  private mutating func other(_ member: JSONMember) -> Register? {
    guard let (kind, name) = OtherRegister.parse(member.name),
      kind >= Register.Kind.firstOther
    else {
      problems.note(
        .badValue, at: member.nameOffset,
        "a register is named by its kind, two hex digits from 03, a colon and its name")
      return nil
    }
    guard kind < Register.Kind.firstCritical else {
      problems.note(
        .unsupportedVersion, at: member.nameOffset, "this register needs a newer version")
      return nil
    }
    guard name.count <= FieldName.maximumByteCount else {
      problems.note(.tooLarge, at: member.nameOffset, "a name has at most 255 bytes")
      return nil
    }
    return .other(kind: kind, name: name)
  }

  private mutating func add(_ value: JSONValue, to register: Register, of item: ItemID) {
    var reader = RegisterReader(item: item, register: register)
    guard let entry = reader.read(value, noting: &problems) else { return }
    replicas.insert(entry.stamp.replica)
    do {
      try builder.add(entry)
    } catch {
      problems.note(.badValue, at: value.offset, "this write is malformed: \(error)")
    }
  }
}
