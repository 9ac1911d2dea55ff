public import Betwixt

/// A list written as plain trip JSON or task JSON.
///
///     let export = PlainExport(list)
///     export.bytes      // the file
///     export.omissions  // what it has no room for
///
/// The bytes are a function of the state: no clock and no locale takes part.
public struct PlainExport: Sendable {
  /// The file.
  public let bytes: [UInt8]

  /// Every live field that the file has no room for, the trip's own first, then in list order.
  public let omissions: [Omission]

  /// Writes a list.
  ///
  /// - Parameters:
  ///   - list: The list; its root field `type` tells trips from tasks.
  ///   - distinct: Whether the numbers of a day rise strictly without the help of ids, for tools
  ///     that leave ties to chance. Merging such files is not independent of the grouping.
  ///   - old: A file that this one takes the place of. If it is of the same list, what says the same
  ///     stays as it stands there: order, indentation, line ends, a byte order mark.
  /// - Complexity: O(*n* log *n*)
  public init(
    _ list: ReplicatedList, distinct: Bool = false, over old: [UInt8]? = nil
  ) {
    let view = PlainView(list, distinct: distinct)
    var writer = JSONWriter()
    writer.plain(view)
    let rewrite = old.flatMap {
      PlainRewrite(view, canonical: writer.bytes, over: $0, of: list.id)
    }
    bytes = rewrite?.bytes() ?? writer.bytes
    omissions = view.omissions
  }
}

extension JSONWriter {
  mutating func plain(_ view: PlainView) {
    var parts = view.rootParts
    parts.append(PlainPart(name: view.dialect.itemsName.text, value: nil))
    parts.sort { $0.name.precedesInBytes($1.name) }
    raw("{\n")
    for (index, part) in parts.enumerated() {
      if index > 0 { raw(",\n") }
      if part.value != nil {
        member(part)
      } else {
        string(part.name)
        raw(":")
        items(view)
      }
    }
    raw("\n}\n")
  }

  private mutating func items(_ view: PlainView) {
    guard !view.items.isEmpty else {
      raw("[]")
      return
    }
    raw("[\n")
    let tripID = view.root.idText
    for index in view.items.indices {
      if index > 0 { raw(",\n") }
      plain(view.items[index], in: view.dialect, tripID: tripID)
    }
    raw("\n]")
  }

  /// Writes one item as an object on one line.
  ///
  /// - Parameters:
  ///   - item: The item.
  ///   - dialect: Whose members it has.
  ///   - tripID: The id of its trip, or `nil` to leave it out.
  mutating func plain(_ item: PlainViewItem, in dialect: PlainDialect, tripID: String?) {
    object(item.parts(dialect, tripID: tripID))
  }

  /// Writes the fields of an item as one object, and its id where that is no UUID.
  ///
  /// - Parameters:
  ///   - item: The item.
  ///   - isWanted: Whether a field is written.
  mutating func fields(of item: PlainViewItem, where isWanted: (FieldName) -> Bool) {
    var parts: [PlainPart] = []
    for member in item.members where isWanted(member.register) {
      parts.append(PlainPart(name: member.name, value: member.partValue))
    }
    if let text = item.foreignIDText, !text.hasSameBytes(as: item.id.uuid) {
      parts.append(.string(.id, text))
      parts.sort { $0.name.precedesInBytes($1.name) }
    }
    object(parts)
  }

  private mutating func object(_ parts: [PlainPart]) {
    raw("{")
    var isFirst = true
    for part in parts {
      if !isFirst { raw(",") }
      isFirst = false
      member(part)
    }
    raw("}")
  }

  private mutating func member(_ part: PlainPart) {
    string(part.name)
    raw(":")
    value(of: part)
  }

