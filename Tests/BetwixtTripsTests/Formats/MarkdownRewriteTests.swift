import Betwixt
import TestSupport
import Testing

@testable import BetwixtTrips

/// Lists of tasks as Markdown in the place of what somebody wrote by hand.
@Suite struct MarkdownRewriteTests {
  private static func file(_ text: String) throws -> TripFile {
    var options = ReadingOptions()
    options.format = .markdown
    return try TripFile(decoding: Array(text.utf8), name: "f", options: options)
  }

  private static func written(_ list: ReplicatedList, over old: String) -> String {
    text(MarkdownExport(list, over: Array(old.utf8)).bytes)
  }

  /// Edits the tasks of a text and writes them in its place.
  private static func edited(
    _ old: String, _ edit: (inout ReplicatedList, inout Replica) throws -> Void
  ) throws -> String {
    var list = try file(old).list()
    var me = Replica(id: ReplicaID(rawValue: 7)) { 1_777_000_000_000 }
    try edit(&list, &me)
    return written(list, over: old)
  }

  private static func id(_ words: String, in list: ReplicatedList) throws -> ItemID {
    try #require(list.first { $0.summary.hasSameBytes(as: words) }).id
  }

  private static let plan = """
    # Plan

    * [ ] Milk, *fresh*
    * [X] Bread
    * [ ] Eggs (due 2026-06-01)
        * [ ] six of them
          from the   market

    ## At home
    1. [ ] Paint_the_door

    """

  @Test func whatIsAsItWasKeepsItsLine() throws {
    for old in [Self.plan, Self.plan.replacing("\n", with: "\r\n"), "\u{feff}" + Self.plan] {
      #expect(try Self.edited(old) { _, _ in } == old)
      let end = old.utf8.contains(UInt8(ascii: "\r")) ? "\r\n" : "\n"
      let result = try Self.edited(old) { list, me in
        try list.set("state", of: Self.id("Eggs", in: list), to: "completed", by: &me)
        try list.set("text", of: Self.id("six of them", in: list), to: "ten of them", by: &me)
        try list.remove(Self.id("Bread", in: list), by: &me)
        try list.append(
          ["text": "Tea", "state": "notStarted"], toSection: TaskList.inbox, by: &me)
      }
      let expected =
        old.replacing("* [ ] Eggs", with: "* [X] Eggs")
        .replacing("six of", with: "ten of").replacing("* [X] Bread\(end)", with: "")
        .replacing("market\(end)", with: "market\(end)* [ ] Tea\(end)")
      #expect(result == expected)
    }
  }

  @Test func datesStayInHeadings() throws {
    let old = """
      ## 2026-06-02
      - [ ] Boat
        - [ ] Tickets
      ## 2026-06-01
      - [ ] Train
      """
    #expect(try Self.edited(old) { _, _ in } == old)
    let result = try Self.edited(old) { list, me in
      let day = TaskList.section(of: CivilDate("2026-06-03"))
      try list.append(["text": "Plane", "state": "notStarted"], toSection: day, by: &me)
      try list.append(["text": "Nap", "state": "notStarted"], toSection: TaskList.inbox, by: &me)
    }
    #expect(result == "- [ ] Nap\n" + old + "\n## 2026-06-03\n- [ ] Plane")
  }

  @Test func headingsWithoutTasksStay() throws {
    let old = "# T\n\n## Home\n\n### Sub\n* [ ] B\n* [ ] C\n\n## Someday\n"
    let result = try Self.edited(old) { list, me in
      try list.remove(Self.id("B", in: list), by: &me)
    }
    #expect(result == old.replacing("* [ ] B\n", with: ""))
  }

  /// A list that lost its last task over a text without a newline at its end.
  @Test func nothingMayBeLeft() throws {
    let result = try Self.edited("- [ ] A") { list, me in
      try list.remove(Self.id("A", in: list), by: &me)
    }
    #expect(result.isEmpty)
  }

  @Test func aDateMayBeAllTheWords() throws {
    let old = "* [ ] (due 2026-01-01)\n* [X] A\n"
    #expect(try Self.edited(old) { _, _ in } == old)
  }

