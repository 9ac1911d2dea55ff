import Betwixt
import BetwixtDrag
import TestSupport
import Testing

/// The table of rows, made anew and made of one of mostly the same rows.
@Suite struct RowTableTests {
  private func frames(_ refs: [RowRef]) -> [RowFrame] {
    refs.enumerated().map {
      RowFrame($1, minY: Double($0) * 20, maxY: Double($0 + 1) * 20)
    }
  }

  private func row(_ number: UInt64) -> RowRef {
    number % 7 == 0 ? .header(day: Int64(number)) : .item(ItemID(high: 1, low: number))
  }

  /// Some of what becomes of rows, now and then with a name twice.
  private func changed(_ refs: [RowRef], _ random: inout SplitMix64) -> [RowRef] {
    var refs = refs
    func place(_ random: inout SplitMix64) -> Int { Int(random.next() % UInt64(refs.count)) }
    switch random.next() % 6 {
    case 0, 1:
      let moved = refs.remove(at: place(&random))
      refs.insert(moved, at: place(&random))
    case 2: refs[place(&random)] = row(random.next() % 60)
    case 3 where refs.count > 3: refs.remove(at: place(&random))
    case 4: refs.insert(row(random.next() % 60), at: place(&random))
    case 5:
      let (one, other) = (place(&random), place(&random))
      refs.swapAt(one, other)
    default: break
    }
    return refs
  }

  @Test func aTableLikeAnotherIsAsOneMadeAnew() throws {
    var random = SplitMix64(seed: 20)
    var refusals = 0
    for _ in 0..<200 {
      var refs = (0..<UInt64(4 + random.next() % 20)).map { row($0) }
      var known = try #require(RowTable(frames(refs)))
      for _ in 0..<20 {
        let next = changed(refs, &random)
        let fresh = RowTable(frames(next))
        let like = RowTable(frames(next), like: known)
        #expect((like == nil) == (fresh == nil), "\(refs) -> \(next)")
        guard let fresh, let like else {
          refusals += 1
          continue
        }
        #expect(like.rows == fresh.rows)
        for number in 0..<UInt64(60) {
          #expect(like.place(of: row(number)) == fresh.place(of: row(number)))
        }
        (refs, known) = (next, like)
      }
    }
    #expect(refusals > 100)
  }
}
