import Betwixt
import BetwixtTrips
import Testing

/// Every rule for what is refused, by format: a file, the word of the refusal, and where it stands.
@Suite struct BadInputTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let rule: String
    let bytes: @Sendable () -> [UInt8]
    let reason: DocumentFailure.Reason
    /// Line and column; `nil` where the table does not care.
    let place: DocumentFailure.Place?

    init(
      _ rule: String, _ text: @autoclosure @escaping @Sendable () -> String,
      _ reason: DocumentFailure.Reason, _ line: Int? = nil, _ column: Int? = nil
    ) {
      self.init(rule, bytes: Array(text().utf8), reason, line, column)
    }

    init(
      _ rule: String, bytes: @autoclosure @escaping @Sendable () -> [UInt8],
      _ reason: DocumentFailure.Reason, _ line: Int? = nil, _ column: Int? = nil
    ) {
      self.rule = rule
      self.bytes = bytes
      self.reason = reason
      place = line.flatMap { line in column.map { .text(line: line, column: $0) } }
    }

    var testDescription: String { rule }
  }

  private static let head = #"{"id":"t","startDate":"2026-06-11","items":["#

  private static func plain(_ item: String) -> String { head + "\n" + item + "]}" }

  private static func task(_ item: String) -> String {
    #"{"format":"betwixt-tasks","id":"t","tasks":["# + "\n" + item + "]}"
  }

  private static func full(_ items: String, _ members: String = #""version":1"#) -> String {
    #"{"format":"betwixt-trip","id":"00000000000000000000000000000001","vector":{},"#
      + "\(members),\"items\":[\n\(items)]}"
  }

  private static func register(_ value: String) -> String {
    #"{"id":"root","fields":{"a":{"at":["0000000000000000","0000000000000001",1],"#
      + "\(value)}}}"
  }

  private static func many(_ text: String, _ count: Int) -> String {
    String(repeating: text, count: count)
  }

  // What holds for every JSON text.
  static let everyText: [Case] = [
    Case("nothing at all", "", .truncated, 1, 1),
    Case("no text", bytes: Array(head.utf8) + [0xff], .invalidUTF8, 1, head.utf8.count + 1),
    Case(
      "bad UTF-8 comes before bad syntax", bytes: Array("{{\n".utf8) + [0xc0, 0x80], .invalidUTF8,
      2, 1),
    Case("half a surrogate as bytes", bytes: [0x22, 0xed, 0xa0, 0x80, 0x22], .invalidUTF8, 1, 2),
    Case("a lone surrogate escape", #"{"id":"\ud800"}"#, .syntax, 1, 8),
    Case("a value after the end", plain("") + "\n{}", .syntax, 3, 1),
    Case("a comment", "{} // x", .syntax, 1, 4),
    Case("a trailing comma", #"{"id":"t",}"#, .syntax, 1, 11),
    Case("NaN", #"{"id":NaN}"#, .syntax, 1, 7),
    Case("Infinity", #"{"id":-Infinity}"#, .syntax),
    Case("a leading zero", #"{"id":01}"#, .syntax, 1, 8),
    Case("single quotes", "{'id':1}", .syntax, 1, 2),
    Case("a line break in a text", "{\"id\":\"a\nb\"}", .syntax, 1, 9),
    Case("the end is missing", String(plain("").dropLast()), .truncated, 2, 2),
    Case("a name twice, after unescaping", #"{"id":"t","\u0069d":"u"}"#, .duplicateMember, 1, 11),
    Case("a name twice, deep inside", plain(#"{"x":[{"a":1,"a":2}]}"#), .duplicateMember, 2, 14),
    Case("depth 17", many("[", 17), .tooDeep, 1, 17),
    Case("many more levels", many("{\"a\":", 100_000), .tooDeep, 1, 81),
    Case("a number without a Double", plain(#"{"x":1e400}"#), .numberOutOfRange, 2, 6),
    Case("very many digits", "-" + many("9", 100_000), .numberOutOfRange, 1, 1),
    Case("an exponent of very many digits", "1e" + many("9", 100_000), .numberOutOfRange, 1, 1),
    Case(
      "more than 128 MiB", bytes: [UInt8](repeating: 0x20, count: 128 << 20) + [0x31], .tooLarge),
    Case("an array of very many elements", "[" + many("0,", 262_145) + "0]", .tooLarge, 1, 524_290),
  ]

  static let plainTrips: [Case] = [
    Case("no object", "[1]", .wrongType, 1, 1),
    Case("no id", #"{"startDate":"2026-06-11","items":[]}"#, .missing, 1, 1),
    Case("id is null", #"{"id":null,"startDate":"2026-06-11","items":[]}"#, .missing, 1, 1),
    Case("id is empty", #"{"id":"","startDate":"2026-06-11","items":[]}"#, .badValue, 1, 7),
    Case("id is no text", #"{"id":1,"startDate":"2026-06-11","items":[]}"#, .wrongType, 1, 7),
    Case(
      "no start date for a game without day",
      #"{"id":"t","items":[{"id":"g","kind":"game","start":"2026-06-11"}]}"#, .missing, 1, 20),
    Case(
      "no such date", #"{"id":"t","startDate":"2026-02-29","items":[]}"#, .badValue, 1, 23),
    Case("no items", #"{"id":"t","startDate":"2026-06-11"}"#, .missing, 1, 1),
    Case("items is no array", #"{"id":"t","startDate":"2026-06-11","items":0}"#, .wrongType, 1, 44),
    Case("name is no text", #"{"name":1,"# + head.dropFirst() + "]}", .wrongType, 1, 9),
    Case("days is no whole number", #"{"days":1.0,"# + head.dropFirst() + "]}", .wrongType, 1, 9),
    Case("an item is no object", plain("[]"), .wrongType, 2, 1),
    Case("an item without id", plain(#"{"day":1}"#), .missing, 2, 1),
    Case("an item's id is empty", plain(#"{"id":"","day":1}"#), .badValue, 2, 7),
    Case("an item's id is no text", plain(#"{"id":[],"day":1}"#), .wrongType, 2, 7),
    Case(
      "the nil UUID", plain(#"{"id":"00000000-0000-0000-0000-000000000000","day":1}"#),
      .reservedID, 2, 7),
    Case(
      "one id twice", plain(#"{"id":"a","day":1},"# + "\n" + #"{"id":"a","day":2}"#),
      .duplicateID, 3, 7),
    Case("another trip's item", plain(#"{"id":"a","day":1,"tripId":"u"}"#), .wrongTrip, 2, 28),
    Case("no day", plain(#"{"id":"a"}"#), .missing, 2, 1),
    Case("a game without day and start", plain(#"{"id":"a","kind":"game"}"#), .missing, 2, 1),
    Case("a day with a point", plain(#"{"id":"a","day":2.0}"#), .wrongType, 2, 17),
    Case(
      "a day beyond 64 bits", plain(#"{"id":"a","day":9223372036854775808}"#), .wrongType, 2, 17),
    Case("a number that is none", plain(#"{"id":"a","day":1,"sortOrder":"1"}"#), .wrongType, 2, 31),
    Case(
      "an endless number", plain(#"{"id":"a","day":1,"sortOrder":-1e309}"#),
      .numberOutOfRange, 2, 31),
    Case(
      "modifiedAt without a zone", plain(#"{"id":"a","day":1,"modifiedAt":"2026-06-11T10:00:00"}"#),
      .badValue, 2, 32),
    Case(
      "modifiedAt before 1970", plain(#"{"id":"a","day":1,"modifiedAt":"1969-12-31T23:59:59Z"}"#),
      .badValue, 2, 32),
    Case(
      "modifiedAt after 2^47 ms", plain(#"{"id":"a","day":1,"modifiedAt":"6430-01-01T00:00:00Z"}"#),
      .badValue, 2, 32),
    Case(
      "a known field of another type", plain(#"{"id":"a","day":1,"title":7}"#), .wrongType, 2, 27),
    Case("no such time", plain(#"{"id":"a","day":1,"time":"24:00"}"#), .badValue, 2, 26),
    Case(
      "no such start", plain(#"{"id":"a","kind":"game","start":"2026-06-31"}"#), .badValue, 2, 33),
    Case("too far north", plain(#"{"id":"a","day":1,"latitude":90.0001}"#), .badValue, 2, 30),
    Case("too far west", plain(#"{"id":"a","day":1,"longitude":-180.5}"#), .badValue, 2, 31),
    Case("an empty name", plain(#"{"id":"a","day":1,"":0}"#), .badValue, 2, 19),
    Case(
      "a name of 256 bytes", plain("{\"id\":\"a\",\"day\":1,\"\(many("n", 256))\":0}"),
      .tooLarge, 2, 19),
    Case(
      "a value of 512 KiB", plain("{\"id\":\"a\",\"day\":1,\"note\":\"\(many("n", 512 << 10))\"}"),
      .tooLarge, 2, 26),
    Case(
      "100,001 items",
      head + (0...100_000).map { "{\"id\":\"\($0)\",\"day\":1}" }.joined(separator: ",\n") + "]}",
      .tooLarge, 100_001, 1),
  ]

  static let fullTrips: [Case] = [
    Case("a newer version", full("", #""version":2"#), .unsupportedVersion),
    Case("no version", full("", #""x":1"#), .missing),
    Case("a member that could not be kept", full("", #""version":1,"x":1"#), .unknownMember),
    Case(
      "an item twice", full(register(#""int":1"#) + ",\n" + register(#""int":1"#)),
      .duplicateID),
    Case(
      "the root by its number", full(#"{"id":"00000000000000000000000000000000"}"#), .reservedID),
    Case("an id in upper case", full(#"{"id":"A0000000000000000000000000000000"}"#), .badValue),
    Case("an item without registers", full(#"{"id":"root"}"#), .missing),
    Case("two values", full(register(#""int":1,"bool":true"#)), .badValue),
    Case("no value", full(register(#""double ":1"#)), .missing),
    Case("a double in int", full(register(#""int":1.5"#)), .wrongType),
    Case("odd hex", full(register(#""bytes":"0""#)), .badValue),
    Case("bits of a finite number", full(register(#""bits":"3ff0000000000000""#)), .badValue),
    Case("an endless double", full(register(#""double":1e400"#)), .numberOutOfRange),
    Case("a text of 512 KiB", full(register("\"string\":\"\(many("s", 512 << 10))\"")), .tooLarge),
  ]

  static let taskLists: [Case] = [
    Case("no tasks", #"{"format":"betwixt-tasks","id":"t"}"#, .missing, 1, 1),
    Case(
      "tasks is no array", #"{"format":"betwixt-tasks","id":"t","tasks":{}}"#, .wrongType, 1, 44),
    Case("no text", task(#"{"id":"a"}"#), .missing, 2, 1),
    Case("a text that is none", task(#"{"id":"a","text":1}"#), .wrongType, 2, 18),
    Case(
      "a date with a time", task(#"{"id":"a","text":"","scheduledDate":"2026-02-13T10:00:00Z"}"#),
      .badValue, 2, 37),
    Case(
      "a date that is none", task(#"{"id":"a","text":"","scheduledDate":20}"#), .wrongType, 2, 37),
    Case("a state that is none", task(#"{"id":"a","text":"","state":1}"#), .wrongType, 2, 29),
    Case(
      "one task twice", task(#"{"id":"a","text":""},{"id":"a","text":""}"#), .duplicateID, 2, 28),
    Case(
      "the nil UUID", task(#"{"id":"00000000-0000-0000-0000-000000000000","text":""}"#),
      .reservedID, 2, 7),
    Case("another list's task", task(#"{"id":"a","text":"","tripId":"u"}"#), .wrongTrip, 2, 30),
  ]

  static let calendars: [Case] = [
    Case("no calendar", "BEGIN:VEVENT\nEND:VEVENT\n", .syntax, 1, 1),
    Case("a calendar without end", "BEGIN:VCALENDAR\n", .truncated, 2, 1),
    Case("an END too many", "BEGIN:VCALENDAR\nEND:VEVENT\n", .syntax, 2, 1),
    Case("two calendars", many("BEGIN:VCALENDAR\nEND:VCALENDAR\n", 2), .syntax, 3, 1),
    Case("a line without colon", "BEGIN:VCALENDAR\nSUMMARY\nEND:VCALENDAR\n", .syntax, 2, 1),
    Case("no text", bytes: Array("BEGIN:VCALENDAR\nX:".utf8) + [0x80], .invalidUTF8, 2, 3),
    Case("17 levels", "BEGIN:VCALENDAR\n" + many("BEGIN:A\n", 16), .tooDeep, 17, 1),
    Case(
      "100,001 events",
      "BEGIN:VCALENDAR\n" + many("BEGIN:VEVENT\nEND:VEVENT\n", 100_001) + "END:VCALENDAR\n",
      .tooLarge, 200_002, 1),
    Case(
      "more than 128 MiB",
      bytes: Array("BEGIN:VCALENDAR\n".utf8)
        + [UInt8](repeating: 0x20, count: 128 << 20), .tooLarge),
  ]

  static let all = everyText + plainTrips + fullTrips + taskLists + calendars

  @Test(arguments: all)
  func isRefused(_ entry: Case) {
    let bytes = entry.bytes()
    do {
      _ = try TripFile(decoding: bytes, name: "f")
      Issue.record("this was read")
    } catch {
      #expect(error.reason == entry.reason, "\(error)")
      if let place = entry.place { #expect(error.place == place, "\(error)") }
      #expect(error.file == "f")
      #expect(!error.description.contains("\n"))
    }
  }

  @Test func everyReasonHasAnExample() {
    #expect(Set(BadInputTests.all.map(\.reason)) == Set(DocumentFailure.Reason.allCases))
  }

  // The files of the table are refused for what they say, not for what stands around it.
  @Test func theFramesAreGood() throws {
    #expect(Plain.failure(BadInputTests.plain("")) == nil)
    #expect(Plain.failure(BadInputTests.plain(#"{"id":"a","day":1}"#)) == nil)
    #expect(Plain.failure(BadInputTests.task(#"{"id":"a","text":""}"#)) == nil)
    #expect(Plain.failure(BadInputTests.full(BadInputTests.register(#""int":1"#))) == nil)
    #expect(Plain.failure("BEGIN:VCALENDAR\nEND:VCALENDAR\n") == nil)
    #expect(Plain.failure("\u{feff}" + BadInputTests.plain("")) == nil)
    #expect(Plain.failure("\u{feff}BEGIN:VCALENDAR\nEND:VCALENDAR\n") == nil)
  }
}
