public import Betwixt

/// What a plain file says: one state of a trip, or of a list of tasks, without history.
///
///     let trip = try PlainTrip(bytes, file: "trip.json")
///     let list = trip.list()               // the same on every machine
public struct PlainTrip: Sendable {
  /// The list that the file belongs to.
  public let listID: ListID

  /// The byte where the file names its id.
  package let idOffset: Int

  package let dialect: PlainDialect

  /// The fields of the root.
  package let root: PlainItem

  /// The items, rising by id.
  package let items: [PlainItem]

  /// The number of items.
  public var itemCount: Int { items.count }

  /// Reads plain trip JSON or task JSON, told apart by the member `format`.
  ///
  /// - Parameters:
  ///   - bytes: The whole file.
  ///   - file: The name of the file, for errors.
  /// - Throws: The first problem in the file: of its UTF-8, else of its syntax, else of its
  ///   meaning.
  /// - Complexity: O(*n* log *n*) for *n* bytes
  public init(_ bytes: [UInt8], file: String) throws(DocumentFailure) {
    do {
      let value = try JSONScanner.scan(bytes)
      try self.init(value)
    } catch {
      throw DocumentFailure(file: file, bytes: bytes, problem: error)
    }
  }

  package init(_ value: JSONValue) throws(TextProblem) {
    let isTasks = DocumentFormat.recognize(value) == .tasks
    self = try PlainReader.read(value, in: isTasks ? .tasks : .trip)
  }

  init(
    listID: ListID, idOffset: Int, dialect: PlainDialect, root: PlainItem, items: [PlainItem]
  ) {
    self.listID = listID
    self.idOffset = idOffset
    self.dialect = dialect
    self.root = root
    self.items = items
  }
}

/// One item of a plain file, or its root.
package struct PlainItem: Sendable {
  package let id: ItemID
  package let time: Timestamp
  package let place: PlainPlace
  /// Rising by name; `nil` is a field that the file clears.
  package let fields: [PlainField]
}

/// One field of a plain file.
package struct PlainField: Sendable {
  package let name: FieldName
  package let value: FieldValue?

  /// The name of the member that it came from.
  package let member: String
}

/// Where a plain file puts an item.
package struct PlainPlace: Sendable {
  /// What the number rests on.
  package enum Origin: Sendable {
    /// The file's `sortOrder`.
    case given
    /// The start of a game without `sortOrder`.
    case anchored
    /// The order of the file.
    case appended
  }

  package let section: Int64
  package let number: Double
  package let origin: Origin
  /// Which item of the file it is, counted from 0.
  package let fileIndex: Int

  static let none = PlainPlace(section: 0, number: 0, origin: .given, fileIndex: 0)
}
