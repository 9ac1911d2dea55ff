import Betwixt
import Testing

@Suite struct FarSectionsTests {
  // The order keeps a short form of each place, which must not tell far sections apart by keys.
  @Test func farSectionsStandInOrder() throws {
    let sections: [Int64] = [
      .min, .min + 1, -40_000, -32_769, -32_768, -32_767, -1, 0, 1, 32_766, 32_767, 32_768,
      40_000, .max - 1, .max,
    ]
    var list = ReplicatedList(id: ListID(high: 1, low: 1))
    var me = Replica(id: ReplicaID(rawValue: 1)) { 0 }
    for (place, section) in sections.enumerated().reversed() {
      // Keys fall while sections rise.
      for number in 0..<2 {
        let id = try list.append([:], toSection: section, by: &me)
        try list.place(
          id, atSortOrder: Double(number - 10 * place), inSection: section, by: &me)
      }
    }
    #expect(list.sections == sections)
    #expect(list.compactMap(\.section) == sections.flatMap { [$0, $0] })
    for (place, section) in sections.enumerated() {
      #expect(list.indices(inSection: section) == place * 2..<place * 2 + 2)
    }
  }
}
