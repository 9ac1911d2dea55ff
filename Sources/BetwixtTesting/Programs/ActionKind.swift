/// What an action does, simplest first: shrinking goes towards the start of this list.
public enum ActionKind: String, CaseIterable, Hashable, Sendable {
  // Edits of the replica that acts.
  case insert
  case remove
  case set
  case move
  case restore
  case clear
  case run
  case moveBlock = "move-block"
  case undo
  case edit

  // Time, which stands still otherwise, so that stamps tie.
  case wait

  // Exchanges that work.
  case merge
  case send
  case export

  // A network.
  case part
  case divert
  case post
  case deliver
  case again
  case lose
  case garble
  case partition
  case session
  case hub

  // A folder that a tool copies.
  case publish
  case fetch
  case snapshot

  // A document file on a drive.
  case commit
  case compact
  case crash

  // Clocks and identities.
  case clock
  case backup
  case rollBack = "roll-back"
  case clone

  /// The names of the numbers that follow the kind in the text of an action, at most three.
  public var labels: [String] {
    switch self {
    case .insert: ["offset", "section", "value"]
    case .remove, .restore: ["item"]
    case .set: ["item", "field", "value"]
    case .move: ["item", "offset", "section"]
    case .clear: ["item", "field"]
    case .run: ["offset", "section", "count"]
    case .moveBlock: ["item", "count", "offset"]
    case .edit: ["choice"]
    case .merge, .send, .export, .post: ["to"]
    case .part: ["to", "choice"]
    case .divert: ["to", "for"]
    case .deliver, .again, .lose: ["message"]
    case .garble: ["message", "bit"]
    case .partition: ["groups"]
    case .session: ["with", "piece", "cut"]
    case .hub: ["with", "piece", "cut"]
    case .fetch: ["from", "choice"]
    case .commit, .compact: ["fault", "number"]
    case .crash: ["choice"]
    case .clock: ["reading"]
    case .rollBack: ["forgets"]
    case .clone: ["of"]
    case .undo, .wait, .publish, .snapshot, .backup: []
    }
  }

  /// The bounds of these numbers; greater ones mean the same as their remainders.
  var bounds: [Int] {
    switch self {
    case .insert: [10, 3, 16]
    case .remove, .restore: [24]
    case .set: [24, 3, 16]
    case .move: [24, 10, 3]
    case .clear: [24, 3]
    case .run: [10, 3, 5]
    case .moveBlock: [24, 4, 10]
    case .edit, .crash: [1 << 32]
    case .merge, .send, .export, .post, .clone: [16]
    case .part, .fetch: [16, 1 << 16]
    case .divert: [16, 16]
    case .deliver, .again, .lose: [8]
    case .garble: [8, 4096]
    case .partition: [8]
    case .session, .hub: [16, 5, 2048]
    case .commit, .compact: [4, 24]
    case .clock: [ClockReading.allCases.count]
    case .rollBack: [2]
    case .undo, .wait, .publish, .snapshot, .backup: []
    }
  }

  /// Whether the replica's id may be in use twice afterwards: then numbers prove nothing any more.
  public var makesImpostors: Bool { self == .clone || self == .rollBack }
}

/// What a wrong clock can show.
enum ClockReading: Int, CaseIterable {
  case right
  case aMillisecondLater
  case aMillisecondEarlier
  case aCenturyLater
  case aCenturyEarlier
  case zero
  case beforeTheEpoch
  case least
  case greatest

  /// Milliseconds since 1970, if it is `now` in truth.
  func milliseconds(_ now: Int64) -> Int64 {
    let century: Int64 = 100 * 365 * 86_400_000
    return switch self {
    case .right: now
    case .aMillisecondLater: now + 1
    case .aMillisecondEarlier: now - 1
    case .aCenturyLater: now + century
    case .aCenturyEarlier: now - century
    case .zero: 0
    case .beforeTheEpoch: -1
    case .least: .min
    case .greatest: .max
    }
  }
}
