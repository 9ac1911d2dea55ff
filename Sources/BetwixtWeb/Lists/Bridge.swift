import Betwixt
package import BetwixtSync

/// The lists that a page has open, asked by bytes.
///
/// A request is the number of an ``Operation``, a handle, the time of the page's clock in
/// milliseconds since 1970, 64 random bits, and what the operation takes. The answer is 0 and what
/// the operation gives, or 1, a word and a text for people. A request that is refused changes
/// nothing. There is no clock and no randomness here, so equal requests have equal answers on every
/// machine: `Tests/WebPrograms` compares those of WebAssembly with those of the system.
///
/// Numbers are variable in width as in blocks, a text or a run of bytes has its length before it,
/// ids are 16 bytes, and values have their canonical bytes.
///
/// A copy has lists of its own, and shares the conversations.
package struct Bridge {
  // A handle is the place of what it is of, from one, and above 32 bits how often others stood there.
  private var held: [Held] = []
  private var turns: [UInt64] = []
  // The places at which nothing stands any more.
  private var free: [Int] = []
  private let startSession: SessionStart?
  private let keepsLosses: Bool

  /// Makes a bridge without lists.
  ///
  /// - Parameters:
  ///   - startSession: What starts conversations; `nil` for an engine of lists alone, into which their
  ///     code is not linked.
  ///   - keepingLosses: Whether lists keep what merges lose, for somebody who asks for it.
  package init(
    startingSessions startSession: SessionStart? = OpenSession.start, keepingLosses: Bool = false
  ) {
    self.startSession = startSession
    keepsLosses = keepingLosses
  }

  /// Answers a request.
  ///
  /// - Parameter request: Its bytes.
  /// - Returns: The answer's.
  /// - Complexity: As the operation
  package mutating func answer(_ request: [UInt8]) -> [UInt8] {
    do throws(BridgeFailure) {
      var reader = Reader(request)
      let head = try RequestHead(&reader)
      guard let operation = Operation(rawValue: head.operation) else {
        throw BridgeFailure("request", "there is no operation \(head.operation)")
      }
      var output: [UInt8] = [0]
      try perform(operation, head: head, from: &reader, to: &output)
      return output
    } catch {
      return error.answer
    }
  }

  private mutating func perform(
    _ operation: Operation, head: RequestHead, from reader: inout Reader, to output: inout [UInt8]
  ) throws(BridgeFailure) {
    switch operation {
    case .make, .read: output.appendVarint(add(try OpenList(operation, head: head, from: &reader)))
    case .close:
      if let index = index(of: head.handle), case .list = held[index] { give(back: index) }
    case .startSession, .receive, .endInput, .changed, .tick, .settle, .endSession:
      try converse(operation, head: head, from: &reader, to: &output)
    default:
      try withList(head.handle) { (list) throws(BridgeFailure) in
        try list.perform(operation, head: head, from: &reader, to: &output)
      }
    }
  }

  /// Adds a list.
  ///
  /// - Returns: Its handle.
  package mutating func add(_ list: OpenList) -> UInt64 {
    var list = list
    list.keepsLosses = keepsLosses
    return hold(.list(HeldList(list)))
  }

  private mutating func hold(_ thing: Held) -> UInt64 {
    let index: Int
    if let last = free.popLast() {
      index = last
      turns[index] += 1
      held[index] = thing
    } else {
      index = held.count
      turns.append(0)
      held.append(thing)
    }
    return turns[index] << 32 | UInt64(index + 1)
  }

  private mutating func give(back index: Int) {
    held[index] = .nothing
    // A number of JavaScript is exact below 2^53.
    if turns[index] < 1 << 20 { free.append(index) }
  }

  private func index(of handle: UInt64) -> Int? {
    let place = handle & 0xffff_ffff
    guard place > 0, place <= UInt64(held.count) else { return nil }
    let index = Int(place) - 1
    return turns[index] == handle >> 32 ? index : nil
  }

  /// Works with a list; whatever is thrown leaves it as it was.
  package mutating func withList<Value>(
    _ handle: UInt64, _ body: (inout OpenList) throws(BridgeFailure) -> Value
  ) throws(BridgeFailure) -> Value {
    guard let index = index(of: handle), case .list(var list) = held[index] else {
      throw .unknownHandle
    }
    held[index] = .nothing
    if !isKnownUniquelyReferenced(&list) { list = HeldList(list.list) }
    defer { held[index] = .list(list) }
    return try body(&list.list)
  }

  private mutating func converse(
    _ operation: Operation, head: RequestHead, from reader: inout Reader, to output: inout [UInt8]
  ) throws(BridgeFailure) {
    if operation == .startSession {
      guard let startSession else { throw .noSessions }
      var started: [UInt8] = []
      let session = try withList(head.handle) { (list) throws(BridgeFailure) in
        try startSession(&list, head, &reader, &started)
      }
      output.appendVarint(hold(.session(list: head.handle, session)))
      output.append(contentsOf: started)
      return
    }
    guard let index = index(of: head.handle), case .session(let list, let steps) = held[index]
    else { throw .unknownHandle }
    held[index] = .nothing
    defer {
      if steps.isClosed() { give(back: index) } else { held[index] = .session(list: list, steps) }
    }
    try withList(list) { (list) throws(BridgeFailure) in
      try steps.perform(operation, head, &reader, &list, &output)
    }
  }
}

/// Starts a conversation about a list, and gives what goes on with it.
package typealias SessionStart = (
  inout OpenList, RequestHead, inout Reader, inout [UInt8]
) throws(BridgeFailure) -> SessionSteps

/// What goes on with a conversation.
///
/// These are closures, so that an engine of lists alone names nothing that a conversation is made of.
package struct SessionSteps {
  let isClosed: () -> Bool
  let perform:
    (
      Operation, RequestHead, inout Reader, inout OpenList, inout [UInt8]
    ) throws(BridgeFailure) -> Void
}

/// What a handle is of.
private enum Held {
  /// Nothing any more, or something that is worked with.
  case nothing
  case list(HeldList)
  case session(list: UInt64, SessionSteps)
}

/// A list where it stands, so that a table of them has no code to copy one.
///
/// It belongs to one bridge: the copy of a bridge gets lists of its own when it works with them.
private final class HeldList {
  var list: OpenList

  init(_ list: OpenList) { self.list = list }
}

/// What a page can ask for.
package enum Operation: UInt8, CaseIterable, Sendable {
  case make = 1
  case read, close
  case insert, move, set, remove, restore, undo, redo
  case items, item, removed, count, index
  case version, delta, merge, save, digest, description
  case startSession, receive, endInput, changed, tick, settle, endSession
  case repair, joinAll
}

/// What stands at the start of each request.
package struct RequestHead {
  package let operation: UInt8
  package let handle: UInt64
  package let now: Int64
  package let random: UInt64

  package init(_ reader: inout Reader) throws(BridgeFailure) {
    (operation, handle, now, random) = try reader.read { (reader) throws(DecodeFailure) in
      (try reader.byte(), try reader.varint(), try reader.zigzag(), try reader.uint64())
    }
  }
}
