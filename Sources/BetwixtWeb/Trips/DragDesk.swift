import Betwixt
import BetwixtDrag
import BetwixtSync
import BetwixtTrips
import BetwixtWeb

/// The drags of one list on a page.
///
/// Events and effects are lines of a drag log. What an effect asks to be written is written here;
/// the engine gets its answer with the next layout, which only the page can make.
struct DragDesk {
  private var engine = DragEngine()
  private var history = CommitHistory()
  private var toldCount: Int?
  private var answers: [DragEvent] = []
  private var toast: Toast?
  private var effects: [DragEffect] = []

  mutating func perform(
    _ operation: TripOperation, head: RequestHead, from reader: inout Reader,
    open: inout OpenList, to output: inout [UInt8]
  ) throws(BridgeFailure) {
    switch operation {
    case .startDrags:
      var settings = DragSettings(.itinerary)
      settings.reduceMotion = try reader.read { (input) throws(DecodeFailure) in try input.flag() }
      try reader.end()
      tell(.settings(settings), head: head, open: &open)
    case .event:
      let line = try reader.read { (input) throws(DecodeFailure) in try input.bytes() }
      try reader.end()
      tell(try DragDesk.event(line), head: head, open: &open)
    case .toast:
      let time = try reader.read { (input) throws(DecodeFailure) in try input.zigzag() }
      try reader.end()
      if let button = toast?.button { tell(.toast(button, at: time), head: head, open: &open) }
    default:
      let item = try reader.read { (input) throws(DecodeFailure) in try input.item() }
      try reader.end()
      output.append(texts: engine.availableActions(for: item).map { $0.rawValue })
      return
    }
    answer(&output)
  }

  /// Reads an event that a page may tell; what it has written itself is told here.
  private static func event(_ line: [UInt8]) throws(BridgeFailure) -> DragEvent {
    let event: DragEvent
    do throws(DocumentFailure) {
      event = try DragLog.event(line, file: "event")
    } catch {
      throw BridgeFailure(error)
    }
    switch event {
    case .document, .settings, .committed, .commitFailed, .turned, .toast:
      throw BridgeFailure("event", "a page does not tell this")
    default: return event
    }
  }

  private mutating func tell(
    _ event: DragEvent, head: RequestHead, open: inout OpenList
  ) {
    if toldCount != open.changeCount {
      toldCount = open.changeCount
      handle(.document(DragDocument(open.list)), head: head, open: &open)
    }
    handle(event, head: head, open: &open)
    guard case .layout = event else { return }
    let waiting = answers
    answers = []
    for answer in waiting { handle(answer, head: head, open: &open) }
  }

  private mutating func handle(
    _ event: DragEvent, head: RequestHead, open: inout OpenList
  ) {
    for effect in engine.handle(event) {
      effects.append(effect)
      switch effect {
      case .toast(let toast): self.toast = toast
      case .commit(let id, let edits): write(.commit(id, edits), head: head, open: &open)
      case .turn(let turn): write(.turn(turn), head: head, open: &open)
      default: break
      }
    }
  }

  private enum Wish {
    case commit(CommitID, [ListEdit])
    case turn(UndoTurn)
  }

  private mutating func write(_ wish: Wish, head: RequestHead, open: inout OpenList) {
    var document = DragDocument(open.list)
    var history = history
    // The list has one history, whoever writes.
    history.steps = open.history
    let answer = open.edit(head) { (_, replica) in
      DragDesk.write(wish, history: &history, document: &document, by: &replica, now: head.now)
    }
    open.list = document.list
    open.history = history.steps
    self.history = history
    answers.append(answer)
    toldCount = open.changeCount
    handle(.document(document), head: head, open: &open)
  }

  private static func write(
    _ wish: Wish, history: inout CommitHistory, document: inout DragDocument,
    by replica: inout Replica, now: Int64
  ) -> DragEvent {
    switch wish {
    case .commit(let id, let edits):
      do throws(TripFailure) {
        let added = try history.commit(
          id, edits: edits, in: &document, by: &replica,
          at: Moment(clamping: now / 1_000 * 1_000))
        return .committed(id, added, at: now)
      } catch {
        return .commitFailed(id, at: now)
      }
    case .turn(let turn):
      do throws(EditFailure) {
        return .turned(try history.turn(turn, in: &document, by: &replica), at: now)
      } catch {
        return .turned(TurnReport(turn, commit: nil, outcome: .refused), at: now)
      }
    }
  }

  /// What the page is to do, as JSON.
  private mutating func answer(_ output: inout [UInt8]) {
    var text = "{\"effects\":["
    for (place, effect) in effects.enumerated() {
      if place > 0 { text += "," }
      text += DragLog.line(for: effect)
    }
    text += "],\"isIdle\":\(engine.isIdle),\"lifted\":"
    if let frame = engine.liftedFrame {
      let numbers = [frame.x, frame.y, frame.width, frame.height]
      text += "[" + numbers.map { NumberLayout.json($0.isFinite ? $0 : 0) }.joined(separator: ",")
      text += "]"
    } else {
      text += "null"
    }
    text += ",\"dragged\":"
    text += engine.draggedItem.map { "\"\($0)\"" } ?? "null"
    text += "}"
    effects = []
    output.append(contentsOf: text.utf8)
  }
}
