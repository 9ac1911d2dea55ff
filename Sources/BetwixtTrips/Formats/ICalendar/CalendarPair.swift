import Betwixt

/// Which of two versions of an event is the newer one: `SEQUENCE`, then `LAST-MODIFIED`.
struct CalendarPair: Hashable, Sendable {
  let sequence: Int64

  /// Seconds since 1970.
  let modified: Int64

  /// The greatest sequence that a calendar can say.
  static let greatest = Int64(Int32.max)

  init(sequence: Int64, modified: Int64) {
    self.sequence = sequence
    self.modified = modified
  }

  /// The pair that export writes for an item of the trip's own.
  ///
  /// The sequence counts what was written after the item was made: a field, its place, a removal
  /// or a restoration each make it one greater. A field that is written again counts as before,
  /// and the later time tells the versions apart.
  init(_ item: ListItem, firstDay: FirstDay) {
    let made = item.entries.first { $0.register == .life }?.stamp.time ?? .zero
    let isRestored = item.lifeLength > 1
    let limit = CalendarPair.greatest
    var count = isRestored ? Swift.min(Int64(clamping: item.lifeLength), limit) - 1 : 0
    for entry in item.entries where entry.register != .life {
      if isRestored || made < entry.stamp.time { count += 1 }
    }
    // Another first day moves every event.
    if firstDay.isEdited { count += 1 }
    sequence = Swift.min(count, limit)
    modified = max(item.newestTime ?? .zero, firstDay.time).milliseconds / 1_000
  }

  /// The pair of an item of a foreign calendar: the version last imported, and what was written
  /// here after it; `nil` for others.
  ///
  /// - Parameters:
  ///   - item: The item.
  ///   - firstDay: That of the trip: another one moves every event. It counts also for an event whose
  ///     calendar was older when it came: nothing says when that was, and a version that falls again,
  ///     where the day is put back, would leave the programs of others at the wrong date.
  ///   - known: Its entries, if the caller has them already.
  init?(foreign item: ListItem, firstDay: FirstDay, entries known: [Entry]? = nil) {
    guard item.isForeign else { return nil }
    let entries = known ?? item.entries
    let sequence = Swift.max(0, item[.calendarSequence]?.int64 ?? 0)
    let modified = item.importedSeconds
    let imported = CalendarPair.importTime(in: entries)
    var count: Int64 = 0
    for entry in entries where imported < entry.stamp.time { count += 1 }
    // Where the whole item was written anew, only that can be told.
    if count == 0, modified < imported.milliseconds / 1_000 { count = 1 }
    let written = count == 0 ? modified : (item.newestTime ?? .zero).milliseconds / 1_000
    let isMoved = firstDay.isEdited && imported < firstDay.time
    if isMoved { count += 1 }
    // Any writer can put any number into the field.
    let sum = Swift.min(sequence, CalendarPair.greatest) + count
    self.sequence = Swift.min(sum, CalendarPair.greatest)
    self.modified = isMoved ? max(written, firstDay.time.milliseconds / 1_000) : written
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

extension CalendarPair {
  /// Those versions of events or tasks of which the file has a newer one, or the same once more.
  ///
  /// - Parameters:
  ///   - versions: The versions, in the order of the file.
  ///   - skips: Takes a note for each that is older.
  /// - Returns: Their places.
  static func older(
    of versions: [(id: ItemID, pair: CalendarPair, line: Int)],
    into skips: inout [(line: Int, text: String)]
  ) -> Set<Int> {
    var best: [ItemID: Int] = [:]
    var losers: Set<Int> = []
    for (index, version) in versions.enumerated() {
      guard let other = best[version.id] else {
        best[version.id] = index
        continue
      }
      let isNewer = versions[other].pair < version.pair
      let loser = isNewer ? other : index
      if isNewer { best[version.id] = index }
      losers.insert(loser)
      skips.append((versions[loser].line, "the file has another version of it"))
    }
    return losers
  }
}

extension ListItem {
  /// The `LAST-MODIFIED` of the version last imported; 0 for one that no event could have, which
  /// reading would skip.
  var importedSeconds: Int64 {
    guard let seconds = self[.calendarModified]?.string.flatMap({ CalendarTime.seconds($0) }),
      Moment(milliseconds: seconds * 1_000) != nil
    else { return 0 }
    return seconds
  }

  /// Whether it came from a calendar that others write.
  var isForeign: Bool { self[.calendarSequence] != nil || self[.calendarUID] != nil }

  /// The time of its newest write.
  ///
  /// - Parameter withVersion: Whether also the version last imported counts. Each import of an edit
  ///   writes it, so one that brings no other version would be later each time.
  /// - Returns: The time.
  func newestTime(withVersion: Bool) -> Timestamp {
    var newest = Timestamp.zero
    for entry in entries {
      let isVersion =
        entry.register == .field(.calendarSequence) || entry.register == .field(.calendarModified)
      if withVersion || !isVersion { newest = max(newest, entry.stamp.time) }
    }
    return newest
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

/// When the first day of a trip was written, from which the dates of all events are counted.
struct FirstDay: Hashable, Sendable {
  /// When it was last written; time 0 if never.
  let time: Timestamp

  /// Whether it was written later than the rest of what the list says of itself.
  let isEdited: Bool

  /// That of a list without dates.
  static let none = FirstDay(time: .zero, isEdited: false)

  private init(time: Timestamp, isEdited: Bool) {
    (self.time, self.isEdited) = (time, isEdited)
  }

  init(of list: ReplicatedList) {
    let entries = list[id: .root]?.entries ?? []
    let time = entries.first { $0.register == .field(.startDate) }?.stamp.time ?? .zero
    self.init(time: time, isEdited: entries.contains { $0.stamp.time < time })
  }
}
