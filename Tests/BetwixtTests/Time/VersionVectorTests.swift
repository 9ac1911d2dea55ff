import Betwixt
import Testing

@Suite("Version vectors claim prefixes")
struct VersionVectorTests {
  /// A vector of small numbers for replicas 1 to 4, and the same as a dictionary.
  private func draw(_ source: inout ChoiceSource) -> (VersionVector, [ReplicaID: Int64]) {
    var vector = VersionVector()
    var claims: [ReplicaID: Int64] = [:]
    for _ in 0..<source.next(below: 8) {
      let replica = ReplicaID(rawValue: UInt64(1 + source.next(below: 4)))
      let sequence = Int64(source.next(below: 4))
      vector[replica] = sequence
      claims[replica] = sequence == 0 ? nil : sequence
    }
    return (vector, claims)
  }

  @Test("reads, unions and coverage are those of a dictionary")
  func sameAsDictionary() {
    var source = ChoiceSource(seed: 1)
    for round in 0..<500 {
      let (left, leftClaims) = draw(&source)
      let (right, rightClaims) = draw(&source)
      let union = left.union(right)
      let claims = leftClaims.merging(rightClaims, uniquingKeysWith: max)
      #expect(Dictionary(uniqueKeysWithValues: union.map { ($0.replica, $0.sequence) }) == claims)
      #expect(union.map(\.replica) == claims.keys.sorted(), "round \(round)")
      #expect(union == right.union(left) && union.union(left) == union, "round \(round)")
      #expect(left.covers(right) == (union == left), "round \(round)")
      for replica in (1...4).map({ ReplicaID(rawValue: $0) }) {
        for sequence in 1...4 as ClosedRange<Int64> {
          let dot = Dot(replica: replica, sequence: sequence)
          #expect(left.covers(dot) == (sequence <= leftClaims[replica] ?? 0), "round \(round)")
        }
      }
    }
  }

  @Test("claims of 0 or less are none, so equal claims are equal vectors")
  func noZeroes() {
    let replica = ReplicaID(rawValue: 9)
    var vector: VersionVector = [replica: 3]
    vector[replica] = 0
    #expect(vector == VersionVector() && vector.isEmpty)
    vector[replica] = -1
    #expect(vector.isEmpty && vector[replica] == 0)
    #expect(VersionVector(dictionaryLiteral: (replica, 2), (replica, 1))[replica] == 2)
    #expect(VersionVector(dictionaryLiteral: (replica, 0)).isEmpty)
  }
}
