/// Reads XML 1.0 as far as files of points need it: elements, attributes, text and CDATA.
///
/// A document type is refused, for its entities could make a small file a huge one.
struct XMLScanner {
  /// What comes next.
  enum Event {
    case start(name: String, attributes: [(name: String, value: String)])
    case end(name: String)
    case text(String)
  }

  private let bytes: [UInt8]
  private(set) var place: Int
  // An element without content ends where it starts.
  private var pendingEnd: String?

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
    place = bytes.starts(with: [0xef, 0xbb, 0xbf]) ? 3 : 0
  }

  /// The local name of the outermost element; `nil` if there is none.
  static func outermostElement(of bytes: [UInt8], from start: Int) -> String? {
    var scanner = XMLScanner(bytes)
    scanner.place = start
    for _ in 0..<64 {
      guard let event = try? scanner.next() else { return nil }
      if case .start(let name, _) = event { return name }
    }
    return nil
  }

  /// The next event; `nil` at the end of the file.
  mutating func next() throws(TextProblem) -> Event? {
    if let name = pendingEnd {
      pendingEnd = nil
      return .end(name: name)
    }
    while place < bytes.count {
      guard bytes[place] == UInt8(ascii: "<") else { return .text(try text()) }
      if starts("<!--") {
        try skip(past: "-->")
      } else if starts("<![CDATA[") {
        let start = place + 9
        try skip(past: "]]>")
        return .text(String(decoding: bytes[start..<(place - 3)], as: UTF8.self))
      } else if starts("<?") {
        try skip(past: "?>")
      } else if starts("<!") {
        // A page of the web names its type and nothing more.
        guard starts("<!DOCTYPE html") || starts("<!doctype html") else {
          throw TextProblem(.syntax, at: place, "a document type is not read")
        }
        try skip(past: ">")
      } else {
        return try tag()
      }
    }
    return nil
  }

  private func starts(_ text: String) -> Bool {
    bytes[place...].starts(with: text.utf8)
  }

  private mutating func skip(past end: String) throws(TextProblem) {
    let start = place
    let wanted = Array(end.utf8)
    while place + wanted.count <= bytes.count {
      if bytes[place..<(place + wanted.count)].elementsEqual(wanted) {
        place += wanted.count
        return
      }
      place += 1
    }
    throw TextProblem(.truncated, at: start, "this does not end")
  }

  private mutating func text() throws(TextProblem) -> String {
    let start = place
    while place < bytes.count, bytes[place] != UInt8(ascii: "<") { place += 1 }
    return try unescaped(start..<place)
  }

  private mutating func tag() throws(TextProblem) -> Event {
    let start = place
    place += 1
    let isEnd = place < bytes.count && bytes[place] == UInt8(ascii: "/")
    if isEnd { place += 1 }
    let name = localName(word())
    guard !name.isEmpty else { throw TextProblem(.syntax, at: start, "a tag has a name") }
    var attributes: [(name: String, value: String)] = []
    while true {
      skipSpace()
      guard place < bytes.count else {
        throw TextProblem(.truncated, at: start, "this tag does not end")
      }
      switch bytes[place] {
      case UInt8(ascii: ">"):
        place += 1
        return isEnd ? .end(name: name) : .start(name: name, attributes: attributes)
      case UInt8(ascii: "/") where !isEnd:
        place += 1
        guard place < bytes.count, bytes[place] == UInt8(ascii: ">") else {
          throw TextProblem(.syntax, at: place, "“>” is expected here")
        }
        place += 1
        pendingEnd = name
        return .start(name: name, attributes: attributes)
      default: attributes.append(try attribute())
      }
    }
  }

  private mutating func attribute() throws(TextProblem) -> (name: String, value: String) {
    let name = word()
    skipSpace()
    guard !name.isEmpty, place < bytes.count, bytes[place] == UInt8(ascii: "=") else {
      throw TextProblem(.syntax, at: place, "an attribute is a name, “=” and a value in quotes")
    }
    place += 1
    skipSpace()
    guard place < bytes.count, bytes[place] == UInt8(ascii: "\"") || bytes[place] == 0x27 else {
      throw TextProblem(.syntax, at: place, "a value in quotes is expected here")
    }
    let quote = bytes[place]
    place += 1
    let start = place
    while place < bytes.count, bytes[place] != quote { place += 1 }
    guard place < bytes.count else {
      throw TextProblem(.truncated, at: start, "this value does not end")
    }
    place += 1
    return (name, try unescaped(start..<(place - 1)))
  }

  private mutating func word() -> String {
    let start = place
    while place < bytes.count, !" \t\r\n=/><\"'".utf8.contains(bytes[place]) { place += 1 }
    return String(decoding: bytes[start..<place], as: UTF8.self)
  }

  private func localName(_ name: String) -> String {
    String(name.split(separator: ":").last ?? "")
  }

  private mutating func skipSpace() {
    while place < bytes.count, [0x20, 0x09, 0x0a, 0x0d].contains(bytes[place]) { place += 1 }
  }

  private func unescaped(_ range: Range<Int>) throws(TextProblem) -> String {
    guard bytes[range].contains(UInt8(ascii: "&")) else {
      return String(decoding: bytes[range], as: UTF8.self)
    }
    var result: [UInt8] = []
    var index = range.lowerBound
    while index < range.upperBound {
      guard bytes[index] == UInt8(ascii: "&") else {
        result.append(bytes[index])
        index += 1
        continue
      }
      let end = bytes[index..<range.upperBound].prefix(12).firstIndex(of: UInt8(ascii: ";"))
      guard let end, let scalar = XMLScanner.scalar(bytes[(index + 1)..<end]) else {
        throw TextProblem(.syntax, at: index, "this entity is not known")
      }
      result.append(contentsOf: String(scalar).utf8)
      index = end + 1
    }
    return String(decoding: result, as: UTF8.self)
  }

  private static func scalar(_ name: ArraySlice<UInt8>) -> Unicode.Scalar? {
    switch String(decoding: name, as: UTF8.self) {
    case "amp": return "&"
    case "lt": return "<"
    case "gt": return ">"
    case "quot": return "\""
    case "apos": return "'"
    case let text where text.utf8.starts(with: "#x".utf8):
      return UInt32(text.dropFirst(2), radix: 16).flatMap { Unicode.Scalar($0) }
    case let text where text.utf8.starts(with: "#".utf8):
      return UInt32(text.dropFirst()).flatMap { Unicode.Scalar($0) }
    default: return nil
    }
  }
}
