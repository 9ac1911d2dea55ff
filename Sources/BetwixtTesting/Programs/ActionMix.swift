/// How often which kind of action comes in a program.
public struct ActionMix: Hashable, Sendable {
  private var kinds: [ActionKind] = []

  /// Makes a mix of weights; kinds without one do not come.
  ///
  /// - Precondition: Some weight is above 0.
  public init(_ weights: [ActionKind: Int]) {
    // By the order of the cases, because that of a dictionary changes from run to run.
    for kind in ActionKind.allCases {
      kinds += [ActionKind](repeating: kind, count: max(0, weights[kind] ?? 0))
    }
    precondition(!kinds.isEmpty, "a mix without any kind of action")
  }

  /// The kinds that come.
  ///
  /// - Complexity: O(*w*) for a sum *w* of weights
  public var present: Set<ActionKind> { Set(kinds) }

  func pick(from source: inout ChoiceSource) -> ActionKind { source.pick(kinds) }

  /// Weights of edits.
  public static let edits: [ActionKind: Int] = [
    .insert: 12, .remove: 6, .set: 6, .move: 12, .restore: 4, .clear: 2, .run: 3, .moveBlock: 3,
    .undo: 3, .wait: 10,
  ]

  /// Weights of exchanges that bring whole deltas or lists.
  public static let exchanges: [ActionKind: Int] = [.merge: 3, .send: 10, .export: 1]

  /// Weights of a network that loses, repeats, delays, reorders, divides and damages.
  public static let network: [ActionKind: Int] = [
    .part: 4, .divert: 3, .post: 8, .deliver: 10, .again: 2, .lose: 2, .garble: 1, .partition: 2,
  ]

  /// Weights of sessions and of a hub, with connections that break.
  public static let sessions: [ActionKind: Int] = [.session: 6, .hub: 3]

  /// Weights of a folder that a tool copies.
  public static let folders: [ActionKind: Int] = [.publish: 4, .fetch: 8, .snapshot: 1]

  /// Weights of document files on drives that fail and lose what was not synced.
  public static let documents: [ActionKind: Int] = [.commit: 6, .compact: 1, .crash: 2]

  /// Weights of clocks that are wrong.
  public static let clocks: [ActionKind: Int] = [.clock: 4]

  /// Weights of identities that are used twice or go back.
  public static let impostors: [ActionKind: Int] = [.backup: 2, .rollBack: 2, .clone: 2]

  /// Draws a mix in which some groups of kinds and some kinds are missing.
  ///
  /// Runs without certain actions reach states that an even mix hardly ever does: a list that only
  /// grows, a drive that is never synced. Edits and at least one way of exchange are always there.
  ///
  /// - Complexity: O(1)
  public static func swarm(from source: inout ChoiceSource) -> ActionMix {
    var weights = exchanges
    // Sessions, folders and files cost the most, and a run of edits and deltas finds the most.
    if source.chance(1, in: 3) { weights.merge(network) { $1 } }
    if source.chance(1, in: 12) { weights.merge(sessions) { $1 } }
    if source.chance(1, in: 24) { weights.merge(folders) { $1 } }
    if source.chance(1, in: 24) { weights.merge(documents) { $1 } }
    if source.chance(1, in: 4) { weights.merge(clocks) { $1 } }
    if source.chance(1, in: 4) { weights.merge(impostors) { $1 } }
    for (kind, weight) in edits where weight > 0 { weights[kind] = weight }
    for kind in ActionKind.allCases where weights[kind] != nil && kind != .insert && kind != .send {
      switch source.next(below: 6) {
      case 5: weights[kind] = nil
      case 4: weights[kind] = (weights[kind] ?? 0) * 4
      default: break
      }
    }
    return ActionMix(weights)
  }
}

extension ActionMix {
  /// The mix without some kinds.
  func leavingOut(_ isLeftOut: (ActionKind) -> Bool) -> ActionMix {
    var mix = self
    mix.kinds.removeAll(where: isLeftOut)
    return mix.kinds.isEmpty ? ActionMix([.insert: 1, .send: 1]) : mix
  }

  func adding(_ kind: ActionKind, weight: Int) -> ActionMix {
    var mix = self
    mix.kinds += [ActionKind](repeating: kind, count: weight)
    return mix
  }
}
