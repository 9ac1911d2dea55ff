import Betwixt
import BetwixtTrips
import TestSupport
import Testing

@Suite struct TripJSONTests {
  @Test("100,000 items are as many as a file may have")
  func mostItems() throws {
    var me = Replica(id: ReplicaID(rawValue: 1)) { 1_780_000_000_000 }
    var list = ReplicatedList(id: ListID(high: 1, low: 1))
    try list.set("name", of: .root, to: "Many", by: &me)
    for _ in 0..<100_000 { try list.append(Fields(), by: &me) }
    let bytes = TripJSON.encode(list)
    #expect(try TripFile(decoding: bytes, name: "many.trip.json").list().digest == list.digest)
    try list.append(Fields(), by: &me)
    let more = TripJSON.encode(list)
    let failure = #expect(throws: DocumentFailure.self) {
      try TripFile(decoding: more, name: "more.trip.json")
    }
    #expect(failure?.description.contains("too-large") ?? false, "\(String(describing: failure))")
  }

  // One register of each kind, written as the format says.
  private let whole = """
    {
    "format":"betwixt-trip",
    "id":"9e50adbff5e251c2b7f7fe9959319df5",
    "items":[
    {"fields":{"name":{"at":["019de7f0ef200000","00c0ffee00c0ffee",1],"string":"Follow Mexico"}},"id":"root"},
    {"fields":{"a":{"at":["019de7f0ef200000","00c0ffee00c0ffee",4],"bool":true},"b":{"at":["019de7f0ef200000","00c0ffee00c0ffee",5],"int":-9223372036854775808},"c":{"at":["019de7f0ef200000","00c0ffee00c0ffee",6],"double":-0.0},"d":{"at":["019de7f0ef200000","00c0ffee00c0ffee",7],"none":true},"e":{"at":["019de7f0ef200000","00c0ffee00c0ffee",8],"bytes":"00ff"},"f":{"at":["019de7f0ef200000","00c0ffee00c0ffee",9],"bits":"7ff8000000000000"},"g":{"at":["019de7f0ef200000","00c0ffee00c0ffee",9],"raw":"070102"},"é":{"at":["7fffffffffffffff","ffffffffffffffff",9223372036854775807],"string":"\\u0000\\""}},"id":"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa","life":{"at":["019de7f0ef200000","00c0ffee00c0ffee",2],"length":2},"other":{"04:x":{"at":["019de7f0ef200000","00c0ffee00c0ffee",10],"raw":"0a"},"7f:":{"at":["019de7f0ef200000","00c0ffee00c0ffee",11],"raw":""}},"position":{"at":["019de7f0ef200000","00c0ffee00c0ffee",3],"key":"bff8aaaaaaaaaaaaaaaa002aaaaaaaaaaaaaaa01","section":-2}}
    ],
    "vector":{"00c0ffee00c0ffee":11},
    "version":1
    }

    """

  private func failure(_ text: String) -> DocumentFailure? { Plain.failure(text) }

  private func replacing(_ part: String, _ other: String) -> String {
    // The part stands in the text exactly once, else a test would change something else.
    let pieces = whole.split(separator: part, omittingEmptySubsequences: false)
    #expect(pieces.count == 2, "\(part)")
    return pieces.joined(separator: other)
  }

  @Test func everyKindOfRegisterIsRead() throws {
    let list = try TripJSON.decode(Array(whole.utf8), file: "f")
    #expect(text(TripJSON.encode(list)) == whole)
    let item = try #require(ItemID("aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa").flatMap { list[id: $0] })
    #expect(item.isRemoved)
    #expect(item["a"] == true)
    #expect(item["b"] == .int64(.min))
    #expect(item["c"] == .double(-0.0))
    #expect(item["d"] == nil)
    #expect(item["e"] == .bytes([0, 255]))
    #expect(item["f"] == .double(.nan))
    #expect(item["g"] == .unknown(tag: 7, payload: [1, 2]))
    #expect(item["é"] == "\0\"")
    #expect(item.key?.approximateSortOrder == 1)
    #expect(item.section == -2)
    #expect(item.entries.count == 12)
    #expect(list.version == [ReplicaID(rawValue: 0x00c0_ffee_00c0_ffee): 11])
    #expect(list.metadata["name"] == "Follow Mexico")
  }

  @Test func whiteSpaceAndOrderAreFree() throws {
    let list = try TripJSON.decode(Array(whole.utf8), file: "f")
    let spaced = whole.split(separator: "\n").joined(separator: " \r\n\t")
    #expect(try TripJSON.decode(Array(spaced.utf8), file: "f") == list)
    let lines = whole.split(separator: "\n").map(String.init)
    let items = [lines[5], lines[4].dropLast() + ""].joined(separator: ",")
    let turned =
      #"{"version":1,"vector":{"00c0ffee00c0ffee":11},"items":["# + items
      + #"],"id":"9e50adbff5e251c2b7f7fe9959319df5","format":"betwixt-trip"}"#
    #expect(text(TripJSON.encode(try TripJSON.decode(Array(turned.utf8), file: "f"))) == whole)
  }

  @Test func anEmptyListIsCanonicalToo() throws {
    let list = ReplicatedList(id: ListID(high: 0, low: 1))
    let expected = """
      {
      "format":"betwixt-trip",
      "id":"00000000000000000000000000000001",
      "items":[],
      "vector":{},
      "version":1
      }

      """
    #expect(text(TripJSON.encode(list)) == expected)
    #expect(try TripJSON.decode(Array(expected.utf8), file: "f") == list)
  }

  @Test(arguments: [
    (#""version":1"#, #""version":2,"new":1"#, "unsupported-version"),
    (#""version":1"#, #""version":0"#, "bad-value"),
    (#""version":1"#, #""version":1.0"#, "wrong-type"),
    (#""version":1"#, #""Version":1"#, "missing"),
    (#""version":1"#, #""version":1,"more":1"#, "unknown-member"),
    (#""id":"9e50adbff5e251c2b7f7fe9959319df5","#, "", "missing"),
    ("9e50adbff5e251c2b7f7fe9959319df5", "9E50adbff5e251c2b7f7fe9959319df5", "bad-value"),
    ("\"vector\":{\"00c0ffee00c0ffee\":11},\n", "", "missing"),
    (#""00c0ffee00c0ffee":11"#, #""c0ffee00c0ffee":11"#, "bad-value"),
    (#""00c0ffee00c0ffee":11"#, #""00c0ffee00c0ffee":0"#, "bad-value"),
    (#""00c0ffee00c0ffee":11"#, #""00c0ffee00c0ffee":"11""#, "wrong-type"),
    (#""id":"root""#, #""id":"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa""#, "duplicate-id"),
    (#""id":"root""#, #""id":"00000000000000000000000000000000""#, "reserved-id"),
    (#""id":"root""#, #""id":"Root""#, "bad-value"),
    (#""id":"root""#, #""id":"root","x":1"#, "unknown-member"),
    (#""string":"Follow Mexico""#, #""string":7"#, "wrong-type"),
    (#""string":"Follow Mexico""#, #""text":"x""#, "missing"),
    (#""string":"Follow Mexico""#, #""string":"x","more":1"#, "unknown-member"),
    (#""string":"Follow Mexico""#, #""string":"x","int":1"#, "bad-value"),
    (#"{"name":"#, #"{"":"#, "bad-value"),
    (#""bool":true"#, #""bool":1"#, "wrong-type"),
    ("-9223372036854775808", "-9223372036854775809", "wrong-type"),
    ("-9223372036854775808", "1.0", "wrong-type"),
    (#""double":-0.0"#, #""double":"0""#, "wrong-type"),
    (#""none":true"#, #""none":false"#, "bad-value"), (#""none":true"#, #""none":1"#, "wrong-type"),
    (#""bytes":"00ff""#, #""bytes":"00f""#, "bad-value"),
    (#""bytes":"00ff""#, #""bytes":"00FF""#, "bad-value"),
    ("7ff8000000000000", "7ff8000000000001", "bad-value"),
    ("7ff8000000000000", "3ff0000000000000", "bad-value"),
    (#""raw":"070102""#, #""raw":"060102""#, "bad-value"),
    (#""raw":"070102""#, #""raw":"""#, "bad-value"),
    (#""raw":"070102""#, #""raw":"800102""#, "unsupported-version"),
    (#""04:x""#, #""02:x""#, "bad-value"), (#""04:x""#, #""4:x""#, "bad-value"),
    (#""04:x""#, #""80:x""#, "unsupported-version"),
    (#""length":2"#, #""length":0"#, "bad-value"),
    (#""length":2"#, #""length":2,"x":1"#, "unknown-member"),
    (#""length":2"#, #""x":2"#, "missing"),
    (#""section":-2"#, #""section":-2.5"#, "wrong-type"), (#""section":-2"#, #""x":1"#, "missing"),
    (
      "bff8aaaaaaaaaaaaaaaa002aaaaaaaaaaaaaaa01", "bff8aaaaaaaaaaaaaaaa002aaaaaaaaaaaaaaa",
      "bad-value"
    ),
    ("7fffffffffffffff", "8000000000000000", "bad-value"),
    ("7fffffffffffffff", "7FFFFFFFFFFFFFFF", "bad-value"),
    ("9223372036854775807", "0", "bad-value"),
    ("9223372036854775807", "9223372036854775808", "wrong-type"),
    (#","ffffffffffffffff","#, ",", "bad-value"),
    (#"["019de7f0ef200000","00c0ffee00c0ffee",2]"#, "7", "wrong-type"),
    (#""at":["019de7f0ef200000","00c0ffee00c0ffee",2],"#, "", "missing"),
  ])
  func refusals(_ part: String, _ other: String, _ reason: String) {
    #expect(failure(replacing(part, other))?.reason.rawValue == reason)
  }

  @Test func anItemNeedsARegister() {
    let text = replacing(#""bits":"7ff8000000000000""#, #""string":"x""#)
    #expect(failure(text) == nil)
    let empty =
      #"{"format":"betwixt-trip","id":"9e50adbff5e251c2b7f7fe9959319df5","vector":{},"version":1,"items":[{"id":"root"}]}"#
    #expect(failure(empty)?.reason == .missing)
  }

  @Test func oneDotTwiceIsLegal() throws {
    // `f` and `g` carry number 9 both: clones of one replica wrote them.
    let list = try TripJSON.decode(Array(whole.utf8), file: "f")
    #expect(list.allItems().flatMap(\.entries).count { $0.sequence == 9 } == 2)
  }

  @Test func nothingTraps() throws {
    var random = SplitMix64(seed: 3)
    let bytes = Array(whole.utf8)
    for _ in 0..<3_000 {
      guard let list = try? TripJSON.decode(damaged(bytes, using: &random), file: "f") else {
        continue
      }
      let again = TripJSON.encode(list)
      #expect(TripJSON.encode(try TripJSON.decode(again, file: "f")) == again)
    }
    for count in stride(from: 0, to: bytes.count - 1, by: 7) {
      #expect(throws: DocumentFailure.self) {
        try TripJSON.decode(Array(bytes[..<count]), file: "f")
      }
    }
  }
}
