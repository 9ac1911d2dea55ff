import Betwixt
import BetwixtFiles
import BetwixtSync

/// A client that speaks the frames and holds no list: it says what it writes, answers what comes, and
/// reads which of its edits the server has stored.
///
/// It begins as a real session does, with a list that holds its own item. When the first round has
/// ended equal the list is let go: what others push is counted and answered, and neither merged nor
/// hashed. So what is measured is the server and not the clients beside it.
struct LightClient {
  private enum Phase {
    case login
    case greeting(SyncSession)
    case live
  }

  let replica: ReplicaID
  let list: ListID
  let user: String

  private var phase = Phase.login
  private var content: ReplicatedList
  private let item: ItemID
  private var stamp: Timestamp

  // What comes and what goes, as the other side numbers it.
  private var input = FrameStream()
  private var chain = FrameChain()
  private var pushed: UInt64 = 0
  private var taken: UInt64 = 0
  private var ungranted = 0

  /// Up to which number its writes are acknowledged, and said.
  private(set) var acknowledged: Int64
  private(set) var said: Int64
  /// When the last edit went out.
  private var editTime: Int64 = 0

  private static let window = 1 << 20
  private static let field = FieldName("time")
  /// One of so many changes of others is read.
  private static let sampling: UInt64 = 16

  init(_ number: Int, list: ListID) throws {
    replica = ReplicaID(rawValue: UInt64(number + 1))
    user = "l\(number)"
    self.list = list
    var me = Replica(id: replica, clock: { Measuring.wallMilliseconds })
    content = ReplicatedList(id: list)
    item = try content.append(["time": 0], by: &me)
    said = content.version[replica]
    acknowledged = 0
    stamp = Timestamp(milliseconds: Measuring.wallMilliseconds + 1)
  }

  var isLive: Bool {
    if case .live = phase { return true }
    return false
  }

  /// What it was told is stored.
  var promise: LoadRun.Promise {
    LoadRun.Promise(
      replica: replica, list: list, acknowledged: acknowledged,
      written: isWaiting ? nil : (item, editTime))
  }

  /// Whether an edit is under way.
  var isWaiting: Bool { acknowledged < said }

  // MARK: Bytes

  /// What goes out first.
  var login: [UInt8] { Login.bytes(user) }

  /// Takes what came; what goes out for it.
  mutating func receive(_ bytes: [UInt8], _ seen: inout LightSeen) throws -> [UInt8] {
    switch phase {
    case .login:
      guard bytes == [1] else { throw SyncFailure(.notAuthorised, user) }
      var session = SyncSession(
        SyncSetup(replica: replica, isLive: true, window: LightClient.window), list: content,
        nonce: SessionNonce(high: .random(in: 0 ... .max), low: .random(in: 0 ... .max)),
        now: 0)
      let outputs = session.start(now: 0)
      phase = .greeting(session)
      return try perform(outputs)
    case .greeting(var session):
      input.append(bytes)
      let outputs = session.receive(bytes, now: 0)
      phase = .greeting(session)
      let answer = try perform(outputs)
      while let frame = try input.next() { if frame.type == .push { taken += 1 } }
      letGo()
      return answer
    case .live:
      input.append(bytes)
      return try answer(&seen)
    }
  }

  /// Does what the session of the first round asks for.
  private mutating func perform(_ outputs: [SyncOutput]) throws -> [UInt8] {
    var sent: [UInt8] = []
    var rest = outputs[...]
    while let output = rest.popFirst() {
      guard case .greeting(var session) = phase else { break }
      switch output {
      case .send(let bytes):
        try follow(bytes)
        sent += bytes
      case .merge(let delta, let ticket):
        content.merge(delta)
        rest += session.settled(ticket, outcome: .done(), list: content, now: 0)
      case .makeDurable(_, let ticket):
        rest += session.settled(ticket, outcome: .done(), list: content, now: 0)
      case .close(let end): throw SyncFailure(.malformed, "\(user) was turned away: \(end)")
      case .event: break
      }
      phase = .greeting(session)
    }
    return sent
  }

