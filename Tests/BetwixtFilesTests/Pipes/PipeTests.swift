import Betwixt
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import BetwixtFiles
@testable import BetwixtSync

/// Sessions through real pipes, as small as the system makes them.
@Suite(.serialized)
struct PipeTests {
  /// A host that keeps its list in memory.
  private struct MemoryHost: SessionHost {
    var list: ReplicatedList?
    var rounds = 0
    var opens: [ListID: ReplicatedList] = [:]
    var ended: @Sendable () -> Void = {}

    init(_ list: ReplicatedList?) { self.list = list }

    mutating func merge(_ delta: Delta) -> SyncOutcome {
      list?.merge(delta)
      return .done()
    }

    mutating func makeDurable(upTo sequence: Int64) -> SyncOutcome { .done() }

    mutating func note(_ event: SyncEvent) {
      switch event {
      case .greeted(let peer): list = list ?? opens[peer.list]
      case .synced: rounds += 1
      default: break
      }
    }

    mutating func note(_ end: SyncEnd) { ended() }
  }

  /// One end's result, handed from its thread to the test.
  private struct Result {
    var host: MemoryHost
    var ending: PipeEnding?
  }

  private final class Box: Sendable {
    let result: Mutex<Result>
    let done = DispatchSemaphore(value: 0)
    init(_ host: MemoryHost) { result = Mutex(Result(host: host)) }
  }

  /// Two pipes, one for each direction.
  private struct Wires {
    let there = Pipe()
    let back = Pipe()

    init() {
      #if os(Linux)
      let setPipeSize: Int32 = 1031
      for pipe in [there, back] {
        _ = fcntl(pipe.fileHandleForWriting.fileDescriptor, setPipeSize, 4096)
      }
      #endif
      signal(SIGPIPE, SIG_IGN)
    }
  }

  private func run(
    _ box: Box, seed: UInt64, reading: FileHandle, writing: FileHandle, replica: ReplicaID? = nil
  ) {
    let thread = Thread {
      var result = box.result.withLock { $0 }
      var nonce = SplitMix64(seed: seed)
      let session = SyncSession(
        SyncSetup(replica: replica), list: result.host.list, nonce: .random(using: &nonce),
        now: PipeDriver.now())
      var driver = PipeDriver(
        session, reading: reading.fileDescriptor, writing: writing.fileDescriptor)
      result.ending = try? driver.run(&result.host)
      // The handles are open as long as somebody holds them.
      try? writing.close()
      try? reading.close()
      box.result.withLock { $0 = result }
      box.done.signal()
    }
    thread.start()
  }

  private func runBoth(_ first: MemoryHost, _ second: MemoryHost) -> (Result, Result) {
    let wires = Wires()
    let (left, right) = (Box(first), Box(second))
    run(
      left, seed: 1, reading: wires.back.fileHandleForReading,
      writing: wires.there.fileHandleForWriting)
    run(
      right, seed: 2, reading: wires.there.fileHandleForReading,
      writing: wires.back.fileHandleForWriting)
    left.done.wait()
    right.done.wait()
    return (left.result.withLock { $0 }, right.result.withLock { $0 })
  }

  /// A list with many bytes.
  private func large(_ replica: UInt64, items: Int) throws -> ReplicatedList {
    var me = Replica(id: ReplicaID(rawValue: replica)) { 1_777_000_000_000 }
    var list = ReplicatedList(id: DocumentWork.listID)
    let text = String(repeating: "z", count: 900)
    for number in 0..<items {
      try list.append(["note": .string("\(text)\(number)")], by: &me)
    }
    return list
  }

  @Test func bothSidesSendMoreThanThePipesHold() throws {
    let first = try large(1, items: 400)
    let second = try large(2, items: 500)
    let (left, right) = runBoth(MemoryHost(first), MemoryHost(second))
    #expect(left.ending?.end == .finished)
    #expect(right.ending?.end == .finished)
    #expect(left.host.list == first.merging(second))
    #expect(left.host.list == right.host.list)
    #expect(left.host.list?.version == right.host.list?.version)
    #expect(left.host.rounds == 1)
    #expect(left.ending?.sentByteCount == right.ending?.receivedByteCount)
    #expect((left.ending?.sentByteCount ?? 0) > 350_000)
  }

  @Test func aServerOpensTheListThatThePeerMeans() throws {
    let list = try large(1, items: 3)
    var server = MemoryHost(nil)
    server.opens = [list.id: ReplicatedList(id: list.id)]
    let (left, right) = runBoth(MemoryHost(list), server)
    #expect(left.ending?.end == .finished)
    #expect(right.host.list == list)
  }

  @Test func anUnknownListIsRefused() throws {
    let (left, right) = runBoth(MemoryHost(try large(1, items: 3)), MemoryHost(nil))
    guard case .peerFailed(let failure) = left.ending?.end else {
      Issue.record("the session ended as \(String(describing: left.ending))")
      return
    }
    #expect(failure.code == .documentUnknown)
    #expect(right.ending?.end == .failed(SyncFailure(.documentUnknown)))
  }

