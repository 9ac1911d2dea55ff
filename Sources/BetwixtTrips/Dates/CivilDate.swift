/// A day of the civil calendar, without a clock and without a time zone.
///
/// The calendar is the proleptic Gregorian one, years 1 to 9999. A date is a count of days, so
/// days are added and compared as numbers.
///
///     let start = CivilDate("2026-06-11")
///     start?.weekday          // .thursday
///     start.flatMap { $0 + 24 }?.description  // "2026-07-05"
public struct CivilDate: Hashable, Sendable {
  /// Days since 1970-01-01; negative before.
  public let dayNumber: Int64

  /// The first date there is, 0001-01-01.
  public static let min = CivilDate(unchecked: -719_162)

  /// The last date there is, 9999-12-31.
  public static let max = CivilDate(unchecked: 2_932_896)

  /// Makes a date from its count of days, or `nil` outside years 1 to 9999.
  public init?(dayNumber: Int64) {
    guard CivilDate.min.dayNumber <= dayNumber, dayNumber <= CivilDate.max.dayNumber else {
      return nil
    }
    self.init(unchecked: dayNumber)
  }

  /// Makes a date from its parts, or `nil` if there is no such day.
  public init?(year: Int, month: Int, day: Int) {
    guard (1...9999).contains(year), (1...12).contains(month),
      day >= 1, day <= CivilDate.days(inMonth: month, of: year)
    else { return nil }
    // Years that begin in March, so that a leap day is the last day of its year, and eras of 400
    // years, which all have 146,097 days.
    let shiftedYear = month <= 2 ? year - 1 : year
    let era = shiftedYear / 400
    let yearOfEra = shiftedYear - era * 400
    let monthFromMarch = (month + 9) % 12
    let dayOfYear = (153 * monthFromMarch + 2) / 5 + day - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    self.init(unchecked: Int64(era * 146_097 + dayOfEra - 719_468))
  }

  private init(unchecked dayNumber: Int64) { self.dayNumber = dayNumber }

  /// How many days a month has.
  private static func days(inMonth month: Int, of year: Int) -> Int {
    switch month {
    case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }
}

extension CivilDate {
  /// The year, 1 to 9999.
  public var year: Int { parts.year }

  /// The month, 1 to 12.
  public var month: Int { parts.month }

  /// The day of the month, from 1.
  public var day: Int { parts.day }

  private var parts: (year: Int, month: Int, day: Int) {
    let shifted = Int(dayNumber) + 719_468
    let era = shifted / 146_097
    let dayOfEra = shifted - era * 146_097
    let leapDays = dayOfEra / 1_460 - dayOfEra / 36_524 + dayOfEra / 146_096
    let yearOfEra = (dayOfEra - leapDays) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let monthFromMarch = (5 * dayOfYear + 2) / 153
    let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
    let day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
    return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, day)
  }

  /// The day of the week.
  public var weekday: Weekday {
    let offset = (Int(dayNumber) + 719_162) % 7
    return Weekday.allCases[offset]
  }

  /// The date some days later, or `nil` if there is none.
  public static func + (date: CivilDate, days: Int64) -> CivilDate? {
    let (sum, overflow) = date.dayNumber.addingReportingOverflow(days)
    return overflow ? nil : CivilDate(dayNumber: sum)
  }

  /// The date some days earlier, or `nil` if there is none.
  public static func - (date: CivilDate, days: Int64) -> CivilDate? {
    let (difference, overflow) = date.dayNumber.subtractingReportingOverflow(days)
    return overflow ? nil : CivilDate(dayNumber: difference)
  }

  /// The date of day 1 of a trip on which this is a given day, or `nil` if there is none.
  func firstDay(ifItIs day: Int64) -> CivilDate? {
    let (difference, overflow) = Int64(1).subtractingReportingOverflow(day)
    return overflow ? nil : self + difference
  }

  /// How many days lie between two dates; negative if the first is the earlier one.
  public static func - (left: CivilDate, right: CivilDate) -> Int64 {
    left.dayNumber - right.dayNumber
  }
}

extension CivilDate: Comparable {
  /// Earlier is less.
  public static func < (left: CivilDate, right: CivilDate) -> Bool {
    left.dayNumber < right.dayNumber
  }
}

extension CivilDate: LosslessStringConvertible {
  /// Reads exactly `YYYY-MM-DD`, the form that ``description`` writes.
  public init?(_ text: String) {
    var reader = DigitReader(text)
    guard let date = reader.date(), reader.isAtEnd else { return nil }
    self = date
  }

  /// `YYYY-MM-DD`.
  public var description: String {
    let (year, month, day) = parts
    return "\(padded(year, to: 4))-\(padded(month, to: 2))-\(padded(day, to: 2))"
  }
}

/// A day of the week.
public enum Weekday: Int, CaseIterable, Sendable {
  /// The first day of the week, as ISO 8601 counts.
  case monday = 1
  /// The second day.
  case tuesday
  /// The third day.
  case wednesday
  /// The fourth day.
  case thursday
  /// The fifth day.
  case friday
  /// The sixth day.
  case saturday
  /// The seventh day.
  case sunday
}
