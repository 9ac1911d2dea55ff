import BetwixtTrips
import TestSupport
import Testing

@Suite struct TimeTests {
  @Test func everyMinuteOfTheDay() throws {
    for minute in 0..<1_440 {
      let time = try #require(ClockTime(hour: minute / 60, minute: minute % 60))
      #expect(time.minuteOfDay == minute)
      #expect(ClockTime(time.description) == time)
      #expect(ClockTime(droppingSecondsOf: "\(time):59") == time)
    }
  }

  @Test(arguments: ["", "9:30", "09:3", "24:00", "23:60", "09:30Z", "09.30", "09:30 ", "-1:30"])
  func badClocks(_ text: String) {
    #expect(ClockTime(text) == nil)
    #expect(ClockTime(droppingSecondsOf: text) == nil)
  }

  @Test func secondsAreDroppedOnlyWhenAsked() {
    #expect(ClockTime("09:30:00") == nil)
    #expect(ClockTime(droppingSecondsOf: "09:30:00") == ClockTime("09:30"))
    #expect(ClockTime(droppingSecondsOf: "09:30:60") == nil)
    #expect(ClockTime(droppingSecondsOf: "09:30:1") == nil)
    #expect(ClockTime(droppingSecondsOf: "09:30:") == nil)
    #expect(GameStart("2026-06-11T13:00:05-06:00") == nil)
    #expect(
      GameStart(droppingSecondsOf: "2026-06-11T13:00:05-06:00")?.description
        == "2026-06-11T13:00-06:00")
    #expect(
      GameStart(droppingSecondsOf: "2026-06-11T13:00:05.125Z")?.description
        == "2026-06-11T13:00Z")
    #expect(GameStart(droppingSecondsOf: "2026-06-11T13:00:") == nil)
  }

  @Test(arguments: [
    "2026-06-11", "2026-06-11Z", "2026-06-11+02:00", "2026-06-11T13:00", "2026-06-11T13:00Z",
    "2026-06-11T13:00-06:00", "2026-06-11T00:00-00:00", "2026-06-11T23:59+14:00",
  ])
  func gameStartsKeepTheirText(_ text: String) {
    #expect(GameStart(text)?.description == text)
    #expect(GameStart(droppingSecondsOf: text)?.description == text)
  }

  @Test(arguments: [
    "", "2026-06-31", "2026-06-11T", "2026-06-11T1300", "2026-06-11 13:00", "2026-06-11T24:00",
    "2026-06-11T13:00z", "2026-06-11T13:00+2:00", "2026-06-11T13:00+0200",
    "2026-06-11T13:00+24:00", "2026-06-11T13:00ZZ", "2026-06-11T13:00 Z",
  ])
  func badGameStarts(_ text: String) {
    #expect(GameStart(text) == nil)
    #expect(GameStart(droppingSecondsOf: text) == nil)
  }

  @Test func absoluteTimeNeedsTimeAndOffset() {
    #expect(GameStart("1970-01-02T00:30+01:00")?.utcMinutes == 1_410)
    #expect(GameStart("1970-01-02T00:30")?.utcMinutes == nil)
    #expect(GameStart("1970-01-02Z")?.utcMinutes == nil)
  }

  @Test func moments() {
    #expect(Moment("1970-01-01T00:00:00Z")?.milliseconds == 0)
    #expect(Moment("1970-01-01T01:00:01.5+01:00")?.milliseconds == 1_500)
    #expect(Moment("1970-01-01T00:00:00.99999Z")?.milliseconds == 999)
    #expect(Moment("1969-12-31T23:59:59.999Z") == nil)
    #expect(Moment("1970-01-01T00:00:00+00:01") == nil)
    #expect(Moment(milliseconds: 1 << 47) == nil)
    #expect(Moment("6429-10-17T02:45:55.327Z")?.milliseconds == 1 << 47 - 1)
    #expect(Moment("6429-10-17T02:45:55.328Z") == nil)
    #expect(Moment("2038-01-19T03:14:08Z")?.description == "2038-01-19T03:14:08Z")
    #expect(Moment("2026-05-02T09:35:00Z")?.description == "2026-05-02T09:35:00Z")
    #expect(Moment("2026-05-02T09:35:00.070Z")?.description == "2026-05-02T09:35:00.070Z")
    for text in ["2026-05-02T09:35Z", "2026-05-02T09:35:00", "2026-05-02T09:35:00.Z", "2026-05-02"]
    { #expect(Moment(text) == nil) }
  }

  @Test func momentsRoundTrip() throws {
    var random = SplitMix64(seed: 11)
    for _ in 0..<2_000 {
      let moment = try #require(Moment(milliseconds: Int64(random.next() >> 17)))
      #expect(Moment(moment.description) == moment)
    }
  }
}