  /// Tasks of one heading that stand in two places are told apart by no list.
  @Test(arguments: [
    "* [X] A\n# Inbox\n* [ ] B\n", "# T\n## H\n* [ ] A\n## I\n* [ ] B\n## H\n* [ ] C\n",
  ])
  func dividedTextsAreReplaced(old: String) throws {
    let list = try Self.file(old).list()
    #expect(Self.written(list, over: old) == text(MarkdownExport(list).bytes))
  }

  @Test func aHeadingThatIsNewMayBeTheFirst() throws {
    let list = try Self.file("## New\n- [ ] C\n").list()
    #expect(Self.written(list, over: "* [ ] A\n\n## Home\n* [ ] B\n") == "## New\n* [ ] C\n")
  }

  /// What has more than tasks, or none, has no layout that a list could keep.
  @Test func otherTextsAreReplaced() throws {
    let list = try Self.file("- [ ] Milk\n").list()
    for old in ["", "# Only this\n", "Prose.\n- [ ] Milk\n", "```\n- [ ] Milk\n```\n", "\u{0}"] {
      #expect(Self.written(list, over: old) == text(MarkdownExport(list).bytes))
    }
  }

  // MARK: Any text

  /// A list as somebody may have written it by hand.
  private static func anyText(_ random: inout SplitMix64) -> String {
    let bullet = ["-", "*", "+", "1."][random.next(below: 4)]
    let indent = ["  ", "    ", "\t"][random.next(below: 3)]
    let tick = ["x", "X"][random.next(below: 2)]
    let hasDates = random.next(below: 3) == 0
    let gap = random.next(below: 2)
    var text = random.next(below: 3) > 0 ? "# List\n" + String(repeating: "\n", count: gap) : ""
    for section in 0..<(1 + random.next(below: 3)) {
      if section > 0 || random.next(below: 3) == 0 {
        let name = hasDates ? "2026-06-0\(9 - section)" : ["Inbox", "Home", "Work"][section]
        text += "\(section > 0 ? "\n" : "")## \(name)\n" + String(repeating: "\n", count: gap)
      }
      var depth = 0
      for number in 0..<(1 + random.next(below: 4)) {
        depth = number == 0 ? 0 : random.next(below: depth + 2)
        let words = ["Call", "*Bold* move", "a_b", "1) one", "x \\[y\\]"][random.next(below: 5)]
        let mark = random.next(below: 2) == 0 ? " " : tick
        text += "\(String(repeating: indent, count: depth))\(bullet) [\(mark)] \(words)"
        let isDated = !hasDates && random.next(below: 4) == 0
        text += isDated ? " (due 2026-07-0\(number + 1))\n" : "\n"
        if random.next(below: 4) == 0 {
          text += String(repeating: indent, count: depth + 1) + "a note, and\n"
        }
      }
    }
    return text
  }

  @Test(arguments: 0..<60 as Range<UInt64>) func anyTextStaysAsItIs(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    for _ in 0..<10 {
      let old = Self.anyText(&random)
      #expect(try Self.edited(old) { _, _ in } == old)
    }
  }

  /// One edit changes one line, and what is written says what the list does.
  @Test(arguments: 0..<60 as Range<UInt64>) func oneEditIsOneLine(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    for _ in 0..<10 {
      let old = Self.anyText(&random)
      let place = random.next(below: try Self.file(old).list().count)
      var changed = ReplicatedList(id: ListID(high: 0, low: 1))
      let result = try Self.edited(old) { list, me in
        let item = list[place]
        let isDone = TaskList.isCompleted(item)
        if random.next(below: 2) == 0 {
          try list.set(
            "state", of: item.id, to: isDone ? "notStarted" : "completed", by: &me)
        } else {
          try list.set("text", of: item.id, to: "Something else", by: &me)
        }
        changed = list
      }
      let (before, after) = (old.split(separator: "\n"), result.split(separator: "\n"))
      #expect(before.count == after.count)
      #expect(zip(before, after).count { $0 != $1 } == 1, "\(old)\n\n\(result)")
      let again = try Self.file(result).list()
      let told = { (list: ReplicatedList) in
        list.map { "\($0.summary) \(TaskList.isCompleted($0)) \($0.section ?? 0)" }.sorted()
      }
      #expect(told(again) == told(changed))
    }
  }
}
