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
package struct Bridge {
  private var lists: [UInt64: HeldList] = [:]
  private var sessions: [UInt64: OpenSession] = [:]
  private var handleCount: UInt64 = 0

  package init() {}

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
    case .close: lists[head.handle] = nil
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
    handleCount += 1
    lists[handleCount] = HeldList(list)
    return handleCount
  }

  /// Works with a list; whatever is thrown leaves it as it was.
  package func withList<Value>(
    _ handle: UInt64, _ body: (inout OpenList) throws(BridgeFailure) -> Value
  ) throws(BridgeFailure) -> Value {
    guard let held = lists[handle] else { throw .unknownHandle }
    return try body(&held.list)
  }

  private mutating func converse(
    _ operation: Operation, head: RequestHead, from reader: inout Reader, to output: inout [UInt8]
  ) throws(BridgeFailure) {
    if operation == .startSession {
      let session = try withList(head.handle) { (list) throws(BridgeFailure) in
        try OpenSession(with: list, handle: head.handle, head: head, from: &reader)
      }
      handleCount += 1
      output.appendVarint(handleCount)
      session.start(head, to: &output)
      sessions[handleCount] = session
      return
    }
    guard let session = sessions.removeValue(forKey: head.handle) else { throw .unknownHandle }
    defer { sessions[head.handle] = session.isClosed ? nil : session }
    try withList(session.list) { (list) throws(BridgeFailure) in
      try session.perform(operation, head: head, from: &reader, open: &list, to: &output)
    }
  }
}

/// A list where it stands, so that a table of them has no code to copy one.
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
