import Betwixt
import BetwixtTrips

/// All that is known of one drag, from the lift to its end.
struct DragSession: Sendable {
  /// What is dragged.
  enum Subject: Hashable, Sendable {
    case item(ItemID)
    case external(DragPayload)
  }

  let subject: Subject
  let title: String
  let isByKeyboard: Bool
  let height: Double
  let grabOffset: DragPoint
  /// The tab that it was lifted in, and the one that it is in now.
  let homeTab: TaskTab?
  var tab: TaskTab?

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
  var keyboardGap: Gap?
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

  var item: ItemID? {
    if case .item(let id) = subject { id } else { nil }
  }

  var isVisitor: Bool { tab != homeTab }

  /// Where the item's own row is, as far as is known.
  var presentFrame: DragFrame {
    guard let capture, let origin = capture.origin else { return originalFrame }
    var frame = originalFrame
    frame.y = capture.table.rows[origin].minY
    return frame
  }
}
