import Betwixt
import BetwixtDrag
import BetwixtTrips

/// One session of each kind, as a host would play it.
enum RecordedSession: String, CaseIterable {
  case drag
  case invalidDrop = "invalid-drop"
  case tabHover = "tab-hover"
  case pull
  case pinch
  case swipe
  case keyboard
  case remoteRemoval = "remote-removal"
  case external
  case autoScroll = "auto-scroll"

  /// Plays the session and returns all that the engine was told.
  func events() throws -> [DragEvent] {
    switch self {
    case .tabHover, .pull, .swipe: try RecordedSession.onTasks(self)
    case .drag, .invalidDrop, .pinch, .keyboard, .remoteRemoval, .external, .autoScroll:
      try RecordedSession.onTrip(self)
    }
  }

  private static func onTrip(_ session: RecordedSession) throws -> [DragEvent] {
    let sample = try SampleTrip()
    var host = DragHost(.trip(sample.trip))
    switch session {
    case .drag:
      let target = host.point(sample.beta, 0.9)
      host.send(.press(.item(sample.lunch), .touch, host.point(sample.lunch), at: 10))
      host.send(.timer(.longPress, at: 310))
      host.move(host.point(sample.museum, 0.1))
      host.move(target)
      host.release(target)
      host.send(.undo(at: 900))
    case .invalidDrop:
      host.lift(sample.leg)
      host.move(host.point(sample.museum, 0.1))
      host.release(host.point(sample.museum, 0.1))
    case .pinch: pinch(&host, sample)
    case .keyboard:
      for key in [ReorderKey.space, .up, .pageDown, .end, .down, .home, .down, .space] {
        host.key(key, sample.leg)
      }
    case .remoteRemoval:
      host.lift(sample.lunch)
      host.move(host.point(sample.museum, 0.1))
      try host.remotely { try $0.remove(sample.lunch, by: &$1) }
      host.send(.document(host.document))
      host.layOut()
      host.release(DragPoint(x: 100, y: 60))
    case .external:
      let payload = DragPayload(.custom, fields: ["title": "Concert"], height: 60)
      host.send(.external(.entered(payload, host.point(sample.museum, 0.1)), at: 1))
      host.send(.external(.moved(host.point(sample.lunch, 0.9)), at: 2))
      host.send(.external(.dropped(host.point(sample.lunch, 0.9)), at: 3))
    default: scroll(&host, sample)
    }
    return host.events
  }

  private static func pinch(_ host: inout DragHost, _ sample: SampleTrip) {
    let upper = host.point(sample.alpha)
    let lower = host.point(sample.lunch)
    host.send(.pinch(.began([upper, lower])))
    for spread in [10.0, 25, 40] {
      host.send(
        .pinch(
          .changed([
            DragPoint(x: 0, y: upper.y - spread), DragPoint(x: 0, y: lower.y + spread),
          ])))
    }
    host.send(.pinch(.ended))
    host.send(.edit(.text("Nap “é”")))
    host.send(.edit(.commit))
  }

  private static func scroll(_ host: inout DragHost, _ sample: SampleTrip) {
    host.viewportHeight = 200
    host.layOut()
    host.lift(sample.museum)
    host.move(DragPoint(x: 100, y: 190))
    for _ in 0..<40 {
      host.now += 16
      for case .scroll(let step) in host.send(.tick(at: host.now)) {
        host.offset += step
        host.layOut()
      }
    }
    host.release(DragPoint(x: 100, y: 190))
  }

  private static func onTasks(_ session: RecordedSession) throws -> [DragEvent] {
    let sample = try SampleTasks()
    var host = DragHost(.tasks(sample.tasks), tab: .today)
    switch session {
    case .tabHover:
      host.lift(sample.pack)
      host.move(DragPoint(x: 200, y: 420))
      host.send(.timer(.tabHover, at: 600))
      host.layOut()
      host.move(host.point(sample.bank, 0.9))
      host.release(host.point(sample.bank, 0.9))
    case .pull:
      host.send(.pull(.began(offset: 0, rowHeight: 60)))
      host.send(.pull(.changed(offset: -30)))
      host.send(.pull(.changed(offset: -61)))
      host.send(.pull(.ended))
      host.send(.edit(.text("Passport")))
      host.send(.edit(.commit))
    default:
      host.send(.swipe(.began(sample.pack, dx: 20, dy: 4)))
      host.send(.swipe(.changed(dx: 200)))
      host.send(.swipe(.ended))
      host.send(.swipe(.began(sample.call, dx: -20, dy: 4)))
      host.send(.swipe(.changed(dx: -100)))
      host.send(.swipe(.ended))
    }
    return host.events
  }
}
