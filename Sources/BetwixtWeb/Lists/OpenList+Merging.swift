package import Betwixt
import BetwixtSync

// A delta on its own has no checksum, and it may come over anything: here a SHA-256 follows it.
private let checksumByteCount = 32

extension OpenList {
  /// The writes beyond a version, as bytes for another copy.
  func delta(since version: VersionVector) throws(BridgeFailure) -> [UInt8] {
    do {
      let bytes = try Block(.delta, of: list.id, holding: list.delta(since: version)).encoded()
      return bytes + SHA256.hash(bytes)
    } catch {
      throw BridgeFailure(error)
    }
  }

  /// Joins what another copy holds: what the clock allows, or all of it, which is for bytes that this
  /// page has written itself.
  mutating func merge(
    _ operation: Operation, head: RequestHead, from reader: inout Reader,
    to output: inout [UInt8]
  ) throws(BridgeFailure) {
    let bytes = try reader.read { (input) throws(DecodeFailure) in try input.bytes() }
    try reader.end()
    let block = try Block(ofPage: bytes)
    guard block.list == list.id else {
      throw BridgeFailure("list", "these are writes of another list, \(block.list)")
    }
    if operation == .joinAll {
      output.append(take(block.delta))
      output.append(0)
      return
    }
    let admitted = AdmissionPolicy(now: head.now).admit(block.delta, to: list)
    output.append(take(admitted.delta))
    output.appendVarint(admitted.withheld.count)
    for write in admitted.withheld { output.append(text: write.description) }
  }

  /// Makes again, at the present time and as somebody new, what lies too far ahead of the clock.
  ///
  /// Nobody else has let those writes in, and what is written later in their place comes no earlier.
  mutating func repair(
    _ head: RequestHead, from reader: inout Reader, to output: inout [UInt8]
  ) throws(BridgeFailure) {
    let other = ReplicaID(
      rawValue: try reader.read { (input) throws(DecodeFailure) in try input.uint64() })
    try reader.end()
    let ahead = list.poisoned(under: AdmissionPolicy(now: head.now)).map { $0.entry }
    output.appendVarint(ahead.count)
    guard !ahead.isEmpty else { return }
    let (now, random) = (head.now, head.random)
    var replica = Replica(
      id: other, sequence: list.version[other], families: { random }, clock: { now })
    do throws(EditFailure) {
      list = try list.rewriting(ahead, by: &replica)
    } catch {
      throw BridgeFailure(error)
    }
    (writer, sequence) = (other, replica.sequence)
    // They are of writes that are gone. Their numbers are not used again: whoever kept one means
    // that step, and not another of its number.
    let stepCount = history.stepCount
    history = UndoHistory()
    history.stepCount = stepCount
    changeCount += 1
  }

  /// Joins writes and keeps in mind what they lost.
  package mutating func take(_ delta: Delta) -> ListChanges {
    guard !delta.isEmpty else { return list.difference(to: list) }
    if list.lacksUnderKnownNumbers(delta) { unversionedCount += 1 }
    let changes = list.merge(delta)
    changeCount += 1
    // Whoever copied this list writes as it does, and numbers are not used twice.
    sequence = max(sequence, list.version[writer])
    if keepsLosses {
      conflicts.append(changes.conflicts, keeping: OpenList.mostLosses)
      removalConflicts.append(changes.removalConflicts, keeping: OpenList.mostLosses)
    }
    return changes
  }
}

extension Array {
  fileprivate mutating func append(_ others: [Element], keeping limit: Int) {
    self += others
    if count > limit { removeFirst(count - limit) }
  }
}

extension Block {
  fileprivate init(ofPage bytes: [UInt8]) throws(BridgeFailure) {
    do throws(DecodeFailure) {
      if SealedBlock.isSealedBlock(bytes) {
        self = try SealedBlock.decodeBlock(bytes)
        return
      }
      let end = max(0, bytes.count - checksumByteCount)
      guard bytes.count > checksumByteCount,
        SHA256.hash(bytes[..<end]).elementsEqual(bytes[end...])
      else { throw DecodeFailure(.badChecksum, at: end) }
      self = try Block(decoding: Array(bytes[..<end]))
    } catch {
      throw BridgeFailure(error)
    }
  }
}
