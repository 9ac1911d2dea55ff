import TestSupport
import Testing

@testable import BetwixtTrips

/// The clocks of the world, by facts that anybody can look up.
@Suite struct ZoneTests {
  private func utc(_ text: String) throws -> Int64 {
    try #require(GameStart(text + "Z")?.utcMinutes)
  }

  @Test(arguments: [
    ("Europe/Berlin", "2026-01-15T12:00", 60), ("Europe/Berlin", "2026-03-29T00:59", 60),
    ("Europe/Berlin", "2026-03-29T01:00", 120), ("Europe/Berlin", "2026-10-25T01:00", 60),
    ("Europe/Dublin", "2026-07-01T12:00", 60), ("Europe/Dublin", "2026-01-01T12:00", 0),
    ("America/New_York", "2026-07-01T12:00", -240), ("Australia/Sydney", "2026-01-01T12:00", 660),
    ("Australia/Lord_Howe", "2026-07-01T12:00", 630), ("Asia/Kathmandu", "2026-05-01T12:00", 345),
    ("America/St_Johns", "2026-01-01T12:00", -210),
  ])
  func clocksThatFollowTheirRule(_ zone: String, _ time: String, _ offset: Int) throws {
    let rule = try #require(ZoneRule(zone: zone))
    #expect(rule.offset(atUTC: try utc(time)) == offset)
  }

  /// Morocco puts its clock back for Ramadan; Turkey, Mexico, Jordan and Samoa gave summer time up.
  @Test(arguments: [
    ("Africa/Casablanca", "2024-03-10T01:59", 60), ("Africa/Casablanca", "2024-03-10T02:00", 0),
    ("Africa/Casablanca", "2024-04-14T01:59", 0), ("Africa/Casablanca", "2024-04-14T02:00", 60),
    ("Africa/El_Aaiun", "2023-04-01T12:00", 0), ("Europe/Istanbul", "2016-01-15T12:00", 120),
    ("Europe/Istanbul", "2017-01-15T12:00", 180), ("America/Mexico_City", "2021-07-01T12:00", -300),
    ("America/Mexico_City", "2023-07-01T12:00", -360), ("Asia/Amman", "2021-12-15T12:00", 120),
    ("Asia/Amman", "2023-12-15T12:00", 180), ("Pacific/Apia", "2020-01-15T12:00", 840),
    ("Pacific/Apia", "2022-01-15T12:00", 780),
  ])
  func clocksThatDoNot(_ zone: String, _ time: String, _ offset: Int) throws {
    let rule = try #require(ZoneRule(zone: zone))
    #expect(rule.offset(atUTC: try utc(time)) == offset)
  }

  @Test func wallClocksLeadBackToTheirMoment() throws {
    var random = SplitMix64(seed: 5)
    let zones = [
      "Europe/Berlin", "Africa/Casablanca", "Asia/Gaza", "America/Santiago", "Asia/Tokyo",
    ]
    for zone in zones {
      let rule = try #require(ZoneRule(zone: zone))
      for _ in 0..<2_000 {
        let moment = try utc("2015-01-03T00:00") + Int64(random.next() % 40_000_000)
        let local = moment + Int64(rule.offset(atUTC: moment))
        let earliest = local - Int64(rule.offset(atLocal: local))
        // Of two moments that show the same clock the earlier one counts.
        #expect(earliest <= moment && moment - earliest <= 120, "\(zone) at \(moment)")
        #expect(earliest + Int64(rule.offset(atUTC: earliest)) == local)
      }
    }
  }

  @Test func namesThatNobodyHas() {
    for name in ["", " ", "Europe", "Europe/Atlantis", "UTC0", "CET-1", "27370800/27421200/0"] {
      #expect(ZoneRule(zone: name) == nil, "\(name)")
    }
  }

  /// Also what the world does not know is known the second time.
  @Test func whatWasLookedUpStaysTheSame() {
    var rules = KnownZoneRules()
    for _ in 0..<2 {
      for name in ["Europe/Berlin", "Europe/Atlantis", "Asia/Tokyo", ""] {
        let rule = rules.rule(of: name)
        #expect(rule == ZoneRule(zone: name), "\(name)")
      }
    }
  }
}