  /// Goes on with the checksums where the session's frames end.
  private mutating func follow(_ bytes: [UInt8]) throws {
    var offset = bytes.starts(with: Frame.preamble) ? Frame.preamble.count : 0
    while offset < bytes.count {
      if try chain.read(bytes, at: &offset).type == .push { pushed += 1 }
    }
  }

  private mutating func letGo() {
    guard case .greeting(let session) = phase, session.isIdle else { return }
    acknowledged = said
    content = ReplicatedList(id: list)
    phase = .live
  }

  // MARK: Live

  private mutating func answer(_ seen: inout LightSeen) throws -> [UInt8] {
    var output: [UInt8] = []
    let before = taken
    while let frame = try input.next() {
      switch frame.type {
      case .push:
        taken += 1
        ungranted += frame.payload.count + Frame.overhead
        seen.changes += 1
        if taken % LightClient.sampling == 0 { try seen.look(at: frame.payload, not: replica) }
      case .done: try confirm(frame.payload, &seen)
      case .ping: append(Frame(.pong), &output)
      case .pong, .credit, .check: break
      default:
        // Nothing that one of these clients does makes the two lists differ, or is to be refused.
        throw SyncFailure(.malformed, "\(user) got a frame \(frame.type): \(frame.payload)")
      }
    }
    if taken != before {
      append(
        Frame(.done, payload: LightClient.varints([taken, pushed]), isCritical: true), &output)
    }
    if ungranted >= LightClient.window / 4 {
      append(
        Frame(.credit, payload: LightClient.varints([UInt64(ungranted)]), isCritical: true),
        &output)
      ungranted = 0
    }
    return output
  }

  private mutating func confirm(_ payload: [UInt8], _ seen: inout LightSeen) throws {
    var count: UInt64 = 0
    for (index, byte) in payload.prefix(9).enumerated() {
      count |= UInt64(byte & 0x7f) << (7 * UInt64(index))
      if byte < 0x80 { break }
    }
    guard count <= pushed else { throw SyncFailure(.malformed, "\(user): \(count) of \(pushed)") }
    guard isWaiting, count == pushed else { return }
    acknowledged = said
    seen.acknowledged += 1
    seen.waits.append(Measuring.now - editTime)
  }

  /// One edit; nothing else is under way then.
  mutating func edit() throws -> [UInt8] {
    editTime = Measuring.now
    said += 1
    pushed += 1
    stamp = Timestamp(rawValue: stamp.rawValue + 1) ?? stamp
    var builder = Delta.Builder()
    try builder.add(
      Entry(
        item: item, register: .field(LightClient.field),
        value: .field(.int64(editTime)),
        stamp: Stamp(time: stamp, replica: replica), sequence: said))
    builder.cover(replica, after: said - 1, through: said)
    var output: [UInt8] = []
    append(
      Frame(
        .push, payload: try Block(.delta, of: list, holding: builder.build()).encoded(),
        isCritical: true),
      &output)
    return output
  }

  private mutating func append(_ frame: Frame, _ output: inout [UInt8]) {
    chain.append(frame, to: &output)
  }

  private static func varints(_ numbers: [UInt64]) -> [UInt8] {
    var bytes: [UInt8] = []
    for number in numbers {
      var rest = number
      while rest >= 0x80 {
        bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
        rest >>= 7
      }
      bytes.append(UInt8(rest))
    }
    return bytes
  }
}

/// What light clients have seen together.
struct LightSeen {
  /// Edits that were acknowledged, and how long each took, in microseconds.
  var acknowledged = 0
  var waits: [Int64] = []
  /// Changes of others, and for some of them how long they took to come.
  var changes = 0
  var times: [Int64] = []

  mutating func look(at payload: [UInt8], not replica: ReplicaID) throws {
    let now = Measuring.now
    for entry in try Block(decoding: payload, limits: .ceiling).delta.entries
    where entry.stamp.replica != replica {
      if case .field(.int64(let time)) = entry.value, time > 0, time <= now {
        times.append(now - time)
      }
    }
  }
}
