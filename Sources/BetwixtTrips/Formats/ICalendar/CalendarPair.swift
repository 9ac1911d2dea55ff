import Betwixt

/// Which of two versions of an event is the newer one: `SEQUENCE`, then `LAST-MODIFIED`.
struct CalendarPair: Hashable, Sendable {
  let sequence: Int64

  /// Seconds since 1970.
  let modified: Int64

  init(sequence: Int64, modified: Int64) {
    self.sequence = sequence
    self.modified = modified
  }

  /// The pair that export writes for the newest of some times.
  ///
  /// The sequence is the time too, as seconds since 2020, so it grows whenever lists are merged.
  init(newest time: Timestamp) {
    modified = time.milliseconds / 1_000
    let start2020: Int64 = 1_577_836_800
    sequence = Swift.min(Swift.max(modified - start2020, 0), Int64(Int32.max))
  }

  /// The pair of an item that a list holds.
  init(_ item: ListItem, startDateTime: Timestamp) {
    self.init(newest: max(item.newestTime ?? .zero, startDateTime))
  }

  /// The pair that an item of a foreign calendar was last imported with; `nil` for others.
  init?(foreign item: ListItem) {
    guard item[.calendarSequence] != nil || item[.calendarUID] != nil else { return nil }
    sequence = item[.calendarSequence]?.int64 ?? 0
    modified = item[.calendarModified]?.string.flatMap { CalendarTime.seconds($0) } ?? 0
  }
}

extension CalendarPair: Comparable {
  static func < (left: CalendarPair, right: CalendarPair) -> Bool {
    (left.sequence, left.modified) < (right.sequence, right.modified)
  }
}

extension FieldName {
  /// The `UID` that an item had in the calendar it came from.
  static let calendarUID: FieldName = "icsUid"

  /// The `SEQUENCE` of the version last imported.
  static let calendarSequence: FieldName = "icsSequence"

  /// The `LAST-MODIFIED` of the version last imported.
  static let calendarModified: FieldName = "icsModified"
}

extension ReplicatedList {
  /// When the start date was last written; time 0 if never.
  var startDateTime: Timestamp {
    self[id: .root]?.entries.first { $0.register == .field(.startDate) }?.stamp.time ?? .zero
  }
}
