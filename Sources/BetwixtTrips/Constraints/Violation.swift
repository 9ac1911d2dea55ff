public import Betwixt

/// Something about a trip that a merge, or a change of the schedule, left out of order.
public enum Violation: Hashable, Sendable {
  /// A travel leg stands where the games around it do not allow it.
  case travelOutOfPlace(ItemID)

  /// The place of a game disagrees with its `start`.
  case gameOffSchedule(ItemID, expected: Slot)

  /// An item is stored with a day that the trip does not have.
  case dayOutOfRange(ItemID, day: Int64)

  /// A known field holds a value of another type or form, and reads as absent.
  case badField(ItemID, FieldName)

  /// The trip's start date or number of days is absent or malformed.
  case badTrip(FieldName)

  /// Of two neighbouring games of a day the lower one starts earlier in absolute time.
  case clockOrder(ItemID, ItemID)

  /// Where the schedule puts a game.
  public struct Slot: Hashable, Sendable {
    /// The day; `nil` if the trip has no start date.
    public let day: Int64?

    /// The number of the anchor.
    public let sortOrder: Double
  }

  /// The item that it is about; for two games the upper one, for the trip itself the root.
  public var item: ItemID {
    switch self {
    case .travelOutOfPlace(let id), .gameOffSchedule(let id, _), .dayOutOfRange(let id, _),
      .badField(let id, _), .clockOrder(let id, _):
      id
    case .badTrip: .root
    }
  }

  /// The stable name of the kind of violation.
  public var name: String {
    switch self {
    case .travelOutOfPlace: "travelOutOfPlace"
    case .gameOffSchedule: "gameOffSchedule"
    case .dayOutOfRange: "dayOutOfRange"
    case .badField: "badField"
    case .badTrip: "badTrip"
    case .clockOrder: "clockOrder"
    }
  }
}
