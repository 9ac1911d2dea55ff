import Betwixt

// The first message of each side, and the frames as they go in and out.

extension SyncSession {
  /// Says hello and opens the first round at once.
  mutating func greet() {
    guard let list else { return }
    emit(Frame(.hello, payload: hello(list.id).payload, isCritical: true))
    startRound(0)
  }

  private func hello(_ list: ListID) -> Hello {
    Hello(
      maximumFrame: setup.maximumFrame, window: setup.window, nonce: nonce, list: list,
      implementation: setup.implementation, wallClock: setup.wallClock)
  }

  private mutating func take(_ hello: Hello) {
    guard peer == nil else {
      fail(SyncFailure(.malformed, "a second hello"))
      return
    }
    hear(hello)
    tell(
      .greeted(
        PeerDescription(
          list: hello.list, implementation: hello.implementation, wallClock: hello.wallClock)))
    if list != nil { meet() }
  }

  /// Answers a peer that came before the list did.
  mutating func meetLate() {
    greet()
    if peer != nil { meet() }
  }

  private mutating func meet() {
    guard let peer, let list else { return }
    if let failure = hello(list.id).conflict(with: peer) {
      fail(failure)
      return
    }
    run(with: peer)
  }

  // MARK: Frames

  /// Does what can be done: after each frame sends what may be sent before the next is looked at,
  /// so that it does not matter which bytes have come already.
  mutating func advance() {
    while !isClosed, !isUnstarted, !isWaiting {
      if sendNext() { continue }
      if isGreeting, list == nil, peer != nil { return }
      // It stays in the stream, and no window is given back: who sent it waits.
      if isHeldBack { return }
      do throws(DecodeFailure) {
        guard let frame = try flow.input.next() else { return }
        handle(frame)
      } catch {
        // Not what came instead: how much of that is here depends on how the bytes were cut.
        fail(
          error.reason == .badMagic
            ? SyncFailure(.malformed, "no sync stream") : SyncFailure(error))
      }
    }
  }

  private mutating func handle(_ frame: Frame) {
    timing.noteFrame(isProgress: !isEnding && frame.type.isProgress)
    if isEnding, frame.type != .end, frame.type != .error { return }
    guard frame.type == .hello || frame.type == .error || frame.type == .end || peer != nil else {
      fail(SyncFailure(.malformed, "the first frame is no hello"))
      return
    }
    if frame.type.usesCredit, !takeCredit(for: frame) { return }
    share?.takeFrame(frame, at: timing.now)
    do throws(DecodeFailure) {
      try dispatch(frame)
    } catch {
      fail(SyncFailure(error))
    }
  }

  private mutating func dispatch(_ frame: Frame) throws(DecodeFailure) {
    switch frame.type {
    case .hello: take(try Hello(decoding: frame.payload))
    case .open: take(try Open(decoding: frame.payload))
    case .delta: try takeDelta(frame)
    case .ack: take(try Ack(decoding: frame.payload))
    case .ranges: try takeRanges(frame)
    case .want: try takeWant(frame)
    case .refused: try takeRefused(frame)
    case .version: try takeVersion(frame)
    case .push: try takePush(frame)
    case .done: try takeDone(frame)
    case .check: try takeCheck(frame)
    case .credit: try takeGrant(frame)
    case .ping: if timing.takePong() { emit(Frame(.pong)) }
    case .pong: break
    case .end: try takeEnd(frame)
    case .error: takeError(frame)
    default:
      if frame.isCritical { fail(SyncFailure(.unsupported, "frame type \(frame.type)")) }
    }
  }

  private mutating func takeEnd(_ frame: Frame) throws(DecodeFailure) {
    guard frame.payload.isEmpty || frame.payload.count == 32 else {
      throw DecodeFailure(.badNumber, at: 0)
    }
    // Who ends in the middle of a round leaves both sides as a cut does, and says no digest.
    let isInOrder = isInOrder && !frame.payload.isEmpty
    if isInOrder, let agreedDigest, frame.payload != agreedDigest.bytes {
      fail(SyncFailure(.notConverged, "the digest of the end is not that of the last round"))
      return
    }
    // The peer has all but what this side wanted to say next. Who lives on says it to whoever comes;
    // one that does not has to come again.
    let hasMore = round != nil && !setup.isLive
    if !isEnding { sendEnd() }
    close(isInOrder && !hasMore ? .finished : .cut)
  }

  private mutating func takeError(_ frame: Frame) {
    let code = frame.payload.first.flatMap(SyncFailure.Code.init(rawValue:)) ?? .unsupported
    let text = frame.payload.dropFirst().prefix(256)
    close(
      .peerFailed(SyncFailure(code, isUTF8(text) ? String(decoding: text, as: UTF8.self) : "")))
  }

  // MARK: Share

  /// Whether the peer has made this side do as much as it may.
  private var isHeldBack: Bool {
    isRunning && share?.deadline(at: timing.now) != nil
  }

  /// When something that is here already may be looked at.
  var heldBackDeadline: Int64? {
    guard isRunning, !isWaiting, flow.input.pendingByteCount > 0 else { return nil }
    return share?.deadline(at: timing.now)
  }

  // MARK: Credit

  /// Counts a frame of content against what was granted.
  mutating func takeCredit(for frame: Frame) -> Bool {
    guard flow.take(frame) else {
      fail(SyncFailure(.limitExceeded, "more bytes than were granted"))
      return false
    }
    return true
  }

  /// Grants again what was dealt with.
  mutating func release(_ byteCount: Int) {
    guard let more = flow.release(byteCount) else { return }
    var payload: [UInt8] = []
    payload.appendVarint(more)
    emit(Frame(.credit, payload: payload, isCritical: true))
  }

  private mutating func takeGrant(_ frame: Frame) throws(DecodeFailure) {
    var reader = Reader(frame.payload)
    let more = try reader.varint()
    try reader.finish()
    guard flow.takeGrant(more) else { throw reader.failure(.badNumber, at: 0) }
  }

  // MARK: Sending

  mutating func enqueue(_ frame: Frame) {
    if !flow.enqueue(frame) { fail(SyncFailure(.limitExceeded, "the peer takes nothing")) }
  }

  /// Sends one frame, if there is one and it may go; asks for durability first where that is due.
  private mutating func sendNext() -> Bool {
    guard isRunning else { return false }
    guard !flow.hasQueued else {
      guard let frame = flow.dequeue() else { return false }
      emit(frame)
      return true
    }
    return sendDelta() || sendChange() || finishSession()
  }
}

extension FrameType {
  /// Whether it gets a round on.
  var isProgress: Bool {
    switch self {
    case .hello, .open, .delta, .ack, .ranges, .want, .refused, .version, .push, .done: true
    default: false
    }
  }
}
