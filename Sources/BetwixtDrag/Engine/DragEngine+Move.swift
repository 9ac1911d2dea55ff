import Betwixt
import BetwixtTrips

extension DragEngine {
  mutating func moved(to point: DragPoint, _ time: Int64) {
    guard point.isFinite else { return }
    if let press { return strayed(press, to: point, time) }
    guard let session, session.item != nil, !session.isByKeyboard else { return }
    follow(point, time)
  }

  /// Takes the dragged thing to a point.
  mutating func follow(_ point: DragPoint, _ time: Int64) {
    session?.point = point
    propose(proposal(at: point))
    updateScrolling(time)
  }

  /// What a release at a point would do, by the document as it is now; ``DropProposal/none``
  /// without a drag.
  ///
  /// - Complexity: O(log *n*)
  public func proposal(at point: DragPoint) -> DropProposal {
    guard let session, let layout else { return .none }
    if let tab = tab(at: point) { return .tab(tab) }
    let reach = profile.outside
    guard point.x >= -reach, point.x <= layout.width + reach, point.y >= -reach,
      point.y <= layout.viewportHeight + reach, let capture = session.capture
    else { return .none }
    switch capture.spot(at: point.y + layout.offset) {
    case .origin: return .stay
    case .nowhere: return .forbidden
    case .gap(let gap): return proposal(for: gap)
    }
  }

  /// What going into a gap would do.
  func proposal(for gap: Gap) -> DropProposal {
    guard let session, let stage = sessionStage else { return .none }
    if case .external = session.subject {
      if let gap = session.onlyGap { return .copy(gap) }
      guard let gap = stage.resolve(gap, moving: nil) else { return .forbidden }
      return accepted(gap, stage).map { .copy($0) } ?? .forbidden
    }
    guard let id = session.item, let gap = stage.resolve(gap, moving: id) else {
      return .forbidden
    }
    let former =
      session.isVisitor ? nil : session.formerGap.flatMap { stage.resolve($0, moving: id) }
    if gap == session.originGap || gap == former { return .stay }
    guard let accepted = accepted(gap, stage) else { return .forbidden }
    return accepted == session.originGap ? .stay : .move(accepted)
  }

  /// The gap if it is valid, else what the policy makes of it.
  private func accepted(_ gap: Gap, _ stage: any ReorderStage) -> Gap? {
    guard let destinations = session?.destinations else { return nil }
    if destinations.contains(gap, on: stage) { return gap }
    return profile.invalidDrop == .clampToValid ? destinations.nearest(to: gap, on: stage) : nil
  }

  /// Shows a proposal, if it is another one than before.
  mutating func propose(_ proposal: DropProposal) {
    guard let old = session?.proposal else { return }
    session?.proposal = proposal
    if proposal != old { announceZone(from: old, to: proposal) }
    showPlace(of: proposal)
    showTab(of: proposal)
    guard proposal != old, let stage = sessionStage else { return }
    switch proposal {
    case .move(let gap), .copy(let gap): emit(.announce(.movedTo(stage.words(for: gap))))
    case .forbidden: emit(.announce(.notHere))
    case .stay, .tab, .none: break
    }
  }

  private mutating func announceZone(from old: DropProposal, to new: DropProposal) {
    if new == .forbidden {
      session?.isTinted = true
      emit(.tint(.invalid(profile.tint)))
      if let kind = profile.enterInvalid { emit(kind) }
    } else if old == .forbidden {
      removeTint()
      if new.gap != nil, let kind = profile.leaveInvalid { emit(kind) }
    }
  }

  mutating func removeTint() {
    guard session?.isTinted ?? false else { return }
    session?.isTinted = false
    emit(.tint(.none(fade: profile.tint.fade)))
  }

  /// Shows the line and opens the gap, or hides and closes them.
  private mutating func showPlace(of proposal: DropProposal) {
    guard let gap = proposal.gap, let session, let capture = session.capture, let layout else {
      hideLine()
      return shift(to: nil, profile.shift)
    }
    let line = DragSession.Line(
      gap: gap, frame: capture.lineFrame(of: gap, width: layout.width, profile.line))
    if line != session.line {
      self.session?.line = line
      emit(.line(.show(gap, line.frame, profile.line)))
    }
    shift(to: capture.shift(for: gap, height: session.height), profile.shift)
  }

  mutating func hideLine() {
    guard session?.line != nil else { return }
    session?.line = nil
    emit(.line(.hide(fade: profile.line.fade)))
  }

  /// Moves the rows whose place differs.
  mutating func shift(to shift: RowShift?, _ motion: Motion) {
    guard let session, let rows = session.capture?.table.rows else { return }
    for change in RowShift.changes(from: session.shift, to: shift) {
      let refs = rows[change.rows].map(\.ref)
      emit(.rows(refs), .shiftY(change.distance), motion)
    }
    self.session?.shift = shift
  }
}
