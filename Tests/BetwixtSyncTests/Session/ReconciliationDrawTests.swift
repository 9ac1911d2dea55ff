import Betwixt
import TestSupport
import Testing

@testable import BetwixtSync

/// Lists that differ in much, with frames that are soon full: honest sides find out what each lacks,
/// and neither takes the other for one that makes no progress.
@Suite struct ReconciliationDrawTests {
  /// A list with an entry under each of some numbers, which are in that order.
  private static func list(_ numbers: Set<Int64>) throws -> ReplicatedList {
    let stamp = Stamp(time: .zero, replica: ReplicaID(rawValue: 5))
    var builder = Delta.Builder()
    for number in numbers.sorted() {
      try builder.add(
        Entry(
          item: .root, register: .other(kind: 0x10, name: Array("\(number)".utf8)),
          value: .other([1]), stamp: stamp, sequence: number))
    }
    var list = ReplicatedList(id: Sample.listID)
    list.merge(builder.build())
    return list
  }

  /// Lets two sides compare, and expects each to find what the other lacks.
  private static func compare(
    _ first: Set<Int64>, _ second: Set<Int64>, _ sizes: Reconciliation.Sizes
  ) throws {
    let sets = [first, second]
    var sides = try sets.map {
      Reconciliation(EntrySet(try list($0), leavingOut: []), sizes: sizes)
    }
    var next: RangeList? = sides[0].opening()
    var wants: Frame?
    var turn = 1
    while let message = next {
      // As it is read from a frame.
      next = try sides[turn].answer(try RangeList(decoding: message.payload))
      if let wants { try sides[turn].note(wants: wants.payload) }
      wants = sides[turn].takeWants(isLast: false)
      turn = 1 - turn
    }
    if let wants { try sides[turn].note(wants: wants.payload) }
    for (mine, theirs) in [(0, 1), (1, 0)] {
      let rows = sides[mine].set.delta.rows
      let found = Set(sides[mine].missingThere.map { rows[$0].sequence })
      #expect(found == sets[mine].subtracting(sets[theirs]))
    }
  }

  /// A first sync was cut behind a part of the list, of which much was replaced there meanwhile.
  @Test(arguments: 0..<30 as Range<UInt64>) func aFirstSyncThatWasCutGoesOn(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let count = 200 + random.next(below: 200)
    let cut = count * (10 + random.next(below: 40)) / 100
    let share = [1, 2, 3, 5][random.next(below: 4)]
    // What stands for it now comes before all the rest or behind it.
    let news: Int64 = random.next(below: 2) == 0 ? 1 : 10_000
    var theirs: Set<Int64> = []
    for number in 0..<Int64(count) {
      theirs.insert(random.next(below: 10) < share ? news + number : 1_000 + number)
    }
    let mine = Set((0..<Int64(cut)).map { 1_000 + $0 })
    let sizes = Reconciliation.Sizes(listLimit: 4, fanOut: 4, byteLimit: 600)
    try Self.compare(mine, theirs, sizes)
    try Self.compare(theirs, mine, sizes)
  }

  /// Numbers of two sides, of which none is on both, in stretches.
  private static func stretches(_ counts: [(Int, Int)]) -> (Set<Int64>, Set<Int64>) {
    var sides: (Set<Int64>, Set<Int64>) = ([], [])
    var start = 1
    for (one, other) in counts {
      let width = max(one, other, 1) * 4
      for index in 0..<one { sides.0.insert(Int64(start + index * width / one / 2 * 2)) }
      for index in 0..<other { sides.1.insert(Int64(start + index * width / other / 2 * 2 + 1)) }
      start += width + 10
    }
    return sides
  }

  /// What was listed and is opened again by the rest of a full frame is asked for again.
  @Test func listsThatHaveNothingInCommon() throws {
    let sizes = Reconciliation.Sizes(listLimit: 8, fanOut: 4, byteLimit: 1_500)
    var random = SplitMix64(seed: 8)
    var drawn = [[(84, 81), (16, 69)], [(89, 77), (15, 71)]]
    for _ in 0..<16 {
      let size = 80 + random.next(below: 120)
      drawn.append([
        (size, random.next(below: size)),
        (random.next(below: 20), size / 2 + random.next(below: size / 2)),
      ])
    }
    for counts in drawn {
      let (one, other) = Self.stretches(counts)
      try Self.compare(one, other, sizes)
      try Self.compare(other, one, sizes)
    }
  }
}
