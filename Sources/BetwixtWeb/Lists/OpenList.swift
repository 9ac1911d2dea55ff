package import Betwixt
import BetwixtSync

/// A list that a page has open, and who writes to it there.
package struct OpenList: ListBacked {
  package var list: ReplicatedList

  /// Who writes.
  package internal(set) var writer: ReplicaID

  /// How many numbers the writer has used.
  package internal(set) var sequence: Int64

  /// What can be taken back.
  package var history = UndoHistory()

  /// How often the list has changed; a display that knows the number need not look.
  package internal(set) var changeCount = 0

  /// How often a merge brought something that no version tells of.
  ///
  /// What was written where these numbers were lower may lack it, though it has all of the version.
  package internal(set) var unversionedCount = 0

  /// Whether what merges lose is kept until somebody asks; else nobody can.
  package var keepsLosses = false

  /// The newest of what was lost in merges, until somebody asks.
  package var conflicts: [Conflict] = []
  package var removalConflicts: [RemovalConflict] = []

  /// How many losses of a kind are kept: somebody may never ask.
  package static let mostLosses = 1_000

  package init(_ list: ReplicatedList, writer: ReplicaID) {
    self.list = list
    self.writer = writer
    sequence = list.version[writer]
  }

  init(
    _ operation: Operation, head: RequestHead, from reader: inout Reader
  ) throws(BridgeFailure) {
    let writer = ReplicaID(
      rawValue: try reader.read { (input) throws(DecodeFailure) in
        try input.uint64()
      })
    if operation == .make {
      let id = try reader.read { (input) throws(DecodeFailure) in try input.listID() }
      try reader.end()
      self.init(ReplicatedList(id: id), writer: writer)
    } else {
      let bytes = try reader.read { (input) throws(DecodeFailure) in try input.bytes() }
      try reader.end()
      do {
        self.init(try SealedBlock.decode(bytes), writer: writer)
      } catch {
        throw BridgeFailure(error)
      }
    }
  }

  /// Makes edits as one step that can be taken back.
  package mutating func edit<Value, Failure: Error>(
    _ head: RequestHead,
    _ body: (inout OpenList, inout Replica) throws(Failure) -> Value
  ) throws(Failure) -> Value {
    let (now, random) = (head.now, head.random)
    // Each request is a commit, with a family of its own.
    var replica = Replica(id: writer, sequence: sequence, families: { random }, clock: { now })
    defer {
      sequence = replica.sequence
      changeCount += 1
    }
    return try body(&self, &replica)
  }

  private mutating func record<Value>(
    _ name: String, head: RequestHead,
    _ body: (inout ReplicatedList, inout Replica) throws(EditFailure) -> Value
  ) throws(BridgeFailure) -> Value {
    do throws(EditFailure) {
      return try edit(head) { (open, replica) throws(EditFailure) in
        try open.history.record(name, in: &open.list, by: &replica) {
          (list, replica) throws(EditFailure) in try body(&list, &replica)
        }
      }
    } catch {
      throw BridgeFailure(error)
    }
  }
}

// MARK: - Edits

extension OpenList {
  mutating func perform(
    _ operation: Operation, head: RequestHead, from reader: inout Reader, to output: inout [UInt8]
  ) throws(BridgeFailure) {
    switch operation {
    case .insert: output.append(try insert(head, from: &reader))
    case .move: try move(head, from: &reader)
    case .set: try set(head, from: &reader)
    case .remove, .restore: try turnLife(operation, head: head, from: &reader)
    case .undo, .redo: try turn(operation, head: head, from: &reader, to: &output)
    case .merge, .joinAll: try merge(operation, head: head, from: &reader, to: &output)
    case .repair: try repair(head, from: &reader, to: &output)
    default: try tell(operation, from: &reader, to: &output)
    }
  }

