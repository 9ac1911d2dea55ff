import Betwixt
import Testing

@Suite("Names of writes")
struct DotTests {
  @Test("they order by replica, then by number")
  func order() {
    let dots = [(1, 2), (1, 10), (2, 1), (2, 3), (10, 1)].map { replica, sequence in
      Dot(replica: ReplicaID(rawValue: replica), sequence: sequence)
    }
    for (place, dot) in dots.enumerated() {
      for (other, otherDot) in dots.enumerated() {
        #expect((dot < otherDot) == (place < other), "\(dot), \(otherDot)")
      }
    }
  }
}
