public import BetwixtSync

/// Moves the bytes of a session through two descriptors: the ends of pipes, a socket, or standard
/// input and output.
///
///     var driver = try PipeDriver(session, reading: 0, writing: 1)
///     let ending = try driver.run(&host)
///
/// It always reads while it waits to write, so that two of them never wait for each other however
/// small the pipes are between them.
public struct PipeDriver {
  private var session: SyncSession
  private let input: Int32
  private let output: Int32
  private let clock: () -> Int64

  private var outgoing: [UInt8] = []
  // How much of it is sent.
  private var sentOfOutgoing = 0
  private var ending: SyncEnd?
  // Until when what is left is written to a peer that may never read it.
  private var lastMoment: Int64?
  private var isInputOpen = true
  private var isOutputOpen = true
  private var sentByteCount = 0
  private var receivedByteCount = 0
  // The start of what came, for the text that login scripts write before the protocol.
  private var firstBytes: [UInt8] = []

  /// Is told from time to time, at least once in a second, how many bytes went out and came in.
  public var progress: ((_ sent: Int, _ received: Int) -> Void)?

  private static let readSize = 65_536
  private static let quotedByteCount = 120

  /// Prepares to run a session that has not been started.
  ///
  /// - Parameters:
  ///   - session: The session, made with the same clock's time.
  ///   - input: The descriptor to read from. It stays open.
  ///   - output: The descriptor to write to; may be the same one. It stays open.
  ///   - clock: Milliseconds that never go back; by default those of the system.
  public init(
    _ session: SyncSession, reading input: Int32, writing output: Int32,
    clock: (() -> Int64)? = nil
  ) {
    self.session = session
    self.input = input
    self.output = output
    self.clock = clock ?? PipeDriver.now
  }

  /// Milliseconds of the system's clock that never goes back: what sessions are made with here.
  public static func now() -> Int64 { PosixCall.monotonicMilliseconds }

  /// Runs the session to its end.
  ///
  /// Let the process ignore SIGPIPE, or an early end of the other side ends this one too.
  ///
  /// - Parameter host: What the session works on.
  /// - Returns: How it ended.
  /// - Throws: ``FileSystemError`` if a descriptor fails.
  public mutating func run(
    _ host: inout some SessionHost & ~Copyable
  ) throws(FileSystemError) -> PipeEnding {
    let inputWasNonblocking = try PosixCall.setNonblocking(input, isOn: true)
    let outputWasNonblocking = try PosixCall.setNonblocking(output, isOn: true)
    defer {
      _ = try? PosixCall.setNonblocking(output, isOn: outputWasNonblocking)
      _ = try? PosixCall.setNonblocking(input, isOn: inputWasNonblocking)
    }
    perform(session.start(now: clock()), for: &host)
    while !isDone {
      try step(&host)
    }
    return PipeEnding(
      end: ending ?? .cut, strayText: strayText, sentByteCount: sentByteCount,
      receivedByteCount: receivedByteCount)
  }

  /// Once the session has ended only what it wanted to say is left to do.
  private var isDone: Bool {
    ending != nil && (sentOfOutgoing == outgoing.count || !isOutputOpen)
  }

  private mutating func step(_ host: inout some SessionHost & ~Copyable) throws(FileSystemError) {
    let hasOutput = sentOfOutgoing < outgoing.count && isOutputOpen
    let ready = try PosixCall.wait(
      reading: isInputOpen ? input : nil, writing: hasOutput ? output : nil,
      milliseconds: waitingTime)
    if ready.canRead { try read(&host) }
    if ready.canWrite { try write() }
    progress?(sentByteCount, receivedByteCount)
    if ending == nil, !isOutputOpen, !ready.canRead, !ready.canWrite {
      // Nothing can be answered any more, and all that the peer had said has been read.
      perform(session.inputEnded(now: clock()), for: &host)
    } else {
      // Also when something came: a peer that trickles must not stop the clock.
      tick(&host)
    }
    limitOutput(&host)
  }

  /// Honest peers read what they granted room for.
  private mutating func limitOutput(_ host: inout some SessionHost & ~Copyable) {
    let limit = session.setup.window + 2 * Frame.maximumPayload
    guard ending == nil, outgoing.count - sentOfOutgoing > limit else { return }
    let failure = SyncFailure(.limitExceeded, "the peer does not read")
    perform(session.refuse(failure, now: clock()), for: &host)
  }