  private mutating func insert(
    _ head: RequestHead, from reader: inout Reader
  ) throws(BridgeFailure) -> ItemID {
    let target = try Target(&reader)
    var fields = Fields()
    for change in try reader.changes() { fields[change.name] = change.value }
    try reader.end()
    try target.check(in: list)
    let new = fields
    return try record("Add", head: head) { (list, replica) throws(EditFailure) in
      switch target {
      case .offset(let section, let offset):
        try list.insert(new, at: offset, inSection: section, by: &replica)
      case .end(let section): try list.append(new, toSection: section, by: &replica)
      case .before(let other): try list.insert(new, before: other, by: &replica)
      case .after(let other): try list.insert(new, after: other, by: &replica)
      }
    }
  }

  private mutating func move(
    _ head: RequestHead, from reader: inout Reader
  ) throws(BridgeFailure) {
    let item = try reader.read { (input) throws(DecodeFailure) in try input.item() }
    let target = try Target(&reader)
    try reader.end()
    try target.check(in: list)
    try record("Move", head: head) { (list, replica) throws(EditFailure) in
      switch target {
      case .offset(let section, let offset):
        try list.move(item, toOffset: offset, inSection: section, by: &replica)
      case .end(let section):
        let end = list.indices(inSection: section).count
        try list.move(item, toOffset: end, inSection: section, by: &replica)
      case .before(let other): try list.move(item, before: other, by: &replica)
      case .after(let other): try list.move(item, after: other, by: &replica)
      }
    }
  }

  private mutating func set(
    _ head: RequestHead, from reader: inout Reader
  ) throws(BridgeFailure) {
    let item = try reader.read { (input) throws(DecodeFailure) in try input.item() }
    let changes = try reader.changes()
    try reader.end()
    try record("Change", head: head) { (list, replica) throws(EditFailure) in
      try list.set(changes, of: item, by: &replica)
    }
  }

  private mutating func turnLife(
    _ operation: Operation, head: RequestHead, from reader: inout Reader
  ) throws(BridgeFailure) {
    let item = try reader.read { (input) throws(DecodeFailure) in try input.item() }
    try reader.end()
    try record(operation == .remove ? "Remove" : "Restore", head: head) {
      (list, replica) throws(EditFailure) in
      if operation == .remove {
        try list.remove(item, by: &replica)
      } else {
        try list.restore(item, by: &replica)
      }
    }
  }

  private mutating func turn(
    _ operation: Operation, head: RequestHead, from reader: inout Reader, to output: inout [UInt8]
  ) throws(BridgeFailure) {
    try reader.end()
    let before = list
    let result: UndoResult?
    do throws(EditFailure) {
      result = try edit(head) { (open, replica) throws(EditFailure) in
        operation == .undo
          ? try open.history.undo(in: &open.list, by: &replica)
          : try open.history.redo(in: &open.list, by: &replica)
      }
    } catch {
      throw BridgeFailure(error)
    }
    output.append(result == nil ? 0 : 1)
    output.append(text: result?.step.name ?? "")
    output.appendVarint(result?.kept.count ?? 0)
    for kept in result?.kept ?? [] { output.append(kept.item) }
    output.append(before.difference(to: list))
  }
}

/// Where an item is to stand.
private enum Target {
  case offset(section: Int64, Int)
  case end(section: Int64)
  case before(ItemID)
  case after(ItemID)

  init(_ reader: inout Reader) throws(BridgeFailure) {
    self = try reader.read { (reader) throws(DecodeFailure) in
      switch try reader.byte() {
      // No greater than an integer of WebAssembly: no list is as long.
      case 0: .offset(section: try reader.zigzag(), Int(min(try reader.uint32(), 1 << 31 - 1)))
      case 1: .end(section: try reader.zigzag())
      case 2: .before(try reader.item())
      case 3: .after(try reader.item())
      default: throw reader.failure(.badNumber)
      }
    }
  }

  func check(in list: ReplicatedList) throws(BridgeFailure) {
    guard case .offset(let section, let offset) = self else { return }
    let count = list.indices(inSection: section).count
    guard 0...count ~= offset else {
      throw BridgeFailure("edit", "offset \(offset) is not in 0...\(count) of section \(section)")
    }
  }
}