  @Test func noiseBeforeTheProtocolIsQuoted() throws {
    let wires = Wires()
    let box = Box(MemoryHost(try large(1, items: 3)))
    wires.back.fileHandleForWriting.write(Data("\u{1b}[1mWelcome to host!\r\n".utf8))
    run(
      box, seed: 1, reading: wires.back.fileHandleForReading,
      writing: wires.there.fileHandleForWriting)
    box.done.wait()
    let ending = try #require(box.result.withLock { $0.ending })
    #expect(ending.strayText == "[1mWelcome to host!")
    guard case .failed = ending.end else {
      Issue.record("the session ended as \(ending.end)")
      return
    }
  }

  /// A clock that goes on by a second each time that somebody looks.
  private static func hasty() -> @Sendable () -> Int64 {
    let time = Mutex(Int64(0))
    return {
      time.withLock { time in
        time += 1_000
        return time
      }
    }
  }

  @Test func aPeerThatTricklesDoesNotStopTheClock() throws {
    let wires = Wires()
    // The start of a hello, a byte at a time, so that there is always one more to read.
    var bytes = Frame.preamble
    var chain = FrameChain()
    chain.append(Frame(.hello, payload: [UInt8](repeating: 0, count: 3_000)), to: &bytes)
    let trickle = bytes
    let writer = wires.back.fileHandleForWriting
    let thread = Thread {
      for byte in trickle {
        try? writer.write(contentsOf: [byte])
        usleep(1_000)
      }
    }
    thread.start()
    var nonce = SplitMix64(seed: 3)
    let list = try large(1, items: 2)
    var host = MemoryHost(list)
    var driver = PipeDriver(
      SyncSession(SyncSetup(), list: list, nonce: .random(using: &nonce), now: 0),
      reading: wires.back.fileHandleForReading.fileDescriptor,
      writing: wires.there.fileHandleForWriting.fileDescriptor, clock: Self.hasty())
    #expect(try driver.run(&host).end == .failed(SyncFailure(.timeout)))
  }

  /// The system's clock, which can be moved on.
  private final class LeapingClock: Sendable {
    private let offset = Atomic(Int64(0))

    var now: Int64 { PipeDriver.now() + offset.load(ordering: .relaxed) }

    func leap(by milliseconds: Int64) { offset.add(milliseconds, ordering: .relaxed) }
  }

  /// A list whose version is long, so that each answer is.
  private func manyAuthored() throws -> ReplicatedList {
    var list = ReplicatedList(id: DocumentWork.listID)
    for replica in 1...(2_000 as UInt64) {
      var me = Replica(id: ReplicaID(rawValue: replica << 32)) { 1_777_000_000_000 }
      try list.append([:], by: &me)
    }
    return list
  }

  @Test func aPeerThatAsksWithoutReadingIsCutOff() throws {
    let list = try manyAuthored()
    let hello = Hello(
      maximumFrame: 1 << 20, window: 1 << 20, nonce: SessionNonce(high: 99, low: 99), list: list.id)
    var chain = FrameChain()
    var bytes = Frame.preamble
    chain.append(Frame(.hello, payload: hello.payload), to: &bytes)
    for round in 0..<UInt32(500) {
      let open = Open(
        round: round, digest: list.digest, entryCount: Int64(list.entryCount),
        version: [:], versionFollows: false, asksToReconcile: false, replica: nil)
      chain.append(Frame(.open, payload: open.payload), to: &bytes)
    }
    let flood = Data(bytes)
    let wires = Wires()
    let writer = wires.back.fileHandleForWriting
    let thread = Thread { try? writer.write(contentsOf: flood) }
    thread.start()
    var nonce = SplitMix64(seed: 3)
    var host = MemoryHost(list)
    // The time that the peer has for the last words is over at once.
    let clock = LeapingClock()
    host.ended = { clock.leap(by: 3_600_000) }
    var driver = PipeDriver(
      SyncSession(
        SyncSetup(isLive: true, window: 1), list: list, nonce: .random(using: &nonce),
        now: clock.now),
      reading: wires.back.fileHandleForReading.fileDescriptor,
      writing: wires.there.fileHandleForWriting.fileDescriptor, clock: { clock.now })
    let failure = SyncFailure(.limitExceeded, "the peer does not read")
    #expect(try driver.run(&host).end == .failed(failure))
  }

  @Test func aPeerThatGoesAwayEndsTheSession() throws {
    let wires = Wires()
    let list = try large(1, items: 300)
    let box = Box(MemoryHost(list))
    try wires.there.fileHandleForReading.close()
    try wires.back.fileHandleForWriting.close()
    run(
      box, seed: 1, reading: wires.back.fileHandleForReading,
      writing: wires.there.fileHandleForWriting)
    box.done.wait()
    let result = box.result.withLock { $0 }
    #expect(result.ending?.end == .cut)
    #expect(result.host.list == list)
  }
}
