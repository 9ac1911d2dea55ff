public import BetwixtTrips

/// The line that shows where an item would go.
public enum InsertionLine: Hashable, Sendable {
  /// It is shown at a gap; the frame is in content coordinates.
  case show(Gap, DragFrame, LineStyle)

  /// It vanishes within some milliseconds.
  case hide(fade: Int)
}

/// The tint of the lifted copy.
public enum CopyTint: Hashable, Sendable {
  /// The item cannot go here.
  case invalid(TintStyle)

  /// No tint; it vanishes within some milliseconds.
  case none(fade: Int)
}

/// A tab that shows that it can be dropped on.
public struct TabHighlight: Hashable, Sendable {
  /// The tab.
  public let tab: TaskTab
  /// What it says.
  public let label: String
  /// How it looks.
  public let style: TabHighlightStyle

  /// Puts one together.
  public init(
    tab: TaskTab, label: String, style: TabHighlightStyle
  ) {
    self.tab = tab
    self.label = label
    self.style = style
  }
}

/// What stands where a new item would be.
public struct AddPlaceholder: Hashable, Sendable {
  /// Where, in content coordinates.
  public let frame: DragFrame
  /// What it says.
  public let text: String
  /// How opaque it is.
  public let alpha: Double
  /// How high it is, as a part of its frame, about its middle.
  public let scaleY: Double
  /// The row whose colour it has.
  public let like: RowRef?

  /// Puts one together.
  public init(
    frame: DragFrame, text: String, alpha: Double, scaleY: Double, like: RowRef?
  ) {
    self.frame = frame
    self.text = text
    self.alpha = alpha
    self.scaleY = scaleY
    self.like = like
  }
}

/// How far a gesture has come.
public struct GestureCue: Hashable, Sendable {
  /// What the gesture does.
  public enum Kind: String, Hashable, Sendable {
    /// It completes a task.
    case complete
    /// It deletes an item.
    case delete
  }

  /// What the gesture does.
  public let kind: Kind
  /// How far it has come, 0 to 1.
  public let progress: Double
  /// Whether it does so when it is released.
  public let isArmed: Bool
  /// Whether the host plays a sound: once when it becomes armed and once when no longer.
  public let isAudible: Bool

  /// Puts one together.
  public init(kind: Kind, progress: Double, isArmed: Bool, isAudible: Bool) {
    self.kind = kind
    self.progress = progress
    self.isArmed = isArmed
    self.isAudible = isAudible
  }
}
