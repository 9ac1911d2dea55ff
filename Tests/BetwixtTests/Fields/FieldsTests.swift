import Betwixt
import Testing

@Suite("Fields by name")
struct FieldsTests {
  @Test("they are a dictionary whose names rise", arguments: 0..<10 as Range<UInt64>)
  func sameAsDictionary(seed: UInt64) throws {
    var source = ChoiceSource(seed: seed)
    var fields = Fields()
    var expected: [FieldName: FieldValue] = [:]
    for number in 0..<80 as Range<Int64> {
      let name = try #require(FieldName("name \(source.next(below: 12))"))
      let value: FieldValue? = source.chance(1, in: 3) ? nil : .int64(number)
      fields[name] = value
      expected[name] = value
      #expect(fields.map(\.name) == expected.keys.sorted())
      for name in expected.keys { #expect(fields[name] == expected[name]) }
      #expect(fields["name"] == nil && fields["zzz"] == nil)
      #expect(fields.endIndex == expected.count && fields.isEmpty == expected.isEmpty)
    }
    var other = Fields()
    for name in source.shuffled(Array(expected.keys)) { other[name] = expected[name] }
    #expect(other == fields)
  }

  @Test("of a name given twice the last value counts")
  func literal() {
    let fields: Fields = ["b": 1, "a": 2, "b": 3]
    #expect(fields.map(\.name) == ["a", "b"] && fields["b"] == 3 && fields[1].value == 3)
  }
}

@Suite("What an item shows")
struct ListItemTests {
  @Test("of a new item, a removed one, and one of which only something has arrived")
  func states() throws {
    let device = Device(ReplicatedList(id: World.listID), replica: 1, clock: 5_000)
    let id = try device.list.append(["b": 1, "a": 2], toSection: 3, by: &device.me)
    let whole = try #require(device.list[id: id])
    #expect(whole.isVisible && !whole.isRemoved && whole.lifeLength == 1 && whole.section == 3)
    #expect(whole.fields == ["a": 2, "b": 1] && whole["a"] == 2 && whole["none"] == nil)
    #expect(whole.newestTime == Timestamp(milliseconds: 5_000))
    device.clock.now = 6_000
    try device.list.clear("a", of: id, by: &device.me)
    device.clock.now = 4_000
    try device.list.remove(id, by: &device.me)
    let removed = try #require(device.list[id: id])
    #expect(!removed.isVisible && removed.isRemoved && removed.section == 3)
    #expect(removed.fields == ["b": 1] && removed["a"] == nil && removed.entries.count == 4)
    #expect(removed.newestTime == Timestamp(milliseconds: 6_000))
    // The snapshot stays as it was.
    #expect(whole.isVisible && whole["a"] == 2)
    var part = ReplicatedList(id: World.listID)
    part.merge(try Delta(removed.entries.filter { $0.register == .position }))
    let half = try #require(part[id: id])
    #expect(!half.isVisible && !half.isRemoved && half.lifeLength == 0 && half.key == whole.key)
    part.merge(try Delta(whole.entries.filter { $0.register == .life }))
    #expect(part[id: id]?.isVisible == true && part.map(\.id) == [id])
  }
}
