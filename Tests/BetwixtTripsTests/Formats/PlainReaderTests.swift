import Betwixt
import BetwixtTrips
import Testing

@Suite struct PlainReaderTests {
  @Test("Each item has its own time, whatever the one before it has")
  func timesOfItems() throws {
    let times = [
      "2026-05-01T10:00:00Z", "2026-05-01T10:00:00Z", nil, "2026-05-01T10:00:00Z",
      "2026-05-01T12:00:00+02:00", "2026-05-02T10:00:00Z", "1970-01-01T00:00:00Z", nil,
      "2026-05-02T10:00:00Z",
    ]
    let hours: [Int64?] = [0, 0, nil, 0, 0, 24, nil, nil, 24]
    let items = times.enumerated().map { number, time in
      let member = time.map { #","modifiedAt":"\#($0)""# } ?? ""
      return #"{"id":"item-\#(number)","day":1,"title":"\#(number)"\#(member)}"#
    }
    let text =
      #"{"id":"t","startDate":"2026-06-11","items":["# + items.joined(separator: ",") + "]}"
    let list = try PlainTrip(Array(text.utf8), file: "f").list()
    for item in list {
      let hour = hours[Int(item["title"]?.string ?? "") ?? 0]
      #expect(
        item.newestTime?.milliseconds == hour.map { 1_777_629_600_000 + $0 * 3_600_000 } ?? 0)
    }
    #expect(list.count == times.count)
    // A time that is none is refused also where the one before it was good.
    let bad = text.replacing("1970-01-01T00:00:00Z", with: "2026-05-01T10:00:00")
    #expect(Plain.failure(bad)?.reason.rawValue == "bad-value")
  }

