import Betwixt
import BetwixtDrag
import BetwixtTrips
import Foundation
import Testing

/// Random play of the front end of the guide, whose rows are made in whole or in part.
///
/// The long form takes as many seeds as are asked for:
///
///     BETWIXT_PLAY=10000 swift test -c release -Xswiftc -enable-testing --filter GuidePlayTests
struct GuidePlayTests {
  /// How far beyond the viewport rows are made.
  static let margins: [Double?] = [nil, 0, 90]

  private static var seeds: ClosedRange<UInt64> {
    let asked = ProcessInfo.processInfo.environment["BETWIXT_PLAY"].flatMap { UInt64($0) }
    return 1...(asked ?? 60)
  }

  @Test("A trip is drawn as it is, whatever happens", arguments: margins)
  func trips(margin: Double?) throws {
    var failures = 0
    for seed in GuidePlayTests.seeds {
      let trip = try RandomTrip.trip(seed: seed, items: 12)
      var player = GuidePlayer(seed: seed, .trip(trip), margin: margin)
      let faults = try player.play(120)
      failures += faults.isEmpty ? 0 : 1
      if failures < 5, let fault = faults.first { Issue.record("seed \(seed): \(fault)") }
    }
    #expect(failures == 0)
  }

  @Test("Tasks are drawn as they are, through all tabs", arguments: margins)
  func tasks(margin: Double?) throws {
    var failures = 0
    for seed in GuidePlayTests.seeds {
      let tab = [TaskTab.inbox, .today, .upcoming][Int(seed % 3)]
      var player = GuidePlayer(
        seed: seed, .tasks(try SampleTasks().tasks), tab: tab, margin: margin)
      let faults = try player.play(120)
      failures += faults.isEmpty ? 0 : 1
      if failures < 5, let fault = faults.first { Issue.record("seed \(seed): \(fault)") }
    }
    #expect(failures == 0)
  }
}
