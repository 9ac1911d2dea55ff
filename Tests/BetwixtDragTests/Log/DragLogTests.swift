import Betwixt
import BetwixtDrag
import BetwixtTrips
import Foundation
import Testing

/// Recorded sessions: one of each kind lies beside the tests and replays identically.
struct DragLogTests {
  private static func url(_ name: String) -> URL {
    URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .appendingPathComponent("Resources/sessions/\(name)")
  }

  private static func log(_ events: [DragEvent]) -> String {
    ([DragLog.header] + events.map { DragLog.line(for: $0) }).joined(separator: "\n") + "\n"
  }

  private static func effects(_ events: [(line: Int, event: DragEvent)]) -> String {
    var engine = DragEngine()
    var lines = ""
    for (line, event) in events {
      for effect in engine.handle(event) {
        lines += DragLog.line(for: effect, answering: line) + "\n"
      }
    }
    return lines
  }

  @Test("A recorded session replays identically", arguments: RecordedSession.allCases)
  func replay(session: RecordedSession) throws {
    let log = DragLogTests.url("\(session.rawValue).jsonl")
    let answers = DragLogTests.url("\(session.rawValue).effects.jsonl")
    let recorded = DragLogTests.log(try session.events())
    if ProcessInfo.processInfo.environment["BETWIXT_RECORD"] != nil {
      try Data(recorded.utf8).write(to: log)
      let events = try DragLog.events(Array(recorded.utf8), file: "recorded")
      try Data(DragLogTests.effects(events).utf8).write(to: answers)
    }
    let bytes = [UInt8](try Data(contentsOf: log))
    let events = try DragLog.events(bytes, file: log.lastPathComponent)
    #expect(!events.isEmpty)
    let expected = String(decoding: try Data(contentsOf: answers), as: UTF8.self)
    #expect(DragLogTests.effects(events) == expected)
    // Playing it anew, and writing what was read, gives the same log.
    #expect(recorded == String(decoding: bytes, as: UTF8.self))
    #expect(DragLogTests.log(events.map(\.event)) == recorded)
  }

  @Test("Every event can be written and read, also after random play", arguments: 1...6)
  func roundTrip(seed: UInt64) throws {
    let sample = try SampleTasks()
    var player = try RandomPlayer(seed: seed, .tasks(sample.tasks), tab: .today)
    try player.play(60)
    var other = try RandomPlayer(seed: seed, .trip(RandomTrip.trip(seed: seed)))
    try other.play(60)
    for events in [player.host.events, other.host.events] {
      let log = DragLogTests.log(events)
      let again = try DragLog.events(Array(log.utf8), file: "log")
      #expect(DragLogTests.log(again.map(\.event)) == log)
      let numbered = events.enumerated().map { (line: $0 + 2, event: $1) }
      #expect(DragLogTests.effects(again) == DragLogTests.effects(numbered))
    }
  }

  @Test("Settings keep every number that was changed")
  func settings() throws {
    var settings = DragSettings(.tasks)
    settings.profile.slop = 12.5
    settings.profile.undo = 9_000
    settings.profile.lift = Motion(90)
    settings.profile.snapBack = Motion(1, curve: .response(0.5, damping: 0.25))
    settings.profile.settle = Motion(2, curve: .spring(damping: 1, velocity: 2))
    settings.profile.enterInvalid = .error
    settings.profile.leaveInvalid = nil
    settings.profile.invalidDropHaptics = [HapticBeat(.medium, after: 7)]
    settings.profile.invalidDrop = .clampToValid
    settings.profile.line.cap = .butt
    settings.profile.tint.color = .blue
    settings.profile.grab = .warning
    settings.profile.saveRetries = [1, 2]
    settings.curves = .easeOnly
    settings.sounds = true
    settings.tabTargets = [.inbox: [.analytics, .upcoming]]
    let log = DragLogTests.log([.settings(settings)])
    let event = try DragLog.events(Array(log.utf8), file: "log")[0].event
    guard case .settings(let read) = event else { return #expect(Bool(false)) }
    #expect(read.profile == settings.profile)
    #expect(read.effectiveProfile == settings.effectiveProfile && read.sounds)
    #expect(read.tabTargets[.inbox] == [.analytics, .upcoming])
    #expect(read.tabTargets[.today] == [])
  }

  @Test("A list is read as what it was told as, whatever it says itself")
  func documents() throws {
    let tasks = try SampleTasks().tasks.list
    let trip = try SampleTrip().trip.list
    for document in [
      DragDocument.tasks(TaskList(tasks)), .trip(Trip(tasks)), .tasks(TaskList(trip)),
      .trip(Trip(trip)),
    ] {
      let line = DragLog.line(for: .document(document))
      guard case .document(document) = try DragLog.event(Array(line.utf8), file: "log") else {
        Issue.record("\(line.prefix(60))… is read as something else")
        continue
      }
    }
    let line = DragLog.line(for: .document(.tasks(TaskList(tasks))))
      .replacing(#""event":"document""#, with: #""event":"document","as":"notes""#)
    #expect(throws: DocumentFailure.self) { try DragLog.event(Array(line.utf8), file: "log") }
    let report = TurnReport(.redo, commit: nil, outcome: .refused)
    let turned = DragLog.line(for: .turned(report, at: 1))
    guard case .turned(report, at: 1) = try DragLog.event(Array(turned.utf8), file: "log") else {
      Issue.record("\(turned) is read as something else")
      return
    }
  }

  @Test(
    "A line that is none of a log is refused with its place",
    arguments: [
      ("{}", "log:1:1: missing: “format” is missing"),
      (
        "{\"format\":\"betwixt-drag-log\",\"version\":2}",
        "log:1:1: unsupported-version: a newer version wrote this"
      ),
      (
        "\(DragLog.header)\n\n{\"event\":\"jump\",\"at\":1}",
        "log:3:1: bad-value: “jump” is no event"
      ),
      (
        "\(DragLog.header)\n{\"event\":\"moved\",\"at\":1,\"point\":[1]}",
        "log:2:33: bad-value: 2 numbers are expected here"
      ),
      (
        "\(DragLog.header)\n{\"event\":\"delete\",\"item\":\"7\"}",
        "log:2:26: bad-value: this is no id of an item"
      ),
      (
        "\(DragLog.header)\n{",
        "log:2:2: truncated: the text ends before a value or the end of the list"
      ),
    ])
  func refused(text: String, message: String) {
    do {
      _ = try DragLog.events(Array(text.utf8), file: "log")
      Issue.record("\(text) was read")
    } catch {
      #expect("\(error)" == message)
    }
  }
}
