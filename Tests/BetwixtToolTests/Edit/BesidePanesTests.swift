import Betwixt
import BetwixtTool
import BetwixtTrips
import Testing

/// Two editors on one screen: which of them a key, a click or a line belongs to.
@Suite struct BesidePanesTests {
  private static let plain = TextStyle(usesColor: false)

  private func panes(columns: Int = 80, lines: Int = 12) throws -> BesidePanes {
    var me = Replica(id: ReplicaID(rawValue: 1)) { 1_780_000_000_000 }
    var list = ReplicatedList(id: ListID(high: 1, low: 1))
    try list.set("name", of: .root, to: "Rome", by: &me)
    try list.set("startDate", of: .root, to: "2026-06-11", by: &me)
    try list.set("days", of: .root, to: 2, by: &me)
    var trip = Trip(list)
    for title in ["Museum", "Lunch", "Walk"] {
      try trip.append(["kind": "custom", "title": .string(title)], toDay: 1, by: &me)
    }
    return BesidePanes(
      trip, named: "trips/rome.trip", size: TerminalSize(columns: columns, lines: lines))
  }

  /// The screen without its escapes.
  private func screen(_ panes: BesidePanes) -> [String] {
    panes.lines(style: BesidePanesTests.plain).map { line in
      line.replacing("\u{1b}[7m", with: "").replacing("\u{1b}[0m", with: "")
        .replacing("\u{1b}[40G", with: "")
    }
  }

  @Test(arguments: [(80, 24), (81, 12), (200, 5), (60, 24), (71, 13), (40, 11), (1, 1)])
  func everyLineIsAsWideAsTheTerminal(columns: Int, lines: Int) throws {
    var panes = try panes()
    panes.resize(to: TerminalSize(columns: columns, lines: lines), now: 1)
    let shown = panes.lines(style: BesidePanesTests.plain)
    #expect(shown.count == lines)
    for line in shown {
      let text = line.replacing("\u{1b}[7m", with: "").replacing("\u{1b}[0m", with: "")
        .replacing("\u{1b}[\((columns - 1) / 2 + 1)G", with: "")
      #expect(text.displayWidth == columns, "\(text)")
    }
  }

  @Test func tabGoesToTheOtherDeviceAndBack() throws {
    var panes = try panes()
    #expect(screen(panes)[0].hasPrefix(" > This device: Rome"))
    panes.take(.tab, now: 1)
    panes.take(.down, now: 2)
    #expect(panes.chosen == 1)
    let rows = screen(panes)
    #expect(rows[0].hasPrefix("   This device") && rows[0].contains("│ > Second device: Rome"))
    #expect(rows[3].contains("│>   ≡        Lunch") && !rows[3].hasPrefix(">"))
    panes.take(.tab, now: 3)
    #expect(panes.chosen == 0 && screen(panes)[2].hasPrefix(">   ≡        Museum"))
  }

  @Test func whatWasBegunKeepsItsKeys() throws {
    var panes = try panes()
    panes.take(.character("e"), now: 1)
    panes.take(.character("s"), now: 2)
    panes.take(.tab, now: 3)
    #expect(panes.chosen == 0 && !panes.takeSync())
    #expect(screen(panes)[10].hasPrefix(" Title: Museums_"))
    panes.take(.press(column: 60, line: 3), now: 4)
    #expect(panes.chosen == 0)
    panes.take(.escape, now: 5)
    panes.take(.character("s"), now: 6)
    #expect(panes.takeSync() && !panes.takeSync())
  }

  @Test func aClickGoesToTheDeviceThatItMeetsAndItsDragStays() throws {
    var panes = try panes()
    panes.take(.press(column: 60, line: 3), now: 1)
    #expect(panes.chosen == 1)
    panes.take(.drag(column: 60, line: 4), now: 2)
    panes.take(.drag(column: 10, line: 5), now: 3)
    panes.take(.release(column: 10, line: 5), now: 4)
    #expect(panes.hosts[0].requests.isEmpty && panes.hosts[1].requests.count == 1)
    // One above the other, lines are counted from the second one's first.
    var tall = try self.panes(columns: 60, lines: 24)
    tall.take(.press(column: 20, line: 16), now: 1)
    #expect(tall.chosen == 1 && tall.hosts[0].requests.isEmpty)
    #expect(screen(tall)[15].hasPrefix(">   ≡        Lunch"))
  }

  @Test func whoeverWouldLoseEditsIsToldOnce() throws {
    var panes = try panes()
    panes.note(changedCounts: [3, 0])
    var other = panes
    other.take(.character("q"), now: 1)
    #expect(other.isDone)
    panes.note(changedCounts: [0, 2])
    #expect(screen(panes)[0].hasSuffix("2 not synced "))
    panes.take(.character("q"), now: 1)
    #expect(!panes.isDone)
    #expect(screen(panes)[10].contains("2 changes not in rome.trip"))
    // Whoever goes on is told again.
    panes.take(.down, now: 2)
    panes.take(.character("q"), now: 3)
    #expect(!panes.isDone)
    panes.take(.character("q"), now: 4)
    #expect(panes.isDone)
  }

  @Test func whatASyncBringsIsMarked() throws {
    var panes = try panes()
    var me = Replica(id: ReplicaID(rawValue: 2)) { 1_780_000_000_500 }
    var list = panes.hosts[1].trip.list
    try list.set("title", of: list[2].id, to: "Long walk", by: &me)
    let changes = panes.hosts[1].trip.list.difference(to: list)
    panes.showArrivals(list, changes: changes, losses: [], at: 1, now: 5)
    #expect(screen(panes)[4].contains("│*   ≡        Long walk"))
    #expect(screen(panes)[10].contains("│ Synced: changed title of “Long walk”"))
    panes.showArrivals(list, changes: list.difference(to: list), losses: [], at: 1, now: 6)
    #expect(screen(panes)[4].contains("│    ≡        Long walk"))
    #expect(screen(panes)[10].contains("│ Synced; nothing was new here."))
    panes.showArrivals(
      list, changes: list.difference(to: list), losses: ["“a” stays", "b"], at: 1, now: 7)
    #expect(screen(panes)[10].contains("│ Synced: “a” stays (and 1 more)"))
  }
}
