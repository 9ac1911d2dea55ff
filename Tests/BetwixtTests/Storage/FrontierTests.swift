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
