/// Every number of how dragging looks and feels.
///
/// Two profiles are built in, ``itinerary`` and ``tasks``; a host may change single numbers:
///
///     var profile = DragProfile.itinerary
///     profile.invalidDrop = .clampToValid
///
/// Durations are milliseconds, lengths points.
public struct DragProfile: Hashable, Sendable {
  // MARK: Recognising

  /// How long a finger or pen rests until the item is lifted.
  public var longPress: Int
  /// How far it may stray meanwhile.
  public var slop: Double
  /// How far a mouse moves until the item is lifted.
  public var mouseSlop: Double

  // MARK: The lifted copy

  /// How the copy rises.
  public var lift: Motion
  /// Its size.
  public var liftScale: Double
  /// Its turn about the vertical axis, in degrees.
  public var liftTilt: Double
  /// The perspective of that turn: the entry m34 of its matrix.
  public var perspective: Double
  /// Its shadow.
  public var shadow: ShadowStyle
  /// How opaque it is.
  public var liftedAlpha: Double
  /// The radius of its corners.
  public var liftedCorner: Double
  /// How opaque the row that it came from is meanwhile.
  public var sourceAlpha: Double

  // MARK: While it is dragged

  /// The line at the place where it would go.
  public var line: LineStyle
  /// How rows make room.
  public var shift: Motion
  /// The tint where it cannot go.
  public var tint: TintStyle
  /// What is felt when it enters a place where it cannot go.
  public var enterInvalid: HapticKind?
  /// What is felt when it comes from there to a place where it can.
  public var leaveInvalid: HapticKind?
  /// What is felt when it is lifted.
  public var grab: HapticKind
  /// How far outside the list it is over nothing.
  public var outside: Double
  /// How the list scrolls by itself.
  public var autoScroll: AutoScroll

  // MARK: The end

  /// How the copy goes to its new place.
  public var settle: Motion
  /// How it goes back.
  public var snapBack: Motion
  /// What is felt when it is dropped.
  public var drop: HapticKind
  /// What is felt when it is dropped where it cannot go.
  public var invalidDropHaptics: [HapticBeat]
  /// What becomes of a drop where it cannot go.
  public var invalidDrop: InvalidDrop
  /// How long a toast is shown, with its offer to undo.
  public var undo: Int

  // MARK: Tabs

  /// How long to hover over a tab until it opens.
  public var tabHover: Int
  /// How a tab shows that it can be dropped on.
  public var tabHighlight: TabHighlightStyle
  /// How a tab opens.
  public var tabSwitch: Motion

  // MARK: Gestures

  /// How rows close up after a removal.
  public var delete: Motion
  /// How much later each next row starts.
  public var deleteStagger: Int
  /// How rows move when one is edited.
  public var editFocus: Motion
  /// How opaque the other rows are then.
  public var editAlpha: Double
  /// How a pinch or swipe goes back.
  public var wayBack: Motion
  /// How a row changes its state.
  public var stateChange: Motion

  // MARK: Saving

  /// How long the host waits before each new try to save.
  public var saveRetries: [Int]
}
