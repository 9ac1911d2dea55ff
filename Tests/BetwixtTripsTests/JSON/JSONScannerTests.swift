import TestSupport
import Testing

@testable import BetwixtTrips

@Suite struct JSONScannerTests {
  private func canonical(_ text: String) throws -> String {
    try JSONScanner.scan(Array(text.utf8)).canonicalText
  }

  private func problem(_ text: String) -> TextProblem? {
    problem(Array(text.utf8))
  }

  private func problem(_ bytes: [UInt8]) -> TextProblem? {
    do {
      _ = try JSONScanner.scan(bytes)
      return nil
    } catch {
      return error
    }
  }

  @Test(arguments: [
    ("{}", "{}"), (" [ ] ", "[]"), ("null", "null"), ("\t-0 \r\n", "0"), ("-0.0", "-0.0"),
    ("\u{feff}true", "true"), (#"{"b":1,"a":[false,{}]}"#, #"{"a":[false,{}],"b":1}"#),
    (#""\u00e9\ud83d\ude00\/\b\f\n\r\t\u0001\"\\""#, #""é😀/\b\f\n\r\t\u0001\"\\""#),
    ("9223372036854775807", "9223372036854775807"), ("1E2", "100.0"), ("1e-400", "0.0"),
    ("-9223372036854775808", "-9223372036854775808"),
    ("12345678901234567890123", "12345678901234567890123"),
    ("\"\u{7f}\u{2028}\"", "\"\u{7f}\u{2028}\""),
    (#"{"é":1,"z":2,"a\u0000":3}"#, #"{"a\u0000":3,"z":2,"é":1}"#),
  ])
  func canonicalForm(_ input: String, _ output: String) throws {
    #expect(try canonical(input) == output)
    #expect(try canonical(output) == output)
  }

  @Test(arguments: [
    ("", 0, "truncated"), ("  ", 2, "truncated"), ("{", 1, "truncated"), ("[1,", 3, "truncated"),
    (#"{"a""#, 4, "truncated"), (#"{"a":"#, 5, "truncated"), (#""a\"#, 3, "truncated"),
    (#""a\u12"#, 6, "truncated"), ("tru", 3, "truncated"), ("-", 1, "truncated"),
    ("1.", 2, "truncated"), ("1e+", 3, "truncated"), (#""\ud800\"#, 8, "truncated"),
    ("[1,]", 3, "syntax"), (#"{"a":1,}"#, 7, "syntax"), ("[1 2]", 3, "syntax"),
    ("1 2", 2, "syntax"),
    ("{}}", 2, "syntax"), ("[1}", 2, "syntax"), (#"{"a" 1}"#, 5, "syntax"), ("{a:1}", 1, "syntax"),
    ("01", 1, "syntax"), ("-01", 2, "syntax"), ("+1", 0, "syntax"), (".5", 0, "syntax"),
    ("1.e5", 2, "syntax"), ("1ex", 2, "syntax"), ("NaN", 0, "syntax"), ("Infinity", 0, "syntax"),
    ("nulL", 0, "syntax"), ("// x\n1", 0, "syntax"), ("[1,/**/2]", 3, "syntax"),
    ("'a'", 0, "syntax"),
    (#""\x""#, 1, "syntax"), (#""\u12g4""#, 1, "syntax"), (#""a\udc00""#, 2, "syntax"),
    (#""\ud800""#, 1, "syntax"), (#""\ud800\n""#, 1, "syntax"), (#""\ud800\ud800""#, 1, "syntax"),
    ("\"a\nb\"", 2, "syntax"), ("\u{feff}\u{feff}1", 3, "syntax"),
    (#"{"a":1,"\u0061":2}"#, 7, "duplicate-member"),
    (#"[{"x":{"y":1,"y":1}}]"#, 13, "duplicate-member"),
    (#"{"a":1,"a""#, 7, "duplicate-member"), ("[1e400]", 1, "number-out-of-range"),
    ("-1e999999999999999999999", 0, "number-out-of-range"),
  ])
  func refusals(_ text: String, _ offset: Int, _ reason: String) {
    #expect(problem(text)?.reason.rawValue == reason)
    #expect(problem(text)?.offset == offset)
  }

  @Test func namesAreComparedAsBytes() throws {
    #expect(problem("{\"\u{e9}\":1,\"e\u{301}\":2}") == nil)
    for count in [2, 11, 12, 13, 40] {
      let names = (0..<count).map { "\"n\($0)\":0" }
      #expect(problem("{" + names.joined(separator: ",") + "}") == nil)
      let twice = names + ["\"n\(count / 2)\":0"]
      #expect(problem("{" + twice.joined(separator: ",") + "}")?.reason == .duplicateMember)
    }
  }

  @Test func depthSixteenIsTheLast() {
    for (open, close) in [("[", "]"), ("{\"a\":", "}")] {
      let whole = String(repeating: open, count: 16) + "1" + String(repeating: close, count: 16)
      #expect(problem(whole) == nil)
      let deeper = String(repeating: open, count: 17) + "1" + String(repeating: close, count: 17)
      #expect(problem(deeper)?.reason == .tooDeep)
      #expect(problem(deeper)?.offset == 16 * open.utf8.count)
    }
    #expect(problem(String(repeating: "[", count: 1_000_000))?.reason == .tooDeep)
  }

  @Test func utf8IsCheckedBeforeSyntax() {
    #expect(problem([0x7b, 0x78, 0xff])?.reason == .invalidUTF8)
    #expect(problem([0x7b, 0x78, 0xff])?.offset == 2)
  }

  @Test func mebibytesHaveALimit() {
    let spaces = [UInt8](repeating: 0x20, count: JSONScanner.maximumByteCount)
    #expect(problem(spaces + [0x31])?.reason == .tooLarge)
  }

  @Test func valuesHaveALimit() throws {
    let most = JSONScanner.maximumElementCount
    let row = "[" + String(repeating: "0,", count: most - 1) + "0]"
    #expect(problem("[\(row),\(row)]") == nil)
    #expect(problem("[\(row),\(row),\(row)]")?.reason == .tooLarge)
    // Values as long as those of most files are never too many.
    let item = #"{"id":"0000000000","day":1}"#
    let items = String(repeating: item + ",", count: 100) + item
    let count = try Self.count(JSONScanner.scan(Array("[\(items)]".utf8)))
    #expect(count < items.utf8.count / 8)
  }

  private static func count(_ value: JSONValue) -> Int {
    switch value.content {
    case .array(let elements): elements.reduce(1) { $0 + count($1) }
    case .object(let members): members.reduce(1) { $0 + count($1.value) }
    default: 1
    }
  }

  @Test(arguments: [
    "0", "[]", "[ ]", "{}", "[1]", "[1,2]", "[[],{}]", #"{"a":[1,"x,[\"{"],"b":{"c":null}}"#,
    " [ [ 1 ] , 2 ] ", #"{"a":"\\","b":[]}"#,
  ])
  func valuesAreCounted(text: String) throws {
    let value = try JSONScanner.scan(Array(text.utf8))
    #expect(JSONScanner.valueCount(of: Array(text.utf8)) == Self.count(value))
  }

  @Test func manyDigitsStayExact() throws {
    let digits = String(repeating: "7", count: 300)
    #expect(try canonical("-" + digits) == "-" + digits)
    #expect(problem(String(repeating: "7", count: 310))?.reason == .numberOutOfRange)
    #expect(try JSONScanner.scan(Array("9007199254740993".utf8)).integer == 9_007_199_254_740_993)
  }

  @Test func offsetsPointAtValuesAndNames() throws {
    let value = try JSONScanner.scan(Array(#" {"a" : [1, "x"]}"#.utf8))
    guard case .object(let members) = value.content,
      case .array(let elements) = members[0].value.content
    else {
      Issue.record("an object with an array is expected")
      return
    }
    #expect(value.offset == 1)
    #expect(members[0].nameOffset == 2)
    #expect(members[0].value.offset == 8)
    #expect(elements.map(\.offset) == [9, 12])
  }
}

@Suite struct JSONScannerRobustnessTests {
  // What is accepted has one canonical text, which reads back as itself; nothing traps.
  private func check(_ bytes: [UInt8]) throws {
    guard let value = try? JSONScanner.scan(bytes) else { return }
    let text = value.canonicalText
    #expect(try JSONScanner.scan(Array(text.utf8)).canonicalText == text)
  }

  @Test func randomBytes() throws {
    var random = SplitMix64(seed: 1)
    let alphabet = Array("{}[]\",:\\u0019eE+-. \ntfn\u{e9}".utf8)
    for round in 0..<20_000 {
      let count = random.next(below: 24)
      try check(
        (0..<count).map { _ in
          round % 2 == 0
            ? UInt8(truncatingIfNeeded: random.next())
            : alphabet[random.next(below: alphabet.count)]
        })
    }
  }

  @Test func truncationsAreTruncated() throws {
    let whole = Array(
      #"{"items":[{"day":-1.5e3,"t":"\ud83d\ude00 é","n":[true,false,null]}],"x":{}}"#.utf8)
    for count in 0..<whole.count {
      #expect(throws: TextProblem.self) { try JSONScanner.scan(Array(whole[..<count])) }
    }
    try check(whole)
  }

  @Test func damagedFiles() throws {
    var random = SplitMix64(seed: 2)
    let whole = Array(try Resources.bytes("copies/follow-mexico/phone.json").prefix(1_500))
    for _ in 0..<2_000 { try check(damaged(whole + Array("]}".utf8), using: &random)) }
  }
}
