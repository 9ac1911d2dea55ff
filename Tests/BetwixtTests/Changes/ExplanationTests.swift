import Betwixt
import Testing

@Suite("Explanations of where an item stands")
struct ExplanationTests {
  private static let time: Int64 = 1_777_000_000_000

  private func firstLine(_ list: ReplicatedList, _ item: ItemID) -> String? {
    list.explain(item).map { String($0.description.prefix { $0 != "\n" }) }
  }

  @Test("items that are shown, removed, half arrived, and the list itself")
  func places() throws {
    var list = ReplicatedList(id: World.listID)
    var me = Replica(id: ReplicaID(rawValue: 5)) { Self.time }
    let shown = try list.insert(["a": true], at: 0, inSection: 3, by: &me)
    let removed = try list.insert([:], at: 1, inSection: 3, by: &me)
    try list.remove(removed, by: &me)
    try list.set("name", of: .root, to: "Trip", by: &me)
    let half = ItemID(high: 9, low: 9)
    list.merge(
      try Delta([
        Entry(
          item: half, register: .life, value: .life(1),
          stamp: Stamp(time: Timestamp(milliseconds: 1), replica: ReplicaID(rawValue: 8)),
          sequence: 1)
      ]))
    #expect(firstLine(list, shown) == "\(shown) stands at place 0, in section 3")
    #expect(firstLine(list, removed) == "\(removed) is removed")
    #expect(firstLine(list, .root) == "\(ItemID.root) is the list itself, which stands nowhere")
    #expect(
      firstLine(list, half)
        == "\(half) is not complete: some of its registers have not arrived")
    #expect(list.explain(ItemID(high: 1, low: 2)) == nil)
  }

  @Test("every kind of value in words")
  func values() throws {
    var list = ReplicatedList(id: World.listID)
    var me = Replica(id: ReplicaID(rawValue: 5)) { Self.time }
    let fields: [(FieldName, FieldValue?, String)] = [
      ("a", true, "true"), ("b", -7, "-7"), ("c", 1.5, "1.5"), ("d", "x", "\u{201c}x\u{201d}"),
      ("e", .bytes([1, 2]), "2 bytes"),
      ("f", .unknown(tag: 9, payload: [1]), "1 bytes of the unknown kind 9"),
    ]
    for (name, value, _) in fields { try list.set([(name, value)], of: .root, by: &me) }
    try list.clear("a", of: .root, by: &me)
    let stamp = Stamp(time: Timestamp(milliseconds: Self.time), replica: me.id)
    list.merge(
      try Delta([
        Entry(
          item: .root, register: .other(kind: 3, name: [0x41]), value: .other([1, 2, 3]),
          stamp: stamp, sequence: 40)
      ]))
    let lines = try #require(list.explain(.root)).description.split(separator: "\n").dropFirst()
    let texts = [("a", "no value")] + fields.dropFirst().map { ($0.0.text, $0.2) }
    for (line, (name, text)) in zip(lines, texts + [("03:41", "3 bytes")]) {
      #expect(line.hasPrefix("  \(name): \(text), written by \(me.id) as its number "))
    }
    #expect(lines.count == 7)
  }

  @Test("each write with its value, its writer and its time")
  func writes() throws {
    var list = ReplicatedList(id: World.listID)
    var me = Replica(id: ReplicaID(rawValue: 5)) { Self.time }
    let item = try list.append(["a": 1], by: &me)
    try list.set("a", of: item, to: 2, by: &me)
    try list.remove(item, by: &me)
    let lines = try #require(list.explain(item)).description.split(separator: "\n")
    let order = try #require(list[id: item]?.key?.approximateSortOrder)
    let writer = "written by \(me.id) as its number"
    #expect(lines.count == 4)
    #expect(lines[1] == "  life: removed (length 2), \(writer) 5 at \(Self.time) ms + 1")
    #expect(
      lines[2] == "  position: section 0, sort order \(order), \(writer) 2 at \(Self.time) ms")
    #expect(lines[3] == "  a: 2, \(writer) 4 at \(Self.time) ms + 1")
  }
}
