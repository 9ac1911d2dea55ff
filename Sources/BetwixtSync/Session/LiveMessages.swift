import Betwixt

/// What a side says when it holds, durably, changes that the other side pushed.
struct Done: Hashable {
  /// How many pushed changes of the other side it holds.
  var taken: UInt64
  /// How many changes it had pushed itself before.
  var sent: UInt64
  /// The start of the digest of its list at that place; left out while writes are refused.
  var digest: UInt64?

  var payload: [UInt8] {
    var output: [UInt8] = []
    output.appendVarint(taken)
    output.appendVarint(sent)
    if let digest { output.appendBigEndian(digest) }
    return output
  }

  init(taken: UInt64, sent: UInt64, digest: UInt64?) {
    self.taken = taken
    self.sent = sent
    self.digest = digest
  }

  init(decoding payload: [UInt8]) throws(DecodeFailure) {
    var reader = Reader(payload)
    taken = try reader.varint()
    sent = try reader.varint()
    digest = reader.remaining > 0 ? try reader.uint64() : nil
    try reader.finish()
  }
}

/// Parts of a version or a floor that OPEN has no room for.
enum VersionParts {
  /// The most rows that a version has which is said; more, and contents are compared.
  static let rowLimit = 1 << 17

  /// The most rows that a floor has: it has to be said, so that both sides compare the same.
  static let floorRowLimit = 1 << 20

  // A row takes 18 bytes at most.
  private static let rowsPerFrame = SyncSetup.plainFrame / 20

  /// The first of the frames that say a version, and the rows that are left.
  static func frame(_ rows: inout VersionVector.SubSequence) -> Frame {
    let part = rows.prefix(rowsPerFrame)
    rows = rows.dropFirst(rowsPerFrame)
    return Frame(
      .version, payload: VersionVector.encoded(part), isCritical: true, isLast: rows.isEmpty)
  }
}

/// What the two sides of a live session have told each other since the last round.
struct LiveState {
  /// A state of both lists: how many changes this side had pushed and taken, and what it held.
  struct Mark {
    let sent: UInt64
    let taken: UInt64
    let digest: UInt64
  }

  /// The position of the log to look at next.
  var place = 0
  /// Where the log ended when the last round was over.
  var roundEnd = 0

  /// Changes that were pushed, and those of them that the peer holds.
  private(set) var sent: UInt64 = 0
  private(set) var done: UInt64 = 0
  /// Changes that the peer pushed, and those of them that this side has walked past in its log.
  private(set) var taken: UInt64 = 0
  private(set) var walked: UInt64 = 0
  /// Up to which pushed change both sides were seen to hold the same.
  private(set) var compared: UInt64 = 0

  /// Where in the log those stand that the peer has not answered, and the own numbers in them.
  private(set) var unanswered: [(places: Range<Int>, own: Int64)] = []
  private var marks: [Mark] = []

  /// Whether the two lists were seen to differ.
  var wantsRound = false
  /// Rounds that were needed since the last change.
  var neededRoundCount = 0
  /// What of the peer's floor the last round was wanted for.
  var soughtFloor = VersionVector()
  /// The time of the last message and of the end of the last round.
  var lastMessage: Int64 = 0
  var lastRound: Int64 = 0

  /// How many changes of the peer each of those is made of that are stored together.
  private var groups: [Int] = []

  private static let markLimit = 1_024
  static let unansweredLimit = 1 << 16

  // MARK: Going through the log

  mutating func push(_ places: Range<Int>, own: Int64, digest: UInt64) {
    sent += 1
    neededRoundCount = 0
    unanswered.append((places, own))
    if places.upperBound > roundEnd { mark(digest) }
  }

  mutating func take() {
    taken += 1
    neededRoundCount = 0
  }

  /// Takes note that the last changes of the peer are one in the log.
  mutating func gather(_ count: Int) { groups.append(count) }

  mutating func walk(_ digest: UInt64) {
    walked += groups.isEmpty ? 1 : UInt64(groups.removeFirst())
    mark(digest)
  }

  private mutating func mark(_ digest: UInt64) {
    if marks.count == LiveState.markLimit { marks.removeFirst(LiveState.markLimit / 2) }
    marks.append(Mark(sent: sent, taken: walked, digest: digest))
  }

  // MARK: Answers

  /// Takes note of an answer; the highest own number that is confirmed by it, or `nil` if it says
  /// what cannot be.
  mutating func confirm(_ answer: Done) -> Int64? {
    guard answer.taken >= done, answer.taken <= sent, answer.sent <= taken else { return nil }
    let count = Int(clamping: answer.taken - done)
    let own = unanswered.prefix(count).reduce(0) { max($0, $1.own) }
    unanswered.removeFirst(min(count, unanswered.count))
    done = answer.taken
    return own
  }

  /// Whether an answer shows that the lists are equal; `nil` if this side was never in that state.
  mutating func compare(_ answer: Done) -> Bool? {
    marks.removeFirst(marks.prefix { $0.sent < answer.taken }.count)
    guard let digest = answer.digest,
      let mark = marks.first(where: { $0.sent == answer.taken && $0.taken == answer.sent })
    else { return nil }
    compared = max(compared, answer.taken)
    return mark.digest == digest
  }

  /// Whether everything was answered and no answer could be compared since the last change.
  var needsCheck: Bool { compared < sent && done == sent }

  mutating func noteCheck() { compared = sent }

  // MARK: Rounds

  mutating func endRound(at end: Int, now: Int64) {
    (roundEnd, lastRound) = (end, now)
    (done, compared, walked) = (sent, sent, taken)
    (unanswered, marks, groups) = ([], [], [])
    wantsRound = false
  }
}
