import Betwixt
import TestSupport
import Testing

@testable import BetwixtSync

/// What may happen to bytes on their way: damage ends the session, and the next one heals all.
@Suite struct WireFaultTests {
  /// What one side of an honest session sent to the other, and the lists of both.
  private struct Recording {
    let left: ReplicatedList
    let right: ReplicatedList
    var frames: [Frame] = []
    var bytes: [UInt8] = []
    /// The lists that the receiver may hold: before, and after each merge.
    var states: Set<Digest> = []

    init(seed: UInt64, nonce: UInt64 = 1) {
      (left, right) = SyncSessionTests.fork(seed: seed, edits: 12)
      var from = SyncPeer(left, SyncSetup(), nonce: nonce)
      var to = SyncPeer(right, SyncSetup(), nonce: 5)
      states = [right.digest]
      while !(from.sent.isEmpty && to.sent.isEmpty) {
        let there = from.sent
        from.sent = []
        bytes += there
        // One byte at a time, so that every state in between is seen.
        for byte in there {
          to.receive([byte])
          states.insert(to.list.digest)
        }
        let back = to.sent
        to.sent = []
        from.receive(back)
      }
      frames = BetwixtSyncTests.frames(of: bytes)
    }

    /// Lets the receiver take other bytes, and then a whole session.
    func check(
      _ damaged: [UInt8], mustFail: Bool = true, _ comment: Comment,
      location: SourceLocation = #_sourceLocation
    ) {
      var peer = SyncPeer(right, SyncSetup(), nonce: 5)
      peer.receive(damaged)
      if mustFail {
        if case .failed = peer.end {
        } else {
          Issue.record("damage was taken: \(comment)", sourceLocation: location)
        }
      }
      #expect(states.contains(peer.list.digest), comment, sourceLocation: location)
      var next = SyncPair(left, peer.list)
      next.run()
      SyncSessionTests.expectSynced(next, left.merging(right), location: location)
      #expect(!next.a.reconciled, comment, sourceLocation: location)
    }
  }

  @Test func lostRepeatedReorderedAndSplicedFrames() {
    var count = 0
    for seed in UInt64(0)..<(runsLong ? 20 : 1) {
      let recording = Recording(seed: seed)
      let other = Recording(seed: seed, nonce: 3)
      var pieces: [[UInt8]] = []
      var chain = FrameChain()
      for frame in recording.frames {
        var piece: [UInt8] = []
        chain.append(frame, to: &piece)
        pieces.append(piece)
      }
      for index in pieces.indices {
        var lost = pieces
        lost.remove(at: index)
        let isTail = index == pieces.count - 1
        recording.check(
          Frame.preamble + lost.joined(), mustFail: !isTail, "frame \(index) lost")
        var twice = pieces
        twice.insert(pieces[index], at: index)
        // Behind the end nobody listens.
        recording.check(Frame.preamble + twice.joined(), mustFail: !isTail, "frame \(index) twice")
        for later in pieces.indices.dropFirst(index + 1) {
          var swapped = pieces
          swapped.swapAt(index, later)
          recording.check(
            Frame.preamble + swapped.joined(), "frames \(index) and \(later) swapped")
          count += 1
        }
        // The tail of another session's stream, whose frames have the same numbers.
        if index > 0, index < other.frames.count {
          let start = stream(of: other.frames.prefix(index)).count
          let spliced = stream(of: recording.frames.prefix(index)) + other.bytes[start...]
          recording.check(spliced, "spliced at frame \(index)")
        }
        count += 3
      }
    }
    print("streams: \(count) lost, repeated, reordered and spliced frames, none taken for right")
  }

  @Test func everyFlippedBitOfASession() {
    var random = SplitMix64(seed: 8)
    var count = 0
    for seed in UInt64(0)..<(runsLong ? 2 : 1) {
      let recording = Recording(seed: seed)
      for place in recording.bytes.indices where runsLong || place % 3 == 0 {
        for bit in 0..<8 where runsLong || bit == random.next(below: 8) {
          var damaged = recording.bytes
          damaged[place] ^= 1 << UInt8(bit)
          recording.check(damaged, "bit \(bit) of byte \(place)")
          count += 1
        }
      }
    }
    print("streams: \(count) flipped bits, all noticed, all healed by the next session")
  }

  @Test func everyCutOfASession() {
    let recording = Recording(seed: 1)
    for end in recording.bytes.indices where runsLong || end % 11 == 0 {
      recording.check(Array(recording.bytes.prefix(end)), mustFail: false, "cut at \(end)")
    }
  }
}
