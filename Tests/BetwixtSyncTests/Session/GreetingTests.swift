import Betwixt
import TestSupport
import Testing

@testable import BetwixtSync

/// What two ends of different versions say first, and what they agree on.
@Suite struct GreetingTests {
  @Test func helloAndOpenMayGrow() throws {
    let list = Sample.list(seed: 1, edits: 8)
    // A tag below 80 that is not known is skipped; one from 80 on must be understood.
    for (tag, isKnown) in [(UInt8(0x0b), true), (0x7f, true), (0x80, false), (0xff, false)] {
      for grown in [FrameType.hello, .open] {
        let honest = SyncPeer(list, SyncSetup(), nonce: 2)
        let said = frames(of: honest.sent).map { frame in
          var frame = frame
          if frame.type == grown { frame.payload += [tag, 0, 3, 1, 2, 3] }
          return frame
        }
        var peer = SyncPeer(list, SyncSetup(isLive: true), nonce: 1)
        peer.receive(stream(of: said.prefix(2)))
        guard !isKnown else {
          #expect(peer.end == nil, "tag \(tag)")
          continue
        }
        guard case .failed(let failure) = peer.end else {
          Issue.record("tag \(tag) was passed over")
          continue
        }
        #expect(failure.code == .unsupported)
      }
    }
  }

  @Test func versionsAndFeaturesAreChosenTheSameOnBothSides() {
    let list = Sample.list(seed: 1, edits: 2)
    let versions: [ClosedRange<UInt8>] = [1...1, 1...2, 2...3, 3...3]
    for mine in versions {
      for theirs in versions {
        for (required, offered) in [(UInt64(0), UInt64(0)), (4, 4), (4, 1), (1, 0)] {
          var left = Hello(
            maximumFrame: 1 << 20, window: 1 << 20, nonce: SessionNonce(high: 1, low: 1),
            list: list.id)
          var right = left
          right.nonce = SessionNonce(high: 2, low: 2)
          (left.protocols, right.protocols) = (mine, theirs)
          (left.required, right.offered) = (required, offered)
          let conflict = left.conflict(with: right)
          #expect(conflict == right.conflict(with: left))
          let isPossible = mine.overlaps(theirs) && required & ~offered == 0
          #expect((conflict == nil) == isPossible)
          if mine.overlaps(theirs), !isPossible {
            #expect(conflict?.detail == "feature \(required.trailingZeroBitCount) is missing")
          }
        }
      }
    }
  }

  /// Features that nobody has yet take no bytes, and those that somebody has are told.
  @Test func featuresAreToldWhereThereAreSome() throws {
    let plain = Hello(
      maximumFrame: 1 << 20, window: 1 << 20, nonce: SessionNonce(high: 1, low: 1),
      list: Sample.listID)
    for required in [UInt64(0), 4] {
      for offered in [UInt64(0), 6] {
        var hello = plain
        (hello.required, hello.offered) = (required, offered)
        #expect(try Hello(decoding: hello.payload) == hello)
        // A tag, a length of two bytes, and the features.
        let count = [required, offered].filter { $0 != 0 }.count
        #expect(hello.payload.count == plain.payload.count + 11 * count)
      }
    }
  }
}
