import Betwixt
import BetwixtTrips
import Testing

/// What names the days of a series by their dates does not move with it, and is told.
@Suite struct MovedSeriesTests {
  private static let series = [
    "UID:run@x", "DTSTART:20260615T090000", "RRULE:FREQ=DAILY;COUNT=5", "EXDATE:20260616T090000",
    "EXDATE:20260617T090000", "SUMMARY:Run",
  ]
  private static let exception = [
    "UID:run@x", "RECURRENCE-ID:20260618T090000", "DTSTART:20260618T110000", "SUMMARY:Late run",
  ]

  private func list(_ events: [String]...) throws -> ReplicatedList {
    let bytes = Array(Calendars.text(events, []).utf8)
    return try TripImport(TripFile(decoding: bytes, name: "c.ics")).list
  }

  private func summary(_ list: ReplicatedList) -> String? {
    Omission.summary(CalendarExport(list).omissions)
  }

  private var me: Replica { Replica(id: ReplicaID(rawValue: 5)) { 1_780_000_000_000 } }

  @Test func whatStaysWhereItWasIsTold() throws {
    var list = try list(Self.series, Self.exception)
    var me = me
    #expect(summary(list) == nil)
    let run = try #require(list.first { $0[.title] == "Run" }).id
    let late = try #require(list.first { $0[.title] == "Late run" }).id
    // One day that differs may be any day.
    try list.set(.time, of: late, to: "12:00", by: &me)
    #expect(summary(list) == nil)
    try list.set(.time, of: run, to: "10:00", by: &me)
    let told = CalendarExport(list).omissions
    #expect(told.map(\.item) == [run, run, late])
    #expect(
      Omission.summary(told)
        == "left where it was though its series was moved: 2 × “EXDATE”, 1 × “RECURRENCE-ID”")
    try list.set(.time, of: run, to: "09:00", by: &me)
    #expect(summary(list) == nil)
  }

  /// A rule of days of the week goes with a first day that is one of them.
  @Test(arguments: [
    ("FREQ=DAILY;COUNT=5", false), ("FREQ=WEEKLY;BYDAY=MO", true), ("BYDAY=MO;FREQ=WEEKLY", true),
  ])
  func aRuleOfDaysIsTold(_ rule: String, _ isTold: Bool) throws {
    var list = try list(["UID:a@x", "DTSTART:20260615T090000", "RRULE:" + rule, "SUMMARY:Run"])
    var me = me
    try list.set(.time, of: list[0].id, to: "10:00", by: &me)
    #expect(summary(list) == nil)
    try list.move(list[0].id, toOffset: 0, inSection: 3, by: &me)
    #expect((summary(list) != nil) == isTold)
  }

  @Test func anEventThatIsNoSeriesMovesInSilence() throws {
    var list = try list(["UID:a@x", "DTSTART:20260615T090000", "SUMMARY:Run"])
    var me = me
    try list.set(.time, of: list[0].id, to: "10:00", by: &me)
    #expect(summary(list) == nil)
  }

  @Test func otherOmissionsAreToldBeforeThem() throws {
    var list = try list(Self.series)
    var me = me
    try list.set(.time, of: list[0].id, to: "10:00", by: &me)
    try list.set("ics:X-BAD", of: list[0].id, to: 7, by: &me)
    #expect(
      summary(list)
        == """
        not written: 1 × “ics:X-BAD” (bad field); left where it was though its series was moved: \
        2 × “EXDATE”
        """)
  }

  /// Days that are added make a series too, also by the clock of wherever one is.
  @Test func aSeriesOfDates() throws {
    var list = try list(
      [
        "UID:a", "DTSTART:20260615T090000", "RDATE:20260616T090000", "EXDATE:20260617T090000",
        "SUMMARY:Run",
      ])
    var me = me
    #expect(CalendarExport(list).omissions == [])
    try list.set(.time, of: list[0].id, to: "10:00", by: &me)
    #expect(
      summary(list) == "left where it was though its series was moved: 1 × “EXDATE”, 1 × “RDATE”")
  }
}
