public import Betwixt
import BetwixtTrips

/// How something from another program moves.
public enum ExternalPhase: Hashable, Sendable {
  /// It came.
  case entered(DragPayload, DragPoint)
  /// It moved.
  case moved(DragPoint)
  /// It left.
  case left
  /// It was let go.
  case dropped(DragPoint)
}

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

// MARK: - In a log

extension ExternalPhase {
  var logMembers: [(String, LogValue)] {
    switch self {
    case .entered(let payload, let point):
      [
        ("phase", .text("entered")), ("kind", .text(payload.kind)),
        ("fields", .fields(payload.fields)), ("height", .number(payload.height)),
        ("point", .point(point)),
      ]
    case .moved(let point): [("phase", .text("moved")), ("point", .point(point))]
    case .left: [("phase", .text("left"))]
    case .dropped(let point): [("phase", .text("dropped")), ("point", .point(point))]
    }
  }

  init(_ reader: LogReader) throws(TextProblem) {
    switch try reader.phase {
    case "entered":
      let payload = DragPayload(
        try reader.word("kind"), fields: try reader.fields("fields"),
        height: try reader.number("height"))
      self = .entered(payload, try reader.point())
    case "moved": self = .moved(try reader.point())
    case "left": self = .left
    case "dropped": self = .dropped(try reader.point())
    default: throw reader.unknownPhase
    }
  }
}
