/// What the host and the user have chosen.
public struct DragSettings: Hashable, Sendable {
  /// Which curves the front end can run.
  public enum Curves: String, Hashable, Sendable {
    /// All of them.
    case full
    /// Springs are replaced.
    case easeOnly
  }

  /// The numbers.
  public var profile: DragProfile

  /// Which curves the front end can run.
  public var curves = Curves.full

  /// Whether the user wants less motion.
  public var reduceMotion = false

  /// Whether anything may be felt.
  public var haptics = true

  /// Whether anything may be heard.
  public var sounds = false

  /// Which tabs an item may be carried to from each.
  public var tabTargets: [TaskTab: [TaskTab]] = [
    .inbox: [.today], .today: [.inbox, .upcoming], .upcoming: [.inbox, .today], .analytics: [],
  ]

  /// Makes settings.
  public init(_ profile: DragProfile) { self.profile = profile }

  /// The profile after all that was chosen.
  public var effectiveProfile: DragProfile {
    let eased = curves == .easeOnly ? profile.easingOnly : profile
    return reduceMotion ? eased.reducingMotion : eased
  }
}
