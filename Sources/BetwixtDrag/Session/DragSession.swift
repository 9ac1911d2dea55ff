import Betwixt
import BetwixtTrips

/// All that is known of one drag, from the lift to its end.
struct DragSession: Sendable {
  /// What is dragged.
  enum Subject: Hashable, Sendable {
    case item(ItemID)
    case external(DragPayload)
  }

  /// What is aimed at.
  ///
  /// A gap is aimed at by the ids of its neighbours, so others may edit around it: it stays the
  /// same gap until the pointer moves on.
  enum Aim: Hashable, Sendable {
    /// The slot of the dragged item.
    case origin
    case gap(Gap)
    case tab(TaskTab)
    /// A part of the list that means no gap.
    case nowhere
    /// Nothing: outside of the list, or a list that is not laid out yet.
    case nothing
  }

  let subject: Subject
  let title: String
  let isByKeyboard: Bool
  let height: Double
  let grabOffset: DragPoint
  /// The tab that it was lifted in, and the one that it is in now.
  let homeTab: TaskTab?
  private(set) var tab: TaskTab?

  var originalFrame: DragFrame
  var capture: Capture?
  /// The document has changed since the capture was made.
  var isCaptureOutdated = false
  var destinations: Destinations
  /// The one gap that something external can go to.
  var onlyGap: Gap?

  /// Where the item stands now.
  var originGap: Gap?
  /// Where it was lifted, if somebody else has moved it since.
  var formerGap: Gap?

  var point: DragPoint
  var aim: Aim
  /// Where the pointer was when what is under it changed; until it moves on, the aim is kept.
  var heldAt: DragPoint?
  var proposal = DropProposal.stay
  var scrolling = Scrolling()

  // What the screen shows of it.
  var line: Line?
  var shift: RowShift?
  var isTinted = false
  var highlight: TaskTab?

  struct Line: Hashable, Sendable {
    let gap: Gap
    let frame: DragFrame
  }

  init(
    subject: Subject, title: String, isByKeyboard: Bool, height: Double, grabOffset: DragPoint,
    tab: TaskTab?, originalFrame: DragFrame, capture: Capture, destinations: Destinations,
    originGap: Gap? = nil, point: DragPoint, aim: Aim
  ) {
    self.subject = subject
    self.title = title
    self.isByKeyboard = isByKeyboard
    self.height = height
    self.grabOffset = grabOffset
    homeTab = tab
    self.tab = tab
    self.originalFrame = originalFrame
    self.capture = capture
    self.destinations = destinations
    self.originGap = originGap
    self.point = point
    self.aim = aim
  }

  var item: ItemID? {
    if case .item(let id) = subject { id } else { nil }
  }

  var isVisitor: Bool { tab != homeTab }

  /// Goes on in another tab, whose rows are not known yet.
  mutating func enter(_ tab: TaskTab) {
    self.tab = tab
    highlight = nil
    capture = nil
    isCaptureOutdated = false
    aim = .nothing
    heldAt = nil
  }

  /// How far a pointer moves until it aims anew, once what is under it has changed: a finger never
  /// lies still.
  static let steadiness = 4.0

  /// Keeps the aim until the pointer moves on; arrow keys need no holding.
  mutating func hold() {
    if !isByKeyboard { heldAt = point }
  }

  /// Follows the pointer.
  ///
  /// - Returns: Whether it aims anew.
  mutating func move(to point: DragPoint) -> Bool {
    self.point = point
    let limit = DragSession.steadiness * DragSession.steadiness
    if let heldAt, heldAt.squaredDistance(to: point) < limit { return false }
    heldAt = nil
    return true
  }

  /// Where the item's own row is, as far as is known.
  var presentFrame: DragFrame {
    guard let item, let frame = capture?.frame(of: .item(item), width: originalFrame.width) else {
      return originalFrame
    }
    return DragFrame(x: 0, y: frame.y, width: frame.width, height: height)
  }

  /// Where the copy goes if the drag comes to nothing; `nil` in another tab than its own.
  var returnFrame: DragFrame? { isVisitor ? nil : originalFrame }
}

/// A pointer that went down on a row and has neither moved nor gone up.
struct PointerPress: Hashable, Sendable {
  let row: RowRef
  let input: PointerInput
  let point: DragPoint
  /// Where in the row it went down: there the row stays under it, whatever arrives meanwhile.
  let grab: DragPoint
}
