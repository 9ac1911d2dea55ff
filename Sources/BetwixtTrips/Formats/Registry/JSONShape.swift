import Betwixt

/// JSON of other programs, told by its members.
enum JSONShape {
  /// The format of a value that is none of ours; `nil` if nothing is known of it.
  static func format(of value: JSONValue) -> DocumentFormat? {
    switch value.content {
    case .array(let elements):
      // Of what is written, one alone is an array: tasks, of which none is left here.
      guard !elements.isEmpty else { return .taskwarrior }
      guard let first = elements.first(where: { !$0.isNull }) else { return nil }
      if isReservation(first) { return .reservations }
      return first["uuid"] != nil && first["description"] != nil && first["status"] != nil
        ? .taskwarrior : nil
    case .object:
      // A member `format`, and the members of a plain trip, are ours.
      guard value["format"] == nil, value["items"] == nil, value["tasks"] == nil else { return nil }
      if isReservation(value) || value["@graph"] != nil { return .reservations }
      if value["locations"] != nil, value["collections"] != nil || value["export_date"] != nil {
        return .adventureLog
      }
      if value["days"]?.elements != nil, value["trip"] != nil || value["title"] != nil {
        return .trek
      }
      return nil
    default: return nil
    }
  }

  private static func isReservation(_ value: JSONValue) -> Bool {
    value["@type"] != nil || value["@graph"] != nil
  }
}

extension JSONValue {
  /// The member of a name; `nil` if it is absent or `null`, and for anything but an object.
  subscript(_ name: String) -> JSONValue? {
    guard case .object(let members) = content else { return nil }
    for member in members where member.name.hasSameBytes(as: name) {
      return member.value.isNull ? nil : member.value
    }
    return nil
  }

  /// The elements of an array.
  var elements: [JSONValue]? {
    if case .array(let elements) = content { elements } else { nil }
  }

  /// A text that is not empty.
  func text(_ name: String) -> String? {
    self[name]?.string.flatMap { $0.isEmpty ? nil : $0 }
  }

  /// A number, or a text that is one: some programs write coordinates as texts.
  func decimal(_ name: String) -> Double? {
    guard let value = self[name] else { return nil }
    let number = value.number?.double ?? value.string.flatMap { Double(decimal: $0) }
    return number.flatMap { $0.isFinite ? $0 : nil }
  }
}
