import Betwixt
package import BetwixtSync

/// What a reader may need to know that a file does not say.
public struct ReadingOptions: Sendable {
  /// The minutes that the clock for UTC times is ahead of UTC; `nil` takes the zone that the file
  /// names, else UTC itself.
  public var utcOffset: Int?

  /// The format, where it is not to be told by the content.
  public var format: DocumentFormat?

  /// The format of a text whose content does not tell it, such as lines without a mark, or none at
  /// all.
  public var likelyFormat: DocumentFormat?

  /// The date of day 1, for a file that has none.
  public var startDate: CivilDate?

  /// The date of day 1 of a file without any date; one with dates is read by these.
  public var undatedStartDate: CivilDate?

  /// What the columns of a table are: a field's name, and the heading in the file.
  public var columns: [(field: String, heading: String)] = []

  /// Reads a file by what it says itself.
  public init() {}

  /// The date of day 1 that a file gets, `nil` if it is that of the file.
  func startDate(of file: ForeignFile) -> CivilDate? {
    startDate ?? (file.isDated ? nil : undatedStartDate)
  }
}

extension TripFile {
  /// Reads a file of any format that is read, told by its content.
  ///
  ///     let file = try TripFile(decoding: bytes, name: "trip.ics")
  ///     let result = try TripImport(file, into: document)
  ///     result.list   // the document joined with the file
  ///     result.notes  // what was not taken
  ///
  /// - Parameters:
  ///   - bytes: The whole file.
  ///   - name: Its name, for errors.
  ///   - options: What the file does not say.
  /// - Throws: The first problem in the file; for a format that is known and not read, one that
  ///   says what it is.
  /// - Complexity: O(*n* log *n*) for *n* bytes
  public init(
    decoding bytes: [UInt8], name: String, options: ReadingOptions = ReadingOptions()
  ) throws(DocumentFailure) {
    if DocumentFormat.isBinary(bytes) {
      self = try TripFile.binary(bytes, named: name)
      return
    }
    do {
      let (format, content, idOffset) = try TripFile.read(bytes, options: options)
      let id = TextProblem(.wrongTrip, at: idOffset, "")
      self.init(
        name: name, format: format, content: content,
        idPlace: DocumentFailure(file: name, bytes: bytes, problem: id).place,
        utcOffset: options.utcOffset)
    } catch {
      throw DocumentFailure(file: name, bytes: bytes, problem: error)
    }
  }

  private static func binary(_ bytes: [UInt8], named name: String) throws(DocumentFailure)
    -> TripFile
  {
    do throws(DecodeFailure) {
      let list =
        SealedBlock.isSealedBlock(bytes)
        ? try SealedBlock.decode(bytes) : try document(bytes)
      return TripFile(list: list, name: name)
    } catch {
      throw DocumentFailure(file: name, because: error)
    }
  }

  /// The list of a document that is edited in place, to the last commit.
  ///
  /// What is damaged is refused: what it still holds would be shown as whole.
  private static func document(
    _ bytes: [UInt8]
  ) throws(DecodeFailure) -> ReplicatedList {
    let content = try DocumentContent(bytes)
    if let failure = content.needsUpgrade { throw failure }
    guard content.isSound else { throw content.damage }
    return content.list
  }

  private static func read(
    _ bytes: [UInt8], options: ReadingOptions
  ) throws(TextProblem) -> (DocumentFormat, Content, idOffset: Int) {
    let sample = try FormatSample(
      bytes, format: options.format, otherwise: options.likelyFormat)
    let format = sample.format
    switch format {
    case .iCalendar:
      let calendar = try CalendarFile(bytes)
      guard calendar.isTasks else { return (format, .calendar(calendar), calendar.idOffset) }
      let tasks = ForeignFile(tasksOf: calendar, utcOffset: options.utcOffset)
      return (format, .foreign(tasks), calendar.idOffset)
    case .tripJSON:
      let (list, offset) = try TripJSONReader.read(try sample.json(bytes))
      return (format, .list(list), offset)
    case .json, .tasks:
      let plain = try PlainTrip(try sample.json(bytes))
      return (format, .plain(plain), plain.idOffset)
    default:
      return (
        format, .foreign(try foreign(format, bytes: bytes, sample: sample, options: options)), 0
      )
    }
  }

  private static func foreign(
    _ format: DocumentFormat, bytes: [UInt8], sample: FormatSample, options: ReadingOptions
  ) throws(TextProblem) -> ForeignFile {
    guard bytes.count <= JSONScanner.maximumByteCount else { throw JSONScanner.tooLarge }
    var file: ForeignFile
    switch format {
    case .reservations: file = ReservationReader.read(try sample.json(bytes), bytes: bytes)
    case .trek: file = TrekReader.read(try sample.json(bytes), bytes: bytes)
    case .adventureLog: file = AdventureLogReader.read(try sample.json(bytes), bytes: bytes)
    case .taskwarrior:
      file = try TaskwarriorReader.read(
        try sample.json(bytes), bytes: bytes, utcOffset: options.utcOffset)
    case .todoTxt: file = try TodoTxtReader.read(bytes)
    case .taskPaper: file = try TaskPaperReader.read(bytes)
    case .org: file = try OrgReader.read(bytes)
    case .markdown: file = try MarkdownReader.read(bytes)
    case .csv: file = try CSVReader.read(bytes, options: options)
    case .gpx: file = try GPXReader.read(bytes, options: options)
    case .trip, .tripJSON, .json, .tasks, .iCalendar:
      throw TextProblem(.syntax, at: 0, "this is no \(format.title)")
    }
    file.startDate = file.startDate ?? options.startDate(of: file)
    do {
      return try file.checked()
    } catch {
      throw error.textProblem(in: bytes)
    }
  }
}

extension ForeignProblem {
  /// The problem at the byte where its line starts.
  fileprivate func textProblem(in bytes: [UInt8]) -> TextProblem {
    var offset = 0
    for _ in 1..<Swift.max(1, line) {
      guard let lineFeed = bytes[offset...].firstIndex(of: UInt8(ascii: "\n")) else { break }
      offset = lineFeed + 1
    }
    return TextProblem(reason, at: offset, text)
  }
}

extension DocumentFailure {
  /// A binary document that cannot be read, in the stable words of all formats.
  package init(file: String, because failure: DecodeFailure) {
    let (reason, words): (Reason, String) =
      switch failure.code {
      case .truncated: (.truncated, "the file ends too early")
      case .malformed: (.syntax, "the file is damaged")
      case .needsUpgrade: (.unsupportedVersion, "a newer version wrote this")
      case .limitExceeded: (.tooLarge, "the file holds too much")
      }
    self.init(
      file: file, place: .binary(offset: failure.offset), reason: reason,
      text: "\(words) (\(failure.reason.rawValue))")
  }
}