  @Test(arguments: [
    // The root.
    ("[1]", 1, "wrong-type"), ("7", 1, "wrong-type"), ("{}", 1, "missing"),
    (#"{"id":"t","startDate":"2026-06-11"}"#, 1, "missing"),
    (#"{"items":[],"startDate":"2026-06-11"}"#, 1, "missing"),
    (#"{"id":null,"items":[],"startDate":"2026-06-11"}"#, 1, "missing"),
    (#"{"id":"","items":[],"startDate":"2026-06-11"}"#, 7, "bad-value"),
    (#"{"id":7,"items":[],"startDate":"2026-06-11"}"#, 7, "wrong-type"),
    (#"{"id":"t","items":{},"startDate":"2026-06-11"}"#, 19, "wrong-type"),
    (#"{"id":"t","items":[],"startDate":"11.6.2026"}"#, 34, "bad-value"),
    (#"{"id":"t","items":[],"startDate":7}"#, 34, "wrong-type"),
    (#"{"id":"t","days":2.0,"items":[],"startDate":"2026-06-11"}"#, 18, "wrong-type"),
    (#"{"id":"t","name":true,"items":[],"startDate":"2026-06-11"}"#, 18, "wrong-type"),
    (#"{"id":"t","modifiedAt":7,"items":[],"startDate":"2026-06-11"}"#, 24, "wrong-type"),
    (#"{"id":"t","modifiedAt":"now","items":[],"startDate":"2026-06-11"}"#, 24, "bad-value"),
    (#"{"":1,"id":"t","items":[],"startDate":"2026-06-11"}"#, 2, "bad-value"),
  ])
  func refusedRoots(_ text: String, _ column: Int, _ reason: String) {
    let failure = Plain.failure(text)
    #expect(failure?.reason.rawValue == reason)
    #expect(failure?.place == .text(line: 1, column: column))
  }

  // The column counts from the start of the item.
  @Test(arguments: [
    ("7", 1, "wrong-type"), ("{}", 1, "missing"), (#"{"day":1}"#, 1, "missing"),
    (#"{"id":"a"}"#, 1, "missing"), (#"{"id":"a","day":null}"#, 1, "missing"),
    (#"{"id":"","day":1}"#, 7, "bad-value"), (#"{"id":1,"day":1}"#, 7, "wrong-type"),
    (#"{"id":"00000000-0000-0000-0000-000000000000","day":1}"#, 7, "reserved-id"),
    (#"{"id":"a","day":2.0}"#, 17, "wrong-type"), (#"{"id":"a","day":"1"}"#, 17, "wrong-type"),
    (#"{"id":"a","day":9223372036854775808}"#, 17, "wrong-type"),
    (#"{"id":"a","day":1,"sortOrder":"1"}"#, 31, "wrong-type"),
    (#"{"id":"a","day":1,"sortOrder":1e999}"#, 31, "number-out-of-range"),
    (#"{"id":"a","day":1,"x":[1e999]}"#, 24, "number-out-of-range"),
    (#"{"id":"a","day":1,"kind":1}"#, 26, "wrong-type"),
    (#"{"id":"a","day":1,"tripId":1}"#, 28, "wrong-type"),
    (#"{"id":"a","day":1,"tripId":"u"}"#, 28, "wrong-trip"),
    (#"{"id":"a","day":1,"modifiedAt":"2026-06-11"}"#, 32, "bad-value"),
    (#"{"id":"a","day":1,"modifiedAt":1}"#, 32, "wrong-type"),
    (#"{"id":"a","day":1,"title":1}"#, 27, "wrong-type"),
    (#"{"id":"a","day":1,"latitude":"1"}"#, 30, "wrong-type"),
    (#"{"id":"a","day":1,"latitude":90.5}"#, 30, "bad-value"),
    (#"{"id":"a","day":1,"longitude":-181}"#, 31, "bad-value"),
    (#"{"id":"a","day":1,"time":"9:30"}"#, 26, "bad-value"),
    (#"{"id":"a","day":1,"durationMin":1.5}"#, 33, "wrong-type"),
    (#"{"id":"a","day":1,"":1}"#, 19, "bad-value"),
    (#"{"id":"a","kind":"travel","day":1,"distanceKm":"far"}"#, 48, "wrong-type"),
    (#"{"id":"a","kind":"game","start":"soon"}"#, 33, "bad-value"),
    (#"{"id":"a","kind":"game"}"#, 1, "missing"),
    (#"{"id":"a","kind":"game","day":1,"gameId":""}"#, 42, "bad-value"),
    (
      #"{"id":"a","kind":"game","day":1,"gameId":"00000000-0000-0000-0000-000000000000"}"#, 42,
      "reserved-id"
    ),
  ])
  func refusedItems(_ item: String, _ column: Int, _ reason: String) {
    let failure = Plain.failure(
      "{\"id\":\"t\",\"startDate\":\"2026-06-11\",\"items\":[\n" + item + "]}")
    #expect(failure?.reason.rawValue == reason)
    #expect(failure?.place == .text(line: 2, column: column))
  }

  @Test func theFirstProblemOfTheMeaningIsReported() {
    let text = #"{"items":[{"id":"a","day":"x","title":1}],"id":7,"startDate":1}"#
    #expect(Plain.failure(text)?.place == .text(line: 1, column: 27))
    #expect(
      Plain.failure(text)?.description == "f:1:27: wrong-type: “day” is a whole number of 64 bits")
    // Syntax comes before meaning, wherever it stands.
    #expect(Plain.failure(text + "x")?.reason == .syntax)
  }

  @Test func oneIdentityTwiceIsRefusedAtTheSecond() {
    let uuid = "C5714910-6435-57EE-BAE2-0E0C2BDC7A35"
    let twice = [
      (Plain.item("a"), Plain.item("a")), (Plain.item(uuid), Plain.item(uuid.lowercased())),
      (
        Plain.item("x", #""kind":"game","gameId":"g""#),
        Plain.item("y", #""kind":"game","gameId":"g""#)
      ),
      (Plain.item("x", #""kind":"game","gameId":"g""#), Plain.item("g", #""kind":"game""#)),
    ]
    for (first, second) in twice {
      #expect(Plain.failure(Plain.trip(first, second))?.reason == .duplicateID)
    }
    let distinct = [
      (Plain.item("a"), Plain.item("A")), (Plain.item("é"), Plain.item("e\u{301}")),
      (Plain.item("g"), Plain.item("g", #""kind":"game""#)),
    ]
    for (first, second) in distinct {
      #expect(Plain.failure(Plain.trip(first, second)) == nil)
    }
  }

  @Test func tripIDsAreComparedAsIdentities() {
    let uuid = "9e50adbf-f5e2-51c2-b7f7-fe9959319df5"
    let text = #"{"id":"\#(uuid)","startDate":"2026-06-11","items":["#
    let upper = Plain.item("a", #""tripId":"\#(uuid.uppercased())""#)
    #expect(Plain.failure(text + upper + "]}") == nil)
    #expect(Plain.failure(Plain.trip(Plain.item("a", #""tripId":null"#))) == nil)
  }

  @Test func limits() {
    let name = String(repeating: "n", count: 255)
    #expect(Plain.failure(Plain.trip(Plain.item("a", "\"\(name)\":1"))) == nil)
    #expect(Plain.failure(Plain.trip(Plain.item("a", "\"\(name)n\":1")))?.reason == .tooLarge)
    // `json:` counts.
    let json = name.dropLast(5)
    #expect(Plain.failure(Plain.trip(Plain.item("a", "\"\(json)\":[]"))) == nil)
    #expect(Plain.failure(Plain.trip(Plain.item("a", "\"\(json)n\":[]")))?.reason == .tooLarge)
    // The tag of the value counts.
    let value = String(repeating: "v", count: 512 * 1_024 - 1)
    #expect(Plain.failure(Plain.trip(Plain.item("a", "\"note\":\"\(value)\""))) == nil)
    #expect(
      Plain.failure(Plain.trip(Plain.item("a", "\"note\":\"\(value)v\"")))?.reason == .tooLarge)
    let fields = (0..<1_024).map { "\"f\($0)\":0" }.joined(separator: ",")
    let uuid = "C5714910-6435-57EE-BAE2-0E0C2BDC7A35".lowercased()
    #expect(Plain.failure(Plain.trip(Plain.item(uuid, fields))) == nil)
    #expect(
      Plain.failure(Plain.trip(Plain.item(uuid, fields + ",\"more\":0")))?.reason == .tooLarge)
  }
}
