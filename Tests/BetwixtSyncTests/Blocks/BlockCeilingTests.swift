import Betwixt
import TestSupport
import Testing

@testable import BetwixtSync

/// The ceilings of single values are exact: what may be written is read, and one byte more is not,
/// even where all else is right.
struct BlockCeilingTests {
  private static let item = ItemID(high: 1, low: 1)

  /// A block of one register, with a run of one byte in its value.
  private func block(_ register: Register, _ value: RegisterValue) throws -> [UInt8] {
    let stamp = Stamp(
      time: Timestamp(milliseconds: 1_777_000_000_000), replica: ReplicaID(rawValue: 1))
    var builder = Delta.Builder()
    try builder.add(
      Entry(item: Self.item, register: register, value: value, stamp: stamp, sequence: 1))
    return try Block(.delta, of: Sample.listID, holding: builder.build()).encoded()
  }

  /// The block with one more byte in its run, and the count in front of it raised by one.
  private func grown(_ bytes: [UInt8], count: Int, run: Int) throws -> [UInt8] {
    var old: [UInt8] = []
    old.appendVarint(count)
    var new: [UInt8] = []
    new.appendVarint(count + 1)
    let sample = [UInt8](repeating: UInt8(ascii: "x"), count: 32)
    let first = try #require(
      bytes.indices.first { bytes[$0] == sample[0] && bytes[$0...].starts(with: sample) })
    let (start, end) = (first - (count - run), first + run)
    try #require(Array(bytes[(start - old.count)..<start]) == old)
    return Array(bytes[..<(start - old.count)]) + new + bytes[start..<end] + [UInt8(ascii: "x")]
      + bytes[end...]
  }

  private func expectTooLong(_ bytes: [UInt8]) {
    do throws(DecodeFailure) {
      _ = try Block(decoding: bytes)
      Issue.record("one byte over the ceiling is decoded")
    } catch {
      #expect(error.reason == .tooLong)
    }
  }

  @Test func texts() throws {
    // The tag takes one byte of a value.
    let most = FieldValue.maximumByteCount - 1
    for count in [most - 1, most] {
      let text = String(repeating: "x", count: count)
      let bytes = try block(.field("title"), .field(.string(text)))
      #expect(try Block(decoding: bytes).delta.entries.first?.value == .field(.string(text)))
      let longer = try grown(bytes, count: count, run: count)
      if count < most {
        #expect(throws: Never.self) { try Block(decoding: longer) }
      } else {
        expectTooLong(longer)
      }
    }
  }

  @Test func bytesAndUnknownValues() throws {
    let most = FieldValue.maximumByteCount - 1
    for count in [most - 1, most] {
      let run = [UInt8](repeating: UInt8(ascii: "x"), count: count)
      for value in [FieldValue.bytes(run), .unknown(tag: 0x7f, payload: run)] {
        let bytes = try block(.field("title"), .field(value))
        #expect(try Block(decoding: bytes).delta.entries.first?.value == .field(value))
        let longer = try grown(bytes, count: count + 1, run: count)
        if count < most {
          #expect(throws: Never.self) { try Block(decoding: longer) }
        } else {
          expectTooLong(longer)
        }
      }
    }
  }

  @Test func registersOfOtherKinds() throws {
    let most = FieldValue.maximumByteCount
    let register = Register.other(kind: 0x03, name: [1])
    let run = [UInt8](repeating: UInt8(ascii: "x"), count: most)
    let bytes = try block(register, .other(run))
    #expect(try Block(decoding: bytes).delta.entries.first?.value == .other(run))
    expectTooLong(try grown(bytes, count: most, run: most))
  }
}
