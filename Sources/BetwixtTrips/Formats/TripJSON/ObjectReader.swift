import Betwixt

/// The members of an object of which every one must be known.
struct ObjectReader {
  private var members: [JSONMember]
  private let offset: Int

  init(_ members: [JSONMember], at offset: Int) {
    self.members = members
    self.offset = offset
  }

  /// A member's value, if the object has it.
  mutating func take(_ name: String) -> JSONValue? {
    guard let index = members.firstIndex(where: { $0.name.hasSameBytes(as: name) }) else {
      return nil
    }
    return members.remove(at: index).value
  }

  /// A member's value, or a problem.
  mutating func require(_ name: String, noting problems: inout FirstProblem) -> JSONValue? {
    if let value = take(name) { return value }
    problems.note(.missing, at: offset, "“\(name)” is missing")
    return nil
  }

  /// All members that were not taken.
  mutating func takeAll() -> [JSONMember] {
    defer { members = [] }
    return members
  }

  /// Takes note of members that nobody asked for.
  func finish(_ problems: inout FirstProblem) {
    guard let member = members.first else { return }
    problems.note(
      .unknownMember, at: member.nameOffset,
      "“\(member.name.excerpt)” is no part of the format")
  }
}

extension JSONValue {
  /// The text, or a problem.
  func text(_ name: String, noting problems: inout FirstProblem) -> String? {
    if let string { return string }
    problems.note(.wrongType, at: offset, "“\(name)” is a text")
    return nil
  }

  /// The members, or a problem.
  func members(_ name: String, noting problems: inout FirstProblem) -> [JSONMember]? {
    if case .object(let members) = content { return members }
    problems.note(.wrongType, at: offset, "“\(name)” is an object")
    return nil
  }

  /// The elements, or a problem.
  func elements(_ name: String, noting problems: inout FirstProblem) -> [JSONValue]? {
    if case .array(let elements) = content { return elements }
    problems.note(.wrongType, at: offset, "“\(name)” is an array")
    return nil
  }

  /// The whole number, or a problem.
  func whole(_ name: String, noting problems: inout FirstProblem) -> Int64? {
    if let integer { return integer }
    problems.note(.wrongType, at: offset, "\(name) is a whole number of 64 bits")
    return nil
  }

  /// The whole number if it is at least 1, or a problem.
  func positive(_ name: String, noting problems: inout FirstProblem) -> Int64? {
    guard let value = whole(name, noting: &problems) else { return nil }
    if value >= 1 { return value }
    problems.note(.badValue, at: offset, "\(name) is at least 1")
    return nil
  }

  /// The bytes of a text of lower-case hexadecimal digits, or a problem.
  func hex(_ name: String, noting problems: inout FirstProblem) -> [UInt8]? {
    guard let text = text(name, noting: &problems) else { return nil }
    if let bytes = Hex.decode(text.utf8) { return bytes }
    problems.note(.badValue, at: offset, "“\(name)” has pairs of lower-case hex digits")
    return nil
  }
}
