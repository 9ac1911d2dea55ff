/// How much work a peer may cause in a time: who sends without end waits, and nobody else does.
///
/// Work is counted in messages: a change that goes to a hundred peers is a hundred of them. What was
/// not used can be used later, half a second of it at most, so that a short burst waits for nothing.
struct PeerShare: Sendable {
  /// To how many peers a change goes.
  var readerCount = 0

  private let perSecond: Int64
  // How much was used of what is to come, in microseconds, and when that was.
  private var debt: Int64 = 0
  private var last: Int64

  /// What may be used ahead, and what one thing takes at most however many read it, so that ten
  /// things a second are always possible.
  private static let ahead: Int64 = 500_000
  private static let longest: Int64 = 100_000
  /// What takes as much work as one more message.
  private static let byteCount = 8_192
  /// A comparison of lists.
  private static let round: Int64 = 20

  init(perSecond: Int, now: Int64) {
    self.perSecond = max(1, Int64(clamping: perSecond))
    last = now
  }

  /// Counts a change of so many bytes, which came in so many pieces and goes to all readers.
  mutating func takeChange(byteCount: Int, pieceCount: Int, at now: Int64) {
    let size = Int64(1 + byteCount / PeerShare.byteCount)
    let (messages, overflow) = size.multipliedReportingOverflow(by: Int64(readerCount))
    take(overflow ? .max / 2 : messages + Int64(pieceCount), at: now)
  }

  /// Counts what nobody else hears of.
  mutating func takeFrame(_ frame: Frame, at now: Int64) {
    switch frame.type {
    case .open: take(PeerShare.round, at: now)
    case .ranges, .want, .refused, .version:
      take(Int64(1 + frame.payload.count / PeerShare.byteCount), at: now)
    default: break
    }
  }

  private mutating func take(_ messages: Int64, at now: Int64) {
    let (time, overflow) = messages.multipliedReportingOverflow(by: 1_000_000)
    debt = debt(at: now) + min(overflow ? .max : time / perSecond, PeerShare.longest)
    last = max(last, now)
  }

  private func debt(at now: Int64) -> Int64 {
    let (passed, overflow) = now.subtractingReportingOverflow(last)
    guard !overflow, passed < PeerShare.ahead else { return 0 }
    return max(0, debt - max(0, passed) * 1_000)
  }

  /// When the peer is heard again, in milliseconds; `nil` if it may go on at once.
  func deadline(at now: Int64) -> Int64? {
    let excess = debt(at: now) - PeerShare.ahead
    guard excess > 0 else { return nil }
    let (time, overflow) = max(now, last).addingReportingOverflow((excess + 999) / 1_000)
    return overflow ? .max : time
  }
}
