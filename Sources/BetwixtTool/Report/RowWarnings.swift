import Betwixt
import BetwixtTrips

/// What is out of order in a trip, in the few words that fit behind a row.
struct RowWarnings {
  private var ofItems: [ItemID: [Violation]] = [:]

  /// What is out of order with the trip itself.
  private(set) var ofTrip: [Violation] = []

  // The fields of the trip that say nothing.
  private let absent: Set<FieldName>

  /// Examines a trip.
  init(_ trip: Trip) {
    absent = Set([.days, .startDate].filter { trip.list.metadata[$0] == nil })
    for violation in Constraints(trip).violations() {
      switch violation {
      case .badTrip: ofTrip.append(violation)
      case .badField(.root, _): ofTrip.append(violation)
      // The lower one of two games is the one that is too early.
      case .clockOrder(_, let lower): ofItems[lower, default: []].append(violation)
      default: ofItems[violation.item, default: []].append(violation)
      }
    }
  }

  /// What is out of order with an item.
  subscript(id: ItemID) -> [Violation] { ofItems[id] ?? [] }

  /// Some violations as words in brackets.
  func words(_ violations: [Violation]) -> String {
    " [\(violations.map { words($0) }.joined(separator: "; "))]"
  }

  private func words(_ violation: Violation) -> String {
    switch violation {
    case .travelOutOfPlace: "the games of its cities do not allow it here"
    case .gameOffSchedule(_, let slot): "its start says \(slot.words)"
    case .dayOutOfRange(_, let day): "stored on day \(day)"
    case .badField(_, let name): "bad value in “\(name)”"
    case .badTrip(let name): "“\(name)” is \(absent.contains(name) ? "missing" : "malformed")"
    case .clockOrder: "starts before the game above it"
    }
  }
}

extension Violation.Slot {
  /// The place in words: `day 3, 13:00`.
  var words: String {
    let minute = Int(sortOrder) - 100
    let time = ClockTime(hour: minute / 60, minute: minute % 60).map { "\($0)" }
    return [day.map { "day \($0)" }, time ?? "no time"].compactMap { $0 }.joined(separator: ", ")
  }
}
