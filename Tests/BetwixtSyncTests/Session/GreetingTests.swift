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

  /// Who compares contents first is told by the nonces, and not by who called.
  @Test(arguments: [(1, 2, true), (1, 0, false), (2, 0, true), (0, 2, false)])
  func theSmallerNonceSpeaksFirst(high: UInt64, low: UInt64, isFirst: Bool) {
    let (left, right) = SyncSessionTests.fork(seed: 4)
    var peer = SyncPeer(left, SyncSetup(), nonce: 1)
    var script = ScriptedPeer()
    let hello = Hello(
      maximumFrame: 1 << 20, window: 1 << 20, nonce: SessionNonce(high: high, low: low),
      list: left.id)
    script.say(.hello, hello.payload)
    script.open(right, asks: true)
    peer.receive(script.take())
    #expect(peer.end == nil && peer.reconciled)
    #expect(frames(of: peer.sent).contains { $0.type == .ranges } == isFirst)
  }

  // MARK: Rounds

  private static func version(_ count: Int) -> VersionVector {
    var version = VersionVector()
    for number in 1...count { version[ReplicaID(rawValue: UInt64(number))] = 1 }
    return version
  }

  /// A row of a small number takes nine bytes, and how many there are two.
  @Test func whatHasRoomInAnOpenDoesNotFollow() {
    let greatest = Self.version((Open.maximumVersionByteCount - 2) / 9)
    #expect(!Open.isTooGreat(greatest) && Open.isTooGreat(Self.version(greatest.count + 1)))
    let floor = Self.version((Open.maximumFloorByteCount - 2) / 9)
    #expect(!Open.isTooGreat(floor: floor))
    #expect(Open.isTooGreat(floor: Self.version(floor.count + 1)))
  }

  /// What is there does not follow as well.
  @Test func anOpenDoesNotContradictItself() throws {
    let list = Sample.list(seed: 1, edits: 2)
    for (floor, tag) in [(VersionVector(), UInt8(7)), (Self.version(3), 9)] {
      let open = Open(
        round: 1, digest: list.digest, entryCount: 2, version: list.version,
        asksToReconcile: false, replica: nil, floor: floor)
      #expect(try Open(decoding: open.payload) == open)
      #expect(throws: DecodeFailure.self) {
        try Open(decoding: open.payload + [tag, 0, 1, 1])
      }
    }
  }

  @Test func whatIsSetLaterIsBoundedToo() {
    var setup = SyncSetup()
    (setup.window, setup.maximumFrame) = (100 << 20, 32 << 10)
    #expect(setup.window == 64 << 20 && setup.maximumFrame == 64 << 10)
    (setup.window, setup.maximumFrame) = (-1, .max)
    #expect(setup.window == 128 << 10 && setup.maximumFrame == 1 << 20)
  }

  /// A text that is too long ends with its last whole character.
  @Test func aLongTextIsCut() throws {
    let list = ReplicatedList(id: Sample.listID)
    let setup = SyncSetup(isLive: true, implementation: String(repeating: "i", count: 63) + "é")
    var pair = SyncPair(list, list, setup, setup)
    pair.run()
    let names = pair.b.events.compactMap { event in
      if case .greeted(let description) = event { description.implementation } else { nil }
    }
    #expect(names == [String(repeating: "i", count: 63)])
    let detail = String(repeating: "a", count: 254) + "👋 and more"
    pair.a.take(pair.a.session.refuse(SyncFailure(.notAuthorised, detail), now: 0))
    pair.run()
    let told = String(repeating: "a", count: 254)
    #expect(pair.b.end == .peerFailed(SyncFailure(.notAuthorised, told)))
    let refusal = Refusal(entries: [], isDeferred: true, reason: detail, held: [])
    let read = try Refusal(
      decoding: try refusal.payload(of: list.id, atMost: 1 << 16), of: list.id, limits: .ceiling)
    #expect(read.reason == told)
  }
}
