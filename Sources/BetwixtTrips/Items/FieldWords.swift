import Betwixt

/// A field and its values in the words of a reader: `duration`, `2 h 55 min`.
struct FieldWords {
  private let name: FieldName

  init(_ name: FieldName) { self.name = name }

  /// What the field is called.
  var title: String {
    if let word = FieldWords.words[name] { return word }
    let known = FieldForm.ofTrip(name) ?? FieldForm.ofTask(name)
    return known == nil ? "“\(name.member.onOneLine)”" : name.text
  }

  /// What it holds, all of it, on one line.
  func text(_ value: FieldValue?) -> String {
    guard let value else { return "nothing" }
    return switch value.plain {
    case .bool(let value): value ? "yes" : "no"
    case .whole(let value): measure(value)
    case .decimal(let value): number(value)
    case .text(let text): "“\(wallClock(text).onOneLine)”"
    case nil: value.substitute
    }
  }

  private func measure(_ value: Int64) -> String {
    guard name == .duration else { return String(value) }
    guard value >= 60 else { return "\(value) min" }
    let (hours, minutes) = value.quotientAndRemainder(dividingBy: 60)
    return minutes == 0 ? "\(hours) h" : "\(hours) h \(minutes) min"
  }

  private func number(_ value: Double) -> String {
    let digits = NumberLayout.json(value)
    let plain = digits.hasSuffix(".0") ? String(digits.dropLast(2)) : digits
    return plain + (name == .distance ? " km" : "")
  }

  // `2026-06-13 18:00-04:00`, as people write it.
  private func wallClock(_ text: String) -> String {
    guard name == .start, GameStart(text) != nil else { return text }
    return String(text.map { $0 == "T" ? " " : $0 })
  }

  private static let words: [FieldName: String] = [
    .address: "address", .away: "away team", .city: "city", .cityID: "id of the city",
    .completedAt: "time of completion", .createdAt: "time of creation", .days: "number of days",
    .distance: "distance", .duration: "duration", .foreignID: "id in the file it came from",
    .from: "origin", .fromID: "id of the origin", .gameID: "id of the game", .home: "home team",
    .icon: "icon", .kind: "kind", .latitude: "latitude", .longitude: "longitude",
    .mode: "means of travel", .name: "name", .note: "note", .round: "round", .start: "start",
    .startDate: "start date", .state: "state", .taskText: "text", .time: "time", .title: "title",
    .to: "destination", .toID: "id of the destination", .updatedAt: "time of the last change",
    .venue: "venue",
  ]
}

extension FieldName {
  /// What the field is called in a plain file: without the mark of those that hold JSON.
  package var member: String {
    guard text.hasBytePrefix(PlainDialect.jsonPrefix) else { return text }
    return String(decoding: text.utf8.dropFirst(PlainDialect.jsonPrefix.utf8.count), as: UTF8.self)
  }
}

extension Register {
  /// The register as reports name it.
  package var words: String {
    if case .field(let name) = self { name.member } else { description }
  }
}

extension String {
  /// The text without line breaks and other control characters.
  var onOneLine: String {
    var result = String.UnicodeScalarView()
    for scalar in unicodeScalars {
      let isControl = scalar.value < 0x20 || (0x7f...0x9f).contains(scalar.value)
      let isBreak = scalar.value == 0x2028 || scalar.value == 0x2029
      result.append(isControl || isBreak ? " " : scalar)
    }
    return String(result)
  }
}
