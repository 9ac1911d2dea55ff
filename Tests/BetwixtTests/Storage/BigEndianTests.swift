import Betwixt
import Testing

@Suite("Bytes appended at once are those appended one by one")
struct BigEndianTests {
  @Test("numbers")
  func numbers() {
    var source = ChoiceSource(seed: 1)
    for _ in 0..<500 {
      let number = UInt64(source.next(below: .max)) >> UInt64(source.next(below: 64))
      var fast: [UInt8] = [7]
      fast.appendBigEndian(number)
      fast.appendBigEndian(UInt32(truncatingIfNeeded: number))
      var plain: [UInt8] = [7]
      for shift in [56, 48, 40, 32, 24, 16, 8, 0, 24, 16, 8, 0] as [UInt64] {
        plain.append(UInt8(truncatingIfNeeded: number >> shift))
      }
      #expect(fast == plain)
      #expect(fast.span.extracting(1..<9).bigEndian() == number)
      #expect(UInt64(bigEndianBytes: fast[1..<9]) == number)
    }
  }

  @Test("spans of any length, and the last eight bytes of a longer one as a number")
  func spans() {
    var source = ChoiceSource(seed: 2)
    for length in 0..<70 {
      let bytes = (0..<length).map { _ in UInt8(source.next(below: 256)) }
      let start = source.next(below: length + 1)
      var fast: [UInt8] = [1, 2]
      fast.append(bytes.span.extracting(start..<length))
      #expect(fast == [1, 2] + bytes[start...])
      #expect(bytes.span.bigEndian() == UInt64(bigEndianBytes: bytes.suffix(8)[...]))
    }
  }
}
