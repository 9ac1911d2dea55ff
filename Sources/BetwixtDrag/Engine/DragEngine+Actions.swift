public import Betwixt
import BetwixtTrips

extension DragEngine {
  /// The moves that can be done with an item now, in a fixed order.
  ///
  /// - Complexity: O(log *n*), O(*n*) for a travel leg
  public func availableActions(for id: ItemID) -> [ReorderAction] {
    guard isIdle, let document, let stage = stage(in: layout?.container, isVisitor: false),
      let gap = stage.gap(of: id)
    else { return [] }
    let destinations = Destinations(of: id, in: document)
    return ReorderAction.allCases.filter {
      let target = $0.target(from: gap, destinations, stage)
      return target != nil && target != gap
    }
  }

  mutating func perform(_ action: ReorderAction, on id: ItemID) {
    guard isIdle, let document, document.list.contains(id: id),
      let stage = stage(in: layout?.container, isVisitor: false), let gap = stage.gap(of: id)
    else { return }
    guard !document.isGame(id) else {
      return emit(.announce(.notMovable(title: document.title(of: id))))
    }
    let target = action.target(from: gap, Destinations(of: id, in: document), stage)
    guard let target, target != gap else { return emit(.announce(.noFurther)) }
    let title = document.title(of: id)
    commit([.move(id, target)], title: title)
    emit(profile.drop)
    offerUndo("Moved to \(stage.name(of: target.day).title)")
    emit(.announce(.dropped(title: title, stage.place(in: target, moving: id))))
    emit(.focus(.item(id)))
  }
}

extension ReorderAction {
  /// Where the action leads.
  fileprivate func target(
    from gap: Gap, _ destinations: Destinations, _ stage: any ReorderStage
  ) -> Gap? {
    switch self {
    case .moveUp: destinations.previous(before: gap, on: stage)
    case .moveDown: destinations.next(after: gap, on: stage)
    case .moveToPreviousDay: destinations.lastBefore(gap.day, on: stage)
    case .moveToNextDay: destinations.firstAfter(gap.day, on: stage)
    case .moveToTop: destinations.ends(of: gap.day, on: stage)?.first
    case .moveToBottom: destinations.ends(of: gap.day, on: stage)?.last
    }
  }
}
