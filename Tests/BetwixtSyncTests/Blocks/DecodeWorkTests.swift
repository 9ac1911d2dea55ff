// Steps are counted in debug builds only.
#if os(Linux) && DEBUG
import Betwixt
import Testing

@testable import BetwixtSync

/// P20: decoding takes time in proportion to the bytes, shown by counts and never by a stopwatch.
///
/// Each step of the reader looks at a byte at least once, and apart from the steps there are only
/// searches in sorted tables.
@Suite struct DecodeWorkTests {
  /// A block of so many parts that are as small as the format allows.
  struct Shape: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let bytes: @Sendable (Int) -> [UInt8]
  }

  static let shapes = [
    Shape(testDescription: "replicas") { Greedy.replicas($0) },
    Shape(testDescription: "registers") { Greedy.registers($0) },
    Shape(testDescription: "ranges") { Greedy.ranges($0) },
    Shape(testDescription: "lives") { Greedy.items($0, [Greedy.life(isLast: true)]) },
    Shape(testDescription: "positions") { Greedy.items($0, [Greedy.position]) },
    Shape(testDescription: "texts") {
      Greedy.items($0, [Greedy.text], registers: [1, 2, 1, 0x61])
    },
    Shape(testDescription: "lives and positions") {
      Greedy.items($0, [Greedy.life(isLast: false), Greedy.position])
    },
  ]

  private static func steps(_ bytes: [UInt8]) throws -> Int {
    var reader = Reader(bytes)
    let block = try BlockDecoder(.ceiling).block(&reader)
    try reader.finish()
    #expect(!block.delta.rows.isEmpty || !block.delta.ranges.isEmpty)
    return reader.stepCount
  }

  @Test(arguments: shapes) func stepsFollowTheBytes(shape: Shape) throws {
    var perByte: [Double] = []
    for count in [500, 2_000, 8_000] {
      let bytes = shape.bytes(count)
      let steps = try Self.steps(bytes)
      // A value may be empty; its length in front of it is not.
      #expect(steps <= 2 * bytes.count)
      perByte.append(Double(steps) / Double(bytes.count))
    }
    // Sixteen times as much takes sixteen times the steps.
    #expect(perByte[2] < perByte[0] * 1.1)
    print("decoding \(shape.testDescription): \(perByte[2]) steps for each byte")
  }

  @Test func whatIsRefusedTakesNoMoreSteps() {
    // Cut anywhere, the steps up to there were taken once.
    let bytes = Greedy.items(200, [Greedy.life(isLast: false), Greedy.position])
    for end in bytes.indices {
      var reader = Reader(Array(bytes[..<end]))
      #expect(throws: DecodeFailure.self) { try BlockDecoder(.ceiling).block(&reader) }
      #expect(reader.stepCount <= 2 * end + 2)
    }
  }
}
#endif
