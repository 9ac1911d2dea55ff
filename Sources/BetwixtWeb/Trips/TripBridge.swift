import Betwixt
import BetwixtSync
import BetwixtTrips
import BetwixtWeb

/// A ``Bridge`` that knows what stands in its lists: trips and tasks, their files, and drags.
package struct TripBridge {
  var lists = Bridge(keepingLosses: true)
  /// Those of lists that are open.
  private(set) var desks: [UInt64: DragDesk] = [:]

  package init() {}

  /// Answers a request.
  ///
  /// - Parameter request: Its bytes.
  /// - Returns: The answer's.
  /// - Complexity: As the operation
  package mutating func answer(_ request: [UInt8]) -> [UInt8] {
    guard let operation = request.first.flatMap({ TripOperation(rawValue: $0) }) else {
      let answer = lists.answer(request)
      if answer.first == 0 { forgetDrags(request) }
      return answer
    }
    do throws(BridgeFailure) {
      var reader = Reader(request)
      let head = try RequestHead(&reader)
      var output: [UInt8] = [0]
      try perform(operation, head: head, from: &reader, to: &output)
      return output
    } catch {
      return error.answer
    }
  }

  private mutating func perform(
    _ operation: TripOperation, head: RequestHead, from reader: inout Reader,
    to output: inout [UInt8]
  ) throws(BridgeFailure) {
    switch operation {
    case .open: try open(&reader, to: &output)
    case .join: try join(&reader, to: &output)
    case .rows, .export, .losses:
      try lists.withList(head.handle) { (open) throws(BridgeFailure) in
        try open.tell(operation, from: &reader, to: &output)
      }
    case .startDrags, .event, .toast, .actions:
      try drag(operation, head: head, from: &reader, to: &output)
    }
  }

  private mutating func open(
    _ reader: inout Reader, to output: inout [UInt8]
  ) throws(BridgeFailure) {
    let writer = try reader.writer()
    let file = try TripFile(page: &reader)
    try reader.end()
    output.appendVarint(lists.add(OpenList(file.list(), writer: writer)))
    output.append(texts: file.notes)
  }

  /// Joins any number of files.
  private mutating func join(
    _ reader: inout Reader, to output: inout [UInt8]
  ) throws(BridgeFailure) {
    let writer = try reader.writer()
    let (hasBase, count) = try reader.read { (input) throws(DecodeFailure) in
      (try input.flag(), try input.count(ofAtLeast: 2))
    }
    var files: [TripFile] = []
    for _ in 0..<count { files.append(try TripFile(page: &reader)) }
    try reader.end()
    guard !files.isEmpty else { throw BridgeFailure("files", "there is no file to join") }
    let base = hasBase ? files.removeFirst() : nil
    do throws(DocumentFailure) {
      let merge = try TripMerge(files, base: base)
      output.appendVarint(lists.add(OpenList(merge.list, writer: writer)))
      output.append(texts: merge.notes + merge.report.lines)
    } catch {
      throw BridgeFailure(error)
    }
  }

  /// Forgets the drags of a list that was closed: they hold a copy of it.
  private mutating func forgetDrags(_ request: [UInt8]) {
    var reader = Reader(request)
    guard let head = try? RequestHead(&reader), head.operation == Operation.close.rawValue
    else { return }
    desks[head.handle] = nil
  }

  private mutating func drag(
    _ operation: TripOperation, head: RequestHead, from reader: inout Reader,
    to output: inout [UInt8]
  ) throws(BridgeFailure) {
    var desk = desks.removeValue(forKey: head.handle) ?? DragDesk()
    var isThere = false
    defer { if isThere { desks[head.handle] = desk } }
    try lists.withList(head.handle) { (open) throws(BridgeFailure) in
      isThere = true
      try desk.perform(operation, head: head, from: &reader, open: &open, to: &output)
    }
  }
}

/// What a page of trips can ask for beside the operations of lists.
package enum TripOperation: UInt8, CaseIterable, Sendable {
  case open = 64
  case join, rows, export, losses
  case startDrags, event, toast, actions
}

extension Reader {
  fileprivate mutating func writer() throws(BridgeFailure) -> ReplicaID {
    ReplicaID(rawValue: try read { (input) throws(DecodeFailure) in try input.uint64() })
  }
}

extension TripFile {
  fileprivate init(page reader: inout Reader) throws(BridgeFailure) {
    let (name, bytes) = try reader.read { (input) throws(DecodeFailure) in
      (try input.text(), try input.bytes())
    }
    do throws(DocumentFailure) {
      try self.init(decoding: bytes, name: name)
    } catch {
      throw BridgeFailure(error)
    }
  }
}

extension BridgeFailure {
  init(_ failure: DocumentFailure) { self.init("file", failure.description) }
}

extension [UInt8] {
  mutating func append(texts: [String]) {
    appendVarint(texts.count)
    for text in texts { append(text: text) }
  }
}
