import Betwixt
import BetwixtTrips

/// Says what is out of order, for a person or for a program.
struct ViolationText {
  private let violation: Violation
  private let trip: Trip

  init(_ violation: Violation, in trip: Trip) {
    self.violation = violation
    self.trip = trip
  }

  /// One sentence without a full stop.
  var sentence: String {
    switch violation {
    case .travelOutOfPlace(let id):
      "\(name(id)) on \(day(id)): the games of both cities do not allow this leg here"
    case .gameOffSchedule(let id, let slot):
      "\(name(id)) on \(day(id)): its start says \(slot.words)"
    case .dayOutOfRange(let id, let day):
      "\(name(id)) is stored on day \(day), and the trip has \(trip.dayCount)"
    case .badField(let id, let field):
      "\(name(id)): the field “\(field)” holds something else than it should"
    case .badTrip(let field):
      trip.list.metadata[field] == nil
        ? "the trip has no “\(field)”; 'betwixt set FILE trip \(field)=…' gives it one"
        : "the trip's field “\(field)” is malformed"
    case .clockOrder(let upper, let lower):
      "\(name(lower)) on \(day(lower)) starts before \(name(upper)), which stands above it"
    }
  }

  /// One JSON object and a line break.
  ///
  /// - Parameters:
  ///   - repair: What a repair did about it.
  ///   - file: The file, if there are several.
  /// - Returns: The line.
  func json(repair: String? = nil, of file: String? = nil) -> String {
    var line = JSONLine()
    if let file { line.add("file", file) }
    if let repair { line.add("repair", repair) }
    line.add("violation", violation.name)
    line.add("item", violation.item == .root ? "root" : violation.item.uuid)
    if let foreign = trip.list[id: violation.item]?[.foreignID]?.string {
      line.add("foreignId", foreign)
    }
    line.add("label", trip.list[id: violation.item]?.summary ?? "")
    switch violation {
    case .travelOutOfPlace: break
    case .gameOffSchedule(_, let slot):
      if let day = slot.day { line.add("expectedDay", day) }
      line.add("expectedSortOrder", slot.sortOrder)
    case .dayOutOfRange(_, let day): line.add("storedDay", day)
    case .badField(_, let field), .badTrip(let field): line.add("field", field.text)
    case .clockOrder(_, let lower): line.add("other", lower.uuid)
    }
    return line.text
  }

  private func name(_ id: ItemID) -> String {
    "“\(trip.list[id: id]?.summary ?? id.uuid)”"
  }

  private func day(_ id: ItemID) -> String {
    trip.list[id: id]?.section.map { "day \($0)" } ?? "no day"
  }
}
