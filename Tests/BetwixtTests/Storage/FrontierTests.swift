import Testing

@testable import Betwixt

@Suite("What is newest among some items")
struct FrontierTests {
  @Test("each replica has one mark, its greatest number", arguments: 0..<20 as Range<UInt64>)
  func greatest(seed: UInt64) {
    var source = ChoiceSource(seed: seed)
    var frontier = Frontier()
    var greatest: [UInt32: Int64] = [:]
    for _ in 0..<60 {
      let replica = UInt32(source.next(below: 9))
      let sequence = Int64(1 + source.next(below: 40))
      frontier.note(replica, sequence: sequence)
      greatest[replica] = max(greatest[replica] ?? 0, sequence)
      #expect(frontier.marks.map(\.replica) == greatest.keys.sorted())
      #expect(frontier.marks.allSatisfy { $0.sequence == greatest[$0.replica] })
    }
  }

  @Test("of more replicas than are told apart anything may be new")
  func tooMany() {
    var frontier = Frontier()
    // The last comes first: each stands before all that are there.
    for replica in (0..<1_024 as Range<UInt32>).reversed() { frontier.note(replica, sequence: 3) }
    let known = [Int64](repeating: 3, count: 1_025)
    #expect(!frontier.exceeds(known) && !frontier.exceeds(3, of: 5))
    var more = frontier
    more.note(1_024, sequence: 3)
    #expect(more.exceeds(known) && more.exceeds(9, of: 7))
    more.note(5, sequence: 4)
    #expect(more.marks.count == 1)
    var others = Frontier()
    others.note(5, sequence: 2)
    others.note(frontier)
    #expect(others.marks.count == 1_024 && !others.exceeds(known))
    others.note(more)
    #expect(others.exceeds(known))
  }

  @Test("it exceeds a version that lacks the newest write of any replica")
  func exceeding() {
    var frontier = Frontier()
    frontier.note(2, sequence: 7)
    frontier.note(0, sequence: 5)
    #expect(!frontier.exceeds([5, 0, 7]) && !frontier.exceeds([6, 0, 8]))
    #expect(frontier.exceeds([4, 9, 7]) && frontier.exceeds([5, 9, 6]))
    #expect(!Frontier().exceeds([]))
  }
}
