import Betwixt
import TestSupport
import Testing

@testable import BetwixtSync

/// What a log keeps of what it has encoded.
@Suite struct EditLogTests {
  /// Changes that were joined for one serve others, until newer ones have taken their room.
  @Test func whatWasJoinedIsKeptForAWhile() throws {
    var me = Replica(id: ReplicaID(rawValue: 1)) { 1_777_000_000_000 }
    var list = ReplicatedList(id: Sample.listID)
    var log = EditLog()
    for number in 0..<400 {
      let before = list
      try list.append(["n": .int64(Int64(number))], by: &me)
      list.settleDigest()
      log.append(EditLog.Position(from: before, to: list, restoredWhole: false))
    }
    var count = log.encodedCount
    #expect(count == 400)
    for place in stride(from: 0, to: 400, by: 2) {
      let first = log.payload(joining: place..<place + 2)
      count += 1
      #expect(first != nil && log.encodedCount == count)
      let second = log.payload(joining: place..<place + 2)
      #expect(first == second && log.encodedCount == count)
    }
    // Of two hundred pairs the oldest has gone, and one in the middle of the rest has not.
    _ = log.payload(joining: 380..<382)
    #expect(log.encodedCount == count)
    _ = log.payload(joining: 0..<2)
    #expect(log.encodedCount == count + 1)
  }

  /// Ranges count, too, of changes that are too great to be pushed as of others.
  @Test func whatHasManyRangesTakesMoreRoom() throws {
    let before = ReplicatedList(id: Sample.listID)
    var builder = Delta.Builder()
    for number in 1...9_000 as ClosedRange<UInt64> {
      let stamp = Stamp(time: .zero, replica: ReplicaID(rawValue: number))
      try builder.add(
        Entry(
          item: .root, register: .other(kind: 0x10, name: Array("\(number)".utf8)),
          value: .other([1]), stamp: stamp, sequence: 1))
      builder.cover(stamp.replica, after: 0, through: 1)
    }
    var list = before
    list.merge(builder.build())
    list.settleDigest()
    let position = EditLog.Position(from: before, to: list, restoredWhole: false)
    #expect(position.payload == nil && position.steps.count == 9_000)
    #expect(position.writers.isEmpty)
    var log = EditLog()
    for _ in 0..<40 { log.append(position) }
    #expect(log.end == 40 && log.end - log.first <= 5)
  }

  /// What is forgotten takes no more room than what is kept.
  @Test func whatIsForgottenIsLetGo() throws {
    var me = Replica(id: ReplicaID(rawValue: 1)) { 1_777_000_000_000 }
    var list = ReplicatedList(id: Sample.listID)
    var log = EditLog()
    for number in 0..<200 {
      let before = list
      let text = FieldValue.string(String(repeating: "w", count: 50_000 + number))
      try list.set("note", of: .root, to: text, by: &me)
      list.settleDigest()
      log.append(EditLog.Position(from: before, to: list, restoredWhole: false))
      #expect(log.storedCount <= 2 * (log.end - log.first) + 10)
    }
    #expect(log.end == 200 && log.end - log.first < 25 && log[199].entryCount == 1)
  }

  // The invariant checks of the list count, too.
  #if DEBUG && !BETWIXT_CHECKS
  /// What many registers of an item hold is found in one pass over them.
  @Test(arguments: [50, 400]) func aChangeOfManyFieldsIsOnePass(count: Int) throws {
    var me = Replica(id: ReplicaID(rawValue: 1)) { 1_777_000_000_000 }
    var list = ReplicatedList(id: Sample.listID)
    let item = try list.append(by: &me)
    let names = (0..<count).compactMap { FieldName("n\($0)") }
    for name in names { try list.set(name, of: item, to: 1, by: &me) }
    list.settleDigest()
    var later = list
    for name in names { try later.set(name, of: item, to: 2, by: &me) }
    later.settleDigest()
    let (position, making) = Cost.measure {
      EditLog.Position(from: list, to: later, restoredWhole: false)
    }
    #expect(position.entryCount == count && making[.entryVisit] <= count + 2)
    let delta = later.delta(since: list.version)
    let (draft, drafting) = Cost.measure { EditLog.Position.Draft(delta, on: list) }
    #expect(drafting[.entryVisit] <= count + 2)
    let (stored, storing) = Cost.measure {
      EditLog.Position(draft, behind: later, origin: 1, restoredWhole: false)
    }
    #expect(stored.entryCount == count && storing[.entryVisit] <= count + 2)
  }
  #endif
}

/// What a hub keeps encoded for those that lack the same.
@Suite struct EncodedDeltasTests {
  /// So many entries may be kept, but not if they take more than a frame.
  @Test(arguments: [(100, true), (10_000, false)])
  func whatIsKeptIsOneFrame(size: Int, isKept: Bool) throws {
    var me = Replica(id: ReplicaID(rawValue: 1)) { 1_777_000_000_000 }
    var list = ReplicatedList(id: Sample.listID)
    let text = FieldValue.string(String(repeating: "w", count: size))
    for _ in 0..<20 { try list.append(["note": text], by: &me) }
    list.settleDigest()
    var encodings = EncodedDeltas()
    for _ in 0..<2 {
      let outgoing = encodings.delta(of: list, since: [:]) { delta in
        OutgoingDelta(delta, rows: delta.rows, of: list.id, own: nil)
      }
      #expect(outgoing.entryCount == 60)
    }
    #expect(encodings.encodedCount == (isKept ? 1 : 2))
  }
}
