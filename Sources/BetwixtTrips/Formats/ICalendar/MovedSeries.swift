import Betwixt

/// A series of events whose first one was moved here.
///
/// Calendars name the other days of a series by their dates: those that are taken out, that are added and
/// that differ. They are kept and written as they came, each in a field that its own value names, so that
/// devices agree on them and a file that comes back finds them; they do not move with the first day. Who
/// exports the calendar hears of it.
struct MovedSeries {
  /// What a calendar calls it.
  let uid: String

  /// What still names the days as they were.
  private(set) var leftBehind: [Omission] = []

  /// Looks whether an event starts where it came in; `nil` if it does, or is no series.
  init?(_ item: ListItem, kept: KeptEntries, to start: CalendarTimeLine) {
    guard let uid = item[.calendarUID]?.string,
      let first = KeptTime(item[KeptProperty.start]).flatMap({ CalendarTimeLine($0.remainder) }),
      first.time != start.time
    else { return nil }
    self.uid = uid
    var isSeries = false
    for field in kept.fields {
      guard case .property(let property, _) = field.role else { continue }
      switch property {
      case "RRULE":
        isSeries = true
        // Days of the week or the month, of which the first day was one.
        guard first.time.date != start.time.date, field.value.string?.isRuleOfDays ?? false else {
          continue
        }
      case "EXDATE", "RDATE": isSeries = true
      default: continue
      }
      leftBehind.append(Omission(item: item.id, field: field.name, reason: .leftBehind))
    }
    guard isSeries else { return nil }
  }

  /// The days that differ from their series, which say by a date which day they stand for.
  static func exceptions(in list: ReplicatedList, of series: Set<String>) -> [Omission] {
    guard !series.isEmpty else { return [] }
    return list.compactMap { item in
      guard item[exception] != nil, let uid = item[.calendarUID]?.string, series.contains(uid)
      else { return nil }
      return Omission(item: item.id, field: exception, reason: .leftBehind)
    }
  }

  private static let exception: FieldName = "ics:RECURRENCE-ID"
}

extension String {
  /// Whether the rule of a series names days by what they are in a week, a month or a year.
  fileprivate var isRuleOfDays: Bool {
    utf8.split { $0 == UInt8(ascii: ";") || $0 == UInt8(ascii: ":") }.contains { part in
      String(Substring(part)).hasBytePrefix("BY")
    }
  }
}
