import Betwixt
import BetwixtTrips

extension DragEngine {
  mutating func moved(to point: DragPoint, at time: Int64) {
    guard point.isFinite else { return }
    if let press { return strayed(press, to: point, at: time) }
    guard let session, session.item != nil, !session.isByKeyboard else { return }
    follow(point, at: time)
  }

  /// Takes the dragged thing to a point.
  mutating func follow(_ point: DragPoint, at time: Int64) {
    aim(at: point)
    updateScrolling(time)
  }

  /// Aims at what is under a point, unless the aim is kept.
  mutating func aim(at point: DragPoint) {
    guard session?.move(to: point) ?? false else { return }
    let aim = aimed(at: point)
    guard aim != session?.aim else { return }
    session?.aim = aim
    proposeAgain()
  }

  /// Aims at what is under a point for the last time: nothing of it is shown any more.
  mutating func aimForTheLastTime(at point: DragPoint) {
    guard var session else { return }
    if session.move(to: point) { session.aim = aimed(at: point) }
    self.session = session
    session.proposal = proposal(for: session.aim)
    self.session = session
  }

  /// What a release at a point would do, by the document as it is now; ``DropProposal/none``
  /// without a drag.
  ///
  /// - Complexity: O(log *n*)
  public func proposal(at point: DragPoint) -> DropProposal { proposal(for: aimed(at: point)) }

  func aimed(at point: DragPoint) -> DragSession.Aim {
    guard let session, let layout else { return .nothing }
    if let tab = tab(at: point) { return .tab(tab) }
    let reach = profile.outside
    guard point.x >= -reach, point.x <= layout.width + reach, point.y >= -reach,
      point.y <= layout.viewportHeight + reach, let capture = session.capture
    else { return .nothing }
    switch capture.spot(at: point.y + layout.offset) {
    case .origin: return .origin
    case .nowhere: return .nowhere
    case .gap(let gap): return .gap(gap)
    }
  }

  /// Finds out anew what the drag would do, with the same aim.
  mutating func proposeAgain() {
    if let aim = session?.aim { propose(proposal(for: aim)) }
  }

  private func proposal(for aim: DragSession.Aim) -> DropProposal {
    switch aim {
    case .origin: .stay
    case .gap(let gap): proposal(for: gap)
    case .tab(let tab): .tab(tab)
    case .nowhere: .forbidden
    case .nothing: .none
    }
  }

  /// What going into a gap would do.
  private func proposal(for gap: Gap) -> DropProposal {
    guard let session, let stage = sessionStage else { return .none }
    if case .external = session.subject {
      if let gap = session.onlyGap { return .copy(gap) }
      guard let gap = resolved(gap, in: session, on: stage) else { return .forbidden }
      return accepted(gap, on: stage).map { .copy($0) } ?? .forbidden
    }
    guard let id = session.item, let gap = resolved(gap, in: session, on: stage) else {
      return .forbidden
    }
    let former =
      session.isVisitor ? nil : session.formerGap.flatMap { stage.resolve($0, moving: id) }
    if gap == session.originGap || gap == former { return .stay }
    guard let accepted = accepted(gap, on: stage) else { return .forbidden }
    return accepted == session.originGap ? .stay : .move(accepted)
  }

  /// What a gap means in the document as it is now.
  private func resolved(_ gap: Gap, in session: DragSession, on stage: ReorderStage) -> Gap? {
    if !session.isCaptureOutdated, session.capture?.isExact(gap) ?? false { return gap }
    return stage.resolve(gap, moving: session.item)
  }

  /// The gap if it is valid, else what the policy makes of it.
  private func accepted(_ gap: Gap, on stage: ReorderStage) -> Gap? {
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
  mutating func showPlace(of proposal: DropProposal) {
    guard let gap = proposal.gap, let session, let capture = session.capture, let layout else {
      hideLine()
      return shift(to: nil, motion: profile.shift)
    }
    let line = DragSession.Line(
      gap: gap, frame: capture.lineFrame(of: gap, width: layout.width, style: profile.line))
    if line != session.line {
      self.session?.line = line
      emit(.line(.show(gap, line.frame, profile.line)))
    }
    shift(to: capture.shift(for: gap, height: session.height), motion: profile.shift)
  }

  mutating func hideLine() {
    guard session?.line != nil else { return }
    session?.line = nil
    emit(.line(.hide(fade: profile.line.fade)))
  }

  /// Moves the rows whose place differs.
  mutating func shift(to shift: RowShift?, motion: Motion) {
    guard let session, let rows = session.capture?.table.rows else { return }
    for change in RowShift.changes(from: session.shift, to: shift) {
      let refs = rows[change.rows].map { $0.ref }
      emit(.rows(refs), to: .shiftY(change.distance), motion: motion)
    }
    self.session?.shift = shift
  }
}
