extension DragProfile {
  /// For the days of a trip: quick, and it knocks where an item cannot go.
  public static let itinerary = DragProfile(
    longPress: 300, slop: 10, mouseSlop: 4,
    lift: Motion(150, curve: .spring(damping: 0.85, velocity: 0.5)), liftScale: 1.025, liftTilt: 2,
    perspective: -1.0 / 500, shadow: ShadowStyle(x: 0, y: 8, radius: 16, from: 0, to: 0.25),
    liftedAlpha: 1, liftedCorner: 12, sourceAlpha: 0,
    line: LineStyle(
      width: 3, cap: .round, margin: 16, lead: 2, height: 6, fade: 150, color: .theme),
    shift: Motion(100),
    tint: TintStyle(color: .systemRed, alpha: 0.15, corner: 12, fade: 100),
    enterInvalid: .warning, leaveInvalid: .selection, grab: .light, outside: 44,
    autoScroll: AutoScroll(bandShare: 0.25, bandLimit: 180, fullSpeed: 900, ramp: 400),
    settle: Motion(200, curve: .spring(damping: 0.8, velocity: 0)),
    snapBack: Motion(200, curve: .spring(damping: 0.7, velocity: 0.3)), drop: .medium,
    invalidDropHaptics: [
      HapticBeat(.error), HapticBeat(.light, after: 60), HapticBeat(.light, after: 120),
    ],
    invalidDrop: .reject, undo: 5_000, tabHover: 500,
    tabHighlight: TabHighlightStyle(
      color: .blue, fill: 0.2, stroke: 0.4, strokeWidth: 1, fade: 200),
    tabSwitch: Motion(300), delete: Motion(300), deleteStagger: 30, editFocus: Motion(300),
    editAlpha: 0.3, wayBack: Motion(200), stateChange: Motion(200),
    saveRetries: [200, 400, 800])

  /// For lists of tasks: softer, and the row that was lifted stays to be seen.
  public static let tasks: DragProfile = {
    var profile = DragProfile.itinerary
    profile.lift = Motion(200, curve: .response(0.2, damping: 0.85))
    profile.liftTilt = 0
    profile.perspective = 0
    profile.shadow = ShadowStyle(x: 0, y: 8, radius: 8, from: 0, to: 0.2)
    profile.liftedAlpha = 0.7
    profile.sourceAlpha = 0.3
    profile.line.fade = 200
    profile.shift = Motion(200, curve: .response(0.2, damping: 0.85))
    profile.tint.fade = 200
    profile.enterInvalid = nil
    profile.leaveInvalid = nil
    profile.grab = .medium
    profile.settle = Motion(300, curve: .spring(damping: 0.8, velocity: 0))
    profile.snapBack = Motion(300, curve: .spring(damping: 0.7, velocity: 0.3))
    profile.drop = .light
    profile.invalidDropHaptics = []
    profile.undo = 3_000
    return profile
  }()
}
