public import Betwixt

/// What a session needs to know before it starts.
public struct SyncSetup: Sendable {
  /// The replica that writes on this side; `nil` for one that never does, such as a server.
  public var replica: ReplicaID?

  /// Whether the session goes on after the first round, until somebody ends it.
  public var isLive: Bool

  /// How many bytes of content may be on their way here: 128 KiB to 64 MiB.
  public var window: Int {
    didSet { window = SyncSetup.clamped(window: window) }
  }

  /// The greatest frame taken: 64 KiB to 1 MiB.
  public var maximumFrame: Int {
    didSet { maximumFrame = SyncSetup.clamped(maximumFrame: maximumFrame) }
  }

  /// How much a list may hold.
  public var limits: FormatLimits

  /// A name for display, at most 64 bytes.
  public var implementation: String

  /// Milliseconds since 1970 by this side's clock, told to the peer for display; `nil` leaves it
  /// out.
  public var wallClock: Int64?

  /// What is taken in of what the peer sends; its clock goes on while the session lasts.
  public var admission: AdmissionPolicy

  /// How long the peer may say nothing, in milliseconds, from a second to a day, before the session
  /// ends with `timeout`; `nil` for ten seconds until its first word and two minutes after it.
  ///
  /// Longer is for a peer whom somebody types a password for; half-way it is asked whether it is
  /// there.
  public var silence: Int64? {
    didSet { silence = silence.map { min(max($0, 1_000), 86_400_000) } }
  }

  /// Whether this side forgets what the peer has forgotten.
  ///
  /// Both sides compare what is left under both floors, so they agree in any case. Who does not take
  /// a peer's floor, as a server that knows better, keeps what its removed items hold.
  public var takesFloor = true

  /// Makes a setup.
  ///
  /// - Parameters:
  ///   - replica: Who writes here; `nil` for nobody.
  ///   - isLive: Whether the session goes on after the first round.
  ///   - window: How many bytes of content may be on their way here.
  ///   - maximumFrame: The greatest frame taken.
  ///   - limits: How much a list may hold.
  ///   - implementation: A name for display.
  ///   - wallClock: Milliseconds since 1970 by this side's clock; `nil` if there is none to trust.
  ///   - admission: What is taken in; by default the default policy with that clock.
  public init(
    replica: ReplicaID? = nil, isLive: Bool = false, window: Int = 1 << 20,
    maximumFrame: Int = 1 << 20, limits: FormatLimits = .ceiling, implementation: String = "",
    wallClock: Int64? = nil, admission: AdmissionPolicy? = nil
  ) {
    self.replica = replica
    self.isLive = isLive
    self.window = SyncSetup.clamped(window: window)
    self.maximumFrame = SyncSetup.clamped(maximumFrame: maximumFrame)
    self.limits = limits
    self.implementation = implementation
    self.wallClock = wallClock
    self.admission = admission ?? AdmissionPolicy(now: wallClock)
  }

  private static func clamped(window: Int) -> Int { min(max(window, leastWindow), 64 << 20) }

  private static func clamped(maximumFrame: Int) -> Int {
    min(max(maximumFrame, plainFrame), 1 << 20)
  }

  static let leastWindow = 128 << 10
  /// What frames are filled to; a greater one carries one entry.
  static let plainFrame = 64 << 10
}

/// 128 random bits that tell the two ends of a session apart.
public struct SessionNonce: Hashable, Sendable {
  let high: UInt64
  let low: UInt64

  /// Makes a nonce from its halves.
  public init(high: UInt64, low: UInt64) {
    self.high = high
    self.low = low
  }

  /// Draws a nonce from a generator.
  public static func random(using generator: inout some RandomNumberGenerator) -> SessionNonce {
    SessionNonce(high: generator.next(), low: generator.next())
  }

  static func < (left: SessionNonce, right: SessionNonce) -> Bool {
    left.high != right.high ? left.high < right.high : left.low < right.low
  }
}

/// A question of a session that waits for ``SyncSession/settled(_:outcome:list:now:)``.
public struct Ticket: Hashable, Sendable {
  let number: UInt64
}
