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

  /// Weights of letting go what removed items held, which makes restoring worth more.
  public static let forgetting: [ActionKind: Int] = [.forget: 4, .restore: 8, .remove: 8]

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

  /// Weights of documents in files, which commands and open programs edit, and which people copy.
  public static let desks: [ActionKind: Int] = [
    .write: 24, .editor: 3, .type: 6, .pack: 1, .die: 2, .hinder: 2, .power: 1, .join: 4, .meet: 5,
    .pair: 3,
  ]

  /// Weights of programs that keep their steps, some killed before they have, and of taking those back.
  public static let steps: [ActionKind: Int] = [.act: 10, .stop: 3, .takeBack: 10]

  /// Weights of copies that are put back, moved, linked and carried between machines by a tool.
  public static let copies: [ActionKind: Int] = [
    .shelve: 4, .putBack: 4, .copy: 3, .rename: 2, .link: 1, .carry: 4, .renew: 1, .litter: 1,
    .chmod: 1,
  ]

  /// Weights of files that are cut or damaged.
  public static let damage: [ActionKind: Int] = [.cut: 3, .flip: 2, .flipIdentity: 1]

  /// Weights of backups of machines, or of parts of them, that are restored somewhere.
  public static let backups: [ActionKind: Int] = [.image: 2, .restoreImage: 4]

  /// Weights of a shared folder between documents in files.
  public static let deskFolders: [ActionKind: Int] = [.share: 6, .absorb: 1, .beside: 2, .haul: 6]

  /// Weights of those who go to the limits: strangers with well-formed extremes, and honest programs.
  public static let extremes: [ActionKind: Int] = [.stranger: 2, .fill: 1]

  /// Draws a mix of the wider world, in which some groups of kinds and some kinds are missing.
  ///
  /// - Complexity: O(1)
  public static func wide(from source: inout ChoiceSource) -> ActionMix {
    var weights = desks
    if source.chance(3, in: 4) { weights.merge(copies) { $1 } }
    if source.chance(1, in: 2) { weights.merge(damage) { $1 } }
    if source.chance(1, in: 2) { weights.merge(backups) { $1 } }
    if source.chance(1, in: 3) { weights.merge(deskFolders) { $1 } }
    if source.chance(1, in: 4) { weights.merge(clocks) { $1 } }
    if source.chance(1, in: 8) { weights.merge(extremes) { $1 } }
    if source.chance(1, in: 3) { weights.merge(steps) { $1 } }
    weights[.wait] = 4
    return varied(weights, from: &source, keeping: [.write, .join])
  }

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
    if source.chance(1, in: 4) { weights.merge(forgetting) { $1 } }
    return varied(weights, from: &source, keeping: [.insert, .send])
  }

  /// The weights, some of them greater and some of them gone.
  private static func varied(
    _ weights: [ActionKind: Int], from source: inout ChoiceSource, keeping kept: Set<ActionKind>
  ) -> ActionMix {
    var weights = weights
    for kind in ActionKind.allCases where weights[kind] != nil && !kept.contains(kind) {
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
