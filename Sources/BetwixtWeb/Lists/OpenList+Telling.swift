package import Betwixt
import BetwixtSync

extension OpenList {
  /// Answers a question.
  mutating func tell(
    _ operation: Operation, from reader: inout Reader, to output: inout [UInt8]
  ) throws(BridgeFailure) {
    switch operation {
    case .items:
      let (start, limit) = try reader.read { (input) throws(DecodeFailure) in
        (try input.positive(), try input.positive())
      }
      let first = Int(min(start, Int64(list.count)))
      let end = first + Int(min(limit, Int64(list.count - first)))
      output.appendVarint(end - first)
      for index in first..<end { output.append(list[index]) }
    case .item:
      let item = try reader.read { (input) throws(DecodeFailure) in try input.item() }
      let found = list[id: item]
      output.append(found == nil ? 0 : found?.isVisible == true ? 1 : 2)
      if let found { output.append(found) }
    case .removed:
      let removed = list.allItems().filter { $0.isRemoved }
      output.appendVarint(removed.count)
      for item in removed { output.append(item) }
    case .count: output.appendVarint(list.count)
    case .index:
      let item = try reader.read { (input) throws(DecodeFailure) in try input.item() }
      output.appendVarint((list.index(id: item) ?? -1) + 1)
    case .version: output.append(list.version)
    case .delta:
      let version = try reader.read { (input) throws(DecodeFailure) in try input.version() }
      output.append(contentsOf: try delta(since: version))
    case .save: output.append(contentsOf: try saved())
    case .digest:
      // Reading it settles nothing, so the next reading would take as long.
      list.settleDigest()
      output.append(contentsOf: list.digest.bytes)
    default: describe(&output)
    }
    try reader.end()
  }

  private func saved() throws(BridgeFailure) -> [UInt8] {
    do {
      return try SealedBlock.encode(list, as: .snapshot)
    } catch {
      throw BridgeFailure(error)
    }
  }

  private func describe(_ output: inout [UInt8]) {
    output.appendBigEndian(list.id.high)
    output.appendBigEndian(list.id.low)
    output.appendBigEndian(writer.rawValue)
    output.appendVarint(UInt64(sequence))
    output.appendVarint(unversionedCount)
    output.append(history.nextUndo() == nil ? 0 : 1)
    output.append(history.nextRedo() == nil ? 0 : 1)
    let metadata = list.metadata
    output.appendVarint(metadata.count)
    for field in metadata {
      output.append(text: field.name.text)
      output.append(run: field.value.canonicalBytes)
    }
  }
}

extension [UInt8] {
  /// Appends what a merge or an undo changed.
  package mutating func append(_ changes: ListChanges) {
    appendVarint(changes.removed.count)
    for removal in changes.removed {
      append(removal.id)
      appendVarint(removal.oldIndex)
    }
    appendVarint(changes.inserted.count)
    for insertion in changes.inserted {
      append(insertion.id)
      appendVarint(insertion.newIndex)
    }
    appendVarint(changes.moved.count)
    for move in changes.moved {
      append(move.id)
      appendVarint(move.oldIndex)
      appendVarint(move.newIndex)
    }
    appendVarint(changes.updated.count)
    for update in changes.updated {
      append(update.id)
      appendVarint(update.newIndex)
      append(update.registers)
    }
    append(changes.metadata)
    appendVarint(changes.conflicts.count)
    for conflict in changes.conflicts {
      append(conflict.item)
      append(conflict.register)
      append(conflict.lostHere ? 1 : 0)
      append(run: conflict.loser.value.canonicalBytes)
      append(run: conflict.winner.value.canonicalBytes)
    }
    appendVarint(changes.removalConflicts.count)
    for conflict in changes.removalConflicts { append(conflict.item) }
  }

  /// Appends the name of a register, and whether it is a field: one may be called `position`.
  mutating func append(_ register: Register) {
    append(text: register.description)
    if case .field = register { append(1) } else { append(0) }
  }

  private mutating func append(_ registers: [Register]) {
    appendVarint(registers.count)
    for register in registers { append(text: register.description) }
  }
}
