import Betwixt
import TestSupport
import Testing

@testable import BetwixtSync

/// What is written in pieces is what is appended byte by byte.
@Suite struct ByteWriterTests {
  /// Lengths around those of a word, of what is copied in words, and of a piece of memory.
  private static let lengths =
    Array(0...17) + [63, 64, 65, 66, 16_374, 16_383, 16_384, 16_385, 40_000]

  private static let kindCount = 6

  /// Writes one thing of some kind to both.
  private static func write(
    _ kind: Int, _ number: UInt64, length: Int, to writer: inout ByteWriter,
    and expected: inout [UInt8]
  ) {
    switch kind {
    case 0:
      expected.append(UInt8(truncatingIfNeeded: number))
      writer.append(UInt8(truncatingIfNeeded: number))
    case 1:
      expected.appendVarint(number)
      writer.appendVarint(number)
    case 2:
      expected.appendVarint(Int(number >> 1))
      writer.appendVarint(Int(number >> 1))
    case 3:
      expected.appendZigzag(Int64(bitPattern: number))
      writer.appendZigzag(Int64(bitPattern: number))
    case 4:
      expected.appendBigEndian(number)
      writer.appendBigEndian(number)
    default:
      let run = (0..<length).map { UInt8(truncatingIfNeeded: $0 + Int(number & 0xff)) }
      expected += run
      writer.append(run.span)
    }
  }

  @Test(arguments: 0..<40 as Range<UInt64>) func writesAsAnArrayDoes(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    var expected = [UInt8](repeating: 7, count: random.next(below: 3) * 9_000)
    var writer = ByteWriter(behind: expected)
    for _ in 0..<random.next(below: 400) {
      let number = random.next() >> UInt64(random.next(below: 64))
      let length = Self.lengths[random.next(below: Self.lengths.count)]
      Self.write(
        random.next(below: Self.kindCount), number, length: length, to: &writer, and: &expected)
    }
    #expect(writer.finish() == expected)
  }

  /// Each kind where so much room is left in a piece, from none to more than it needs.
  @Test(arguments: 0..<kindCount) func aPieceEndsAnywhere(kind: Int) {
    for room in 0...24 {
      var expected = [UInt8](repeating: 1, count: 16_384 - room)
      var writer = ByteWriter(behind: [])
      writer.append(expected.span)
      Self.write(kind, .max, length: 20, to: &writer, and: &expected)
      Self.write(0, 9, length: 0, to: &writer, and: &expected)
      #expect(writer.finish() == expected)
    }
  }
}
