public import Betwixt

/// One file, read completely and checked.
///
///     let phone = try TripFile(decoding: bytes, name: "phone.json")
///     phone.format   // .json
///     phone.list()   // the state that it stands for
///     phone.notes    // what was not taken, or is doubtful
public struct TripFile: Sendable {
  /// What a file holds.
  public enum Content: Sendable {
    /// A list with its history.
    case list(ReplicatedList)
    /// One state without history.
    case plain(PlainTrip)
    /// Events of a calendar.
    case calendar(CalendarFile)
    /// What another program wrote.
    case foreign(ForeignFile)
  }

  /// The name that the caller gave the file; errors and reports use it.
  public var name: String

  /// The format that was recognised.
  public let format: DocumentFormat

  /// What it holds.
  public let content: Content

  /// Where it names its trip.
  let idPlace: DocumentFailure.Place

  /// The minutes that the clock for a file's UTC times is ahead of UTC.
  let utcOffset: Int?

  /// Whether it knows of each value when it was written, and has keys for places: a plain file has
  /// one time and a number.
  var hasHistory: Bool { if case .list = content { true } else { false } }

  init(
    name: String, format: DocumentFormat, content: Content, idPlace: DocumentFailure.Place,
    utcOffset: Int?
  ) {
    self.name = name
    self.format = format
    self.content = content
    self.idPlace = idPlace
    self.utcOffset = utcOffset
  }

  /// Takes a list that the caller has decoded.
  public init(list: ReplicatedList, name: String, format: DocumentFormat = .trip) {
    self.init(
      name: name, format: format, content: .list(list), idPlace: .binary(offset: 0),
      utcOffset: nil)
  }

  /// The trip that the file belongs to.
  public var listID: ListID {
    switch content {
    case .list(let list): list.id
    case .plain(let plain): plain.listID
    case .calendar(let calendar): calendar.listID
    case .foreign(let foreign): foreign.listID
    }
  }

  /// The list that the file stands for.
  ///
  /// - Complexity: O(*n* log *n*) for a file without history
  public func list() -> ReplicatedList {
    switch content {
    case .list(let list): list
    case .plain(let plain): plain.list()
    case .calendar(let calendar):
      CalendarImport(calendar, into: ReplicatedList(id: calendar.listID), utcOffset: utcOffset).list
    case .foreign(let foreign): foreign.plain(for: nil).list()
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
    return list(joining: base, base: base)
  }

  /// The same for a base whose view is there already.
  func list(
    base: ReplicatedList, shownAs view: PlainView?
  ) throws(DocumentFailure) -> ReplicatedList {
    guard case .plain(let plain) = content, let view else { return try list(base: base) }
    try check(isTrip: base.id)
    return plain.list(base: base, shownAs: view) ?? base
  }

  /// A list joined with what the file says.
  ///
  /// - Parameters:
  ///   - list: The list.
  ///   - base: What the file was made from; what it lacks of that is removed.
  /// - Returns: The joined list.
  func list(joining list: ReplicatedList, base: ReplicatedList?) -> ReplicatedList {
    switch content {
    case .list(let mine): return list.merging(mine)
    case .plain(let plain):
      guard let base else { return list.merging(plain.list()) }
      return list.merging(plain.list(base: base) ?? base)
    case .calendar(let calendar):
      let joined = base.map { list.merging($0) } ?? list
      return CalendarImport(calendar, into: joined, base: base, utcOffset: utcOffset).list
    case .foreign(let foreign):
      let plain = foreign.plain(for: list, base: base)
      guard let base else { return list.merging(plain.list()) }
      return list.merging(plain.list(base: base) ?? base)
    }
  }

  /// Whether the file was not exported from a trip, so that each trip can take it in.
  var belongsToNoTrip: Bool {
    switch content {
    case .calendar(let calendar): calendar.tripID == nil
    case .foreign(let foreign): foreign.ownID == nil
    case .list, .plain: false
    }
  }

  /// Throws `wrong-trip` if the file belongs to another trip; one of another program belongs to
  /// none.
  public func check(isTrip id: ListID) throws(DocumentFailure) {
    guard listID != id, !belongsToNoTrip else { return }
    throw DocumentFailure(
      file: name, place: idPlace, reason: .wrongTrip,
      text: "this is trip \(listID.uuid), not \(id.uuid)")
  }
}
