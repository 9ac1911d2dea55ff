public import Betwixt
import BetwixtSync

/// How a file is to be written.
public struct WritingOptions: Sendable {
  /// Whether the numbers of a day rise strictly without the help of ids, in plain JSON.
  public var isDistinct = false

  /// Whether cells that a spreadsheet would take for a formula get a `'`, in CSV.
  public var isSpreadsheetSafe = false

  /// A file that this one takes the place of, whose layout is kept in plain JSON, and of tasks in Markdown.
  public var replaced: [UInt8]?

  /// Writes files as they are by themselves.
  public init() {}
}

/// A list as a file of some format.
public struct EncodedFile: Sendable {
  /// What the file is.
  public let format: DocumentFormat

  /// The file.
  public let bytes: [UInt8]

  /// Everything of the list that the file does not say.
  public let omissions: [Omission]

  /// One line that says how much was left out and what; `nil` if nothing was.
  public var summary: String? { Omission.summary(omissions) }
}

/// Why a list has no file of a format.
public struct EncodingFailure: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kinds of failure.
  public enum Reason: Hashable, Sendable {
    /// The format is read and not written.
    case readOnly
    /// The format has no room for trips, or none for tasks.
    case otherKind
    /// The file would be larger than one that is read.
    case tooLarge
  }

  /// The format that was asked for.
  public let format: DocumentFormat

  /// Why there is no file.
  public let reason: Reason

  /// The problem in plain words.
  public let description: String
}

extension DocumentFormat {
  fileprivate var isJSON: Bool {
    switch self {
    case .tripJSON, .json, .tasks, .taskwarrior: true
    default: false
    }
  }
}

extension JSONScanner {
  /// The most values that a text may have, if it has more.
  fileprivate static func exceededValueCount(of bytes: [UInt8]) -> Int? {
    let most = maximumValueCount(ofByteCount: bytes.count)
    // Two values have three bytes at least, so only long files are looked at.
    guard bytes.count / 2 >= most, valueCount(of: bytes) > most else { return nil }
    return most
  }
}

extension ReplicatedList {
  /// The list as a file of a format.
  ///
  ///     let file = try list.encoded(as: .iCalendar)
  ///     file.bytes      // to be written
  ///     file.omissions  // what the calendar does not say
  ///
  /// The bytes are a function of the list and the options: no clock and no locale takes part.
  ///
  /// - Parameters:
  ///   - format: The format.
  ///   - options: How to write it.
  /// - Returns: The file, and what it leaves out.
  /// - Throws: ``EncodingFailure`` if the format is not written, has no room for this kind of list,
  ///   or if the file would be larger than one that can be read.
  /// - Complexity: O(*n* log *n*)
  public func encoded(
    as format: DocumentFormat, options: WritingOptions = WritingOptions()
  ) throws(EncodingFailure) -> EncodedFile {
    let isTasks = PlainDialect(of: self) == .tasks
    guard format.isWritten else {
      throw EncodingFailure(
        format: format, reason: .readOnly, description: "\(format.title) is read and not written")
    }
    guard isTasks ? format.holdsTasks : format.holdsTrips else {
      throw EncodingFailure(
        format: format, reason: .otherKind,
        description: "\(format.title) has no place for \(isTasks ? "tasks" : "a trip")")
    }
    try checkFieldCounts(as: format)
    var (bytes, omissions) = try contents(as: format, options: options)
    if !format.holdsFieldsOfList { omissions.note(ofRoot: self[id: .root], as: format) }
    if format != .trip, bytes.count > JSONScanner.maximumByteCount {
      throw EncodingFailure(
        format: format, reason: .tooLarge,
        description: "the file would have \(bytes.count) bytes, and one that is read has at most "
          + "\(JSONScanner.maximumByteCount)")
    }
    if format.isJSON, let limit = JSONScanner.exceededValueCount(of: bytes) {
      throw EncodingFailure(
        format: format, reason: .tooLarge,
        description: "a file of \(bytes.count) bytes that is read has at most \(limit) values")
    }
    return EncodedFile(format: format, bytes: bytes, omissions: omissions)
  }