  /// Writes what a member holds.
  mutating func value(of part: PlainPart) {
    switch part.value {
    case .none, .null: raw("null")
    case .bool(true): raw("true")
    case .bool(false): raw("false")
    case .integer(let value): integer(value)
    case .double(let value): double(value)
    case .string(let text): string(text)
    case .json(let text): raw(text.utf8)
    }
  }
}

/// One member about to be written.
struct PlainPart {
  enum Value {
    case null
    case bool(Bool)
    case integer(Int64)
    case double(Double)
    case string(String)
    case json(String)
  }

  let name: String
  // nil stands for the list of items.
  let value: Value?

  static func string(_ name: FieldName, _ text: String) -> PlainPart {
    PlainPart(name: name.text, value: .string(text))
  }
}

extension PlainViewItem {
  /// The newest time as `modifiedAt`; absent for time 0, which is what absence means.
  var modifiedAt: String? {
    time.milliseconds == 0 ? nil : Moment(milliseconds: time.milliseconds)?.description
  }

  var fieldParts: [PlainPart] {
    members.map { PlainPart(name: $0.name, value: $0.partValue) }
  }

  /// The members of an item, rising by name.
  func parts(_ dialect: PlainDialect, tripID: String?) -> [PlainPart] {
    let own = ownParts(dialect, tripID: tripID)
    var parts: [PlainPart] = []
    parts.reserveCapacity(members.count + own.count)
    // Both rise by name, and no field has the name of one of the others.
    var next = 0
    for index in members.indices {
      while next < own.count, own[next].name.precedesInBytes(members[index].name) {
        parts.append(own[next])
        next += 1
      }
      parts.append(PlainPart(name: members[index].name, value: members[index].partValue))
    }
    return parts + own[next...]
  }

  /// Those members of an item that are no fields, rising by name.
  private func ownParts(_ dialect: PlainDialect, tripID: String?) -> [PlainPart] {
    var parts: [PlainPart] = []
    parts.reserveCapacity(5)
    if dialect == .trip { parts.append(PlainPart(name: "day", value: .integer(section))) }
    parts.append(.string(.id, idText))
    if let text = modifiedAt { parts.append(.string(.modifiedAt, text)) }
    switch dialect {
    case .trip:
      parts.append(PlainPart(name: "sortOrder", value: .double(number)))
      if let tripID { parts.append(.string(.tripID, tripID)) }
    case .tasks:
      if let date = CivilDate(dayNumber: section) {
        parts.append(.string(.scheduledDate, date.description))
      }
      // A key of somebody else may be beyond all whole numbers. `exactly:` would need the C library's
      // mathematics.
      let isWhole = number > -0x1p63 && number < 0x1p63
      let whole = isWhole ? Int64(number) : number < 0 ? Int64.min : .max
      parts.append(PlainPart(name: "sortOrder", value: .integer(whole)))
    }
    return parts
  }
}

extension PlainView {
  /// The members of the outermost object without the items, rising by name.
  var rootParts: [PlainPart] {
    var parts = root.fieldParts
    parts.append(.string(.id, root.idText))
    if dialect == .tasks { parts.append(.string(.format, PlainDialect.tasksWord)) }
    if let text = root.modifiedAt { parts.append(.string(.modifiedAt, text)) }
    return parts.sorted { $0.name.precedesInBytes($1.name) }
  }
}

extension PlainViewItem.Member {
  /// Whether the member is shown as the JSON that its field holds.
  package var isJSON: Bool { !register.text.hasSameBytes(as: name) }

  fileprivate var partValue: PlainPart.Value {
    switch value?.plain {
    case .bool(let value): .bool(value)
    case .whole(let value): .integer(value)
    case .decimal(let value): .double(value)
    case .text(let text): isJSON ? .json(canonical(text)) : .string(text)
    // What plain JSON has no words for is no member of a view.
    case nil: .null
    }
  }

  private func canonical(_ text: String) -> String {
    (try? JSONScanner.scan(Array(text.utf8)))?.canonicalText ?? "null"
  }
}
