public import Betwixt

/// One file, read completely and checked.
///
///     let phone = try TripFile(bytes, name: "phone.json")
///     phone.format   // .json
///     phone.list()   // the state that it stands for
public struct TripFile: Sendable {
  /// What a file holds.
  public enum Content: Sendable {
    /// A list with its history.
    case list(ReplicatedList)
    /// One state without history.
    case plain(PlainTrip)
    /// Events of a calendar.
    case calendar(CalendarFile)
  }

  /// The name that the caller gave the file; errors and reports use it.
  public var name: String

  /// The format that was recognised.
  public let format: DocumentFormat

  /// What it holds.
  public let content: Content

  /// Where it names its trip.
  private let idPlace: DocumentFailure.Place

  /// Reads a text file of any format that is read.
  ///
  /// - Parameters:
  ///   - bytes: The whole file.
  ///   - name: Its name, for errors.
  /// - Throws: The first problem in the file; for a binary file `unsupported-version`, because a
  ///   caller that can decode it uses ``init(list:name:format:)``.
  /// - Complexity: O(*n* log *n*) for *n* bytes
  public init(_ bytes: [UInt8], name: String) throws(DocumentFailure) {
    guard !DocumentFormat.isBinary(bytes) else {
      throw DocumentFailure(
        file: name, place: .binary(offset: 0), reason: .unsupportedVersion,
        text: "binary documents are not read here")
    }
    do {
      let idOffset: Int
      (format, content, idOffset) = try TripFile.read(bytes)
      let id = TextProblem(.wrongTrip, at: idOffset, "")
      idPlace = DocumentFailure(file: name, bytes: bytes, problem: id).place
    } catch {
      throw DocumentFailure(file: name, bytes: bytes, problem: error)
    }
    self.name = name
  }

  private static func read(
    _ bytes: [UInt8]
  ) throws(TextProblem) -> (DocumentFormat, Content, idOffset: Int) {
    if DocumentFormat.isCalendar(bytes) {
      let calendar = try CalendarFile(bytes)
      return (.iCalendar, .calendar(calendar), calendar.idOffset)
    }
    let value = try JSONScanner.scan(bytes)
    let format = DocumentFormat.recognize(value)
    if format == .tripJSON {
      let (list, offset) = try TripJSONReader.read(value)
      return (format, .list(list), offset)
    }
    let plain = try PlainTrip(value)
    return (format, .plain(plain), plain.idOffset)
  }

  /// Takes a list that the caller has decoded.
  public init(list: ReplicatedList, name: String, format: DocumentFormat = .trip) {
    content = .list(list)
    self.name = name
    self.format = format
    idPlace = .binary(offset: 0)
  }

  /// The trip that the file belongs to.
  public var listID: ListID {
    switch content {
    case .list(let list): list.id
    case .plain(let plain): plain.listID
    case .calendar(let calendar): calendar.listID
    }
  }

  /// The list that the file stands for.
  ///
  /// - Complexity: O(*n* log *n*) for a plain file
  public func list() -> ReplicatedList {
    switch content {
    case .list(let list): list
    case .plain(let plain): plain.list()
    case .calendar(let calendar):
      CalendarImport(calendar, into: ReplicatedList(id: calendar.listID)).list
    }
  }

  /// A base joined with what the file says against it.
  ///
  /// A file with a history needs no base and is joined as it is.
  ///
  /// - Throws: `wrong-trip` if the base is another trip.
  /// - Complexity: O(*n* log *n*)
  public func list(base: ReplicatedList) throws(DocumentFailure) -> ReplicatedList {
    try check(isTrip: base.id)
    switch content {
    case .list(let list): return base.merging(list)
    case .plain(let plain): return plain.list(base: base) ?? base
    case .calendar(let calendar): return CalendarImport(calendar, into: base).list
    }
  }

  /// Whether this is a calendar that was not exported from a trip.
  var isForeignCalendar: Bool {
    if case .calendar(let calendar) = content { calendar.tripID == nil } else { false }
  }

  /// Throws `wrong-trip` if the file belongs to another trip; a foreign calendar belongs to none.
  public func check(isTrip id: ListID) throws(DocumentFailure) {
    guard listID != id, !isForeignCalendar else { return }
    throw DocumentFailure(
      file: name, place: idPlace, reason: .wrongTrip,
      text: "this is trip \(listID.uuid), not \(id.uuid)")
  }
}