  private var waitingTime: Int32 {
    // After the end of a session the peer may never read the rest.
    let deadline = ending == nil ? session.nextDeadline : lastMoment
    guard let deadline else { return PipeDriver.lastWait }
    if ending == nil, !isOutputOpen { return PipeDriver.shortWait }
    let limit: Int64 = progress == nil ? .max : PipeDriver.progressMilliseconds
    return Int32(clamping: min(max(0, deadline - clock()), limit))
  }

  private static let lastWait: Int32 = 10_000
  private static let shortWait: Int32 = 2_000
  private static let progressMilliseconds: Int64 = 1_000

  private mutating func tick(_ host: inout some SessionHost & ~Copyable) {
    let now = clock()
    guard ending == nil else {
      if now >= lastMoment ?? now { isOutputOpen = false }
      return
    }
    perform(session.tick(now: now), for: &host)
  }

  private mutating func read(_ host: inout some SessionHost & ~Copyable) throws(FileSystemError) {
    guard let bytes = try PosixCall.readSome(input, limit: PipeDriver.readSize) else { return }
    if bytes.isEmpty {
      isInputOpen = false
      perform(session.inputEnded(now: clock()), for: &host)
      return
    }
    receivedByteCount += bytes.count
    firstBytes += bytes.prefix(max(0, PipeDriver.quotedByteCount - firstBytes.count))
    perform(session.receive(bytes, now: clock()), for: &host)
  }

  private mutating func write() throws(FileSystemError) {
    do {
      let count = try PosixCall.writeSome(output, bytes: outgoing[sentOfOutgoing...])
      sentOfOutgoing += count
      sentByteCount += count
    } catch {
      switch error.reason {
      case .locked: return
      // What the peer said before it went away is still to be read.
      case .closed: isOutputOpen = false
      default: throw error
      }
    }
    if sentOfOutgoing == outgoing.count {
      outgoing = []
      sentOfOutgoing = 0
    } else if sentOfOutgoing > outgoing.count / 2 {
      // Whoever sends faster than the peer reads must not keep all that was sent.
      outgoing.removeFirst(sentOfOutgoing)
      sentOfOutgoing = 0
    }
  }

  /// Does what the session asks for, in order; each answer may ask for more.
  private mutating func perform(
    _ outputs: [SyncOutput], for host: inout some SessionHost & ~Copyable
  ) {
    var rest = outputs[...]
    while let output = rest.popFirst() {
      switch output {
      case .send(let bytes): outgoing += bytes
      case .event(let event):
        host.note(event)
        if case .greeted = event { rest += giveList(host) }
      case .close(let end):
        ending = ending ?? end
        lastMoment = clock() + Int64(PipeDriver.lastWait)
        host.note(end)
      case .merge(let delta, let ticket):
        let outcome = host.merge(delta)
        rest += settle(ticket, outcome: outcome, for: host)
      case .makeDurable(let sequence, let ticket):
        let outcome = host.makeDurable(upTo: sequence)
        rest += settle(ticket, outcome: outcome, for: host)
      }
    }
  }

  private mutating func settle(
    _ ticket: Ticket, outcome: SyncOutcome, for host: borrowing some SessionHost & ~Copyable
  ) -> [SyncOutput] {
    guard let list = host.list else {
      return session.refuse(SyncFailure(.storage, "the list is gone"), now: clock())
    }
    return session.settled(ticket, outcome: outcome, list: list, now: clock())
  }

  /// Gives a session that waits for its list the one that the host has opened.
  private mutating func giveList(_ host: borrowing some SessionHost & ~Copyable) -> [SyncOutput] {
    guard session.list == nil else { return [] }
    guard let list = host.list else {
      return session.refuse(host.refusal ?? SyncFailure(.documentUnknown), now: clock())
    }
    return session.listChanged(list, now: clock())
  }

  /// What came in place of the protocol's first bytes.
  private var strayText: String {
    guard !Frame.preamble.starts(with: firstBytes.prefix(Frame.preamble.count)) else { return "" }
    let printable = firstBytes.filter { (32..<127).contains($0) }
    return String(decoding: printable, as: UTF8.self)
  }
}