  /// Refuses a file whose reader would refuse it because an item has too many fields.
  private func checkFieldCounts(as format: DocumentFormat) throws(EncodingFailure) {
    let limit = PlainReader.maximumFieldCount
    let isPlain = format == .json || format == .tasks
    guard isPlain || format == .tripJSON else { return }
    for item in allItems() where isPlain ? item.isVisible || item.id == .root : true {
      let count = item.entries.count { entry in
        guard case .field(let name) = entry.register else { return !isPlain }
        return !(isPlain && item.id == .root && name.isDeviceName)
      }
      // The kind of list is a field of a plain file that need not stand in the list.
      let most = isPlain && item.id == .root ? limit - 1 : limit
      guard count <= most else {
        throw EncodingFailure(
          format: format, reason: .tooLarge,
          description: "“\(item.summary.excerpt)” has \(count) fields, and an item of a file that "
            + "is read has at most \(most)")
      }
    }
  }

  private func contents(
    as format: DocumentFormat, options: WritingOptions
  ) throws(EncodingFailure) -> ([UInt8], [Omission]) {
    switch format {
    case .trip:
      do {
        return (try SealedBlock.encode(self), [])
      } catch {
        throw EncodingFailure(
          format: format, reason: .tooLarge,
          description: "the result is too large for a file: \(error)")
      }
    case .tripJSON: return (TripJSON.encode(self), [])
    case .json, .tasks:
      let export = PlainExport(
        self, distinct: options.isDistinct, over: options.replaced)
      return (export.bytes, export.omissions)
    case .iCalendar:
      let export = CalendarExport(self)
      return (export.bytes, export.omissions)
    case .markdown:
      let export = MarkdownExport(self, over: options.replaced)
      return (export.bytes, export.omissions)
    case .csv:
      let export = CSVExport(self, isSpreadsheetSafe: options.isSpreadsheetSafe)
      return (export.bytes, export.omissions)
    case .gpx:
      let export = GPXExport(self)
      return (export.bytes, export.omissions)
    case .todoTxt:
      let writer = TodoTxtWriter(self)
      return (Array(writer.text.utf8), writer.omissions)
    case .taskwarrior:
      let writer = TaskwarriorWriter(self)
      return (writer.bytes, writer.omissions)
    case .taskPaper:
      let writer = TaskPaperWriter(self)
      return (Array(writer.text.utf8), writer.omissions)
    case .org:
      let writer = OrgWriter(self)
      return (Array(writer.text.utf8), writer.omissions)
    // Refused above.
    case .reservations, .trek, .adventureLog: return ([], [])
    }
  }
}

extension DocumentFormat {
  /// Whether a file of the format says all of the list itself, or tells of each field that it does not.
  fileprivate var holdsFieldsOfList: Bool {
    switch self {
    case .trip, .tripJSON, .json, .tasks: true
    default: false
    }
  }

  /// Whether a file of the format says what the list is called.
  fileprivate var holdsNameOfList: Bool {
    switch self {
    case .csv, .todoTxt, .taskPaper, .taskwarrior: false
    default: true
    }
  }
}

extension [Omission] {
  /// Notes what a list says of itself beside its days, and its name where the file has it.
  fileprivate mutating func note(ofRoot root: ListItem?, as format: DocumentFormat) {
    guard let root else { return }
    var written: Set<FieldName> = [.startDate, .days]
    if format.holdsNameOfList { written.insert(.name) }
    for entry in root.entries {
      guard case .field(let name) = entry.register else { continue }
      let isKept = format == .iCalendar && KeptProperty.isKept(name)
      if isKept || name.isDeviceName { written.insert(name) }
    }
    for omission in self where omission.item == .root {
      if let name = omission.field { written.insert(name) }
    }
    note(root, except: written)
  }
}
