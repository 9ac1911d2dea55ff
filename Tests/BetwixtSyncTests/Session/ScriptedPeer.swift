import Betwixt

@testable import BetwixtSync

/// A peer that says what it is told to, in frames whose checksums are right.
struct ScriptedPeer {
  private var chain = FrameChain()
  private var waiting = Frame.preamble

  mutating func say(
    _ type: FrameType, _ payload: [UInt8] = [], isCritical: Bool = true, isLast: Bool = false
  ) {
    chain.append(
      Frame(type, payload: payload, isCritical: isCritical, isLast: isLast), to: &waiting)
  }

  /// The bytes of all frames since the last time.
  mutating func take() -> [UInt8] {
    defer { waiting = [] }
    return waiting
  }

  mutating func hello(_ list: ListID, nonce: UInt64 = 99, window: Int = 1 << 20) {
    let hello = Hello(
      maximumFrame: 1 << 20, window: window, nonce: SessionNonce(high: nonce, low: nonce),
      list: list)
    say(.hello, hello.payload)
  }

  mutating func open(
    _ list: ReplicatedList, round: UInt32 = 0, entryCount: Int64? = nil, asks: Bool = false,
    replica: ReplicaID? = nil
  ) {
    let isGreat = Open.isTooGreat(list.version)
    let open = Open(
      round: round, digest: list.digest, entryCount: entryCount ?? Int64(list.entryCount),
      version: list.version, versionFollows: isGreat, asksToReconcile: asks, replica: replica)
    say(.open, open.payload)
    guard isGreat else { return }
    for frame in VersionParts.frames(list.version) {
      say(.version, frame.payload, isLast: frame.isLast)
    }
  }

  mutating func delta(_ list: ListID, _ delta: Delta, isLast: Bool = false) throws {
    say(
      .delta, try Block(.delta, of: list, holding: delta.selecting(delta.rows)).encoded(),
      isLast: isLast)
  }

  /// A change with its claims.
  mutating func push(_ list: ListID, _ delta: Delta) throws {
    let said = delta.selecting(delta.rows, ranges: delta.ranges)
    say(.push, try Block(.delta, of: list, holding: said).encoded())
  }

  mutating func done(_ taken: UInt64, sent: UInt64, _ list: ReplicatedList?) {
    say(.done, Done(taken: taken, sent: sent, digest: list?.digest.start).payload)
  }

  mutating func ack(_ list: ReplicatedList) {
    let ack = Ack(digest: list.digest, refusedFrameCount: 0)
    say(.ack, ack.payload)
  }
}

extension VersionParts {
  /// The frames that say a version.
  static func frames(_ version: VersionVector) -> [Frame] {
    var rows = version[...]
    var frames: [Frame] = []
    while !rows.isEmpty { frames.append(frame(&rows)) }
    return frames
  }
}

/// The frames of one direction of a stream.
func frames(of bytes: [UInt8]) -> [Frame] {
  var stream = FrameStream()
  stream.append(bytes)
  var frames: [Frame] = []
  while let frame = try? stream.next() { frames.append(frame) }
  return frames
}

/// A stream of the given frames, numbered anew.
func stream(of frames: some Sequence<Frame>) -> [UInt8] {
  var bytes = Frame.preamble
  var chain = FrameChain()
  for frame in frames { chain.append(frame, to: &bytes) }
  return bytes
}
