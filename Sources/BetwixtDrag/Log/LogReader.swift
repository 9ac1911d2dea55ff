import Betwixt
import BetwixtTrips

/// Reads one object of a log; the first thing that is not as it should be is thrown.
struct LogReader {
  let offset: Int
  private let members: [JSONMember]

  init(_ value: JSONValue) throws(TextProblem) {
    guard case .object(let members) = value.content else {
      throw TextProblem(.wrongType, at: value.offset, "an object is expected here")
    }
    self.members = members
    offset = value.offset
  }

  var names: [String] { members.map { $0.name } }

  func checkHeader(_ format: String, version: Int64) throws(TextProblem) {
    guard try text("format") == format else {
      throw TextProblem(.badValue, at: offset, "this is no log of a drag")
    }
    guard try integer("version") == version else {
      throw TextProblem(.unsupportedVersion, at: offset, "a newer version wrote this")
    }
  }

  /// A member; `nil` if it is absent or null.
  func optional(_ name: String) -> JSONValue? {
    members.first { $0.name.hasSameBytes(as: name) }.flatMap { $0.value.isNull ? nil : $0.value }
  }

  func value(_ name: String) throws(TextProblem) -> JSONValue {
    guard let value = optional(name) else {
      throw TextProblem(.missing, at: offset, "“\(name)” is missing")
    }
    return value
  }

  func object(_ name: String) throws(TextProblem) -> LogReader { try LogReader(value(name)) }

  func elements(_ name: String) throws(TextProblem) -> [JSONValue] {
    try LogReader.elements(value(name))
  }

  func text(_ name: String) throws(TextProblem) -> String { try LogReader.text(value(name)) }

  func integer(_ name: String) throws(TextProblem) -> Int64 {
    try LogReader.integer(value(name))
  }

  func int(_ name: String) throws(TextProblem) -> Int { try LogReader.int(value(name)) }

  func number(_ name: String) throws(TextProblem) -> Double { try LogReader.number(value(name)) }

  func bool(_ name: String) throws(TextProblem) -> Bool {
    let value = try value(name)
    guard case .bool(let flag) = value.content else {
      throw TextProblem(.wrongType, at: value.offset, "true or false is expected here")
    }
    return flag
  }

  /// A word of a fixed set.
  func word<Word: RawRepresentable<String>>(
    _ name: String
  ) throws(TextProblem) -> Word {
    try LogReader.word(value(name))
  }

  func id(_ name: String) throws(TextProblem) -> ItemID { try LogReader.id(value(name)) }

  func row(_ name: String) throws(TextProblem) -> RowRef { try LogReader.row(value(name)) }

  func point(_ name: String = "point") throws(TextProblem) -> DragPoint {
    try LogReader.point(value(name))
  }

  /// The time of the event.
  var time: Int64 {
    get throws(TextProblem) { try integer("at") }
  }
}

extension LogReader {
  static func elements(_ value: JSONValue) throws(TextProblem) -> [JSONValue] {
    guard case .array(let elements) = value.content else {
      throw TextProblem(.wrongType, at: value.offset, "a list is expected here")
    }
    return elements
  }

  static func text(_ value: JSONValue) throws(TextProblem) -> String {
    guard let text = value.string else {
      throw TextProblem(.wrongType, at: value.offset, "a text is expected here")
    }
    return text
  }

  static func integer(_ value: JSONValue) throws(TextProblem) -> Int64 {
    guard let number = value.integer else {
      throw TextProblem(.wrongType, at: value.offset, "a whole number is expected here")
    }
    return number
  }

  /// A whole number that fits into the machine's own.
  static func int(_ value: JSONValue) throws(TextProblem) -> Int {
    guard let number = Int(exactly: try integer(value)) else {
      throw TextProblem(.badValue, at: value.offset, "this number is too large here")
    }
    return number
  }

  /// A number; those without a word in JSON are texts.
  static func number(_ value: JSONValue) throws(TextProblem) -> Double {
    if let number = value.number { return number.double }
    let others: [String: Double] = ["nan": .nan, "inf": .infinity, "-inf": -.infinity]
    guard let text = value.string, let number = others[text] else {
      throw TextProblem(.wrongType, at: value.offset, "a number is expected here")
    }
    return number
  }

  static func word<Word: RawRepresentable<String>>(
    _ value: JSONValue
  ) throws(TextProblem) -> Word {
    let text = try text(value)
    guard let word = Word(rawValue: text) else {
      throw TextProblem(.badValue, at: value.offset, "“\(text.excerpt)” is no word of a log")
    }
    return word
  }

  static func id(_ value: JSONValue) throws(TextProblem) -> ItemID {
    guard let id = ItemID(try text(value)) else {
      throw TextProblem(.badValue, at: value.offset, "this is no id of an item")
    }
    return id
  }

  static func row(_ value: JSONValue) throws(TextProblem) -> RowRef {
    if let day = value.integer { return .header(day: day) }
    return .item(try id(value))
  }

  static func point(_ value: JSONValue) throws(TextProblem) -> DragPoint {
    let numbers = try numbers(value, count: 2)
    return DragPoint(x: numbers[0], y: numbers[1])
  }

  static func numbers(_ value: JSONValue, count: Int) throws(TextProblem) -> [Double] {
    var numbers: [Double] = []
    for element in try elements(value) { numbers.append(try number(element)) }
    guard numbers.count == count else {
      throw TextProblem(.badValue, at: value.offset, "\(count) numbers are expected here")
    }
    return numbers
  }

  /// The fields of an item.
  func fields(_ name: String) throws(TextProblem) -> Fields {
    let reader = try object(name)
    var fields = Fields()
    for name in reader.names {
      guard let field = FieldName(name) else {
        throw TextProblem(.badValue, at: reader.offset, "“\(name.excerpt)” names no field")
      }
      fields[field] = try reader.object(name).fieldValue()
    }
    return fields
  }

  private func fieldValue() throws(TextProblem) -> FieldValue {
    guard let kind = names.first, names.count == 1 else {
      throw TextProblem(.badValue, at: offset, "a value has one type")
    }
    if kind == "double" { return .double(try number(kind)) }
    var problems = FirstProblem()
    guard FieldValue.tags.contains(kind),
      let value = FieldValue(tag: kind, json: try value(kind), noting: &problems)
    else {
      try problems.rethrow()
      throw TextProblem(.badValue, at: offset, "this is no value of a field")
    }
    return value
  }
}

extension LogReader {
  var phase: String {
    get throws(TextProblem) { try text("phase") }
  }

  var unknownPhase: TextProblem {
    TextProblem(.badValue, at: offset, "a gesture has no such phase")
  }

  func points() throws(TextProblem) -> [DragPoint] {
    var points: [DragPoint] = []
    for value in try elements("points") { points.append(try LogReader.point(value)) }
    return points
  }
}
