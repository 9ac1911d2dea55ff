import Betwixt
import BetwixtTrips
import Testing

@Suite struct PlainExportTests {
  private let writer = ReplicaID(rawValue: 7)

  /// A list whose registers are as a remote writer could have written them.
  private func list(
    _ fields: [(ItemID, FieldName, FieldValue?)], items: [ItemID] = [Plain.itemA]
  ) throws -> ReplicatedList {
    var builder = Delta.Builder()
    var sequence: Int64 = 0
    func entry(
      _ item: ItemID, _ register: Register, _ value: RegisterValue
    ) -> Entry {
      sequence += 1
      let stamp = Stamp(time: Timestamp(milliseconds: 1_000 + sequence), replica: writer)
      return Entry(
        item: item, register: register, value: value, stamp: stamp, sequence: sequence)
    }
    for item in items {
      try builder.add(entry(item, .life, .life(1)))
      let key = try SortKey(importing: 1, of: item)
      try builder.add(entry(item, .position, .position(section: 1, key: key)))
    }
    for (item, name, value) in fields {
      try builder.add(entry(item, .field(name), .field(value)))
    }
    builder.cover(writer, after: 0, through: sequence)
    var list = ReplicatedList(id: ForeignIdentity.list("t"))
    list.merge(builder.build())
    return list
  }

  private func member(_ name: String, of list: ReplicatedList) -> PlainViewItem.Member? {
    PlainView(list).items.first?.member(name)
  }

  @Test func whatAPlainFileCannotHoldIsCounted() throws {
    let fields: [(ItemID, FieldName, FieldValue?)] = [
      (.root, "startDate", "2026-06-11"), (.root, "days", "three"), (.root, "items", 1),
      (.root, "type", "other"), (.root, "format", "betwixt-trip"),
      (Plain.itemA, "b", .bytes([1])), (Plain.itemA, "inf", .double(.infinity)),
      (Plain.itemA, "nan", .double(.nan)), (Plain.itemA, "title", 7),
      (Plain.itemA, "time", "noon"), (Plain.itemA, "latitude", 91.0),
      (Plain.itemA, "day", 4), (Plain.itemA, "tripId", "x"),
      (Plain.itemA, "json:o", "{"), (Plain.itemA, "json:i", 1), (Plain.itemA, "json:", "1"),
      (Plain.itemA, "json:day", "1"), (Plain.itemA, "json:title", "[]"),
      (Plain.itemA, "new", .unknown(tag: 7, payload: [1])),
      (Plain.itemA, "json:deep", .string(nested(14))), (Plain.itemA, "kept", 1),
      (Plain.itemA, "json:flat", .string(nested(13))), (Plain.itemA, "sortOrder", nil),
    ]
    let export = PlainExport(try list(fields))
    let omitted = export.omissions.map { "\($0.field?.text ?? "") \($0.reason.rawValue)" }
    #expect(
      omitted == [
        "days bad field", "format structural name", "items structural name",
        "type structural name", "b bytes", "day structural name", "inf non-finite number",
        "json: structural name", "json:day structural name", "json:deep no JSON",
        "json:i no JSON", "json:o no JSON", "json:title bad field", "latitude bad field",
        "nan non-finite number", "new unknown value", "time bad field", "title bad field",
        "tripId structural name",
      ])
    #expect(
      Omission.summary(export.omissions)?.hasPrefix(
        "not written: 1 × “b” (bytes), 1 × “day” (structural name), ") ?? false)
    let again = try PlainTrip(export.bytes, file: "again").list()
    #expect(again[id: Plain.itemA]?["kept"] == 1)
    #expect(again[id: Plain.itemA]?["json:flat"] != nil)
  }

  private func nested(_ depth: Int) -> String {
    String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
  }

  @Test func ofTwoFieldsOfOneMemberTheLaterIsWritten() throws {
    let plainLater = try list([(Plain.itemA, "json:x", "[1]"), (Plain.itemA, "x", 2)])
    #expect(member("x", of: plainLater)?.value == 2)
    #expect(PlainExport(plainLater).omissions.map(\.reason) == [.hidden])
    let jsonLater = try list([(Plain.itemA, "x", 2), (Plain.itemA, "json:x", "[1]")])
    #expect(member("x", of: jsonLater)?.isJSON ?? false)
    let cleared = try list([(Plain.itemA, "json:x", "[1]"), (Plain.itemA, "json:x", nil)])
    #expect(text(PlainExport(cleared).bytes).contains(#""x":null"#))
    #expect(PlainExport(cleared).omissions.isEmpty)
  }

  @Test func aForeignIDIsWrittenOnlyIfItLeadsBack() throws {
    let fake = try list([(.root, "foreignId", "other"), (Plain.itemA, "foreignId", "b")])
    let export = text(PlainExport(fake).bytes)
    #expect(export.contains("\"id\":\"\(Plain.itemA.uuid)\""))
    #expect(export.contains("\"id\":\"\(fake.id.uuid)\""))
    let honest = try list([(.root, "foreignId", "t"), (Plain.itemA, "foreignId", "a")])
    #expect(text(PlainExport(honest).bytes).contains(#""id":"a""#))
    #expect(text(PlainExport(honest).bytes).contains(#""tripId":"t""#))
  }

  @Test func theTimeIsThatOfTheNewestWrite() throws {
    let one = try list([(.root, "startDate", "2026-06-11"), (Plain.itemA, "x", 1)])
    let bytes = text(PlainExport(one).bytes)
    #expect(bytes.contains(#""modifiedAt":"1970-01-01T00:00:01.004Z","sortOrder""#))
    #expect(bytes.contains("\"modifiedAt\":\"1970-01-01T00:00:01.003Z\",\n"))
    let never = try Plain.list(Plain.trip(Plain.item("a")))
    #expect(!text(PlainExport(never).bytes).contains("modifiedAt"))
  }

  @Test func removedItemsAreNotWritten() throws {
    var list = try Plain.list(Plain.trip(Plain.item("a"), Plain.item("b")))
    list = try Plain.file(Plain.trip(Plain.item("b"))).list(base: list)
    #expect(text(PlainExport(list).bytes).contains(#""id":"b""#))
    #expect(!text(PlainExport(list).bytes).contains(#""id":"a""#))
  }

  @Test func anEmptyTripIsCanonicalToo() throws {
    let list = try Plain.list(Plain.trip())
    #expect(
      text(PlainExport(list).bytes)
        == "{\n\"days\":3,\n\"id\":\"t\",\n\"items\":[],\n\"startDate\":\"2026-06-11\"\n}\n")
  }

  @Test func distinctNumbersRiseByThemselves() throws {
    let tied = try Plain.list(
      Plain.trip(Plain.item("a"), Plain.item("b"), Plain.item("c", #""sortOrder":2"#)))
    let plain = PlainView(tied).items.map(\.number)
    #expect(plain == [1, 1, 2])
    #expect(PlainView(tied, distinct: true).items.map(\.number) == [1, 1.5, 2])
    let bytes = PlainExport(tied, distinct: true).bytes
    let again = try PlainTrip(bytes, file: "again").list()
    #expect(again.map(\.id) == tied.map(\.id))
  }
}
