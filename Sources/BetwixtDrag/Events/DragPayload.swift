public import Betwixt

/// What is dragged in from another program.
public struct DragPayload: Hashable, Sendable {
  /// What kind of item it would be.
  public enum Kind: String, Hashable, Sendable {
    /// It may stand anywhere.
    case custom
    /// It is bound to the games of its cities.
    case travel
    /// It goes to its own day and time.
    case game
    /// It cannot be taken.
    case other
  }

  /// What kind of item it would be.
  public var kind: Kind

  /// What it would hold.
  public var fields: Fields

  /// How high its row would be.
  public var height: Double

  /// Describes what is dragged in.
  public init(_ kind: Kind, fields: Fields, height: Double) {
    self.kind = kind
    self.fields = fields
    self.height = height
  }
}
