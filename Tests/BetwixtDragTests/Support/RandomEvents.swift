import Betwixt
import BetwixtDrag
import BetwixtTrips
import TestSupport

/// What hands, keys, readers and other people do, at random and with no sense.
struct RandomEvents {
  var random: SplitMix64
  private var editCount = 0

  init(seed: UInt64) { random = SplitMix64(seed: seed) }

  /// An event about a document; `nil` where a host is to lay its rows out again.
  mutating func next(for document: DragDocument, at now: Int64) -> DragEvent? {
    let ids = document.list.map(\.id)
    let id = ids.randomElement(using: &random) ?? .root
    let row = RowRef.item(id)
    let place = point()
    switch random.next(below: 24) {
    case 0: return .press(row, [.touch, .mouse, .pen][random.next(below: 3)], place, at: now)
    case 1, 2: return .lift(row, random.next(below: 3) == 0 ? .keyboard : .touch, place, at: now)
    case 3, 4, 5, 6, 7: return .moved(place, at: now)
    case 8, 9: return .released(place, at: now)
    case 10: return .cancelled(CancelReason.allCases[random.next(below: 6)], at: now)
    case 11: return .tick(at: now)
    case 12: return .timer(TimerID.allCases[random.next(below: 3)], at: now)
    case 13, 14, 15:
      return .key(ReorderKey.allCases[random.next(below: ReorderKey.allCases.count)], row, at: now)
    case 16:
      let actions = RowAction.allCases
      return .action(id, actions[random.next(below: actions.count)], at: now)
    case 17: return .external(externalPhase(place), at: now)
    case 18: return .swipe(swipePhase(id))
    case 19: return .pull(pullPhase())
    case 20: return .pinch(pinchPhase(place))
    case 21: return .edit(editPhase(id))
    case 22:
      return [.delete(id), .undo(at: now), .redo(at: now), .toast(.insist, at: now)][
        random.next(below: 4)]
    default: return nil
    }
  }

  private mutating func point() -> DragPoint {
    DragPoint(x: Double(random.next(below: 420)) - 50, y: Double(random.next(below: 720)) - 60)
  }

  private mutating func externalPhase(_ point: DragPoint) -> ExternalPhase {
    let kinds: [DragPayload.Kind] = [.custom, .travel, .game, .other]
    let fields: Fields = [
      "title": "New", "gameId": "new", "start": "2026-06-12T10:00", "city": "Alpha",
      "from": "Alpha", "to": "Beta",
    ]
    return [
      .entered(DragPayload(kinds[random.next(below: 4)], fields: fields, height: 60), point),
      .moved(point), .left, .dropped(point),
    ][random.next(below: 4)]
  }

  private mutating func swipePhase(_ id: ItemID) -> SwipePhase {
    let dx = Double(random.next(below: 500)) - 250
    return [.began(id, dx: dx, dy: 10), .changed(dx: dx), .ended, .cancelled][
      random.next(below: 4)]
  }

  private mutating func pullPhase() -> PullPhase {
    let offset = Double(random.next(below: 120)) - 100
    return [
      .began(offset: offset, rowHeight: 60), .changed(offset: offset), .ended, .cancelled,
    ][random.next(below: 4)]
  }

  private mutating func pinchPhase(_ point: DragPoint) -> PinchPhase {
    let spread = 30 + Double(random.next(below: 120))
    let points = [point, DragPoint(x: 0, y: point.y + spread)]
    return [.began(points), .changed(points), .ended, .cancelled][random.next(below: 4)]
  }

  private mutating func editPhase(_ id: ItemID) -> EditPhase {
    let text = ["", "New text", "  "][random.next(below: 3)]
    return [.begin(id), .add(below: .item(id)), .text(text), .commit, .cancel][
      random.next(below: 5)]
  }
}

// MARK: - What others do

extension RandomEvents {
  /// Edits a list as somebody else.
  mutating func edit(
    _ list: inout ReplicatedList, isTrip: Bool, by other: inout Replica
  ) throws {
    editCount += 1
    guard let item = list.randomElement(using: &random) else { return }
    let section = list.randomElement(using: &random)?.section ?? 1
    switch random.next(below: 4) {
    case 0: try list.set("note", of: item.id, to: .string("\(editCount)"), by: &other)
    case 1 where list.count > 4: try list.remove(item.id, by: &other)
    case 2:
      let fields: Fields = isTrip ? ["kind": "custom", "title": "New"] : ["text": "New"]
      try list.append(fields, toSection: section, by: &other)
    default: try list.move(item.id, toOffset: 0, inSection: section, by: &other)
    }
  }
}
