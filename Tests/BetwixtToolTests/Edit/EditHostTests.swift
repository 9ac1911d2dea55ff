import Betwixt
import BetwixtDrag
import BetwixtTool
import BetwixtTrips
import TestSupport
import Testing

/// The editor by keys and mouse, its screen compared line by line.
@Suite struct EditHostTests {
  /// A host and the document that its requests are done on.
  struct Desk: ~Copyable {
    var host: EditHost
    var document: DragDocument
    var me = Replica(id: ReplicaID(rawValue: 5)) { 1_780_000_000_000 }
    var history = CommitHistory()
    var commitCount = 0
    var now: Int64 = 0

    init() throws {
      var me = Replica(id: ReplicaID(rawValue: 1)) { 1_780_000_000_000 }
      var list = ReplicatedList(id: ListID(high: 1, low: 1))
      try list.set("name", of: .root, to: "Two\u{1b}[31m cities", by: &me)
      try list.set("startDate", of: .root, to: "2026-06-11", by: &me)
      try list.set("days", of: .root, to: 3, by: &me)
      var trip = Trip(list)
      try trip.append(["kind": "custom", "title": "Museum"], toDay: 1, by: &me)
      try trip.addGame(
        ["gameId": "a", "start": "2026-06-11T13:00", "city": "Alpha", "title": "Game A"], by: &me)
      try trip.append(
        ["kind": "travel", "title": "Bus", "from": "Alpha", "to": "Beta"], toDay: 1, by: &me)
      try trip.addGame(
        ["gameId": "b", "start": "2026-06-12T19:00", "city": "Beta", "title": "Game B"], by: &me)
      try trip.append(["kind": "custom", "title": "Dinner"], toDay: 2, by: &me)
      self.init(trip)
    }

    init(_ trip: Trip) {
      document = .trip(trip)
      host = EditHost(trip, size: TerminalSize(columns: 44, lines: 12))
    }

    mutating func take(_ inputs: TerminalInput...) {
      for input in inputs {
        now += 100
        host.take(input, now: now)
        perform()
      }
    }

    mutating func perform() {
      while !host.requests.isEmpty {
        switch host.requests.removeFirst() {
        case .commit(let id, let edits):
          commitCount += 1
          do {
            let added = try history.commit(id, edits: edits, in: &document, by: &me)
            host.show(
              document.list, changes: host.trip.list.difference(to: document.list), now: now)
            host.send(.committed(id, added, at: now), now: now)
          } catch {
            host.send(.commitFailed(id, at: now), now: now)
          }
        case .set(let id, let name, let value):
          commitCount += 1
          var trip = host.trip
          try? trip.list.set([(name, value)], of: id, by: &me)
          document = .trip(trip)
          host.show(document.list, changes: host.trip.list.difference(to: document.list), now: now)
        case .turn(let turn):
          guard let report = try? history.turn(turn, in: &document, by: &me) else { continue }
          host.show(document.list, changes: host.trip.list.difference(to: document.list), now: now)
          host.send(.turned(report, at: now), now: now)
        }
      }
    }

    /// The screen without blanks at the ends of its lines.
    var screen: [String] {
      EditView(host, style: TextStyle(usesColor: false)).lines.map { line in
        var text = line.replacing("\u{1b}[7m", with: "").replacing("\u{1b}[0m", with: "")
        while text.last == " " { text.removeLast() }
        return text
      }
    }
  }

