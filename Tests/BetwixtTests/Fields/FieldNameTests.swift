import Betwixt
import Testing

@Suite("Field names are 1 to 255 bytes")
struct FieldNameTests {
  @Test("one byte below the limit, at it, above it")
  func limits() {
    #expect(FieldName(String()) == nil)
    for count in [1, 254, 255] {
      #expect(FieldName(String(repeating: "n", count: count))?.text.utf8.count == count)
    }
    #expect(FieldName(String(repeating: "n", count: 256)) == nil)
    // 128 characters of two bytes each: bytes count, not characters.
    #expect(FieldName(String(repeating: "\u{e9}", count: 127)) != nil)
    #expect(FieldName(String(repeating: "\u{e9}", count: 128)) == nil)
  }

  @Test("two spellings of one text are two names")
  func bytesDecide() {
    let composed: FieldName = "caf\u{e9}"
    let decomposed: FieldName = "cafe\u{301}"
    #expect(composed.text == decomposed.text)
    #expect(composed != decomposed)
    #expect(decomposed < composed)
    #expect(Set([composed, decomposed]).count == 2)
  }

  @Test("names with one fingerprint are told apart, and do not share a hash")
  func oneFingerprint() throws {
    let left: FieldName = "8yn0iYCKYHlIj4-BwPqk"
    let right: FieldName = "GReLUrM4wMqfg9yzV3KQ"
    #expect(left.fingerprint == right.fingerprint)
    #expect(left != right && left.hashValue != right.hashValue)
    var me = Replica(id: ReplicaID(rawValue: 1)) { World.startOfTime }
    var list = ReplicatedList(id: World.listID)
    let item = try list.append([left: 1, right: 2], by: &me)
    #expect(list[id: item]?[left] == 1 && list[id: item]?[right] == 2)
  }

  @Test("short names differ in their fingerprints, and no long name has one of those")
  func shortFingerprints() {
    var source = ChoiceSource(seed: 2)
    var names: Set<FieldName> = []
    for _ in 0..<400 {
      let count = 1 + source.next(below: 12)
      let text = String(
        decoding: (0..<count).map { _ in UInt8(source.next(below: 3)) }, as: UTF8.self)
      if let name = FieldName(text) { names.insert(name) }
    }
    let short = names.filter { $0.text.utf8.count <= 7 }
    let long = names.subtracting(short)
    #expect(Set(short.map(\.fingerprint)).count == short.count && short.count > 100)
    #expect(short.allSatisfy { $0.fingerprint < 0xff << 56 })
    #expect(long.allSatisfy { $0.fingerprint >= 0xff << 56 } && long.count > 100)
    for name in names {
      #expect(FieldName.fingerprint(of: name.text.utf8) == name.fingerprint)
      #expect(names.filter { $0 == name }.count == 1)
    }
  }

  @Test("an empty literal stops the program")
  func emptyLiteral() async {
    await #expect(processExitsWith: .failure) { _ = FieldName(stringLiteral: "") }
  }

  @Test("a literal that is too long stops the program")
  func longLiteral() async {
    await #expect(processExitsWith: .failure) {
      _ = FieldName(stringLiteral: String(repeating: "n", count: 256))
    }
  }
}
