import BetwixtTrips
import Testing

@Suite struct CivilDateTests {
  // The calendar by counting, one day after the other: the oracle for the closed forms.
  @Test func everyDayOf400Years() throws {
    var year = 1_900
    var month = 1
    var day = 1
    var number: Int64 = -25_567
    var weekday = Weekday.monday
    while year < 2_300 {
      let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
      let lengths = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
      let date = try #require(CivilDate(year: year, month: month, day: day))
      #expect(date.dayNumber == number)
      #expect(CivilDate(dayNumber: number) == date)
      #expect(date.year == year && date.month == month && date.day == day)
      #expect(date.weekday == weekday)
      #expect(CivilDate(date.description) == date)
      number += 1
      weekday = Weekday(rawValue: weekday.rawValue % 7 + 1) ?? .monday
      day += 1
      if day > lengths[month - 1] {
        #expect(CivilDate(year: year, month: month, day: day) == nil)
        (month, day) = (month + 1, 1)
      }
      if month > 12 { (year, month) = (year + 1, 1) }
    }
    #expect(number == -25_567 + 146_097)
  }

  @Test func endsOfTheCalendar() {
    #expect(CivilDate("0001-01-01") == .min)
    #expect(CivilDate("9999-12-31") == .max)
    #expect(CivilDate.min.weekday == .monday)
    #expect(CivilDate.max.weekday == .friday)
    #expect(CivilDate.max + 1 == nil)
    #expect(CivilDate.min - 1 == nil)
    #expect(CivilDate.min + .max == nil)
    #expect(CivilDate.min - .min == nil)
    #expect(CivilDate.min + (CivilDate.max - CivilDate.min) == .max)
    #expect(CivilDate.min < .max)
    #expect(CivilDate("1970-01-01")?.dayNumber == 0)
  }

  @Test(arguments: [
    "", "2026", "2026-6-11", "2026-06-1", "2026-06-11 ", " 2026-06-11", "2026/06/11", "2026-02-29",
    "2026-13-01", "2026-00-10", "2026-04-31", "2026-01-00", "0000-01-01", "10000-01-01",
    "-001-01-01", "+026-01-01", "2026-06-11T00:00", "２０２６-06-11",
  ])
  func otherFormsAreRefused(_ text: String) {
    #expect(CivilDate(text) == nil)
  }
}
