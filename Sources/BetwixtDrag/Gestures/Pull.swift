import BetwixtTrips

// A list that is pulled down at its top, to add an item.

/// How a list is pulled; the offset is negative while it is pulled down at its top.
public enum PullPhase: Hashable, Sendable {
  /// A finger began to pull.
  case began(offset: Double, rowHeight: Double)
  /// It moved on.
  case changed(offset: Double)
  /// It went up.
  case ended
  /// The gesture is over.
  case cancelled
}

/// A list that is pulled down.
struct Pull: Hashable, Sendable {
  let rowHeight: Double
  var placeholder: AddPlaceholder?
  var isArmed = false
  /// It was scrolled the other way, so this drag adds nothing any more.
  var isOver = false
}

extension DragEngine {
  mutating func handle(_ phase: PullPhase) {
    switch phase {
    case .began(let offset, let rowHeight):
      guard isIdle, offset.isFinite, rowHeight.isFinite, rowHeight > 0, offset <= 0,
        layout != nil, stage?.firstGap(moving: nil) != nil
      else { return }
      finishDelayed()
      state = .pulling(Pull(rowHeight: rowHeight))
      pull(to: offset)
    case .changed(let offset):
      guard offset.isFinite else { return }
      pull(to: offset)
    case .ended: endPull(isReleased: true)
    case .cancelled: endPull(isReleased: false)
    }
  }

  private mutating func pull(to offset: Double) {
    guard case .pulling(var pull) = state, !pull.isOver, let layout else { return }
    let row = pull.rowHeight
    if offset > 0 {
      pull.isOver = true
      feelThreshold(from: pull.isArmed, to: false)
      pull.isArmed = false
      if pull.placeholder != nil { emit(.placeholder(nil)) }
      pull.placeholder = nil
    } else {
      let isArmed = -offset > row
      let placeholder = AddPlaceholder(
        frame: DragFrame(x: 0, y: -row, width: layout.width, height: row),
        text: isArmed ? "Release to add item" : "Pull to add item", alpha: min(1, -offset / row),
        scaleY: 1, like: nil)
      if placeholder != pull.placeholder { emit(.placeholder(placeholder)) }
      pull.placeholder = placeholder
      feelThreshold(from: pull.isArmed, to: isArmed)
      pull.isArmed = isArmed
    }
    state = .pulling(pull)
  }

  private mutating func endPull(isReleased: Bool) {
    guard case .pulling(let pull) = state else { return }
    state = .idle
    if pull.placeholder != nil { emit(.placeholder(nil)) }
    guard isReleased, pull.isArmed, let gap = stage?.firstGap(moving: nil) else { return }
    beginDraft(in: gap, height: pull.rowHeight)
  }
}

// MARK: - In a log

extension PullPhase {
  var logMembers: [(String, LogValue)] {
    switch self {
    case .began(let offset, let height):
      [
        ("phase", .text("began")), ("offset", .number(offset)), ("rowHeight", .number(height)),
      ]
    case .changed(let offset): [("phase", .text("changed")), ("offset", .number(offset))]
    case .ended: [("phase", .text("ended"))]
    case .cancelled: [("phase", .text("cancelled"))]
    }
  }

  init(_ reader: LogReader) throws(TextProblem) {
    switch try reader.phase {
    case "began":
      self = .began(
        offset: try reader.number("offset"), rowHeight: try reader.number("rowHeight"))
    case "changed": self = .changed(offset: try reader.number("offset"))
    case "ended": self = .ended
    case "cancelled": self = .cancelled
    default: throw reader.unknownPhase
    }
  }
}
