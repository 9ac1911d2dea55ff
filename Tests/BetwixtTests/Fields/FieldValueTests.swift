import Betwixt
import Testing

@Suite("Field values are their canonical bytes")
struct FieldValueTests {
  static let cases: [(FieldValue, [UInt8])] = [
    (.bool(false), [1]),
    (.bool(true), [2]),
    (.int64(0), [3, 0x80, 0, 0, 0, 0, 0, 0, 0]),
    (.int64(-1), [3, 0x7f, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff]),
    (.int64(.min), [3, 0, 0, 0, 0, 0, 0, 0, 0]),
    (.double(1.5), [4, 0x3f, 0xf8, 0, 0, 0, 0, 0, 0]),
    (.double(-0.0), [4, 0x80, 0, 0, 0, 0, 0, 0, 0]),
    (.double(.nan), [4, 0x7f, 0xf8, 0, 0, 0, 0, 0, 0]),
    (.double(-.signalingNaN), [4, 0x7f, 0xf8, 0, 0, 0, 0, 0, 0]),
    (.string(""), [5]),
    (.string("e\u{301}"), [5, 0x65, 0xcc, 0x81]),
    (.bytes([0, 255]), [6, 0, 255]),
    (.unknown(tag: 7, payload: [9]), [7, 9]),
    (.unknown(tag: 0x7f, payload: []), [0x7f]),
  ]

  @Test("each kind has its bytes and comes back from them", arguments: cases)
  func bytes(value: FieldValue, bytes: [UInt8]) {
    #expect(value.canonicalBytes == bytes)
    #expect(value.canonicalByteCount == bytes.count)
    #expect(FieldValue(canonicalBytes: bytes[...]) == value)
  }

  @Test("values are equal exactly if their bytes are")
  func equality() {
    for (left, leftBytes) in Self.cases {
      for (right, rightBytes) in Self.cases {
        #expect((left == right) == (leftBytes == rightBytes), "\(left) \(right)")
        if left == right { #expect(left.hashValue == right.hashValue, "\(left) \(right)") }
      }
    }
    #expect(FieldValue.string("\u{e9}") != .string("e\u{301}"))
    #expect(FieldValue.double(0) != .double(-0.0))
  }

  @Test("an accessor answers for its own kind only")
  func accessors() {
    for (value, _) in Self.cases {
      let answers = [
        value.string != nil, value.int64 != nil, value.double != nil, value.bool != nil,
        value.bytes != nil,
      ]
      let isUnknown = if case .unknown = value { true } else { false }
      #expect(answers.count { $0 } == (isUnknown ? 0 : 1), "\(value)")
    }
  }
}
