import Betwixt
import BetwixtDrag
import BetwixtTrips
import Testing

/// What others do while somebody holds something: each fault that was found, in its smallest form.
struct MeanwhileTests {
  let sample: SampleTrip
  let tasks: SampleTasks

  init() throws {
    sample = try SampleTrip()
    tasks = try SampleTasks()
  }

  private func host() -> GuideHost { GuideHost(.trip(sample.trip)) }

  /// Days of custom items, 1.1, 1.2 and so on.
  static func days(_ counts: Int...) throws -> Trip {
    var me = Replica(test: 1)
    var list = ReplicatedList(id: ListID(high: 5, low: 5))
    try list.set("startDate", of: .root, to: "2026-06-11", by: &me)
    try list.set("days", of: .root, to: .int64(Int64(counts.count)), by: &me)
    for (day, count) in counts.enumerated() {
      for number in 0..<count {
        try list.append(
          ["kind": "custom", "title": .string("\(day + 1).\(number + 1)")],
          toSection: Int64(day + 1), by: &me)
      }
    }
    return Trip(list)
  }

  // MARK: Editing

  @Test("Return on an unchanged title writes nothing over a rename that arrived")
  func unchangedTitle() throws {
    var host = host()
    host.tell(.edit(.begin(sample.lunch)))
    #expect(host.field?.text == "Lunch")
    try host.remotely {
      try $0.edit { try $0.set("title", of: sample.lunch, to: "Brunch", by: &$1) }
    }
    // Nobody has typed, so the field shows what the title is now.
    #expect(host.field?.text == "Brunch")
    host.tell(.edit(.commit))
    #expect(host.commits.isEmpty && host.field == nil)
    #expect(host.document.list[id: sample.lunch]?["title"] == "Brunch")
    // What was typed is meant: it is written over the rename, and a text typed back is none.
    for (typed, isWritten) in [("Supper", true), ("Brunch ", false)] {
      host.tell(.edit(.begin(sample.lunch)))
      host.tell(.edit(.text(typed)))
      host.tell(.edit(.commit))
      #expect(host.commits.isEmpty != isWritten)
      host.tell(.undo(at: 1))
      host.commits = []
    }
    host.wait()
    #expect(host.faults.isEmpty)
  }

  @Test("What was typed is handed back when its item goes, and the field closes")
  func typedTextComesBack() throws {
    for isTyped in [true, false] {
      var host = host()
      host.tell(.edit(.begin(sample.lunch)))
      if isTyped { host.tell(.edit(.text("Lunch at the harbour"))) }
      try host.remotely { try $0.edit { try $0.remove(sample.lunch, by: &$1) } }
      #expect(host.field == nil && host.engine.isIdle)
      #expect(host.handedBack == (isTyped ? ["Lunch at the harbour"] : []))
      #expect(host.said == ["Lunch was removed elsewhere."] && host.notices == host.said)
      host.wait()
      #expect(host.faults.isEmpty)
    }
  }

