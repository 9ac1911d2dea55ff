/// When a session has waited too long.
struct SessionTiming {
  private let start: Int64
  private(set) var now: Int64
  private var lastFrame: Int64
  private var lastProgress: Int64
  private var lastPing: Int64?
  private var lastPong: Int64?
  // When the host was asked for something, or the peer was told since that somebody is here.
  private var lastSign: Int64

  private static let pongPause: Int64 = 1_000
  private static let standardHandshake: Int64 = 10_000
  private static let standardSilence: Int64 = 120_000

  private let handshake: Int64
  /// How long the peer may say nothing; half-way it is asked whether it is there.
  private let silence: Int64

  enum Due {
    case nothing, ping, pong, timeout
  }

  /// Who has to do something.
  enum Stage {
    /// The peer has to say hello.
    case greeting
    /// The host has to do what it was asked for: what the peer says meanwhile is not looked at.
    case waiting
    /// The peer has to get something on.
    case busy
    /// Nobody has.
    case idle
  }

  init(now: Int64, silence: Int64? = nil) {
    handshake = silence ?? SessionTiming.standardHandshake
    self.silence = silence ?? SessionTiming.standardSilence
    start = now
    self.now = now
    lastFrame = now
    lastProgress = now
    lastSign = now
  }

  /// How long the session has lasted.
  var elapsed: Int64 { SessionTiming.time(from: start, to: now) }

  /// Times that go back count as no time.
  mutating func note(_ time: Int64) { now = max(now, time) }

  mutating func noteFrame(isProgress: Bool) {
    lastFrame = now
    lastPing = nil
    if isProgress { lastProgress = now }
  }

  /// A round began: the peer is not to blame for what was before.
  mutating func noteProgress() { lastProgress = now }

  /// The host was asked for something.
  mutating func noteAsked() { lastSign = now }

  /// The host has done it: as long as that took, nobody listened to the peer.
  mutating func noteSettled() {
    lastFrame = now
    lastPing = nil
    lastProgress = now
  }

  /// Whether to answer a PING: not more often than once a second, so that a peer that asks without
  /// reading fills no memory here.
  mutating func takePong() -> Bool {
    if let lastPong, SessionTiming.time(from: lastPong, to: now) < SessionTiming.pongPause {
      return false
    }
    lastPong = now
    return true
  }

  func deadline(_ stage: Stage) -> Int64 {
    // However late it was asked, the peer has its time to answer.
    let idle =
      lastPing.map { SessionTiming.later(silence - silence / 2, after: $0) }
      ?? SessionTiming.later(silence / 2, after: lastFrame)
    return switch stage {
    case .greeting: SessionTiming.later(handshake, after: start)
    case .waiting: SessionTiming.later(silence / 4, after: lastSign)
    case .busy: min(idle, SessionTiming.later(silence, after: lastProgress))
    case .idle: idle
    }
  }

  mutating func due(_ time: Int64, _ stage: Stage) -> Due {
    note(time)
    guard now >= deadline(stage) else { return .nothing }
    if stage == .waiting {
      lastSign = now
      return .pong
    }
    if stage == .greeting || lastPing != nil { return .timeout }
    if stage == .busy, now >= SessionTiming.later(silence, after: lastProgress) {
      return .timeout
    }
    lastPing = now
    return .ping
  }

  private static func time(from start: Int64, to end: Int64) -> Int64 {
    let (time, overflow) = end.subtractingReportingOverflow(start)
    return overflow ? .max : time
  }

  /// The last of all times where there is no later one.
  static func later(_ time: Int64, after start: Int64) -> Int64 {
    let (sum, overflow) = start.addingReportingOverflow(time)
    return overflow ? .max : sum
  }
}
