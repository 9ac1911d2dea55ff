import Betwixt
import BetwixtSync
import TestSupport
import Testing

/// A history from one run of a program to the next.
@Suite struct UndoBytesTests {
  /// Two people, one of whom has a history, with steps on both stacks and things that were kept.
  private static func history(
    seed: UInt64
  ) throws -> (history: UndoHistory, list: ReplicatedList, sequence: Int64) {
    var random = SplitMix64(seed: seed)
    var list = ReplicatedList(id: Sample.listID)
    var history = UndoHistory(levels: 20)
    var me = Replica(id: ReplicaID(rawValue: 1)) { 1_777_000_000_000 }
    var other = Replica(id: ReplicaID(rawValue: 2)) { 1_777_000_000_500 }
    for number in 0..<30 {
      let window = random.next(below: 2)
      switch random.next(below: 8) {
      case 0: try history.undo(in: &list, by: &me, window: window)
      case 1: try history.redo(in: &list, by: &me, window: window)
      case 2: try? Sample.edit(&list, by: &other, &random)
      default:
        try history.record("step \(number) “é”", in: &list, by: &me, window: window) {
          try Sample.edit(&$0, by: &$1, &random)
        }
      }
    }
    try history.undo(in: &list, by: &me)
    return (history, list, me.sequence)
  }

  @Test func historiesRoundTripAndGoOnAlike() throws {
    for seed in 0..<40 as Range<UInt64> {
      var (history, list, sequence) = try Self.history(seed: seed)
      let bytes = try history.encoded(for: list.id)
      var copy = try UndoHistory(decoding: bytes, for: list.id)
      #expect(copy == history)
      #expect(try copy.encoded(for: list.id) == bytes)
      var again = list
      var me = Replica(id: ReplicaID(rawValue: 1), sequence: sequence) { 1_777_000_009_000 }
      var twin = Replica(id: ReplicaID(rawValue: 1), sequence: sequence) { 1_777_000_009_000 }
      #expect(
        try history.insist(in: &list, by: &me) == copy.insist(in: &again, by: &twin))
      while let result = try history.undo(in: &list, by: &me) {
        #expect(try copy.undo(in: &again, by: &twin) == result)
      }
      while let result = try history.redo(in: &list, by: &me) {
        #expect(try copy.redo(in: &again, by: &twin) == result)
      }
      #expect(again == list)
    }
  }

  /// Histories whose large steps are kept apart do the same, and keep the same.
  @Test func stepsThatAreKeptApartAreTakenAlike() throws {
    var apart = 0
    for seed in 0..<40 as Range<UInt64> {
      var (history, list, sequence) = try Self.history(seed: seed)
      var copy = history
      let contents = try copy.putApart(from: 150, for: list.id)
      apart += contents.count
      #expect(copy.stepsApart == Set(contents.keys))
      copy = try UndoHistory(decoding: copy.encodedAsKept(for: list.id), for: list.id)
      let id = list.id
      copy.store = UndoStep.Store { key in
        contents[key].flatMap { try? UndoStep.items(decoding: $0, named: key, for: id) }
      }
      var whole = copy
      whole.bringAll()
      #expect(whole == history)
      #expect(try copy.encoded(for: id) == history.encoded(for: id))
      var again = list
      var me = Replica(id: ReplicaID(rawValue: 1), sequence: sequence) { 1_777_000_009_000 }
      var twin = Replica(id: ReplicaID(rawValue: 1), sequence: sequence) { 1_777_000_009_000 }
      #expect(
        try history.insist(in: &list, by: &me) == copy.insist(in: &again, by: &twin))
      while let result = try history.undo(in: &list, by: &me) {
        #expect(try copy.undo(in: &again, by: &twin) == result)
      }
      while let result = try history.redo(in: &list, by: &me) {
        #expect(try copy.redo(in: &again, by: &twin) == result)
      }
      #expect(again == list)
      #expect(copy.lostStep == nil)
    }
    #expect(apart > 100)
  }

  @Test func damageIsRefused() throws {
    let (history, list, _) = try Self.history(seed: 3)
    let bytes = try history.encoded(for: list.id)
    for end in stride(from: 0, to: bytes.count, by: 3) {
      #expect(throws: DecodeFailure.self) {
        try UndoHistory(decoding: Array(bytes[..<end]), for: list.id)
      }
    }
    for bit in stride(from: 0, to: bytes.count * 8, by: 5) {
      #expect(throws: DecodeFailure.self) {
        try UndoHistory(decoding: BlockDamageTests.flipped(bytes, bit), for: list.id)
      }
    }
    let other = #expect(throws: DecodeFailure.self) {
      try UndoHistory(decoding: bytes, for: ListID(high: 1, low: 1))
    }
    #expect(other?.reason == .otherList)
  }

  @Test func hostileBytesWithAGoodChecksumAreAnErrorOrAHistory() throws {
    let (history, list, _) = try Self.history(seed: 4)
    let bytes = try history.encoded(for: list.id)
    let body = bytes.dropLast(32)
    var random = SplitMix64(seed: 9)
    var taken = 0
    for _ in 0..<3_000 {
      var damaged = Array(body)
      for _ in 0...random.next(below: 3) {
        damaged[random.next(below: damaged.count)] = UInt8(random.next(below: 256))
      }
      damaged += SHA256.hash(damaged)
      guard var copy = try? UndoHistory(decoding: damaged, for: list.id) else { continue }
      taken += 1
      var other = list
      var me = Replica(id: ReplicaID(rawValue: 1), sequence: 500) { 0 }
      for _ in 0..<40 { _ = try? copy.undo(in: &other, by: &me) }
    }
    #expect(taken > 0)
  }
}
