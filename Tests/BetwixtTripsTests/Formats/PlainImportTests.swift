import Betwixt
import BetwixtTrips
import Testing

@Suite struct PlainImportTests {
  @Test func entriesStampsKeysAndReplicaAreThoseOfTheFormat() throws {
    let id = "c5714910-6435-57ee-bae2-0e0c2bdc7a35"
    let list = try Plain.list(
      """
      {"id":"9e50adbf-f5e2-51c2-b7f7-fe9959319df5","startDate":"2026-06-13","days":2,
      "modifiedAt":"2026-04-19T01:30:00.25Z","name":"Trip","items":[
      {"id":"\(id)","day":1,"sortOrder":-1,"title":"Brunch","modifiedAt":"1970-01-01T00:00:01Z"}]}
      """)
    #expect(list.id.description == "9e50adbff5e251c2b7f7fe9959319df5")
    let item = try #require(ItemID(uuid: id))
    let rootTime = Timestamp(milliseconds: 1_776_562_200_250)
    let itemTime = Timestamp(milliseconds: 1_000)
    func entries(by replica: ReplicaID) throws -> [Entry] {
      let root = Stamp(time: rootTime, replica: replica)
      let stamp = Stamp(time: itemTime, replica: replica)
      func field(_ name: FieldName, _ value: FieldValue, _ sequence: Int64) -> Entry {
        Entry(
          item: .root, register: .field(name), value: .field(value), stamp: root,
          sequence: sequence)
      }
      return [
        field("days", 2, 1), field("name", "Trip", 2), field("startDate", "2026-06-13", 3),
        Entry(item: item, register: .life, value: .life(1), stamp: stamp, sequence: 4),
        Entry(
          item: item, register: .position,
          value: .position(section: 1, key: try SortKey(importing: -1, of: item)), stamp: stamp,
          sequence: 5),
        Entry(
          item: item, register: .field("title"), value: .field("Brunch"), stamp: stamp,
          sequence: 6),
      ]
    }
    let nobody = try entries(by: ReplicaID(rawValue: 0))
    let digest = SHA256.hash(Array("import\0".utf8) + nobody.flatMap(\.canonicalBytes))
    let replica = ReplicaID(rawValue: UInt64(bigEndianBytes: digest[..<8]))
    let expected = try entries(by: replica)
    #expect(list.allItems().flatMap(\.entries) == expected)
    #expect(list.version == [replica: 6])
  }

