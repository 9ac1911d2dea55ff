package import Betwixt

/// What a known field must hold.
package enum FieldForm: Sendable {
  case string
  case int
  case double
  /// A double from −90 to 90.
  case latitude
  /// A double from −180 to 180.
  case longitude
  /// A wall clock, `HH:MM`.
  case clock
  /// What ``GameStart`` reads.
  case start
  /// `YYYY-MM-DD`.
  case date
}

extension FieldForm {
  /// The form of a field of an item in a trip; `nil` for fields that no rule knows.
  package static func ofItem(_ name: FieldName, kind: ItemKind) -> FieldForm? {
    switch name {
    case .kind, .title, .note, .foreignID: return .string
    case .latitude: return .latitude
    case .longitude: return .longitude
    default: break
    }
    switch kind {
    case .game: return ofGame(name)
    case .travel: return ofTravel(name)
    case .custom, .other: return ofCustom(name)
    }
  }

  private static func ofGame(_ name: FieldName) -> FieldForm? {
    switch name {
    case .gameID, .city, .cityID, .venue, .home, .away, .round: .string
    case .start: .start
    case .duration: .int
    default: nil
    }
  }

  private static func ofTravel(_ name: FieldName) -> FieldForm? {
    switch name {
    case .from, .to, .fromID, .toID, .mode: .string
    case .time: .clock
    case .distance: .double
    case .duration: .int
    default: nil
    }
  }

  private static func ofCustom(_ name: FieldName) -> FieldForm? {
    switch name {
    case .icon, .address: .string
    case .time: .clock
    case .duration: .int
    default: nil
    }
  }

  /// The form of a field of a task.
  package static func ofTask(_ name: FieldName) -> FieldForm? {
    switch name {
    case .taskText, .state, .createdAt, .updatedAt, .completedAt, .foreignID: .string
    default: nil
    }
  }

  /// The form of a field of the root of a trip.
  package static func ofTrip(_ name: FieldName) -> FieldForm? {
    switch name {
    case .name, .foreignID, .type: .string
    case .startDate: .date
    case .days: .int
    default: nil
    }
  }

  /// The form of a field of the root of a list of tasks.
  package static func ofTaskList(_ name: FieldName) -> FieldForm? {
    switch name {
    case .name, .foreignID, .type: .string
    default: nil
    }
  }

  /// Whether a stored value has this form; one that has not reads as absent.
  package func accepts(_ value: FieldValue) -> Bool {
    switch self {
    case .string: value.string != nil
    case .int: value.int64 != nil
    case .double: value.double?.isFinite ?? false
    case .latitude: value.double.map { (-90.0...90.0).contains($0) } ?? false
    case .longitude: value.double.map { (-180.0...180.0).contains($0) } ?? false
    case .clock: value.string.flatMap { ClockTime($0) } != nil
    case .start: value.string.flatMap { GameStart($0) } != nil
    case .date: value.string.flatMap { CivilDate($0) } != nil
    }
  }

  /// What a value of this form is, for people.
  package var meaning: String {
    switch self {
    case .latitude: "a number from -90 to 90"
    case .longitude: "a number from -180 to 180"
    case .clock: "a time like 13:00"
    case .start: "a start like 2026-06-11T13:00-06:00"
    case .date: "a date like 2026-06-11"
    case .string: "a text"
    case .int: "a whole number"
    case .double: "a number"
    }
  }
}
