/// What a list takes from others: writes that would keep honest people from editing stay outside.
///
/// Everything it judges is well formed, and merging it converges. But a write of the year 6000
/// wins over every later edit, and no removal follows on the last causal length. So whoever takes
/// in what comes from elsewhere asks first, and merges what is admitted:
///
///     let policy = AdmissionPolicy(now: clock())
///     let admitted = policy.admit(delta, to: list)
///     list.merge(admitted.delta)
///     for write in admitted.withheld { print(write) }
///
/// It is a pure value: the clock is passed in, and equal lists, deltas and policies give equal
/// answers. What a list holds already is never judged again, nor what would lose against that: a clock
/// that fell back keeps nobody from what was replaced long ago.
///
/// A floor is taken as far as the list, and those of the delta's ranges that are, know the writes below
/// it, so nobody makes others forget what is yet to be written.
///
/// After any sequence of admitted writes every register can be written again, with effect: times
/// are at most a day ahead, and a later write of a register always gets a later time.
public struct AdmissionPolicy: Hashable, Sendable {
  /// Milliseconds since 1970 by a clock that the host trusts; `nil` judges no times.
  public var now: Int64?

  /// By how many milliseconds a write may be ahead of ``now``: a day.
  public var timeAhead: Int64 = 86_400_000

  /// By how much a causal length may be above what its time allows.
  ///
  /// Each removal and each restoring of an item gets a later time than the one before and makes the
  /// life longer by 1, or by 2 if it insists, so an honest length is never above twice the number
  /// that its time is. Whatever follows an admitted life is admitted too, by whoever knows nothing
  /// of it, and the end of all lengths is out of reach.
  public var lifeSlack: UInt64 = 1 << 16

  /// How many replicas of which nothing is known ranges may name in one exchange.
  ///
  /// Ranges beyond that are not taken; they only make sync cheap.
  public var newReplicaCount = 4_096

  /// How many items more than are complete may have no life, or be alive without a position.
  ///
  /// Every item gets both when it is made, but they may come apart. Items of a few bytes would
  /// take many times the room of what was sent. One that is removed is complete with its life: the
  /// rest may be forgotten wherever it comes from.
  ///
  /// So this bounds no removed items, nor does anything else here: whoever sends enough of them makes
  /// a list as great as the limits of what is read, and of a conversation, allow.
  public var incompleteItemCount = 1 << 16

  /// Makes the default policy.
  ///
  /// - Parameter now: Milliseconds since 1970 by a clock that the host trusts; `nil` judges no
  ///   times.
  public init(now: Int64?) { self.now = now }

  /// The first time that is too far ahead; `nil` if times are not judged.
  ///
  /// By no clock is the last millisecond of all times let in: no write follows on its end.
  public var horizon: Timestamp? {
    guard let now else { return nil }
    let (limit, overflow) = now.addingReportingOverflow(timeAhead)
    let last = Timestamp.max.milliseconds
    return Timestamp(milliseconds: overflow ? last : min(limit, last - 1) + 1)
  }

  /// Whether an entry that a list holds would not be admitted: it was taken in without asking, or
  /// by a clock that was wrong.
  ///
  /// - Parameter entry: Any entry.
  /// - Returns: Why; `nil` if there is nothing against it.
  public func objection(to entry: Entry) -> WithheldWrite.Reason? {
    if let horizon, entry.stamp.time >= horizon { return .timeAhead }
    if case .life(let length) = entry.value, !allows(length, at: entry.stamp.time.rawValue) {
      return .lifeAhead
    }
    return nil
  }

  /// Whether there may be something against an entry: nearly none is looked at any closer.
  func mayObject(to entry: RawEntry) -> Bool {
    if entry.register == .life { return true }
    return horizon.map { entry.time >= $0 } ?? false
  }

  /// Whether there may be something against an entry of a page.
  func mayObject(to page: Page) -> Bool {
    if let lives = page.lives, !allows(lives.longest, at: lives.earliest) { return true }
    return horizon.map { page.latestTime >= $0.rawValue } ?? false
  }

  /// Whether a life of this length can have been written at a time.
  func allows(_ length: UInt64, at time: UInt64) -> Bool {
    // Times are below 2^63.
    let (limit, overflow) = (time * 2).addingReportingOverflow(lifeSlack)
    return overflow || length <= limit
  }
}

/// A write that was not taken in.
public struct WithheldWrite: Hashable, Sendable {
  /// Why.
  public enum Reason: Hashable, Sendable {
    /// Its time is too far ahead of the clock here: it is taken when the clock has come near.
    case timeAhead
    /// Its causal length is above what its time allows: it is never taken.
    case lifeAhead
    /// Too many items without life, or alive without position, are here: it is taken when those
    /// are complete.
    case incomplete
  }

  /// The write.
  public let entry: Entry

  /// Why.
  public let reason: Reason

  /// Whether it may be taken later.
  public var isPostponed: Bool { reason != .lifeAhead }

  /// Makes one.
  public init(_ entry: Entry, because reason: Reason) {
    self.entry = entry
    self.reason = reason
  }
}

extension WithheldWrite.Reason: CustomStringConvertible {
  /// A phrase.
  public var description: String {
    switch self {
    case .timeAhead: "its time is too far ahead of the clock"
    case .lifeAhead: "it was removed and restored more often than anybody can"
    case .incomplete: "too many items have no place yet"
    }
  }
}

extension WithheldWrite: CustomStringConvertible {
  /// Item, register and reason, with the time where that is the reason.
  public var description: String {
    let time = reason == .timeAhead ? " (\(entry.stamp.time.milliseconds) ms)" : ""
    return "item \(entry.item), \(entry.register): \(reason)\(time)"
  }
}
