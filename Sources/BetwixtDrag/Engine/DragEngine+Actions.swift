public import Betwixt
import BetwixtTrips

extension DragEngine {
  /// What can be done with an item now, in a fixed order.
  ///
  /// - Complexity: O(log *n*), O(*n*) for a travel leg, O(*k*) for one of *k* tasks of a date
  public func availableActions(for id: ItemID) -> [RowAction] {
    guard isIdle, let document, document.list.contains(id: id), let stage,
      let gap = stage.gap(of: id)
    else { return [] }
    let destinations = Destinations(of: id, in: document)
    return RowAction.allCases.filter { action in
      switch action {
      case .complete: return canComplete(id)
      case .edit: return canEdit(id)
      case .addAbove, .addBelow, .delete: return true
      default:
        let target = target(of: action, id: id, from: gap, destinations: destinations, on: stage)
        return target != nil && target != gap
      }
    }
  }

  mutating func perform(_ action: RowAction, on id: ItemID) {
    guard isIdle, let document, document.list.contains(id: id), let stage,
      let gap = stage.gap(of: id)
    else { return }
    switch action {
    case .complete: if canComplete(id) { complete(id) }
    case .edit: handle(EditPhase.begin(id))
    case .addAbove: beginDraft(in: Gap(day: gap.day, above: gap.above, below: id))
    case .addBelow: handle(EditPhase.add(below: .item(id)))
    case .delete: delete(id)
    default:
      guard !document.isGame(id) else {
        return tell(.notMovable(title: document.title(of: id)))
      }
      let destinations = Destinations(of: id, in: document)
      let target = target(of: action, id: id, from: gap, destinations: destinations, on: stage)
      guard let target, target != gap else { return tell(.noFurther) }
      commit(
        [.move(id, target)], step: EditStep(.move, title: document.title(of: id)), end: .plain(id),
        in: stage.name(of: target.day), neighbour: neighbour(of: id))
    }
  }

  /// Where an action leads.
  private func target(
    of action: RowAction, id: ItemID, from gap: Gap, destinations: Destinations,
    on stage: ReorderStage
  ) -> Gap? {
    switch action {
    case .moveUp: return destinations.previous(before: gap, on: stage)
    case .moveDown: return destinations.next(after: gap, on: stage)
    case .moveToPreviousDay: return destinations.lastBefore(gap.day, on: stage)
    case .moveToNextDay: return destinations.firstAfter(gap.day, on: stage)
    case .moveToTop: return destinations.ends(of: gap.day, on: stage)?.first
    case .moveToBottom: return destinations.ends(of: gap.day, on: stage)?.last
    case .moveToInbox, .moveToToday, .moveToTomorrow:
      guard case .tasks = document, let tab = action.tab, let here = layout?.container else {
        return nil
      }
      // From a day that has passed a task may also come to today, whose tab shows it.
      let isReachable =
        here == tab
        ? !stage.allows(gap.day) : settings.tabTargets[here]?.contains(tab) ?? false
      guard isReachable else { return nil }
      return self.stage(in: tab, isVisitor: true)?.lastGap(moving: id)
    case .complete, .edit, .addAbove, .addBelow, .delete: return nil
    }
  }

  func canComplete(_ id: ItemID) -> Bool {
    guard case .tasks(let tasks) = document else { return false }
    return tasks.list.contains(id: id) && !tasks.isCompleted(id)
  }

  mutating func complete(_ id: ItemID) {
    commit(
      [.set(id, "state", "completed")], step: EditStep(.completion, title: title(of: id)),
      end: .silent)
  }

  func title(of id: ItemID) -> String { document?.title(of: id) ?? "" }

  /// The row that has the focus once an item is gone.
  func neighbour(of id: ItemID) -> RowRef? {
    guard let stage, let section = stage.section(of: id) else { return nil }
    let gap = stage.gap(of: id)
    return gap.flatMap { $0.below ?? $0.above }.map { .item($0) } ?? .header(day: section)
  }
}
