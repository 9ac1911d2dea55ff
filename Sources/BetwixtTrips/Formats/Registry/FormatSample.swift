/// What a file is, told by its content.
struct FormatSample {
  let format: DocumentFormat

  // A JSON text is scanned once, to be recognised and to be read.
  private let value: JSONValue?

  /// Recognises a file.
  ///
  /// - Parameters:
  ///   - bytes: The whole file.
  ///   - format: What it is, if somebody said so.
  ///   - likely: What it is if its content does not tell.
  /// - Throws: The first problem of a JSON text; for anything that is not read, what it is.
  init(
    _ bytes: [UInt8], format: DocumentFormat? = nil, otherwise likely: DocumentFormat? = nil
  ) throws(TextProblem) {
    if let format {
      self.format = format
      value = nil
      return
    }
    if DocumentFormat.isBinary(bytes) {
      self.format = .trip
      value = nil
      return
    }
    if let name = UnreadFormat.name(bytes) {
      throw TextProblem(.unsupportedVersion, at: 0, "this is \(name)")
    }
    // Whatever it is, its reader refuses it: lines are not looked at for that.
    guard bytes.count <= JSONScanner.maximumByteCount else { throw JSONScanner.tooLarge }
    let start = TextShape.start(bytes)
    if bytes[start...].starts(with: "<<<<<<< ".utf8) {
      throw TextProblem(.syntax, at: start, JSONScanner.conflict)
    }
    if start == bytes.count, let likely {
      // A list of tasks that has none is written as nothing at all.
      self.format = likely
      value = nil
      return
    }
    if start < bytes.count, bytes[start] != UInt8(ascii: "{"), bytes[start] != UInt8(ascii: "["),
      let text = try FormatSample.text(bytes, from: start, otherwise: likely)
    {
      // To most of these formats they are tasks, or lines that do not matter.
      if text.isOfLines, let place = TextShape.conflict(in: bytes) {
        throw TextProblem(.syntax, at: place, JSONScanner.conflict)
      }
      self.format = text
      value = nil
      return
    }
    let value = try JSONScanner.scan(bytes)
    let format = DocumentFormat.recognize(value)
    // Nothing but the name tells what an empty array was.
    let isOther = value.elements?.isEmpty == true && likely ?? .json != .json
    self.format = isOther && likely != .taskwarrior ? .json : format
    self.value = value
  }

  /// The format of a text that is no JSON of ours; `nil` for one that may be JSON.
  private static func text(
    _ bytes: [UInt8], from start: Int, otherwise likely: DocumentFormat?
  ) throws(TextProblem) -> DocumentFormat? {
    do throws(TextProblem) {
      let format = try TextShape.format(bytes, from: start, otherwise: likely)
      return format ?? (likely?.isOfLines == true ? likely : nil)
    } catch {
      // What is known and not read stays that.
      guard let likely, likely.isOfLines, error.reason == .syntax else { throw error }
      return likely
    }
  }

  /// The JSON of the file.
  func json(_ bytes: [UInt8]) throws(TextProblem) -> JSONValue {
    if let value { return value }
    return try JSONScanner.scan(bytes)
  }
}

/// Files that people have and that are not read here, by their first bytes.
enum UnreadFormat {
  /// What a file is, and what helps; `nil` if it is none of these.
  static func name(_ bytes: [UInt8]) -> String? {
    let zip = "a ZIP archive: unpack it, and take the calendar, JSON or GPX file in it"
    let starts: [([UInt8], String)] = [
      ([0x50, 0x4b, 0x03, 0x04], zip), ([0x50, 0x4b, 0x05, 0x06], zip),
      ([0x1f, 0x8b], "compressed with gzip: unpack it first"),
      (Array("%PDF-".utf8), "a PDF: ask its sender for the calendar file (.ics)"),
      (
        Array("SQLite format 3\u{0}".utf8),
        "an SQLite database: export from the program that it belongs to"
      ),
      ([0xff, 0xd8, 0xff], "a picture (JPEG)"), ([0x89, 0x50, 0x4e, 0x47], "a picture (PNG)"),
      (
        [0xd0, 0xcf, 0x11, 0xe0],
        "an old Office document: save it as CSV"
      ),
      (Array("{\\rtf".utf8), "rich text (RTF): save it as plain text"),
      (Array("bplist0".utf8), "a binary property list"),
      (Array("BEGIN:VCARD".utf8), "a card of an address book (vCard), which holds no dates"),
      ([0xff, 0xfe], "text in UTF-16: save it as UTF-8"),
      ([0xfe, 0xff], "text in UTF-16: save it as UTF-8"),
    ]
    for (start, name) in starts where bytes.starts(with: start) { return name }
    return nil
  }

  /// What an XML file is that is no GPX, by its outermost element.
  static func name(ofElement name: String) -> String {
    switch name {
    case "kml": "KML: export GPX in its place"
    case "html": "a web page (HTML): save what it shows as a calendar (.ics) or CSV"
    case "icalendar": "xCal: export iCalendar (.ics) in its place"
    case "TrainingCenterDatabase": "TCX: export GPX in its place"
    case "plist": "a property list"
    case "opml": "an outline (OPML): export TaskPaper or Markdown in its place"
    default: "XML with the outermost element “\(name.excerpt)”, which is not read"
    }
  }
}
