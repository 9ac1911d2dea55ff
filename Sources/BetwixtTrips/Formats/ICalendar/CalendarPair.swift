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

  /// The pair that export writes for an item of the trip's own.
  ///
  /// The sequence counts what was written after the item was made: a field, its place, a removal
  /// or a restoration each make it one greater. A field that is written again counts as before,
  /// and the later time tells the versions apart.
  init(_ item: ListItem, startDateTime: Timestamp, isStartDateEdited: Bool) {
    let made = item.entries.first { $0.register == .life }?.stamp.time ?? .zero
    let isRestored = item.lifeLength > 1
    var count = isRestored ? Int64(item.lifeLength) - 1 : 0
    for entry in item.entries where entry.register != .life {
      if isRestored || made < entry.stamp.time { count += 1 }
    }
    // Another first day moves every event.
    if isStartDateEdited { count += 1 }
    sequence = Swift.min(count, Int64(Int32.max))
    modified = max(item.newestTime ?? .zero, startDateTime).milliseconds / 1_000
  }

  /// The pair of an item of a foreign calendar: the version last imported, and what was written
  /// here after it; `nil` for others.
  ///
  /// - Parameters:
  ///   - item: The item.
  ///   - known: Its entries, if the caller has them already.
  init?(foreign item: ListItem, entries known: [Entry]? = nil) {
    guard item[.calendarSequence] != nil || item[.calendarUID] != nil else { return nil }
    let entries = known ?? item.entries
    let sequence = Swift.max(0, item[.calendarSequence]?.int64 ?? 0)
    let modified = item[.calendarModified]?.string.flatMap { CalendarTime.seconds($0) } ?? 0
    let imported = CalendarPair.importTime(in: entries)
    var count: Int64 = 0
    for entry in entries where imported < entry.stamp.time { count += 1 }
    // Where the whole item was written anew, only that can be told.
    if count == 0, modified < imported.milliseconds / 1_000 { count = 1 }
    let (sum, overflow) = sequence.addingReportingOverflow(count)
    self.sequence = overflow ? sequence : Swift.min(sum, Int64(Int32.max))
    self.modified = count == 0 ? modified : (item.newestTime ?? .zero).milliseconds / 1_000
  }

  /// When the version of a foreign calendar that an item holds was written into the list.
  static func importTime(of item: ListItem) -> Timestamp { importTime(in: item.entries) }

  private static func importTime(in entries: [Entry]) -> Timestamp {
    entries.first { $0.register == .field(.calendarSequence) }?.stamp.time ?? .zero
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

  /// Whether the start date was written later than the rest of what the list says of itself.
  var isStartDateEdited: Bool {
    let time = startDateTime
    return self[id: .root]?.entries.contains { $0.stamp.time < time } ?? false
  }
}
