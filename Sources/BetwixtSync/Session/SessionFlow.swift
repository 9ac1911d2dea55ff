import Betwixt

/// The two streams of a session, and how much of content each side may still send.
struct SessionFlow {
  var input = FrameStream()
  private var chain = FrameChain()
  private var hasSentPreamble = false
  private var queue: [Frame] = []
  private(set) var queuedByteCount = 0
  // Rows of a version and of a floor, which go before the queue and become frames one by one: they
  // may be more than a queue has room for.
  private var rows: [VersionVector.SubSequence] = []
  private var rowFrame: Frame?
  /// The smaller of both sides' windows and greatest frames, once both are known.
  private(set) var window: Int
  private(set) var maximumFrame: Int
  /// What may still be sent; below 0 after a frame of more than half the window.
  private var credit = 0
  /// What the peer may still send, and what it sent that was not granted again.
  private var granted: Int
  private var taken = 0

  init(_ setup: SyncSetup) {
    window = setup.window
    maximumFrame = setup.maximumFrame
    granted = setup.window
  }

  /// Takes what both sides can.
  mutating func agree(with peer: Hello) {
    window = min(window, peer.window)
    maximumFrame = min(maximumFrame, peer.maximumFrame)
    (credit, granted) = (window, window)
    input.maximumPayload = maximumFrame
  }

  /// The bytes of the next frame that goes out.
  mutating func bytes(of frame: Frame) -> [UInt8] {
    var bytes = hasSentPreamble ? [] : Frame.preamble
    hasSentPreamble = true
    chain.append(frame, to: &bytes)
    return bytes
  }

  /// Lets go what is kept of a session that has ended.
  mutating func close() {
    clearQueue()
    input = FrameStream()
  }

  // MARK: What waits to be sent

  var hasQueued: Bool { !queue.isEmpty || hasRows }

  /// Whether rows of a version or floor wait.
  var hasRows: Bool { !rows.isEmpty || rowFrame != nil }

  /// Puts a version, which is not empty, before what waits.
  mutating func enqueue(_ version: VersionVector) { rows.append(version[...]) }

  /// Puts a frame behind those that wait; returns whether that is not more than can be kept.
  mutating func enqueue(_ frame: Frame) -> Bool {
    queue.append(frame)
    queuedByteCount += SessionFlow.cost(of: frame)
    return queuedByteCount <= 4 * Frame.maximumPayload
  }

  /// Takes the first frame that waits, if it may go.
  mutating func dequeue() -> Frame? {
    if let frame = rowFrame ?? nextRows() {
      rowFrame = frame
      guard pay(for: frame) else { return nil }
      rowFrame = nil
      return frame
    }
    guard let frame = queue.first, pay(for: frame) else { return nil }
    queuedByteCount -= SessionFlow.cost(of: queue.removeFirst())
    return frame
  }

  private mutating func nextRows() -> Frame? {
    guard !rows.isEmpty else { return nil }
    let frame = VersionParts.frame(&rows[0])
    if rows[0].isEmpty { rows.removeFirst() }
    return frame
  }

  /// Takes those that use no credit.
  mutating func dequeueFree() -> [Frame] {
    let free = queue.filter { !$0.type.usesCredit }
    queue.removeAll { !$0.type.usesCredit }
    for frame in free { queuedByteCount -= SessionFlow.cost(of: frame) }
    return free
  }

  mutating func clearQueue() {
    (queue, queuedByteCount) = ([], 0)
    (rows, rowFrame) = ([], nil)
  }

  // MARK: Credit

  static func cost(of frame: Frame) -> Int { frame.payload.count + Frame.overhead }

  /// Takes what a frame costs, if it may go: a great one needs half a window, or it could never go.
  mutating func pay(for frame: Frame) -> Bool {
    guard frame.type.usesCredit else { return true }
    let cost = SessionFlow.cost(of: frame)
    guard credit >= min(cost, window / 2) else { return false }
    credit -= cost
    return true
  }

  /// Counts a frame of content against what was granted; returns whether it was.
  mutating func take(_ frame: Frame) -> Bool {
    let cost = SessionFlow.cost(of: frame)
    guard granted >= min(cost, window / 2) else { return false }
    granted -= cost
    return true
  }

  /// Takes note that bytes were dealt with; returns what is granted again, not for every few of them.
  mutating func release(_ byteCount: Int) -> Int? {
    taken += byteCount
    guard taken >= window / 4 else { return nil }
    defer { taken = 0 }
    granted += taken
    return taken
  }

  /// Takes note of what the peer grants; returns whether it is a number that can be.
  mutating func takeGrant(_ more: UInt64) -> Bool {
    guard let more = Int(exactly: more), more <= window + Frame.maximumPayload * 2,
      credit + more <= window
    else { return false }
    credit += more
    return true
  }
}

extension FrameType {
  /// Content, which the receiver has to make room for.
  var usesCredit: Bool {
    switch self {
    case .delta, .ranges, .want, .refused, .version, .push: true
    default: false
    }
  }
}
