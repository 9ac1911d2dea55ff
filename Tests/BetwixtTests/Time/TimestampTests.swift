import Betwixt
import Testing

@Suite("Timestamps take any clock")
struct TimestampTests {
  private static let limit: Int64 = (1 << 47) - 1

  static let readings: [(Int64, Int64)] = [
    (.min, 0), (-1, 0), (0, 0), (1, 1), (limit, limit), (limit + 1, limit), (.max, limit),
  ]

  @Test("readings outside the format count as its nearest end", arguments: readings)
  func clamping(reading: Int64, milliseconds: Int64) {
    #expect(Timestamp(milliseconds: reading).milliseconds == milliseconds)
    #expect(Timestamp(milliseconds: reading).counter == 0)
  }

  @Test("the counter runs over into the next millisecond, and the last time has no next")
  func successor() throws {
    let last = try #require(Timestamp(rawValue: 5 << 16 | 0xffff))
    #expect(last.successor?.milliseconds == 6)
    #expect(last.successor?.counter == 0)
    #expect(Timestamp.max.successor == nil)
    #expect(Timestamp(rawValue: UInt64(Int64.max)) == .max)
    #expect(Timestamp(rawValue: UInt64(Int64.max) + 1) == nil)
  }

  @Test("stamps order by time, then by replica as an unsigned number")
  func stampOrder() {
    let low = ReplicaID(rawValue: 1)
    let high = ReplicaID(rawValue: .max)
    let early = Timestamp(milliseconds: 1)
    let late = Timestamp(milliseconds: 2)
    #expect(Stamp(time: early, replica: high) < Stamp(time: late, replica: low))
    #expect(Stamp(time: early, replica: low) < Stamp(time: early, replica: high))
    #expect(!(Stamp(time: early, replica: low) < Stamp(time: early, replica: low)))
  }
}
