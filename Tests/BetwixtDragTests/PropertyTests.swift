import Betwixt
import BetwixtDrag
import BetwixtTrips
import Testing

/// The invariants, over random events with random edits of others in between.
struct PropertyTests {
  @Test("A trip: idle, balanced, at most one commit, never an invalid one", arguments: 1...30)
  func trip(seed: UInt64) throws {
    var player = try RandomPlayer(seed: seed, .trip(RandomTrip.trip(seed: seed)))
    try player.play(80)
    #expect(player.faults.isEmpty)
  }

  @Test("Tasks: the same, through all tabs", arguments: 1...30)
  func tasks(seed: UInt64) throws {
    let sample = try SampleTasks()
    var player = try RandomPlayer(seed: seed, .tasks(sample.tasks), tab: .today)
    try player.play(80)
    #expect(player.faults.isEmpty)
  }

  @Test("The same events give the same effects", arguments: 1...10)
  func sameLogSameEffects(seed: UInt64) throws {
    var player = try RandomPlayer(seed: seed, .trip(RandomTrip.trip(seed: seed)))
    try player.play(60)
    var engine = DragEngine()
    var other = DragEngine()
    for event in player.host.events { #expect(engine.handle(event) == other.handle(event)) }
    #expect(engine.isIdle == player.host.engine.isIdle)
  }

  @Test("Mirrored points among items give mirrored gaps")
  func mirrored() throws {
    var me = Replica(test: 3)
    var list = ReplicatedList(id: ListID(high: 9, low: 9))
    for number in 0..<6 {
      try list.append(["title": .string("\(number)")], toSection: 1, by: &me)
    }
    let ids = list.map(\.id)
    var host = DragHost(.trip(Trip(list)))
    host.lift(ids[0])
    let top = DragHost.headerHeight
    for part in stride(from: 61.0, to: 359, by: 1) where part != 90 {
      host.move(DragPoint(x: 9, y: top + part))
      let gap = host.engine.proposal?.gap
      let row = Int(part / 60)
      let isLower = part - Double(row) * 60 >= 30
      let above = isLower ? ids[row] : row > 1 ? ids[row - 1] : nil
      if let gap { #expect(gap.above == above) } else { #expect(above == nil) }
    }
  }

  @Test("Events of nonsense are ignored")
  func nonsense() throws {
    let sample = try SampleTrip()
    var host = DragHost(.trip(sample.trip))
    host.lift(sample.lunch)
    for bad in [Double.nan, .infinity, -.infinity] {
      #expect(host.send(.moved(DragPoint(x: bad, y: bad), at: .min)).isEmpty)
      #expect(host.send(.pull(.began(offset: bad, rowHeight: bad))).isEmpty)
      #expect(host.send(.swipe(.began(sample.lunch, dx: bad, dy: 0))).isEmpty)
      #expect(host.send(.pinch(.began([DragPoint(x: bad, y: bad)]))).isEmpty)
      var layout = host.layout()
      layout.offset = bad
      #expect(host.send(.layout(layout)).isEmpty)
    }
    var layout = host.layout()
    layout.rows = layout.rows.reversed()
    #expect(host.send(.layout(layout)).isEmpty)
    for time in [Int64.min, .max] { #expect(host.send(.tick(at: time)).isEmpty) }
    host.send(.released(DragPoint(x: .nan, y: 0), at: 0))
    #expect(host.engine.isIdle && host.screen.leftovers.isEmpty)
    var empty = DragEngine()
    for event in host.events { _ = empty.handle(event) }
    #expect(DragEngine().isIdle)
  }
}
