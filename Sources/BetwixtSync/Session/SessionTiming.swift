/// When a session has waited too long.
struct SessionTiming {
  private let start: Int64
  private(set) var now: Int64
  private var lastFrame: Int64
  private var lastProgress: Int64
  private var pinged = false
  private var lastPong: Int64?

  private static let pongPause: Int64 = 1_000
  private static let standardHandshake: Int64 = 10_000
  private static let standardSilence: Int64 = 120_000

  private let handshake: Int64
  /// How long the peer may say nothing; half-way it is asked whether it is there.
  private let silence: Int64

  enum Due {
    case nothing, ping, timeout
  }

  init(now: Int64, silence: Int64? = nil) {
    handshake = silence ?? SessionTiming.standardHandshake
    self.silence = silence ?? SessionTiming.standardSilence
    start = now
    self.now = now
    lastFrame = now
    lastProgress = now
  }

  /// How long the session has lasted.
  var elapsed: Int64 { now - start }

  /// Times that go back count as no time.
  mutating func note(_ time: Int64) { now = max(now, time) }

  mutating func noteFrame(isProgress: Bool) {
    lastFrame = now
    pinged = false
    if isProgress { lastProgress = now }
  }

  /// The host took its time, or a round began: the peer is not to blame for what was before.
  mutating func noteProgress() { lastProgress = now }

  /// Whether to answer a PING: not more often than once a second, so that a peer that asks without
  /// reading fills no memory here.
  mutating func takePong() -> Bool {
    if let lastPong, now - lastPong < SessionTiming.pongPause { return false }
    lastPong = now
    return true
  }

  func deadline(isGreeting: Bool, isBusy: Bool) -> Int64 {
    if isGreeting { return start + handshake }
    let idle = lastFrame + (pinged ? silence : silence / 2)
    return isBusy ? min(idle, lastProgress + silence) : idle
  }

  mutating func due(_ time: Int64, isGreeting: Bool, isBusy: Bool) -> Due {
    note(time)
    guard now >= deadline(isGreeting: isGreeting, isBusy: isBusy) else { return .nothing }
    if isGreeting || pinged { return .timeout }
    if isBusy, now >= lastProgress + silence { return .timeout }
    pinged = true
    return .ping
  }
}