  @Test func theTripIsOnTheScreen() throws {
    let desk = try Desk()
    #expect(
      desk.screen == [
        " Two\u{fffd}[31m cities            3 days, 5 items",
        "  Day 1, Thu 2026-06-11",
        ">   ≡        Museum",
        "    • 13:00  Game A  (Alpha)",
        "    ≡        Bus",
        "  Day 2, Fri 2026-06-12",
        "    • 19:00  Game B  (Beta)",
        "    ≡        Dinner",
        "  Day 3, Sat 2026-06-13",
        "",
        " 5 items. Space lifts the chosen one; the",
        " mouse drags.",
      ])
  }

  @Test func whatIsSaidIsSaidWhole() throws {
    var desk = try Desk()
    // Beside what is said a toast says itself, its button alone, or nothing on that line.
    let offers = [60: "[u: Undo]", 80: "Moved to Day 2 [u: Undo]", 54: "[u: Undo]"]
    desk.take(.character(" "), .pageDown, .enter)
    for (columns, offer) in offers {
      desk.host.resize(to: TerminalSize(columns: columns, lines: 12), now: 1)
      let line = desk.screen[10]
      #expect(line.hasPrefix(" Dropped Museum. Position 1 of 3 on day 2.") && line.hasSuffix(offer))
      #expect(line.contains("Moved") == (columns == 80))
      #expect(desk.screen[11].contains("Space lift"))
    }
    for columns in [30, 44, 53] {
      desk.host.resize(to: TerminalSize(columns: columns, lines: 12), now: 2)
      let words = desk.screen[10] + " " + desk.screen[11]
      let said = words.split(separator: " ").joined(separator: " ")
      #expect(said == "Dropped Museum. Position 1 of 3 on day 2. [u: Undo]", "\(columns)")
    }
  }

  @Test func anEmptyTripSaysHowToBegin() {
    let host = EditHost(
      Trip(ReplicatedList(id: ListID(high: 1, low: 1))), size: TerminalSize(columns: 60, lines: 5))
    let lines = EditView(host, style: TextStyle(usesColor: false)).lines
    #expect(lines[0].contains("1 day, 0 items "))
    #expect(lines[3].hasPrefix(" Nothing is planned yet. The key a adds an item."))
  }

  @Test func keysLiftCarryAndDrop() throws {
    var desk = try Desk()
    desk.take(.character(" "), .down, .pageDown)
    #expect(
      Array(desk.screen[1...10]) == [
        "| Day 1, Thu 2026-06-11",
        "|   • 13:00  Game A  (Alpha)",
        "|   ≡        Bus",
        "| Day 2, Fri 2026-06-12",
        "-->  Museum --------------------------------",
        "|   • 19:00  Game B  (Beta)",
        "|   ≡        Dinner",
        "| Day 3, Sat 2026-06-13",
        "",
        " Start of day 2, above Game B.",
      ])
    desk.take(.enter)
    #expect(desk.screen[5] == ">   ≡        Museum")
    #expect(desk.screen[10] == " Dropped Museum. Position 1 of 3 on day 2.")
    #expect(desk.screen[11].hasSuffix(" [u: Undo]"))
    desk.take(.character("u"))
    #expect(desk.screen[2] == ">   ≡        Museum")
    #expect(desk.screen[10] == " Move undone.                     [r: Redo]")
  }

  @Test func whatIsOfferedIsTheNewestStep() throws {
    var desk = try Desk()
    desk.take(.character("J"))
    #expect(desk.screen[10].hasSuffix("[u: Undo]") || desk.screen[11].hasSuffix("[u: Undo]"))
    #expect(desk.host.screenToast == "Moved to Day 1")
    desk.take(.character("n"), .character("x"), .enter)
    #expect(desk.document.list.contains { $0["note"] == "x" })
    #expect(desk.host.screenToast == nil)
    #expect(!desk.screen.contains { $0.contains("Moved") || $0.contains("[u: Undo]") })
  }

  @Test func allDaysAreShownAndGoneTo() throws {
    var desk = try Desk()
    desk.take(.end, .character("d"))
    #expect(
      Array(desk.screen[1...4]) == [
        "  Day 1, Thu 2026-06-11       3  Museum, Ga…",
        "  Day 2, Fri 2026-06-12       2  Game B, Di…",
        "> Day 3, Sat 2026-06-13       0", "",
      ])
    #expect(desk.screen[11].hasPrefix(" Up/Down day  Return go there"))
    desk.take(.up)
    var other = Replica(id: ReplicaID(rawValue: 9)) { 1_780_000_000_000 }
    var list = desk.document.list
    try list.remove(list[4].id, by: &other)
    desk.host.showNews(list, changes: desk.host.trip.list.difference(to: list), now: 500)
    #expect(desk.screen[2] == "> Day 2, Fri 2026-06-12       1  Game B")
    desk.take(.enter)
    #expect(desk.screen.contains("> Day 2, Fri 2026-06-12"))
    desk.take(.character("d"), .home, .down, .down, .down, .down, .pageUp, .escape)
    #expect(desk.screen.contains("> Day 2, Fri 2026-06-12") && desk.commitCount == 0)
  }

  @Test("No line overruns, however wide its characters are")
  func wideCharacters() throws {
    let titles = [
      "👨‍👩‍👧‍👦 family 👩🏽‍🚀🏳️‍🌈🇯🇵 and more words than there is any room for, all of them 終電",
      "東京駅で待ち合わせ、それから全員で夕食へ行く予定、忘れ物をしないように",
      "e\u{301}e\u{301}e\u{301} 한국어 제목이 아주 길어서 화면에 들어가지 않는 경우", "☀️❤️✈️ ｆｕｌｌ　ｗｉｄｔｈ",
    ]
    var desk = try Desk()
    var other = Replica(id: ReplicaID(rawValue: 9)) { 1_780_000_000_000 }
    var trip = desk.host.trip
    for title in titles {
      try trip.append(["kind": "custom", "title": .string(title)], toDay: 1, by: &other)
    }
    desk.document = DragDocument(trip.list)
    desk.host.showNews(trip.list, changes: desk.host.trip.list.difference(to: trip.list), now: 500)
    for inputs in [[], [TerminalInput.character(" "), .down], [.escape, .character("d")]] {
      for input in inputs { desk.take(input) }
      for columns in Array(1...20) + [60, 61, 79, 80, 132] {
        desk.host.resize(to: TerminalSize(columns: columns, lines: 20), now: desk.now)
        for line in EditView(desk.host, style: TextStyle(usesColor: false)).lines {
          let plain = line.replacing("\u{1b}[7m", with: "").replacing("\u{1b}[0m", with: "")
          #expect(plain.displayWidth == columns, "\(columns): \(plain)")
        }
      }
    }
  }

  @Test func escapeWritesNothing() throws {
    var desk = try Desk()
    let digest = desk.document.list.digest
    desk.take(.character(" "), .end, .escape)
    #expect(desk.document.list.digest == digest)
    #expect(desk.screen[10] == " Move cancelled. Back at position 1 of 3 on")
    #expect(desk.screen[11] == " day 1.")
  }

  @Test func theMouseSeesWhereALegCannotGo() throws {
    var desk = try Desk()
    let digest = desk.document.list.digest
    desk.take(.press(column: 15, line: 5), .drag(column: 15, line: 3))
    #expect(
      Array(desk.screen[1...8]) == [
        "x Day 1, Thu 2026-06-11",
        " x  [ Bus ]",
        "|   • 13:00  Game A  (Alpha)",
        "",
        "| Day 2, Fri 2026-06-12",
        "x   • 19:00  Game B  (Beta)",
        "x   ≡        Dinner",
        "x Day 3, Sat 2026-06-13",
      ])
    #expect(desk.host.requests.isEmpty)
    desk.take(.release(column: 15, line: 3))
    #expect(desk.document.list.digest == digest)
    #expect(desk.screen[10] == " Bus cannot go there. Back at position 3 of")
    #expect(desk.screen[11] == " 3 on day 1.")
    desk.take(
      .press(column: 15, line: 5), .drag(column: 15, line: 4), .drag(column: 15, line: 6))
    #expect(desk.screen[4] == "| Day 2, Fri 2026-06-12")
    #expect(desk.screen[5] == "-->  Bus -----------------------------------")
    desk.take(.release(column: 15, line: 6))
    #expect(desk.screen[5] == ">   ≡        Bus")
    #expect(desk.document.list.digest != digest)
  }

  /// A terminal may tell of a press and never of its release.
  @Test func aPressThatIsNotReleasedTakesNoKeys() throws {
    var desk = try Desk()
    desk.take(.press(column: 9, line: 5), .character("?"))
    #expect(!desk.host.isAtRest)
    desk.take(.character(" "), .press(column: 9, line: 5), .down, .up)
    #expect(desk.screen[4].hasPrefix(">   ≡        Bus"), "\(desk.screen[4])")
    desk.take(.press(column: 9, line: 5), .press(column: 9, line: 3), .character("q"))
    #expect(desk.host.isDone && desk.commitCount == 0)
  }

  @Test func gamesStay() throws {
    var desk = try Desk()
    desk.take(.down, .character(" "))
    #expect(desk.screen[10] == " Game A is fixed by the schedule.")
    desk.take(.press(column: 9, line: 4), .drag(column: 9, line: 8), .release(column: 9, line: 8))
    #expect(desk.commitCount == 0)
  }

  @Test func textIsEditedAddedAndDeleted() throws {
    var desk = try Desk()
    desk.take(.character("e"), .character("!"))
    #expect(desk.screen[10] == " Title: Museum!_")
    desk.take(.enter)
    #expect(desk.screen[2] == ">   ≡        Museum!")
    desk.take(.character("a"), .character("N"), .character("a"), .character("p"))
    #expect(desk.screen[1] == "> + Nap_")
    desk.take(.enter)
    #expect(desk.screen[3] == ">   ≡        Nap")
    desk.take(.character("x"))
    #expect(!desk.screen.contains { $0.hasSuffix("Nap") })
    #expect(desk.screen[10].hasSuffix("Removed from Day 1 [u: Undo]"))
    // Only where text is wanted: else what is pasted would be so many commands.
    desk.take(.paste("xxq"), .home, .down, .character("e"), .paste(" of\nart"))
    #expect(desk.screen[10] == " Title: Museum! of art_")
    desk.take(.escape, .character("a"), .escape, .character("q"))
    #expect(desk.host.isDone && desk.document.list.count == 5)
  }

  @Test func undoTakesBackTheStepThatIsNamed() throws {
    var desk = try Desk()
    desk.take(.down, .up, .character("J"), .character("e"), .character("Z"), .enter)
    #expect(desk.screen[10].hasSuffix("Changed MuseumZ [u: Undo]"))
    desk.take(.character("u"))
    #expect(desk.screen[10].hasPrefix(" Change undone."))
    #expect(desk.screen[3] == ">   ≡        Museum")
    desk.take(.character("u"))
    #expect(desk.screen[10].hasPrefix(" Move undone."))
    #expect(desk.screen[2] == ">   ≡        Museum")
    desk.take(.character("u"))
    #expect(desk.screen[10] == " There is nothing to undo.")
  }

  @Test func anUnchangedTitleWritesNothingOverANewOne() throws {
    var desk = try Desk()
    desk.take(.character("e"))
    var other = Replica(id: ReplicaID(rawValue: 9)) { 1_780_000_000_000 }
    var list = desk.document.list
    try list.set("title", of: list[0].id, to: "Gallery", by: &other)
    desk.document = DragDocument(list)
    desk.host.showNews(list, changes: desk.host.trip.list.difference(to: list), now: 500)
    #expect(desk.screen[10] == " Title: Gallery_")
    desk.take(.enter)
    #expect(desk.commitCount == 0 && desk.document.list[0]["title"] == "Gallery")
  }

  @Test func whatOthersDoIsShownAlsoInTheMiddleOfADrag() throws {
    var desk = try Desk()
    desk.take(.character(" "), .down)
    var other = Replica(id: ReplicaID(rawValue: 9)) { 1_780_000_000_000 }
    var list = desk.document.list
    let museum = list[0].id
    try list.remove(list[4].id, by: &other)
    desk.host.showNews(list, changes: desk.host.trip.list.difference(to: list), now: 500)
    #expect(desk.screen[10] == " Between Game A and Bus, day 1.")
    #expect(desk.screen[3] == "-->  Museum --------------------------------")
    #expect(!desk.screen.contains { $0.contains("Dinner") })
    try list.remove(museum, by: &other)
    desk.host.showNews(list, changes: desk.host.trip.list.difference(to: list), now: 600)
    #expect(desk.screen[10] == " Museum was removed elsewhere.")
    #expect(desk.screen[2] == "    • 13:00  Game A  (Alpha)" || desk.screen[2].hasPrefix(">"))
    try list.set("name", of: .root, to: "Three cities", by: &other)
    desk.host.showNews(list, changes: desk.host.trip.list.difference(to: list), now: 700)
    #expect(desk.screen[0].hasPrefix(" Three cities"))
    #expect(desk.screen[10] == " Changed by somebody else.")
  }

  @Test func whatWasLookedAtStaysInSight() throws {
    var desk = try Desk()
    desk.take(.end, .up)
    desk.host.resize(to: TerminalSize(columns: 44, lines: 5), now: 1)
    #expect(desk.screen[1...2].contains(">   ≡        Dinner"))
    desk.host.resize(to: TerminalSize(columns: 44, lines: 12), now: 2)
    desk.take(.character(" "))
    desk.host.resize(to: TerminalSize(columns: 44, lines: 5), now: 3)
    #expect(desk.screen[1...2].contains(" =  [ Dinner ]"))
    desk.host.resize(to: TerminalSize(columns: 1, lines: 1), now: 4)
    #expect(desk.screen.count == 1)
    desk.take(.up, .up)
    desk.host.resize(to: TerminalSize(columns: 44, lines: 5), now: 5)
    #expect(desk.screen[1...2].contains { $0.hasPrefix("-->  Dinner ") }, "\(desk.screen)")
  }

  @Test func aFolderThatIsBehindIsSaid() throws {
    var desk = try Desk()
    desk.host.folderTrouble = "there is no folder box"
    #expect(desk.screen[0].hasSuffix("folder behind, 3 days, 5 items"))
    #expect(desk.screen[10] == " there is no folder box")
    desk.take(.character(" "))
    desk.host.folderTrouble = nil
    #expect(desk.screen[10] == " Lifted Museum. Position 1 of 3 on day 1.")
    #expect(!desk.screen[0].contains("behind"))
  }

  @Test func aListLongerThanTheScreenScrolls() throws {
    var desk = try Desk()
    desk.host.resize(to: TerminalSize(columns: 30, lines: 7), now: 1)
    desk.take(.end)
    #expect(desk.screen.count == 7)
    #expect(desk.screen[4] == "> Day 3, Sat 2026-06-13")
    desk.take(.home, .down, .character(" "), .end)
    #expect(desk.screen[4] == "-->  Museum ------------------")
    desk.take(.escape, .wheel(lines: -30))
    #expect(desk.screen[1].hasSuffix("Day 1, Thu 2026-06-11"))
  }

  /// Who forgets the name of the log names a document.
  @Test func onlyALogIsReplacedByALog() throws {
    let folder = try ScratchFolder()
    let trip = try folder.write("BTWX", to: "s1.trip")
    for text in ["BTWX\0trip", SampleTrip.base, "{\"format\":\"betwixt-trip\"}"] {
      let other = try folder.write(text, to: "other")
      for paths in [[other, trip], [other, other]] {
        let run = ToolRun(["edit", "--record"] + paths)
        #expect(run.code == .cannotCreate, "\(run.messages)")
        #expect(run.messages.contains("is no log"))
        #expect(try folder.text("other") == text)
      }
    }
    for text in ["", DragLog.header + "\n", DragLog.header] {
      let log = try folder.write(text, to: "log")
      // There is no terminal here, and that is all there is against it.
      #expect(ToolRun("edit", "--record", log, trip).code == .usage)
    }
    #expect(ToolRun("edit", "--record", folder.path("new"), trip).code == .usage)
    #expect(try !folder.names.contains("new"))
  }

  @Test func withoutATerminalThereIsAMessage() {
    let run = ToolRun("edit", "trip.trip")
    #expect(run.code == .usage)
    #expect(run.messages.hasPrefix("Error: 'betwixt edit' needs a terminal"))
    #expect(run.output.isEmpty)
  }

  /// Whatever lets itself be synced can be looked at and edited.
  @Test func anyKeysOnAnyTrip() throws {
    var random = SplitMix64(seed: 3)
    let letters: [Character] = Array("JK<>ur!xeatn/d?1 z9")
    for round in 0..<60 {
      var desk = try Desk(Trip(StrangeList.list(&random, by: 1, isTasks: false)))
      for _ in 0..<40 {
        let (column, line) = (random.next(below: 60), random.next(below: 16))
        let inputs: [TerminalInput] = [
          .character(letters[random.next(below: letters.count)]), .up, .down, .left, .right,
          .enter, .escape, .tab, .pageUp, .pageDown, .home, .end, .delete, .backspace,
          .paste("2026-05-01"), .press(column: column, line: line),
          .drag(column: column, line: line), .release(column: column, line: line),
          .wheel(lines: line - 8), .control("z"),
        ]
        desk.take(inputs[random.next(below: inputs.count)])
        let lines = EditView(desk.host, style: TextStyle(usesColor: false)).lines
        #expect(lines.count <= 12, "round \(round)")
      }
    }
  }
}
