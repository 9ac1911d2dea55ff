public import Betwixt

/// Something of a list that a file has no room for.
public struct Omission: Hashable, Sendable {
  /// Why it was left out.
  public enum Reason: String, CaseIterable, Sendable {
    /// An item without a date, in a file that goes by dates.
    case noDate = "without a date"
    /// An item without coordinates, in a file for maps.
    case noPlace = "without a place on the map"
    /// An item of a kind that the format does not know.
    case noKind = "of a kind that the format does not have"
    /// A field that the format has no column, tag or line for.
    case noRoom = "no room"
    /// A text that came out changed: a line break became a space, or a control character went.
    case simplified = "simplified"
    /// A value of bytes.
    case bytes = "bytes"
    /// A value of a newer version.
    case unknownValue = "unknown value"
    /// An infinity, or what is no number.
    case nonFinite = "non-finite number"
    /// A known field whose value has another type or form.
    case badField = "bad field"
    /// A field with a name that the file needs for its structure.
    case structuralName = "structural name"
    /// A field `json:NAME` that holds no JSON, or JSON nested too deep.
    case noJSON = "no JSON"
    /// A field that another field of the same member hides.
    case hidden = "hidden by another field"
    /// What a calendar says of the days of a series by their dates, though the series was moved: it is
    /// written as it came, and a calendar shows days again that were taken out.
    case leftBehind = "left where it was though its series was moved"
  }

  /// Whose field; `ItemID.root` for the trip's own.
  public let item: ItemID

  /// Which field; `nil` if the whole item was left out.
  public let field: FieldName?

  /// Why it was left out.
  public let reason: Reason

  /// Makes an omission.
  public init(item: ItemID, field: FieldName?, reason: Reason) {
    self.item = item
    self.field = field
    self.reason = reason
  }
}

extension Omission {
  /// One line that says how much was left out and what; `nil` if nothing was.
  ///
  ///     Omission.summary(export.omissions)
  ///     // "not written: 2 items without a date; 3 × “address”, 1 × “mode”"
  ///
  /// Of more than 64 fields the others are only counted.
  ///
  /// - Complexity: O(*n* + *k* log *k*) for *k* different fields
  public static func summary(_ omissions: [Omission]) -> String? {
    let parts = [
      unwritten(omissions.filter { $0.reason != .leftBehind }),
      leftBehind(omissions.filter { $0.reason == .leftBehind }),
    ]
    let lines = parts.compactMap { $0 }
    return lines.isEmpty ? nil : lines.joined(separator: "; ")
  }

  // The most fields that one line names.
  private static let longestSummary = 64

  private struct Field: Hashable {
    let name: FieldName
    let reason: Reason
  }

  private static func leftBehind(_ omissions: [Omission]) -> String? {
    let properties = omissions.compactMap { $0.field.flatMap(KeptProperty.property) }
    guard !properties.isEmpty else { return nil }
    var counts: [String: Int] = [:]
    for name in properties { counts[name, default: 0] += 1 }
    let words = counts.sorted { $0.key < $1.key }.map { "\($0.value) × “\($0.key)”" }
    return "\(Reason.leftBehind.rawValue): \(words.joined(separator: ", "))"
  }

  private static func unwritten(_ omissions: [Omission]) -> String? {
    guard !omissions.isEmpty else { return nil }
    var items: [(Reason, Int)] = []
    var fields: [Field: Int] = [:]
    for omission in omissions {
      if let name = omission.field {
        fields[Field(name: name, reason: omission.reason), default: 0] += 1
      } else if let index = items.firstIndex(where: { $0.0 == omission.reason }) {
        items[index].1 += 1
      } else {
        items.append((omission.reason, 1))
      }
    }
    var parts: [String] = []
    for (reason, count) in items {
      parts.append("\(count) \(count == 1 ? "item" : "items") \(reason.rawValue)")
    }
    let sorted = fields.sorted {
      ($0.key.name, $0.key.reason.rawValue) < ($1.key.name, $1.key.reason.rawValue)
    }
    var words = sorted.prefix(longestSummary).map { field, count in
      let why = field.reason == .noRoom ? "" : " (\(field.reason.rawValue))"
      return "\(count) × “\(field.name.text.excerpt)”\(why)"
    }
    let rest = sorted.count - words.count
    if rest > 0 { words.append("and \(rest) other \(rest == 1 ? "field" : "fields")") }
    if !words.isEmpty { parts.append(words.joined(separator: ", ")) }
    return "not written: " + parts.joined(separator: "; ")
  }
}

extension [Omission] {
  /// Notes every field of an item that a format does not write.
  ///
  /// - Parameters:
  ///   - item: The item.
  ///   - written: The fields that the format has room for.
  mutating func note(_ item: ListItem, except written: Set<FieldName>) {
    // Of a task without a text the title is written in its place.
    let isTitleText = written.contains(.taskText) && item.words(.taskText) == nil
    for entry in item.entries {
      guard case .field(let name) = entry.register, case .field(.some) = entry.value,
        !written.contains(name), !Omission.isBookkeeping(name), !(isTitleText && name == .title)
      else { continue }
      append(Omission(item: item.id, field: name, reason: .noRoom))
    }
  }
}

extension [Omission] {
  /// Notes a task without words, which a file of lines calls by some.
  mutating func noteUnnamed(_ item: ListItem) {
    guard item.words(.taskText) == nil, item.words(.title) == nil else { return }
    append(Omission(item: item.id, field: .taskText, reason: .simplified))
  }
}

extension Omission {
  // What says where an item came from is no part of what it says.
  fileprivate static func isBookkeeping(_ name: FieldName) -> Bool {
    switch name {
    case .foreignID, .calendarUID, .calendarSequence, .calendarModified, .type: true
    default: false
    }
  }
}