  @Test("A draft whose day goes moves to the nearest day, with what was typed")
  func draftMoves() throws {
    var host = host()
    host.tell(.edit(.add(below: .header(day: 3))))
    host.tell(.edit(.text("Beach")))
    try host.remotely { try $0.edit { try $0.set("days", of: .root, to: 2, by: &$1) } }
    #expect(host.engine.editTarget == .draft(Gap(day: 2, above: sample.dinner, below: nil)))
    host.tell(.edit(.commit))
    #expect(
      host.commits == [
        [
          .insert(
            ["kind": "custom", "title": "Beach"], Gap(day: 2, above: sample.dinner, below: nil))
        ]
      ])
    host.wait()
    #expect(host.faults.isEmpty && host.handedBack.isEmpty)
  }

  @Test("A text is kept when the focus is lost, and handed back when the system ends it")
  func interruptedEdits() {
    let expected: [(CancelReason, Int, [String])] = [
      (.focusLost, 1, []), (.background, 1, []), (.escape, 0, []), (.system, 0, ["Nap"]),
    ]
    for (reason, commits, back) in expected {
      var host = host()
      host.tell(.edit(.begin(sample.lunch)))
      host.tell(.edit(.text("Nap")))
      host.tell(.cancelled(reason, at: 1))
      #expect(host.commits.count == commits && host.handedBack == back)
      #expect(host.field == nil && host.engine.isIdle)
      host.wait()
      #expect(host.faults.isEmpty)
    }
  }

  @Test("A draft has a frame of its own, which the rows leave free; an empty list answers too")
  func drafts() throws {
    var host = host()
    host.viewportHeight = 300
    host.layOut()
    host.tell(.edit(.add(below: .item(sample.alpha))))
    #expect(host.field?.frame == DragFrame(x: 0, y: 0, width: 320, height: 60))
    host.tell(.edit(.commit))
    #expect(host.field == nil && host.commits.isEmpty && host.engine.isIdle)
    var me = Replica(test: 2)
    var empty = GuideHost(.tasks(try TaskList(id: ListID(high: 2, low: 2), by: &me)), tab: .inbox)
    empty.tell(.pull(.began(offset: 0, rowHeight: 60)))
    empty.tell(.pull(.changed(offset: -61)))
    empty.tell(.pull(.ended))
    #expect(empty.field?.frame.height == 60)
    empty.tell(.edit(.commit))
    #expect(empty.field == nil && empty.commits.isEmpty)
    empty.tell(.edit(.add(below: nil)))
    empty.tell(.edit(.text("First")))
    empty.tell(.edit(.commit))
    #expect(empty.document.list.count == 1)
    #expect(empty.focus == empty.document.list.first.map { .item($0.id) })
    for faults in [host.faults, empty.faults] { #expect(faults.isEmpty) }
  }

  // MARK: Dragging

  @Test("A row that arrives above during a press leaves the copy under the finger")
  func pressedRow() throws {
    var host = host()
    // The lunch lies from 160 to 220.
    let finger = DragPoint(x: 100, y: 170)
    host.tell(.press(.item(sample.lunch), .touch, finger, at: 0))
    try host.remotely { try $0.insert("New", Gap(day: 1, above: nil, below: sample.museum)) }
    host.tell(.timer(.longPress, at: 300))
    #expect(host.engine.liftedFrame?.y == 160)
    #expect(host.engine.proposal == .stay)
    host.tell(.released(finger, at: 400))
    #expect(host.commits.isEmpty && host.said.last == "Lunch not moved.")
    host.wait()
    #expect(host.faults.isEmpty)
  }

  @Test("A press that is released where it went down does not undo somebody else's move")
  func pressedRowMoves() throws {
    var host = host()
    let finger = DragPoint(x: 100, y: 170)
    host.tell(.press(.item(sample.lunch), .touch, finger, at: 0))
    try host.remotely { try $0.edit { try $0.move(sample.lunch, after: sample.dinner, by: &$1) } }
    host.tell(.timer(.longPress, at: 300))
    // A finger never lies still.
    host.tell(.moved(DragPoint(x: 101, y: 172), at: 350))
    host.tell(.released(DragPoint(x: 101, y: 171), at: 400))
    #expect(host.commits.isEmpty)
    #expect(host.document.list[id: sample.lunch]?.section == 2)
    host.wait()
    #expect(host.faults.isEmpty)
  }

  @Test("The aimed gap is kept by its neighbours until the pointer moves on")
  func keptGap() throws {
    let trip = try MeanwhileTests.days(3)
    let ids = trip.list.map(\.id)
    var host = GuideHost(.trip(trip))
    host.tell(.lift(.item(ids[0]), .touch, DragPoint(x: 9, y: 70), at: 0))
    let finger = DragPoint(x: 9, y: 215)
    host.tell(.moved(finger, at: 1))
    #expect(host.engine.proposal == .move(Gap(day: 1, above: ids[2], below: nil)))
    try host.remotely { try $0.insert("X", Gap(day: 1, above: nil, below: ids[0])) }
    try host.remotely { try $0.insert("Y", Gap(day: 1, above: nil, below: ids[0])) }
    // The finger is over the second item now, but nobody has moved it.
    #expect(host.engine.proposal == .move(Gap(day: 1, above: ids[2], below: nil)))
    host.tell(.released(finger, at: 2))
    #expect(host.document.titles == ["X", "Y", "1.2", "1.3", "1.1"])
    host.wait()
    #expect(host.faults.isEmpty)
  }

  @Test("A merge between two frames makes the place invalid: back, and said once")
  func mergeBeforeCommit() throws {
    var host = host()
    host.tell(.lift(.item(sample.leg), .touch, DragPoint(x: 9, y: 250), at: 0))
    let finger = DragPoint(x: 9, y: 165)
    host.tell(.moved(finger, at: 1))
    #expect(host.engine.proposal?.gap != nil)
    host.said = []
    let start = try #require(GameStart("2026-06-12T10:00"))
    let alpha = sample.alpha
    host.beforeCommit = { document in
      guard case .trip(var trip) = document else { return }
      var other = Replica(test: 9)
      try trip.reschedule(alpha, to: start, by: &other)
      document = .trip(trip)
    }
    host.tell(.released(finger, at: 2))
    #expect(host.said == ["Not saved. Bus is back."])
    #expect(host.notices == host.said && host.timers == [.toast])
    host.wait()
    #expect(host.toast == nil && !host.hasCopy && host.looks.isEmpty)
    #expect(host.faults.isEmpty)
  }

  @Test("A merge between two frames moves the neighbours: it goes to where they lead")
  func neighboursBeforeCommit() throws {
    var host = host()
    host.tell(.lift(.item(sample.lunch), .touch, DragPoint(x: 9, y: 190), at: 0))
    let finger = DragPoint(x: 9, y: 375)
    host.tell(.moved(finger, at: 1))
    let gap = Gap(day: 2, above: sample.beta, below: sample.dinner)
    #expect(host.engine.proposal == .move(gap))
    let dinner = sample.dinner
    host.beforeCommit = { try $0.edit { try $0.remove(dinner, by: &$1) } }
    host.tell(.released(finger, at: 2))
    #expect(host.document.titles == ["Museum", "Alpha game", "Bus", "Beta game", "Lunch"])
    #expect(host.said.last == "Dropped Lunch. Position 2 of 2 on day 2.")
    host.wait()
    #expect(host.faults.isEmpty)
  }

  @Test("A write that fails says so, after which nothing is left on the screen")
  func fullDisk() {
    for isDrag in [true, false] {
      var host = host()
      host.isFull = true
      if isDrag {
        host.tell(.lift(.item(sample.lunch), .touch, DragPoint(x: 9, y: 190), at: 0))
        host.tell(.released(DragPoint(x: 9, y: 45), at: 1))
      } else {
        host.tell(.delete(sample.lunch))
      }
      #expect(host.said.last == "Not saved. Lunch is back.")
      #expect(host.notices == ["Not saved. Lunch is back."])
      host.wait()
      #expect(host.toast == nil && host.faults.isEmpty)
      #expect(host.document == .trip(sample.trip))
    }
  }

  @Test("A new lift does not wait for the end of the one before")
  func liftsInTurn() {
    for second in [sample.lunch, sample.museum] {
      var host = host()
      host.tell(.lift(.item(sample.lunch), .touch, DragPoint(x: 9, y: 190), at: 0))
      host.tell(.released(DragPoint(x: 9, y: 45), at: 1))
      #expect(!host.delayed.isEmpty && host.hasCopy)
      let y = host.frames.first { $0.ref == .item(second) }?.minY ?? 0
      host.tell(.lift(.item(second), .touch, DragPoint(x: 9, y: y + 30), at: 2))
      host.wait()
      #expect(host.hasCopy && host.looks[.item(second)]?.alpha == 0 && host.looks.count == 1)
      host.tell(.cancelled(.escape, at: 3))
      host.wait()
      #expect(host.faults.isEmpty)
    }
  }

  // MARK: Undo and deletion

  @Test("A toast names its step, and takes back that one only while it is the newest")
  func namedSteps() {
    var host = host()
    host.tell(.action(sample.museum, .moveDown, at: 1))
    let moved = Toast("Moved to Day 1", button: .undo(CommitID(1)))
    #expect(host.toast == moved)
    host.tell(.edit(.begin(sample.museum)))
    host.tell(.edit(.text("Gallery")))
    host.tell(.edit(.commit))
    #expect(host.toast == Toast("Changed Gallery", button: .undo(CommitID(2))))
    // The button of a toast that is gone does nothing.
    host.tell(.toast(.undo(CommitID(1)), at: 2))
    #expect(host.document.titles.first == "Alpha game" && host.document.titles[1] == "Gallery")
    host.said = []
    for _ in 0..<3 { host.tell(.undo(at: 3)) }
    #expect(host.said == ["Change undone.", "Move undone.", "There is nothing to undo."])
    #expect(host.notices.suffix(3) == host.said[...])
    #expect(host.document.titles == sample.titles)
    host.wait()
    #expect(host.faults.isEmpty)
  }

  @Test("Only moves are said to be moves")
  func wordsOfUndo() throws {
    var host = host()
    host.tell(.delete(sample.lunch))
    #expect(host.toast?.text == "Removed from Day 1")
    host.tell(.undo(at: 1))
    #expect(host.said.last == "Removal undone.")
    host.tell(.edit(.add(below: .item(sample.dinner))))
    host.tell(.edit(.text("Walk")))
    host.tell(.edit(.commit))
    #expect(host.toast?.text == "Added to Day 2")
    host.tell(.undo(at: 2))
    #expect(host.said.last == "Addition undone." && host.document.titles == sample.titles)
    host.tell(.action(sample.lunch, .moveToNextDay, at: 3))
    try host.remotely {
      try $0.edit { try $0.move(sample.lunch, toOffset: 0, inSection: 3, by: &$1) }
    }
    host.tell(.undo(at: 4))
    #expect(host.said.last == "Lunch was changed again. Not undone.")
    #expect(host.toast?.button == .insist && host.toast?.text == host.said.last)
    host.wait()
    #expect(host.faults.isEmpty)
  }

  @Test("Rows close up over a deleted one and come back with it")
  func deletedRows() {
    for isSwiped in [true, false] {
      var host = host()
      host.viewportHeight = 300
      host.layOut()
      if isSwiped {
        host.tell(.swipe(.began(sample.museum, dx: -100, dy: 0)))
        host.tell(.swipe(.changed(dx: -200)))
        host.tell(.swipe(.ended))
      } else {
        host.tell(.delete(sample.museum))
      }
      // The rows that are seen come from where they were.
      #expect(host.looks[.item(sample.alpha)] == nil)
      #expect(host.looks[.item(sample.lunch)]?.shiftY == 60)
      #expect(host.focus == .item(sample.alpha))
      host.tell(.undo(at: 1))
      host.wait()
      #expect(host.looks.isEmpty && host.document.titles == sample.titles)
      #expect(host.faults.isEmpty)
    }
  }

  @Test("Who looks is told as well as who listens")
  func notices() throws {
    var host = host()
    host.tell(.lift(.item(sample.alpha), .touch, DragPoint(x: 9, y: 130), at: 0))
    host.tell(.lift(.item(sample.lunch), .touch, DragPoint(x: 9, y: 190), at: 0))
    try host.remotely { try $0.edit { try $0.remove(sample.lunch, by: &$1) } }
    host.tell(.lift(.item(sample.leg), .touch, DragPoint(x: 9, y: 190), at: 0))
    host.tell(.moved(DragPoint(x: 9, y: 45), at: 1))
    #expect(host.isTinted && host.said.last == "Not possible here.")
    host.tell(.released(DragPoint(x: 9, y: 45), at: 1))
    #expect(
      host.notices == [
        "Alpha game is fixed by the schedule.", "Lunch was removed elsewhere.",
        "Bus cannot go there. Back at position 3 of 3 on day 1.",
      ])
    host.wait()
    #expect(host.faults.isEmpty)
  }
}

extension DragDocument {
  /// Edits the list as somebody else.
  mutating func edit(
    _ body: (inout ReplicatedList, inout Replica) throws -> Void
  ) throws {
    var other = Replica(test: 9)
    var list = list
    try body(&list, &other)
    self = DragDocument(list)
  }

  /// Adds an item as somebody else.
  @discardableResult
  mutating func insert(_ title: String, _ gap: Gap) throws -> ItemID? {
    var other = Replica(test: 9)
    let fields: Fields =
      if case .trip = self {
        ["kind": "custom", "title": .string(title)]
      } else {
        ["text": .string(title), "state": "notStarted"]
      }
    return try apply([.insert(fields, gap)], by: &other)
  }

  /// The titles of all items in order.
  var titles: [String] {
    list.map { $0["title"]?.string ?? $0["text"]?.string ?? "" }
  }
}

extension SampleTrip {
  var titles: [String] { DragDocument.trip(trip).titles }
}
