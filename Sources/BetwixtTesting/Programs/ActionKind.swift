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

  // Letting go what removed items held.
  case forget

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

  // Documents on a desk: commands, programs that keep one open, and how they end.
  case write
  case editor
  case type
  case pack
  case die
  case hinder
  case power

  // Programs that keep what they did, and how it is taken back.
  case act
  case stop
  case takeBack = "take-back"

  // What people and tools do with those files.
  case shelve
  case putBack = "put-back"
  case copy
  case rename
  case link
  case carry
  case renew
  case litter
  case chmod

  // What happens to their bytes, and to machines.
  case cut
  case flip
  case flipIdentity = "flip-identity"
  case image
  case restoreImage = "restore-image"

  // How they come together.
  case join
  case meet
  case pair
  case share
  case absorb
  case beside
  case haul

  // Whoever goes to the limits, honest or not.
  case fill
  case stranger

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
    case .forget: ["kind"]
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
    case .write, .type, .act: ["document", "edit"]
    case .die, .stop, .hinder: ["document", "edit", "call"]
    case .takeBack: ["document", "again"]
    case .editor, .pack, .chmod: ["document"]
    case .power: ["choice"]
    case .shelve: ["document", "file"]
    case .putBack: ["document", "copy", "over"]
    case .copy: ["document", "over"]
    case .rename: ["document", "swaps"]
    case .link: ["document", "symbolic"]
    case .carry: ["to", "document", "over"]
    case .renew: ["document"]
    case .litter: ["document", "name"]
    case .cut: ["document", "commits"]
    case .flip: ["file", "part", "bit"]
    case .flipIdentity: ["file", "bit"]
    case .restoreImage: ["part", "of", "over"]
    case .join: ["document", "copy"]
    case .meet: ["with", "documents", "cut"]
    case .pair: ["with", "documents"]
    case .share: ["document", "segment"]
    case .absorb: ["document", "whose"]
    case .beside: ["document", "rounds", "failing"]
    case .haul: ["from", "choice"]
    case .fill: ["document", "limit"]
    case .stranger: ["document", "extreme", "choice"]
    case .undo, .wait, .publish, .snapshot, .backup, .image: []
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
    case .forget: [3]
    case .write, .type, .act: [2, 64]
    // Half of it is the call that is the last: an edit makes some thirty, more where it compacts.
    case .die: [2, 64, 96]
    case .stop: [2, 64, 128]
    case .takeBack: [2, 2]
    case .hinder: [2, 64, 128]
    case .editor, .pack, .renew, .chmod: [2]
    case .power: [1 << 16]
    case .shelve: [2, 4]
    case .putBack: [2, 8, 2]
    case .copy, .rename, .link: [2, 2]
    case .carry: [16, 2, 2]
    case .litter: [2, 4]
    case .cut: [2, 4]
    case .flip: [8, 4, 4096]
    case .flipIdentity: [8, 4096]
    case .restoreImage: [4, 16, 2]
    case .join: [2, 16]
    case .meet: [16, 4, 256]
    case .pair: [16, 4]
    case .share: [2, 4]
    case .absorb: [2, 8]
    // In the upper half the call of a sync that fails: it makes some sixty.
    case .beside: [2, 2, 256]
    case .haul: [16, 1 << 16]
    case .fill: [2, 4]
    case .stranger: [2, 16, 1 << 16]
    case .undo, .wait, .publish, .snapshot, .backup, .image: []
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
