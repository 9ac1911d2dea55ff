import Betwixt
import BetwixtSync
import BetwixtTool
import TestSupport
import Testing

/// What the format has and no program of ours writes: every command ends with words.
@Suite struct StrangeDocumentTests {
  private let folder = try? ScratchFolder()

  private func write(_ list: ReplicatedList, to name: String) throws -> String {
    let folder = try #require(folder)
    try folder.write(SealedBlock.encode(list), to: name)
    return folder.path(name)
  }

  private static let formats = [
    "trip", "trip.json", "json", "ics", "md", "csv", "gpx", "todo.txt", "taskwarrior", "taskpaper",
    "org",
  ]

  @Test func everyCommandEndsWithWords() throws {
    var random = SplitMix64(seed: 1)
    for round in 0..<60 {
      let first = try write(
        StrangeList.list(&random, by: 1, isTasks: round % 2 == 0), to: "a.trip")
      let second = try write(
        StrangeList.list(&random, by: 2, isTasks: round % 2 == 0), to: "b.trip")
      var runs = [
        ["show", first], ["show", "--json", first], ["show", "--all", first], ["check", first],
        ["log", first], ["doctor", first], ["digest", first], ["diff", first, second],
        ["merge", "--accept-clock", first, second], ["merge3", first, first, second],
        ["explain", first, "1.1"], ["repair", first],
      ]
      for format in StrangeDocumentTests.formats {
        runs.append(["export", "--format", format, first])
        runs.append(["merge", "--accept-clock", "--format", format, first, second])
      }
      for arguments in runs {
        let run = ToolRun(arguments)
        #expect(run.code != .internalFault, "round \(round): \(arguments)")
        #expect(run.code == .done || !run.messages.isEmpty || !run.output.isEmpty, "\(arguments)")
      }
    }
  }

  /// A distance that is no number, as an early version of `show` could not spell.
  @Test func aDistanceWithoutEndIsLeftOut() throws {
    var builder = Delta.Builder()
    let item = ItemID(high: 0, low: 3)
    let stamp = Stamp(time: .zero, replica: ReplicaID(rawValue: 1))
    let key = try SortKey(importing: 1, of: item)
    let values: [(Register, RegisterValue)] = [
      (.life, .life(1)), (.position, .position(section: 1, key: key)),
      (.field("kind"), .field("travel")), (.field("distanceKm"), .field(.double(.infinity))),
      (.field("mode"), .field("train")),
    ]
    for (number, (register, value)) in values.enumerated() {
      try builder.add(
        Entry(
          item: item, register: register, value: value, stamp: stamp, sequence: Int64(number) + 1))
    }
    var list = ReplicatedList(id: ListID(high: 1, low: 2))
    list.merge(builder.build())
    let run = try ToolRun("show", write(list, to: "leg.trip"))
    #expect(run.code == .done)
    #expect(run.output.contains("(train)") || run.output.contains("train"))
    #expect(!run.output.contains("km"))
  }

  /// The longest life there is counts no further.
  @Test func aCalendarOfTheLongestLife() throws {
    var builder = Delta.Builder()
    let item = ItemID(high: 0, low: 3)
    let stamp = Stamp(time: .zero, replica: ReplicaID(rawValue: 1))
    let key = try SortKey(importing: 1, of: item)
    let values: [(ItemID, Register, RegisterValue)] = [
      (.root, .field("startDate"), .field("2026-05-01")), (item, .life, .life(1 << 63 - 1)),
      (item, .position, .position(section: 1, key: key)), (item, .field("title"), .field("Lunch")),
    ]
    for (number, (item, register, value)) in values.enumerated() {
      try builder.add(
        Entry(
          item: item, register: register, value: value, stamp: stamp, sequence: Int64(number) + 1))
    }
    var list = ReplicatedList(id: ListID(high: 1, low: 2))
    list.merge(builder.build())
    let run = try ToolRun("export", "--format", "ics", write(list, to: "long.trip"))
    #expect(run.code == .done)
    #expect(run.output.contains("SEQUENCE:\(Int32.max)"))
  }
}
