public import Betwixt

/// Why a trip was not changed.
///
/// It is as it was.
public struct TripFailure: Error, Hashable, Sendable {
  /// What stood in the way.
  public enum Code: Hashable, Sendable {
    /// The trip does not show the item.
    case unknownItem
    /// Games stand where the schedule says.
    case notMovable
    /// The constraints do not allow the item there, or the trip has no such day.
    case invalidGap
    /// The item is no game, or a game without an id or a start.
    case notAGame
    /// Without a start date no game has a day.
    case noStartDate
    /// The list refused the edit.
    case refused(EditFailure)
  }

  /// What stood in the way.
  public let code: Code

  package init(_ code: Code) { self.code = code }
}

extension TripFailure: CustomStringConvertible {
  /// A sentence.
  public var description: String {
    switch code {
    case .unknownItem: "the trip does not show this item"
    case .notMovable: "a game stands where the schedule says"
    case .invalidGap: "the item cannot stand there"
    case .notAGame: "this is no game with an id and a start"
    case .noStartDate: "the trip has no start date"
    case .refused(let failure): "\(failure)"
    }
  }
}
