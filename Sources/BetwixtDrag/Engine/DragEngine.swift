public import Betwixt
public import BetwixtTrips

/// Dragging, gestures, keyboard and undo of a list, without a screen.
///
/// The engine is a value. A host tells it what happens and does what it answers; it never edits a
/// list, reads no clock and calls nobody. Equal events give equal effects.
///
///     var engine = DragEngine()
///     _ = engine.handle(.document(.trip(trip)))
///     _ = engine.handle(.layout(layout))
///     for effect in engine.handle(.press(.item(lunch), .touch, point, at: now)) { perform(effect) }
public struct DragEngine: Sendable {
  /// What was chosen.
  public internal(set) var settings: DragSettings

  /// The document that was told last.
  public internal(set) var document: DragDocument?

  /// The layout that was told last.
  public internal(set) var layout: ListLayout?

  /// The date of today, if it was told.
  public internal(set) var today: CivilDate?

  var profile: DragProfile
  var table: RowTable?
  var state = State.idle
  /// All rows around a text that is edited, until the document or the layout is another one.
  var editCapture: Capture?

  var commitCount = 0
  /// How often rows were laid out.
  var layoutCount = 0
  /// The newest commits, those first that were made first.
  var commits: [Commit] = []
  /// The toast that is shown.
  var toast: Toast?
  /// Whether changes that were asked for may still wait for their time.
  private var hasDelayed = false

  /// How often valid gaps were found out: once for each lift, and for each document during a drag.
  package internal(set) var studyCount = 0

  private var effects: [DragEffect] = []

  /// Makes an engine that knows no list yet.
  public init(_ settings: DragSettings = DragSettings(.itinerary)) {
    self.settings = settings
    profile = settings.effectiveProfile
  }

  /// Takes in what happened.
  ///
  /// Events that make no sense now are ignored.
  ///
  /// - Parameter event: What happened.
  /// - Returns: What the host is to do, in this order.
  /// - Complexity: O(log *n* + *r*) for *r* rows touched; O(*n*) for a new layout, to lift a travel
  ///   leg or change the document while one is dragged; and for *n* tasks of a tab to lift one of
  ///   them, to begin a new one, and for an action
  public mutating func handle(_ event: DragEvent) -> [DragEffect] {
    dispatch(event)
    defer { effects = [] }
    return effects
  }

  mutating func emit(_ effect: DragEffect) { effects.append(effect) }

  mutating func emit(_ kind: HapticKind, after: Int = 0) {
    if settings.haptics { emit(.haptic(kind, after: after)) }
  }

  mutating func emit(
    _ target: RowAnimation.Target, to changes: VisualChange, motion: Motion, delay: Int = 0
  ) {
    if delay > 0 { hasDelayed = true }
    emit(.animate(RowAnimation(target, to: changes, motion: motion, delay: delay)))
  }

  /// The copy goes once it has landed.
  mutating func removeCopy(after delay: Int) {
    if delay > 0 { hasDelayed = true }
    emit(.removeCopy(after: delay))
  }

  /// What still waits happens now, before something new begins with the same rows.
  mutating func finishDelayed() {
    guard hasDelayed else { return }
    hasDelayed = false
    emit(.finishDelayed)
  }
}

// MARK: - What a front end may ask

extension DragEngine {
  /// Whether nothing goes on.
  public var isIdle: Bool { if case .idle = state { true } else { false } }

  /// The item that is dragged.
  public var draggedItem: ItemID? { session?.item }

  /// What would happen if the drag ended now; `nil` without a drag.
  public var proposal: DropProposal? { session?.proposal }

  /// Whose text is edited.
  public var editTarget: EditTarget? {
    if case .editing(let edit) = state { edit.target } else { nil }
  }

  /// Where the lifted copy is, in viewport coordinates; `nil` if nothing is dragged by a pointer.
  public var liftedFrame: DragFrame? {
    guard let session, session.item != nil, !session.isByKeyboard else { return nil }
    return DragFrame(
      x: session.point.x - session.grabOffset.x, y: session.point.y - session.grabOffset.y,
      width: session.originalFrame.width, height: session.height)
  }

  /// What a row shows at its side.
  ///
  /// - Complexity: O(log *n*)
  public func affordance(of row: RowRef) -> RowAffordance {
    guard let id = row.item, let document, document.list.contains(id: id) else { return .none }
    return document.isGame(id) ? .pinned : .handle
  }
}

/// What a row shows at its side.
public enum RowAffordance: String, Hashable, Sendable {
  /// It can be dragged.
  case handle
  /// It stands where the schedule says.
  case pinned
  /// It cannot be moved.
  case none
}
