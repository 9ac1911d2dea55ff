import Betwixt

/// Reads JSON by RFC 8259 and nothing more.
///
/// Stricter than the standard where two readers could disagree: an object names no member twice
/// (compared after unescaping), no lone surrogate is escaped, no number is too great for a
/// `Double`. Numbers keep what their literal says. Nesting is kept on a stack of its own, so no
/// input can exhaust the thread's.
package struct JSONScanner {
  /// How deep arrays and objects may stand in one another.
  package static let maximumDepth = 16

  /// The greatest number of bytes of a text, whatever its format.
  ///
  /// A list of 100,000 items has room in it as a calendar, whose events are the longest form.
  package static let maximumByteCount = 128 << 20

  /// The most elements of one array: a longer one has no room in a field, nor is it a list.
  package static let maximumElementCount = 1 << 18

  /// The most values of a text of some bytes, containers and what stands in them: in memory the
  /// shortest take many times the bytes that they have in the text.
  package static func maximumValueCount(ofByteCount count: Int) -> Int { count / 8 + (1 << 19) }

  /// Why a longer text is refused.
  static let tooLarge = TextProblem(
    .tooLarge, at: maximumByteCount, "a text has at most 128 MiB")

  /// What helps where git merged a file line by line.
  static let conflict = """
    git left the marks of a conflict here: 'betwixt git setup FILE' makes it merge item by item, \
    and then 'git checkout -m FILE' does so
    """

  let bytes: [UInt8]
  var place = 0
  private var open: [Container] = []
  private var valueCount = 0
  private let maximumValueCount: Int

  private init(_ bytes: [UInt8]) {
    self.bytes = bytes
    maximumValueCount = JSONScanner.maximumValueCount(ofByteCount: bytes.count)
  }

  /// The one value that a text holds.
  ///
  /// The size is checked first, then the UTF-8, then the syntax, and the first problem in the
  /// text is thrown. A byte order mark at the start is skipped.
  ///
  /// - Complexity: O(*n*) for *n* bytes
  package static func scan(_ bytes: [UInt8]) throws(TextProblem) -> JSONValue {
    guard bytes.count <= maximumByteCount else { throw tooLarge }
    if let problem = UTF8Check.firstProblem(in: bytes) { throw problem }
    var scanner = JSONScanner(bytes)
    if bytes.starts(with: [0xef, 0xbb, 0xbf]) { scanner.place = 3 }
    return try scanner.document()
  }

  private mutating func document() throws(TextProblem) -> JSONValue {
    skipSpace()
    var finished = try startValue()
    while true {
      guard let value = finished else {
        finished = try startOfContainer()
        continue
      }
      guard !open.isEmpty else {
        skipSpace()
        guard place == bytes.count else {
          throw TextProblem(.syntax, at: place, "more text stands behind the value")
        }
        return value
      }
      open[open.count - 1].append(value)
      finished = try continueContainer()
    }
  }
}

extension JSONScanner {
  /// How many values a JSON text has, containers and what stands in them.
  ///
  /// - Complexity: O(*n*) for *n* bytes
  static func valueCount(of bytes: [UInt8]) -> Int {
    // Each container that is not empty has one value more than commas.
    var count = 1
    var isText = false
    var wasOpened = false
    var index = 0
    while index < bytes.count {
      let byte = bytes[index]
      index += 1
      if isText {
        if byte == UInt8(ascii: "\\") { index += 1 } else { isText = byte != UInt8(ascii: "\"") }
        continue
      }
      switch byte {
      case 0x20, 0x09, 0x0a, 0x0d: continue
      case UInt8(ascii: "]"), UInt8(ascii: "}"): break
      default: if wasOpened || byte == UInt8(ascii: ",") { count += 1 }
      }
      wasOpened = byte == UInt8(ascii: "[") || byte == UInt8(ascii: "{")
      isText = byte == UInt8(ascii: "\"")
    }
    return count
  }
}

extension JSONScanner {
  // An array or object whose end has not been reached.
  private struct Container {
    let isObject: Bool
    let offset: Int
    var elements: [JSONValue] = []
    var members: [JSONMember] = []
    var pending: (name: String, offset: Int)?
    // Filled only for objects with many members: few are compared one by one.
    var names: Set<[UInt8]> = []

    mutating func append(_ value: JSONValue) {
      if let pending {
        members.append(
          JSONMember(name: pending.name, nameOffset: pending.offset, value: value))
      } else {
        elements.append(value)
      }
    }

    mutating func isNew(_ name: String) -> Bool {
      guard members.count >= 12 else {
        return !members.contains { $0.name.hasSameBytes(as: name) }
      }
      if names.isEmpty { names = Set(members.map { Array($0.name.utf8) }) }
      return names.insert(Array(name.utf8)).inserted
    }