  @Test func foreignIDsAreHashedInTheirSpaces() throws {
    let list = try Plain.list(
      Plain.trip(
        Plain.item("row-7"), Plain.item("row-8", #""kind":"game","gameId":"final""#),
        Plain.item("row-9", #""kind":"game""#)))
    func hash(_ text: String) -> [UInt8] { Array(SHA256.hash(Array(text.utf8))[..<16]) }
    #expect(list.id.bytes == hash("trip\0t"))
    let ids = [hash("item\0row-7"), hash("game\0final"), hash("game\0row-9")]
    #expect(
      list.allItems().dropFirst().map(\.id.bytes).sorted(by: { $0.lexicographicallyPrecedes($1) })
        == ids.sorted { $0.lexicographicallyPrecedes($1) })
    #expect(list.metadata["foreignId"] == "t")
    #expect(list[id: ForeignIdentity.game("final")]?["foreignId"] == "row-8")
    #expect(list[id: ForeignIdentity.game("row-9")]?["gameId"] == nil)
    #expect(text(PlainExport(list).bytes).contains(#""id":"row-8""#))
  }

  @Test func theSpellingOfAUUIDIsKept() throws {
    let upper = "C5714910-6435-57EE-BAE2-0E0C2BDC7A35"
    let lower = upper.lowercased()
    let spelled = try Plain.list(Plain.trip(Plain.item(upper)))
    let plain = try Plain.list(Plain.trip(Plain.item(lower)))
    let id = try #require(ItemID(uuid: upper))
    #expect(spelled[id: id]?["foreignId"] == .string(upper))
    #expect(plain[id: id]?["foreignId"] == nil)
    #expect(plain[id: id]?.fields.isEmpty ?? false)
  }

  @Test func unknownMembersAreKeptInTheirTypes() throws {
    let members = #"""
      "s":"x","t":true,"i":-3,"d":2.0,"e":1e3,"o":{"b":[1.50,{"y":1,"x":null}],"a":"é"},"a":[],
      "big":9223372036854775808,"n":null,"json:z":1,"json:y":null,"foreignId":"f","type":"kept",
      "format":"mine"
      """#
    let list = try Plain.list(Plain.trip(Plain.item("a", members)))
    let expected: [String: FieldValue?] = [
      "s": "x", "t": true, "i": -3, "d": 2.0, "e": 1000.0,
      "json:o": #"{"a":"é","b":[1.5,{"x":null,"y":1}]}"#, "json:a": "[]",
      "json:big": "9223372036854775808", "n": nil, "json:json:z": "1",
      "json:json:y": nil, "json:foreignId": #""f""#, "foreignId": "a", "type": "kept",
      "format": "mine",
    ]
    #expect(registers(list, Plain.itemA) == expected)
    let again = try PlainTrip(PlainExport(list).bytes, file: "again").list()
    #expect(registers(again, Plain.itemA) == expected)
    #expect(PlainExport(again).bytes == PlainExport(list).bytes)
  }

  @Test func rootMembersAreFieldsToo() throws {
    let members =
      #""name":"T","group":{"x":1},"type":"ours","format":"other","foreignId":null,"n":7"#
    let list = try Plain.list(Plain.trip(members: members))
    let expected: [String: FieldValue?] = [
      "startDate": "2026-06-11", "days": 3, "name": "T", "json:group": #"{"x":1}"#,
      "json:type": #""ours""#, "format": "other", "json:foreignId": nil, "n": 7,
      "foreignId": "t",
    ]
    #expect(registers(list, .root) == expected)
    let export = PlainExport(list)
    #expect(export.omissions.isEmpty)
    #expect(try registers(PlainTrip(export.bytes, file: "again").list(), .root) == expected)
  }

  @Test func knownFieldsHaveTheirTypes() throws {
    let list = try Plain.list(
      Plain.trip(
        Plain.item("a", #""kind":"travel","distanceKm":137,"latitude":40,"time":"07:30:59""#),
        Plain.item("b", #""distanceKm":137,"from":{"x":1}"#),
        Plain.item(
          "c", #""kind":"game","start":"2026-06-11T13:00:30-06:00","time":{"x":1},"round":"1""#)))
    #expect(list[id: Plain.itemA]?["distanceKm"] == 137.0)
    #expect(list[id: Plain.itemA]?["latitude"] == 40.0)
    #expect(list[id: Plain.itemA]?["time"] == "07:30")
    // The same names mean nothing in an item of another kind.
    #expect(list[id: Plain.itemB]?["distanceKm"] == 137)
    #expect(list[id: Plain.itemB]?["json:from"] == #"{"x":1}"#)
    let game = list[id: ForeignIdentity.game("c")]
    #expect(game?["start"] == "2026-06-11T13:00-06:00")
    #expect(game?["json:time"] == #"{"x":1}"#)
  }

  @Test func nullClearsFieldsAndIsAbsenceElsewhere() throws {
    let list = try Plain.list(
      Plain.trip(
        Plain.item("a", #""title":null,"x":null,"kind":null,"gameId":null,"modifiedAt":null"#),
        members: #""name":null,"note":null"#))
    #expect(
      registers(list, Plain.itemA) == ["title": nil, "kind": nil, "x": nil, "foreignId": "a"])
    #expect(
      registers(list, .root)
        == ["startDate": "2026-06-11", "days": 3, "note": nil, "foreignId": "t"])
    let export = text(PlainExport(list).bytes)
    #expect(export.contains(#""title":null"#))
    #expect(export.contains(#""note":null"#))
  }

  @Test func itemsWithoutNumbers() throws {
    let list = try Plain.list(
      """
      {"id":"t","startDate":"2026-06-11","items":[
      {"id":"b","day":1},{"id":"g","kind":"game","start":"2026-06-12T18:00"},
      {"id":"a","day":1},{"id":"h","kind":"game","start":"2026-06-12","day":1},
      {"id":"c","day":2},{"id":"d","day":2},{"id":"i","kind":"game","day":3},
      {"id":"e","day":3,"sortOrder":-4.5},{"id":"f","day":4,"sortOrder":2.5},
      {"id":"j","day":4}]}
      """)
    let places = list.map { item in
      let id = item["foreignId"]?.string ?? ""
      return "\(id) \(item.section ?? 0) \(item.key?.approximateSortOrder ?? 0)"
    }
    // Games get their anchors, the others follow below all that have a number, in file order.
    #expect(
      places == [
        "h 1 1540.0", "b 1 1541.0", "a 1 1542.0", "g 2 1180.0", "c 2 1181.0", "d 2 1182.0",
        "e 3 -4.5", "i 3 1.0", "f 4 2.5", "j 4 3.0",
      ])
  }

  @Test func numbersBeyondWholeOnesStillRise() throws {
    let list = try Plain.list(
      Plain.trip(
        Plain.item("a", #""sortOrder":1e300"#), #"{"id":"b","day":1}"#, #"{"id":"c","day":1}"#,
        Plain.item("d", #""day":2,"sortOrder":1.7976931348623157e308"#), #"{"id":"e","day":2}"#))
    let numbers = list.map { $0.key?.approximateSortOrder ?? 0 }
    #expect(numbers[0] < numbers[1] && numbers[1] < numbers[2])
    #expect(numbers[4] == .greatestFiniteMagnitude)
  }

  @Test func minusZeroIsZero() throws {
    let list = try Plain.list(Plain.trip(Plain.item("a", #""sortOrder":-0.0,"x":-0.0"#)))
    let export = text(PlainExport(list).bytes)
    #expect(export.contains(#""sortOrder":0.0"#))
    #expect(export.contains(#""x":-0.0"#))
  }

  @Test func importIntoADocumentRemovesNothingAndRevivesNothing() throws {
    let base = try Plain.file(
      Plain.trip(Plain.item("a", #""title":"A""#), Plain.item("b"), Plain.item("c")))
    let removed = try TripImport(
      Plain.file(Plain.trip(Plain.item("a", #""title":"A""#), Plain.item("c"))), base: base)
    #expect(removed.counts == .init(unchanged: 2, removed: 1))
    let later = try Plain.file(
      Plain.trip(
        Plain.item("a", #""title":"New","modifiedAt":"2026-01-01T00:00:00Z""#), Plain.item("b"),
        Plain.item("d")))
    let result = try TripImport(later, into: removed.list)
    #expect(result.counts == .init(added: 1, updated: 1, keptRemoved: 1))
    #expect("\(result.counts)" == "added 1, updated 1, unchanged 0, kept removed 1")
    #expect(result.list.contains(id: Plain.itemC))
    #expect(!result.list.contains(id: Plain.itemB))
    #expect(result.list[id: Plain.itemA]?["title"] == "New")
  }

  @Test func theLaterModifiedAtWinsPerField() throws {
    let early = Plain.item("a", #""title":"early","note":"n","modifiedAt":"2026-01-01T00:00:00Z""#)
    let late = Plain.item("a", #""title":"late","day":2,"modifiedAt":"2026-01-02T00:00:00Z""#)
    let never = Plain.item("a", #""title":"never","icon":"i""#)
    let lists = try [early, late, never].map { try Plain.list(Plain.trip($0)) }
    for order in permutations(lists) {
      let joined = order[0].merging(order[1]).merging(order[2])
      let item = joined[id: Plain.itemA]
      #expect(item?["title"] == "late")
      #expect(item?["note"] == "n")
      #expect(item?["icon"] == "i")
      #expect(item?.section == 2)
      #expect(joined.count == 1)
    }
  }

  @Test func twentyThousandItems() throws {
    let items = (0..<20_000).map { index in
      Plain.item("row-\(index)", "\"day\":\(index % 30 + 1),\"sortOrder\":\(index),\"title\":\"T\"")
    }
    let text =
      "{\"id\":\"t\",\"startDate\":\"2026-06-11\",\"items\":["
      + items.joined(separator: ",") + "]}"
    let list = try Plain.list(text)
    #expect(list.count == 20_000)
    let again = try PlainTrip(PlainExport(list).bytes, file: "again").list()
    #expect(again == list)
    #expect(Trip(list).rows.count == 20_030)
  }
}
