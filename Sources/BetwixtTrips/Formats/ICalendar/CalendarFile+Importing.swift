import Betwixt

extension CalendarPair {
  /// The version of a foreign calendar that an item was last imported with.
  static func imported(by item: ListItem) -> CalendarPair {
    CalendarPair(
      sequence: Swift.min(item[.calendarSequence]?.int64 ?? 0, greatest),
      modified: item.importedSeconds)
  }
}

extension CalendarEvent {
  /// The fields of an event that is new here, without those that say when it is.
  var foreignFields: [(name: FieldName, value: FieldValue?)] {
    var fields = versionFields
    fields.append((.kind, "custom"))
    if let uid { fields.append((.calendarUID, .string(uid))) }
    let texts: [(FieldName, String?)] = [
      (.title, content.summary), (.note, content.note), (.address, content.location),
    ]
    for (name, text) in texts {
      if let text, !text.isEmpty { fields.append((name, .string(text))) }
    }
    if let point = content.point {
      fields.append((.latitude, .double(point.latitude)))
      fields.append((.longitude, .double(point.longitude)))
    }
    // No two of them have one name, and none has that of a field above.
    for field in content.kept.fields { fields.append((field.name, .string(field.text))) }
    return fields
  }

  /// Whether an event that the base lacks is back later than its item was removed, or another
  /// calendar removed it: such a removal is as late as it must be, and no later.
  func isBack(after item: ListItem) -> Bool {
    var (removed, newest) = (Timestamp.zero, Timestamp.zero)
    for entry in item.entries {
      if entry.register == .life {
        removed = entry.stamp.time
      } else {
        newest = max(newest, entry.stamp.time)
      }
    }
    return (removed < time || removed == newest.successor)
      && item.lifeLength < RegisterValue.longestLife
  }

  /// The version, by which the next import tells whether it brings a newer one.
  var versionFields: [(name: FieldName, value: FieldValue?)] {
    [
      (.calendarSequence, .int64(pair.sequence)),
      (.calendarModified, .string(CalendarTime.stamp(seconds: pair.modified))),
    ]
  }
}

extension CalendarFile {
  /// The items that the calendar carries, as export had them.
  var exportedItems: ReplicatedList {
    var writes = ImportWrites()
    for item in events.compactMap({ $0.own }).sorted(by: { $0.id < $1.id }) {
      writes.addNew(item, at: .zero, place: item.place.value(of: item.id))
    }
    var list = ReplicatedList(id: listID)
    list.merge(writes.delta())
    return list
  }

  /// The dates on which events begin and end, as they are shown.
  func dates(utcOffset: Int?) -> [CivilDate] {
    var clock = CalendarClock(
      startDate: nil, utcOffset: utcOffset, zoneName: zoneName, zones: zones)
    var dates: [CivilDate] = []
    for event in events {
      guard let start = event.content.start.map({ clock.shown($0.time) }) else { continue }
      dates.append(start.date)
      if let minutes = event.content.minutes, let end = start.later(by: minutes - 1) {
        dates.append(end.date)
      }
    }
    return dates
  }

  /// The date of day 1: of the trip that was exported, else of the earliest event.
  func startDate(utcOffset: Int?) -> CivilDate? {
    exportedStartDate ?? (tripID == nil ? dates(utcOffset: utcOffset).min() : nil)
  }

  /// The fields of the trip, for a document that has no start date, and the zones it lacks.
  func rootFields(
    missingIn document: ReplicatedList, clock: CalendarClock, zones known: KnownZones
  ) -> [(FieldName, FieldValue)] {
    let written = Set((document[id: .root]?.entries ?? []).map { $0.register })
    var fields: [(FieldName, FieldValue)] = []
    for (name, value) in zones.fields
    where known.text(of: name).map({ $0.hasSameBytes(as: value.string ?? "") }) ?? true {
      fields.append((name, value))
    }
    if !written.contains(.field(.startDate)) {
      if let start = clock.startDate {
        fields.append((.startDate, .string("\(start)")))
        let last = dates(utcOffset: clock.utcOffset).max() ?? start
        let count = tripID == nil ? last - start + 1 : nil
        if let days = days ?? count {
          let possible = Swift.min(Swift.max(1, days), Trip.maximumDayCount)
          fields.append((.days, .int64(possible)))
        }
      }
      if let name { fields.append((.name, .string(name))) }
      for field in kept.fields { fields.append((field.name, .string(field.text))) }
    }
    return fields.filter { !written.contains(.field($0.0)) }.sorted { $0.0 < $1.0 }
  }
}
