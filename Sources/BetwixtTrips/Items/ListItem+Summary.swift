package import Betwixt

extension ItemKind {
  /// What an item without a title is called.
  ///
  /// - Parameter words: The text of a field; `nil` if it has none.
  /// - Returns: What the item connects, else its kind.
  func summary(_ words: (FieldName) -> String?) -> String {
    switch self {
    case .game:
      guard let home = words(.home), let away = words(.away) else { return text }
      return "\(home) – \(away)"
    case .travel:
      if words(.from) == nil, words(.to) == nil { return text }
      return "\(words(.from) ?? "?") → \(words(.to) ?? "?")"
    case .custom, .other: return text
    }
  }
}

extension ListItem {
  /// The item in words: its title, else what it connects, else its kind; of one whose fields were let
  /// go, that it is forgotten.
  ///
  /// What has a state and no kind is a task, and its text is its title.
  package var summary: String {
    if id == .root { return words(.name) ?? "trip" }
    let isTask = self[.kind] == nil && self[.state] != nil
    if isTask, let text = words(.taskText) { return text }
    if let title = words(.title) ?? words(.taskText) { return title }
    if isForgotten, self[.kind] == nil { return "forgotten item" }
    return ItemKind(self[.kind]).summary { words($0) }
  }

  /// The item in words, as the first of some copies of its list says it that has not let go of its
  /// fields: what was lost is called by the name that people know.
  ///
  /// - Parameter copies: The list before, or the others that were joined with it.
  /// - Returns: The words.
  package func knownSummary(in copies: [ReplicatedList]) -> String {
    guard isForgotten, words(.title) == nil, words(.taskText) == nil else { return summary }
    let known = copies.lazy.compactMap { $0[id: id] }.first { !$0.isForgotten }
    return (known ?? self).summary
  }

  /// The text of a field, if it is one and not empty.
  package func words(_ name: FieldName) -> String? {
    self[name]?.string.flatMap { $0.isEmpty ? nil : $0 }
  }

  /// The wall clock that the item shows: of a game's start, else of `time`.
  package var clock: ClockTime? {
    ItemKind(self[.kind]) == .game
      ? words(.start).flatMap { GameStart($0)?.time } : words(.time).flatMap { ClockTime($0) }
  }

  /// The number of a field, whole or not, in plain digits.
  package func digits(_ name: FieldName) -> String? {
    switch self[name] {
    case .int64(let value): String(value)
    case .double(let value) where value.isFinite: NumberLayout.decimal(value)
    default: nil
    }
  }
}
