import Betwixt
import BetwixtSync
import TestSupport
import Testing

/// Peers that send anything: the session ends or waits, and what it took is right.
@Suite struct HostilePeerTests {
  static let list = Sample.list(seed: 12, edits: 8)

  @Test func randomBytesEndTheSession() {
    var random = SplitMix64(seed: 5)
    for _ in 0..<200 {
      var peer = SyncPeer(Self.list, SyncSetup(), nonce: 1)
      var bytes = random.next(below: 2) == 0 ? Frame.preamble : []
      for _ in 0..<random.next(below: 60) { bytes.append(UInt8(random.next(below: 256))) }
      peer.receive(bytes)
      #expect(peer.list == Self.list)
    }
  }

  /// Frames with right checksums and wrong payloads.
  @Test func wrongMessagesChangeNothing() {
    var random = SplitMix64(seed: 6)
    var ends = 0
    for round in 0..<300 {
      var honest = SyncPeer(Self.list, SyncSetup(), nonce: 2)
      var stream = FrameStream()
      stream.append(honest.sent)
      var bytes = Frame.preamble
      var chain = FrameChain()
      while let frame = try? stream.next() {
        chain.append(round % 3 == 0 ? Self.damaged(frame, &random) : frame, to: &bytes)
      }
      for _ in 0..<random.next(below: 6) {
        let payload = (0..<random.next(below: 50)).map { _ in UInt8(random.next(below: 256)) }
        let type = FrameType(rawValue: UInt8(random.next(below: 14)))
        chain.append(
          Frame(type, payload: payload, isLast: random.next(below: 2) == 0), to: &bytes)
      }
      var peer = SyncPeer(Self.list, SyncSetup(isLive: true), nonce: 1)
      peer.receive(bytes)
      #expect(peer.list == Self.list)
      if peer.end != nil { ends += 1 }
      honest.sent = []
    }
    #expect(ends > 100)
  }

  static func damaged(_ frame: Frame, _ random: inout SplitMix64) -> Frame {
    var frame = frame
    guard !frame.payload.isEmpty else { return frame }
    frame.payload[random.next(below: frame.payload.count)] = UInt8(random.next(below: 256))
    return frame
  }

  @Test func unknownFramesAreSkippedUnlessCritical() {
    for isCritical in [false, true] {
      let honest = SyncPeer(Self.list, SyncSetup(isLive: true), nonce: 2)
      var stream = FrameStream()
      stream.append(honest.sent)
      var bytes = Frame.preamble
      var chain = FrameChain()
      while let frame = try? stream.next() { chain.append(frame, to: &bytes) }
      chain.append(
        Frame(FrameType(rawValue: 0x2a), payload: [1], isCritical: isCritical), to: &bytes)
      var peer = SyncPeer(Self.list, SyncSetup(isLive: true), nonce: 1)
      peer.receive(bytes)
      #expect(peer.end == (isCritical ? .failed(SyncFailure(.unsupported, "frame type 2a")) : nil))
    }
  }

  @Test func aPeerThatIgnoresTheWindowIsCutOff() {
    var honest = SyncPeer(Self.list, SyncSetup(isLive: true), nonce: 2)
    var stream = FrameStream()
    stream.append(honest.sent)
    honest.sent = []
    var chain = FrameChain()
    var bytes = Frame.preamble
    while let frame = try? stream.next() { chain.append(frame, to: &bytes) }
    var peer = SyncPeer(Self.list, SyncSetup(isLive: true, window: 128 << 10), nonce: 1)
    peer.receive(bytes)
    // More than a window arrives while nobody asked for any of it.
    let payload = [UInt8](repeating: 0, count: 60_000)
    for _ in 0..<8 where peer.end == nil {
      var flood: [UInt8] = []
      chain.append(Frame(.want, payload: payload), to: &flood)
      peer.receive(flood)
    }
    guard case .failed = peer.end else {
      Issue.record("it goes on")
      return
    }
    #expect(peer.list == Self.list)
  }

  @Test func loginTextIsNoStream() {
    var peer = SyncPeer(Self.list, SyncSetup(), nonce: 1)
    peer.receive(Array("Last login: Tue\n".utf8))
    #expect(peer.end == .failed(SyncFailure(.malformed, "no sync stream")))
  }

  @Test func silenceEndsTheHandshake() {
    var peer = SyncPeer(Self.list, SyncSetup(), nonce: 1)
    #expect(peer.session.nextDeadline == 10_000)
    peer.take(peer.session.tick(now: 9999))
    #expect(peer.end == nil)
    peer.take(peer.session.tick(now: 10_000))
    #expect(peer.end == .failed(SyncFailure(.timeout)))
  }

  @Test func anotherListIsRefusedByBoth() {
    var pair = SyncPair(Self.list, ReplicatedList(id: ListID(high: 1, low: 1)))
    pair.run()
    for peer in [pair.a, pair.b] {
      guard case .failed(let failure) = peer.end else {
        Issue.record("it goes on")
        continue
      }
      #expect(failure.code == .documentUnknown)
    }
  }
}

extension HostilePeerTests {
  @Test func theGreatestValuesPassAndCanBeRefused() throws {
    let great = FieldValue.bytes([UInt8](repeating: 3, count: FieldValue.maximumByteCount - 1))
    var me = Replica(id: ReplicaID(rawValue: 0xa)) { 1_777_000_000_000 }
    me.limits.valueByteCount = FieldValue.maximumByteCount
    var left = ReplicatedList(id: Sample.listID)
    let item = try left.append(["photo": great], by: &me)
    let right = left
    try left.set("photo", of: item, to: .bytes([]), by: &me)
    try left.set("photo", of: item, to: great, by: &me)
    for refuses in [false, true] {
      var pair = SyncPair(left, right, SyncSetup(window: 1), SyncSetup(window: 1))
      pair.b.admits = { _ in !refuses }
      pair.run(piece: 5000)
      #expect(pair.a.end == .finished)
      #expect((pair.b.list == left) == !refuses)
    }
  }
}
