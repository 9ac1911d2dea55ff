extension DragProfile {
  /// The profile for people who want no motion: nothing takes time, grows or turns, and lists
  /// scroll at half the speed.
  public var reducingMotion: DragProfile {
    var profile = self
    profile.changeMotions { _ in Motion.none }
    profile.line.fade = 0
    profile.tint.fade = 0
    profile.tabHighlight.fade = 0
    profile.deleteStagger = 0
    profile.liftScale = 1
    profile.liftTilt = 0
    profile.autoScroll.fullSpeed /= 2
    return profile
  }

  /// The profile for front ends without springs: each takes as long and runs evenly.
  public var easingOnly: DragProfile {
    var profile = self
    profile.changeMotions { Motion($0.duration) }
    return profile
  }

  private mutating func changeMotions(_ change: (Motion) -> Motion) {
    lift = change(lift)
    shift = change(shift)
    settle = change(settle)
    snapBack = change(snapBack)
    tabSwitch = change(tabSwitch)
    delete = change(delete)
    editFocus = change(editFocus)
    wayBack = change(wayBack)
    stateChange = change(stateChange)
  }
}
