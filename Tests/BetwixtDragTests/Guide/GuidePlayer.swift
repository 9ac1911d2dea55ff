import Betwixt
import BetwixtDrag
import BetwixtTrips
import TestSupport

/// Plays the front end of the guide at random while others edit, and keeps what it draws wrongly.
struct GuidePlayer: ~Copyable {
  private(set) var host: GuideHost
  private var events: RandomEvents
  private let isTrip: Bool

  /// Begins to play; with a margin only the rows so far beyond the viewport are made.
  init(seed: UInt64, _ document: DragDocument, tab: TaskTab? = nil, margin: Double?) {
    events = RandomEvents(seed: seed)
    isTrip = tab == nil
    host = GuideHost(document, tab: tab, margin: margin)
    // A list that fits does not scroll.
    host.viewportHeight = [200, 300, 600][events.random.next(below: 3)]
    host.layOut()
  }

  /// Plays some events, then lets everything come to rest.
  ///
  /// - Returns: The faults, each with the number of the event it followed.
  mutating func play(_ count: Int) throws -> [String] {
    for number in 0..<count {
      try step()
      if !host.faults.isEmpty { return host.faults.map { "event \(number): \($0)" } }
    }
    host.tell(.cancelled(.system, at: host.now))
    host.wait()
    if !host.engine.isIdle { host.faults.append("not idle at the end") }
    return host.faults
  }

  private mutating func step() throws {
    host.now += Int64(events.random.next(below: 40))
    switch events.random.next(below: 24) {
    case 0, 1, 2: try host.remotely(remoteEdit())
    case 3: host.wait()
    case 4, 5: scroll()
    case 6: host.beforeCommit = remoteEdit()
    case 7: host.isFull = events.random.next(below: 4) == 0
    default:
      guard let event = events.next(for: host.document, at: host.now) else {
        return host.layOut()
      }
      host.tell(event)
    }
  }

  /// An edit of somebody else, drawn now and done when it comes.
  private mutating func remoteEdit() -> (inout DragDocument) throws -> Void {
    var events = RandomEvents(seed: events.random.next())
    let isTrip = isTrip
    return { document in
      try document.edit { list, other in
        // The whole trip changes now and then.
        if isTrip, events.random.next(below: 8) == 0 {
          let days = FieldValue.int64(Int64(1 + events.random.next(below: 5)))
          return try list.set("days", of: .root, to: days, by: &other)
        }
        try events.edit(&list, isTrip: isTrip, by: &other)
      }
    }
  }

  private mutating func scroll() {
    let content = host.frames.last?.maxY ?? 0
    let room = Int(max(0, content - host.viewportHeight))
    host.scroll(to: Double(events.random.next(below: room + 1)))
  }
}