    func finished() -> JSONValue {
      JSONValue(isObject ? .object(members) : .array(elements), at: offset)
    }
  }

  // A whole value, or nil if a container was opened.
  private mutating func startValue() throws(TextProblem) -> JSONValue? {
    let offset = place
    valueCount += 1
    guard valueCount <= maximumValueCount else {
      throw TextProblem(
        .tooLarge, at: offset, "a text of this length has at most \(maximumValueCount) values")
    }
    switch try peek("a value") {
    case UInt8(ascii: "{"): try push(isObject: true)
    case UInt8(ascii: "["): try push(isObject: false)
    case UInt8(ascii: "\""): return JSONValue(.string(try string()), at: offset)
    case UInt8(ascii: "t"): return try word("true", content: .bool(true))
    case UInt8(ascii: "f"): return try word("false", content: .bool(false))
    case UInt8(ascii: "n"): return try word("null", content: .null)
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
      return JSONValue(.number(try number()), at: offset)
    default: throw syntax("a value is expected here")
    }
    return nil
  }

  private mutating func push(isObject: Bool) throws(TextProblem) {
    guard open.count < JSONScanner.maximumDepth else {
      throw TextProblem(.tooDeep, at: place, "values are nested more than 16 deep")
    }
    open.append(Container(isObject: isObject, offset: place))
    place += 1
  }

  private mutating func pop() -> JSONValue? {
    place += 1
    return open.popLast()?.finished()
  }

  private mutating func startOfContainer() throws(TextProblem) -> JSONValue? {
    let isObject = open.last?.isObject ?? false
    skipSpace()
    let close = isObject ? UInt8(ascii: "}") : UInt8(ascii: "]")
    if try peek("a value or the end of the list") == close { return pop() }
    if isObject { try memberName() }
    return try startValue()
  }

  private mutating func continueContainer() throws(TextProblem) -> JSONValue? {
    let isObject = open.last?.isObject ?? false
    skipSpace()
    switch try peek("a comma or the end of the list") {
    case UInt8(ascii: ","):
      place += 1
      skipSpace()
      if !isObject, open[open.count - 1].elements.count >= JSONScanner.maximumElementCount {
        throw TextProblem(.tooLarge, at: place, "an array has at most 262,144 elements")
      }
      if isObject { try memberName() }
      return try startValue()
    case UInt8(ascii: "}") where isObject: return pop()
    case UInt8(ascii: "]") where !isObject: return pop()
    default:
      throw syntax("a comma or \(isObject ? "“}”" : "“]”") is expected here")
    }
  }

  private mutating func memberName() throws(TextProblem) {
    let offset = place
    guard try peek("a member name") == UInt8(ascii: "\"") else {
      throw syntax("a member name in quotes is expected here")
    }
    let name = try string()
    guard open[open.count - 1].isNew(name) else {
      throw TextProblem(
        .duplicateMember, at: offset, "“\(name.excerpt)” stands in this object twice")
    }
    skipSpace()
    guard try peek("a colon") == UInt8(ascii: ":") else {
      throw TextProblem(.syntax, at: place, "a colon is expected here")
    }
    place += 1
    skipSpace()
    open[open.count - 1].pending = (name, offset)
  }

  private mutating func word(
    _ word: String, content: JSONValue.Content
  ) throws(TextProblem) -> JSONValue {
    let offset = place
    for expected in word.utf8 {
      guard try peek("the rest of “\(word)”") == expected else {
        throw TextProblem(.syntax, at: offset, "this is no value")
      }
      place += 1
    }
    return JSONValue(content, at: offset)
  }

  // No JSON has such a word, and whoever has one there looks for no comma.
  private func syntax(_ words: String) -> TextProblem {
    let isConflict = bytes[place...].starts(with: "<<<<<<< ".utf8)
    return TextProblem(.syntax, at: place, isConflict ? JSONScanner.conflict : words)
  }

  func peek(_ expected: @autoclosure () -> String) throws(TextProblem) -> UInt8 {
    guard place < bytes.count else {
      throw TextProblem(.truncated, at: bytes.count, "the text ends before \(expected())")
    }
    return bytes[place]
  }

  private mutating func skipSpace() {
    while place < bytes.count {
      switch bytes[place] {
      case 0x20, 0x09, 0x0a, 0x0d: place += 1
      default: return
      }
    }
  }
}

extension String {
  /// The beginning of a text that may be long, on one line, for a message.
  package var excerpt: String {
    var text = ""
    for scalar in unicodeScalars.prefix(40) {
      let isControl = scalar.value < 0x20 || (0x7f...0x9f).contains(scalar.value)
      text.unicodeScalars.append(isControl ? " " : scalar)
    }
    return unicodeScalars.count > 40 ? text + "…" : text
  }
}
