import Betwixt
import BetwixtSync

/// The steps of a document, and up to which own writes they go.
///
/// A step is kept once what it did is in the document. A program may end between the two, and a power
/// cut may leave an older file of steps than the document. Then the document holds own writes behind
/// those that are named here, and whoever takes back the last one must not get the step before it.
struct KeptSteps: Hashable, Sendable {
  var history = UndoHistory()

  /// The number of the last write under each own id when the steps were kept, whatever made it: an app
  /// may also write without steps.
  private(set) var lastWrites: [ReplicaID: Int64] = [:]

  /// Whether anything can be taken back or made again.
  var isEmpty: Bool { history.stacks.values.allSatisfy { $0.isEmpty } }

  /// Notes that the steps are those of all that is in the list.
  ///
  /// A number never falls back: what a document that was put back lacks may come again from others.
  ///
  /// - Parameters:
  ///   - list: What the document holds.
  ///   - record: Who writes in it here.
  mutating func noteWrites(in list: ReplicatedList, by record: IdentityRecord?) {
    guard let record else { return }
    var numbers: [ReplicaID: Int64] = [:]
    for id in record.ownReplicas { numbers[id] = max(list.lastNumber(of: id), lastWrites[id] ?? 0) }
    lastWrites = numbers
  }

  /// Whether others may have written here in between, under ids that are in no record any more: a power
  /// cut may have taken it together with the newest steps.
  private func mayLack(writersOf record: IdentityRecord?) -> Bool {
    guard let record, record.followsUnreadable, !lastWrites.isEmpty else { return false }
    return record.replicasEver.isDisjoint(with: lastWrites.keys)
  }

  /// Puts a step of which nothing is known upon the others if the list holds own writes behind theirs.
  ///
  /// Nobody can tell in which window they were made. What was taken back cannot be made again, as after
  /// any other edit.
  ///
  /// - Parameters:
  ///   - list: What the document holds.
  ///   - record: Who writes in it here.
  mutating func meet(_ list: ReplicatedList, of record: IdentityRecord?) {
    // An id that was given up since belongs to them too: under it the last writes were made, by a
    // program whose steps are gone, unless the original of a copy goes on under it.
    let own = (record?.ownReplicas ?? []).union(lastWrites.keys)
    let news = own.filter { list.lastNumber(of: $0) > lastWrites[$0] ?? 0 }
    guard !news.isEmpty || mayLack(writersOf: record) else { return }
    for id in news.union(record.map { [$0.replica] } ?? []) {
      lastWrites[id] = list.lastNumber(of: id)
    }
    for window in history.stacks.keys.sorted() {
      guard var stack = history.stacks[window], !stack.isEmpty else { continue }
      history.stepCount += 1
      stack.putUnknown(number: history.stepCount, levels: history.levels)
      history.stacks[window] = stack
    }
  }

  /// The steps with one upon them of which nothing is known, in the window of what is merged.
  ///
  /// - Returns: The steps; `nil` if there is none that could be taken in its place.
  func announcingStep() -> KeptSteps? {
    guard var stack = history.stacks[0], !stack.isEmpty else { return nil }
    var announced = self
    announced.history.stepCount += 1
    // The oldest one stays until the step is there.
    stack.putUnknown(number: announced.history.stepCount, levels: .max)
    announced.history.stacks[0] = stack
    return announced
  }
}

extension IdentityRecord {
  /// The ids under which only this installation writes, or wrote.
  var ownReplicas: Set<ReplicaID> { earlierReplicas.union([replica]) }
}

// MARK: - A step of which nothing is known

extension UndoHistory.Stack {
  fileprivate var isEmpty: Bool { undos.isEmpty && redos.isEmpty }

  fileprivate mutating func putUnknown(number: Int, levels: Int) {
    (redos, kept) = ([], nil)
    guard undos.last?.isUnknown != true else { return }
    undos.append(UndoStep(unknown: number))
    if undos.count > levels { undos.removeFirst() }
  }
}

// MARK: - Bytes

extension KeptSteps {
  private static let form = StateRecord(
    mark: [0x89, 0x42, 0x54, 0x48, 0x0d, 0x0a, 0x1a, 0x0a], version: 1)

  /// What is kept.
  ///
  /// - Parameter list: The list that the steps were made in.
  /// - Returns: The bytes.
  /// - Throws: `LimitExceeded` if a step holds more than a block can.
  func bytes(for list: ListID) throws(LimitExceeded) -> [UInt8] {
    let steps = try history.encodedAsKept(for: list)
    return KeptSteps.form.bytes { bytes in
      bytes.appendVarint(lastWrites.count)
      for (id, number) in lastWrites.sorted(by: { $0.key < $1.key }) {
        bytes.appendBigEndian(id.rawValue)
        bytes.appendVarint(UInt64(bitPattern: number))
      }
      bytes += steps
    }
  }

  /// Reads what was kept.
  ///
  /// - Throws: Why the bytes are none; `otherList` if they are of another list.
  init(_ bytes: [UInt8], for list: ListID) throws(DecodeFailure) {
    var reader = try KeptSteps.form.reader(of: bytes)
    for _ in 0..<(try reader.count(ofAtLeast: 9)) {
      let id = ReplicaID(rawValue: try reader.uint64())
      lastWrites[id] = try reader.positive()
    }
    history = try UndoHistory(decoding: Array(reader.take(reader.remaining)), for: list)
  }
}
