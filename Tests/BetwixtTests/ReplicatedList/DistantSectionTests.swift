import Betwixt
import Testing

/// Sections are any 64-bit number, and order before keys wherever they lie.
@Suite struct DistantSectionTests {
  private static let sections: [Int64] = [
    .min, .min + 1, -40_000, -32_769, -32_768, -32_767, -1, 0, 1, 32_766, 32_767, 32_768, 40_000,
    .max - 1, .max,
  ]

  @Test("Rising or falling, the insertions give one order", arguments: [false, true])
  func sectionsOrderBeforeKeys(_ isReversed: Bool) throws {
    var me = Replica(id: ReplicaID(rawValue: 7), clock: { 1_780_000_000_000 })
    var list = ReplicatedList(id: ListID(high: 7, low: 7))
    let sections = isReversed ? Self.sections.reversed() : Self.sections
    for (index, section) in sections.enumerated() {
      // Keys fall where sections rise and the other way round, so neither order hides the other.
      try list.append(toSection: section, by: &me)
      for _ in 0..<index { try list.prepend(toSection: section, by: &me) }
    }
    #expect(list.sections == Self.sections)
    #expect(list.compactMap(\.section) == list.compactMap(\.section).sorted())
    for (index, section) in sections.enumerated() {
      let range = list.indices(inSection: section)
      #expect(range.count == index + 1)
      #expect(range.allSatisfy { list[$0].section == section })
      let keys = range.compactMap { list[$0].key }
      #expect(keys == keys.sorted())
    }
    var copy = ReplicatedList(id: list.id)
    copy.merge(list)
    #expect(copy.map(\.id) == list.map(\.id))
  }
}
